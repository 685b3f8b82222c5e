"""The engine behind `expectimax`: heuristics one by one, calls cut short, tables kept between plies, repetition, and
what it tells of a position."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parlour.engine.kernels import alpha_beta
from parlour.engine.search_arrays import HEURISTICS, INEXACT, LEAF
from parlour.players import GamesView
from parlour.players.search.expectimax import ALL_HEURISTICS, EXACT_HEURISTICS, Expectimax, Heuristics, _Search
from parlour.rulebook.compiling import COMPILED
from parlour.rulebook.options import REPEATS
from tests.players.search.test_expectimax import MIDDLE, plain_action_value, plain_value, value_at_root
from tests.players.search.test_forced_wins import CHECKERS, IN_THREE, SWORDS
from tests.support.cases import GAMES
from tests.support.games import begun

FEW_KINGS = "B:W18,K25,32:B4,K14,15"


def searched(player: Expectimax, env: Any) -> _Search:
    """The memory of a player after its search of a game."""
    env.games.observe()
    player.consider(GamesView(env.games))
    assert player._search is not None
    return player._search


# --- compiling ---


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_the_search_is_kept_on_disk() -> None:
    """Numba can't keep code that refers to a kernel by its address. That happens when a kernel is an argument of a loop
    that stays a function of its own."""
    searched(Expectimax(1), begun(CHECKERS, 1).unwrapped)
    assert list(Path(alpha_beta.search_rows._cache.cache_path).glob("search_rows-*.code"))


# --- heuristics ---


@pytest.mark.parametrize("name", [name for name in HEURISTICS if name not in INEXACT])
def test_no_exact_heuristic_changes_a_value(name: str) -> None:
    without = replace(EXACT_HEURISTICS, **{name: False})
    for text, depth in ((FEW_KINGS, 5), (IN_THREE[CHECKERS], 4)):
        games = begun(CHECKERS, position=text).games
        with_all, _ = value_at_root(games, depth)
        assert value_at_root(games, depth, without)[0] == pytest.approx(with_all, abs=1e-9)


def test_bounds_of_throws_save_nodes() -> None:
    """Of many men's plies most are soon seen to be worse."""
    games = begun("acey_ducey-v0", 1, plies=40).unwrapped.games
    games.observe()
    without = replace(EXACT_HEURISTICS, star1=False)
    found = [Expectimax(3, heuristics=used).consider(GamesView(games)) for used in (without, EXACT_HEURISTICS)]
    assert found[1].nodes < found[0].nodes / 2
    assert found[1].values == pytest.approx(found[0].values, abs=1e-9)


def test_heuristics_save_nodes() -> None:
    """All that keep the value together look at far fewer positions than none."""
    games = begun(SWORDS, position=f"{MIDDLE} s").games
    games.observe()
    none = Heuristics(**dict.fromkeys(HEURISTICS, False))
    nodes = [Expectimax(3, heuristics=used).consider(GamesView(games)).nodes for used in (none, EXACT_HEURISTICS)]
    assert nodes[1] < nodes[0] / 2


# --- calls ---


def test_a_search_cut_short_goes_on_where_it_stopped() -> None:
    """However few nodes a call looks at, the search finds the same."""
    env = begun(CHECKERS)
    whole = searched(Expectimax(6), env)
    player = Expectimax(6)
    pieces = player._searching(env.games)
    env.games.player_rng["counter"] = 0
    rows, calls = np.ones(1, np.bool_), 0
    pieces.begin(rows)
    while pieces.go_on(rows, 6, 7):
        calls += 1
        assert pieces.memory.progress["nodes"][0] == 7 * calls
    assert calls > 10
    env.games.player_rng["counter"] = 0
    again = searched(Expectimax(6), env)
    for name in ("action", "value", "nodes", "finished"):
        assert pieces.memory.progress[name][0] == again.memory.progress[name][0]
    assert whole.memory.progress["value"][0] == again.memory.progress["value"][0]


def test_a_time_is_enough_for_one_ply_at_least() -> None:
    env = begun(CHECKERS)
    analysis = Expectimax(seconds=1e-9).consider(GamesView(env.games))
    assert analysis.depth >= 1
    assert env.games.action_mask[0, analysis.principal_variation[0]]


def test_a_longer_time_searches_deeper() -> None:
    env = begun(CHECKERS)
    Expectimax(1).consider(GamesView(env.games))
    ticks = iter(range(10**9))
    depths = [
        Expectimax(seconds=time, clock=lambda: next(ticks)).consider(GamesView(env.games)).depth for time in (8, 400)
    ]
    assert depths[1] > depths[0] >= 1


def test_a_depth_ends_by_a_time_too() -> None:
    """With what was found by then; a search that ends sooner is the same as without the time."""
    env = begun(CHECKERS)
    Expectimax(1).consider(GamesView(env.games))
    ticks = iter(range(10**9))
    hurried = Expectimax(40, clock=lambda: next(ticks))
    hurried.max_seconds = 20
    analysis = hurried.consider(GamesView(env.games))
    assert 1 <= analysis.depth < 40
    assert env.games.action_mask[0, analysis.principal_variation[0]]
    unhurried, plain = Expectimax(5, clock=lambda: next(ticks)), Expectimax(5)
    unhurried.max_seconds = 1e9
    env.games.player_rng["counter"] = 0
    found = unhurried.consider(GamesView(env.games))
    env.games.player_rng["counter"] = 0
    due = plain.consider(GamesView(env.games))
    assert (
        (found.principal_variation, found.depth) == (due.principal_variation, due.depth) == (due.principal_variation, 5)
    )
    assert found.values is not None
    assert np.array_equal(found.values, due.values)


