"""Compiled values against plain NumPy, whatever was valued before; what networks see; which variants they are for."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.interfaces.registry import find
from parlour.players.value import Evaluator, ValueNetwork, new_network
from parlour.players.value.inputs import active_units, numbers_of, padded
from tests.players.value.networks import GAMES, LONG, lookers, middle, network_for
from tests.support.games import batch_of


def heads_of(evaluator: Evaluator, rows: Any, seats: Any) -> Any:
    """The heads for ``seats`` in ``rows``."""
    return evaluator.refresh().network.row_heads[rows] + seats


def in_whole_numbers(network: ValueNetwork, evaluator: Evaluator, numbers: Any, heads: Any) -> Any:
    """The value by the rounded weights, unit by unit, in Python's own whole numbers."""
    weights = evaluator.evaluation.network
    found = []
    for seen, head in zip(numbers.tolist(), heads.tolist()):
        sums = [int(bias) for bias in weights.hidden_bias[head]]
        for u, (place, threshold) in enumerate(network.units.tolist()):
            if seen[place] >= threshold:
                sums = [total + int(weight) for total, weight in zip(sums, weights.hidden[u])]
        rows = range(head * network.outputs, (head + 1) * network.outputs)
        totals = [sum(max(one, 0) * int(weight) for one, weight in zip(sums, weights.output[row])) for row in rows]
        logits = [weights.output_bias[row] + weights.step * total for row, total in zip(rows, totals)]
        won, *beyond = np.tanh(np.array(logits) / 2)
        if beyond:
            found.append(won + (network.scale - 1) * (beyond[0] - beyond[1]) / 2)
        else:
            found.append(network.scale * won)
    return np.array(found)


@pytest.mark.parametrize(
    ("game", "outputs"),
    [("checkers-v0", 1), ("checkers-v0", 3), ("pig-v0", 1), pytest.param("acey_ducey-v0", 1, marks=pytest.mark.long)],
)
def test_compiled_values_are_those_of_plain_arithmetic(game: str, outputs: int) -> None:
    network, batch = network_for(game, outputs=outputs), middle(game)
    evaluator, rows = Evaluator(network, batch.games), np.arange(batch.num_games)
    compiled = evaluator.values()
    for shift in range(1 if batch.num_seats == 2 else batch.num_seats):
        seats = (lookers(batch) + shift) % batch.num_seats
        numbers, heads = numbers_of(evaluator.games, rows, seats), heads_of(evaluator, rows, seats)
        found = compiled[rows, seats]
        assert np.ptp(found) > 0.01
        np.testing.assert_allclose(found, in_whole_numbers(network, evaluator, numbers, heads), rtol=1e-12)
        np.testing.assert_allclose(found, network.values(numbers, heads), atol=2e-3)


@pytest.mark.parametrize("game", ["checkers-v0", "pig-v0", LONG])
def test_what_was_valued_before_changes_nothing(game: str) -> None:
    """Sums are changed by what differs from the last position; they are exactly those of a fresh start."""
    network, batch = network_for(game), middle(game, plies=0)
    kept = Evaluator(network, batch.games)
    for _ in range(60):
        batch.step(batch.sample_actions())
        assert (kept.values() == Evaluator(network, batch.games).values()).all()


def test_two_seats_expect_the_opposite() -> None:
    batch = middle("checkers-v0")
    values = Evaluator(network_for("checkers-v0"), batch.games).values()
    assert (values[:, 0] == -values[:, 1]).all()
    assert (values != 0).any()


def test_a_game_that_is_over_is_worth_nothing_more() -> None:
    batch = batch_of("pig-v0", 8, plies=4, seed=1, autoreset="disabled", players=3, max_plies=4)
    assert (batch.games.states["end"] != 0).all()
    assert (Evaluator(network_for("pig-v0"), batch.games).values() == 0).all()


def test_planes_of_the_last_throw_are_not_seen_before_the_next() -> None:
    """Where a throw is due, nothing but the last throw being different changes nothing."""
    batch = batch_of("pig-v0", 2, seed=1, **GAMES["pig-v0"])
    states = batch.games.states
    states["dice"][0], states["dice"][1] = (2, 3), (5, 5)
    evaluator, rows = Evaluator(network_for("pig-v0"), batch.games), np.arange(2)
    states[1] = states[0]
    states["dice"][1] = (5, 5)
    states["due"] = 0
    seen = numbers_of(batch.games, rows, np.zeros(2, np.int64))
    assert (seen[0] != seen[1]).any()
    states["due"] = 2
    seen = numbers_of(batch.games, rows, np.zeros(2, np.int64))
    assert (seen[0] == seen[1]).all()
    assert (evaluator.values()[0] == evaluator.values()[1]).all()


def test_units_are_thresholds_of_numbers() -> None:
    units = np.array([[0, 1], [0, 3], [2, 1]], np.int32)
    numbers = np.array([[3, 9, -1], [1, 0, 1], [0, 0, 0]], np.int8)
    active = active_units(units, numbers)
    assert active.tolist() == [[True, True, False], [True, False, True], [False, False, False]]
    assert padded(active).tolist() == [[0, 1], [0, 2], [3, 3]]


