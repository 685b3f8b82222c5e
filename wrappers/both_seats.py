"""`BothSeatsRollout`: training rows from games in which every seat learns, on the batch engine.

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

Learner: TypeAlias = "Callable[[NDArray[Any], NDArray[np.int8]], Any]"
"""``(observation, action_mask) -> actions``, or ``-> (actions, extras)``: int8 (N, C, H, W), or what a wrapper of the
batch has made of it, and int8 (N, A) to whole numbers (N,), and arrays of N rows by name, such as values and
log-probabilities."""


@dataclass
class Rollout:
    """T plies of N games; each ply is a training row of the seat that played it.

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
    row of a rollout are dropped.
    """

    def __init__(self, batch: AnyBatch, steps: int) -> None:
        """``batch``: from `parlour.make_batch`, with ``autoreset="same_step"``, or such a batch in wrappers.
        ``steps``: T, at least 1. ValueError for anything else."""
        if not isinstance(getattr(batch, "unwrapped", None), Batch):
            raise ValueError(f"BothSeatsRollout plays a batch of parlour.make_batch(), not {batch!r}")
        if batch.metadata["autoreset_mode"] != AutoresetMode.SAME_STEP:
            raise ValueError("BothSeatsRollout needs a batch with autoreset='same_step': every step is a ply then")
        self.batch, self.steps = batch, whole_number("steps", steps, 1)
        self._seen: Any = None  # the latest observations

    def reset(self, seed: int | None = None) -> None:
        """Begins new games; the first `collect` does it if nobody has."""
        self._seen, _ = self.batch.reset(seed=seed)

    def collect(self, learner: Learner) -> Rollout:
        """Plays T steps; games of the previous rollout continue."""
        if self._seen is None:
            self.reset()
        batch, everyone = self.batch, np.arange(self.batch.num_games)
        rollout = self._empty()
        latest = np.full((batch.num_games, batch.num_seats), -1)  # the step of each seat's latest ply in this game
        for t in range(self.steps):
            rollout.observation[t], rollout.action_mask[t] = self._seen["observation"], self._seen["action_mask"]
            seats = rollout.to_act[t] = batch.unwrapped.games.states["to_act"]
            earlier = latest[everyone, seats]
            again = (earlier >= 0).nonzero()[0]
            rollout.following[earlier[again], again] = t
            latest[everyone, seats] = t
            actions = self._ask(learner, t, rollout)
            self._seen, rewards, terminations, truncations, _ = batch.step(actions)
            rollout.actions[t] = actions
            game, seat = (latest >= 0).nonzero()
            rollout.rewards[latest[game, seat], game] += rewards[game, seat]
            for flags, ends in ((rollout.terminated, terminations), (rollout.truncated, truncations)):
                flags[latest[game, seat], game] |= ends[game]
            latest[terminations | truncations] = -1
        _look_back(rollout)
        return rollout

    def _empty(self) -> Rollout:
        """Before its first step, with ``_seen`` up to date."""
        sizes, seen = (self.steps, self.batch.num_games), self._seen
        return Rollout(
            observation=np.empty((self.steps, *seen["observation"].shape), seen["observation"].dtype),
            action_mask=np.empty((self.steps, *seen["action_mask"].shape), np.int8),
            actions=np.empty(sizes, np.int64),
            to_act=np.empty(sizes, np.int8),
            rewards=np.zeros(sizes),
            returns=np.zeros(sizes),
            following=np.full(sizes, -1),
            terminated=np.zeros(sizes, np.bool_),
            truncated=np.zeros(sizes, np.bool_),
            waiting=np.zeros(sizes, np.bool_),
            unfinished=np.zeros(sizes, np.bool_),
            extras={},
        )

    def _ask(self, learner: Learner, t: int, rollout: Rollout) -> Any:
        """The learner's actions in step t. It gets the rollout's own arrays, which later steps do not change."""
        answer = learner(rollout.observation[t], rollout.action_mask[t])
        actions, extras = answer if isinstance(answer, tuple) else (answer, {})
        for name, part in extras.items():
            values = np.asarray(part)
            if name not in rollout.extras:
                rollout.extras[name] = np.zeros((self.steps, *values.shape), values.dtype)
            rollout.extras[name][t] = values
        return actions


def _look_back(rollout: Rollout) -> None:
    """Fills in what is known only at the end, from the last step to the first."""
    rollout.waiting[:] = (rollout.following < 0) & ~rollout.terminated & ~rollout.truncated
    for t in range(len(rollout.actions) - 1, -1, -1):
        game = (rollout.following[t] >= 0).nonzero()[0]
        later = rollout.following[t, game]
        rollout.returns[t] = rollout.rewards[t]
        rollout.returns[t, game] += rollout.returns[later, game]
        rollout.unfinished[t] = rollout.waiting[t]
        rollout.unfinished[t, game] = rollout.unfinished[later, game]
