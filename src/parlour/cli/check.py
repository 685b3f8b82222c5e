"""``check``: for authors of games."""

from __future__ import annotations

import sys
import textwrap
import time
from collections.abc import Sequence

import click

from parlour.cli.common import console, import_game, require_one_game
from parlour.engine.game import Game
from parlour.interfaces.mistakes import place_of, problem_of
from parlour.interfaces.registry import find
from parlour.testing import CHECKS, CheckFailed, run_check, subjects_of
from parlour.testing.interpreted import FAILS

MAX_GAMES = 10_000
PARTS = ("variants", "rules", "notation", "drawing", "evaluation", "guide")
"""The files of a game that all checks need."""


@click.command()
@click.argument("package")
@click.option("--variant", "variants", multiple=True, metavar="NAME", help="Check this variant only; repeatable.")
@click.option(
    "--check", "checks", multiple=True, type=click.Choice(list(CHECKS)), metavar="CHECK",
    help=f"Run this check only; repeatable. Checks: {', '.join(CHECKS)}.",
)  # fmt: skip
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
                if failure.problem.startswith(FAILS):
                    screen.print(
                        "Left out: the other checks. Compiled rules don't notice it; they may crash or not end."
                    )
                    break
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
    else:
        require_one_game(package, game)
    try:
        for part in PARTS:
            getattr(game, part)
    except Exception as error:  # any exception of the game's own code
        why = ": ".join(filter(None, [place_of(error, game.folder), problem_of(error)]))
        raise ValueError(f"{game.package} can't be imported: {why}") from error
    return game
