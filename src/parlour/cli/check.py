"""``check`` and ``new-game``: for authors of games."""

from __future__ import annotations

import keyword
import re
import shutil
import sys
import textwrap
import time
from collections.abc import Sequence
from importlib import resources
from importlib.util import find_spec
from pathlib import Path

import click

from parlour.cli.common import console, import_game, say
from parlour.engine.game import Game
from parlour.interfaces.registry import find
from parlour.support.files import write_file
from parlour.testing import CHECKS, CheckFailed, run_check, subjects_of
from parlour.testing.places import place_of, problem_of

MAX_GAMES = 10_000
STARTER = "starter"
"""The package that ``new-game`` copies, and the word in it that the game's name replaces."""
STARTER_DICE = "starter_dice"
"""The package that ``new-game --dice`` copies; the word in it is the same."""
COPIED = (".py", ".md")
PARTS = ("variants", "rules", "notation", "drawing", "evaluation", "guide")
"""The files of a game that all checks need."""


@click.command()
@click.argument("package")
@click.option("--variant", "variants", multiple=True, metavar="NAME", help="Check this variant only; repeatable.")
@click.option(
    "--check", "checks", multiple=True, type=click.Choice(list(CHECKS)), help="Run this check only; repeatable."
)
@click.option("--games", type=click.IntRange(1, MAX_GAMES), default=10, help="Random games in each check.")
def check(package: str, variants: Sequence[str], checks: Sequence[str], games: int) -> None:
    """Runs all checks on the game in PACKAGE (such as my.package, or a game's id).

    Parlour's own games pass the same checks. The exit status is 1 if one fails.
    """
    game = _game(package)
    screen, failed, names = console(), 0, checks or list(CHECKS)
    subjects = subjects_of(game, variants=variants or None, games=games)
    for subject in subjects:
        for name in names:
            began = time.perf_counter()
            try:
                run_check(name, subject)
            except CheckFailed as failure:
                failed += 1
                screen.print(f"FAILED  {subject.variant}: {name}", soft_wrap=True)
                screen.print(textwrap.indent(str(failure), " " * 8), soft_wrap=True)
            else:
                screen.print(f"ok      {subject.variant}: {name} ({time.perf_counter() - began:.1f} s)", soft_wrap=True)
    total = len(subjects) * len(names)
    passed = f"all {total} checks passed" if total > 1 else "1 check passed"
    screen.print(f"{game.id}: {failed} of {total} checks failed" if failed else f"{game.id}: {passed}")
    if failed:
        sys.exit(1)


def _game(package: str) -> Game:
    """The game with an id, or in a package. ValueError if one of its files can't be imported, with the line."""
    try:
        game = find(package)
    except ValueError:
        game = import_game(package)
    try:
        for part in PARTS:
            getattr(game, part)
    except Exception as error:  # any exception of the game's own code
        why = ": ".join(filter(None, [place_of(error, game.folder), problem_of(error)]))
        raise ValueError(f"{game.package} can't be imported: {why}") from error
    return game


@click.command("new-game")
@click.argument("name")
@click.option("--dice", is_flag=True, help="Write a race instead: a track, a die, a pass, a throw for the start.")
def new_game(name: str, dice: bool) -> None:
    """Writes a tiny game with its tests to the new folder NAME, as a start for your own game."""
    folder = Path(name)
    _check_name(name)
    try:
        with resources.as_file(resources.files("parlour.testing") / (STARTER_DICE if dice else STARTER)) as original:
            for source in sorted(original.rglob("*.*")):
                if source.suffix in COPIED:
                    target = folder / source.relative_to(original)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    write_file(target, _renamed(source.read_text(encoding="utf-8"), name))
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)  # the folder did not exist before
        raise
    commands = {
        f"parlour check {name}": "runs all checks on it",
        "python -m pip install pytest": "installs what its tests need",
        f"python -m pytest {name}": "runs the checks and its own tests",
        f"parlour play {name}": "plays it in the terminal",
        f"parlour compare {name}": "compares its variants: is it decided, fair, short?",
    }
    width = max(map(len, commands))
    say(f"wrote {folder}", *(f"{command:{width}}  {what}" for command, what in commands.items()))


def _renamed(text: str, name: str) -> str:
    return text.replace(STARTER.title(), name.replace("_", " ").title()).replace(STARTER, name)


def _check_name(name: str) -> None:
    """ValueError for a name that a new package in the working directory can't have."""
    if not re.fullmatch("[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise ValueError(
            f"{name!r} is not a valid name; names have lower-case letters, digits and _, and begin with a letter"
        )
    if Path(name).exists():
        raise ValueError(f"a file or folder {name!r} exists here already")
    if find_spec(name) is not None:
        raise ValueError(f"a Python module {name!r} exists already; the game would hide it")
    try:
        registered = find(name)
    except ValueError:
        return
    raise ValueError(f"a game {registered.name!r} exists already, in {registered.package}")
