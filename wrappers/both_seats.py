"""`BothSeatsRollout`: training rows from games in which every seat learns, or one, on the batch engine.

Axis letters: T steps, N games, C planes, H × W board, A actions, P seats.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from parlour.interfaces.batch import Batch
from parlour.support.arguments import whole_number
from parlour.wrappers.batch_base import AnyBatch
from parlour.wrappers.self_play_vector import SelfPlayVectorEnv

Learner: TypeAlias = "Callable[[NDArray[Any], NDArray[np.int8]], Any]"
"""``(observation, action_mask) -> actions``, or ``-> (actions, extras)``: int8 (N, C, H, W), or what a wrapper of the
batch has made of it, and int8 (N, A) to whole numbers (N,), and arrays of N rows by name, such as values and
log-probabilities. With a batch on a GPU all these are PyTorch tensors there."""
GPU = "cuda"
"""PyTorch's name of the device of a `parlour.interfaces.cuda_batch.CudaBatch`"""


@dataclass
class Rollout:
    """T plies of N games; each ply is a training row of the seat that played it. Of a batch on a GPU all arrays are
    PyTorch tensors there.

    Attributes:
        observation: int8 (T, N, C, H, W), what the seat saw, or what a wrapper of the batch has made of it.
        action_mask: int8 (T, N, A).
        actions: int64 (T, N).
        to_act: int8 (T, N), the seat.
        rewards: float64 (T, N): the sum of the seat's rewards from this ply until its own next one.
        returns: float64 (T, N): the sum of the seat's rewards from this ply until the end of the game.
        following: int64 (T, N): the step of the seat's own next ply; −1 if there is none up to the last step.
        terminated: bool (T, N): the game ended by a result before the seat's next ply.
        truncated: bool (T, N): the game was truncated before the seat's next ply.
        waiting: bool (T, N): the rollout stopped before the seat's next ply or the end, so ``rewards`` is incomplete.
        unfinished: bool (T, N): the rollout stopped before the end of the game, so ``returns`` is incomplete.
        extras: further arrays that the learner returned with its actions, each (T, N, …).
    """

    observation: NDArray[Any]
    action_mask: NDArray[np.int8]
    actions: NDArray[np.int64]
    to_act: NDArray[np.int8]
    rewards: NDArray[np.float64]
    returns: NDArray[np.float64]
    following: NDArray[np.int64]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    waiting: NDArray[np.bool_]
    unfinished: NDArray[np.bool_]
    extras: dict[str, NDArray[Any]]


