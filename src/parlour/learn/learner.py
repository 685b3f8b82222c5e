"""A value network in training: its weights, their average, and the state of Adam.

The average of the weights of the last steps plays better than the latest weights (Polyak and Juditsky, *Acceleration of
Stochastic Approximation by Averaging*, SIAM J. Control and Optimization 30, 1992).

Axis letters: K positions, D input numbers (D₈: rounded up to a multiple of 8), F units, M units that are on at once,
S symmetries.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from parlour.learn.gradient import Adam, Positions, Weights, learn_from, write_unit_indices
from parlour.players.value.files import LARGEST_WEIGHT
from parlour.players.value.inputs import PLANES, first_units
from parlour.players.value.network import ValueNetwork
from parlour.support.errors import listing

MAX_ON = 64
"""M at first; arrays are enlarged if more units are on at once."""
NamedArrays = Mapping[str, NDArray[Any]]
Record = TypeVar("Record", bound=tuple[Any, ...])


class Learner:
    """The weights of a network that is learning."""

    def __init__(self, network: ValueNetwork, batch: int, averaged: float, steps_before: int = 0) -> None:
        """
        Args:
            averaged: weights are averaged over about this share of all steps, the latest ones; 0: no averaging.
            steps_before: steps that the network has learnt before; they count for ``averaged``.
        """
        self.start, self.batch, self.averaged, self.steps = network, batch, averaged, 0
        self._steps_before = steps_before
        self._weights = _views(np.concatenate([array.ravel() for array in network.weights]), network)
        self._average = self._weights.flat.copy()
        size = self._weights.flat.size
        self._adam = Adam(
            _views(np.zeros(size, np.float32), network), np.zeros(size, np.float32), np.zeros(size, np.float32),
            *np.zeros((2, network.hidden.shape[1]), np.float32),
        )  # fmt: skip

    @property
    def network(self) -> ValueNetwork:
        """The network with the averaged weights."""
        return self.start.with_weights(*_views(self._average, self.start)[1:])

    @property
    def latest(self) -> ValueNetwork:
        """The network with the latest weights."""
        return self.start.with_weights(*self._weights[1:])

    def learn(self, positions: Positions, order: NDArray[np.int64], rate: float) -> float:
        """A pass of Adam over the positions ``order`` (int64 (Q,)), then an update of the average. Returns the mean of
        the losses before each step."""
        loss = learn_from(order, self.batch, self.steps, rate, positions, self._weights, self._adam)
        steps = -(-len(order) // self.batch)
        self.steps += steps
        share = min(1.0, steps / (self.averaged * (self._steps_before + self.steps))) if self.averaged else 1.0
        self._average += np.float32(share) * (self._weights.flat - self._average)
        return float(loss)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What `restore` needs to continue exactly from here: the arrays themselves, not copies."""
        return {
            "weights": self._weights.flat, "average": self._average, "mean": self._adam.mean,
            "square": self._adam.square,
        }  # fmt: skip

    def check(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """ValueError unless `restore` can take these arrays, which may be untrusted."""
        for name, array in self.arrays().items():
            low, high = (0, LARGEST_WEIGHT**2) if name == "square" else (-LARGEST_WEIGHT, LARGEST_WEIGHT)
            check_array(arrays, name, np.float32, array.shape, low, high)

    def restore(self, arrays: Mapping[str, NDArray[Any]], steps: int) -> None:
        """Continues from the result of `arrays`, which must fit, after ``steps`` steps."""
        for name, array in self.arrays().items():
            array[:] = arrays[name]
        self.steps = steps


def unit_indices(network: ValueNetwork, numbers: NDArray[np.int8]) -> NDArray[np.int16]:
    """Which units are on for ``numbers`` (K, D) or (K, D₈): int16 (K, M), −1 after the last."""
    width = -(-network.number_count // 8) * 8
    if numbers.shape[1] != width:
        numbers = np.pad(numbers, ((0, 0), (0, width - numbers.shape[1])))
    first = first_units(network.units, width)
    thresholds, words = network.units[:, 1].astype(np.int8), numbers.view(np.uint64)
    units = np.empty((len(numbers), MAX_ON), np.int16)
    width = write_unit_indices(numbers, words, first, thresholds, units)
    if width > MAX_ON:
        units = np.empty((len(numbers), width), np.int16)
        write_unit_indices(numbers, words, first, thresholds, units)
    return units


def joined(parts: Sequence[Record]) -> Record:
    """Several tuples of arrays over positions as one. The first arrays, of units, are padded to the largest M."""
    units, *others = zip(*parts)
    width = max(array.shape[1] for array in units)
    padded = [np.pad(array, ((0, 0), (0, width - array.shape[1])), constant_values=-1) for array in units]
    make: Any = getattr(parts[0], "_make", tuple)
    return make([np.concatenate(padded), *map(np.concatenate, others)])


def unit_symmetries(network: ValueNetwork) -> NDArray[np.int16]:
    """The unit to which each symmetry of the game maps each unit: int16 (S, F + 1), −1 in the last column, so that −1
    maps to itself. Only the identity if the game has no symmetries or the network does not see planes."""
    units, count = network.units, len(network.units)
    maps = [[*range(count), -1]]
    if network.source == PLANES and network.game.has_symmetries:
        cells = network.game.symmetries(network.variants[0].values).cells
        size = cells.shape[1]
        index_of = {(int(number), int(threshold)): u for u, (number, threshold) in enumerate(units)}
        planes, unit_cells = units[:, 0] // size * size, units[:, 0] % size
        for to_cell in cells[1:]:
            moved = zip((planes + to_cell[unit_cells]).tolist(), units[:, 1].tolist())
            # a plane with the same number everywhere has one cell for all, whose unit maps to itself
            maps.append([*(index_of.get(unit, u) for u, unit in enumerate(moved)), -1])
    return np.array(maps, np.int16)


def _views(flat: NDArray[np.float32], network: ValueNetwork) -> Weights:
    parts, first = [], 0
    for array in network.weights:
        parts.append(flat[first : first + array.size].reshape(array.shape))
        first += array.size
    return Weights(flat, *parts)


# --- checks of arrays, for learners ---


def check_names(arrays: NamedArrays, expected: Iterable[str]) -> None:
    """ValueError unless the names of the arrays are the ``expected`` ones."""
    expected = list(expected)
    missing = [name for name in expected if name not in arrays]
    unknown = [name for name in arrays if name not in expected]
    if missing:
        raise ValueError(f"the checkpoint has no {missing[0]!r}")
    if unknown:
        raise ValueError(f"{unknown[0]!r:.80}: no entry of such a checkpoint; entries: {listing(expected)}")


def check_array(
    arrays: NamedArrays,
    name: str,
    dtype: Any,
    shape: tuple[int | None, ...],
    low: float = -np.inf,
    high: float = np.inf,
) -> NDArray[Any]:
    """One of the arrays. ValueError unless it has this type, shape (None: any length) and range, all finite."""
    array = arrays[name]
    if array.dtype != dtype or array.ndim != len(shape) or any(b not in (None, a) for a, b in zip(array.shape, shape)):
        wanted = str(tuple("any" if length is None else length for length in shape)).replace("'", "")
        raise ValueError(
            f"{name!r} must be of type {np.dtype(dtype)} and shape {wanted}, not {array.dtype} and {array.shape}"
        )
    if not (np.isfinite(array) & (array >= low) & (array <= high)).all():
        raise ValueError(f"{name!r} has numbers that are not finite, or not from {low:g} to {high:g}")
    return array
