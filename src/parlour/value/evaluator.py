"""A value network on a table: what compiled searches are given, and the values of positions as arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from parlour.engine.games import Table
from parlour.engine.value_arrays import Evaluation
from parlour.value.inputs import numbers_of
from parlour.value.network import ValueNetwork
from parlour.value.quantised import new_memory, quantise


class Evaluator:
    """Values the positions of a table by a network.

    Attributes:
        given: what compiled code takes; up to date after `refresh`.
    """

    def __init__(self, network: ValueNetwork, table: Table) -> None:
        """ValueError if the network is not for the table's game and all its variants."""
        self.table = table
        self.network = network
        self._heads = network.variant_heads(table.variant_mix.entries, table.game)
        weights = quantise(network, np.zeros(table.num_games, np.int64))
        self.given = Evaluation(weights, new_memory(network, weights, table.num_games))
        self.refresh()

    def refresh(self) -> Evaluation:
        """Looks which variant each row has now; `given`."""
        self.given.network.row_heads[:] = self._heads[self.table.variant_index]
        return self.given

    def heads(self, row_ids: NDArray[np.int64], seats: NDArray[np.int64]) -> NDArray[np.int64]:
        """The heads by which ``seats`` (K,) look at the rows ``row_ids`` (K,)."""
        found: NDArray[np.int64] = self._heads[self.table.variant_index[row_ids]] + seats
        return found

    def numbers(self, row_ids: NDArray[np.int64], seats: NDArray[np.int64]) -> NDArray[np.int8]:
        """What the network sees of the rows ``row_ids`` (K,) in the eyes of ``seats`` (K,): (K, D)."""
        return numbers_of(self.table, row_ids, seats)

    def values(self) -> NDArray[np.float64]:
        """What every row is worth to each seat, (N, P); 0 where the game is over."""
        table = self.table
        found = np.zeros((table.num_games, table.layout.seats))
        value_rows = table.game.compiled.network_value.value_rows
        table.run(value_rows, table.states, table.variants, self.refresh(), found)
        return found
