"""The bases of wrappers of a batch: one for those that change its rewards, one for those that change what is seen."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from parlour.engine.games import Games
from parlour.interfaces.batch import Batch
from parlour.players.inputs import DTYPES
from parlour.rulebook.protocol import RUNNING
from parlour.support.arguments import one_of, reset_options
from parlour.support.copied import CopiedWhole
from parlour.wrappers.base import Ply, RewardRows

BatchStep = tuple[Any, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]
AnyBatch: TypeAlias = "Batch | BatchWrapper"
"""A batch, wrapped or not."""


class BatchWrapper(CopiedWhole):
    """Changes nothing.

    Attributes:
        env: the wrapped batch, or another wrapper; all its attributes are available here too.
        batch: the innermost batch.
    """

    def __init__(self, env: AnyBatch) -> None:
        """``env``: a batch of `parlour.make_batch`, wrapped or not; ValueError for anything else."""
        batch = getattr(env, "unwrapped", None)
        if not isinstance(batch, Batch):
            raise ValueError(f"{type(self).__name__} wraps batches of parlour.make_batch(), not {env!r}")
        self.env = env
        self.batch: Batch = batch
        self._games: Games = batch.games

    def __getattr__(self, name: str) -> Any:
        """Attributes of the wrapped batch: spaces, `Batch.sample_actions` and the rest."""
        if name.startswith("_") or name == "env":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(self.env, name)

    @property
    def unwrapped(self) -> Batch:
        """The innermost batch."""
        return self.batch

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.env!r}>"


class BatchObservationWrapper(BatchWrapper):
    """Changes what a batch shows under ``"observation"``: a subclass defines `seen_space` and `seen`. N games.

    `reset`, `step` and `copy_rows` return it, as new arrays. All else is that of the batch beneath: after-states show
    planes, and a clone is not wrapped.

    Attributes:
        single_observation_space, observation_space: those of one game and of N.
    """

    def __init__(self, env: AnyBatch, dtype: str = "float32") -> None:
        """``env``: a batch that shows its planes; ``dtype``: ``"float32"``, or ``"int8"`` for a quarter of the memory.
        ValueError for anything else."""
        super().__init__(env)
        if env.single_observation_space is not self.batch.single_observation_space:
            raise ValueError(f"{type(self).__name__} needs the planes of a batch, and {env!r} has changed them")
        self._space = self.seen_space(one_of("dtype", dtype, DTYPES))
        parts = {**env.single_observation_space.spaces, "observation": self._space}
        self.single_observation_space = spaces.Dict(parts)
        self.observation_space = batch_space(self.single_observation_space, self.batch.num_games)

    def seen_space(self, dtype: str) -> spaces.Box:
        """The space of the new ``"observation"`` of one game."""
        raise NotImplementedError

    def seen(self, planes: NDArray[np.int8]) -> NDArray[Any]:
        """What is seen of all games now, whose planes are int8 (N, C, H, W)."""
        raise NotImplementedError

    def final(self, infos: dict[str, Any]) -> None:
        """Changes ``"final_obs"`` in the infos of a step: what is made of the last planes, 0 where none are."""
        final_obs, ended = infos["final_obs"], infos["_final_obs"]
        seen = np.zeros((len(ended), *self._space.shape), self._space.dtype)
        seen[ended] = self.seen(final_obs["observation"][ended])
        infos["final_obs"] = {**final_obs, "observation": seen}

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """See `Batch.reset`."""
        observations, infos = self.env.reset(seed=seed, options=options)
        return self._shown(observations), infos

    def step(self, actions: Any) -> BatchStep:
        """See `Batch.step`."""
        observations, rewards, terminations, truncations, infos = self.env.step(actions)
        if "final_obs" in infos:
            self.final(infos)
        return self._shown(observations), rewards, terminations, truncations, infos

    def copy_rows(self, *args: Any, **kwargs: Any) -> tuple[Any, dict[str, Any]]:
        """See `Batch.copy_rows`."""
        observations, infos = self.env.copy_rows(*args, **kwargs)
        return self._shown(observations), infos

    def _shown(self, observations: Any) -> Any:
        return {**observations, "observation": self.seen(observations["observation"])}


class BatchRewardWrapper(BatchWrapper, RewardRows):
    """Changes the rewards of a batch: its other base, a `RewardRows`, says how. N games, P seats.

    In every autoreset mode it knows in which games a step has played a ply, ended the game or begun a new one.

    Attributes:
        exact: float64 (N, P), the rewards of the latest step before they are rounded.
    """

    exact: NDArray[np.float64]

    def __init__(self, env: AnyBatch) -> None:
        """ValueError as `BatchWrapper`."""
        super().__init__(env)
        self._mode = self.batch.metadata["autoreset_mode"]
        self._over = np.zeros(self.batch.num_games, np.bool_)

    @property
    def _restarts(self) -> bool:
        return bool(self._mode == AutoresetMode.SAME_STEP)

    def copy_rows(self, *args: Any, **kwargs: Any) -> None:
        """Always raises ValueError: the wrapper has no data on a copied game."""
        raise ValueError(f"{type(self).__name__} can't copy games; use copy_rows between batches that are not wrapped")

    def _exact_beneath(self) -> NDArray[np.float64]:
        """The rewards that this wrapper changes, before they are rounded: those of the next one, or of the games."""
        env = self.env
        while isinstance(env, BatchObservationWrapper):
            env = env.env
        return env.exact if isinstance(env, BatchRewardWrapper) else self._games.rewards

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """See `Batch.reset`."""
        seen = self.env.reset(seed=seed, options=options)
        mask = reset_options(options).get("reset_mask")
        row_mask = np.ones_like(self._over) if mask is None else mask
        self._over = np.where(row_mask, self._games.states["end"] != RUNNING, self._over)
        self.begun(row_mask)
        return seen

    def step(self, actions: Any) -> BatchStep:
        """See `Batch.step`; the rewards are a new array each time."""
        self.before_ply()
        seen, _, terminations, truncations, infos = self.env.step(actions)
        over, played = terminations | truncations, ~self._over
        ended = over & played
        self.exact = shaped = self._exact_beneath().copy()
        ply = Ply(played ^ ended, ended, terminations, bool(ended.any()))
        self.changed(shaped, ply)
        self._over = over
        if self._restarts and ply.any_ended:
            self._over = over & ~ended
            self.begun(ended)
        if self._mode == AutoresetMode.NEXT_STEP:
            self.begun(~played)
        return seen, shaped.astype(np.float32), terminations, truncations, infos
