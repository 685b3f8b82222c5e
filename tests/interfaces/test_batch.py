"""The batch face: bit for bit the AEC environments that its seeds name, on any number of threads, row by row apart."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, VectorEnv

import parlour
from parlour.interfaces.batch import Batch
from tests.support.games import batch_of, begun
from tests.wrappers.rows import MODES


def test_seeds_of_rows() -> None:
    batch = parlour.make_batch("pig-v0", 100, seed=0)
    seeds = [batch.seed_of(i) for i in range(100)]
    assert len(set(seeds)) == 100
    assert all(0 <= seed < 2**63 for seed in seeds)
    assert not set(seeds) & {parlour.make_batch("pig-v0", 100, seed=1).seed_of(i) for i in range(100)}
    batch.reset(seed=list(range(100)))
    assert [batch.seed_of(i) for i in range(100)] == list(range(100))
    with pytest.raises(IndexError, match="0 to 99"):
        batch.seed_of(100)
    with pytest.raises(ValueError, match="2 seeds were given; 100 games"):
        batch.reset(seed=[1, 2])


# --- as gymnasium's vector environments ---


@pytest.mark.parametrize("autoreset", MODES)
def test_has_the_surface_of_gymnasiums_vector_environments(autoreset: str) -> None:
    batch = parlour.make_batch("swords_and_shields-v0", 6, seed=0, autoreset=autoreset)
    assert batch.unwrapped is batch
    assert batch.num_envs == batch.num_games == 6
    assert batch.metadata["autoreset_mode"] is getattr(AutoresetMode, autoreset.upper())
    obs, _ = batch.reset(seed=1)
    assert batch.observation_space.contains({key: np.ascontiguousarray(value) for key, value in obs.items()})
    assert batch.single_observation_space.contains({key: value[0].copy() for key, value in obs.items()})
    assert batch.action_space.contains(batch.sample_actions())
    obs, rewards, terminations, truncations, infos = batch.step(batch.sample_actions())
    assert rewards.shape == (6, 2)
    assert rewards.dtype == np.float32
    assert terminations.dtype == truncations.dtype == np.bool_
    assert infos["to_act"].dtype == np.int8
    assert obs["observation"].dtype == obs["action_mask"].dtype == np.int8
    assert obs["action_mask"].shape == (6, 1296)
    batch.close()
    assert repr(batch) == "<Batch of 6 games of swords_and_shields-v0>"


def test_does_not_pass_for_a_vector_environment() -> None:
    """Rewards (N, P) break every wrapper that sums rewards (N,), so all of Gymnasium's refuse it from the start."""
    batch = parlour.make_batch("pig-v0", 4, seed=0)
    assert not isinstance(batch, VectorEnv)
    with pytest.raises((AssertionError, TypeError)):  # as the version of Gymnasium has it
        gymnasium.wrappers.vector.RecordEpisodeStatistics(batch)


def test_autoreset_modes_by_gymnasiums_enum() -> None:
    for mode in AutoresetMode:
        assert parlour.make_batch("pig-v0", 2, autoreset=mode).metadata["autoreset_mode"] is mode


def test_views_and_copies() -> None:
    for copy in (False, True):
        batch = parlour.make_batch("swords_and_shields-v0", 3, seed=0, copy=copy)
        first, _ = batch.reset()
        before = first["observation"].copy()
        second = batch.step(batch.sample_actions())[0]
        assert np.shares_memory(first["observation"], second["observation"]) != copy
        assert np.array_equal(first["observation"], before) == copy


def test_begins_some_rows_from_positions_and_leaves_the_others() -> None:
    text, other = "9/9/9/9/s3c4/9/9/9/9 o plies=7", "9/9/9/9/s3c4/9/9/9/9 o plies=8"
    batch = batch_of("swords_and_shields-v0", 4, plies=5, seed=0)
    kept, seeds = batch.position(2), [batch.seed_of(i) for i in range(4)]
    shown, _ = batch.reset(options={"reset_mask": np.zeros(4, np.bool_)})  # of no row
    seen = {name: part[2].copy() for name, part in shown.items()}
    mask = np.array([True, True, False, True])
    obs, infos = batch.reset(seed=9, options={"reset_mask": mask, "position": [text, other, None, None]})
    env = begun("swords_and_shields-v0", batch.seed_of(3))
    beginning = env.position()
    assert [batch.position(i) for i in range(4)] == [text, other, kept, beginning]
    assert batch.seed_of(2) == seeds[2]
    assert batch.seed_of(3) != seeds[3]
    for name, part in seen.items():
        np.testing.assert_array_equal(obs[name][2], part)
    for i in (0, 1):
        env.reset(options={"position": batch.position(i)})
        assert env.agent_selection == f"player_{infos['to_act'][i]}"
        np.testing.assert_equal({name: part[i] for name, part in obs.items()}, env.observe(env.agent_selection))
    batch.reset(options={"reset_mask": ~mask, "position": text})
    assert [batch.position(i) for i in range(4)] == [text, other, text, beginning]


