"""A move in two choices: the piece's square, and the direction."""

from __future__ import annotations

import re

import numpy as np

from parlour.rulebook.options import always
from parlour.rulebook.protocol import ActionFactors

from .board import ACTIONS, COLUMN_OF, ROW_OF, SIDE, SQUARES

INDEX = np.arange(ACTIONS)
factors = always(ActionFactors(INDEX % SQUARES, INDEX // SQUARES, SIDE * ROW_OF + COLUMN_OF))


def first_name(move: str) -> str:
    """``11`` of ``11-15`` and of ``11x18``"""
    return re.split("[-x]", move)[0]
