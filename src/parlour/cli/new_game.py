"""``new-game``: for authors of games."""

from __future__ import annotations

import keyword
import re
import shutil
from importlib import resources
from importlib.util import find_spec
from pathlib import Path

import click

from parlour.cli.common import say
from parlour.interfaces.registry import find
from parlour.support.files import write_file

STARTER = "starter"
"""The package that ``new-game`` copies, and the word in it that the game's name replaces."""
STARTER_DICE = "starter_dice"
"""The package that ``new-game --dice`` copies; the word in it is the same."""
COPIED = (".py", ".md")


@click.command("new-game")
@click.argument("name")
@click.option("--dice", is_flag=True, help="Write a race instead: a track, a die, a pass, a throw for the start.")
def new_game(name: str, dice: bool) -> None:
    """Writes a tiny game with its tests to the new folder NAME, as a start for your own game."""
    folder, starter = Path(name), STARTER_DICE if dice else STARTER
    _check_name(name)
    try:
        with resources.as_file(resources.files("parlour") / "testing" / starter) as original:
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
    if keyword.iskeyword(name):
        raise ValueError(f"{name!r} is not a valid name: it is a word of the Python language")
    if not re.fullmatch("[a-z][a-z0-9_]*", name):
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
