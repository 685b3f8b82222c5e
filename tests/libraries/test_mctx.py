"""`NetworkSearch` comes to the same policies as mctx, over the bridge of `examples/mctx_policies.py`."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("mctx", reason="mctx is not installed")

import parlour
from examples.mctx_policies import RandomNetwork, mctx_policies, our_policies


@pytest.mark.parametrize("gumbel", [True, False])
@pytest.mark.parametrize(("game", "plies"), [("checkers-v0", 20), ("checkers-v0", 60), ("swords_and_shields-v0", 10)])
def test_same_policies_as_mctx(game: str, plies: int, gumbel: bool) -> None:
    """Checkers in the opening and in the endgame, where trees reach ends, and a game with many more actions."""
    games = parlour.make_batch(game, 8, seed=plies)
    games.reset()
    for _ in range(plies):
        games.step(games.sample_actions())
    planes = games.single_observation_space["observation"]
    network = RandomNetwork(int(np.prod(planes.shape)), int(games.single_action_space.n), seed=1)
    theirs, played = mctx_policies(games, network, 48, gumbel)
    ours, own = our_policies(games, network, 48, gumbel)
    np.testing.assert_allclose(ours, theirs, atol=1e-5)
    np.testing.assert_array_equal(own, played)
