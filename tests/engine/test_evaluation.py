"""What games say of positions and plies, on every variant: potentials and events, for a batch as for a single game."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.interfaces.registry import find
from tests.support.cases import GAMES, VARIANTS

each_variant = pytest.mark.parametrize(("game", "variant"), VARIANTS)
each_game = pytest.mark.parametrize("game", GAMES)


def potentials(batch: Any) -> Any:
    out = np.full((batch.num_games, batch.num_seats), np.nan, np.float32)
    batch.games.potentials(out)
    return out


def random_play(game: str, plies: int, **options: Any) -> Any:
    """A batch, begun, and then after each ply."""
    batch = parlour.make_batch(game, **options)
    batch.reset()
    yield batch
    for _ in range(plies):
        batch.step(batch.sample_actions())
        yield batch


@each_game
def test_a_single_games_potentials_and_events_are_the_batchs(game: str) -> None:
    """`Games.potential_one` and what `Games.score_plies` keeps, against `potentials` and `events` of the same game."""
    env = parlour.make(game, max_plies=60)
    env.games.score_plies()
    seats = len(env.possible_agents)
    out, counts = np.zeros((1, seats), np.float32), np.zeros((1, len(env.game.evaluation.EVENTS)), np.int64)
    rng, happened = np.random.default_rng(2), 0
    for seed in range(5):
        env.reset(seed=seed)
        while not env.is_over():
            before = copy.deepcopy(env.games.states)
            env.step(int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))))
            env.games.potentials(out)
            assert [env.games.potential_one(seat) for seat in range(seats)] == out[0].tolist()
            assert env.games.potential_to_act == out[0, env.games.states["to_act"][0]]
            env.games.events(before, counts)
            np.testing.assert_array_equal(env.games.events_of_ply, counts[0])
            assert env.games.happened == counts.any()
            happened += env.games.happened
    assert happened


@each_game
def test_what_is_kept_of_games_that_begin_anew_at_once(game: str) -> None:
    """`finals.potentials` and `finals.events` against a twin whose games stay where they ended."""
    n = 24
    staying = parlour.make_batch(game, n, seed=8, autoreset="disabled", max_plies=40)
    twin = parlour.make_batch(game, n, seed=8, autoreset="same_step", max_plies=40)
    twin.games.keep_final_potentials()
    twin.games.keep_final_events()
    for batch in (staying, twin):
        batch.reset()
    counts = np.zeros((n, len(find(game).evaluation.EVENTS)), np.int64)
    over = np.zeros(n, np.bool_)
    for _ in range(40):
        before = staying.games.states.copy()
        twin.games.keep_states_before()
        actions = staying.sample_actions().copy()
        staying.step(actions)
        actions[over] = twin.sample_actions()[over]
        twin.step(actions)
        staying.games.events(before, counts)
        ended = (staying.games.terminated | staying.games.truncated) & ~over
        np.testing.assert_array_equal(twin.games.finals.potentials[ended], potentials(staying)[ended])
        np.testing.assert_array_equal(twin.games.finals.events[ended], counts[ended])
        over |= ended
    assert over.all()


# --- Swords & Shields ---


def looked_at(position: str, **options: Any) -> Any:
    env = parlour.make("swords_and_shields-v0", illegal_move="raise", **options)
    env.reset(options={"position": position})
    env.games.score_plies()
    return env


@pytest.mark.parametrize(
    ("position", "escape", "expected"),
    [
        ("3sss3/4s4/4o4/s3o3s/ssoocooss/s3o3s/4o4/4s4/3sss3 s", "edge", 0.0),
        ("s8/9/9/9/9/9/2c6/9/9 s", "edge", -0.5 / 16 + 0.5),  # four ways out
        ("s8/9/9/9/2s6/2s6/1scs5/2s6/9 s", "edge", -0.5 * 6 / 16),  # none
        ("s8/9/9/2s6/9/9/2co5/9/9 o", "edge", 0.5 * (1 / 8 - 2 / 16) + 0.5 * 2 / 4),
        ("1s7/9/9/9/9/9/2c6/9/9 s", "corner", -0.5 / 16),
        ("9/9/9/9/9/9/9/8s/2c6 s", "corner", -0.5 / 16 + 0.5 * 2 / 4),
    ],
)
def test_the_potential_of_swords_and_shields(position: str, escape: str, expected: float) -> None:
    """Half for men, of those at the start, half for the Chief's ways out; opposite for the Swords."""
    env = looked_at(position, escape=escape)
    assert env.games.potential_one(1) == pytest.approx(expected, abs=1e-7)
    assert env.games.potential_one(0) == pytest.approx(-expected, abs=1e-7)


@pytest.mark.parametrize(
    ("position", "move", "expected"),
    [
        ("9/9/9/s7s/9/o3c3o/9/9/s7s s", "a6-a5", [0, 0, 0, 0]),
        ("9/9/9/s7s/9/o7o/s8/4c4/s7s s", "a6-a5", [0, 1, 0, 0]),
        ("9/9/o3o4/1s1s5/9/2o6/4c4/9/s7s o", "c4-c6", [0, 0, 0, 1]),
        ("9/9/9/os1so4/9/2o6/3c5/9/s7s o", "c4-c6", [2, 0, 1, 1]),
        ("9/9/9/os1o5/9/2o6/3s5/2scs4/3s4s o", "c4-c6", [1, 0, 0, 0]),
        ("9/9/9/9/9/9/4c4/9/s7s o", "e3-a3", [0, 0, 0, 0]),  # he is out: no way that is open
    ],
)
def test_the_events_of_swords_and_shields(position: str, move: str, expected: list[int]) -> None:
    """Swords captured, shields captured, several at once, and a way left open by the Shields."""
    env = looked_at(position)
    env.step(env.parse_move(move))
    assert env.games.events_of_ply.tolist() == expected
