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
from parlour.interfaces.registry import register
from parlour.support.arguments import whole_number
from parlour.support.errors import listing
from parlour.testing import (
    api,
    dice,
    endings,
    evaluation,
    interpreted,
    options,
    parts,
    people,
    pictures,
    play,
    players,
    shapes,
    shortcuts,
    texts,
    vector,
)
from parlour.testing.subject import CheckFailed, Invariant, Subject

__all__ = ["CHECKS", "Check", "CheckFailed", "Invariant", "Subject", "check_game", "run_check", "subjects_of"]

Check: TypeAlias = Callable[[Subject], None]

_ALL: tuple[Check, ...] = (
    parts.check_parts, parts.check_layout, interpreted.check_interpreted, parts.check_state, dice.check_dice,
    play.check_random_play, play.check_observations, play.check_views_agree, play.check_rewards, play.check_move_names,
    play.check_illegal_actions, shortcuts.check_shortcuts, play.check_position_keys, texts.check_texts,
    texts.check_garbled_texts, texts.check_copies, options.check_options, evaluation.check_potential,
    evaluation.check_events, evaluation.check_most_to_win, shapes.check_symmetries,
    endings.check_endings,
    pictures.check_pictures, pictures.check_pixels, people.check_people, api.check_pettingzoo_api,
    api.check_pettingzoo_seed, api.check_pettingzoo_render, vector.check_batch, vector.check_threads,
    vector.check_rows, players.check_players, players.check_records,
)  # fmt: skip
CHECKS: dict[str, Check] = {check.__name__.removeprefix("check_"): check for check in _ALL}
"""All checks by name, in the order in which `check_game` runs them: basic checks first, since later ones build on
them. ``interpreted`` comes before all that run compiled rules."""


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
        invariant: a function of the environment (`parlour.GameEnv`), called before the first ply of random games
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
    whole_number("games", games, 1)
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
