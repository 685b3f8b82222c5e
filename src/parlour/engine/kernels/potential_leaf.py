"""What a position looks worth to a search that goes no further: the game's own potential.

Whatever else is to value leaves has
the same three kernels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.engine.search_arrays import LEAF, Levels
from parlour.rulebook.protocol import Evaluation, Record

evaluation: Evaluation
kernel: Callable[[Any], Any]


@kernel
def prepare(i: int, variant: Record, levels: Levels, weights: Any) -> None:
    """Makes ready for the root, which stands at level 0."""


@kernel
def follow(i: int, level: int, variant: Record, levels: Levels, weights: Any) -> None:
    """Keeps up with a change of the state from level − 1 to ``level``."""


@kernel
def value(i: int, level: int, seat: int, variant: Record, levels: Levels, weights: Any) -> float:
    """What the position of a level looks worth to ``seat``: from −`LEAF` to `LEAF`."""
    return LEAF * evaluation.potential(levels.states[i, level], variant, seat)
