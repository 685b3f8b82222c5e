"""A move in two choices: the piece, and which of the sixteen other dots of its rank and file it goes to."""

from __future__ import annotations

import numpy as np

from parlour.rulebook.options import always
from parlour.rulebook.positions import part_before
from parlour.rulebook.protocol import ActionFactors

from . import rules

ACTIONS = np.arange(rules.DOTS * rules.TARGETS)
factors = always(ActionFactors(ACTIONS // rules.TARGETS, ACTIONS % rules.TARGETS, np.arange(rules.DOTS)))
first_name = part_before("-")
