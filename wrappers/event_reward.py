"""`EventReward` and, for batches, `BatchEventReward`: rewards for events such as a capture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.game import Game
from parlour.rulebook.compiling import kernel
from parlour.support.arguments import MAX_AMOUNT, flag, real_number, shown
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
        self._amounts = np.array(amounts_of(self._games.game, amounts))

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        """Also of an environment that version 0.3.0 has pickled, with the amounts by the numbers of events."""
        self.__dict__.update(attributes)
        if "_named" in attributes:
            named = dict(attributes["_named"])
            self._amounts = np.array([named.get(k, 0.0) for k in range(len(self._games.game.evaluation.EVENTS))])

    def before_ply(self) -> None:
        """Notes the states before the ply."""
        self._games.keep_final_events()
        self._games.keep_states_before()

    def changed(self, rewards: NDArray[np.float64], ply: Ply) -> bool:
        """Adds the rewards for the plies' events."""
        before, counts = self._games.finals.before, self._games.finals.events
        at_end = counts[ply.ended] if self._restarts else None
        happened = self._games.events(before, counts)
        if at_end is not None:
            counts[ply.ended] = at_end
            happened |= bool(at_end.any())
        return happened and pay(counts, self._amounts, before["to_act"], self.zero_sum, rewards)


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


@kernel
def pay(counts: Any, amounts: Any, movers: Any, zero_sum: bool, rewards: Any) -> bool:
    """Adds to ``rewards`` (N, P) what ``movers`` (int8 (N,)) get for their events, ``counts`` (int64 (N, E)). Returns
    whether that is anything."""
    seats, paid = rewards.shape[1], False
    for i in range(movers.shape[0]):
        gain = 0.0
        for event in range(amounts.shape[0]):
            gain += counts[i, event] * amounts[event]
        if gain == 0.0:
            continue
        paid = True
        for seat in range(seats):
            if seat == movers[i]:
                rewards[i, seat] += gain
            elif zero_sum:
                rewards[i, seat] -= gain / (seats - 1)
    return paid


def amounts_of(game: Game, amounts: object) -> list[float]:
    """One amount for each of the game's events; ValueError as `EventReward` says."""
    events = game.evaluation.EVENTS
    if not isinstance(amounts, Mapping):
        raise ValueError(f"amounts is a mapping from events of {game.id} to rewards, not {shown(amounts)}")
    for event, amount in amounts.items():
        if event not in events:
            raise ValueError(f"{game.id} has no event {event!r}; events: {listing(events)}")
        real_number(f"the amount for {event!r}", amount, -MAX_AMOUNT, MAX_AMOUNT)
    return [float(amounts.get(event, 0.0)) for event in events]
