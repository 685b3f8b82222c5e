"""Which games are played: pairs with exchanged seats, seeds that follow from names, points."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import parlour
from parlour.arena import Threads
from parlour.arena.runs.playing import MIN_SEARCHED, make_tasks
from parlour.arena.setting.openings import Openings
from parlour.arena.setting.plans import GameSpec, Plan, points
from parlour.interfaces.registry import find
from parlour.players import parse_player
from parlour.records import record_game
from tests.arena.made_up import finished, play, series

ACEY = "acey_ducey"


def test_pairs_have_one_seed_and_exchanged_seats() -> None:
    specs = list(series(games=6, seed=9).specs())
    assert [spec.index for spec in specs] == list(range(6))
    assert [spec.players for spec in specs] == [("a", "b"), ("b", "a")] * 3
    seeds = [spec.seed for spec in specs]
    assert seeds[::2] == seeds[1::2]
    assert len(set(seeds)) == 3


def test_games_of_one_player_have_a_seed_each() -> None:
    specs = list(series(first="a", second="a", games=6).specs())
    assert {spec.players for spec in specs} == {("a", "a")}
    assert len({spec.seed for spec in specs}) == 6


def test_a_game_does_not_depend_on_the_rest_of_its_run() -> None:
    few, many = series(games=4, seed=2), series(games=1000, seed=2)
    assert list(few.specs()) == [many.spec(index) for index in range(4)]
    others = [series(seed=3), series(second="c"), series(variant="plain_dice"), series(variant="parker:max_plies=9")]
    seeds = [{spec.seed for spec in one.specs()} for one in (few, *others)]
    assert len(set.union(*seeds)) == sum(map(len, seeds))


def test_more_than_two_seats_are_taken_in_turns() -> None:
    five = series("crown_and_anchor", games=2, players=5)
    assert [spec.players for spec in five.specs()] == [("a", "b", "a", "b", "a"), ("b", "a", "b", "a", "b")]


def test_points() -> None:
    spec = GameSpec("", 0, "", ("a", "b", "a"), 0)
    assert points("a", finished(spec, 0, 3, 2)) == 0
    assert points("b", finished(spec, 0, 3, 2)) == 1
    assert points("a", finished(spec, 0.1 + 0.2, 0.3, 0.3)) == 0.5  # except for the last digit
    assert points("b", finished(spec, 0, 3, 2, truncated=True)) == 0.5


def test_winners() -> None:
    spec = GameSpec("", 0, "", ("a", "b", "a"), 0)
    assert finished(spec, 1, 3, 2).winner == 1
    assert finished(spec, 3, 3, 2).winner == -1
    assert finished(spec, 0.1 + 0.2, 0.3, 0).winner == -1
    assert finished(spec, 1, 3, 2, truncated=True).winner == -1


def test_a_game_that_ended_within_its_opening() -> None:
    spec = GameSpec("", 0, "", ("a", "b"), 0, random_plies=3)
    assert finished(spec, 1, -1, moves=(1, 2, 3)).in_opening
    assert not finished(spec, 1, -1, moves=(1, 2, 3, 4)).in_opening
    assert not finished(replace(spec, random_plies=0), 1, -1).in_opening


def test_the_dice_of_a_pair_are_the_same() -> None:
    """The throws of both games until players can differ: the first."""
    throws = []
    for spec in series(games=2, first="greedy", second="random", seed=4).specs():
        env = parlour.make("acey_ducey-v0", illegal_move="raise")
        record_game(env, [parse_player(name) for name in spec.players], spec.seed)
        env.reset(seed=spec.seed)
        throws.append(env.dice)
    assert throws[0] == throws[1]


@pytest.mark.parametrize("name", ["acey_ducey-v0", "checkers-v0"])
@pytest.mark.parametrize("openings", [Openings(), Openings(random_plies=6)], ids=["start", "random"])
def test_games_are_the_same_however_they_are_played(name: str, openings: Openings) -> None:
    """Cut into tasks for one, two or five threads: every game follows from its spec."""
    one = series(name, "greedy", "random", 6, seed=1, openings=openings, max_plies=100)
    alone = play(name, one, workers=Threads(1))
    assert [played.spec for played in alone] == list(one.specs())
    for workers in (Threads(2), Threads(5)):
        again = play(name, one, workers=workers)
        assert again == alone
        assert [played.moves.tolist() for played in again] == [played.moves.tolist() for played in alone]
    assert sum(played.plies for played in alone) > 50
    assert sum(sum(played.events.values()) for played in alone) > 0
    for first, second in zip(alone[::2], alone[1::2]):
        assert first.moves[: openings.random_plies].tolist() == second.moves[: openings.random_plies].tolist()


def test_a_task_is_no_larger_than_keeps_all_workers_busy() -> None:
    def tasks(one: str, workers: int, games: int = 200) -> list[list[int]]:
        plan = Plan(find(ACEY), (series(first=one, second="random", games=games),), {}, {}, {})
        found = list(make_tasks(plan, plan.series, {plan.series[0].key: np.zeros(games, bool)}, workers))
        assert all(len({spec.players for spec in task.specs}) == 1 for task in found)
        return [[spec.index for spec in task.specs] for task in found]

    greedy = tasks("greedy", 5)
    assert sorted(index for task in greedy for index in task) == list(range(200))
    assert max(map(len, greedy)) == 20
    assert max(map(len, tasks("mcts:5", 1))) == 50  # four tasks for a worker, and more would fit side by side
    assert max(map(len, tasks("mcts:15", 1))) == 32
    assert max(map(len, tasks("mcts:1000", 1))) == MIN_SEARCHED
