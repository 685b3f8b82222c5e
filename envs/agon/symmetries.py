"""The mirror at the line through the queens' corners, a1 and k6; it keeps the set-up and most variants' rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.protocol import Symmetries

from .actions import ACTIONS, CHOICES, PASS, PUTS
from .board import CELL_AT, CELL_COLUMN, CELL_ROW, DIRECTIONS, ROWS, STEPS

GRID = np.arange(ROWS * ROWS)
MIRRORED_GRID = GRID % ROWS * ROWS + GRID // ROWS  # rows and columns of the grid change places
MIRRORED = np.array([CELL_AT[int(column), int(row)] for row, column in zip(CELL_ROW, CELL_COLUMN)])
"""[cell]"""
MIRRORED_DIRECTION = np.array([STEPS.index((columns, rows)) for rows, columns in STEPS])


def _mirrored_actions() -> np.ndarray[Any, np.dtype[np.int64]]:
    """[action]"""
    steps = DIRECTIONS * MIRRORED[:, None] + MIRRORED_DIRECTION
    return np.concatenate([steps.ravel(), PUTS + MIRRORED, CHOICES + MIRRORED, [PASS]])


SYMMETRIES = Symmetries(
    ("identity", "mirror"),
    np.stack([GRID, MIRRORED_GRID]),
    np.stack([np.arange(ACTIONS), _mirrored_actions()]),
)
NONE = Symmetries(("identity",), SYMMETRIES.cells[:1], SYMMETRIES.actions[:1])


def symmetries(values: dict[str, Any]) -> Symmetries:
    """None in Bloody Queen: trapped guards are relocated in the order of their cells."""
    return NONE if values["capture"] == "bloody" else SYMMETRIES
