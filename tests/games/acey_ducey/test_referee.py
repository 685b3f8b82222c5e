"""The plain referee side by side with the kernels, ply by ply, the same dice fed to both: random play and play biased
towards what is rare."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from parlour.interfaces.aec import GameEnv
from tests.games.acey_ducey.variants import CHOICES, PAIRWISE, VARIANT_OPTIONS
from tests.reference.acey_ducey import Referee
from tests.support.beside_referee import Choose, at_random, greedily, preferring, side_by_side, with_throws

GAME = "acey_ducey-v0"
Throws = list[tuple[int, int]]
COVERAGE = ("hit", "late_hit", "enter_dog", "send", "again", "chain", "bear_off", "pass", "closed_out", "unplayed")
FORWARD = {"in": 26, "dog": 25}


def point_of(move: str) -> int:
    """Where a move starts; 0 for what is no move."""
    source = move.partition(":")[0]
    return FORWARD.get(source) or (int(source) if source.isdecimal() else 0)


def sends(rng: random.Random, env: GameEnv, legal: list[str]) -> str:
    """Sends wherever it can, else moves the hindmost men."""
    sending = [move for move in legal if move.startswith("send")]
    return rng.choice(sending) if sending else max(legal, key=point_of) if rng.random() < 0.7 else rng.choice(legal)


BIASES: dict[str, Choose] = {
    "random": at_random, "greedy": greedily(0.8), "front first": preferring(point_of, 0.8), "sends": sends,
}  # fmt: skip
"""With the foremost men first the last stay behind, so that men are hit while others bear off."""


def throws_of(rng: random.Random, count: int, special: float) -> Throws:
    """Random throws, a share of them ACEY-DUCEY."""
    pairs = [(1, 2), (2, 1)]
    fair = [(first, second) for first in range(1, 7) for second in range(1, 7)]
    return [rng.choice(pairs if rng.random() < special else fair) for _ in range(count)]


def same(env: GameEnv, referee: Referee) -> None:
    """A truncated game shows the next throw here, the latest one there."""
    if referee.end != "max_plies":
        assert env.position() == referee.text()
        assert env.dice == referee.dice


def play(options: dict[str, Any], seed: int, bias: Choose) -> Iterator[Counter[str]]:
    """One game in both; yields what the referee counted in each ply, and at last the end."""
    rng = random.Random(seed)
    throws = throws_of(rng, 2500, 0.15 * (seed % 3))
    env, referee = with_throws(GAME, Referee, throws, seed, options)
    for _ in side_by_side(env, referee, bias, rng, same):
        yield referee.events
    yield Counter({referee.end: 1})


@pytest.mark.parametrize("variant", VARIANT_OPTIONS)
def test_side_by_side(variant: str, counts: Counter[str]) -> None:
    """Every kind of event occurs."""
    for bias, seed in itertools.product(BIASES.values(), range(3)):
        limit = {"max_plies": 300 if seed == 2 else 900}
        for events in play({**VARIANT_OPTIONS[variant], **limit}, seed, bias):
            counts.update(events)
            counts["plies"] += 1
    plain = {"send", "again", "chain"} if variant == "plain_dice" else set()
    for event in (*COVERAGE, "borne_off", "max_plies"):
        assert bool(counts[event]) == (event not in plain), event


@pytest.mark.parametrize("options", PAIRWISE, ids=lambda options: "-".join(map(str, options.values())))
def test_side_by_side_for_pairs_of_options(options: dict[str, Any]) -> None:
    """Every pair of values of two options, in every kind of play."""
    for seed, bias in enumerate(BIASES.values()):
        for _ in play({**options, "max_plies": 600}, 7 + seed, bias):
            pass


def test_the_cover_has_every_pair() -> None:
    for one, two in itertools.combinations(CHOICES, 2):
        pairs = {(options[one], options[two]) for options in PAIRWISE}
        assert pairs == set(itertools.product(CHOICES[one], CHOICES[two]))
