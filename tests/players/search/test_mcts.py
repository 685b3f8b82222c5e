"""Players that look ahead: they find forced wins, play the same on any number of threads, and keep sound trees."""

from __future__ import annotations

import signal
import time
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

import parlour
from parlour.engine.arrays import DISABLED
from parlour.engine.kernels import mcts
from parlour.engine.kernels.roll_out import MAX_EFFORT
from parlour.engine.kernels.tree_plies import WORK
from parlour.engine.trees.nodes import NONE, READY
from parlour.interfaces.registry import find
from parlour.players import GamesView, parse_player
from parlour.players.names import limited
from parlour.players.search import Expectimax, Mcts
from parlour.players.search.forest import new_trees
from parlour.players.search.mcts import _Forest
from parlour.players.simulate import game_seeds, play_games
from parlour.rulebook.hashing import NO_WORDS
from tests.players.search.test_forced_wins import IN_ONE
from tests.players.test_simulate import choices, games_at
from tests.support.games import batch_of, begun, chosen

SWORDS = "swords_and_shields-v0"


def chance_of_equals(game: str, strong: Any, weak: Any, pairs: int) -> float:
    """How likely players of equal strength are to do as well as ``strong`` did: the exact sign test over pairs of games
    with one seed and the seats exchanged, those drawn between the two left out."""
    known = find(game)
    values = known.resolve(None, {})[1]
    scores = np.zeros(pairs)
    for seat, players in enumerate(([strong, weak], [weak, strong])):
        winners = play_games(known, values, players, game_seeds(0, pairs), threads=2).winners
        scores += np.where(winners == seat, 1.0, np.where(winners < 0, 0.5, 0.0))
    better, worse = int((scores > 1).sum()), int((scores < 1).sum())
    return float(binomtest(better, better + worse, 0.5, "greater").pvalue)


def test_deeper_search_is_stronger() -> None:
    """Depth 3 does better against depth 1 than equal players would once in 1000 times."""
    assert chance_of_equals(SWORDS, Expectimax(3), Expectimax(1), 40) < 0.001


def test_more_simulations_are_stronger() -> None:
    """More simulations do better against fewer than equal players would once in 1000 times."""
    assert chance_of_equals("checkers-v0", Mcts(500), Mcts(20), 12) < 0.001


def test_several_seats_and_dice() -> None:
    """In pig, where a six is needed and a one loses the turn, search beats two random players."""
    known = find("pig-v0")
    values = known.resolve(None, {})[1]
    seats = known.layout(values).seats
    players = [Mcts(100), *[parse_player("random")] * (seats - 1)]
    results = play_games(known, values, players, game_seeds(1, 100))
    assert results.returns[:, 0].sum() > results.returns[:, 1:].sum(axis=0).max()


def test_four_seats_have_a_value_each() -> None:
    """Crown and Anchor: what one seat gains others lose, and each edge's mean return is within all chips that there
    are; the seat to act takes what was visited most, for its own value."""
    env = begun("crown_and_anchor-v0")
    player = Mcts(600)
    action = env.ask(player)
    assert player._forest is not None
    trees = player._forest.trees
    edges = trees.edges[0, : trees.sizes[0, 1]]
    values = edges["q_values"][edges["visits"] > 0]
    assert values.shape[1] == 4
    assert values.sum(axis=1) == pytest.approx(np.zeros(len(values)), abs=1e-3)
    assert (abs(values).max(axis=0) > 0).all()
    assert len(np.unique(np.round(abs(values).sum(axis=0), 3))) == 4
    root = player._forest.edges_of(0, 0)
    seat, visits, means = int(env.games.to_act[0]), root["visits"], root["q_values"]
    assert root["action"][int(visits.argmax())] == action
    assert np.corrcoef(means[:, seat], visits)[0, 1] > max(
        np.corrcoef(means[:, p], visits)[0, 1] for p in {0, 1, 2, 3} - {seat}
    )


def test_dice_to_come_are_not_looked_at() -> None:
    """Searching moves the players' streams alone; the games and their dice stay as they are."""
    env = begun("pig-v0", 3)
    one = env.unwrapped.games

    def content() -> list[bytes]:
        return [array.tobytes() for array in (one.states, one.dice_rng, one.masks, one.planes, one.rewards)]

    before, counter = content(), int(one.player_rng["counter"][0])
    choices("mcts:50", one)
    assert content() == before
    assert int(one.player_rng["counter"][0]) != counter


def test_a_network_values_positions_before_the_throw() -> None:
    """In the Royal Game of Ur each move ends in a throw: what a move is worth at its first visit does not depend on the
    players' stream, by which a search throws."""
    batch = batch_of("royal_ur-v0", 40, plies=30, seed=1)
    file = find("royal_ur-v0").folder / "champion.value"
    several = np.flatnonzero(batch.games.counts > 1)
    assert len(several) > 10
    for row in several:
        once = f"mcts:{batch.games.counts[row]}:value:{file}"
        first, second = (parse_player(once, batch.game).consider(GamesView(batch.games), row) for _ in range(2))
        assert first.probabilities[first.probabilities > 0] == pytest.approx(1 / batch.games.counts[row])
        assert np.array_equal(first.action_values, second.action_values, equal_nan=True)


