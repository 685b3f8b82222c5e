"""Perft by whole turns from the start: aartbik.com's table (RULES.md, section 5). A multi-jump is one turn."""

from __future__ import annotations

from functools import cache
from typing import Any

import numba
import numpy as np
import pytest

import parlour
from parlour.aec import GameEnv
from parlour.rulebook.compiling import COMPILED
from parlour.rulebook.state_records import records
from tests.reference.checkers import Referee, perft
from tests.support.perft import assert_perft

GAME = "checkers-v0"
KNOWN = {1: 7, 2: 49, 3: 302, 4: 1469, 5: 7361, 6: 36768, 7: 179740, 8: 845931, 9: 3963680}
LEVELS = 160
"""More plies than so many turns can hold: a turn has at most nine jumps."""


def new(position: str | None = None) -> GameEnv:
    env = parlour.make(GAME, illegal_move="raise", draw_rule="none", max_plies=0)
    env.reset(seed=0, options={"position": position})
    return env


@cache
def counter(game: Any) -> Any:
    """A compiled function that counts the ways to play ``turns`` more turns from row 0 of a stack of states."""
    legal, apply = game.rules.legal, game.rules.apply

    @numba.njit
    def count(states: Any, variant: Any, words: Any, masks: Any, left: Any, rewards: Any) -> int:
        """Depth first, without recursion: ``masks[level]`` loses an action when it is tried; ``left[level]`` turns are
        still to be played there."""
        total, level = 0, 0
        if left[0] == 0:
            return 1
        legal(states[0], variant[0], masks[0], words[0])
        while level >= 0:
            action = -1
            for a in range(masks.shape[1]):
                if masks[level, a]:
                    action = a
                    break
            if action < 0:
                level -= 1
                continue
            masks[level, action] = 0
            states[level + 1] = states[level]
            apply(states[level + 1], variant[0], action, rewards)
            left[level + 1] = left[level] - states[level + 1].turn_over
            if left[level + 1] == 0:
                total += 1
                continue
            level += 1
            legal(states[level], variant[0], masks[level], words[level])
        return total

    return count


def turns(env: GameEnv, path: str = "") -> dict[str, GameEnv]:
    """Every whole turn, named by its plies, with the game after it."""
    found: dict[str, GameEnv] = {}
    for name in env.legal_moves():
        twin = env.clone()
        twin.step(twin.parse_move(name))
        if twin.table.states["turn_over"][0]:
            found[f"{path} {name}".strip()] = twin
        else:
            found.update(turns(twin, f"{path} {name}"))
    return found


def divide(depth: int, position: str | None = None) -> dict[str, int]:
    """The perft of each first turn, by its name."""
    env = new(position)
    count = counter(env.game)
    parts = {}
    for name, after in turns(env).items():
        states = records(LEVELS, env.game.rules.STATE)
        states[0] = after.table.states[0]
        words = np.zeros((LEVELS, after.table.words.shape[1]), np.uint64)
        left = np.full(LEVELS, depth - 1, np.int64)
        parts[name] = int(
            count(states, after.table.variants, words, words.view(np.int8), left, np.zeros(2, np.float32))
        )
    return parts


@pytest.mark.parametrize("depth", KNOWN if COMPILED else [1, 2, 3])
def test_perft_from_the_start(depth: int) -> None:
    assert_perft(KNOWN[depth], divide(depth))


MIDDLE = [
    "B:W11,14,15,18,K22,23,K30:B2,K6,7,10,K26,27",
    "W:W21,K14,K15,22,30:B6,7,8,K19,K26,25",
    "B:WK9,K17,K25,K26,18,19,27:BK1,K5,10,K13,20",
]


@pytest.mark.parametrize("position", MIDDLE)
def test_perft_in_the_middle_agrees_with_the_referee(position: str) -> None:
    assert_perft(perft(Referee.from_text(position, draw_rule="none"), 3), divide(3, position))