def test_a_plane_that_is_the_same_all_over_has_one_number() -> None:
    network = network_for("checkers-v0")
    planes = network.units[:, 0] // 64
    assert {int(plane) for plane in planes} == {0, 1, 2, 3, 4, 6, 7}  # not who acts, nor the plies left
    assert (np.bincount(planes)[:5] == 64).all()
    assert set(network.units[planes == 6, 0]) == {6 * 64}


@pytest.mark.parametrize("outputs", [1, 3])
def test_each_variant_has_heads_of_its_own(outputs: int) -> None:
    game = find("checkers-v0")
    names = [variant.name for variant in game.variants]
    network = network_for(game.id, 8, "all", outputs)
    rng = np.random.default_rng(2)
    network = network.with_weights(*(rng.normal(0, 0.3, weights.shape) for weights in network.weights))
    assert network.output.shape == (2 * len(names) * outputs, 8)
    batch = parlour.make_batch(game.id, len(names), variant=names[::-1], seed=1, max_plies=77)
    batch.reset(options={"variant": names})
    evaluator = Evaluator(network, batch.games)
    rows, seats = np.arange(len(names)), lookers(batch)
    heads = heads_of(evaluator, rows, seats)
    assert heads.tolist() == [2 * v + int(seats[v]) for v in range(len(names))]
    values = evaluator.values()[rows, seats]
    np.testing.assert_allclose(values, network.values(numbers_of(batch.games, rows, seats), heads), atol=2e-3)
    assert len(set(np.round(values, 6).tolist())) == len(names)  # the same position, other heads
    second = network.of_variants(network.variants[1:2])
    of_second = numbers_of(batch.games, rows, seats)
    assert (second.values(of_second, seats) == network.values(of_second, 2 + seats)).all()
    batch.reset(options={"variant": names[::-1]})
    assert evaluator.refresh().network.row_heads.tolist() == [2 * v for v in reversed(range(len(names)))]


def test_another_game_or_variant_is_refused() -> None:
    network = network_for("checkers-v0")
    with pytest.raises(ValueError, match="is for 'checkers-v0', not for 'pig-v0'"):
        Evaluator(network, middle("pig-v0", plies=0).games)
    other = find("checkers-v0").variants[1].name
    batch = batch_of("checkers-v0", 1, variant=other)
    with pytest.raises(ValueError, match=f"'{other}' is not one of them"):
        Evaluator(network, batch.games)


def test_weights_of_another_shape_or_not_finite_are_refused() -> None:
    network = network_for("pig-v0")
    with pytest.raises(ValueError, match="hidden_bias must be of shape"):
        network.with_weights(network.hidden, network.hidden_bias[:1], network.output, network.output_bias)
    with pytest.raises(ValueError, match="output_bias has weights that are not finite"):
        network.with_weights(network.hidden, network.hidden_bias, network.output, network.output_bias * np.nan)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"hidden": 0}, "hidden must be a whole number from 1 to 1024, not 0"),
        ({"scale": 0}, "scale must be a finite number above 0, up to 1e\\+09, not 0"),
        ({"scale": float("inf")}, "scale must be a finite number"),
        ({"variants": "none"}, "has no variant 'none'"),
    ],
)
def test_networks_that_can_not_be_are_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        new_network(find("checkers-v0"), **values)


def test_a_game_with_too_many_inputs_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.players.value.network.MAX_UNITS", 300)
    with pytest.raises(ValueError, match="would have 347 inputs; valid: 1 to 300"):
        new_network(find("checkers-v0"))


def test_a_game_without_anything_to_learn_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as one that ends after a ply."""
    monkeypatch.setattr("parlour.players.value.network.default_units", lambda *_: np.zeros((0, 2), np.int32))
    options = {"players": 2, "goal": 7}
    message = "nothing to learn in pig-v0 ('pig' -o players=2 -o goal=7): in random games no plane ever changes"
    with pytest.raises(ValueError, match=re.escape(message)):
        new_network(find("pig-v0"), "pig", overrides=options)


def test_the_largest_weights_do_not_overflow() -> None:
    """Sums of all the largest weights and biases stay exact."""
    network, batch = network_for("checkers-v0"), middle("checkers-v0", rows=4)
    for sign in (1, -1):
        huge = network.with_weights(*(np.full(weights.shape, sign * 1e6) for weights in network.weights))
        evaluator = Evaluator(huge, batch.games)
        rows, seats = np.arange(4), lookers(batch)
        numbers, heads = numbers_of(evaluator.games, rows, seats), heads_of(evaluator, rows, seats)
        expected = in_whole_numbers(huge, evaluator, numbers, heads)
        np.testing.assert_allclose(evaluator.values()[rows, seats], expected)
        assert (expected == sign).all()
