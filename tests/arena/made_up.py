"""Series and games for tests."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from parlour.arena.runs.playing import Workers, play_plan
from parlour.arena.setting.openings import Openings
from parlour.arena.setting.plans import GameSpec, Plan, Played, Series
from parlour.arena.setting.rulesets import read_ruleset
from parlour.interfaces.registry import find

START = Openings()


def series(
    game: str = "acey_ducey", first: str = "a", second: str = "b", games: int = 4, *, seed: int = 0,
    openings: Openings = START, distinct: bool = False, variant: str | None = None, **options: Any,
) -> Series:  # fmt: skip
    """Games of a game's first variant."""
    known = find(game)
    ruleset = read_ruleset(known, variant or known.variants[0].name, options)
    return Series(ruleset, first, second, games, seed, openings, distinct, bool(known.rules.DICE) and not distinct)


def finished(spec: GameSpec, *returns: float, truncated: bool = False, moves: tuple[int, ...] = (1, 2, 3)) -> Played:
    """A game that came out so."""
    end = "max_plies" if truncated else "borne_off"
    return Played(
        spec, returns, end, truncated, len(moves), 3 * len(moves), 1, 2, {}, np.array(moves, np.int32),
        zlib.crc32(repr((spec.players, moves)).encode()),
    )  # fmt: skip


def play(game: str, *these: Series, workers: Workers) -> list[Played]:
    """The games of some series, in their order."""
    found: list[Played] = []
    play_plan(Plan(find(game), these, {}, {}, {}), workers, found.extend)
    places = [one.key for one in these]
    return sorted(found, key=lambda played: (places.index(played.spec.series), played.spec.index))
