"""The base of both methods of learning: rounds, counters, and checkpoints from which learning continues exactly."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from parlour.learn.against import check_against
from parlour.learn.learner import Learner, NamedArrays, check_array, check_names
from parlour.learn.settings import LearningSettings
from parlour.players.value.network import ValueNetwork
from parlour.support.arguments import whole_number
from parlour.support.jobs import MAX_THREADS, RunJobs
from parlour.support.typed_json import MAX_COUNT

COUNTS = "counts"


@dataclass(frozen=True)
class Round:
    """A round: positions learnt from, games ended, plies, and the mean loss before learning."""

    positions: int
    games: int
    plies: int
    loss: float


class Method(ABC):
    """A network that learns in rounds: `parlour.learn.TDLambda` or `parlour.learn.Generations`. After `restore`,
    `round` does exactly what it would have done without the break.

    Attributes:
        positions: of self-play so far.
        games: so far.
        plies: so far.
        against: the names of fixed players.
    """

    NUMBERS: ClassVar[tuple[str, ...]] = ("positions", "games", "plies", "steps")
    """The attributes that a checkpoint has in the array `COUNTS`, in this order."""

    def __init__(
        self, network: ValueNetwork, settings: LearningSettings, seed: int, threads: int, run: RunJobs,
        learnt: int | None, against: Sequence[str], passes: int = 1,
    ) -> None:  # fmt: skip
        """``passes``: how often a position is learnt from. The rest is as in `parlour.learn.TDLambda`."""
        check_against(against, network.game)
        self.settings, self.against = settings, tuple(against)
        self.seed, self.threads, self._run = seed, whole_number("threads", threads, 1, MAX_THREADS), run
        self.positions = self.games = self.plies = 0
        self._learnt_before = _positions_before(network, learnt)
        steps = passes * self._learnt_before // settings.batch
        self._learner = Learner(network, settings.batch, settings.averaged, steps)

    @property
    def network(self) -> ValueNetwork:
        """The network with the averaged weights, the one that plays."""
        return replace(self._learner.network, learnt=self._learnt_before + self.positions)

    @property
    def steps(self) -> int:
        """Steps of Adam so far."""
        return self._learner.steps

    @abstractmethod
    def round(self) -> Round:
        """Plays, and learns from the positions."""

    def _count(self, done: Round) -> Round:
        """Adds a round to the totals."""
        self.positions += done.positions
        self.games += done.games
        self.plies += done.plies
        return done

    # --- checkpoints ---

    def checkpoint(self) -> dict[str, NDArray[Any]]:
        """All that is needed to continue exactly from here, as arrays for ``numpy.savez``: see `restore`."""
        counts = np.array([getattr(self, name) for name in self.NUMBERS], np.int64)
        learner = {name: array.copy() for name, array in self._learner.arrays().items()}
        return {**self.played(), **learner, COUNTS: counts}

    def restore(self, arrays: NamedArrays) -> None:
        """Continues where `checkpoint` was called, with the same network, settings and seed.
        ValueError, and nothing is changed, for arrays that don't fit."""
        learnt = [*self._learner.arrays(), COUNTS]
        check_names({name: arrays[name] for name in arrays if name in learnt}, learnt)
        counts = check_array(arrays, COUNTS, np.int64, (len(self.NUMBERS),), 0, MAX_COUNT)
        numbers = dict(zip(self.NUMBERS, counts.tolist()))
        self._learner.check(arrays)
        played = self.checked({name: arrays[name] for name in arrays if name not in learnt}, numbers)
        self._learner.restore(arrays, numbers.pop("steps"))
        for name, number in numbers.items():
            setattr(self, name, number)
        self.continue_with(played)

    @abstractmethod
    def played(self) -> dict[str, NDArray[Any]]:
        """What is still needed of the games so far: their part of a checkpoint."""

    @abstractmethod
    def checked(self, arrays: NamedArrays, numbers: Mapping[str, int]) -> NamedArrays:
        """Checks arrays of `played` from an untrusted checkpoint, whose `NUMBERS` are ``numbers``. Returns them;
        ValueError unless `continue_with` can take them."""

    @abstractmethod
    def continue_with(self, played: NamedArrays) -> None:
        """Continues with the arrays of `played`; `NUMBERS` are set already."""


def _positions_before(network: ValueNetwork, learnt: int | None) -> int:
    """How many positions a network has learnt from before: ``learnt``, or (None) what the network says. Then it warns
    whoever makes the learner, unless that is 0. ValueError for an argument that is not valid."""
    if learnt is not None:
        return whole_number("learnt", learnt)
    if network.learnt:
        warnings.warn(
            f"the network has learnt from {network.learnt:,} positions: the learning rate goes on from there, and "
            f"Adam's moments begin anew; learnt={network.learnt} says so without a warning",
            UserWarning,
            stacklevel=4,
        )
    return network.learnt
