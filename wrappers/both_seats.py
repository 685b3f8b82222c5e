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

from parlour.arguments import whole_number
from parlour.batch import Batch
from parlour.wrappers.batch_base import BatchRewardWrapper

Learner: TypeAlias = "Callable[[NDArray[np.int8], NDArray[np.int8]], Any]"
"""``(observation, action_mask) -> actions``, or ``-> (actions, extras)``: int8 (N, C, H, W) and int8 (N, A) to whole
numbers (N,), and arrays of N rows by name, such as values and log-probabilities."""


@dataclass
class Rows:
    """T plies of N games; each ply is a training row of the seat that played it.

    Attributes:
        observation: int8 (T, N, C, H, W), what the seat saw.
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

    observation: NDArray[np.int8]
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

    Observation, action and info are those of the `parlour.batch.Batch`. Each seat's rewards are added to its latest
    row, so that a row contains the result of its own ply and of the other seats' answers. Rewards before a seat's first
    row of a rollout are dropped.
    """

    def __init__(self, batch: Batch | BatchRewardWrapper, steps: int) -> None:
        """``batch``: from `parlour.make_batch`, with ``autoreset="same_step"``, or such a batch in wrappers that change
        its rewards. ``steps``: T, at least 1. ValueError for anything else."""
        if not isinstance(getattr(batch, "unwrapped", None), Batch):
            raise ValueError(f"BothSeatsRollout plays a batch of parlour.make_batch(), not {batch!r}")
        if batch.metadata["autoreset_mode"] != AutoresetMode.SAME_STEP:
            raise ValueError("BothSeatsRollout needs a batch with autoreset='same_step': every step is a ply then")
        self.batch, self.steps = batch, whole_number("steps", steps, 1)
        self._seen: Any = None  # what the batch showed last, and to whom
        self._looking: Any = None

    def reset(self, seed: int | None = None) -> None:
        """Begins new games; the first `collect` does it if nobody has."""
        self._seen, infos = self.batch.reset(seed=seed)
        self._looking = infos["to_act"]

    def collect(self, learner: Learner) -> Rows:
        """Plays T steps; games of the previous rollout continue."""
        if self._seen is None:
            self.reset()
        batch, everyone = self.batch, np.arange(self.batch.num_games)
        rows = self._empty()
        latest = np.full((batch.num_games, batch.num_seats), -1)  # the step of each seat's latest ply in this game
        for t in range(self.steps):
            rows.observation[t], rows.action_mask[t] = self._seen["observation"], self._seen["action_mask"]
            seats = rows.to_act[t] = self._looking
            earlier = latest[everyone, seats]
            again = (earlier >= 0).nonzero()[0]
            rows.following[earlier[again], again] = t
            latest[everyone, seats] = t
            actions = self._ask(learner, t, rows)
            self._seen, rewards, terminations, truncations, infos = batch.step(actions)
            rows.actions[t] = actions
            self._looking = infos["to_act"]
            game, seat = (latest >= 0).nonzero()
            rows.rewards[latest[game, seat], game] += rewards[game, seat]
            for flags, ends in ((rows.terminated, terminations), (rows.truncated, truncations)):
                flags[latest[game, seat], game] |= ends[game]
            latest[terminations | truncations] = -1
        _look_back(rows)
        return rows

    def _empty(self) -> Rows:
        """Empty rows."""
        sizes, layout = (self.steps, self.batch.num_games), self.batch.games.layout
        return Rows(
            observation=np.empty((*sizes, *layout.shape), np.int8),
            action_mask=np.empty((*sizes, layout.actions), np.int8),
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

    def _ask(self, learner: Learner, t: int, rows: Rows) -> Any:
        """The learner's actions in step t. It gets the rows' own arrays, which later steps do not change."""
        answer = learner(rows.observation[t], rows.action_mask[t])
        actions, extras = answer if isinstance(answer, tuple) else (answer, {})
        for name, part in extras.items():
            values = np.asarray(part)
            if name not in rows.extras:
                rows.extras[name] = np.zeros((self.steps, *values.shape), values.dtype)
            rows.extras[name][t] = values
        return actions


def _look_back(rows: Rows) -> None:
    """Fills in what is known only at the end, from the last step to the first."""
    rows.waiting[:] = (rows.following < 0) & ~rows.terminated & ~rows.truncated
    for t in range(len(rows.actions) - 1, -1, -1):
        game = (rows.following[t] >= 0).nonzero()[0]
        later = rows.following[t, game]
        rows.returns[t] = rows.rewards[t]
        rows.returns[t, game] += rows.returns[later, game]
        rows.unfinished[t] = rows.waiting[t]
        rows.unfinished[t, game] = rows.unfinished[later, game]
