"""Packages whose names are imported when they are asked for."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_shows_all_its_names(package: str) -> None:
    module = importlib.import_module(f"parlour{package}")
    assert set(module.__all__) <= set(dir(module))
    assert "__doc__" in dir(module)


def test_names_whose_library_is_missing_say_so_when_they_are_used(tmp_path: Path) -> None:
    done = run_python(WITHOUT, tmp_path)
    assert done.returncode == 0, done.stderr
