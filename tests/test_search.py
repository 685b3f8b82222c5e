"""Players that look ahead: they find forced wins, play the same on any number of threads, and keep sound trees."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.kernels.protocol import DISABLED
from parlour.menu import read_menu
from parlour.players import parse_player
from parlour.registry import find
from parlour.search import Expectimax, Mcts
from parlour.selfplay import game_seeds, play_games
from parlour.table import Table
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
TWO = "3s5/9/9/9/9/s2c4s/9/8s/9 s"
"""The Chief escapes with his next ply, unless the sword in the corner of the way closes it."""
LOOKING = ["mcts:4000", "expectimax:3"]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("player", [*LOOKING, "mcts:300", "expectimax:1"])
def test_finds_a_win_in_one(player: str, seed: int) -> None:
    assert forced(at(ONE), 1)
    assert chosen(player, ONE, seed) == "d4-d9"


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("player", [*LOOKING, "expectimax:4"])
def test_prevents_a_loss_in_two(player: str, seed: int) -> None:
    """Of all replies only closing the way down keeps the Chief in for another ply."""
    env = at(TWO)
    saving = []
    for move in env.legal_moves():
        twin = env.clone()
        twin.step(twin.parse_move(move))
        if not forced(twin, 1):
            saving.append(move)
    assert 0 < len(saving) < len(env.legal_moves()) / 4
    assert chosen(player, TWO, seed) in saving


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("player", [*LOOKING, "expectimax:4"])
def test_finds_a_win_in_three(player: str, seed: int) -> None:
    env = at(THREE)
    assert not forced(env, 1)
    env.step(env.parse_move(chosen(player, THREE, seed)))
    assert all_replies_lose(env, 2)


# --- search to a fixed depth, against looking at everything ---


def plain_value(env: Any, depth: int, plies: int = 0) -> list[float]:
    """What a position is worth to each seat by the definition in `parlour.kernels.expectimax`, without any pruning: by
    clones of the environment. Rewards on the way are the caller's."""
    raw = env.unwrapped
    seats = len(raw.possible_agents)
    if raw.is_over():
        return [0.0] * seats
    if depth == 0:
        out = np.zeros((1, seats), np.float32)
        raw.table.potentials(out)
        return [0.9 * float(value) for value in out[0]]
    best: list[float] | None = None
    seat = raw.possible_agents.index(raw.agent_selection)
    for action in np.flatnonzero(raw.observe(raw.agent_selection)["action_mask"]):
        value = plain_action_value(raw, int(action), depth, plies)
        if best is None or value[seat] > best[seat] + 1e-12:
            best = value
    assert best is not None
    return best


def plain_action_value(raw: Any, action: int, depth: int, plies: int) -> list[float]:
    """The same of an action."""
    twin = raw.clone()
    twin.step(action)
    rest = plain_value(twin, depth - 1, plies + 1)
    later = 1 - (plies + 1) / 1024 if twin.is_over() else 1.0
    return [later * twin.rewards[agent] + rest[p] for p, agent in enumerate(twin.possible_agents)]


def value_at_root(table: Any, depth: int) -> tuple[Any, int]:
    player = Expectimax(depth)
    actions = np.zeros(table.num_games, np.int64)
    player.choose(table, np.ones(table.num_games, np.bool_), actions)
    assert player._ladder is not None
    return player._ladder.levels.values[0, 0].copy(), int(actions[0])


@pytest.mark.parametrize(("text", "depth"), [
    (ONE, 1), (ONE, 2), (THREE, 3), (TWO, 2),
    ("3s5/9/2o6/9/3s5/2s1c4/3o5/9/5s3 s", 2), ("3s5/9/2o6/9/3s5/2s1c4/3o5/9/5s3 o", 2),
])  # fmt: skip
def test_agrees_with_looking_at_everything(text: str, depth: int) -> None:
    """The value with pruning, sorting and table is the value without; and the chosen ply has it."""
    env = at(text)
    values, action = value_at_root(env.table, depth)
    expected = plain_value(env, depth)
    assert values == pytest.approx(expected, abs=1e-6)
    assert plain_action_value(env, action, depth, 0) == pytest.approx(expected, abs=1e-6)


