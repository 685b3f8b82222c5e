"""`NetworkSearch` against the plain reference search, in every game, with and without what makes it fast."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import parlour
from parlour.batch import Batch
from parlour.search import Gumbel, NetworkSearch, Puct
from tests.reference.network_search import ReferenceSearch

METHODS = {
    "gumbel": Gumbel(considered=8),
    "gumbel_raw_values": Gumbel(considered=4, noise=0, rescale_values=False, value_scale=1.0),
    "puct": Puct(),
    "puct_greedy": Puct(noise=0, temperature=0),
}


def pseudo_random(seats: int, per_seat: bool) -> Any:
    """An ``evaluate`` whose answer for a position depends on nothing but what is seen of it."""

    def evaluate(observation: NDArray[np.int8], mask: NDArray[np.int8]) -> tuple[Any, Any]:
        logits, values = np.empty(mask.shape, np.float32), np.empty((len(mask), seats), np.float32)
        for m, planes in enumerate(observation):
            rng = np.random.default_rng(zlib.crc32(planes.tobytes()))
            logits[m], values[m] = rng.normal(size=mask.shape[1]), rng.uniform(-1, 1, seats)
        return logits, values if per_seat else values[:, 0]

    return evaluate


def batch_of(game: str, num_games: int, seed: int = 0, plies: int = 0, **options: Any) -> Batch:
    """Games that have been played at random for so many plies."""
    batch = parlour.make_batch(game, num_games, seed=seed, autoreset="disabled", **options)
    batch.reset()
    for _ in range(plies):
        batch.step(batch.sample_actions())
    return batch


def compare(batch: Batch, search: NetworkSearch, plies: int) -> int:
    """Plays on by ``search``, holding every result against the reference. Returns how many games were proved."""
    references = [
        ReferenceSearch(
            search.evaluate, batch.table, i, search.simulations, search.method, search.leaves, search.prove_wins
        )
        for i in range(batch.num_games)
    ]
    proved = 0
    for _ in range(plies):
        running = batch.table.states["end"] == 0
        expected = {i: references[i].run() for i in np.flatnonzero(running).tolist()}
        result = search.run(batch)
        for i, (action, policy, values, visits) in expected.items():
            where = f"game {i} at {batch.position(i)!r}"
            np.testing.assert_array_equal(result.visits[i], visits, err_msg=where)
            np.testing.assert_allclose(result.policies[i], policy, atol=1e-5, err_msg=where)
            np.testing.assert_allclose(result.values[i], values, atol=1e-5, err_msg=where)
            assert result.actions[i] == action, where
            winner = references[i].root.forced_winner() if references[i].prove else None
            assert result.winners[i] == (-1 if winner is None else winner), where
            proved += winner is not None
        over = ~running
        assert (result.actions[over] == -1).all()
        assert not result.policies[over].any()
        assert not result.visits[over].any()
        if not search.keep_tree:
            for reference in references:
                reference.root = None
        batch.step(result.actions)
    return proved


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("game", parlour.games())
def test_same_as_the_reference(game: str, method: str) -> None:
    """Policies, values, visits and actions, for three plies in a row, the tree being kept between them."""
    batch = batch_of(game, 3, plies=7)
    search = NetworkSearch(pseudo_random(batch.num_seats, batch.num_seats > 2), 40, method=METHODS[method])
    compare(batch, search, 3)
