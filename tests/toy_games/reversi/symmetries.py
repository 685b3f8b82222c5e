"""The four symmetries of the set-up, for the wrapper `Symmetry`."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.protocol import Symmetries

from .rules import CELLS, PASS, SIDE

NAMES = ("identity", "half_turn", "diagonal", "other_diagonal")


def symmetries(values: dict[str, Any]) -> Symmetries:
    """Actions are cells, and go with them; `pass` stays."""
    board = np.arange(CELLS).reshape(SIDE, SIDE)
    images = (board, np.rot90(board, 2), board.T, np.rot90(board, 2).T)
    cells = np.array([np.argsort(image.ravel()) for image in images], np.int64)
    actions = np.concatenate([cells, np.full((len(cells), 1), PASS)], axis=1)
    return Symmetries(NAMES, cells, actions)
