"""``value:FILE``: one turn deep against a plain enumeration, and at the leaves of searches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parlour.arena import Threads, match
from parlour.engine.after_states import turn_ends
from parlour.engine.games import Games
from parlour.engine.kernels import ply
from parlour.engine.kernels.after_states import close_until_throw
from parlour.engine.kernels.network_value import value_to
from parlour.interfaces.registry import find
from parlour.players import GamesView, parse_player
from parlour.players.identity import identity_of
from parlour.players.search.expectimax import EXACT_HEURISTICS, Expectimax
from parlour.players.search.mcts import Mcts
from parlour.players.value import Evaluator, ValueNetwork, new_network
from parlour.players.value_players import CANDIDATES, TurnPlayer
from parlour.rulebook.chance import outcomes
from tests.games.acey_ducey import positions as acey_ducey
from tests.games.backgammon import positions as backgammon
from tests.players.search.test_expectimax import LEAF, Looking
from tests.players.value.networks import LONG, middle, network_for, saved
from tests.support.games import batch_of, begun, chosen
from tests.support.kernels import call


def worth(network: ValueNetwork, env: Any) -> Any:
    """What a running position of an environment is worth to each seat."""
    return Evaluator(network, env.unwrapped.games).values()[0]


def worth_after(network: ValueNetwork, position: str, plies: list[int], seat: int) -> float:
    """What a position is worth to ``seat`` after the plies of one turn, without any throw after them."""
    env = begun(network.game.id, position=position, illegal_move="raise")
    games, rewards = env.games, np.zeros((1, 2))
    for action in plies:
        call(games, ply.open_ply, games.states[0], games.variants[0], action, rewards[0])
        ply.count_ply(games.states[0])
    return 0.5 * float(rewards[0, seat] - rewards[0, 1 - seat]) + float(worth(network, env)[seat])


def long_turns(game: str, rows: int) -> Games:
    """Positions of which at least some have turns of several plies: in Checkers, jumps on."""
    many = middle(game, rows=400 if game == "checkers-v0" else rows, plies=60)
    ends = turn_ends(many.games, np.arange(many.num_games))
    row_ids = np.unique(ends.row_ids[ends.lengths > 1])[:rows]
    batch = batch_of(game, len(row_ids), seed=0)
    batch.copy_rows(many, row_ids, np.arange(len(row_ids)))
    return batch.games


@pytest.mark.parametrize("game", ["checkers-v0", LONG])
def test_a_player_without_search_plays_the_best_end_of_its_turn(game: str) -> None:
    """Of the best end of all that its plies can come to, the first ply is played."""
    network, games = network_for(game), long_turns(game, 20)
    rows, deeper = games.num_games, 0
    actions, ends = chosen(TurnPlayer(network), games), turn_ends(games, np.arange(rows))
    for i in range(rows):
        found: dict[int, float] = {}
        for k in np.flatnonzero(ends.row_ids == i):
            plies = ends.actions[k, : ends.lengths[k]].tolist()
            value = worth_after(network, games.position(i), plies, int(games.states["to_act"][i]))
            found[plies[0]] = max(value, found.get(plies[0], -np.inf))
            deeper += len(plies) > 1
        assert found[actions[i]] == pytest.approx(max(found.values()), abs=1e-9)
        assert len(found) == 1 or min(found.values()) < max(found.values())
    assert deeper >= rows > 3


@pytest.mark.parametrize("game", ["checkers-v0", LONG])
def test_a_player_without_search_tells_its_turn_and_what_it_is_worth(game: str) -> None:
    network, games = network_for(game), long_turns(game, 4)
    player = TurnPlayer(network)
    actions = chosen(player, games)
    for row in range(games.num_games):
        found = player.consider(GamesView(games), row)
        assert found.probabilities[actions[row]] == 1
        seat, plies = int(games.states["to_act"][row]), list(found.principal_variation)
        assert plies[0] == actions[row]
        assert found.values is not None
        assert found.values[seat] == pytest.approx(worth_after(network, games.position(row), plies, seat), abs=1e-9)


def best_turn(network: ValueNetwork, env: Any) -> float:
    """What the best turn is worth to the seat to act."""
    seat, ends = int(env.games.states["to_act"][0]), turn_ends(env.games, np.arange(1))
    turns = (ends.actions[k, : ends.lengths[k]].tolist() for k in range(len(ends.lengths)))
    return max(
        float(ends.rewards[k, seat]) if ends.terminated[k] else worth_after(network, env.position(), plies, seat)
        for k, plies in enumerate(turns)
    )


@pytest.mark.long
def test_two_turns_deep_the_mean_of_the_best_replies_counts() -> None:
    """Of all ends of White's turn, fewer than are looked at closely."""
    network = new_network(find("backgammon-v0"), hidden=8, scale=3.0, seed=1)
    env = backgammon.at("8:w1 5:w1 22:b1 19:b1", "6 1")
    found = TurnPlayer(network, ahead=True).consider(GamesView(env.games))
    ends, worths = turn_ends(env.games, np.arange(1)), []
    for k in range(len(ends.lengths)):
        worths.append(0.0)
        for faces, chance in outcomes(env.game.rules.DICE):
            then = backgammon.at("8:w1 5:w1 22:b1 19:b1", "6 1", throws=[faces])
            for action in ends.actions[k, : ends.lengths[k]].tolist():
                then.step(action)
            worths[k] -= chance * best_turn(network, then)
    assert 1 < len(worths) <= CANDIDATES
    assert found.values is not None
    assert found.values[0] == pytest.approx(max(worths), abs=1e-9)
    best = int(np.argmax(worths))
    assert list(found.principal_variation) == ends.actions[best, : ends.lengths[best]].tolist()
    assert env.position() == backgammon.at("8:w1 5:w1 22:b1 19:b1", "6 1").position()


