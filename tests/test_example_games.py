"""The games in examples/games pass their own tests, run as an author runs them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.cases import sampled

FOLDER = Path(__file__).parents[1] / "examples" / "games"


UNCOMPILED = {"NUMBA_DISABLE_JIT": "1"}


@sampled(("chosen", "environment"), ("not check or parts", UNCOMPILED), ("", {}))
@pytest.mark.parametrize("game", sorted(path.parent.name for path in FOLDER.glob("*/rules.py")))
def test_a_game_to_copy_passes_its_tests(game: str, chosen: str, environment: dict[str, str]) -> None:
    """In the ordinary run its own tests, uncompiled: the starter game passes the checks, compiled."""
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", chosen, game],
        cwd=FOLDER, env={**os.environ, **environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout[-3000:]
    assert " passed" in ran.stdout
