"""A wrapped batch beside wrapped AEC environments: every row is given the same rewards, bit for bit."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np

import parlour

MODES = ("same_step", "next_step", "disabled")


def assert_rows_are_rewarded_alike(
    game: str, on_batch: Callable[[Any], Any], on_env: Callable[[Any], Any], autoreset: str, **options: Any
) -> None:
    """Random play through several games a row, the batch being copied on the way. ``on_batch`` and ``on_env`` wrap."""
    n, plies, changed, ended = 6, 130, 0, 0
    options = {"max_plies": 40, **options}
    batch = on_batch(parlour.make_batch(game, n, seed=4, autoreset=autoreset, **options))
    bare = parlour.make_batch(game, n, seed=4, autoreset=autoreset, **options)
    envs = [on_env(parlour.make(game, **options)) for _ in range(n)]
    for i, env in enumerate(envs):
        env.reset(seed=batch.seed_of(i))
    batch.reset()
    bare.reset()
    waiting = np.zeros(n, np.bool_)
    for ply in range(plies):
        if ply == plies // 3:
            batch = copy.deepcopy(batch)
        if ply == plies // 2:
            batch = pickle.loads(pickle.dumps(batch))
        if ply % 3 == 2:  # the first row is begun again from outside, whatever the others have come to
            mask = np.arange(n) == 0
            for each in (batch, bare):
                each.reset(options={"reset_mask": mask})
            envs[0].reset()
            waiting = waiting & ~mask
        actions = batch.sample_actions()
        _, rewards, terminations, truncations, _ = batch.step(actions)
        _, plain, *_ = bare.step(actions)
        assert rewards.dtype == np.float32
        assert rewards.shape == (n, batch.num_seats)
        changed += int((rewards != plain).sum())
        for i, env in enumerate(envs):
            if waiting[i]:
                assert not rewards[i].any()
                if autoreset == "next_step":
                    env.reset()
                continue
            env.step(int(actions[i]))
            expected = [env.rewards[agent] for agent in env.possible_agents]
            np.testing.assert_array_equal(rewards[i], np.array(expected, np.float32))
            if (terminations | truncations)[i]:
                ended += 1
                if autoreset == "same_step":
                    env.reset()
        waiting = (terminations | truncations) if autoreset != "same_step" else waiting
        if autoreset == "disabled" and waiting.sum() > n // 2:
            for each in (batch, bare):
                each.reset(options={"reset_mask": waiting})
            for i in waiting.nonzero()[0]:
                envs[i].reset()
            waiting = np.zeros(n, np.bool_)
    assert changed
    assert ended > n
