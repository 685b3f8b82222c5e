"""`PotentialShaping` and, for batches, `BatchPotentialShaping`.

Rewards for reaching better positions; optimal play stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv

from parlour.interfaces.aec import GameEnv
from parlour.rulebook.compiling import kernel
from parlour.support.arguments import MAX_AMOUNT, is_whole, real_number, shown
from parlour.wrappers.base import Ply, RewardRows, RewardWrapper
from parlour.wrappers.batch_base import BatchRewardWrapper

Anneal: TypeAlias = "int | Callable[[int], float] | None"
Potential: TypeAlias = "Callable[[GameEnv, int], float] | None"


class ShapedRewards(RewardRows):
    """What `PotentialShaping` does, for N games of P seats."""

    potential: Potential = None
    """Of one game; None: the game's own."""

    def __init__(self, env: Any, gamma: float = 1.0, anneal: Anneal = None) -> None:
        """See `PotentialShaping`. ValueError for arguments that are not valid, or a game without a potential."""
        super().__init__(env)
        game = self._games.game
        if self.potential is None and not game.has_potential:
            raise ValueError(f"{game.id} has no potential: its evaluation.py defines none")
        self.gamma, self.anneal = real_number("gamma", gamma, 0, 1, above=True), check_anneal(anneal)
        self._prepare()

    def _prepare(self) -> None:
        games, seats = self._games.rewards.shape
        self.episodes, self.weights = np.full(games, -1), np.ones(games)
        self._potentials = np.zeros(games)  # for the seats to act
        self._held = np.full((games, seats), np.nan)  # where each seat last came to act; NaN: nowhere, or it is out
        self._games.keep_final_potentials()

    def reset(self, *args: Any, **kwargs: Any) -> Any:
        """See `GameEnv.reset` or `Batch.reset`."""
        seen = super().reset(*args, **kwargs)
        self._look()
        hold(self._potentials, self._games.to_act, self._held)
        return seen

    def begun(self, row_mask: NDArray[np.bool_]) -> None:
        """Nobody has acted yet in these rows; the seat to act is about to."""
        self._held[row_mask] = np.nan
        hold(self._potentials, self._games.to_act, self._held)
        self.episodes[row_mask] += 1
        if self.anneal is not None:
            self.weights[row_mask] = [weight_of(self.anneal, episode) for episode in self.episodes[row_mask].tolist()]

    def changed(self, rewards: NDArray[np.float64], ply: Ply) -> bool:
        """With the terms of the seats that are to act next; in rows that ended, of all that have acted."""
        self._look()
        shape(ply.going_on, self._potentials, self._games.to_act, self._held, self.weights, self.gamma, rewards)
        out = self._games.seats_out()
        if out is not None:
            rows, seats = (out & ply.going_on[:, None] & ~np.isnan(self._held)).nonzero()
            rewards[rows, seats] -= self.weights[rows] * self._held[rows, seats]
            self._held[rows, seats] = np.nan
        if ply.any_ended:
            rewards[ply.ended] += self._last_terms(ply)
        return True

    def _last_terms(self, ply: Ply) -> NDArray[np.float64]:
        """For every seat of the rows that ended; 0 where it has not acted, or was out before."""
        held, last = self._held[ply.ended], self._last_potentials()[ply.ended].astype(np.float64)
        return np.where(np.isnan(held), 0.0, self.weights[ply.ended, None] * (self.gamma * last - held))

    def _look(self) -> None:
        """How the positions stand for the seats to act."""
        self._games.mover_potentials(self._potentials)

    def _last_potentials(self) -> NDArray[Any]:
        """How the last positions of games that this step has ended stand for each seat: (N, P); 0 for a result."""
        last = self._games.finals.potentials
        if not self._restarts:
            self._games.potentials(last)
        return last


