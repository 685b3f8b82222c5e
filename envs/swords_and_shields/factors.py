"""A move in two choices: the piece, and which of the sixteen other dots of its rank and file it goes to."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.protocol import ActionFactors

from . import rules

ACTIONS = np.arange(rules.DOTS * rules.TARGETS)
FACTORS = ActionFactors(ACTIONS // rules.TARGETS, ACTIONS % rules.TARGETS, np.arange(rules.DOTS))


def factors(values: dict[str, Any]) -> ActionFactors:
    """The same under all options."""
    return FACTORS


def first_name(move: str) -> str:
    """``d9`` of ``d9-d6``"""
    return move.partition("-")[0]
