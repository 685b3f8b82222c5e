"""`BothSeatsRollout` against a plain loop over AEC environments, one game after another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import parlour
from parlour.wrappers import BatchPotentialShaping, SelfPlayVectorEnv
from parlour.wrappers.both_seats import BothSeatsRollout, Rollout
from tests.support.cases import each_game
from tests.support.games import batch_of
from tests.wrappers.cases import by_what_it_sees

EXACT = ("actions", "to_act", "rewards", "following", "terminated", "truncated", "waiting", "unfinished")
SHORT: dict[str, Any] = {"max_plies": 40}


def plain_rows(env: Any, seed: int, steps: int) -> list[dict[str, Any]]:
    """What one game after another gives, a row a ply, by the definitions of `Rollout`."""
    env.reset(seed=seed)
    rows: list[dict[str, Any]] = []
    begun = 0  # the first row of this game
    for t in range(steps):
        agent = env.agent_selection
        seen = env.observe(agent)
        action = int(by_what_it_sees(seen["observation"][None], seen["action_mask"][None])[0])
        rows.append({**seen, "actions": action, "to_act": env.possible_agents.index(agent), "paid": []})
        env.step(action)
        rewards = [float(np.float32(reward)) for reward in env.rewards.values()]  # as a batch gives them
        for row in rows[begun:]:
            row["paid"].append(rewards[row["to_act"]])
        if env.is_over():
            for row in rows[begun:]:
                row["end"] = (t, env.terminations[agent], env.truncations[agent])
            env.reset()
            begun = t + 1
    for t, row in enumerate(rows):
        last, terminated, truncated = row.get("end", (steps - 1, False, False))
        own = [u for u in range(t + 1, last + 1) if rows[u]["to_act"] == row["to_act"]]
        until = own[0] - t if own else len(row["paid"])
        row.update(following=own[0] if own else -1, rewards=sum(row["paid"][:until]), returns=sum(row["paid"]))
        row.update(terminated=not own and terminated, truncated=not own and truncated)
        row.update(waiting=not own and "end" not in row, unfinished="end" not in row)
    return rows


@each_game
def test_every_row_is_that_of_a_plain_loop(game: str) -> None:
    n, steps = 3, 130
    batch = parlour.make_batch(game, n, seed=4, **SHORT)
    rollout = BothSeatsRollout(batch, steps).collect(by_what_it_sees)
    for i in range(n):
        expected = plain_rows(parlour.make(game, **SHORT), batch.seed_of(i), steps)
        for t, row in enumerate(expected):
            for name in ("observation", "action_mask"):
                np.testing.assert_array_equal(getattr(rollout, name)[t, i], row[name])
            for name in EXACT:
                assert getattr(rollout, name)[t, i] == row[name], (t, i, name)
            assert rollout.returns[t, i] == pytest.approx(row["returns"], abs=1e-12)  # summed up in another order
    assert rollout.truncated.any() or rollout.terminated.any()
    assert rollout.waiting.any()
    assert (rollout.following >= 0).any()


def test_rollouts_go_on_where_the_last_one_stopped() -> None:
    """Two of 20 steps are one of 40, except for what waits at the seam."""
    whole, halves = (parlour.make_batch("pig-v0", 5, seed=2, **SHORT) for _ in range(2))
    long = BothSeatsRollout(whole, 40).collect(by_what_it_sees)
    short = BothSeatsRollout(halves, 20)
    first, second = short.collect(by_what_it_sees), short.collect(by_what_it_sees)
    for name in ("observation", "action_mask", "actions", "to_act"):
        joined = np.concatenate([getattr(first, name), getattr(second, name)])
        np.testing.assert_array_equal(joined, getattr(long, name))
    complete = ~first.waiting
    np.testing.assert_array_equal(first.rewards[complete], long.rewards[:20][complete])
    assert not complete.all()
    known = ~second.unfinished
    np.testing.assert_array_equal(second.returns[known], long.returns[20:][known])


def test_of_a_vector_of_self_play_it_takes_the_learners_plies() -> None:
    """Beside a plain loop over the same games, with the seat of the learner drawn anew in each."""
    envs, plain = (SelfPlayVectorEnv("pig-v0", 4, "greedy", seed=5, **SHORT) for _ in range(2))
    rollout = BothSeatsRollout(envs, 40).collect(by_what_it_sees)
    seen, infos = plain.reset()
    for t in range(40):
        np.testing.assert_array_equal(rollout.observation[t], seen["observation"])
        np.testing.assert_array_equal(rollout.action_mask[t], seen["action_mask"])
        np.testing.assert_array_equal(rollout.to_act[t], infos["seat"])
        seen, rewards, terminated, truncated, infos = plain.step(rollout.actions[t])
        np.testing.assert_array_equal(rollout.rewards[t], rewards)
        np.testing.assert_array_equal(rollout.terminated[t], terminated)
        np.testing.assert_array_equal(rollout.truncated[t], truncated)
        ended = terminated | truncated
        np.testing.assert_array_equal(rollout.following[t], np.where(ended | (t == 39), -1, t + 1))
        np.testing.assert_array_equal(rollout.waiting[t], ~ended & (t == 39))
    assert rollout.terminated.any()
    assert len(set(rollout.to_act.flat)) > 1


def test_rewards_may_be_changed_by_a_wrapper() -> None:
    """Shaping without discount adds, from a seat's ply to its next one, the change of its potential: the rows of both
    games hold the same, except for what it adds."""
    plain, shaped = (parlour.make_batch("acey_ducey-v0", 4, seed=3) for _ in range(2))
    own = BothSeatsRollout(plain, 60).collect(by_what_it_sees)
    rollout = BothSeatsRollout(BatchPotentialShaping(shaped, gamma=1.0), 60).collect(by_what_it_sees)
    np.testing.assert_array_equal(own.observation, rollout.observation)
    added = (rollout.rewards - own.rewards)[~rollout.waiting]
    assert (np.abs(added) > 1e-3).mean() > 0.5
    potentials = np.zeros((60, 4))
    again = batch_of("acey_ducey-v0", 4, seed=3)
    for t in range(60):
        again.games.mover_potentials(potentials[t])
        again.step(own.actions[t])
    t, i = (rollout.following >= 0).nonzero()
    change = potentials[rollout.following[t, i], i] - potentials[t, i]
    np.testing.assert_allclose((rollout.rewards - own.rewards)[t, i], change, atol=1e-5)


def test_extras_are_kept_beside_the_actions() -> None:
    batch = parlour.make_batch("pig-v0", 3, seed=1, copy=True)
    counter = iter(range(100))

    def learner(observation: Any, mask: Any) -> Any:
        return by_what_it_sees(observation, mask), {"value": np.full((3, 2), next(counter), np.float32)}

    rollout = BothSeatsRollout(batch, 4).collect(learner)
    assert rollout.extras["value"].shape == (4, 3, 2)
    assert rollout.extras["value"].dtype == np.float32
    assert rollout.extras["value"][:, 0, 0].tolist() == [0, 1, 2, 3]


def test_arguments_that_are_not_valid() -> None:
    batch = parlour.make_batch("pig-v0", 3)
    with pytest.raises(ValueError, match="steps must be a whole number from 1 up, not 0"):
        BothSeatsRollout(batch, 0)
    with pytest.raises(ValueError, match="autoreset='same_step'"):
        BothSeatsRollout(parlour.make_batch("pig-v0", 3, autoreset="next_step"), 5)
    with pytest.raises(ValueError, match="plays a batch"):
        BothSeatsRollout(parlour.make("pig-v0"), 5)  # type: ignore[arg-type]
    with pytest.raises(parlour.IllegalMove):
        BothSeatsRollout(batch, 2).collect(lambda observation, mask: np.full(3, 99))
    assert isinstance(BothSeatsRollout(batch, 2).collect(by_what_it_sees), Rollout)