class PotentialShaping(ShapedRewards, RewardWrapper):
    """Adds Ng, Harada & Russell's potential-based shaping (ICML 1999) to the rewards, for each seat between its own
    plies.

    * reward: let s be the position in which a seat acted and s' the one in which it is next to act. The step that leads
      to s' adds weight · (γ φ(s') − φ(s)) to that seat's reward, where φ is the potential as that seat sees it.

      When the game ends by a result, or by an illegal move, every seat that has acted gets weight · (0 − φ(s)) in that
      step; a seat that is out of a game that goes on gets it in the step that puts it out. When the game is truncated,
      it is weight · (γ φ(s') − φ(s)), where s' is the last position: there a learner bootstraps from its own value of
      s'. A seat that has never acted gets nothing.
    * observation, action, info: unchanged.

    So the shaping terms of a finished game, discounted by γ for each ply of the seat, add up to −φ of the first
    position in which the seat acted, whatever was played. The optimal policy against any opponents is therefore
    unchanged, for a learner that discounts by the same γ per own ply. (For truncated games this holds if the learner
    bootstraps.)

    Each game's own potential, from −1 to 1, is described in its README. The weight is 1 unless `anneal` says otherwise.
    Episodes count from 0 at the first `reset`, and go on counting when a reset gives a seed.

    Attributes:
        gamma, potential, anneal: as given.
        episode: the number of the present episode; −1 before the first `reset`.
        weight: the present episode's.
    """

    def __init__(
        self, env: AECEnv[str, Any, Any], gamma: float = 1.0, potential: Potential = None, anneal: Anneal = None
    ) -> None:
        """Wraps ``env``.

        Args:
            env: an environment of `parlour.make`, wrapped or not.
            gamma: γ, the learner's discount for each ply of its own, above 0 and up to 1.
            potential: None for the game's own, compiled; or a function of the unwrapped environment and a seat (0, 1,
                …), which is asked in running and truncated games alone. (To be pickled, it has a name in a module.)
            anneal: None; or the number of episodes over which the weight falls evenly from 1 to 0; or a function from
                the episode's number to its weight.

        Raises:
            ValueError: for an argument that is not valid, or without one for a game that has no potential.
        """
        if potential is not None and not callable(potential):
            raise ValueError(f"potential is a function of (environment, seat), or None, not {shown(potential)}")
        self.potential = potential
        super().__init__(env, gamma, anneal)

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        """Also of what version 0.3.0 has pickled, which held potentials by the names of the seats."""
        self.__dict__.update(attributes)
        if isinstance(held := attributes["_held"], dict):
            self._prepare()
            self.episodes[:], self.weights[:] = attributes["episode"], attributes["weight"]
            self._held[0] = [held.get(agent, np.nan) for agent in self.possible_agents]

    @property
    def episode(self) -> int:
        """See the class."""
        return int(self.episodes[0])

    @property
    def weight(self) -> float:
        """See the class."""
        return float(self.weights[0])

    def _look(self) -> None:
        if self.potential is None:
            self._games.mover_potentials(self._potentials)
        elif not self.game_env.is_over():
            self._potentials[0] = self.potential(self.game_env, int(self._games.to_act[0]))

    def _last_potentials(self) -> NDArray[Any]:
        env, held = self.game_env, self._held[0].tolist()
        if env.terminations[env.agent_selection]:  # also of an illegal move, which the game's own rules don't know
            return np.zeros((1, len(held)))
        if self.potential is None:
            return super()._last_potentials()
        return np.array([[0.0 if before != before else self.potential(env, k) for k, before in enumerate(held)]])


class BatchPotentialShaping(ShapedRewards, BatchRewardWrapper):
    """Adds potential-based shaping by the game's own potential to the rewards of a batch of N games of P seats: each
    row gets the rewards of `PotentialShaping`, float32 (N, P), bit for bit. Observations, actions, terminations,
    truncations, infos: unchanged.

    The last terms of a game are part of the rewards of the step that ends it, in every autoreset mode; a step that only
    begins a new game adds nothing. Each row counts its own episodes, from 0 at the first `reset`, for `anneal`.

    Attributes:
        episodes: int64 (N,), the number of each row's present episode; −1 before the first `reset`.
        weights: float64 (N,), the weight of the shaping in it.
    """


@kernel
def hold(potentials: Any, to_act: Any, held: Any) -> None:
    """Writes the ``potentials`` (N,) of the seats to act into ``held`` (N, P)."""
    for i in range(to_act.shape[0]):
        held[i, to_act[i]] = potentials[i]


@kernel
def shape(going_on: Any, potentials: Any, to_act: Any, held: Any, weights: Any, gamma: float, rewards: Any) -> None:
    """Adds the terms of the seats to act to ``rewards`` (N, P), in the rows ``going_on`` (bool (N,)), and writes their
    potentials as `hold` does."""
    for i in range(to_act.shape[0]):
        if going_on[i]:
            seat = to_act[i]
            if not np.isnan(held[i, seat]):
                rewards[i, seat] += weights[i] * (gamma * potentials[i] - held[i, seat])
            held[i, seat] = potentials[i]


def check_anneal(anneal: Anneal) -> Anneal:
    """``anneal`` itself; ValueError if it is not valid."""
    if anneal is None or callable(anneal) or (is_whole(anneal) and anneal >= 1):
        return anneal
    raise ValueError(
        f"anneal {shown(anneal)} is not valid; valid: None, a whole number of episodes from 1 up, or a function from "
        "the episode's number to its weight"
    )


def weight_of(anneal: Anneal, episode: int) -> float:
    """The weight of the shaping in an episode (from 0). ValueError if a function gives no number up to `MAX_AMOUNT`."""
    if anneal is None:
        return 1.0
    if not callable(anneal):
        return max(0.0, 1.0 - episode / anneal)
    return real_number(f"anneal's weight of episode {episode}", anneal(episode), -MAX_AMOUNT, MAX_AMOUNT)
