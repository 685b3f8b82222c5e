"""Perft by turns from the start: RULES.md, section 1 (independent programs)."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

import parlour
from parlour.engine.game import Game
from parlour.registry import find
from parlour.rulebook.compiling import COMPILED
from parlour.rulebook.state_records import records

GAME = "agon-v0"
KNOWN = {
    "classic": [27, 713, 18417, 466557],
    "classic_exile": [27, 713, 18417, 466557],
    "lion_coffee": [27, 713, 18417, 466853],
    "ring": [27, 713, 18417, 466151],
    "ring_outer": [27, 713, 18417, 466151],
    "bloody_queen": [27, 713, 20041],
    "classic_placing": [88, 7653],
    "bell": [88, 7656],
    "parlett": [90, 8010],
}
CASES = [
    (variant, turns)
    for variant, counts in KNOWN.items()
    for turns in range(1, len(counts) + 1)
    if COMPILED or turns <= 2
]
MOST_PLIES = 32  # of a line of play: turns, and the plies within them


@pytest.fixture(scope="module")
def count() -> Any:
    """A function that counts the ways to play so many whole turns from row 0 of a stack of states."""
    game: Game = find(GAME)
    legal, apply = game.rules.legal, game.rules.apply

    def walk(states: Any, variants: Any, masks: Any, words: Any, rewards: Any, depths: Any, turns: int) -> int:
        """Depth first; ``masks[level]`` loses an action when it is tried, ``depths[level]`` counts turns played."""
        total, level = 0, 0
        depths[0] = 0
        legal(states[0], variants[0], masks[0], words[0])
        while level >= 0:
            action = 0
            while action < masks.shape[1] and masks[level, action] == 0:
                action += 1
            if action == masks.shape[1]:
                level -= 1
                continue
            masks[level, action] = 0
            states[level + 1] = states[level]
            apply(states[level + 1], variants[0], action, rewards)
            depths[level + 1] = depths[level] + states[level + 1].turn_over
            if depths[level + 1] == turns:
                total += 1
                continue
            level += 1
            legal(states[level], variants[0], masks[level], words[level])
        return total

    return numba.njit(walk) if COMPILED else walk


@pytest.mark.parametrize(("variant", "turns"), CASES)
def test_perft_by_turns(count: Any, variant: str, turns: int) -> None:
    """A turn may hold several plies (a choice and the put; Bloody Queen's consequences): each way to play it counts."""
    env = parlour.make(GAME, variant=variant)
    env.reset(seed=0)
    table: Any = env.table
    states = records(MOST_PLIES, env.game.rules.STATE)
    states[0] = table.states[0]
    words = np.zeros((MOST_PLIES, table.words.shape[1]), np.uint64)
    rewards = np.zeros(2, np.float32)
    depths = np.zeros(MOST_PLIES, np.int64)
    arguments = states, table.variants, words.view(np.int8), words, rewards, depths
    assert count(*arguments, turns) == KNOWN[variant][turns - 1]
