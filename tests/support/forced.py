"""Forced wins by looking at everything: through the public environment alone, sharing nothing with the searches."""

from __future__ import annotations

from typing import Any


def after(env: Any, move: str) -> Any:
    """A copy of the game, a ply further."""
    twin = env.clone()
    twin.step(twin.parse_move(move))
    return twin


def forced(env: Any, seat: str, plies: int) -> bool:
    """Whether ``seat`` has won or wins by force within ``plies``, whoever is to act."""
    if env.is_over():
        return bool(env.rewards[seat] > 0)
    if plies == 0:
        return False
    won = (forced(after(env, move), seat, plies - 1) for move in env.legal_moves())
    return any(won) if env.agent_selection == seat else all(won)
