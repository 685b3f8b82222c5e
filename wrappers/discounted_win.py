"""`DiscountedWin`: sooner wins count more, later losses hurt less."""

from __future__ import annotations

from typing import Any

from parlour.wrappers.base import RewardWrapper
from parlour.wrappers.potential_shaping import check_gamma
from pettingzoo import AECEnv


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