# --- the tree ---


def check_tree(forest: Any, i: int, most: float) -> None:
    """Every node is under one edge, visits add up, and no mean return is beyond ``most``. The first visit of an edge
    makes no node."""
    nodes, edges = forest.trees.nodes[i], forest.trees.edges[i]
    count, edge_count = forest.trees.sizes[i]
    reached, used = {0}, 0
    stack = [0]
    while stack:
        n = stack.pop()
        own = forest.edges_of(i, n)
        used += len(own)
        assert len(set(own["action"].tolist())) == len(own)
        assert (abs(own["q_values"]).max(axis=1) <= most).all()
        assert ((own["visits"] > 0) == (np.arange(len(own)) < nodes["tried"][n])).all()
        for e in range(nodes["first"][n], nodes["first"][n] + nodes["count"][n]):
            m, visits = int(edges["child"][e]), 1
            while m >= 0:
                assert m not in reached
                assert (nodes["parent"][m], nodes["edge"][m]) == (n, e)
                reached.add(m)
                stack.append(m)
                visits += int(forest.edges_of(i, m)["visits"].sum())
                m = int(nodes["sibling"][m])
            assert visits == edges["visits"][e] or edges["child"][e] < 0
    assert reached == set(range(count))
    assert used == edge_count


@pytest.mark.parametrize(("game", "most"), [(SWORDS, 1), ("pig-v0", 10)])
def test_what_was_searched_is_kept_where_it_still_counts(game: str, most: float) -> None:
    env = begun(game, 2)
    player = Mcts(3000)
    kept = []
    for _ in range(6):
        action = env.ask(player)
        forest = player._forest
        assert forest is not None
        check_tree(forest, 0, most)
        kept.append(int(forest.edges_of(0, 0)["visits"].sum()) - 3000)
        env.step(action)
        if env.is_over():
            break
    assert kept[0] == 0
    assert max(kept) > 0
    env.reset(seed=7)  # another game has nothing of it
    env.ask(player)
    assert forest.edges_of(0, 0)["visits"].sum() == 3000


def test_a_full_tree_grows_no_more() -> None:
    games = games_at("milton_bradley", [IN_ONE[SWORDS]])
    assert games.move_name(0, int(chosen(Mcts(seconds=0.2), games)[0])) == "d4-d9"


LONGEST: dict[str, Any] = {"rounds": 2**31 - 1, "max_plies": 0}
"""A game of Crown and Anchor that nobody can play to its end: a single roll-out would take hours."""
SOON = 30.0
"""Seconds in which a search of a tenth of a second must have ended, on a busy machine too."""


@pytest.mark.parametrize("ending", ["random", "greedy"])
def test_a_time_is_kept_in_games_without_end(ending: str) -> None:
    """Also where a tree is searched further, by any number of threads, and many games wait for few threads."""
    for count, threads in ((1, 1), (5, 2)):
        games = batch_of("crown_and_anchor-v0", count, seed=0, threads=threads, **LONGEST).games
        rows, actions = np.ones(count, np.bool_), np.zeros(count, np.int64)
        Mcts(1, roll_outs=ending).choose(GamesView(games), rows, actions)  # compiled
        player = Mcts(seconds=0.1, roll_outs=ending)
        for _ in range(3):
            began = time.perf_counter()
            player.choose(GamesView(games), rows, actions)
            assert time.perf_counter() - began < SOON
            assert games.masks[np.arange(count), actions].all()
            games.step(actions, DISABLED)
        assert player.rolled > 1000


def test_a_number_of_simulations_comes_to_an_end_in_games_without_end() -> None:
    env = begun("crown_and_anchor-v0", seed=1, **LONGEST)
    player = Mcts(20)
    analysis = player.consider(GamesView(env.unwrapped.games))
    assert analysis.nodes == 20
    assert player.rolled <= 20 * mcts.MAX_ROLL_OUT
    hurried = limited(Mcts(1_000_000), 0.2)
    began = time.perf_counter()
    assert 1 <= hurried.consider(GamesView(env.unwrapped.games)).nodes < 1_000_000
    assert time.perf_counter() - began < SOON


def test_a_search_without_any_time_leaves_a_whole_tree() -> None:
    """The simulation that was cut counts as a visit of every edge that it has made."""
    env = begun("pig-v0", 1, goal=10**9)
    player = limited(Mcts(10**6), 1e-9)
    analysis = player.consider(GamesView(env.unwrapped.games))
    assert analysis.nodes >= 1
    assert analysis.values is not None
    assert np.isfinite(analysis.values).all()
    assert player._forest is not None
    check_tree(player._forest, 0, np.inf)


