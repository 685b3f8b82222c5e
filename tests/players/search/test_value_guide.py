"""A small value network guides `NetworkSearch`: its values, and logits by the values of the positions after actions."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from parlour.interfaces.registry import find
from parlour.players.search import Gumbel, NetworkSearch, ValueGuide
from parlour.players.search.forest import Forest
from parlour.players.search.value_guide import LeafAnswers
from parlour.players.value import new_network
from parlour.players.value.evaluator import Evaluator
from tests.players.search.test_network_search import assert_equal
from tests.support.games import batch_of, begun


def answers(monkeypatch: pytest.MonkeyPatch, search: NetworkSearch, batch: Any) -> tuple[Any, Any]:
    """The logits (N, A) and values (N, P) of the roots in a search of one simulation."""
    told: list[Any] = []
    asked = LeafAnswers.of

    def of(self: LeafAnswers, forest: Forest, waiting: Any) -> Any:
        told.append(asked(self, forest, waiting))
        return told[-1]

    monkeypatch.setattr(LeafAnswers, "of", of)
    search.run(batch)
    return told[0]


@pytest.mark.parametrize("temperature", [0.5, 2.0])
def test_logits_are_those_of_the_values_of_the_positions_after(
    temperature: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By hand: each action is played in a game of its own, and the position valued; a win counts as what it pays."""
    game = find("checkers-v0")
    network = new_network(game, hidden=8, seed=3)
    batch = batch_of(game.id, 3, plies=21, seed=1, max_plies=0)
    positions = [batch.games.position(i) for i in range(3)]
    positions[2] = "W:W10:B7 plies=20"  # white jumps the last man, and wins
    batch.reset(options={"position": positions})
    logits, values = answers(monkeypatch, NetworkSearch(ValueGuide(network, temperature), 1), batch)
    seats, masks = batch.games.states["to_act"].astype(int), batch.games.action_mask
    own = Evaluator(network, batch.games).values()
    assert values == pytest.approx(np.array([[own[i, seats[i]], own[i, 1 - seats[i]]] for i in range(3)]), abs=1e-6)
    for i, position in enumerate(positions):
        for action in range(masks.shape[1]):
            expected = 0.0
            if masks[i, action]:
                env = begun(game.id, position=position, illegal_move="raise", max_plies=0)
                env.step(action)
                paid = env.rewards[f"player_{seats[i]}"]
                after = 0.0 if env.is_over() else Evaluator(network, env.games).values()[0, seats[i]]
                share = min(paid + after, 1 - 1e-6)
                expected = np.log((1 + share) / (1 - share)) / temperature
            assert logits[i, action] == pytest.approx(expected, abs=1e-4)
    assert logits[2].max() > 10 / temperature


def test_dice_three_seats_and_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find("pig-v0")
    network = new_network(game, hidden=4, seed=0, overrides={"players": 3})
    results = []
    for threads in (1, 3):
        batch = batch_of(game.id, 8, plies=5, seed=0, threads=threads, players=3)
        seats = batch.games.states["to_act"].astype(int)
        search = NetworkSearch(ValueGuide(network), 12, leaves=2, method=Gumbel(gumbel_scale=0.0))
        _, values = answers(monkeypatch, pickle.loads(pickle.dumps(search)), batch)
        own = Evaluator(network, batch.games).values()
        for i in range(8):
            assert values[i] == pytest.approx(np.roll(own[i], -seats[i]), abs=1e-6)
        results.append(search.run(batch))
    assert_equal(*results)


def test_what_is_refused() -> None:
    pig = find("pig-v0")
    network = new_network(pig, hidden=4)
    with pytest.raises(ValueError, match=r"not ValueNetwork; a ValueNetwork guides it by ValueGuide\(network\)"):
        NetworkSearch(network)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"network must be a parlour\.players\.value\.ValueNetwork, not 'net\.value'"):
        ValueGuide("net.value")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="temperature must be a finite number above 0, not 0"):
        ValueGuide(network, 0)
    batch = batch_of("checkers-v0", 1, seed=0)
    with pytest.raises(ValueError, match="the value network is for 'pig-v0', not for 'checkers-v0'"):
        NetworkSearch(ValueGuide(network)).run(batch)
