"""`DiscountedWin` and, for batches, `BatchDiscountedWin`: sooner wins count more, later losses hurt less."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv

from parlour.wrappers.base import RewardWrapper
from parlour.wrappers.batch_base import AnyBatch, BatchRewardWrapper
from parlour.wrappers.potential_shaping import check_gamma


class DiscountedWin(RewardWrapper):
    """Discounts the result of a game by its length.

    * reward: the rewards of the ply that ends the game by a result are multiplied by γ ** n, where n is the number of
      plies of the whole game, all seats' together, that one included (``plies=`` of a position text counts on). All
      other rewards stay as they are: those before the end, of a game that is cut, and for an illegal move.
    * observation, action, info: unchanged.

    This changes the game that is learnt: of two ways to win, the shorter is better, and a game that will be lost is to
    be drawn out.
    """

    def __init__(self, env: AECEnv[str, Any, Any], gamma: float) -> None:
        """``gamma``: γ, above 0 and up to 1; ValueError for any other. A win after n plies counts γ ** n."""
        super().__init__(env)
        self.gamma = check_gamma(gamma)
        self._table = self.game_env.table

    def changed(self, rewards: dict[str, float], agent: str) -> dict[str, float]:
        """The result, discounted."""
        if not self.env.terminations[agent] or self.env.truncations[agent]:
            return rewards
        factor = self.gamma ** int(self._table.states["plies"][0])
        return {name: reward * factor for name, reward in rewards.items()}


class BatchDiscountedWin(BatchRewardWrapper):
    """Discounts the results of a batch's games by their lengths: see `DiscountedWin`, whose rewards each row is given,
    bit for bit.

    * rewards: float32 (N, P); those of a step in which a row's game ends by a result are multiplied by γ ** n, where n
      is the number of its plies.
    * observations, actions, terminations, truncations, infos: unchanged.
    """

    def __init__(self, env: AnyBatch, gamma: float) -> None:
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
