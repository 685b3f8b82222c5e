"""Positions as texts: what the tests of every game's notation do."""

from __future__ import annotations

from typing import Any

from parlour.interfaces.aec import GameEnv
from tests.support.games import begun


def resumed(game: str, text: object, **options: Any) -> GameEnv:
    """A game that goes on from a text."""
    env: GameEnv = begun(game, 1, position=text, illegal_move="raise", **options)
    return env


def number(text: str) -> float:
    """A number as it is written for people, with a true minus."""
    return float(text.replace("−", "-"))


def play(env: GameEnv, *moves: str) -> GameEnv:
    for move in moves:
        env.step(env.parse_move(move))
    return env


def standing(env: GameEnv) -> dict[str, Any]:
    """All that can be seen of a game, except for the rewards of its latest ply."""
    seen = {agent: env.observe(agent) for agent in env.possible_agents}
    return {
        "position": env.position(),
        "legal": env.legal_moves(),
        "to act": env.agent_selection,
        "dice": env.dice,
        "terminations": env.terminations,
        "truncations": env.truncations,
        "planes": {agent: seen[agent]["observation"].tobytes() for agent in seen},
        "masks": {agent: seen[agent]["action_mask"].tobytes() for agent in seen},
    }
