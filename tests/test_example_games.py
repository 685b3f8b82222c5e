"""The games in examples/games pass their own tests, run as an author runs them."""

from __future__ import annotations

import pytest

from tests.support.cases import sampled
from tests.support.processes import ROOT, check_pytest

FOLDER = ROOT / "examples" / "games"
UNCOMPILED = {"NUMBA_DISABLE_JIT": "1"}


@sampled(("chosen", "environment"), ("not check or parts", UNCOMPILED), ("", {}))
@pytest.mark.parametrize("game", sorted(path.parent.name for path in FOLDER.glob("*/rules.py")))
def test_a_game_to_copy_passes_its_tests(game: str, chosen: str, environment: dict[str, str]) -> None:
    """In the ordinary run its own tests, uncompiled: the starter game passes the checks, compiled."""
    check_pytest(FOLDER, "-k", chosen, game, **environment)
