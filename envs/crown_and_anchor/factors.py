"""A bet in two choices: the design, and the stake; ``done`` and ``roll`` are chosen at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.positions import part_before
from parlour.rulebook.protocol import ActionFactors

from .rules import DESIGNS


def factors(values: dict[str, Any]) -> ActionFactors:
    """As many stakes as the option `max_stake` says. A design is shown in its column of the first row."""
    most = int(values["max_stake"])
    index, bets = np.arange(DESIGNS * most + 2), DESIGNS * most
    return ActionFactors(
        np.where(index < bets, index // most, index - bets + DESIGNS),
        np.where(index < bets, index % most, 0),
        np.concatenate([np.arange(DESIGNS), [-1, -1]]),
    )


first_name = part_before("*")
