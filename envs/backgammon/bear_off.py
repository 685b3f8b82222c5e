"""What a seat wastes when it bears off and nobody is in its way, for value networks.

Every position of up to 15 men on the six points of a home board has a number; ``bear_off.npy`` has the waste of each,
as ``python -m docs.known_numbers.bear_off`` finds it in the repository.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from parlour.rulebook.compiling import kernel
from parlour.rulebook.endings import CHOOSE
from parlour.rulebook.points import STEPS, TABLE
from parlour.rulebook.protocol import Record

from .rules import MEN

HOME = STEPS - TABLE
"""The step of the farthest point at home."""
QUARTERS = 4
FILE = Path(__file__).with_name("bear_off.npy")
WASTE: NDArray[np.int8] = np.load(FILE)


@kernel
def waste(state: Record, variant: Record, seat: int) -> int:
    """Quarters of pips that a seat will play in vain while it bears off, on average; up to 127. Men outside the home
    board count as men on its farthest point.

    With the pips it is the effective pip count of Trice, *Backgammon Boot Camp* (2004): the mean number of throws
    times the pips of a mean throw."""
    within = np.int64(MEN[variant.setup]) - state.off[seat]
    for step in range(HOME + 1, STEPS):
        within -= state.men[seat, step]
    number = 0
    for place in range(TABLE):
        if place > 0:
            within += state.men[seat, HOME + place]
        number += CHOOSE[within + place, place + 1]
    return np.int64(WASTE[number])
