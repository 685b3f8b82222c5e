"""The plain referee side by side with the kernels, ply by ply, the same dice fed to both: random play and play biased
towards what is rare."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from tests.games.backgammon.variants import COMBINED, VARIANT_OPTIONS
from tests.reference.backgammon import Referee
from tests.support.beside_referee import Choose, at_random, greedily, preferring, side_by_side, with_throws

GAME = "backgammon-v0"
EVENTS = (
    "enter", "move", "hit", "late hit", "bear off", "bear off with more", "pass", "pass on the bar", "only one number",
    "the higher of two", "order forced", "numbers lost", "single", "max_plies",
)  # fmt: skip


def point_of(move: str) -> int:
    """Where a move starts; 0 for what is no move."""
    source = move.partition("/")[0]
    return 25 if source == "bar" else int(source) if source.isdecimal() else 0


BIASES: dict[str, Choose] = {
    "random": at_random,
    "greedy": greedily(0.8),
    "front first": preferring(point_of, 0.8),
    "back first": preferring(lambda move: -point_of(move), 0.8),
}
"""With the foremost men first the last stay behind, so that men are hit while others bear off; with the hindmost first
points are made and closed."""


def play(options: dict[str, Any], seed: int, bias: Choose) -> Iterator[Counter[str]]:
    """One game in both; yields what the referee counted in each ply, and at last the end."""
    rng = random.Random(seed)
    fair, start = [(1 + k // 6, 1 + k % 6) for k in range(36)], [rng.randrange(1, 7) for _ in range(2)]
    while start[-2] == start[-1]:
        start += [rng.randrange(1, 7) for _ in range(2)]
    throws: list[tuple[int, ...]] = [*((face,) for face in start), *(rng.choice(fair) for _ in range(2500))]
    env, referee = with_throws(GAME, Referee, throws, seed, options)
    for _ in side_by_side(env, referee, bias, rng):
        yield referee.events
    yield Counter({referee.end: 1})


@pytest.mark.parametrize("variant", VARIANT_OPTIONS)
def test_side_by_side(variant: str, counts: Counter[str]) -> None:
    """Every kind of event occurs."""
    for bias, seed in itertools.product(BIASES.values(), range(6 if variant != "hyper" else 40)):
        limit = {"max_plies": 20 if variant == "hyper" else 60} if seed == 2 else {}
        for events in play({**VARIANT_OPTIONS[variant], **limit}, seed, bias):
            counts.update(events)
    expected = EVENTS if variant == "hyper" else (*EVENTS, "gammon", "backgammon")
    rare = {"late hit"} if variant == "nackgammon" else set()  # in long games a man seldom waits so long
    assert {event for event in expected if not counts[event]} <= rare


@pytest.mark.parametrize("options", COMBINED, ids=lambda options: "-".join(map(str, options.values())))
def test_side_by_side_for_other_options(options: dict[str, Any], counts: Counter[str]) -> None:
    for seed, bias in enumerate(BIASES.values()):
        for events in play({**options, "max_plies": 700}, 7 + seed, bias):
            counts.update(events)
    assert counts["move"] > 50


@pytest.mark.long
@pytest.mark.parametrize("variant", VARIANT_OPTIONS)
def test_side_by_side_in_many_games(variant: str) -> None:
    for bias, seed in itertools.product(BIASES.values(), range(100, 300)):
        for _ in play(VARIANT_OPTIONS[variant], seed, bias):
            pass
