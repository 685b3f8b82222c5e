"""Potential, merit and events of Agon."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.kernels.compiling import records
from tests.agon.variants import VARIANT_OPTIONS
from tests.reference.agon import Referee

GAME = "agon-v0"
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
    env: Any = parlour.make(GAME, variant=variant, illegal_move="raise", max_plies=250)
    env.reset(seed=3)
    evaluation = env.game._module("evaluation")
    referee, rng = Referee(variant, max_plies=250), random.Random(3)
    before = records(1, env.game.rules.STATE)
    while not referee.end:
        move = rng.choice(referee.legal())
        before[:] = env.table.states
        env.step(env.parse_move(move))
        referee.play(move)
        counts = np.zeros((1, len(evaluation.EVENTS)), np.int64)
        env.table.events(before, counts)
        expected: Counter[str] = Counter()
        for event, words in SAME.items():
            expected[event] = sum(referee.events[word] for word in words)
        assert dict(zip(evaluation.EVENTS, counts[0].tolist())) == dict(expected), move
        potentials = np.zeros((1, 2), np.float32)
        env.table.potentials(potentials)
        assert abs(potentials).max() <= 1
        assert potentials.sum() == pytest.approx(0)


def greedy_move(text: str) -> str:
    env: Any = parlour.make(GAME, illegal_move="raise")
    env.reset(seed=0, options={"position": text})
    actions = np.zeros(1, np.int64)
    env.table.greedy(actions, np.ones(1, np.bool_))
    return str(env.move_name(int(actions[0])))


def test_greedy_wins_where_it_can() -> None:
    assert greedy_move("6/7/8/4gG3/4G1g3/4GQG4/3qGG1gg1/1g2g4/8/7/6 l") == "h6-g6"


def test_greedy_does_not_forfeit() -> None:
    """The sixth guard would go furthest inward, but lose."""
    assert greedy_move("3g1q/7/8/5G3/4G5/4G1G4/4GG4/9/8/7/Q5 l") == "a1-b2"
