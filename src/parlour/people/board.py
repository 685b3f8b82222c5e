"""A game as people see it: its places, and what its guide says of the position."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from parlour.aec import GameEnv
from parlour.rulebook.protocol import HitArea
from parlour.rulebook.state_records import as_record

WORDS = re.compile(r"[a-z0-9]+")


def _records(env: GameEnv) -> tuple[Any, Any]:
    """State and variant of the only game."""
    return as_record(env.games.states, 0), as_record(env.games.variants, 0)


def hit_areas(env: GameEnv) -> list[HitArea]:
    """The places of the picture that can be clicked; none if the game doesn't define them."""
    find = getattr(env.game.drawing, "hit_areas", None)
    return list(find(*_records(env))) if find else []


def instruction(env: GameEnv) -> str:
    """What the seat to act has to do; empty after the end."""
    return "" if env.is_over() else str(env.game.guide.instruction(*_records(env)))


def status(env: GameEnv) -> str:
    """Whose turn it is, or how the game has ended, in words."""
    return env.ansi().splitlines()[-1]


def legal_actions(env: GameEnv) -> list[int]:
    """The legal actions of the seat to act, in order."""
    return [] if env.is_over() else env.observe(env.agent_selection)["action_mask"].nonzero()[0].tolist()


def clicks(env: GameEnv, action: int, places: Sequence[str]) -> tuple[str, ...]:
    """The places to click for an action, in order; a name that is not among ``places`` is a button.

    Without ``guide.clicks`` these are the places in the action's name, or, if there are none, a button with that name.
    For an action that is not legal this is a guess.
    """
    name = env.move_name(action)
    if env.game.guide.clicks is not None:
        return tuple(env.game.guide.clicks(action, *_records(env)))
    return tuple(word for word in WORDS.findall(name) if word in places) or (name,)


def why_not(env: GameEnv, action: int) -> str:
    """Why an action is not legal here; empty if there is no better reason to give."""
    return env.game.guide.why_not(action, *_records(env))


def named_actions(env: GameEnv) -> dict[int, str]:
    """All actions that have a name for the seat to act, legal or not."""
    state = _records(env)[0]
    named = ((action, env.game.notation.move_name(action, state)) for action in range(env.games.layout.actions))
    return {action: str(name) for action, name in named if name is not None}
