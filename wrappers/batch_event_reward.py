"""`BatchEventReward`: `EventReward` for a batch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from numpy.typing import NDArray
from parlour.wrappers.batch_base import BatchRewardWrapper
from parlour.wrappers.event_reward import amounts_of


class BatchEventReward(BatchRewardWrapper):
    """Rewards named events in a batch of N games of P seats. **This changes the game that is learnt**: see
    `EventReward`, whose rewards each row is given, bit for bit.

    * rewards: float32 (N, P), with those for the events of this step's plies, in every autoreset mode.
    * observations, actions, terminations, truncations, infos: unchanged.
    """

    def __init__(self, env: VectorEnv[Any, Any, Any], amounts: Mapping[str, float], zero_sum: bool = False) -> None:
        """``env``: a batch of `parlour.make_batch`. ``amounts``, ``zero_sum``: see `EventReward`."""
        super().__init__(env)
        self.zero_sum = zero_sum
        self._amounts = amounts_of(self.batch.game, amounts)
        self._counts = np.zeros((self.batch.num_games, len(self._amounts)), np.int64)
        self._movers = self._table.to_act.copy()
        self._table.keep_final_events()

    def before_ply(self) -> None:
        """What the events are counted from, and who acts."""
        self._table.remember()
        self._movers[:] = self._table.to_act

    def changed(
        self, rewards: NDArray[np.float64], played: NDArray[np.bool_], ended: NDArray[np.bool_], results: Any
    ) -> None:
        """With what the plies' events bring."""
        self._table.events(self._table.finals.before, self._counts)
        if self._mode == AutoresetMode.SAME_STEP:
            self._counts[ended] = self._table.finals.events[ended]
        gains = np.zeros(len(rewards))
        for event, amount in enumerate(self._amounts):  # in the order of `EventReward`, for equal sums to the last bit
            if amount:
                gains += self._counts[:, event] * amount
        rows = gains.nonzero()[0]
        gains, movers, seats = gains[rows], self._movers[rows], self.batch.num_seats
        if self.zero_sum:
            rewards[rows] -= np.where(movers[:, None] == np.arange(seats), 0.0, gains[:, None] / (seats - 1))
        rewards[rows, movers] += gains
