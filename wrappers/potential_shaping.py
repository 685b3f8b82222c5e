"""`PotentialShaping` and, for batches, `BatchPotentialShaping`.

Rewards for reaching better positions; optimal play stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray
from pettingzoo import AECEnv

from parlour.engine.game import Game
from parlour.interfaces.aec import GameEnv
from parlour.support.arguments import MAX_AMOUNT, is_number, is_whole, shown
from parlour.support.errors import listing
from parlour.wrappers.base import RewardWrapper
from parlour.wrappers.batch_base import AnyBatch, BatchRewardWrapper

Anneal: TypeAlias = "int | Callable[[int], float] | None"


class PotentialShaping(RewardWrapper):
    """Adds Ng, Harada & Russell's potential-based shaping (ICML 1999) to the rewards, for each seat between its own
    plies.

    * reward: let s be the position in which a seat acted and s' the one in which it is next to act. The step that leads
      to s' adds weight · (γ φ(s') − φ(s)) to that seat's reward, where φ is the potential as that seat sees it.

      When the game ends by a result, or by an illegal move, every seat that has acted gets weight · (0 − φ(s)) in that
      step. When it is truncated, it gets weight · (γ φ(s') − φ(s)), where s' is the last position: there a learner
      bootstraps from its own value of s'. A seat that has never acted gets nothing.
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
        self,
        env: AECEnv[str, Any, Any],
        gamma: float = 1.0,
        potential: Callable[[GameEnv, int], float] | None = None,
        anneal: Anneal = None,
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
        super().__init__(env)
        if potential is not None and not callable(potential):
            raise ValueError(f"potential is a function of (environment, seat), or None, not {shown(potential)}")
        if potential is None:
            require_potential(self.game_env.game)
        self.gamma = check_gamma(gamma)
        self.anneal = check_anneal(anneal)
        self.episode, self.weight = -1, 1.0
        self.potential = potential
        self._game_env, self._games = self.game_env, self.game_env.games
        self._games.score_plies()
        self._seats = {agent: seat for seat, agent in enumerate(env.possible_agents)}
        self._held: dict[str, float] = {}

    def begun(self) -> None:
        """Nobody has acted yet; the seat to act is about to."""
        self.episode += 1
        self.weight = weight_of(self.anneal, self.episode)
        self._held.clear()
        agent = self.env.agent_selection
        if not (self.terminations[agent] or self.truncations[agent]):  # resumed from a text, a game may be over
            self._held[agent] = self._potential(agent)

    def changed(self, rewards: dict[str, float], agent: str) -> dict[str, float]:
        """With the term of the seat that is to act next; at the end, of all that have acted."""
        env, held = self.env, self._held
        if self._game_env._over:
            return self._ended(rewards, env.terminations[agent])
        mover = env.agent_selection
        potential = self._games.potential_to_act if self.potential is None else self._potential(mover)
        before = held.get(mover)
        held[mover] = potential
        if before is None:
            return rewards
        extra = self.weight * (self.gamma * potential - before)
        return {**rewards, mover: rewards[mover] + extra} if extra else rewards

    def _potential(self, agent: str) -> float:
        seat = self._seats[agent]
        return self._games.potential_one(seat) if self.potential is None else self.potential(self._game_env, seat)

    def _ended(self, rewards: dict[str, float], by_result: bool) -> dict[str, float]:
        shaped = rewards.copy()
        for agent, before in self._held.items():
            last = 0.0 if by_result else self._potential(agent)
            shaped[agent] += self.weight * (self.gamma * last - before)
        return shaped


class BatchPotentialShaping(BatchRewardWrapper):
    """Adds potential-based shaping by the game's own potential to the rewards of a batch of N games of P seats.

    * rewards: float32 (N, P). Each row gets, bit for bit, what `PotentialShaping` gives the same games; the
      definition is there. The last terms of a game are part of the rewards of the step that ends it, in every
      autoreset mode; a step that only begins a new game adds nothing.
    * observations, actions, terminations, truncations, infos: unchanged.

    Each row counts its own episodes, from 0 at the first `reset`, for `anneal`.

    Attributes:
        episodes: int64 (N,), the number of each row's present episode; −1 before the first `reset`.
        weights: float64 (N,), the weight of the shaping in it.
    """

    def __init__(self, env: AnyBatch, gamma: float = 1.0, anneal: Anneal = None) -> None:
        """See `PotentialShaping`. ValueError for arguments that are not valid, or a game without a potential."""
        super().__init__(env)
        require_potential(self.batch.game)
        self.gamma, self.anneal = check_gamma(gamma), check_anneal(anneal)
        games, seats = self.batch.num_games, self.batch.num_seats
        self.episodes, self.weights = np.full(games, -1), np.ones(games)
        self._corners = np.arange(games) * seats  # where each row begins in a flattened (N, P)
        self._potentials = np.zeros(games, np.float32)  # for the seats to act
        self._held = np.full((games, seats), np.nan)  # of the position in which each seat last acted; NaN: in none
        self._games.keep_final_potentials()

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """See `Batch.reset`."""
        seen = super().reset(seed=seed, options=options)
        self._games.mover_potentials(self._potentials)
        return seen

    def begun(self, row_mask: NDArray[np.bool_]) -> None:
        """Nobody has acted yet in these rows."""
        self._held[row_mask] = np.nan
        self.episodes[row_mask] += 1
        if self.anneal is not None:
            self.weights[row_mask] = [weight_of(self.anneal, episode) for episode in self.episodes[row_mask].tolist()]

    def before_ply(self) -> None:
        """The seats to act do so, here."""
        self._held.ravel()[self._corners + self._games.states["to_act"]] = self._potentials

    def changed(
        self, rewards: NDArray[np.float64], played: NDArray[np.bool_], ended: NDArray[np.bool_], results: Any
    ) -> None:
        """With the terms of the seats that are to act next; in rows that ended, of all that have acted."""
        self._games.mover_potentials(self._potentials)
        places = self._corners + self._games.states["to_act"]
        terms = self.weights * (self.gamma * self._potentials.astype(np.float64) - self._held.ravel()[places])
        terms[np.isnan(terms) | ended | ~played] = 0.0
        rewards.ravel()[places] += terms
        if ended.any():
            rewards[ended] += self._last_terms(ended)

    def _last_terms(self, ended: NDArray[np.bool_]) -> NDArray[np.float64]:
        """For every seat of the rows that ended; 0 where it has not acted."""
        last = self._games.finals.potentials
        if self._mode != AutoresetMode.SAME_STEP:
            self._games.potentials(last)
        held = self._held[ended]
        terms = self.weights[ended, None] * (self.gamma * last[ended].astype(np.float64) - held)
        return np.where(np.isnan(held), 0.0, terms)


def require_potential(game: Game) -> None:
    """ValueError for a game that does not say how well positions stand."""
    if not game.has_potential:
        raise ValueError(f"{game.id} has no potential: its evaluation.py defines none")


def check_gamma(gamma: object) -> float:
    """A discount as float; ValueError unless it is above 0 and at most 1."""
    if not is_number(gamma) or not 0 < gamma <= 1:
        raise ValueError(f"gamma is a number above 0 and up to 1, not {shown(gamma)}")
    return float(gamma)


def check_anneal(anneal: Anneal) -> Anneal:
    """``anneal`` itself; ValueError if it is not valid."""
    if anneal is None or callable(anneal) or (is_whole(anneal) and anneal >= 1):
        return anneal
    kinds = ["None", "a whole number of episodes from 1 up", "a function from the episode's number to its weight"]
    raise ValueError(f"anneal {shown(anneal)} is not valid; valid: {listing(kinds)}")


def weight_of(anneal: Anneal, episode: int) -> float:
    """The weight of the shaping in an episode (from 0). ValueError if a function gives no number up to `MAX_AMOUNT`."""
    if anneal is None:
        return 1.0
    if not callable(anneal):
        return max(0.0, 1.0 - episode / anneal)
    weight = anneal(episode)
    if not is_number(weight) or abs(weight) > MAX_AMOUNT:
        raise ValueError(
            f"anneal gave the weight {shown(weight)} for episode {episode}; weights are numbers from {-MAX_AMOUNT:g} "
            f"to {MAX_AMOUNT:g}"
        )
    return float(weight)
