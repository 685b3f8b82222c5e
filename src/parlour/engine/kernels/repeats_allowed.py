"""What is legal where no position is forbidden: what the rules allow. `repeats_forbidden` takes its place for variants
with the option `repeats` = forbidden, so that the others don't compile what they never use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.rulebook.protocol import Record, Rules

rules: Rules
kernel: Callable[[Any], Any]

FORBIDS = False


@kernel
def legal(state: Record, variant: Record, seen: Any, mask: Any, words: Any) -> None:
    """`Rules.legal`."""
    rules.legal(state, variant, mask, words)


@kernel
def end_without_ply(state: Record, variant: Record, seen: Any, rewards: Any) -> None:
    """Never called."""