# --- between two plies ---


IN_FIVE = "B:WK19,K16:BK9,K10,K24"


def test_what_was_proved_is_kept() -> None:
    """After a ply of either seat a search to depth 2 still knows the win in three plies, which it would not see."""
    env = begun(CHECKERS, position=IN_FIVE)
    assert value_at_root(env.games, 4)[0][0] < LEAF < value_at_root(env.games, 5)[0][0]
    proving = replace(EXACT_HEURISTICS, proofs=True)
    player = Expectimax(5, heuristics=proving)
    env.games.observe()
    first = player.consider(GamesView(env.games))
    for action in first.principal_variation[:2]:
        env.step(int(action))
    env.games.observe()
    assert player._search is not None
    player._search.run(np.ones(1, np.bool_), 2, None)
    assert player._search.memory.values[0, 0] > LEAF
    assert Expectimax(2, heuristics=proving).consider(GamesView(env.games)).values[0] < LEAF


def test_a_new_game_is_searched_from_nothing() -> None:
    """Else a game would depend on what was played before it in the same row."""
    env = begun(CHECKERS)
    player = Expectimax(5)
    first = player.consider(GamesView(env.games))
    env.step(first.principal_variation[0])
    env.games.observe()
    player.consider(GamesView(env.games))
    env.reset(seed=0)
    assert player.consider(GamesView(env.games)).nodes == first.nodes


@pytest.mark.parametrize(("depth", "few"), [(3, True), (12, False)])
def test_a_table_is_emptied_place_by_place_or_as_a_whole(depth: int, few: bool) -> None:
    """As a whole after a search that took more places than are noted. The next search is as one with a new table."""
    env = begun(CHECKERS)
    player = Expectimax(depth, table_mib=1)
    memory = searched(player, env).memory
    assert (memory.progress["taken"][0] <= memory.taken_places.shape[1]) == few
    assert np.count_nonzero(memory.entries["key"]) == memory.progress["taken"][0]
    env.reset(seed=0, options={"position": IN_FIVE})
    player.depth = 3
    found = player.consider(GamesView(env.games))
    assert np.count_nonzero(memory.entries["key"]) == memory.progress["taken"][0] > 0
    assert found.nodes == Expectimax(3).consider(GamesView(env.games)).nodes


# --- repetition ---


def shuffled(moves: str, **options: Any) -> Any:
    """An ending of kings in which these moves have been played."""
    env = begun(CHECKERS, position="B:WK5,K30:BK1,K28", **options)
    for move in moves.split():
        env.step(env.unwrapped.parse_move(move))
    env.unwrapped.games.observe()
    return env.unwrapped


@pytest.mark.parametrize("repetition", [2, 3])
@pytest.mark.parametrize("depth", [2, 4])
@pytest.mark.parametrize("repeats", REPEATS.values)
def test_repetitions_are_those_of_the_game_and_of_the_path(repetition: int, depth: int, repeats: str) -> None:
    moves = "28-24 30-25 24-28 25-30" if repetition == 3 else "28-24"
    env = shuffled(moves, repetition=repetition, repeats=repeats)
    assert not env.is_over()
    values, action = value_at_root(env.games, depth)
    expected = plain_value(env, depth)
    assert values == pytest.approx(expected, abs=1e-6)
    assert plain_action_value(env, action, depth) == pytest.approx(expected, abs=1e-6)


# --- what it tells ---


@pytest.mark.parametrize("game", GAMES)
def test_an_analysis_tells_what_will_be_played(game: str) -> None:
    """Beside what all players tell (`tests.players.test_consider`)."""
    env = begun(game, 1)
    analysis = Expectimax(2).consider(GamesView(env.games))
    assert sum(analysis.values) == pytest.approx(0)
    assert analysis.nodes > 0
    assert analysis.depth == 2
    assert env.games.action_mask[0, analysis.principal_variation[0]]
    assert analysis.probabilities[analysis.principal_variation[0]] == 1


@pytest.mark.parametrize("game", [CHECKERS, SWORDS])
def test_the_principal_variation_is_legal_and_as_long_as_the_search_is_deep(game: str) -> None:
    env = begun(game, 1, illegal_move="raise")
    analysis = Expectimax(4, heuristics=EXACT_HEURISTICS).consider(GamesView(env.games))
    assert len(analysis.principal_variation) >= 4
    for action in analysis.principal_variation:
        env.step(action)


def test_heuristics_are_named_as_they_are_told() -> None:
    assert set(INEXACT) < set(HEURISTICS)
    record = replace(ALL_HEURISTICS, killers=False).switches()
    assert [name for name in HEURISTICS if not record[name][0]] == ["killers"]
