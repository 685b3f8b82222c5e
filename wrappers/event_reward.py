"""`EventReward` and, for batches, `BatchEventReward`: rewards for events such as a capture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.game import Game
from parlour.support.arguments import MAX_AMOUNT, flag, is_number, shown
from parlour.support.errors import listing
from parlour.wrappers.base import Ply, RewardRows, RewardWrapper
from parlour.wrappers.batch_base import BatchRewardWrapper


class EventRewards(RewardRows):
    """What `EventReward` does, for N games."""

    def __init__(self, env: Any, amounts: Mapping[str, float], zero_sum: bool = False) -> None:
        """``amounts``: the reward for each event; events that are left out have none. ValueError for an event that the
        game doesn't have, or an amount outside −`MAX_AMOUNT` … `MAX_AMOUNT`."""
        super().__init__(env)
        self.zero_sum = flag("zero_sum", zero_sum)
        self._amounts = amounts_of(self._games.game, amounts)

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """Also of an environment that version 0.3.0 has pickled, with the amounts by the numbers of events."""
        self.__dict__.update(kept)
        if "_named" in kept:
            named = dict(kept["_named"])
            self._amounts = [named.get(event, 0.0) for event in range(len(self._games.game.evaluation.EVENTS))]

    def before_ply(self) -> None:
        """Notes the states before the ply, and who acts."""
        self._games.keep_final_events()
        self._games.keep_states_before()
        self._movers = self._games.states["to_act"].copy()

    def changed(self, rewards: NDArray[np.float64], ply: Ply) -> None:
        """Adds the rewards for the plies' events."""
        before, counts = self._games.finals.before, self._games.finals.events
        at_end = counts[ply.ended] if self._restarts else None
        self._games.events(before, counts)
        if at_end is not None:
            counts[ply.ended] = at_end
        if len(counts) == 1 and not counts.any():  # most plies of one game; of many games there is always one
            return
        gains = np.zeros(len(rewards))
        for event, amount in enumerate(self._amounts):
            if amount:
                gains += counts[:, event] * amount
        row_ids = gains.nonzero()[0]
        gains, movers, seats = gains[row_ids], self._movers[row_ids], rewards.shape[1]
        if self.zero_sum:
            rewards[row_ids] -= np.where(movers[:, None] == np.arange(seats), 0.0, gains[:, None] / (seats - 1))
        rewards[row_ids, movers] += gains


class EventReward(EventRewards, RewardWrapper):
    """Rewards named events of the game. **This changes the optimal policy**: a learner may come to prefer events to
    winning. `PotentialShaping` avoids that.

    * reward: on a ply in which an event happens n times, the seat that played it gets n · the event's amount in
      addition; with ``zero_sum`` the other seats pay for it in equal shares.
    * observation, action, info: unchanged.

    Each game's events are listed in its README; a ply includes the throws after it. An illegal move is not an event.
    """


class BatchEventReward(EventRewards, BatchRewardWrapper):
    """Rewards named events in a batch of N games of P seats: each row gets the rewards of `EventReward`, float32
    (N, P), bit for bit. Observations, actions, terminations, truncations, infos: unchanged."""


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
