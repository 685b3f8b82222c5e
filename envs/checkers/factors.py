"""A move in two choices: the piece's square, and the direction."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from parlour.rulebook.protocol import ActionFactors

from .board import ACTIONS, COLUMN_OF, ROW_OF, SIDE, SQUARES

INDEX = np.arange(ACTIONS)
FACTORS = ActionFactors(INDEX % SQUARES, INDEX // SQUARES, SIDE * ROW_OF + COLUMN_OF)


def factors(values: dict[str, Any]) -> ActionFactors:
    """The same under all options."""
    return FACTORS


def first_name(move: str) -> str:
    """``11`` of ``11-15`` and of ``11x18``"""
    return re.split("[-x]", move)[0]
