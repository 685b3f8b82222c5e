"""A move in two choices: where the man comes from, and how far he goes; ``pass`` is chosen at once."""

from __future__ import annotations

import numpy as np

from parlour.rulebook.options import always
from parlour.rulebook.positions import part_before
from parlour.rulebook.protocol import ActionFactors

from .rules import ACTIONS, FIRST_STEP, PASS, STEPS, TABLE

INDEX = np.arange(ACTIONS)
factors = always(
    ActionFactors(
        INDEX // TABLE,
        np.where(INDEX < PASS, INDEX % TABLE, 0),
        np.concatenate([np.full(FIRST_STEP, -1), np.arange(STEPS), [-1]]),
    )
)
first_name = part_before("/")
