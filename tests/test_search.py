"""Players that look ahead: they find forced wins, play the same on any number of threads, and keep sound trees."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.players import parse_player
from parlour.registry import find
from parlour.search import Mcts
from parlour.selfplay import game_seeds, play_games
from tests.test_selfplay import choices, table_at

SWORDS = "swords_and_shields-v0"


def forced(env: Any, plies: int) -> bool:
    """Whether the seat to act wins by force within ``plies``, by looking at everything."""
    seat = env.agent_selection
    for move in env.legal_moves():
        twin = env.clone()
        twin.step(twin.parse_move(move))
        if twin.is_over():
            if twin.rewards[seat] > 0:
                return True
        elif plies > 2 and all_replies_lose(twin, plies - 1):
            return True
    return False


def all_replies_lose(env: Any, plies: int) -> bool:
    """Whether the seat that is not to act wins by force within ``plies``, whatever the other does."""
    for move in env.legal_moves():
        twin = env.clone()
        twin.step(twin.parse_move(move))
        if twin.is_over() or not forced(twin, plies - 1):
            return False
    return True


def at(text: str) -> Any:
    env = parlour.make(SWORDS, illegal_move="raise")
    env.reset(seed=0, options={"position": text})
    return env


def chosen(player: str, text: str, seed: int) -> str:
    """What a player plays."""
    table = table_at("milton_bradley", [text], seed)
    return table.move_name(0, int(choices(player, table)[0]))


ONE = "4s4/9/9/9/9/s2c4s/9/9/3s5 o"
"""Nothing stands above the Chief."""
THREE = "3s5/9/9/9/9/s2c4s/9/9/3s5 o"
"""All four ways are closed, but a step opens two at once."""
TWO = "3s5/9/9/9/9/s2c4s/9/3s5/9 s"
"""The swords must close the way down, or the Chief escapes with his next ply."""


@pytest.mark.parametrize("seed", range(5))
def test_mcts_finds_a_win_in_one(seed: int) -> None:
    assert forced(at(ONE), 1)
    assert chosen("mcts:300", ONE, seed) == "d4-d9"


@pytest.mark.parametrize("seed", range(5))
def test_mcts_finds_a_win_in_three(seed: int) -> None:
    env = at(THREE)
    assert not forced(env, 1)
    env.step(env.parse_move(chosen("mcts:4000", THREE, seed)))
    assert all_replies_lose(env, 2)


def test_more_simulations_are_stronger() -> None:
    """More simulations are stronger: 1000 beat 20 in so many of 40 games, both seats alike, that equal players would do
    it with a probability below 1 in 10,000."""
    game = find(SWORDS)
    values = game.resolve(None, {})[1]
    strong, weak = Mcts(1000), Mcts(20)
    score = 0.0
    for seat, players in enumerate(([strong, weak], [weak, strong])):
        winners = play_games(game, values, players, game_seeds(seat, 20), threads=2).winners
        score += np.count_nonzero(winners == seat) + 0.5 * np.count_nonzero(winners < 0)
    assert score >= 20 + 3.72 * math.sqrt(40 * 0.25), score


@pytest.mark.parametrize("game", [SWORDS, "pig-v0"])
def test_the_same_seed_gives_the_same_play_on_any_number_of_threads(game: str) -> None:
    known = find(game)
    values = known.resolve(None, {"max_plies": 20})[1]
    seats = known.layout(values).seats
    runs = [
        play_games(known, values, [parse_player("mcts:30")] * seats, game_seeds(5, 7), threads) for threads in (1, 2, 3)
    ]
    for other in runs[1:]:
        assert other.returns.tolist() == runs[0].returns.tolist()
        assert other.choices.tolist() == runs[0].choices.tolist()


def test_several_seats_and_dice() -> None:
    """In pig, where a six is needed and a one loses the turn, search beats two random players."""
    known = find("pig-v0")
    values = known.resolve(None, {})[1]
    seats = known.layout(values).seats
    players = [Mcts(100), *[parse_player("random")] * (seats - 1)]
    results = play_games(known, values, players, game_seeds(1, 100))
    assert results.returns[:, 0].sum() > results.returns[:, 1:].sum(axis=0).max()


def test_dice_to_come_are_not_looked_at() -> None:
    """Searching moves the players' streams alone; the table, its dice and its games stay as they are."""
    env = parlour.make("pig-v0")
    env.reset(seed=3)
    one = env.unwrapped.table
    before = (
        one.states.tobytes(),
        one.streams.tobytes(),
        one.masks.tobytes(),
        one.planes.tobytes(),
        one.rewards.tobytes(),
    )
    counter = int(one.samplers["counter"][0])
    choices("mcts:50", one)
    after = (
        one.states.tobytes(),
        one.streams.tobytes(),
        one.masks.tobytes(),
        one.planes.tobytes(),
        one.rewards.tobytes(),
    )
    assert after == before
    assert int(one.samplers["counter"][0]) != counter


