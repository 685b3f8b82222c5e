"""Perft: the number of ways to play so many whole turns, through the compiled rules alone.

A turn may hold several plies (a multi-jump; a choice and what follows from it): each way to play it counts. Where every
ply is a turn, this is the usual perft by plies.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numba
import numpy as np

import parlour
from parlour.engine.game import Game
from parlour.interfaces.aec import GameEnv
from parlour.rulebook.compiling import COMPILED
from parlour.rulebook.state_records import records

LEVELS = 160
"""More plies than the turns of any test can hold: a turn of Checkers has at most nine jumps."""


@cache
def _counter(game: Game) -> Any:
    """A function that counts the ways to play ``left[0]`` more turns from row 0 of a stack of states."""
    legal, apply = game.rules.legal, game.rules.apply

    def count(states: Any, variants: Any, words: Any, masks: Any, left: Any, rewards: Any) -> int:
        """Depth first, without recursion: ``masks[level]`` loses an action when it is tried; ``left[level]`` turns are
        still to be played there."""
        if left[0] == 0:
            return 1
        total, level = 0, 0
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
            left[level + 1] = left[level] - states[level + 1].turn_over
            if left[level + 1] == 0:
                total += 1
                continue
            level += 1
            legal(states[level], variants[0], masks[level], words[level])
        return total

    return numba.njit(count) if COMPILED else count


def _turns(env: GameEnv, path: str = "") -> dict[str, GameEnv]:
    """Every whole turn, named by its plies, with the game after it."""
    found: dict[str, GameEnv] = {}
    for name in env.legal_moves():
        twin = env.clone()
        twin.step(twin.parse_move(name))
        if twin.games.states["turn_over"][0]:
            found[f"{path} {name}".strip()] = twin
        else:
            found.update(_turns(twin, f"{path} {name}"))
    return found


def divide(game: str, turns: int, position: str | None = None, **options: Any) -> dict[str, int]:
    """The perft of each first turn, by its name; their sum is the perft of the position (None: the start)."""
    env = parlour.make(game, illegal_move="raise", **options)
    env.reset(seed=0, options={"position": position})
    count, parts = _counter(env.game), {}
    for name, after in _turns(env).items():
        games = after.games
        states = records(LEVELS, env.game.rules.STATE)
        states[0] = games.states[0]
        words = np.zeros((LEVELS, games.words.shape[1]), np.uint64)
        left = np.full(LEVELS, turns - 1, np.int64)
        rewards = np.zeros(games.layout.seats, np.float32)
        parts[name] = int(count(states, games.variants, words, words.view(np.int8), left, rewards))
    return parts


def assert_perft(expected: int, parts: dict[str, int]) -> None:
    """On a difference, the message tells the count of every first turn."""
    total = sum(parts.values())
    by_turn = "\n".join(f"{name}: {count}" for name, count in parts.items())
    assert total == expected, f"perft {total}, not {expected}; by first turn:\n{by_turn}"