def mean_over_throws(game: Any, state: Any, variant: Any, rewards: Any, throws: int) -> Any:
    """What each seat of a game that goes on is worth after all throws that are due, three of them at most."""
    due = int(game.rules.dice_due(state[0], variant))
    seats = len(rewards)
    if not due or throws == 3:
        return np.array([rewards[p] + 0.9 * game.evaluation.potential(state[0], variant, p) for p in range(seats)])
    total = np.zeros(seats)
    faces = range(game.rules.FIRST_FACE, game.rules.FIRST_FACE + 6)
    for throw in itertools.product(faces, repeat=due):
        after, paid = state.copy(), rewards.copy()
        game.rules.throw(after[0], variant, np.array(throw, np.int8), paid)
        total += mean_over_throws(game, after, variant, paid, throws + 1) / 6**due
    return total


@pytest.mark.parametrize("seed", range(4))
def test_averages_throws_that_follow_one_another(seed: int) -> None:
    """Pig, three seats, one ply: all orders of all throws, where the search looks at sorted ones."""
    env = parlour.make("pig-v0", variant="strict" if seed % 2 else None)
    env.reset(seed=seed)
    table, game = env.table, env.game
    values, action = value_at_root(table, 1)
    seat, worth = int(table.to_act[0]), []
    for tried in range(2):
        after, rewards = table.states.copy(), np.zeros(3, np.float32)
        game.rules.apply(after[0], table.variants[0], tried, rewards)
        worth.append(mean_over_throws(game, after, table.variants[0], rewards, 0))
    assert worth[0][seat] != worth[1][seat]
    assert action == int(worth[1][seat] > worth[0][seat])
    assert values == pytest.approx(worth[action], abs=1e-6)


def test_deeper_search_is_stronger() -> None:
    """Depth 3 beats depth 1 in so many of 30 games, both seats alike, that equal players would do it with a probability
    below 1 in 1000."""
    game = find(SWORDS)
    values = game.resolve(None, {})[1]
    score = 0.0
    for seat in range(2):
        players = [Expectimax(3), Expectimax(1)] if seat == 0 else [Expectimax(1), Expectimax(3)]
        winners = play_games(game, values, players, game_seeds(seat, 15), threads=2).winners
        score += np.count_nonzero(winners == seat) + 0.5 * np.count_nonzero(winners < 0)
    assert score >= 15 + 3.09 * math.sqrt(30 * 0.25), score


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


@pytest.mark.parametrize("player", ["mcts:30", "expectimax:1"])
@pytest.mark.parametrize("game", [SWORDS, "pig-v0"])
def test_the_same_seed_gives_the_same_play_on_any_number_of_threads(game: str, player: str) -> None:
    known = find(game)
    values = known.resolve(None, {"max_plies": 20})[1]
    seats = known.layout(values).seats
    runs = [
        play_games(known, values, [parse_player(player)] * seats, game_seeds(5, 7), threads) for threads in (1, 2, 3)
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
    for name in ("mcts:1", "mcts:200", "mcts:200:greedy", "mcts:0.5s", "mcts:2s:greedy", "expectimax:3"):
        assert parse_player(name).name == name


BAD_BUDGETS = ("", "0", "-5", "x", "1.5", "0s", "infs", "nans", "5:bold", "99999999999")


BAD_DEPTHS = ("", "0", "-1", "x", "1.5", "21", "3:greedy")
BAD_NAMES = [f"mcts:{budget}" for budget in BAD_BUDGETS] + [f"expectimax:{depth}" for depth in BAD_DEPTHS]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_budgets_that_are_none(name: str) -> None:
    with pytest.raises(ValueError, match=r"valid: (mcts:200|expectimax:3)") as caught:
        parse_player(name)
    assert name in str(caught.value)


def test_a_search_plays_few_games_side_by_side_when_its_trees_are_large() -> None:
    assert Mcts(10).most_rows > 512
    assert Mcts(1_000_000).most_rows == 2


def test_a_tree_does_not_outgrow_its_room() -> None:
    """With dice a simulation that met new throws once made two nodes, and wrote past the end."""
    table = Table(find("acey_ducey-v0"), read_menu(find("acey_ducey-v0"), "parker", {}), 4)
    table.begin(np.arange(4, dtype=np.uint64))
    player, actions = Mcts(20), np.zeros(4, np.int64)
    for _ in range(40):
        player.choose(table, ~table.terminated, actions)
        assert player._forest is not None
        assert player._forest.trees.sizes.max() <= player._forest.trees.nodes.shape[1]
        table.step(np.where(table.terminated, -1, actions), DISABLED)
