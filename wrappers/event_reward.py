"""`EventReward`: rewards for what happens in the game, such as a capture."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from parlour.errors import listing
from parlour.game import Game
from parlour.kernels.compiling import records
from parlour.wrappers.base import RewardWrapper
from pettingzoo import AECEnv


class EventReward(RewardWrapper):
    """Rewards named events of the game. **This changes the game that is learnt**: a learner may come to prefer events
    to winning. `PotentialShaping` does not have that danger.

    * reward: on a ply in which an event happens n times, the seat that took the ply is given n · the event's amount on
      top; with ``zero_sum``, the others lose as much together, each the same share.
    * observation, action, info: unchanged.

    Each game's events are listed in its README; a ply includes the throws after it. An illegal move is none.
    """

    def __init__(self, env: AECEnv[str, Any, Any], amounts: Mapping[str, float], zero_sum: bool = False) -> None:
        """``amounts``: the reward for each event, those left out having none. ValueError for an event that the game
        doesn't have, or an amount that is no finite number."""
        super().__init__(env)
        self.zero_sum = zero_sum
        self._table = self.game_env.table
        self._amounts = amounts_of(self.game_env.game, amounts)
        self._counts = np.zeros(len(self._amounts), np.int64)
        self._before = records(1, self.game_env.game.rules.STATE)

    def begun(self) -> None:
        """Nothing has happened yet."""
        self._before[:] = self._table.states

    def changed(self, rewards: dict[str, float], agent: str) -> dict[str, float]:
        """With what the ply's events bring."""
        if not self._table.event_one(self._before, self._counts):
            return rewards
        amount = sum(count * each for count, each in zip(self._counts.tolist(), self._amounts))
        changed = rewards.copy()
        changed[agent] += amount
        if self.zero_sum:
            share = amount / (len(rewards) - 1)
            for other in rewards:
                if other != agent:
                    changed[other] -= share
        return changed


def amounts_of(game: Game, amounts: object) -> list[float]:
    """One amount for each of the game's events; ValueError as `EventReward` says."""
    events = game.evaluation.EVENTS
    if not isinstance(amounts, Mapping):
        raise ValueError(f"amounts is a mapping from events of {game.id} to rewards, not {amounts!r}")
    for event, amount in amounts.items():
        if event not in events:
            raise ValueError(f"{game.id} has no event {event!r}; events: {listing(events)}")
        number = isinstance(amount, (int, float, np.integer, np.floating)) and not isinstance(amount, bool)
        if not (number and math.isfinite(amount)):
            raise ValueError(f"the amount for {event!r} is a finite number, not {amount!r}")
    return [float(amounts.get(event, 0.0)) for event in events]
