"""Kinds of players, and the budgets in their names."""

from __future__ import annotations

import re

import pytest

from parlour.interfaces.registry import find
from parlour.players.kind import Budget, NotInForm, find_budget, read_budget
from parlour.players.names import KINDS, NAMES, PLAYERS, parse_player


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


@pytest.mark.parametrize("name", [name for name in NAMES if not OTHERS.search(name)])
def test_every_name_of_the_table_is_a_player(name: str) -> None:
    assert parse_player(name, find("checkers-v0")).name == name