def test_no_row_is_over_with_same_step() -> None:
    """There is no step that would begin it again, and so it would take any action for ever."""
    env = begun("pig-v0", max_plies=3)
    for _ in range(3):
        env.step(env.action_space("player_0").sample(env.observe(env.agent_selection)["action_mask"]))
    over = env.position()
    running = batch_of("pig-v0", 2, seed=0, max_plies=3)
    source = batch_of("pig-v0", 2, position=[None, over], seed=0, max_plies=3, autoreset="disabled")
    before = [running.position(i) for i in range(2)]
    for call in (
        lambda: running.reset(options={"position": [before[0], over]}),
        lambda: running.copy_rows(source, [0, 1], [0, 1]),
    ):
        with pytest.raises(
            ValueError, match=r"position of game 1 is over \(end=max_plies\); with autoreset='same_step'"
        ):
            call()
        assert [running.position(i) for i in range(2)] == before
    running.copy_rows(source, [0], [1])
    assert running.position(1) == source.position(0)


@pytest.mark.parametrize("comes_by", ["position", "copy_rows"])
def test_a_row_that_came_over_begins_anew_or_waits_as_its_mode_says(comes_by: str) -> None:
    source = batch_of("pig-v0", 1, plies=3, seed=0, max_plies=3, autoreset="disabled")
    over = source.position(0)

    def with_one_over(mode: str) -> Batch:
        batch = parlour.make_batch("pig-v0", 2, seed=0, max_plies=3, autoreset=mode)
        batch.reset(options={"position": [None, over]} if comes_by == "position" else None)
        if comes_by == "copy_rows":
            batch.copy_rows(source, [0], [1])
        assert batch.sample_actions()[1] == -1
        return batch

    batch = with_one_over("next_step")
    _, rewards, terminations, truncations, _ = batch.step([batch.sample_actions()[0], 7])  # 7: no action at all
    assert not rewards[1].any()
    assert not terminations[1]
    assert not truncations[1]
    assert batch.position(1).endswith("| 0")
    batch = with_one_over("disabled")
    with pytest.raises(parlour.IllegalMove, match="game 1 is over and takes only action −1"):
        batch.step([batch.sample_actions()[0], 0])
    *_, truncations, _ = batch.step(batch.sample_actions())
    assert truncations[1]
    assert batch.position(1) == over


def test_positions_that_are_none_change_nothing() -> None:
    text = "9/9/9/9/s3c4/9/9/9/9 o plies=7"
    batch = batch_of("swords_and_shields-v0", 3, position=text, seed=0)
    for bad, message in (("9/9 o", "2 rows"), ([text], "a list of 3"), (5, "a list of 3")):
        with pytest.raises(ValueError, match=message):
            batch.reset(options={"position": bad})
        assert [batch.position(i) for i in range(3)] == [text] * 3


# --- bad input ---


def test_before_reset() -> None:
    batch = parlour.make_batch("swords_and_shields-v0", 2)
    for call in (batch.sample_actions, lambda: batch.step([0, 0])):
        with pytest.raises(AssertionError, match="reset"):
            call()
    with pytest.raises(ValueError, match="first reset begins all games"):
        batch.reset(options={"reset_mask": np.array([True, False])})


def test_an_illegal_action_names_its_row_and_changes_no_game() -> None:
    batch = batch_of("swords_and_shields-v0", 3, seed=0)
    before = [batch.position(i) for i in range(3)]
    for bad, name in ((0, "a1-b1"), (1296, None), (-1, None), (10**12, None)):
        actions = batch.sample_actions().copy()
        actions[1] = bad
        with pytest.raises(parlour.IllegalMove, match="game 1: player_0") as caught:
            batch.step(actions)
        assert caught.value.name == name
        assert caught.value.position == before[1]
        assert len(caught.value.legal) == 80
        assert [batch.position(i) for i in range(3)] == before


def test_masks_of_rows_that_are_none() -> None:
    batch = batch_of("swords_and_shields-v0", 2, seed=0)
    for mask in ([True, False], np.array([1, 0]), np.array([True])):
        with pytest.raises(ValueError, match="reset_mask must be a bool array"):
            batch.reset(options={"reset_mask": mask})


def test_long_games_under_repetition_outgrow_the_first_history() -> None:
    """A hundred plies without a capture and without a position thrice: more than the history has room for at first."""
    env = begun("swords_and_shields-v0", repetition=200, max_plies=0)
    shuffle = ["d9-c9", "e7-d7", "c9-d9", "d7-e7"]
    for ply in range(396):
        env.step(env.parse_move(shuffle[ply % 4]))
    assert env.games.states["occurrences"][0] == 100
    assert env.games.history.shape[1] >= 397


def test_the_state_is_small() -> None:
    """At most 128 bytes a game without repetition history."""
    games = parlour.make_batch("swords_and_shields-v0", 1).games
    assert games.states.itemsize <= 128


def test_uniform_sampling() -> None:
    """Each of the 80 first moves as likely: chi-squared over 80,000 draws, 79 degrees of freedom, p > 10⁻⁶ each way."""
    batch = batch_of("swords_and_shields-v0", 1000, seed=17)
    counts = np.zeros(1296)
    for _ in range(80):
        np.add.at(counts, batch.sample_actions(), 1)
    drawn = counts[counts > 0]
    assert len(drawn) == 80
    statistic = ((drawn - 1000) ** 2 / 1000).sum()
    assert 32 < statistic < 150  # the 10⁻⁶ quantiles of chi-squared with 79 degrees of freedom: 32.1 and 150.6
