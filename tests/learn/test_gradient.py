"""One pass of Adam in compiled code against finite differences, and against PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from parlour.learn.gradient import Adam, Positions, Weights, add_gradient, learn_from, write_unit_indices

F, U, HEADS, D, K = 9, 6, 3, 5, 40
PLACES = np.array([0, 0, 1, 1, 1, 2, 3, 4, 4])
THRESHOLDS = np.array([1, 3, 1, 2, 5, 1, 1, 1, 2], np.int8)
FIRST_UNITS = np.searchsorted(PLACES, np.arange(D + 1)).astype(np.int32)
either = pytest.mark.parametrize("outputs", [1, 3])


def size_of(outputs: int) -> int:
    """How many weights there are."""
    return F * U + HEADS * U + HEADS * outputs * (U + 1)


def views(flat: Any) -> Weights:
    outputs = (len(flat) - size_of(0)) // (HEADS * (U + 1))
    shapes = ((F, U), (HEADS, U), (HEADS * outputs, U), (HEADS * outputs,))
    ends = np.cumsum([0, *(int(np.prod(shape)) for shape in shapes)])
    return Weights(flat, *(flat[a:b].reshape(shape) for a, b, shape in zip(ends, ends[1:], shapes)))


def problem(seed: int, outputs: int = 1) -> tuple[Weights, Adam, Positions]:
    rng, size = np.random.default_rng(seed), size_of(outputs)
    weights = views(rng.normal(0, 0.5, size).astype(np.float32))
    numbers = np.zeros((K, 8), np.int8)
    numbers[:, :D] = rng.integers(-1, 7, (K, D))
    heads, targets = rng.integers(0, HEADS, K), rng.random((K, outputs)).astype(np.float32)
    zeros = [np.zeros(size, np.float32) for _ in range(3)]
    adam = Adam(views(zeros[0]), zeros[1], zeros[2], *np.zeros((2, U), np.float32))
    units = np.zeros((K, F), np.int16)
    most = write_unit_indices(numbers, numbers.view(np.uint64), FIRST_UNITS, THRESHOLDS, units)
    active = numbers[:, PLACES] >= THRESHOLDS
    assert most == active.sum(axis=1).max()
    assert [[u for u in row if u >= 0] for row in units] == [list(np.flatnonzero(row)) for row in active]
    return weights, adam, Positions(units, heads, targets)


def active_in(positions: Positions) -> Any:
    """Which units are on: bool (K, F)."""
    return (positions.units[:, :, None] == np.arange(F)).any(axis=1)


def plain_loss(flat: Any, positions: Positions, batch: Any) -> float:
    """The mean loss of some positions, the sum of those of their outputs, in double precision."""
    weights = views(flat.astype(np.float64))
    active = active_in(positions)[batch]
    heads, targets = positions.heads[batch], positions.targets[batch].astype(np.float64)
    hidden = np.maximum(active @ weights.hidden + weights.hidden_bias[heads], 0)
    output, bias = by_head(weights.output), by_head(weights.output_bias)
    logits = (hidden[:, None] * output[heads]).sum(axis=2) + bias[heads]
    return float((np.logaddexp(0, logits) - targets * logits).sum(axis=1).mean())


def by_head(rows: Any) -> Any:
    """Rows of outputs with heads as their first axis."""
    return rows.reshape(HEADS, -1, *rows.shape[1:])


@either
def test_the_gradient_is_the_slope_of_the_loss(outputs: int) -> None:
    weights, adam, positions = problem(1, outputs)
    losses = [add_gradient(k, 1 / K, positions, weights, adam) for k in range(K)]
    flat, everyone = weights.flat.astype(np.float64), np.arange(K)
    assert np.mean(losses) == pytest.approx(plain_loss(flat, positions, everyone), rel=1e-5)
    slopes = np.zeros_like(flat)
    for w in range(len(flat)):
        around = []
        for step in (-1e-5, 1e-5):
            moved = flat.copy()
            moved[w] += step
            around.append(plain_loss(moved, positions, everyone))
        slopes[w] = (around[1] - around[0]) / 2e-5
    assert abs(slopes).max() > 0.01
    np.testing.assert_allclose(adam.gradient.flat, slopes, atol=2e-5)


@either
def test_passes_of_adam_are_those_of_pytorch(outputs: int) -> None:
    torch = pytest.importorskip("torch")
    weights, adam, positions = problem(2, outputs)
    theirs = [torch.tensor(part.copy(), requires_grad=True) for part in weights[1:]]
    optimizer = torch.optim.Adam(theirs, lr=0.03, eps=1e-8)
    active = torch.tensor(active_in(positions).astype(np.float32))
    rng = np.random.default_rng(0)
    number, batch = 0, 16
    for _ in range(4):
        order = rng.permutation(K)
        loss = learn_from(order, batch, number, 0.03, positions, weights, adam)
        number += -(-K // batch)
        total = 0.0
        for first in range(0, K, batch):
            part = torch.tensor(order[first : first + batch])
            heads = torch.tensor(positions.heads)[part]
            hidden = torch.relu(active[part] @ theirs[0] + theirs[1][heads])
            logits = (hidden[:, None] * by_head(theirs[2])[heads]).sum(2) + by_head(theirs[3])[heads]
            targets = torch.tensor(positions.targets)[part]
            one = outputs * torch.nn.functional.binary_cross_entropy_with_logits(logits, targets)
            optimizer.zero_grad()
            one.backward()
            optimizer.step()
            total += float(one.detach()) * len(part)
        assert loss == pytest.approx(total / K, rel=1e-4)
    for own, other in zip(weights[1:], theirs):
        np.testing.assert_allclose(own, other.detach().numpy(), atol=3e-5)


def test_moments_that_vanish_are_zero() -> None:
    """Those of a unit that is off in all positions. Processors are slow at numbers below 1e-38."""
    weights, adam, positions = problem(3)
    adam.mean[:], adam.square[:] = 1e-29, 1e-29
    weights.hidden[:, 0], weights.hidden_bias[:, 0] = -1, -1
    before = weights.hidden[:, 0].copy()
    for number in range(40):
        learn_from(np.arange(K), K, number, 0.03, positions, weights, adam)
    unit = views(adam.mean).hidden[:, 0]
    assert (unit == 0).all()
    assert not ((adam.mean != 0) & (abs(adam.mean) < 1e-30)).any()
    np.testing.assert_array_equal(weights.hidden[:, 0], before)
