"""The plain referee side by side with the kernels, ply by ply, the same dice fed to both: random play and play biased
towards what is rare."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import parlour
from tests.games.royal_ur.variants import COMBINED, VARIANT_OPTIONS
from tests.reference.royal_ur import Referee

GAME = "royal_ur-v0"
Bias = Callable[[random.Random, Referee, list[str]], str]


def square_of(move: str) -> int:
    return int(move) if move.isdecimal() else 0


def at_random(rng: random.Random, referee: Referee, legal: list[str]) -> str:
    return rng.choice(legal)


def crowding(rng: random.Random, referee: Referee, legal: list[str]) -> str:
    """Enters and follows with the hindmost men, so that men stand in one another's way."""
    return min(legal, key=square_of) if rng.random() < 0.9 else rng.choice(legal)


def racing(rng: random.Random, referee: Referee, legal: list[str]) -> str:
    """The foremost man, so that men are borne off while others wait."""
    return max(legal, key=square_of) if rng.random() < 0.9 else rng.choice(legal)


def hunting(rng: random.Random, referee: Referee, legal: list[str]) -> str:
    """Captures if it can."""
    way = referee.ways[referee.seat]
    targets = {move: square_of(move) + referee.number for move in legal if move != "pass"}
    hits = [move for move, target in targets.items() if target <= len(way) and referee.at(way[target - 1])]
    return rng.choice(hits or legal)


BIASES: dict[str, Bias] = {"random": at_random, "crowding": crowding, "racing": racing, "hunting": hunting}


def side_by_side(options: dict[str, Any], seed: int, bias: Bias) -> Iterator[Counter[str]]:
    """One game in both; yields what the referee counted in each ply, and at last the end."""
    rng = random.Random(seed)
    size = 3 if options.get("dice") == "three" else 4
    throws = [tuple(rng.randrange(2) for _ in range(size)) for _ in range(2100)]
    env = parlour.make(GAME, illegal_move="raise", **options)
    env.reset(seed=seed, options={"dice": throws})
    fed = iter(throws)
    referee = Referee(throw=lambda dice: next(fed), **options)
    while True:
        assert env.position() == referee.text()
        assert sorted(env.legal_moves()) == referee.legal()
        assert env.agent_selection == f"player_{referee.seat}"
        assert env.dice == referee.faces
        if referee.end:
            break
        move = bias(rng, referee, env.legal_moves())
        env.step(env.parse_move(move))
        referee.play(move)
        assert tuple(env.rewards.values()) == referee.rewards, move
        yield referee.events
    over = referee.end == "max_plies"
    assert set(env.truncations.values()) == {over}
    assert set(env.terminations.values()) == {not over}
    yield Counter({referee.end: 1})


EVENTS = ("enter", "move", "capture", "rosette", "bear off", "pass", "nothing thrown", "borne_off", "max_plies")
NEVER = {
    "finkel": {"capture on a rosette", "second time"},
    "masters": {"second time"},
    "blitz": {"second time"},
    "aseb": {"capture on a rosette", "second time"},
}


@pytest.mark.parametrize("variant", VARIANT_OPTIONS)
def test_side_by_side(variant: str, record_property: Callable[[str, object], None]) -> None:
    """Every kind of event occurs; the counts are printed (pytest -s)."""
    counts: Counter[str] = Counter()
    for bias, seed in itertools.product(BIASES.values(), range(8)):
        limit = {"max_plies": 60} if seed == 2 else {}
        for events in side_by_side({**VARIANT_OPTIONS[variant], **limit}, seed, bias):
            counts.update(events)
    print(f"{variant}: {dict(counts)}")
    record_property("coverage", dict(counts))
    for event in (*EVENTS, "capture on a rosette", "second time"):
        assert bool(counts[event]) == (event not in NEVER[variant]), event


@pytest.mark.parametrize("options", COMBINED, ids=lambda options: "-".join(map(str, options.values())))
def test_side_by_side_for_other_options(options: dict[str, Any]) -> None:
    counts: Counter[str] = Counter()
    for seed, bias in enumerate(BIASES.values()):
        for events in side_by_side({**options, "max_plies": 700}, 7 + seed, bias):
            counts.update(events)
    assert bool(counts["second time"]) == (options["path"] in ("murray", "skiriuk"))
