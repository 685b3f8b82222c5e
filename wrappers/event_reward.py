"""`EventReward` and, for batches, `BatchEventReward`: rewards for events such as a capture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray
from pettingzoo import AECEnv

from parlour.engine.game import Game
from parlour.support.arguments import MAX_AMOUNT, flag, is_number, shown
from parlour.support.errors import listing
from parlour.wrappers.base import RewardWrapper
from parlour.wrappers.batch_base import AnyBatch, BatchRewardWrapper


class EventReward(RewardWrapper):
    """Rewards named events of the game. **This changes the optimal policy**: a learner may come to prefer events to
    winning. `PotentialShaping` avoids that.

    * reward: on a ply in which an event happens n times, the seat that played it gets n · the event's amount in
      addition; with ``zero_sum`` the other seats pay for it in equal shares.
    * observation, action, info: unchanged.

    Each game's events are listed in its README; a ply includes the throws after it. An illegal move is not an event.
    """

    def __init__(self, env: AECEnv[str, Any, Any], amounts: Mapping[str, float], zero_sum: bool = False) -> None:
        """``amounts``: the reward for each event; events that are left out have none. ValueError for an event that the
        game doesn't have, or an amount outside −`MAX_AMOUNT` … `MAX_AMOUNT`."""
        super().__init__(env)
        self.zero_sum = flag("zero_sum", zero_sum)
        self._games = self.game_env.games
        each = amounts_of(self.game_env.game, amounts)
        self._named = [(event, amount) for event, amount in enumerate(each) if amount]
        self._games.score_plies()

    def changed(self, rewards: dict[str, float], agent: str) -> dict[str, float]:
        """Adds the rewards for the ply's events."""
        games = self._games
        if not games.happened or (self.env.terminations[agent] and self.env.truncations[agent]):
            return rewards  # both: the ply was illegal, so what happened was the one before
        assert games.events_of_ply is not None
        counts, amount = games.events_of_ply.tolist(), 0.0
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


class BatchEventReward(BatchRewardWrapper):
    """Rewards named events in a batch of N games of P seats. **This changes the optimal policy**: see
    `EventReward`. Each row gets the same rewards, bit for bit.

    * rewards: float32 (N, P), with those for the events of this step's plies, in every autoreset mode.
    * observations, actions, terminations, truncations, infos: unchanged.
    """

    def __init__(self, env: AnyBatch, amounts: Mapping[str, float], zero_sum: bool = False) -> None:
        super().__init__(env)
        self.zero_sum = flag("zero_sum", zero_sum)
        self._amounts = amounts_of(self.batch.game, amounts)
        self._counts = np.zeros((self.batch.num_games, len(self._amounts)), np.int64)
        self._movers = self._games.states["to_act"].copy()
        self._games.keep_final_events()

    def before_ply(self) -> None:
        """Notes the states before the ply, and who acts."""
        self._games.keep_states_before()
        self._movers[:] = self._games.states["to_act"]

    def changed(
        self, rewards: NDArray[np.float64], played: NDArray[np.bool_], ended: NDArray[np.bool_], results: Any
    ) -> None:
        """Adds the rewards for the plies' events."""
        self._games.events(self._games.finals.before, self._counts)
        if self._mode == AutoresetMode.SAME_STEP:
            self._counts[ended] = self._games.finals.events[ended]
        gains = np.zeros(len(rewards))
        for event, amount in enumerate(self._amounts):  # in the order of `EventReward`, for equal sums to the last bit
            if amount:
                gains += self._counts[:, event] * amount
        row_ids = gains.nonzero()[0]
        gains, movers, seats = gains[row_ids], self._movers[row_ids], self.batch.num_seats
        if self.zero_sum:
            rewards[row_ids] -= np.where(movers[:, None] == np.arange(seats), 0.0, gains[:, None] / (seats - 1))
        rewards[row_ids, movers] += gains


def amounts_of(game: Game, amounts: object) -> list[float]:
    """One amount for each of the game's events; ValueError as `EventReward` says."""
    events = game.evaluation.EVENTS
    if not isinstance(amounts, Mapping):
        raise ValueError(f"amounts is a mapping from events of {game.id} to rewards, not {shown(amounts)}")
    for event, amount in amounts.items():
        if event not in events:
            raise ValueError(f"{game.id} has no event {event!r}; events: {listing(events)}")
        if not is_number(amount) or abs(amount) > MAX_AMOUNT:
            raise ValueError(
                f"the amount for {event!r} is a number from {-MAX_AMOUNT:g} to {MAX_AMOUNT:g}, not {shown(amount)}"
            )
    return [float(amounts.get(event, 0.0)) for event in events]
