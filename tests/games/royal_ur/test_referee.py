"""The plain referee side by side with the kernels, ply by ply, the same dice fed to both: random play and play biased
towards what is rare."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from parlour.interfaces.aec import GameEnv
from tests.games.royal_ur.variants import COMBINED, VARIANT_OPTIONS
from tests.reference.royal_ur import Referee
from tests.support.beside_referee import Choose, at_random, preferring, side_by_side, with_throws

GAME = "royal_ur-v0"


def square_of(move: str) -> int:
    return int(move) if move.isdecimal() else 0


def hunting(referee: Referee) -> Choose:
    """Captures if it can."""

    def choose(rng: random.Random, env: GameEnv, legal: list[str]) -> str:
        way = referee.ways[referee.seat]
        targets = {move: square_of(move) + referee.number for move in legal if move != "pass"}
        hits = [move for move, target in targets.items() if target <= len(way) and referee.at(way[target - 1])]
        return rng.choice(hits or legal)

    return choose


BIASES: dict[str, Callable[[Referee], Choose]] = {
    "random": lambda referee: at_random,
    "crowding": lambda referee: preferring(square_of, 0.9),
    "racing": lambda referee: preferring(lambda move: -square_of(move), 0.9),
    "hunting": hunting,
}
"""Crowding enters and follows with the hindmost men, so that men stand in one another's way; racing moves the foremost,
so that men are borne off while others wait."""


def same(env: GameEnv, referee: Referee) -> None:
    """Both have the same position and throw."""
    assert env.position() == referee.text()
    assert env.dice == referee.faces


def play(options: dict[str, Any], seed: int, bias: Callable[[Referee], Choose]) -> Iterator[Counter[str]]:
    """One game in both; yields what the referee counted in each ply, and at last the end."""
    rng = random.Random(seed)
    size = 3 if options.get("dice") == "three" else 4
    throws = [tuple(rng.randrange(2) for _ in range(size)) for _ in range(2100)]
    env, referee = with_throws(GAME, Referee, throws, seed, options)
    for _ in side_by_side(env, referee, bias(referee), rng, same):
        yield referee.events
    yield Counter({referee.end: 1})


EVENTS = ("enter", "move", "capture", "rosette", "bear off", "pass", "nothing thrown", "borne_off", "max_plies")
NEVER = {
    "finkel": {"capture on a rosette", "second time"},
    "masters": {"second time"},
    "blitz": {"second time"},
    "aseb": {"capture on a rosette", "second time"},
}


@pytest.mark.parametrize("variant", VARIANT_OPTIONS)
def test_side_by_side(variant: str, counts: Counter[str]) -> None:
    """Every kind of event occurs."""
    for bias, seed in itertools.product(BIASES.values(), range(8)):
        limit = {"max_plies": 60} if seed == 2 else {}
        for events in play({**VARIANT_OPTIONS[variant], **limit}, seed, bias):
            counts.update(events)
    for event in (*EVENTS, "capture on a rosette", "second time"):
        assert bool(counts[event]) == (event not in NEVER[variant]), event


@pytest.mark.parametrize("options", COMBINED, ids=lambda options: "-".join(map(str, options.values())))
def test_side_by_side_for_other_options(options: dict[str, Any], counts: Counter[str]) -> None:
    for seed, bias in enumerate(BIASES.values()):
        for events in play({**options, "max_plies": 700}, 7 + seed, bias):
            counts.update(events)
    assert bool(counts["second time"]) == (options["path"] in ("murray", "skiriuk"))
