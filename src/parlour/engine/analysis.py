"""What a player thinks of a position, in addition to the action that it would play."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parlour.engine.view import GamesView


@dataclass(frozen=True)
class Analysis:
    """What a player thinks of one position. Axis letters: A actions, P seats.

    Attributes:
        probabilities: float64 (A,), the probability of each action; 0 for illegal ones, 1 in all. For a player that
            searches by simulations it is each action's share of them.
        principal_variation: the expected plies: its own best action, then the best reply, and so on, as far as known;
            it ends before a throw. Never empty.
        values: float64 (P,), the sum of rewards that each seat, by its number, can expect from here on: 1 is a win at
            once. None if the player does not value positions.
        action_values: float64 (A, P), the same after each action; NaN for actions that the player knows nothing of.
            None where it judges no actions one by one.
        depth: plies of the deepest search that was finished; 0 if that is not counted.
        nodes: positions looked at, or simulations; 0 if that is not counted.
    """

    probabilities: NDArray[np.float64]
    principal_variation: tuple[int, ...]
    values: NDArray[np.float64] | None = None
    action_values: NDArray[np.float64] | None = None
    depth: int = 0
    nodes: int = 0


def only(view: GamesView, row: int) -> NDArray[np.bool_]:
    """The row mask, bool (N,), of a single row. ValueError if there is no such row or its game is over."""
    if not 0 <= row < view.num_games:
        raise ValueError(f"there is no row {row}; rows: 0 to {view.num_games - 1}")
    if view.legal_counts[row] == 0:
        raise ValueError(f"the game in row {row} is over: there is nothing to consider")
    row_mask = np.zeros(view.num_games, np.bool_)
    row_mask[row] = True
    return row_mask


def in_proportion(weights: NDArray[np.float64]) -> Analysis:
    """The analysis of a player that only has ``weights`` (A,) for the actions: from 0 up, not all 0."""
    return Analysis(weights / weights.sum(), (int(weights.argmax()),))


def drawn(weights: NDArray[np.float64], numbers: NDArray[np.float64]) -> NDArray[np.int64]:
    """An action for each row of ``weights`` (M, A), in proportion to them; ``numbers`` (M,) are uniform in [0, 1)."""
    sums = weights.cumsum(axis=1)
    totals = sums[:, -1]
    reached = np.minimum(numbers * totals, np.nextafter(totals, 0))  # rounding up to the total would find no column
    actions: NDArray[np.int64] = (sums > reached[:, None]).argmax(axis=1)
    return actions