def test_repetition_is_seen_within_the_tree() -> None:
    """A draw by repetition ends the simulations that come upon it, and the game's own history stays as it is."""
    games = games_at("milton_bradley", [IN_ONE[SWORDS].replace(" o", " s")])
    history = games.history.copy()
    choices("mcts:500", games)
    assert np.array_equal(history, games.history)


def test_a_search_plays_few_games_side_by_side_when_its_trees_are_large() -> None:
    assert Mcts(10).max_rows > 512
    assert Mcts(1_000_000).max_rows == 1


def test_a_tree_does_not_outgrow_its_room() -> None:
    """With dice a simulation that met new throws once made two nodes, and wrote past the end."""
    games = batch_of("acey_ducey-v0", 4, seed=0, variant="parker").games
    player, actions = Mcts(20), np.zeros(4, np.int64)
    for _ in range(40):
        player.choose(GamesView(games), ~games.terminated, actions)
        assert player._forest is not None
        assert player._forest.trees.sizes[:, 0].max() <= player._forest.trees.nodes.shape[1]
        games.step(np.where(games.terminated, -1, actions), DISABLED)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timer that interrupts")
def test_a_single_roll_out_can_be_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a game that takes a minute to play to its end; the games and the player can be used again."""
    monkeypatch.setattr(mcts, "MAX_ROLL_OUT", 1 << 40)
    rows, actions = np.ones(1, np.bool_), np.zeros(1, np.int64)
    quick, endless = parlour.make("pig-v0", goal=30), parlour.make("pig-v0", goal=10**9)
    player, expected = Mcts(50), []
    for env in (quick, endless):
        env.reset(seed=1)
    for _ in range(2):  # compiled by the first
        quick.reset(seed=1)
        Mcts(50).choose(GamesView(quick.unwrapped.games), rows, actions)
        expected.append(actions.tolist())

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(KeyboardInterrupt):
            player.choose(GamesView(endless.unwrapped.games), rows, actions)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert player._forest is not None
    assert not player._forest.trees.edges["visits"].any()  # the roll-out had not come to its end
    quick.reset(seed=1)
    player.choose(GamesView(quick.unwrapped.games), rows, actions)
    assert actions.tolist() == expected[0] == expected[1]


def test_a_search_of_many_calls_is_the_same_on_any_number_of_threads() -> None:
    """Of more than one call may do."""
    found = []
    for threads in (1, 2):
        games = batch_of("pig-v0", 3, seed=0, threads=threads).games
        player, actions = Mcts(20_000), np.zeros(3, np.int64)
        player.choose(GamesView(games), np.ones(3, np.bool_), actions)
        assert player._forest is not None
        visits = player._forest.trees.edges["visits"]
        assert visits.sum() * mcts.DESCENT > 6 * MAX_EFFORT
        found.append((actions.tolist(), player.rolled, visits.tobytes()))
    assert found[0] == found[1]


@pytest.mark.parametrize("interrupted", [False, True])
def test_a_large_tree_gets_another_root_in_several_calls(interrupted: bool) -> None:
    """What is under the new root is kept as it was; where the calls are interrupted, the tree begins again."""
    env = begun("pig-v0", 1)
    everyone = np.ones(1, np.bool_)
    count, root = 4 * WORK, 1  # a chain of nodes, each with one edge
    forest = _Forest(env.games, 2 * count, None)
    forest.trees = new_trees(env.games, 2 * count, count)
    nodes, edges, numbers = forest.trees.nodes[0, :count], forest.trees.edges[0, :count], np.arange(count)
    nodes["parent"], nodes["edge"], nodes["sibling"], nodes["status"] = numbers - 1, numbers - 1, NONE, READY
    nodes["first"], nodes["count"], nodes["tried"], nodes["repeats"] = numbers, 1, 1, NO_WORDS
    edges["child"], edges["visits"], edges["winner"] = np.append(numbers[1:], NONE), numbers, NONE
    edges["q_values"][:, 0] = numbers
    forest.trees.words[0, root] = env.games.states.view(np.uint64, np.ndarray)
    forest.trees.sizes[0] = count, count
    forest.begin(everyone)
    calls = 0
    while forest.call(everyone, 0, False, 1.0, mcts.MAX_ROLL_OUT, MAX_EFFORT):
        calls += 1
        if interrupted and calls == 3:
            forest.begin(everyone)
    assert calls >= 3
    if interrupted:
        assert forest.trees.sizes.tolist() == [[1, 0]]
        return
    assert forest.trees.sizes.tolist() == [[count - 1, count - 1]]
    moved, numbers = forest.trees.edges[0, : count - 1], numbers[: count - 1]
    assert np.array_equal(moved["visits"], numbers + 1)
    assert np.array_equal(moved["q_values"][:, 0], numbers + 1)
    assert np.array_equal(moved["child"], np.append(numbers[1:], NONE))
    assert np.array_equal(nodes["parent"][: count - 1], numbers - 1)
    assert np.array_equal(nodes["first"][: count - 1], numbers)
