"""Packages whose names are imported when they are asked for."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

import parlour
from tests.support.processes import run_python

PACKAGES = ("", ".arena", ".learn", ".players.search", ".players.value", ".records", ".wrappers")
WITHOUT = """
import sys

for library in ("pyspiel", "open_spiel", "sb3_contrib", "stable_baselines3", "torch"):
    sys.modules[library] = None
import parlour.arena
import parlour.wrappers
from parlour.wrappers import *
from parlour.arena import *

for package, name, extra in (
    (parlour.wrappers, "OpenSpielGame", "openspiel"),
    (parlour.wrappers, "LegalActions", "learn"),
    (parlour.wrappers, "StableBaselinesVecEnv", "learn"),
    (parlour.arena, "RatingCallback", "learn"),
):
    assert hasattr(package, name) and name in dir(package)
    stand_in = getattr(package, name)
    assert stand_in.__name__ == name == globals()[name].__name__
    for use in (lambda: stand_in("agon-v0", every=3), lambda: type("Mine", (stand_in,), {})):
        try:
            use()
        except ImportError as error:
            assert f"{name} needs " in str(error) and f"'parlour[{extra}]'" in str(error), error
        else:
            raise AssertionError(name)
sys.modules["parlour.wrappers.self_play_vector"] = None
try:
    parlour.wrappers.SelfPlayVectorEnv
except ImportError as error:
    assert error.name == "parlour.wrappers.self_play_vector"
else:
    raise AssertionError("another module that is missing is no matter of an extra")
"""
PACKAGES_ALONE = """
import pkgutil
import sys

import parlour

first = set(sys.modules)
late = {"arena", "cli", "learn", "serve", "testing", "text", "wrappers"}
assert not {f"parlour.{name}" for name in late} & first, "importing parlour stays quick"
assert not hasattr(parlour, "nothing") and set(sys.modules) == first
names = {found.name for found in pkgutil.iter_modules(parlour.__path__) if found.ispkg}
assert names >= late - {"wrappers"}
for name in sorted(names | late | {"envs", "wrappers"}):
    assert getattr(parlour, name).__name__ == f"parlour.{name}"
print(parlour.arena.match("agon-v0", "random", "greedy", games=2, max_plies=3, workers=parlour.arena.Threads(1)))
assert parlour.arena.rate and parlour.learn.TDLambda and parlour.players.parse_player and parlour.records.page
assert parlour.text.TextGame and parlour.testing.check_game and parlour.wrappers.SelfPlayEnv
assert parlour.arena.statistics.__name__ == "parlour.arena.statistics"
assert parlour.learn.datasets.dataset is parlour.dataset
assert parlour.players.search.Expectimax and parlour.players.value.load and parlour.envs.checkers_v0
"""


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_shows_all_its_names(package: str) -> None:
    module = importlib.import_module(f"parlour{package}")
    assert set(module.__all__) <= set(dir(module))
    assert "__doc__" in dir(module)


def test_packages_are_there_after_importing_parlour_alone(tmp_path: Path) -> None:
    done = run_python(PACKAGES_ALONE, tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("make_vec", "parlour.make_batch(game, N)"), ("env", "parlour.make(game)"), ("spec", "parlour.info(game)"),
        ("raw_env", "parlour.make(game)"), ("parallel_env", "pettingzoo.utils.turn_based_aec_to_parallel"),
        ("nothing", "it has: Batch, Dataset, "),
    ],
)  # fmt: skip
def test_names_of_other_libraries_are_answered_by_what_to_use(name: str, words: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(parlour, name)
    assert str(caught.value).startswith(f"module 'parlour' has no attribute {name!r}; ")
    assert words in str(caught.value)


def test_names_whose_library_is_missing_say_so_when_they_are_used(tmp_path: Path) -> None:
    done = run_python(WITHOUT, tmp_path)
    assert done.returncode == 0, done.stderr
