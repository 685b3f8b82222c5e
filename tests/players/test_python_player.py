"""``python:module:name``: players of one's own by name, checked, copied, and told apart."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parlour.arena import Threads, match
from parlour.cli import main
from parlour.interfaces.registry import find
from parlour.players import GamesView, parse_player
from parlour.players.identity import identity_of, is_deterministic
from parlour.support.errors import IllegalMove
from tests.support.command_line import Run
from tests.support.games import batch_of

CHECKERS = "checkers-v0"
MODULE = """
import numpy as np

def first(observation, action_mask):
    return action_mask.argmax(axis=1)

first.version = "2"

def wrong(observation, action_mask):
    return action_mask.argmin(axis=1)

def words(observation, action_mask):
    return ["a"] * len(action_mask)

class Last:
    name = "last"
    deterministic = False

    def __init__(self):
        self.calls = 0

    def choose(self, view, row_mask, actions):
        self.calls += 1
        for i in row_mask.nonzero()[0]:
            actions[i] = np.flatnonzero(view.action_mask[i])[-1]

last = Last()
number = 3

class Needy:
    def __init__(self, what):
        pass

class Stubborn(Last):
    def __deepcopy__(self, memo):
        raise TypeError("no copies")

stubborn = Stubborn()
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module in the current folder, another name in each test."""
    name = f"own_players_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [entry for entry in __import__("sys").path if entry])
    return name


def played(text: str) -> list[int]:
    batch = batch_of(CHECKERS, 3, seed=1)
    actions = np.full(3, -1)
    parse_player(text, batch.game).choose(GamesView(batch.games), np.array([True, True, False]), actions)
    return actions.tolist()


def legal() -> list[int]:
    return np.flatnonzero(batch_of(CHECKERS, 1, seed=1).games.action_mask[0]).tolist()


def test_functions_objects_and_classes(module: str) -> None:
    assert played(f"python:{module}:first") == [legal()[0]] * 2 + [-1]
    for name in ("Last", "last"):
        assert played(f"python:{module}:{name}") == [legal()[-1]] * 2 + [-1]


def test_each_use_has_a_player_of_its_own(module: str) -> None:
    """The object in the module is never played with itself."""
    played(f"python:{module}:last")
    assert __import__(module).last.calls == 0
    player = parse_player(f"python:{module}:last")
    for twin in (copy.deepcopy(player), pickle.loads(pickle.dumps(player))):
        assert twin.name == player.name == f"python:{module}:last"


def test_what_tells_it_from_others(module: str) -> None:
    game = find(CHECKERS)
    assert identity_of(f"python:{module}:first", game) == {"python": f"{module}.first", "version": "2"}
    assert identity_of(f"python:{module}:last", game) == {"python": f"{module}.Last", "version": "unknown"}
    assert is_deterministic(f"python:{module}:first", game)
    assert not is_deterministic(f"python:{module}:Last", game)


def test_a_match_and_a_command(module: str, run: Run) -> None:
    players = (f"python:{module}:first", f"python:{module}:Last")
    made = match(CHECKERS, *players, games=4, max_plies=12, openings="random:2", workers=Threads(2))
    assert made.games == 4
    done = run("simulate", CHECKERS, "--players", f"python:{module}:first", "--games", 2)
    assert done.status == 0


def test_illegal_actions_are_refused(module: str) -> None:
    with pytest.raises(IllegalMove, match=f"player 'python:{module}:wrong' can't play"):
        played(f"python:{module}:wrong")
    with pytest.raises(ValueError, match="must give whole numbers"):
        played(f"python:{module}:words")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nosuch", "has no 'nosuch'; what can be called in it: 'first', 'wrong'"),
        ("number", "is 3; valid: a function"),
        ("Needy", "can't be made without arguments: TypeError"),
        ("stubborn", "can't be copied: TypeError: no copies"),
    ],
)
def test_names_that_are_no_players(name: str, message: str, module: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_player(f"python:{module}:{name}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import no_such_module_at_all", "can't be imported: No module named 'no_such_module_at_all'"),
        ("1 / 0", "can't be imported: ZeroDivisionError: division by zero"),
        ("def (", "can't be imported: SyntaxError"),
    ],
)
def test_modules_that_fail(
    text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    name = f"failing_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as left:
        main(["simulate", CHECKERS, "--players", f"python:{name}:best"])
    assert left.value.code == 2
    shown = capfd.readouterr().err
    assert message in shown
    assert "Traceback" not in shown
    with pytest.raises(ValueError, match="there is no module 'no_such'"):
        parse_player("python:no_such.inner:best")