class BothSeatsRollout:
    """Plays games of a batch with one learner in all seats: every ply of either seat is a training row.

    Observation, action and info are those of the batch. Each seat's rewards are added to its latest
    row, so that a row contains the result of its own ply and of the other seats' answers. Rewards before a seat's first
    row of a rollout are dropped. With a `SelfPlayVectorEnv` the rows are the plies of its learner's seat alone.

    With a batch on a GPU no step copies anything to the host or waits for the GPU, unless the learner does, or, rarely,
    the batch, which makes room for earlier positions. An action that is not legal raises when you call
    ``batch.check()``.
    """

    def __init__(self, batch: AnyBatch | SelfPlayVectorEnv, steps: int) -> None:
        """``batch``: from `parlour.make_batch`, with ``autoreset="same_step"``, or such a batch in wrappers; with
        ``device="cuda"`` it needs PyTorch; or a `SelfPlayVectorEnv`. ``steps``: T, at least 1. ValueError for anything
        else."""
        innermost: Any = getattr(batch, "unwrapped", None)
        self._innermost = innermost.batch if isinstance(innermost, SelfPlayVectorEnv) else innermost
        if not isinstance(self._innermost, Batch):
            from parlour.interfaces.cuda_batch import CudaBatch

            if not isinstance(innermost, CudaBatch):
                raise ValueError(
                    f"BothSeatsRollout plays a batch of parlour.make_batch() or a SelfPlayVectorEnv, not {batch!r}"
                )
        if batch.metadata["autoreset_mode"] != AutoresetMode.SAME_STEP:
            raise ValueError("BothSeatsRollout needs a batch with autoreset='same_step': every step is a ply then")
        self.batch: Any = batch
        self.steps = whole_number("steps", steps, 1)
        self._seen: Any = None  # the latest observations
        self._to_act: Any = None

    def reset(self, seed: int | None = None) -> None:
        """Begins new games; the first `collect` does it if nobody has."""
        self._look(*self.batch.reset(seed=seed))

    def collect(self, learner: Learner) -> Rollout:
        """Plays T steps; games of the previous rollout continue."""
        if self._seen is None:
            self.reset()
        batch, rollout = self.batch, self._empty()
        now, seats = (self._zeros(batch.num_envs, "int64") for _ in range(2))
        games = (now + 1).cumsum(0) - 1  # 0, 1, …, N − 1
        # The step of each seat's latest ply in this game; without one −1, the last row, which `_look_back` leaves out.
        latest = self._zeros((batch.num_envs, self._innermost.num_seats), "int64") - 1
        for t in range(self.steps):
            rollout.observation[t], rollout.action_mask[t] = self._seen["observation"], self._seen["action_mask"]
            seats[:] = rollout.to_act[t] = self._seats()
            rollout.following[latest[games, seats], games] = now
            latest[games, seats] = now
            actions = self._ask(learner, t, rollout)
            observations, *outcome, infos = batch.step(actions)
            self._look(observations, infos)
            rollout.actions[t] = self._read(actions)
            rewards, terminations, truncations = map(self._read, outcome)
            rollout.rewards[latest, games[:, None]] += rewards.reshape(batch.num_envs, -1)
            rollout.terminated[latest, games[:, None]] |= terminations[:, None]
            rollout.truncated[latest, games[:, None]] |= truncations[:, None]
            goes_on = ~(terminations | truncations)
            latest = (latest + 1) * goes_on[:, None] - 1
            now += 1  # an array, since a number that is written by an index would be copied to the GPU
        return _look_back(rollout, games)

    def _empty(self) -> Rollout:
        """Before its first step, with ``_seen`` up to date. The last row of arrays (T + 1, N) stands for no ply."""
        sizes, steps = (self.steps + 1, self.batch.num_envs), self.steps
        observation, action_mask = self._seen["observation"], self._seen["action_mask"]
        return Rollout(
            observation=self._zeros((steps, *observation.shape), observation.dtype),
            action_mask=self._zeros((steps, *action_mask.shape), "int8"),
            actions=self._zeros(sizes, "int64"),
            to_act=self._zeros(sizes, "int8"),
            rewards=self._zeros(sizes, "float64"),
            returns=self._zeros(sizes, "float64"),
            following=self._zeros(sizes, "int64") - 1,
            terminated=self._zeros(sizes, "bool"),
            truncated=self._zeros(sizes, "bool"),
            waiting=self._zeros(sizes, "bool"),
            unfinished=self._zeros(sizes, "bool"),
            extras={},
        )

    def _ask(self, learner: Learner, t: int, rollout: Rollout) -> Any:
        """The learner's actions in step t. It gets the rollout's own arrays, which later steps do not change."""
        answer = learner(rollout.observation[t], rollout.action_mask[t])
        actions, extras = answer if isinstance(answer, tuple) else (answer, {})
        for name, part in extras.items():
            values = self._read(part)
            if name not in rollout.extras:
                rollout.extras[name] = self._zeros((self.steps, *values.shape), values.dtype)
            rollout.extras[name][t] = values
        return actions

    @property
    def _on_cpu(self) -> bool:
        return isinstance(self._innermost, Batch)

    def _look(self, observations: Any, infos: dict[str, Any]) -> None:
        """Keeps what a batch shows of its games now."""
        self._seen = {name: self._read(part) for name, part in observations.items()}
        self._to_act = None if self._on_cpu else self._read(infos["to_act"])

    def _seats(self) -> Any:
        """The seats to act, int8 (N,); on the CPU those of the games themselves, since callers may write into infos."""
        return self._innermost.games.states["to_act"] if self._on_cpu else self._to_act

    def _read(self, array: Any) -> Any:
        """An array of a batch or a learner: for NumPy, or a tensor on the GPU. It shares the memory where it can."""
        if self._on_cpu:
            return np.asarray(array)
        import torch

        return torch.as_tensor(array, device=GPU).detach()

    def _zeros(self, shape: int | tuple[int, ...], dtype: Any) -> Any:
        """``dtype``: its name, or that of another array."""
        if self._on_cpu:
            return np.zeros(shape, dtype)
        import torch

        return torch.zeros(shape, dtype=getattr(torch, dtype) if isinstance(dtype, str) else dtype, device=GPU)


def _look_back(rollout: Rollout, games: Any) -> Rollout:
    """The rollout with what is known only at the end, filled in from the last step to the first, without the last row,
    whose returns are 0."""
    steps = len(rollout.observation)
    rollout.waiting = (rollout.following < 0) & ~rollout.terminated & ~rollout.truncated
    for t in range(steps - 1, -1, -1):
        later = rollout.following[t]
        rollout.returns[t] = rollout.rewards[t] + rollout.returns[later, games]
        rollout.unfinished[t] = rollout.waiting[t] | rollout.unfinished[later, games]
    parts = {name: part[:steps] for name, part in vars(rollout).items() if name != "extras"}
    return Rollout(**parts, extras=rollout.extras)
