"""Perft: the number of ways to play so many plies, through the compiled rules alone."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

import parlour
from parlour.engine.games import Table


def _counter(game: Any) -> Any:
    """A compiled function that counts the leaves below row 0 of a stack of states."""
    legal, apply = game.rules.legal, game.rules.apply

    @numba.njit
    def count(states: Any, variant: Any, words: Any, masks: Any, rewards: Any, depth: int) -> int:
        """Depth first, without recursion: ``masks[level]`` loses an action when it is tried."""
        if depth == 0:
            return 1
        total, level = 0, 0
        legal(states[0], variant[0], masks[0], words[0])
        while level >= 0:
            if level == depth - 1:
                total += masks[level].sum()
                level -= 1
                continue
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
            level += 1
            legal(states[level], variant[0], masks[level], words[level])
        return total

    return count


def divide(game_id: str, depth: int, position: str | None = None, **options: Any) -> dict[str, int]:
    """The perft of each move from a position, by its name; their sum is the perft."""
    env = parlour.make(game_id, illegal_move="raise", **options)
    count = _counter(env.game)
    parts = {}
    env.reset(seed=0, options={"position": position})
    for name in env.legal_moves():
        env.reset(seed=0, options={"position": position})
        env.step(env.parse_move(name))
        table: Table = env.table
        states = np.repeat(table.states, depth)
        words = np.zeros((depth, table.words.shape[1]), np.uint64)
        masks = words.view(np.int8)
        parts[name] = int(
            count(states, table.variants, words, masks, np.zeros(table.layout.seats, np.float32), depth - 1)
        )
    return parts


def assert_perft(expected: int, parts: dict[str, int]) -> None:
    """On a difference, the message tells the count of every first move."""
    total = sum(parts.values())
    table = "\n".join(f"{name}: {count}" for name, count in parts.items())
    assert total == expected, f"perft {total}, not {expected}; by first move:\n{table}"
