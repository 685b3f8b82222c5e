"""Learning by generations: a network plays against itself with alpha-beta search, learns from the positions, and
plays again.

The target of a position is a mean of the result of the game and of the value of the search, which looks ahead further
than the network itself. (Networks for chess and shogi engines are trained like this: Y. Nasu, *Efficiently Updatable
Neural-Network-based Evaluation Functions for Computer Shogi*, 2018.) For games between two seats without dice.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.learn.gradient import Positions
from parlour.learn.jobs import SHARES, RunJobs, run_here
from parlour.learn.learner import Learner, Round, joined_units, unit_symmetries
from parlour.learn.self_play import Job, Played, SelfPlay, joined, play_positions, random_shares
from parlour.value.network import ValueNetwork

STEPS_AT_ONCE = 64
"""Steps of Adam after which the averaged weights are brought up to date."""
KEPT = ("units", "heads", "results", "search_values", "cut")


@dataclass(frozen=True)
class Recipe:
    """The settings of `Generations`.

    Attributes:
        positions: self-play positions in a generation.
        window: the number of latest generations to learn from, at least. Later on it is half of all generations, so
            that a longer run learns from more positions.
        max_window: the highest number of generations to learn from.
        samples: the highest number of positions to learn from in a generation. They are drawn from the window.
        passes: the highest number of times that the same position is drawn in a generation. So a short window gives
            fewer than ``samples``.
        batch: positions in a step of Adam.
        rate: the learning rate of the first generation; that of generation g is ``rate / √(1 + g / slowdown)``.
        slowdown: see ``rate``.
        averaged: see `parlour.learn.learner.Learner`.
        result_share: the weight of the game's result in a target; the search's value has the rest.
        self_play: how games are played.
    """

    positions: int = 30_000
    window: int = 8
    max_window: int = 64
    samples: int = 480_000
    passes: int = 2
    batch: int = 256
    rate: float = 1e-3
    slowdown: float = 20
    averaged: float = 1 / 8
    result_share: float = 0.5
    self_play: SelfPlay = field(default_factory=SelfPlay)

    def window_after(self, generations: int) -> int:
        """How many of the latest generations are learnt from, when there have been ``generations``. From one generation
        to the next it grows by 1 at most."""
        return min(generations, max(self.window, min(generations // 2, self.max_window)))

    def rate_after(self, generations: int) -> float:
        """The learning rate of the generation that follows ``generations``."""
        return self.rate / math.sqrt(1 + generations / self.slowdown)


class Generations:
    """A network that learns by generations. After `restore`, `round` gives exactly what it would have given without
    the break.

    Attributes:
        generation: how many have been learnt.
        positions: of self-play so far.
        games: of self-play so far.
        plies: of self-play so far.
    """

    def __init__(
        self, network: ValueNetwork, recipe: Recipe | None = None, seed: int = 0, threads: int = 1,
        run: RunJobs = run_here,
    ) -> None:  # fmt: skip
        """
        Args:
            network: what to begin with.
            recipe: see `Recipe`.
            seed: the random seed.
            threads: for self-play; the result is the same on any number.
            run: the function that does the jobs of self-play, such as `parlour.learn.cluster.ClusterJobs`.

        Raises:
            ValueError: for a game with dice or with more than two seats.
        """
        if network.game.rules.DICE or network.seats != 2:
            raise ValueError(f"{network.game.id} has dice or more than two seats; generations are for games without")
        self.recipe = recipe or Recipe()
        self.seed, self.threads, self._run = seed, threads, run
        self.generation = self.positions = self.games = self.plies = 0
        self._learner = Learner(network, self.recipe.batch, self.recipe.averaged)
        self._symmetries = unit_symmetries(network)
        self._window: deque[Played] = deque()

    @property
    def network(self) -> ValueNetwork:
        """The network with the averaged weights, the one that plays."""
        return self._learner.network

    def round(self) -> Round:
        """Plays a generation, and learns from the window."""
        recipe, network = self.recipe, self.network
        by_potential = self.generation == 0 and network.game.has_potential
        count, settings = -(-recipe.positions // SHARES), recipe.self_play
        shares = random_shares(settings, network, self._window[-1] if self._window else None)
        jobs = [
            Job(network, count, settings, shares, self._seed_of(share), by_potential, self.threads)
            for share in range(SHARES)
        ]
        played = joined(self._run(play_positions, jobs))
        self._window.append(played)
        self.games += played.games
        self.plies += played.plies
        self.generation += 1
        while len(self._window) > recipe.window_after(self.generation):
            self._window.popleft()
        loss = self._learn(self._positions(), np.random.default_rng(self._seed_of(SHARES)))
        self.positions += len(played.heads)
        return Round(len(played.heads), played.games, played.plies, loss)

    def _positions(self) -> Positions:
        """All positions of the window."""
        earliest, scale = self.generation - len(self._window), self._learner.start.scale
        targets = [part.targets(self._result_share(earliest + k), scale) for k, part in enumerate(self._window)]
        return Positions(
            joined_units([part.units for part in self._window]),
            np.concatenate([part.heads for part in self._window]), np.concatenate(targets),
        )  # fmt: skip

    def _result_share(self, generation: int) -> float:
        """The weight of results in a generation's targets. In the first generation, search values don't estimate
        results yet."""
        return self.recipe.result_share if generation > 0 else 1.0

    def _learn(self, positions: Positions, rng: np.random.Generator) -> float:
        """Learns from a sample of positions, each under a random symmetry of the game; the mean loss."""
        recipe, count = self.recipe, len(positions.heads)
        order = np.concatenate([rng.permutation(count) for _ in range(recipe.passes)])[: recipe.samples]
        turns = rng.integers(len(self._symmetries), size=count)
        turned = positions._replace(units=self._symmetries[turns[:, None], positions.units])
        rate = recipe.rate_after(self.generation - 1)
        parts = np.array_split(order, -(-len(order) // (STEPS_AT_ONCE * recipe.batch)))
        return float(np.mean([self._learner.learn(turned, part, rate) for part in parts]))

    def checkpoint(self) -> dict[str, NDArray[Any]]:
        """All that is needed to continue exactly from here, as plain arrays (``numpy.savez`` takes them): see
        `restore`."""
        arrays = {name: array.copy() for name, array in self._learner.arrays().items()}
        arrays["counts"] = np.array(
            [self.generation, self.positions, self.games, self.plies, self._learner.steps], np.int64
        )
        for k, played in enumerate(self._window):
            arrays |= {f"{name}_{k}": getattr(played, name) for name in KEPT}
        return arrays

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Continues where `checkpoint` was called, with the same network, recipe and seed.
        ValueError, and nothing is changed, for arrays that don't fit."""
        due = {name: (array.dtype, array.shape) for name, array in self._learner.arrays().items()}
        due["counts"] = np.dtype(np.int64), (5,)
        for name, (dtype, shape) in due.items():
            array = arrays.get(name)
            if array is None or array.dtype != dtype or array.shape != shape:
                raise ValueError(f"the checkpoint has no {name!r} of shape {shape} and type {dtype}")
        generation, positions, games, plies, steps = map(int, arrays["counts"])
        kept = range(self.recipe.window_after(generation))
        missing = [f"{name}_{k}" for k in kept for name in KEPT if f"{name}_{k}" not in arrays]
        if missing:
            raise ValueError(f"the checkpoint has no {missing[0]!r}")
        self.generation, self.positions, self.games, self.plies = generation, positions, games, plies
        self._learner.restore(arrays, steps)
        self._window.clear()
        for k in kept:
            units, heads, results, search_values, cut = (arrays[f"{name}_{k}"] for name in KEPT)
            self._window.append(Played(units, heads, results, search_values, cut, games=0, plies=0))

    def _seed_of(self, purpose: int) -> int:
        """A seed of its own for each generation and purpose."""
        words = np.random.SeedSequence([self.seed, self.generation, purpose]).generate_state(1, np.uint64)
        return int(words[0] >> np.uint64(1))