def nearest_ends(games: Games, room: int) -> list[list[int]]:
    """The plies to the ends of the turn in row 0, nearest first, if there is room for so many positions only: those
    from which the turn goes on to positions without room count as ends."""
    history, seat = games.history[0], int(games.states["to_act"][0])
    start = games.states.copy()

    def after(plies: list[int]) -> tuple[bytes, bool, list[int]]:
        """The position after these plies, whether the turn goes on there, and what is legal."""
        games.states[:] = start
        state, due = games.states[0], 0
        for action in plies:
            rewards = np.zeros(games.layout.seats)
            call(games, ply.open_ply, state, games.variants[0], action, rewards)
            due = call(games, close_until_throw, state, games.variants[0], history, rewards)
        goes_on = due == 0 and state["end"] == 0 and state["turn_over"] == 0 and state["to_act"] == seat
        state["last_action"], state["plies"] = 0, start["plies"][0]  # the same position whatever plies led there
        key = games.states.tobytes()
        games.observe()
        return key, goes_on, np.flatnonzero(games.masks[0]).tolist()

    found: list[list[int]] = [[]]
    known, ends, parent = set[bytes](), list[list[int]](), 0
    while parent < len(found):
        _, goes_on, legal = after(found[parent])
        if parent and not goes_on:
            ends.append(found[parent])
            legal = []
        for action in legal:
            if len(found) > room:  # the first is the present position, which takes none
                ends += found[max(parent, 1) :]
                games.states[:] = start
                return ends
            key, _, _ = after([*found[parent], action])
            if key not in known:
                known.add(key)
                found.append([*found[parent], action])
        parent += 1
    games.states[:] = start
    return ends


@pytest.mark.parametrize("room", [4, 32, 256])
def test_of_a_turn_with_many_positions_the_nearest_are_looked_at(monkeypatch: pytest.MonkeyPatch, room: int) -> None:
    """Where a seat places any number of bets, with room for not even all first plies, for a part of the turn, and for
    all of it."""
    monkeypatch.setattr("parlour.players.value_players.CHOICE_POSITIONS", room)
    bets = {"bets": "many", "start_chips": 2, "players": 2}
    env = begun("crown_and_anchor-v0", **bets)
    seat, start = int(env.games.states["to_act"][0]), env.games.states.copy()
    turns = nearest_ends(env.games, room)
    for seed in range(12):
        network = new_network(find("crown_and_anchor-v0"), None, 16, seed=seed, overrides=bets)
        values = list[float]()
        for plies in turns:
            for action in plies:
                call(env.games, ply.open_ply, env.games.states[0], env.games.variants[0], action, np.zeros(2))
            values.append(float(worth(network, env)[seat]))
            env.games.states[:] = start
        env.games.observe()
        found = TurnPlayer(network).consider(GamesView(env.games))
        assert list(found.principal_variation) == turns[int(np.argmax(values))]
        assert found.values is not None
        assert found.values[seat] == pytest.approx(max(values), abs=1e-9)


class Plain(Looking):
    """Looks at everything between two seats, with the network's value at the end of each turn at full depth, before any
    throw. Plies beyond the depth, up to the end of a turn, count below 0."""

    def __init__(self, network: ValueNetwork, games: Games, depth: int) -> None:
        super().__init__(games, depth)
        self.games, self.evaluation = games, Evaluator(network, games).refresh()

    def is_leaf(self, state: Any, left: int, due: int, throws: int) -> bool:
        return left <= 0 and bool(due or state["turn_over"] or left == -6)

    def leaf(self, states: Any) -> Any:
        head = self.evaluation.network.row_heads[0]
        value = LEAF * float(call(self.games, value_to, 0, head, 0, states[0], self.variant, self.evaluation))
        return np.array([value, -value])


