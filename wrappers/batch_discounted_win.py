"""`BatchDiscountedWin`: `DiscountedWin` for a batch."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import VectorEnv
from numpy.typing import NDArray
from parlour.wrappers.batch_base import BatchRewardWrapper
from parlour.wrappers.potential_shaping import check_gamma


class BatchDiscountedWin(BatchRewardWrapper):
    """Discounts the results of a batch's games by their lengths: see `DiscountedWin`, whose rewards each row is given,
    bit for bit.

    * rewards: float32 (N, P); those of a step in which a row's game ends by a result are multiplied by γ ** n, where n
      is the number of its plies.
    * observations, actions, terminations, truncations, infos: unchanged.
    """

    def __init__(self, env: VectorEnv[Any, Any, Any], gamma: float) -> None:
        """``env``: a batch of `parlour.make_batch`. ``gamma``: see `DiscountedWin`."""
        super().__init__(env)
        self.gamma = check_gamma(gamma)
        self._plies = np.zeros(self.batch.num_games, np.int64)

    def before_ply(self) -> None:
        """How many plies each game has had; the step may begin it anew."""
        self._plies[:] = self._table.states["plies"]

    def changed(
        self, rewards: NDArray[np.float64], played: NDArray[np.bool_], ended: NDArray[np.bool_], results: Any
    ) -> None:
        """The results, discounted. (Python's power, which NumPy's need not equal to the last bit.)"""
        if results.any():
            factors = [self.gamma ** (plies + 1) for plies in self._plies[results].tolist()]
            rewards[results] *= np.array(factors)[:, None]
