"""A move in two choices: the man's source and the number; ``send 23``, ``again`` and ``pass`` are chosen at once."""

from __future__ import annotations

import numpy as np

from parlour.rulebook.options import always
from parlour.rulebook.positions import part_before
from parlour.rulebook.protocol import ActionFactors

from .rules import ACTIONS, FIRST_STEP, SEND, SOURCES, STEPS, TABLE

INDEX = np.arange(ACTIONS)
factors = always(
    ActionFactors(
        np.where(INDEX < SEND, INDEX // TABLE, INDEX - SEND + SOURCES),
        np.where(INDEX < SEND, INDEX % TABLE, 0),
        np.concatenate([np.full(FIRST_STEP, -1), np.arange(STEPS), np.full(ACTIONS - SEND, -1)]),
    )
)
first_name = part_before(":")
