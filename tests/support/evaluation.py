"""What a game's evaluation says: what `greedy` plays, and the events of a ply."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.support.texts import play


def greedy_moves(env: Any) -> set[str]:
    """What greedy plays, whatever its ties are broken by."""
    moves = set()
    for seed in range(12):
        twin = env.clone(seed=seed)
        twin.games.observe()
        actions = np.zeros(1, np.int64)
        twin.games.greedy(actions, np.ones(1, np.bool_))
        moves.add(twin.move_name(int(actions[0])))
    return moves


def happened(env: Any, move: str) -> dict[str, int]:
    """The events of a ply."""
    before, names = env.games.states.copy(), env.game.evaluation.EVENTS
    counts = np.zeros((1, len(names)), np.int64)
    play(env, move).games.events(before, counts)
    return {name: int(count) for name, count in zip(names, counts[0]) if count}
