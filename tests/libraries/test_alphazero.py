"""`examples/alphazero.py`: its search finds wins with a network that knows nothing, and shares its visits out."""

from __future__ import annotations

import importlib.util
from functools import partial
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch (torch) is not installed")
pytest.importorskip("tqdm", reason="tqdm is not installed")

import parlour

SWORDS = "swords_and_shields-v0"
ONE = "4s4/9/9/9/9/s2c4s/9/9/3s5 o"
"""Nothing stands above the Chief."""
LOST = "4s4/9/9/9/9/s2c4s/9/9/3s5 s"
"""The same with the swords to act, of which one can stand in the Chief's way."""


@pytest.fixture(scope="module")
def example() -> ModuleType:
    path = Path(__file__).parents[2] / "examples" / "alphazero.py"
    spec = importlib.util.spec_from_file_location("alphazero_example", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("considered", "simulations"), [(1, 4), (2, 7), (5, 16), (16, 16), (16, 64), (16, 3)])
def test_the_better_half_is_tried_on(example: ModuleType, considered: int, simulations: int) -> None:
    """Whoever takes actions by these counts finds one with each, and the last two share the last visits."""
    counts = [0] * considered
    for wanted in example.visits_to_come(considered, simulations):
        counts[counts.index(wanted)] += 1
    assert sum(counts) == simulations
    assert counts == sorted(counts, reverse=True)
    if simulations >= 2 * considered > 2:
        assert counts[0] - counts[1] <= 1
        assert counts[1] > counts[-1] or considered == 2


def test_search_finds_wins(example: ModuleType) -> None:
    """A win in one is played and valued, whoever of the rows is to be searched; the games stay as they are."""
    games = parlour.make_batch(SWORDS, 3, seed=0)
    games.reset(options={"position": [ONE, LOST, ONE]})
    before = [games.position(i) for i in range(3)]
    planes = games.single_observation_space["observation"]
    network = example.Network(planes.high, games.single_action_space.n)
    for parameter in network.parameters():
        parameter.data.zero_()
    search = example.Search(network, 3, 128, partial(parlour.make_batch, SWORDS))
    chosen = np.array([True, True, False])
    actions, policies, values = search.run(games, chosen)
    assert games.games.move_name(0, int(actions[0])).startswith("d4-d9")
    assert policies[0].argmax() == actions[0]
    assert values[0] > 0 > values[1]
    assert actions[2] == -1
    assert [games.position(i) for i in range(3)] == before
    np.testing.assert_allclose(policies[:2].sum(axis=1), 1, rtol=1e-5)
    assert (policies[:2][games.games.action_mask[:2] == 0] == 0).all()
