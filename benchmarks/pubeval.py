"""Gerald Tesauro's pubeval, a linear evaluation that backgammon programs are compared with.

Its weights are not part of this project. They are in ``pubeval.c``, which he gave to the public in 1993; OpenBSD has it
as ``games/backgammon/backgammon/pubeval.c``, marked as public domain. `Pubeval` reads the two tables from that file.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import peers  # noqa: F401  with which the helpers of the tests can be imported

from tests.support.backgammon_turns import Position

INPUTS = 122
TABLE = re.compile(r"\b(w[cr])\s*\[\s*122\s*\]\s*=\s*\{([^}]*)\}")
NUMBER = re.compile(r"-?(?:\d+\.\d*|\.\d+)")
MEN = 15


class Pubeval:
    """It plays the position that it likes best after the turn."""

    def __init__(self, source: Path) -> None:
        """ValueError for a file without both tables of 122 weights."""
        tables = {name: NUMBER.findall(body) for name, body in TABLE.findall(source.read_text(encoding="utf-8"))}
        if {name: len(numbers) for name, numbers in tables.items()} != {"wc": INPUTS, "wr": INPUTS}:
            raise ValueError(f"{source} has no tables wc[122] and wr[122] with 122 weights each, as pubeval.c has")
        self._contact, self._race = (np.array([float(text) for text in tables[name]]) for name in ("wc", "wr"))

    def best(self, before: Position, after: Any) -> Position:
        """The best of the positions ``after`` a turn, for the seat that has played. ``before`` chooses the weights."""
        weights = self._race if is_race(before) else self._contact
        return max(after, key=lambda position: (sum(position[:25]) == 0, float(inputs(position) @ weights)))


def is_race(position: Position) -> bool:
    """Whether no man has still to pass one of the other seat's."""
    rear = [next((k for k in range(25) if position[first + k]), 25) - 1 for first in (0, 25)]
    return rear[0] + rear[1] >= 23


def inputs(position: Position) -> Any:
    """The 122 numbers: five for each point from the seat's 1 to 24; the other's men on the bar; men off."""
    numbers = np.zeros(INPUTS)
    for place in range(24):  # the seat's point 24 − place is its step ``place``; their loop begins at point 24
        mine, other = position[1 + place], position[25 + 24 - place]
        first = 5 * place
        numbers[first : first + 5] = (other == 1, mine == 1, mine >= 2, mine == 3, max(mine - 3, 0) / 2)
    numbers[120] = position[25] / 2
    numbers[121] = (MEN - sum(position[:25])) / MEN
    return numbers
