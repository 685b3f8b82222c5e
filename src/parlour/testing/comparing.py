"""Assertions whose messages say what differs: which action, which plane, which cell."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.interfaces.aec import GameEnv

MAX_SHOWN = 300


def require(holds: object, problem: str) -> None:
    """AssertionError with the message ``problem``, unless ``holds`` is true."""
    if not holds:
        raise AssertionError(problem)


def require_same(what: str, actual: object, expected: object) -> None:
    """AssertionError that shows both values, unless they are equal."""
    if actual != expected:
        raise AssertionError(f"{what} is {_shown(actual)}, expected {_shown(expected)}")


def require_same_arrays(what: str, actual: NDArray[Any], expected: NDArray[Any]) -> None:
    """AssertionError that names the first index at which two arrays differ."""
    require_same(f"the shape of {what}", actual.shape, expected.shape)
    differing = np.argwhere(actual != expected)
    if len(differing):
        index = tuple(differing[0].tolist())
        raise AssertionError(
            f"{what} differs in {len(differing)} of {actual.size} numbers, first at {list(index)}: {actual[index]}, "
            f"expected {expected[index]}"
        )


def require_same_view(what: str, env: GameEnv, actual: dict[str, Any], expected: dict[str, Any]) -> None:
    """AssertionError that names the first plane and cell, or the first action, in which two observations differ."""
    planes, actions = actual["observation"] != expected["observation"], actual["action_mask"] != expected["action_mask"]
    if planes.any():
        c, y, x = np.argwhere(planes)[0].tolist()
        raise AssertionError(
            f"{what}: plane {c} ({env.planes[c].meaning!r}) is {actual['observation'][c, y, x]} in row {y}, "
            f"column {x}, expected {expected['observation'][c, y, x]}"
        )
    if actions.any():
        action = int(np.flatnonzero(actions)[0])
        allowed = "legal" if actual["action_mask"][action] else "not legal"
        raise AssertionError(f"{what}: {name_of(env, action)} is {allowed}, expected the opposite")


def name_of(env: GameEnv, action: int) -> str:
    """``action 17 ('a1-b2')``."""
    try:
        return f"action {action} ({env.move_name(action)!r})"
    except ValueError:
        return f"action {action} (which has no name)"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "…"
