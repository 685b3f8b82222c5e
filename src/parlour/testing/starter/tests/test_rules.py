"""The checks that every game must pass, a test for each clause of the rules, and perft."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import parlour
from parlour.testing import CHECKS, Subject, run_check, subjects_of

from .. import rules

PACKAGE = __name__.rpartition(".tests")[0]


def invariant(env: Any) -> None:
    """What must hold at every ply of this game, in addition to the general checks."""
    assert 0 <= env.games.states["pile"][0] <= env.values["pile"]
    assert sum(env.rewards.values()) == 0


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("subject", subjects_of(PACKAGE, invariant), ids=lambda subject: subject.variant)
def test_check(subject: Subject, check: str) -> None:
    run_check(check, subject)


def at(position: str, **options: Any) -> Any:
    """An environment in a position."""
    env = parlour.make(parlour.register(PACKAGE).id, illegal_move="raise", **options)
    env.reset(options={"position": position})
    return env


def test_one_to_three_counters_are_taken() -> None:
    env = at("5 first")
    assert env.legal_moves() == ["take 1", "take 2", "take 3"]
    env.step(env.parse_move("take 3"))
    assert env.position() == "2 second plies=1"
    assert env.legal_moves() == ["take 1", "take 2"]


@pytest.mark.parametrize(("variant", "reward"), [("starter", 1), ("misere", -1)])
def test_the_last_counter_decides(variant: str, reward: int) -> None:
    env = at("2 second", variant=variant)
    env.step(env.parse_move("take 2"))
    assert env.rewards == {"player_0": -reward, "player_1": reward}
    assert env.position().endswith("end=last_taken")


def count_games(state: Any, variant: Any, plies: int) -> int:
    """Perft: the number of ways in which a game of two seats without dice can go on for ``plies`` plies."""
    words = np.zeros(-(-rules.layout({}).actions // 8), np.uint64)
    mask = words.view(np.int8)  # the same bytes
    rules.legal(state, variant, mask, words)
    if plies == 1:
        return int(mask.sum())
    count = 0
    for action in np.flatnonzero(mask):
        after = state.copy()
        rules.apply(after, variant, int(action), np.zeros(2))
        count += count_games(after, variant, plies - 1)
    return count


def test_perft() -> None:
    games = at("5 first").games
    counts = [count_games(games.states[0], games.variants[0], plies) for plies in range(1, 6)]
    assert counts == [3, 8, 10, 5, 1]  # found by hand; take yours from a source that is not this code
