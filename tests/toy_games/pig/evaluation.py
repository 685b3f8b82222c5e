"""Bank ten points or more."""

from __future__ import annotations

from parlour.kernels.compiling import kernel
from parlour.kernels.protocol import Record


@kernel
def merit(before: Record, after: Record, variant: Record, seat: int) -> float:
    """Holding is good with ten points, throwing again with less."""
    held = after.scores[seat] - before.scores[seat]
    return float(held - 10) if held else 0.0
