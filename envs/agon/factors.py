"""A step in two choices: the piece's cell, and the direction; puts, choices and ``pass`` are single choices."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.protocol import ActionFactors

from .actions import ACTIONS, PUTS
from .board import CELLS, DIRECTIONS, GRID

INDEX = np.arange(ACTIONS)
FACTORS = ActionFactors(
    np.where(INDEX < PUTS, INDEX // DIRECTIONS, INDEX - PUTS + CELLS),
    np.where(INDEX < PUTS, INDEX % DIRECTIONS, 0),
    np.concatenate([GRID, np.full(ACTIONS - PUTS, -1)]),
)


def factors(values: dict[str, Any]) -> ActionFactors:
    """The same under all options."""
    return FACTORS


def first_name(move: str) -> str:
    """``a5`` of ``a5-b5``"""
    return move.partition("-")[0]
