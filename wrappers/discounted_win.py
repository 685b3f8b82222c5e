"""`DiscountedWin` and, for batches, `BatchDiscountedWin`: earlier wins count more, later losses cost less."""

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
      plies of the whole game, of all seats, this one included (after a reset to a position its ``plies=`` count too).
      All other rewards are unchanged: those before the end, of truncated games, and for illegal moves.
    * observation, action, info: unchanged.

    This changes the optimal policy: a shorter win is better, and so is a longer loss.
    """

    def __init__(self, env: AECEnv[str, Any, Any], gamma: float) -> None:
        """``gamma``: γ, above 0 and up to 1; ValueError for any other. A win after n plies counts γ ** n."""
        super().__init__(env)
        self.gamma = check_gamma(gamma)
        self._games = self.game_env.games

    def changed(self, rewards: dict[str, float], agent: str) -> dict[str, float]:
        """Discounts the result."""
        if not self.env.terminations[agent] or self.env.truncations[agent]:
            return rewards
        factor = self.gamma ** int(self._games.states["plies"][0])
        return {name: reward * factor for name, reward in rewards.items()}


class BatchDiscountedWin(BatchRewardWrapper):
    """Discounts the results of a batch's games by their lengths: see `DiscountedWin`. Each row gets the same
    rewards, bit for bit.

    * rewards: float32 (N, P); those of a step in which a row's game ends by a result are multiplied by γ ** n, where n
      is the number of its plies.
    * observations, actions, terminations, truncations, infos: unchanged.
    """

    def __init__(self, env: AnyBatch, gamma: float) -> None:
        super().__init__(env)
        self.gamma = check_gamma(gamma)
        self._plies = np.zeros(self.batch.num_games, np.int64)

    def before_ply(self) -> None:
        """Notes the plies of each game, since the step may begin a new one."""
        self._plies[:] = self._games.states["plies"]

    def changed(
        self, rewards: NDArray[np.float64], played: NDArray[np.bool_], ended: NDArray[np.bool_], results: Any
    ) -> None:
        """Discounts the results. (By Python's power: NumPy's can differ in the last bit.)"""
        if results.any():
            factors = [self.gamma ** (plies + 1) for plies in self._plies[results].tolist()]
            rewards[results] *= np.array(factors)[:, None]