def value_of(network: ValueNetwork, games: Games, depth: int) -> tuple[float, float]:
    """What the search finds the only row to be worth to seat 0, and what looking at everything does."""
    games.observe()
    found = Expectimax(depth, heuristics=EXACT_HEURISTICS, network=network).consider(GamesView(games))
    assert found.values is not None
    return float(found.values[0]), float(Plain(network, games, depth).of_root()[0])


def test_a_search_values_its_leaves_by_the_network() -> None:
    network, games = network_for("checkers-v0"), middle("checkers-v0", rows=1, plies=20).games
    found, expected = value_of(network, games, 3)
    assert abs(expected) > 0.01
    assert found == pytest.approx(expected, abs=1e-9)
    by_potential = Expectimax(3, heuristics=EXACT_HEURISTICS).consider(GamesView(games))
    assert by_potential.values is not None
    assert abs(by_potential.values[0] - found) > 1e-3


@pytest.mark.long
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_search_values_turns_before_the_throw_that_follows(depth: int) -> None:
    """Star1 prunes by bounds that hold for the network, too."""
    network = network_for("acey_ducey-v0")
    for text, dice in (("6:r1 1:r1 20:b2 24:b1", "3 5"), ("8:r1 3:r1 20:b2", "4 6")):
        games = acey_ducey.at(text, dice, dog=(0, 1)).unwrapped.games
        found, expected = value_of(network, games, depth)
        assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.long
def test_three_seats_are_searched_by_what_each_expects() -> None:
    network, games = network_for("pig-v0"), middle("pig-v0").games
    rows = np.flatnonzero(games.counts > 0)[:3].tolist()
    for row in rows:
        found = Expectimax(1, network=network).consider(GamesView(games), row)
        assert np.ptp(found.values) > 0
        assert len(found.principal_variation) == 1


@pytest.mark.parametrize("game", ["checkers-v0", pytest.param("pig-v0", marks=pytest.mark.long), LONG])
@pytest.mark.parametrize("budget", ["", ":1", ":0.001s", ":2turns"])
def test_players_from_files_play(tmp_path: Path, game: str, budget: str) -> None:
    name = f"value:{saved(tmp_path, game)}{budget}"
    player = parse_player(name, find(game))
    assert player.name == name
    games = middle(game, rows=4, plies=9).games
    if budget == ":2turns" and games.layout.seats > 2:
        with pytest.raises(ValueError, match="2turns is for games between two seats, not for pig-v0 with 3"):
            chosen(player, games)
        return
    assert games.action_mask[np.arange(4), chosen(player, games)].all()
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
        ("value:FILE:0", "1 to 60 plies, not 0"),
        ("value:FILE:61", "1 to 60 plies, not 61"),
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


# --- mcts ---


@pytest.mark.parametrize(("game", "plies"), [("checkers-v0", 11), ("acey_ducey-v0", 150)])
@pytest.mark.long
def test_a_simulation_ends_with_what_the_network_says(game: str, plies: int) -> None:
    """Each action tried once is worth what the network says where the turn ends with it, before any throw."""
    network, games = network_for(game), middle(game, rows=1, plies=plies).games
    games.observe()
    count, seat = int(games.counts[0]), int(games.states["to_act"][0])
    assert count > 2
    player = Mcts(count, network=network)
    player.consider(GamesView(games))
    forest = player._forest
    assert forest is not None
    plain, checked = Plain(network, games, 1), 0
    for edge in forest.edges_of(0, 0):
        after, rewards = games.states.copy(), np.zeros(2)
        call(games, ply.open_ply, after[0], games.variants[0], int(edge["action"]), rewards)
        due = games.game.rules.dice_due(after[0], games.variants[0])
        if after["turn_over"][0] or due > 0:
            expected = rewards[seat] if after["end"][0] else plain.leaf(after)[seat] / LEAF
            assert edge["q_values"][seat] == pytest.approx(expected, abs=1e-6)
            checked += 1
    assert checked > 0


def test_mcts_with_a_network_is_a_player(tmp_path: Path) -> None:
    for game, budget in (("pig-v0", "50"), ("pig-v0", "0.001s")):
        name = f"mcts:{budget}:value:{saved(tmp_path, game)}"
        player = parse_player(name, find(game))
        assert player.name == name
        assert set(identity_of(name, find(game))) == {"sha256"}
        games = middle(game, rows=4, plies=9).games
        assert games.action_mask[np.arange(4), chosen(player, games)].all()


def test_a_seed_gives_the_same_simulations_on_any_number_of_threads() -> None:
    network, actions = network_for("pig-v0"), []
    for threads in (1, 2):
        batch = batch_of("pig-v0", 6, seed=5, threads=threads)
        actions.append(chosen(Mcts(40, network=network), batch.games).tolist())
    assert actions[0] == actions[1]
