"""`EventReward`: rewards for what happens in the game, such as a capture."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from parlour.wrappers.base import RewardWrapper
from pettingzoo import AECEnv

from parlour.engine.game import Game
from parlour.errors import listing


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
        each = amounts_of(self.game_env.game, amounts)
        self._named = [(event, amount) for event, amount in enumerate(each) if amount]
        self._table.judge_plies()

    def changed(self, rewards: dict[str, float], agent: str) -> dict[str, float]:
        """With what the ply's events bring."""
        table = self._table
        if not table.happened or (self.env.terminations[agent] and self.env.truncations[agent]):
            return rewards  # both: the ply was illegal, so what happened was the one before
        assert table.events_of_ply is not None
        counts, amount = table.events_of_ply.tolist(), 0.0
        for event, each in self._named:
            amount += counts[event] * each
        if not amount:
            return rewards
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
