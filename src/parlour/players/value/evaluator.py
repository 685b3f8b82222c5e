"""A value network for many games: the arguments of compiled searches, and the values of positions as arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from parlour.engine.games import Games
from parlour.engine.kernels.network_value import value_rows
from parlour.engine.value_arrays import NetworkEvaluation
from parlour.players.value.network import ValueNetwork
from parlour.players.value.quantised import new_memory, quantise


class Evaluator:
    """Values the positions of ``games`` by a network.

    Attributes:
        evaluation: the argument of compiled code; up to date after `refresh`.
    """

    def __init__(self, network: ValueNetwork, games: Games) -> None:
        self.games = games
        self.network = network
        self._heads = network.variant_heads(games.variant_mix.entries, games.game)
        weights = quantise(network, np.zeros(games.num_games, np.int64))
        self.evaluation = NetworkEvaluation(weights, new_memory(network, weights, games.num_games))
        self.refresh()

    def refresh(self) -> NetworkEvaluation:
        """Sets the variant that each row has now, and returns `evaluation`."""
        self.evaluation.network.row_heads[:] = self._heads[self.games.variant_index]
        return self.evaluation

    def values(self) -> NDArray[np.float64]:
        """The value of every row for each seat, (N, P); 0 if the game is over."""
        games = self.games
        values = np.zeros((games.num_games, games.layout.seats))
        arrays = games.arrays
        games.run_rules(value_rows, arrays.states, arrays.variants, self.refresh(), values)
        return values
