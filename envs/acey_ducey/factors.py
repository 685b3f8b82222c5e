"""A move in two choices: where the man comes from, and the number; ``send 23``, ``again`` and ``pass`` are chosen at
once."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.protocol import ActionFactors

from .rules import ACTIONS, FIRST_STEP, SEND, SOURCES, STEPS, TABLE

INDEX = np.arange(ACTIONS)
FACTORS = ActionFactors(
    np.where(INDEX < SEND, INDEX // TABLE, INDEX - SEND + SOURCES),
    np.where(INDEX < SEND, INDEX % TABLE, 0),
    np.concatenate([np.full(FIRST_STEP, -1), np.arange(STEPS), np.full(ACTIONS - SEND, -1)]),
)


def factors(values: dict[str, Any]) -> ActionFactors:
    """The same under all options."""
    return FACTORS


def first_name(move: str) -> str:
    """``13`` of ``13:4``"""
    return move.partition(":")[0]
