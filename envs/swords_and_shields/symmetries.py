"""The eight symmetries of the board, which keep the set-up, the throne, edges and corners, and so all rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from parlour.rulebook.compiling import plain
from parlour.rulebook.options import always
from parlour.rulebook.protocol import Symmetries

from . import rules

LAST = rules.SIDE - 1
PLACES: dict[str, Callable[[Any, Any], tuple[Any, Any]]] = {
    "identity": lambda file, rank: (file, rank),
    "quarter_turn": lambda file, rank: (rank, LAST - file),  # clockwise
    "half_turn": lambda file, rank: (LAST - file, LAST - rank),
    "three_quarter_turn": lambda file, rank: (LAST - rank, file),
    "files_reversed": lambda file, rank: (LAST - file, rank),
    "ranks_reversed": lambda file, rank: (file, LAST - rank),
    "diagonal": lambda file, rank: (rank, file),  # a1 and i9 stay
    "other_diagonal": lambda file, rank: (LAST - rank, LAST - file),
}
"""Where each takes the dot on a file and rank."""


def _tables() -> Symmetries:
    """How dots and actions are mapped: an action by its source and target."""
    places = [place(rules.FILE_OF, rules.RANK_OF) for place in PLACES.values()]
    cells = np.array([file + rules.SIDE * rank for file, rank in places])
    sources = np.arange(rules.DOTS * rules.TARGETS) // rules.TARGETS
    targets = np.array([plain(rules.target_of)(action) for action in range(len(sources))])
    index = np.zeros((rules.DOTS, rules.DOTS), np.int64)
    index[sources, targets] = np.arange(len(sources))
    return Symmetries(tuple(PLACES), cells, index[cells[:, sources], cells[:, targets]])


symmetries = always(_tables())
