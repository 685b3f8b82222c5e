"""Conformance checks for games of your own: the same checks that Parlour's own games pass.

In a test::

    from parlour.testing import check_game

    def test_my_game() -> None:
        check_game("my.package")

or on the command line: ``parlour check my.package``. To make each check a test of its own, parametrise over `CHECKS`
and `subjects_of`, and call `run_check`.

A check is a function of a `Subject` that raises an exception if something is wrong. The exception becomes a
`CheckFailed`, which names the check, the seed, the position and what differed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from parlour.engine.game import Game
from parlour.errors import listing
from parlour.registry import register
from parlour.testing.api import check_pettingzoo_api, check_pettingzoo_render, check_pettingzoo_seed
from parlour.testing.evaluation import check_events, check_potential
from parlour.testing.interpreted import check_interpreted
from parlour.testing.options import check_options
from parlour.testing.parts import check_layout, check_parts, check_state
from parlour.testing.people import check_people
from parlour.testing.pictures import check_pictures, check_pixels
from parlour.testing.play import (
    check_illegal_actions,
    check_move_names,
    check_observations,
    check_position_keys,
    check_random_play,
    check_rewards,
    check_views_agree,
)
from parlour.testing.players import check_players, check_records
from parlour.testing.shapes import check_factors, check_symmetries
from parlour.testing.shortcuts import check_shortcuts
from parlour.testing.subject import CheckFailed, Invariant, Subject
from parlour.testing.texts import check_copies, check_garbled_texts, check_texts
from parlour.testing.vector import check_batch, check_rows, check_threads

__all__ = ["CHECKS", "Check", "CheckFailed", "Invariant", "Subject", "check_game", "run_check", "subjects_of"]

Check: TypeAlias = Callable[[Subject], None]

_ALL: tuple[Check, ...] = (
    check_parts, check_state, check_layout, check_random_play, check_observations, check_views_agree, check_rewards,
    check_move_names, check_illegal_actions, check_shortcuts, check_position_keys, check_texts, check_garbled_texts,
    check_copies, check_options, check_potential, check_events, check_symmetries, check_factors, check_pictures,
    check_pixels, check_people, check_pettingzoo_api, check_pettingzoo_seed, check_pettingzoo_render, check_batch,
    check_threads, check_rows, check_interpreted, check_players, check_records,
)  # fmt: skip
CHECKS: dict[str, Check] = {check.__name__.removeprefix("check_"): check for check in _ALL}
"""All checks by name, in the order in which `check_game` runs them: basic checks first, since later ones build on
them."""


def check_game(
    package: str | Game,
    invariant: Invariant | None = None,
    *,
    variants: Sequence[str] | None = None,
    checks: Iterable[str] | None = None,
    games: int = 10,
) -> None:
    """Runs all checks on all variants of a game.

    Args:
        package: the full name of the game's package, such as ``"my.package"``; or a game.
        invariant: a function of the environment (`parlour.aec.GameEnv`), called before the first ply of random games
            and after every ply. It must raise AssertionError if something is violated that must always hold.
        variants: names of the variants to check; None: all.
        checks: names of the checks to run (see `CHECKS`); None: all.
        games: how many random games each check plays, at least 1.

    Raises:
        CheckFailed: at the first failure.
        ValueError: for a package that is not a game, and for an unknown variant or check.
    """
    names = list(CHECKS if checks is None else checks)
    for subject in subjects_of(package, invariant, variants, games):
        for name in names:
            run_check(name, subject)


def subjects_of(
    package: str | Game, invariant: Invariant | None = None, variants: Sequence[str] | None = None, games: int = 10
) -> list[Subject]:
    """A `Subject` for each variant of a game. Arguments and errors as for `check_game`."""
    if isinstance(games, bool) or not isinstance(games, int) or games < 1:
        raise ValueError(f"games must be a whole number from 1 up, not {games!r}")
    game = package if isinstance(package, Game) else register(package)
    names = [variant.name for variant in game.variants]
    for name in variants or ():
        if name not in names:
            raise ValueError(f"{game.id} has no variant {name!r}; variants: {listing(names)}")
    return [Subject(game, name, invariant, games) for name in variants or names]


def run_check(name: str, subject: Subject) -> None:
    """Runs one of `CHECKS`. CheckFailed if the game fails it; ValueError for an unknown name."""
    if name not in CHECKS:
        raise ValueError(f"there is no check {name!r}; checks: {listing(list(CHECKS))}")
    subject.watch(None)
    try:
        CHECKS[name](subject)
    except Exception as error:  # also any exception of the game's own code
        raise subject.failure(name, error) from error
