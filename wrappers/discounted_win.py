"""`DiscountedWin` and, for batches, `BatchDiscountedWin`: earlier wins count more, later losses cost less."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.support.arguments import real_number
from parlour.wrappers.base import Ply, RewardRows, RewardWrapper
from parlour.wrappers.batch_base import BatchRewardWrapper


class DiscountedWins(RewardRows):
    """What `DiscountedWin` does, for N games."""

    def __init__(self, env: Any, gamma: float) -> None:
        """``gamma``: γ, above 0 and up to 1; ValueError for any other. A win after n plies counts γ ** n."""
        super().__init__(env)
        self.gamma = real_number("gamma", gamma, 0, 1, above=True)

    def before_ply(self) -> None:
        """Notes the plies of each game, since the step may begin a new one."""
        self._plies = self._games.states["plies"].copy()

    def changed(self, rewards: NDArray[np.float64], ply: Ply) -> bool:
        """Discounts the results. (By Python's power: NumPy's can differ in the last bit.)"""
        if ply.any_ended:
            results = ply.ended & ply.terminations
            factors = [self.gamma ** (plies + 1) for plies in self._plies[results].tolist()]
            rewards[results] *= np.array(factors)[:, None]
        return ply.any_ended


class DiscountedWin(DiscountedWins, RewardWrapper):
    """Discounts the result of a game by its length.

    * reward: the rewards of the ply that ends the game by a result are multiplied by γ ** n, where n is the number of
      plies of the whole game, of all seats, this one included (after a reset to a position its ``plies=`` count too).
      All other rewards are unchanged: those before the end, of truncated games, and for illegal moves.
    * observation, action, info: unchanged.

    This changes the optimal policy: a shorter win is better, and so is a longer loss.
    """


class BatchDiscountedWin(DiscountedWins, BatchRewardWrapper):
    """Discounts the results of a batch's games by their lengths: each row gets the rewards of `DiscountedWin`, float32
    (N, P), bit for bit. Observations, actions, terminations, truncations, infos: unchanged."""
