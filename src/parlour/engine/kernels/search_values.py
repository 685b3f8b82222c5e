"""Values of a search between two seats, passed from level to level of its tree.

They are to the seat of a level: half of what it is ahead. What lies beyond any potential shrinks with each ply, so
that the sooner of two wins is played (`search_arrays.DISCOUNT`).
"""

from __future__ import annotations

from typing import Any

from parlour.engine.search_arrays import DISCOUNT, LEAF
from parlour.rulebook.compiling import kernel
from parlour.rulebook.protocol import Record


@kernel
def later(value: float) -> float:
    """A value as seen one ply earlier: see `search_arrays.DISCOUNT`."""
    if value > LEAF:
        return LEAF + (value - LEAF) * DISCOUNT
    return -LEAF + (value + LEAF) * DISCOUNT if value < -LEAF else value


@kernel
def sooner(value: float) -> float:
    """The inverse of `later`."""
    if value > LEAF:
        return LEAF + (value - LEAF) / DISCOUNT
    return -LEAF + (value + LEAF) / DISCOUNT if value < -LEAF else value


@kernel
def lead(rewards: Any, i: int, seat: int) -> float:
    """Half of the difference between the rewards of ``seat`` and of the other seat."""
    return 0.5 * (rewards[i, seat] - rewards[i, 1 - seat])


@kernel
def open_window(frame: Record, below: Record, alpha: float, beta: float, is_ply: bool) -> None:
    """Sets the window of the frame below, which is ``alpha`` to ``beta`` from the frame's own view, after the rewards
    on the way."""
    alpha, beta = alpha - below.reward, beta - below.reward
    if is_ply:
        alpha, beta = sooner(alpha), sooner(beta)
    if below.seat == frame.seat:
        below.alpha, below.beta = alpha, beta
    else:
        below.alpha, below.beta = -beta, -alpha


@kernel
def value_from(frame: Record, below: Record, is_ply: bool) -> float:
    """The value of the frame below from the view of the frame, with the rewards on the way."""
    value = below.value if below.seat == frame.seat else -below.value
    return below.reward + (later(value) if is_ply else value)
