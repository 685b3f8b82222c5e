"""``value:FILE``: one turn deep against a plain enumeration, and at the leaves of searches."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.arena import Threads, match
from parlour.engine.after_states import turn_ends
from parlour.engine.games import Table
from parlour.players import GamesView, parse_player
from parlour.players.identity import identity_of
from parlour.registry import find
from parlour.search.expectimax import EXACT_HEURISTICS, Expectimax
from parlour.value import Evaluator, ValueNetwork
from parlour.value.players import TurnPlayer
from tests.value.networks import middle, network_for, saved

LEAF = 0.9


def worth(network: ValueNetwork, env: Any) -> Any:
    """What a running position of an environment is worth to each seat."""
    return Evaluator(network, env.unwrapped.table).values()[0]


def chosen(player: Any, table: Table) -> list[int]:
    table.show()
    actions = np.full(table.num_games, -1)
    player.choose(GamesView(table), table.states["end"] == 0, actions)
    return list(actions.tolist())


def worth_after(network: ValueNetwork, position: str, plies: list[int], seat: int) -> float:
    """What a position of Acey Ducey is worth to ``seat`` after the plies of one turn, without the throw after them."""
    env = parlour.make("acey_ducey-v0", illegal_move="raise").unwrapped
    env.reset(options={"position": position})
    table, ply, rewards = env.table, env.table.game.compiled.ply, np.zeros((1, 2))
    for action in plies:
        ply.open_ply(table.states[0], table.variants[0], action, rewards[0])
        ply.count_ply(table.states[0])
    return 0.5 * float(rewards[0, seat] - rewards[0, 1 - seat]) + float(worth(network, env)[seat])


def test_a_player_without_search_plays_the_best_end_of_its_turn() -> None:
    """Of the best end of all that its plies can come to, the first ply is played."""
    network, table = network_for("acey_ducey-v0"), middle("acey_ducey-v0", rows=30, plies=60).table
    actions, ends, deeper = chosen(TurnPlayer(network), table), turn_ends(table, np.arange(30)), 0
    for i in range(30):
        found: dict[int, float] = {}
        for k in np.flatnonzero(ends.row_ids == i):
            plies = ends.actions[k, : ends.lengths[k]].tolist()
            value = worth_after(network, table.position(i), plies, int(table.states["to_act"][i]))
            found[plies[0]] = max(value, found.get(plies[0], -np.inf))
            deeper += len(plies) > 1
        assert found[actions[i]] == pytest.approx(max(found.values()), abs=1e-9)
        assert len(found) == 1 or min(found.values()) < max(found.values())
    assert deeper > 30


def test_a_player_without_search_tells_its_turn_and_what_it_is_worth() -> None:
    network, table = network_for("acey_ducey-v0"), middle("acey_ducey-v0", rows=8, plies=60).table
    player = TurnPlayer(network)
    actions = chosen(player, table)
    for row in range(8):
        found = player.consider(GamesView(table), row)
        assert found.probabilities[actions[row]] == 1
        seat, plies = int(table.states["to_act"][row]), list(found.principal_variation)
        assert plies[0] == actions[row]
        assert found.values is not None
        assert found.values[seat] == pytest.approx(worth_after(network, table.position(row), plies, seat), abs=1e-9)


def test_a_turn_with_many_positions_gets_more_room(monkeypatch: pytest.MonkeyPatch) -> None:
    network, table = network_for("acey_ducey-v0"), middle("acey_ducey-v0", rows=8, plies=60).table
    usual = chosen(TurnPlayer(network), table)
    monkeypatch.setattr("parlour.value.players.FIRST_POSITIONS", 2)
    assert chosen(TurnPlayer(network), table) == usual


def plain_value(network: ValueNetwork, env: Any, depth: int) -> Any:
    """The value of looking at every ply to a depth, for a game without throws between plies."""
    raw = env.unwrapped
    if raw.is_over():
        return np.zeros(2)
    if depth == 0:
        return LEAF * worth(network, env)
    seat = raw.possible_agents.index(raw.agent_selection)
    best = None
    for action in np.flatnonzero(raw.observe(raw.agent_selection)["action_mask"]):
        twin = raw.clone()
        twin.step(int(action))
        paid = np.array([twin.rewards[agent] for agent in twin.possible_agents])
        value = paid + plain_value(network, twin, depth - 1)
        if best is None or value[seat] > best[seat]:
            best = value
    assert best is not None
    return best


def test_a_search_values_its_leaves_by_the_network() -> None:
    network = network_for("checkers-v0")
    env = parlour.make("checkers-v0", illegal_move="raise").unwrapped
    env.reset(seed=0)
    rng = np.random.default_rng(1)
    for _ in range(20):
        env.step(int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))))
    expected = plain_value(network, env, 3)
    env.table.show()
    found = Expectimax(3, heuristics=EXACT_HEURISTICS, network=network).consider(GamesView(env.table))
    assert abs(expected[0]) > 0.01
    np.testing.assert_allclose(found.values, expected, atol=1e-9)
    by_potential = Expectimax(3, heuristics=EXACT_HEURISTICS).consider(GamesView(env.table))
    assert abs(by_potential.values - found.values).max() > 1e-3


@pytest.mark.long
def test_bounds_of_throws_hold_for_a_network_too() -> None:
    """With Star1 and Star2 the value is that of looking at every throw."""
    network = network_for("acey_ducey-v0")
    without = replace(EXACT_HEURISTICS, star1=False, star2=False)
    for row in range(3):
        table = middle("acey_ducey-v0", rows=3, plies=40).table
        found = [
            Expectimax(2, heuristics=used, network=network).consider(GamesView(table), row)
            for used in (EXACT_HEURISTICS, without)
        ]
        np.testing.assert_allclose(found[0].values, found[1].values, atol=1e-9)


def test_three_seats_are_searched_by_what_each_expects() -> None:
    network, table = network_for("pig-v0"), middle("pig-v0").table
    rows = np.flatnonzero(table.counts > 0)[:3].tolist()
    for row in rows:
        found = Expectimax(1, network=network).consider(GamesView(table), row)
        assert np.ptp(found.values) > 0
        assert len(found.principal_variation) == 1


@pytest.mark.parametrize("game", ["checkers-v0", "pig-v0", pytest.param("acey_ducey-v0", marks=pytest.mark.long)])
@pytest.mark.parametrize("budget", ["", ":1", ":0.001s"])
def test_players_from_files_play(tmp_path: Path, game: str, budget: str) -> None:
    name = f"value:{saved(tmp_path, game)}{budget}"
    player = parse_player(name, find(game))
    assert player.name == name
    table = middle(game, rows=4, plies=9).table
    for twin in (player, copy.deepcopy(player), pickle.loads(pickle.dumps(player))):
        actions = chosen(twin, table)
        assert table.allows(np.arange(4), np.array(actions)).all()
    assert set(identity_of(name, find(game))) == {"sha256"}


def test_it_is_a_player_in_matches(tmp_path: Path) -> None:
    name = f"value:{saved(tmp_path, 'checkers-v0')}"
    found = match("checkers-v0", name, "random", games=4, seed=1, workers=Threads(1), max_plies=60)
    assert found.games == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("value:", "a file is missing"),
        ("value:nowhere.value", "'nowhere.value' can't be read: No such file"),
        ("value:FILE:0", "depth from 1 to 60, not 0"),
        ("value:FILE:61", "depth from 1 to 60, not 61"),
        ("value:FILE:0s", "time above 0 seconds"),
        ("value:FILE:x", "can't be read"),
    ],
)
def test_texts_that_are_no_player_are_refused(tmp_path: Path, text: str, message: str) -> None:
    text = text.replace("FILE", str(saved(tmp_path, "checkers-v0")))
    with pytest.raises(ValueError, match=message):
        parse_player(text, find("checkers-v0"))


def test_a_file_for_another_game_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="for 'pig-v0', not for 'checkers-v0'"):
        parse_player(f"value:{saved(tmp_path, 'pig-v0')}", find("checkers-v0"))
