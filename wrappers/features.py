"""`Features`: what the value networks of a game see, as a vector."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from parlour.players.inputs import DTYPES, features_of, features_space
from parlour.support.arguments import one_of
from parlour.wrappers.base import ObservationWrapper, bottom_of, parts_of, planes_of, renumbers
from parlour.wrappers.batch_base import BatchObservationWrapper

ROW = np.zeros(1, np.int64)
"""The row of the only game."""


class Features(ObservationWrapper):
    """Shows a game's own features instead of planes, where it has any: what the networks of ``parlour train`` see.

    * observation: int8 (C, H, W) becomes float32 (F,), 0 or 1: for each feature of the game's ``evaluation.py``, and
      each of its thresholds, 1 if the number is at least the threshold. The mask is unchanged.
    * action, reward, info: unchanged.

    For N games: `BatchFeatures`, and ``SelfPlayVectorEnv(…, inputs="features")``. A policy file for such inputs:
    `parlour.players.export_torch` with ``inputs="features"``.
    """

    def __init__(self, env: AECEnv[str, Any, Any], dtype: str = "float32") -> None:
        """``env``: an environment of a game with features, in wrappers that change neither observations nor actions, or
        in none; ``dtype``: ``"float32"``, or ``"int8"`` for the same numbers in a quarter of the memory. ValueError for
        any other."""
        games = bottom_of(env).games
        self._space = features_space(games.game, one_of("dtype", dtype, DTYPES))
        planes = planes_of(env.observation_space(env.possible_agents[0]))
        if renumbers(env) or planes.shape != games.layout.shape or planes.dtype != np.int8:
            raise ValueError(f"Features goes beneath wrappers that change observations or actions, not on {env!r}")
        self._seats = {agent: np.full(1, seat) for seat, agent in enumerate(env.possible_agents)}
        super().__init__(env)

    def seen_space(self, space: spaces.Space[Any]) -> spaces.Space[Any]:
        """A vector."""
        return spaces.Dict({**parts_of(space), "observation": self._space})

    def see(self, observation: Any, agent: str) -> Any:
        """The features."""
        (vector,) = features_of(self.game_env.games, ROW, self._seats[agent])
        observation["observation"] = vector.astype(self._space.dtype)
        return observation


class BatchFeatures(BatchObservationWrapper):
    """Shows the features of N games: each row sees, bit for bit, what `Features` shows of its seat to act.

    * observations: int8 (N, C, H, W) become float32 or int8 (N, F), new arrays at each step.
    * infos: with ``same_step`` there is no ``"final_obs"``, and nothing about it: the features of a game that has
      begun again are the new game's.
    * actions, rewards, terminations, truncations: unchanged.
    """

    def seen_space(self, dtype: str) -> spaces.Box:
        """A vector."""
        return features_space(self.batch.game, dtype)

    def seen(self, planes: NDArray[np.int8]) -> NDArray[Any]:
        """The features of all games now."""
        seats = self._games.states["to_act"].copy()
        return features_of(self._games, np.arange(len(seats)), seats).astype(self._space.dtype)

    def final(self, infos: dict[str, Any]) -> None:
        """Nothing is known."""
        for name in ("final_obs", "_final_obs", "final_to_act"):
            del infos[name]
