"""`NetworkSearch` comes to the same policies as mctx, over the bridge of `examples/mctx_policies.py`."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

pytest.importorskip("mctx", reason="mctx is not installed")

import parlour


@pytest.fixture(scope="module")
def example() -> ModuleType:
    path = Path(__file__).parents[2] / "examples" / "mctx_policies.py"
    spec = importlib.util.spec_from_file_location("mctx_example", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("gumbel", [True, False])
@pytest.mark.parametrize(("game", "plies"), [("checkers-v0", 20), ("checkers-v0", 60), ("swords_and_shields-v0", 10)])
def test_same_policies_as_mctx(example: ModuleType, game: str, plies: int, gumbel: bool) -> None:
    """Checkers in the opening and in the endgame, where trees reach ends, and a game with many more actions."""
    games = parlour.make_batch(game, 8, seed=plies)
    games.reset()
    for _ in range(plies):
        games.step(games.sample_actions())
    planes = games.single_observation_space["observation"]
    network = example.RandomNetwork(int(np.prod(planes.shape)), int(games.single_action_space.n), seed=1)
    theirs, played = example.mctx_policies(games, network, 48, gumbel)
    ours, own = example.our_policies(games, network, 48, gumbel)
    np.testing.assert_allclose(ours, theirs, atol=1e-5)
    np.testing.assert_array_equal(own, played)
