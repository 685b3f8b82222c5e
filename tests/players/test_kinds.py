"""Kinds of players, and the budgets in their names."""

from __future__ import annotations

import re

import pytest

from parlour.interfaces.registry import find
from parlour.players.kind import Budget, NotInForm, find_budget, read_budget
from parlour.players.names import KINDS, NAMES, PLAYERS, parse_player, parse_players


@pytest.mark.parametrize(
    ("text", "budget", "shown"),
    [
        ("200", Budget(200), "200"),
        ("0", Budget(0), "0"),
        ("0.5s", Budget(seconds=0.5), "0.5s"),
        ("4s", Budget(seconds=4.0), "4s"),
        (".25s", Budget(seconds=0.25), "0.25s"),
        ("1e-3s", Budget(seconds=0.001), "0.001s"),
    ],
)
def test_budgets_are_read_and_shown(text: str, budget: Budget, shown: str) -> None:
    assert read_budget(text) == find_budget(text) == budget
    assert str(budget) == shown


@pytest.mark.parametrize(
    "text", ["", "x", "1.5", "-1", "+1", "-1s", "s", "infs", "nans", "1e999s", "1_0", "٣", "9" * 5000]
)
def test_other_texts_are_no_budgets(text: str) -> None:
    assert find_budget(text) is None
    with pytest.raises(NotInForm, match=r"is missing" if not text else r"is no budget"):
        read_budget(text)


@pytest.mark.parametrize(
    ("budget", "message"),
    [
        (Budget(), "mcts takes either a number of simulations or a time"),
        (Budget(1, 1.0), "mcts takes either a number of simulations or a time"),
        (Budget(0), "mcts takes 1 to 9 simulations, not 0"),
        (Budget(10), "mcts takes 1 to 9 simulations, not 10"),
        (Budget(True), "mcts takes 1 to 9 simulations, not True"),
        (Budget(2.5), "mcts takes 1 to 9 simulations, not 2.5"),  # type: ignore[arg-type]
        (Budget(seconds=0.0), "mcts takes a time above 0 seconds, not 0.0"),
        (Budget(seconds=float("nan")), "mcts takes a time above 0 seconds, not nan"),
    ],
)
def test_budgets_out_of_range(budget: Budget, message: str) -> None:
    with pytest.raises(NotInForm) as caught:
        budget.checked("mcts", "simulations", 9)
    assert str(caught.value) == message
    assert Budget(9).checked("mcts", "simulations", 9) == Budget(9)


def test_every_kind_is_found_by_its_name_and_shows_it() -> None:
    for name, kind in KINDS.items():
        assert name == kind.KIND
        assert all(one.partition(":")[0] == name for one in kind.NAMES)
        assert set(kind.NAMES) <= set(NAMES)
    assert PLAYERS == ["random", "greedy"]


OTHERS = re.compile("FILE|FOLDER|tables|PLAYER|my_players")
"""What stands for others' files and players."""


@pytest.mark.parametrize("name", [*(name for name in NAMES if not OTHERS.search(name)), "mcts:2s:greedy"])
def test_every_name_of_the_table_is_a_player(name: str) -> None:
    assert parse_player(name, find("checkers-v0")).name == name


def test_a_name_for_all_seats_or_one_for_each() -> None:
    assert [player.name for player in parse_players("random", 4)] == ["random"] * 4
    assert [player.name for player in parse_players("greedy,random", 2)] == ["greedy", "random"]
    for text, message in (
        ("random,", "there is no player ''; players: 'random', 'greedy'"),
        ("random, greedy", "there is no player ' greedy'; players: 'random', 'greedy'"),
        ("random,greedy,random", "names 3 players; give one for all seats, or 2, one per seat"),
    ):
        with pytest.raises(ValueError, match=message):
            parse_players(text, 2)


REFUSED = {
    "": "there is no player ''; players: 'random', 'greedy'",
    "Random": "there is no player 'Random'; players: 'random', 'greedy'",
    "reckless": "there is no player 'reckless'; players: 'random'",  # of another game
    "minimax:3": r"'minimax:3'; players: 'random', 'greedy', 'mcts:200', .*'parlour players' lists all forms",
    "random:3": "nothing follows the name",
    "mcts": r"a budget is missing\); valid: mcts:200 \(Monte Carlo tree search",
    "mcts:x": "'x' is no budget",
    "mcts:0": "1 to 10000000 simulations, not 0",
    "mcts:99999999999": "1 to 10000000 simulations",
    "mcts:0s": "a time above 0 seconds, not 0.0",
    "mcts:5:bold": "roll-outs 'bold' are not valid; valid: 'random' and 'greedy'",
    "mcts:9:value": "roll-outs 'value' are not valid",
    "mcts:9:value:": "'' can't be read",
    "mcts:9:value:nowhere": "'nowhere' can't be read",
    "expectimax:": r"a budget is missing\); valid: expectimax:6",
    "expectimax:0": "1 to 60 plies, not 0",
    "expectimax:61": "1 to 60 plies, not 61",
    "expectimax:3:greedy": "'greedy' is unknown",
    "expectimax:1:exact:": "'exact:' is unknown",
    "expectimax::exact:x": "a budget is missing",
    "exact": "a folder is missing",
    "exact:": "a folder is missing",
    "champion:2:exact:": "a folder is missing",
    "policy": r"a file is missing\); valid: policy:FILE",
    "policy::sample": r"a file is missing\); valid: policy:FILE",
    "az": r"a file or a budget is missing\); valid: az:FILE",
    "az:net.onnx": "a file or a budget is missing",
    "az::400": "a file or a budget is missing",
    "az:net.onnx:": "a budget is missing",
    "az:net.onnx:0": "1 to 1000000 simulations, not 0",
    "az:net.onnx:-1s": "'-1s' is no budget",
    "blunder:0:random": "1 to 99 percent and a player",
    "blunder:100:random": "1 to 99 percent and a player",
    "blunder:x:random": "1 to 99 percent and a player",
    "blunder:5": "a player is missing",
    "blunder:5:": "a player is missing",
    "blunder:5:nobody": "there is no player 'nobody'",
    **dict.fromkeys(
        ("python:", "python:json", "python:json:", "python::dumps", "python:a/b:c", "python:..a:b"),
        "valid: python:my_players:best",
    ),
}
"""Names of no player, and what is said of each."""


@pytest.mark.parametrize("name", REFUSED)
def test_names_of_no_player(name: str) -> None:
    with pytest.raises(ValueError, match=REFUSED[name]) as caught:
        parse_player(name, find("checkers-v0"))
    assert name.startswith(("mcts:9", "blunder:5:n")) or repr(name) in str(caught.value)


def test_the_players_of_a_game_are_named() -> None:
    with pytest.raises(ValueError, match="there is no player 'bold'; players: 'random', 'greedy', 'reckless'"):
        parse_player("bold", find("pig-v0"))
