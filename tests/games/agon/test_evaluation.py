"""Potential, greedy score and events of Agon."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from parlour.players import parse_player
from parlour.rulebook.state_records import records
from tests.games.agon.variants import VARIANT_OPTIONS
from tests.reference.agon import Referee
from tests.support.games import begun

GAME = "agon-v0"
TEST_POSITION = "6/7/8/4gG3/4G1g3/4GQG4/3qGG1gg1/1g2g4/8/7/6 l"
SAME = {
    "step": ("step",),
    "placement": ("placement",),
    "trap": ("trap",),
    "relocation": ("relocation", "queen_relocation", "exile"),
    "exile": ("exile",),
    "removal": ("removal",),
    "exchange": ("exchange",),
    "pass": ("pass",),
}
"""Each event, and the referee's words for it."""


@pytest.mark.parametrize("variant", VARIANT_OPTIONS)
def test_events_are_the_referees_and_potentials_cancel(variant: str) -> None:
    """Ply by ply in random play; the potential lies within −1 to 1 and is the other seat's opposite."""
    env = begun(GAME, 3, variant=variant, illegal_move="raise", max_plies=250)
    evaluation = env.game._module("evaluation")
    referee, rng = Referee(variant, max_plies=250), random.Random(3)
    before = records(1, env.game.rules.STATE)
    while not referee.end:
        move = rng.choice(referee.legal())
        before[:] = env.games.states
        env.step(env.parse_move(move))
        referee.play(move)
        counts = np.zeros((1, len(evaluation.EVENTS)), np.int64)
        env.games.events(before, counts)
        expected: Counter[str] = Counter()
        for event, words in SAME.items():
            expected[event] = sum(referee.events[word] for word in words)
        assert dict(zip(evaluation.EVENTS, counts[0].tolist())) == dict(expected), move
        potentials = np.zeros((1, 2), np.float32)
        env.games.potentials(potentials)
        assert abs(potentials).max() <= 1
        assert potentials.sum() == pytest.approx(0)


def greedy_move(text: str, seed: int = 0, **options: Any) -> str:
    env = begun(GAME, seed=seed, position=text, illegal_move="raise", **options)
    return str(env.move_name(env.ask(parse_player("greedy"))))


def test_greedy_wins_where_it_can() -> None:
    assert greedy_move(TEST_POSITION) == "h6-g6"


def test_greedy_does_not_forfeit() -> None:
    """The sixth guard would go furthest inward, but lose."""
    assert greedy_move("3g1q/7/8/5G3/4G5/4G1G4/4GG4/9/8/7/Q5 l") == "a1-b2"


def test_greedy_touches_the_piece_that_wins() -> None:
    assert greedy_move(TEST_POSITION, touch_move=True) == "h6^"
    touched = f"{TEST_POSITION} phase=touched:h6"
    assert greedy_move(touched, touch_move=True) == "h6-g6"


@pytest.mark.parametrize("seed", range(8))
def test_greedy_touches_no_piece_that_cannot_move(seed: int) -> None:
    """The queen on the throne; nor does it pass with a piece that can."""
    assert greedy_move("3g1q/7/8/9/4GG4/4GQG4/4G5/9/8/7/2G3 l", seed, touch_move=True) != "f6^"
    assert greedy_move("5q/7/8/9/10/5Q5/10/9/8/7/2G3 l", seed, touch_move=True) == "a3^"
    assert greedy_move("5q/7/8/9/4G5/5Q5/10/9/8/7/6 l phase=touched:g5", seed, touch_move=True) != "pass"


@pytest.mark.parametrize("seed", range(8))
def test_greedy_chooses_the_trapped_guard_that_is_worth_more(seed: int) -> None:
    """d4 goes back to ring 3, c3 to ring 4; the one that stays counts nothing."""
    position = "5q/7/8/9/10/11/10/2gGg4/1gGg4/7/Q5 l"
    assert best_put(position, "d4^") > best_put(position, "c3^")
    assert greedy_move(position, seed, guard_goes="next_ring") == "d4^"


def best_put(position: str, choice: str) -> float:
    """Light's highest potential after a choice and a put."""
    best = -1.0
    env = begun(GAME, position=position, guard_goes="next_ring")
    env.step(env.parse_move(choice))
    text, names = env.position(), env.legal_moves()
    for name in names:
        env.reset(options={"position": text})
        env.step(env.parse_move(name))
        potentials = np.zeros((1, 2), np.float32)
        env.games.potentials(potentials)
        best = max(best, float(potentials[0, 0]))
    return best


def test_greedy_with_touch_move_beats_random() -> None:
    wins = 0
    for seed in range(60):
        env = begun(GAME, seed, touch_move=True)
        rng, greedy = random.Random(seed), parse_player("greedy")
        while not env.is_over():
            if env.agent_selection == f"player_{seed % 2}":
                env.step(env.ask(greedy))
            else:
                env.step(env.parse_move(rng.choice(env.legal_moves())))
        wins += env.rewards[f"player_{seed % 2}"] > 0
    assert wins >= 40


@pytest.mark.parametrize(
    "position",
    ["2g2q/7/8/9/10/11/10/3Gg4/5G2/7/Q5 l", "2g3/7/8/9/10/7g3/10/3Gq4/5G2/7/Q1g3 l"],
    ids=["a guard", "a queen"],
)
def test_greedy_traps_in_bloody_queen(position: str) -> None:
    """What a step has trapped and is still to be put down, or exchanged, counts nothing."""
    assert greedy_move(position, variant="bloody_queen") == "c6-d6"
    assert greedy_move(position, variant="bloody_queen", touch_move=True) == "c6^"
