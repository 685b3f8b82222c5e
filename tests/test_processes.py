"""How tests are spread over processes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import BY_COLLECTING, group_of


@pytest.mark.parametrize(
    ("name", "group"),
    [
        ("tests/games/agon/test_rules.py::test_a_trap", "agon"),
        ("tests/games/test_checks.py::test_check[agon-v0-bell-texts]", "agon"),
        ("tests/wrappers/test_all.py::test_pettingzoo_api[acey_ducey-v0-Symmetry]", "acey_ducey"),
        ("tests/engine/test_copy_rows.py::test_copies_play_on_alike[pig-v0-strict]", "pig"),
        ("tests/players/search/test_mcts.py::test_deeper_search_is_stronger", "tests/players/search/test_mcts.py"),
        ("tests/test_docs.py::test_pigeons", "tests/test_docs.py"),
    ],
)
def test_a_game_is_tested_by_one_process(name: str, group: str) -> None:
    assert group_of(name) == group


def test_collecting_compiles_nothing(pytestconfig: pytest.Config) -> None:
    """Every process collects all tests, so a game that is played for a parameter is compiled by all at once."""
    assert pytestconfig.stash[BY_COLLECTING] == []


def test_what_other_games_stand_for_is_long() -> None:
    """In tests of what games share; no test is left without a case, and a game's own tests stay."""
    ran = subprocess.run(
        [
            sys.executable, "-m", "pytest", "-q", "-n", "0", "--collect-only", "tests/engine/test_threads.py",
            "tests/games/test_golden.py",
        ],
        cwd=Path(__file__).parents[1], capture_output=True, text=True, check=True,
    )  # fmt: skip
    names = ran.stdout.splitlines()
    for game, stays in {"agon": True, "acey_ducey": True, "checkers": True, "backgammon": False}.items():
        assert any("test_threads" in name and game in name for name in names) == stays
        assert any("test_golden" in name and game in name for name in names)
