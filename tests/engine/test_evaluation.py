"""What games say of positions and plies, on every variant: potentials and events, for a batch as for a single game."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import parlour
from parlour.interfaces.registry import find
from tests.support.cases import GAMES
from tests.support.evaluation import happened
from tests.support.games import batch_of, begun

each_game = pytest.mark.parametrize("game", GAMES)


def potentials(batch: Any) -> Any:
    out = np.full((batch.num_games, batch.num_seats), np.nan, np.float32)
    batch.games.potentials(out)
    return out


@each_game
def test_a_single_games_potentials_and_events_are_the_batchs(game: str) -> None:
    env, pair = parlour.make(game, max_plies=60), parlour.make_batch(game, 2, max_plies=60).games
    own, seats, events = env.games, len(env.possible_agents), len(env.game.evaluation.EVENTS)
    out, to_act, each_to_act = np.zeros((2, seats), np.float32), np.zeros(1), np.zeros(2)
    counts, each_counts = np.zeros((1, events), np.int64), np.zeros((2, events), np.int64)
    rng, plies = np.random.default_rng(2), 0
    for seed in range(5):
        env.reset(seed=seed)
        while not env.is_over():
            before = own.states.copy()
            env.step(int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))))
            pair.states[:] = own.states
            pair.potentials(out)
            assert [[own.potential_one(seat) for seat in range(seats)]] * 2 == out.tolist()
            own.mover_potentials(to_act)
            pair.mover_potentials(each_to_act)
            assert [*to_act, *each_to_act] == [out[0, own.to_act[0]]] * 3
            found = own.events(before, counts)
            assert pair.events(before.repeat(2), each_counts) == found == counts.any()
            assert each_counts.tolist() == counts.tolist() * 2
            plies += found
    assert plies


@each_game
def test_what_is_kept_of_games_that_begin_anew_at_once(game: str) -> None:
    """`finals.potentials` and `finals.events` against a twin whose games stay where they ended."""
    n = 24
    staying, twin = (batch_of(game, n, seed=8, autoreset=ends, max_plies=40) for ends in ("disabled", "same_step"))
    twin.games.keep_final_potentials()
    twin.games.keep_final_events()
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
    env = begun("swords_and_shields-v0", position=position, escape=escape)
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
    env = begun("swords_and_shields-v0", position=position, illegal_move="raise")
    counts = happened(env, move)
    assert [counts.get(name, 0) for name in env.game.evaluation.EVENTS] == expected
