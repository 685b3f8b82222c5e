"""A step in two choices: the piece's cell, and the direction; puts, choices and ``pass`` are single choices."""

from __future__ import annotations

import numpy as np

from parlour.rulebook.options import always
from parlour.rulebook.positions import part_before
from parlour.rulebook.protocol import ActionFactors

from .actions import ACTIONS, PUTS
from .board import CELLS, DIRECTIONS, GRID

INDEX = np.arange(ACTIONS)
factors = always(
    ActionFactors(
        np.where(INDEX < PUTS, INDEX // DIRECTIONS, INDEX - PUTS + CELLS),
        np.where(INDEX < PUTS, INDEX % DIRECTIONS, 0),
        np.concatenate([GRID, np.full(ACTIONS - PUTS, -1)]),
    )
)
first_name = part_before("-")
