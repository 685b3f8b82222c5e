"""The plain referee side by side with the kernels, ply by ply, the same dice fed to both: random play and play biased
towards what is rare."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.interfaces.aec import GameEnv
from tests.games.backgammon.variants import COMBINED, VARIANT_OPTIONS
from tests.reference.backgammon import Referee

GAME = "backgammon-v0"
Bias = Callable[[random.Random, GameEnv, list[str]], str]
EVENTS = (
    "enter", "move", "hit", "late hit", "bear off", "bear off with more", "pass", "pass on the bar", "only one number",
    "the higher of two", "order forced", "numbers lost", "single", "max_plies",
)  # fmt: skip


def point_of(move: str) -> int:
    """Where a move starts; 0 for what is no move."""
    source = move.partition("/")[0]
    return 25 if source == "bar" else int(source) if source.isdecimal() else 0


def at_random(rng: random.Random, env: GameEnv, legal: list[str]) -> str:
    return rng.choice(legal)


def greedily(rng: random.Random, env: GameEnv, legal: list[str]) -> str:
    """Four times in five the greedy player's ply."""
    if rng.random() < 0.2:
        return rng.choice(legal)
    actions = np.zeros(1, np.int64)
    env.games.observe()
    env.games.greedy(actions, np.ones(1, np.bool_))
    return env.move_name(int(actions[0]))


def front_first(rng: random.Random, env: GameEnv, legal: list[str]) -> str:
    """Runs home with the foremost men and leaves the last behind, so that men are hit while others bear off."""
    return min(legal, key=point_of) if rng.random() < 0.8 else rng.choice(legal)


def back_first(rng: random.Random, env: GameEnv, legal: list[str]) -> str:
    """The hindmost men, so that points are made and closed."""
    return max(legal, key=point_of) if rng.random() < 0.8 else rng.choice(legal)


BIASES: dict[str, Bias] = {
    "random": at_random, "greedy": greedily, "front first": front_first, "back first": back_first,
}  # fmt: skip


def side_by_side(options: dict[str, Any], seed: int, bias: Bias) -> Iterator[Counter[str]]:
    """One game in both; yields what the referee counted in each ply, and at last the end."""
    rng = random.Random(seed)
    fair, start = [(1 + k // 6, 1 + k % 6) for k in range(36)], [rng.randrange(1, 7) for _ in range(2)]
    while start[-2] == start[-1]:
        start += [rng.randrange(1, 7) for _ in range(2)]
    throws: list[tuple[int, ...]] = [*((face,) for face in start), *(rng.choice(fair) for _ in range(2500))]
    env = parlour.make(GAME, illegal_move="raise", **options)
    env.reset(seed=seed, options={"dice": throws})
    fed = iter(throws)
    referee = Referee(throw=lambda dice: next(fed), **options)
    assert env.position() == referee.text()
    while not referee.end:
        legal = env.legal_moves()
        assert sorted(legal) == referee.legal(), env.position()
        assert env.agent_selection == f"player_{referee.seat}"
        move = bias(rng, env, legal)
        env.step(env.parse_move(move))
        referee.play(move)
        assert env.position() == referee.text(), move
        assert tuple(env.rewards.values()) == referee.rewards, move
        yield referee.events
    over = referee.end == "max_plies"
    assert set(env.truncations.values()) == {over}
    assert set(env.terminations.values()) == {not over}
    yield Counter({referee.end: 1})


@pytest.mark.parametrize("variant", VARIANT_OPTIONS)
def test_side_by_side(variant: str, record_property: Callable[[str, object], None]) -> None:
    """Every kind of event occurs; the counts are printed (pytest -s)."""
    counts: Counter[str] = Counter()
    for bias, seed in itertools.product(BIASES.values(), range(6 if variant != "hyper" else 40)):
        limit = {"max_plies": 20 if variant == "hyper" else 60} if seed == 2 else {}
        for events in side_by_side({**VARIANT_OPTIONS[variant], **limit}, seed, bias):
            counts.update(events)
    print(f"{variant}: {dict(counts)}")
    record_property("coverage", dict(counts))
    expected = EVENTS if variant == "hyper" else (*EVENTS, "gammon", "backgammon")
    rare = {"late hit"} if variant == "nackgammon" else set()  # in long games a man seldom waits so long
    assert {event for event in expected if not counts[event]} <= rare


@pytest.mark.parametrize("options", COMBINED, ids=lambda options: "-".join(map(str, options.values())))
def test_side_by_side_for_other_options(options: dict[str, Any]) -> None:
    counts: Counter[str] = Counter()
    for seed, bias in enumerate(BIASES.values()):
        for events in side_by_side({**options, "max_plies": 700}, 7 + seed, bias):
            counts.update(events)
    assert counts["move"] > 50


@pytest.mark.long
@pytest.mark.parametrize("variant", VARIANT_OPTIONS)
def test_side_by_side_in_many_games(variant: str) -> None:
    for bias, seed in itertools.product(BIASES.values(), range(100, 300)):
        for _ in side_by_side(VARIANT_OPTIONS[variant], seed, bias):
            pass