# --- the tree ---


def check_tree(trees: Any, i: int, most: float) -> None:
    """Every node is under one edge, visits add up, and no mean return is beyond ``most``."""
    nodes, edges, values = trees.nodes[i], trees.edges[i], trees.values[i]
    count, edge_count = trees.sizes[i]
    reached, used = {0}, set()
    stack = [0]
    while stack:
        n = stack.pop()
        e, visits = int(nodes["first_edge"][n]), 0
        actions = []
        while e >= 0:
            used.add(e)
            actions.append(int(edges["action"][e]))
            visits += int(edges["visits"][e])
            assert abs(values[e]).max() <= most * edges["visits"][e]
            m = int(edges["first_child"][e])
            children = 0
            while m >= 0:
                assert m not in reached
                reached.add(m)
                stack.append(m)
                children += int(nodes["visits"][m])
                m = int(nodes["sibling"][m])
            assert children <= edges["visits"][e]
            e = int(edges["next"][e])
        assert len(set(actions)) == len(actions)
        assert nodes["visits"][n] == visits
    assert reached == set(range(count))
    assert used == set(range(edge_count))


@pytest.mark.parametrize(("game", "most"), [(SWORDS, 1), ("pig-v0", 10)])
def test_what_was_searched_is_kept_where_it_still_counts(game: str, most: float) -> None:
    env = parlour.make(game)
    env.reset(seed=2)
    table = env.unwrapped.table
    player = Mcts(3000)
    actions = np.zeros(1, np.int64)
    everyone = np.ones(1, np.bool_)
    kept = []
    for _ in range(6):
        player.choose(table, everyone, actions)
        forest = player._forest
        assert forest is not None
        check_tree(forest.trees, 0, most)
        kept.append(int(forest.trees.nodes["visits"][0, 0]) - 3000)
        env.step(int(actions[0]))
        if env.unwrapped.is_over():
            break
    assert kept[0] == 0
    assert max(kept) > 0
    env.reset(seed=7)  # another game has nothing of it
    player.choose(table, everyone, actions)
    assert forest.trees.nodes["visits"][0, 0] == 3000


def test_a_full_tree_grows_no_more() -> None:
    table = table_at("milton_bradley", [ONE])
    player = Mcts(seconds=0.2)
    actions = np.zeros(1, np.int64)
    player.choose(table, np.ones(1, np.bool_), actions)
    assert table.move_name(0, int(actions[0])) == "d4-d9"


def test_repetition_is_seen_within_the_tree() -> None:
    """A draw by repetition ends the simulations that come upon it, and the game's own history stays as it is."""
    table = table_at("milton_bradley", [ONE.replace(" o", " s")])
    history = table.history.copy()
    choices("mcts:500", table)
    assert np.array_equal(history, table.history)


# --- names ---


def test_names_read_back() -> None:
    for name in ("mcts:1", "mcts:200", "mcts:200:greedy", "mcts:0.5s", "mcts:2s:greedy"):
        assert parse_player(name).name == name


BAD_BUDGETS = ("", "0", "-5", "x", "1.5", "0s", "infs", "nans", "5:bold", "99999999999")


@pytest.mark.parametrize("name", [f"mcts:{budget}" for budget in BAD_BUDGETS])
def test_budgets_that_are_none(name: str) -> None:
    with pytest.raises(ValueError, match="valid: mcts:200") as caught:
        parse_player(name)
    assert name in str(caught.value)


def test_a_search_plays_few_games_side_by_side_when_its_trees_are_large() -> None:
    assert Mcts(10).most_rows > 512
    assert Mcts(1_000_000).most_rows == 2
