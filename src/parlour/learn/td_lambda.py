"""Temporal-difference learning of a small value network by self-play, compiled and without PyTorch.

In each round, `play` makes positions by self-play (`parlour.learn.turn_play`), and one pass of Adam over them updates
the weights (`parlour.learn.gradient`). `TDLambda.network` has the average of the weights of
the last rounds (`parlour.learn.learner`), which plays better than the latest weights.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.arguments import is_number, shown, whole_number
from parlour.learn.gradient import Positions
from parlour.learn.jobs import SHARES, RunJobs, run_here
from parlour.learn.learner import Learner, Round
from parlour.learn.turn_play import Job, TurnPlay, joined, parted, play_on
from parlour.value.network import ValueNetwork


@dataclass(frozen=True)
class Settings:
    """The settings of `TDLambda`.

    Attributes:
        trace_decay: λ, from 0 to 1.
        learning_rate: of Adam at the start; after n positions it is this / √(1 + n / ``slowing``).
        slowing: see ``learning_rate``.
        batch: positions per step of Adam.
        positions: positions per round, in all rows together.
        rows: games side by side.
        averaged: about the share of all steps, the latest ones, over which weights are averaged.
        noise: the temperature at which turns are drawn by the logits of their values, 0 for the best; games without
            dice need some.
        openings: the highest number of random plies at the beginning of a game; all numbers up to it have the same
            probability.
    """

    trace_decay: float = 0.7
    learning_rate: float = 2e-3
    slowing: float = 3e6
    batch: int = 64
    positions: int = 4096
    rows: int = 8
    averaged: float = 1 / 8
    noise: float = 0.0
    openings: int = 0

    def __post_init__(self) -> None:
        """ValueError for a number that is out of range."""
        for name, low, high in (
            ("trace_decay", 0, 1), ("learning_rate", 0, 1), ("slowing", 1, math.inf), ("averaged", 0, 1),
            ("noise", 0, 100),
        ):  # fmt: skip
            value = getattr(self, name)
            if not is_number(value) or not low <= value <= high:
                raise ValueError(f"{name} must be a number from {low} to {high}, not {shown(value)}")
        for name, low in (("batch", 1), ("rows", 1), ("openings", 0)):
            whole_number(name, getattr(self, name), low, 1 << 20)
        whole_number("positions", self.positions, 2 * self.rows, 1 << 24)


class TDLambda:
    """Learns a network by self-play. The same seed gives the same weights on any number of threads, and on a cluster.

    Attributes:
        positions: positions learnt from so far.
        games: games played so far.
        plies: plies played so far.
        turn_play: the games that are played.
    """

    def __init__(
        self, network: ValueNetwork, settings: Settings | None = None, seed: int = 0, threads: int = 1,
        run: RunJobs = run_here,
    ) -> None:  # fmt: skip
        """
        Args:
            network: the initial network, such as `parlour.value.new_network`; its variants are played with equal
                probabilities.
            settings: see `Settings`.
            seed: the random seed.
            threads: for self-play in this process.
            run: the function that does the jobs of self-play, such as `parlour.learn.cluster.ClusterJobs`.
        """
        self.start, self.settings, self.seed = network, settings or Settings(), seed
        self.positions = self.games = self.plies = 0
        self.turn_play = TurnPlay(network, self.settings, self.settings.rows, threads)
        self.turn_play.begin(seed)
        self._learner, self._run = Learner(network, self.settings.batch, self.settings.averaged), run

    @property
    def network(self) -> ValueNetwork:
        """The network with the averaged weights."""
        return self._learner.network

    @property
    def latest(self) -> ValueNetwork:
        """The network with the latest weights."""
        return self._learner.latest

    @property
    def steps(self) -> int:
        """Steps of Adam so far."""
        return self._learner.steps

    def round(self) -> Round:
        """Plays until there are enough positions, and learns from them."""
        positions = self.play()
        loss = self.learn(positions)
        done = Round(len(positions.targets), self.turn_play.ended, self.turn_play.plies, loss)
        self.positions += done.positions
        self.games += done.games
        self.plies += done.plies
        return done

    def play(self) -> Positions:
        """Positions with their targets, by self-play with the latest weights."""
        if self._run is run_here:  # all rows at once, which threads share
            return self.turn_play.play(self.latest)
        running = parted(self.turn_play.running(), SHARES)
        played = joined(self._run(play_on, [Job(self.latest, self.settings, part) for part in running]))
        self.turn_play.restore(played.running)
        return played.positions

    def learn(self, positions: Positions) -> float:
        """One pass of Adam over positions, in random order. Returns the mean of the losses before each step."""
        rate = self.settings.learning_rate / math.sqrt(1 + self.positions / self.settings.slowing)
        # a new generator each time, so that checkpoints need no generator
        order = np.random.default_rng([self.seed, self.steps]).permutation(len(positions.targets))
        return self._learner.learn(positions, order, rate)

    # --- checkpoints ---

    def checkpoint(self) -> dict[str, NDArray[Any]]:
        """All that is needed to continue exactly from here, as plain arrays (``numpy.savez`` takes them): see
        `restore`."""
        arrays = {name: array.copy() for name, array in self._learner.arrays().items()}
        arrays["counts"] = np.array([self.positions, self.games, self.plies, self.steps], np.int64)
        return {**self.turn_play.running(), **arrays}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Continues where `checkpoint` was called, with the same network, settings and seed.
        ValueError, and nothing is changed, for arrays that don't fit."""
        now = self.checkpoint()
        for name, array in now.items():
            saved = arrays.get(name)
            shape = (
                None if saved is None else array.shape if name != "history" else (len(array), saved.size // len(array))
            )
            if saved is None or saved.dtype != array.dtype or saved.shape != shape:
                raise ValueError(f"the checkpoint has no {name!r} of shape {array.shape} and type {array.dtype}")
        self.turn_play.restore(arrays)
        self.positions, self.games, self.plies, steps = map(int, arrays["counts"])
        self._learner.restore(arrays, steps)
