"""Checks of the batch engine against single environments: the games are the same, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.interfaces.aec import GameEnv
from parlour.interfaces.batch import Batch
from parlour.interfaces.batch_arguments import AUTORESET
from parlour.testing.comparing import require, require_same, require_same_arrays, require_same_view
from parlour.testing.subject import Subject

ROWS, STEPS, LIMIT = 5, 160, 50
SEED = 12
NAMES = ("observation", "action_mask", "rewards", "terminations", "truncations", "to_act")
"""What a step returns, in this order"""


def check_batch(subject: Subject) -> None:
    """Each row of a batch plays exactly as the environment with its seed, in every autoreset mode, on one thread and on
    several."""
    for autoreset in AUTORESET:
        for threads in (1, 3):
            _Pair(subject, autoreset, threads).play()


class _Pair:
    """A batch, and an environment for each of its rows, which plays the same actions."""

    def __init__(self, subject: Subject, autoreset: str, threads: int) -> None:
        self.subject, self.autoreset = subject, autoreset
        self.batch = subject.make_batch(ROWS, seed=SEED, threads=threads, autoreset=autoreset, max_plies=LIMIT)
        self.envs = [subject.make(max_plies=LIMIT) for _ in range(ROWS)]
        for i, env in enumerate(self.envs):
            env.reset(seed=self.batch.seed_of(i))
        self.waiting = np.zeros(ROWS, np.bool_)  # rows whose game is over and has not been begun anew
        self.where = f"(autoreset {autoreset!r}, {threads} threads)"

    def play(self) -> None:
        obs, infos = self.batch.reset()
        for _ in range(STEPS):
            self._require_rows(obs, infos)
            actions = self.batch.sample_actions().copy()
            obs, rewards, terminations, truncations, infos = self.batch.step(actions)
            for i in range(ROWS):
                self._step_row(i, int(actions[i]), rewards[i], (terminations[i], truncations[i]), infos)
            if self.autoreset == "disabled" and self.waiting.all():
                obs, infos = self.batch.reset(options={"reset_mask": self.waiting})
                for env in self.envs:
                    env.reset()
                self.waiting[:] = False

    def _require_rows(self, obs: dict[str, Any], infos: dict[str, Any]) -> None:
        for i, env in enumerate(self.envs):
            self.subject.watch(env, self.batch.seed_of(i))
            what = f"row {i} of the batch {self.where}"
            require_same(f"the seat to act in {what}", f"player_{infos['to_act'][i]}", env.agent_selection)
            seen = {name: part[i] for name, part in obs.items()}
            require_same_view(what, env, seen, env.observe(env.agent_selection))
            require_same(f"the position in {what}", self.batch.position(i), env.position())

    def _step_row(self, i: int, action: int, rewards: Any, over: tuple[Any, Any], infos: dict[str, Any]) -> None:
        env, what = self.envs[i], f"row {i} of the batch {self.where}"
        self.subject.watch(env, self.batch.seed_of(i))
        if self.waiting[i]:
            require(not rewards.any(), f"rewards in {what}, although its game had ended before")
            if self.autoreset == "next_step":
                env.reset()
                self.waiting[i] = False
        else:
            env.step(action)
            expected = np.array(list(env.rewards.values()), np.float32)
            require_same(f"the rewards in {what}", rewards.tolist(), expected.tolist())
            if env.is_over():
                self._end_row(i, env, infos, what)
        if self.autoreset == "same_step" or not self.waiting[i]:
            return
        ended = any(env.terminations.values()), any(env.truncations.values())
        require_same(f"terminated and truncated in {what}", tuple(map(bool, over)), ended)

    def _end_row(self, i: int, env: GameEnv, infos: dict[str, Any], what: str) -> None:
        if self.autoreset != "same_step":
            self.waiting[i] = True
            return
        require(infos["_final_obs"][i], f"{what} has no final_obs, although its game ended")
        final = {name: part[i] for name, part in infos["final_obs"].items()}
        require_same_view(f"the end in {what}", env, final, env.observe(env.agent_selection))
        env.reset()


def check_threads(subject: Subject) -> None:
    """Games do not depend on the number of threads."""
    reference = _transcript(subject.make_batch(17, seed=5))
    for threads in (2, 5):
        threaded = _transcript(subject.make_batch(17, seed=5, threads=threads))
        for name, actual, expected in zip(NAMES, threaded, reference):
            require_same_arrays(f"{name} [step, row, …] on {threads} threads", actual, expected)


def _transcript(batch: Batch) -> list[Any]:
    """An array for each of `NAMES`, with its values at every step."""
    batch.reset()
    seen: list[Any] = []
    for _ in range(80):
        obs, rewards, terminations, truncations, infos = batch.step(batch.sample_actions())
        parts = (*obs.values(), rewards, terminations, truncations, infos["to_act"])
        seen.append([part.copy() for part in parts])
    return [np.stack(part) for part in zip(*seen)]


def check_rows(subject: Subject) -> None:
    """Rows do not affect each other: if one row plays other actions than in a second batch, the other rows stay the
    same."""
    rows, odd = 7, 3
    ours, theirs = (subject.make_batch(rows, seed=3, copy=True) for _ in range(2))
    ours.reset()
    seen, _ = theirs.reset()
    others = np.arange(rows) != odd
    for step in range(80):
        actions, changed = ours.sample_actions().copy(), theirs.sample_actions().copy()
        legal = np.flatnonzero(seen["action_mask"][odd])
        if step >= 10 and len(legal) > 1:
            changed[odd] = legal[0] if legal[0] != actions[odd] else legal[-1]
        usual_seen, *usual_rest = ours.step(actions)
        seen, *rest = theirs.step(changed)
        actual: list[Any] = [*seen.values(), *rest[:3]]
        expected: list[Any] = [*usual_seen.values(), *usual_rest[:3]]
        for name, part, usual in zip(NAMES, actual, expected):
            require_same_arrays(f"{name} of the other rows at step {step}", part[others], usual[others])
