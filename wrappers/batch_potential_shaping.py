"""`BatchPotentialShaping`: `PotentialShaping` for a batch."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from numpy.typing import NDArray
from parlour.wrappers.batch_base import BatchRewardWrapper
from parlour.wrappers.potential_shaping import Anneal, check_anneal, check_gamma, weight_of


class BatchPotentialShaping(BatchRewardWrapper):
    """Adds potential-based shaping by the game's own potential to the rewards of a batch of N games of P seats.

    * rewards: float32 (N, P). Each row is given, bit for bit, what `PotentialShaping` gives the same games, which tells
      the whole definition. In the step that ends a game its last terms are among that step's rewards, in every
      autoreset mode; a step that only begins a row anew adds nothing.
    * observations, actions, terminations, truncations, infos: unchanged.

    Each row counts its own episodes, from 0 at the first `reset`, for `anneal`.

    Attributes:
        episodes: int64 (N,), the number of each row's present episode; −1 before the first `reset`.
        weights: float64 (N,), the weight of the shaping in it.
    """

    def __init__(self, env: VectorEnv[Any, Any, Any], gamma: float = 1.0, anneal: Anneal = None) -> None:
        """``env``: a batch of `parlour.make_batch`. ``gamma``, ``anneal``: see `PotentialShaping`."""
        super().__init__(env)
        self.gamma, self.anneal = check_gamma(gamma), check_anneal(anneal)
        games, seats = self.batch.num_games, self.batch.num_seats
        self.episodes, self.weights = np.full(games, -1), np.ones(games)
        self._corners = np.arange(games) * seats  # where each row begins in a flattened (N, P)
        self._potentials = np.zeros(games, np.float32)  # for the seats to act
        self._held = np.full((games, seats), np.nan)  # of the position in which each seat last acted; NaN: in none
        self._table.keep_final_potentials()

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """See `Batch.reset`."""
        seen = super().reset(seed=seed, options=options)
        self._table.mover_potentials(self._potentials)
        return seen

    def begun(self, rows: NDArray[np.bool_]) -> None:
        """Nobody has acted yet in these rows."""
        self._held[rows] = np.nan
        self.episodes[rows] += 1
        if self.anneal is not None:
            self.weights[rows] = [weight_of(self.anneal, episode) for episode in self.episodes[rows].tolist()]

    def before_ply(self) -> None:
        """The seats to act do so, here."""
        self._held.ravel()[self._corners + self._table.to_act] = self._potentials

    def changed(
        self, rewards: NDArray[np.float64], played: NDArray[np.bool_], ended: NDArray[np.bool_], results: Any
    ) -> None:
        """With the terms of the seats that are to act next; in rows that ended, of all that have acted."""
        self._table.mover_potentials(self._potentials)
        places = self._corners + self._table.to_act
        terms = self.weights * (self.gamma * self._potentials.astype(np.float64) - self._held.ravel()[places])
        terms[np.isnan(terms) | ended | ~played] = 0.0
        rewards.ravel()[places] += terms
        if ended.any():
            rewards[ended] += self._last_terms(ended)

    def _last_terms(self, ended: NDArray[np.bool_]) -> NDArray[np.float64]:
        """For every seat of the rows that ended; 0 where it has not acted."""
        last = self._table.finals.potentials
        if self._mode != AutoresetMode.SAME_STEP:
            self._table.potentials(last)
        held = self._held[ended]
        terms = self.weights[ended, None] * (self.gamma * last[ended].astype(np.float64) - held)
        return np.where(np.isnan(held), 0.0, terms)
