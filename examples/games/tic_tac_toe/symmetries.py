"""The eight symmetries of the board, for the wrapper `Symmetry`."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.protocol import Symmetries

from .rules import CELLS, SIDE

NAMES = ("identity", "quarter_turn", "half_turn", "three_quarter_turn")


def symmetries(values: dict[str, Any]) -> Symmetries:
    """The four turns of the board, and those of its mirror image. Actions are cells, so they are permuted alike."""
    board = np.arange(CELLS).reshape(SIDE, SIDE)
    images = [np.rot90(each, turns).ravel() for each in (board, board.T) for turns in range(4)]
    cells = np.array([np.argsort(image) for image in images], np.int64)
    return Symmetries((*NAMES, *(f"{name}_mirrored" for name in NAMES)), cells, cells.copy())
