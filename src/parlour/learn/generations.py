"""Learning by generations: a network plays against itself with alpha-beta search, learns from the positions, and
plays again.

The target of a position is a mean of the result of the game and of the value of the search, which looks ahead further
than the network itself. (Networks for chess and shogi engines are trained like this: Y. Nasu, *Efficiently Updatable
Neural-Network-based Evaluation Functions for Computer Shogi*, 2018.) For games between two seats without dice.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.learn.against import check_against, weights_of
from parlour.learn.checkpoint import check_array, check_names
from parlour.learn.gradient import Positions
from parlour.learn.learner import Learner, Round, joined_units, positions_before, unit_symmetries
from parlour.learn.self_play import SearchedPositions, SelfPlaySettings, joined, play_positions, random_shares
from parlour.players.value.network import ValueNetwork
from parlour.support.jobs import SHARES, RunJobs, run_here
from parlour.support.typed_json import MAX_COUNT

STEPS_AT_ONCE = 64
"""Steps of Adam after which the averaged weights are brought up to date."""
KEPT = ("units", "heads", "results", "search_values", "cut")


@dataclass(frozen=True)
class GenerationsSettings:
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
        learning_rate: of Adam in the first generation; in generation g it is this / √(1 + g / ``decay_generations``).
        decay_generations: see ``learning_rate``.
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
    learning_rate: float = 1e-3
    decay_generations: float = 20
    averaged: float = 1 / 8
    result_share: float = 0.5
    self_play: SelfPlaySettings = field(default_factory=SelfPlaySettings)

    def window_after(self, generations: int) -> int:
        """How many of the latest generations are learnt from after ``generations``. It grows by 1 at most."""
        return min(generations, max(self.window, min(generations // 2, self.max_window)))

    def learning_rate_after(self, generations: float) -> float:
        """The learning rate of the generation that follows ``generations``."""
        return self.learning_rate / math.sqrt(1 + generations / self.decay_generations)


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
        self, network: ValueNetwork, settings: GenerationsSettings | None = None, seed: int = 0, threads: int = 1,
        run: RunJobs = run_here, learnt: int | None = None, against: Sequence[str] = (),
    ) -> None:  # fmt: skip
        """
        Args:
            network: what to begin with. It may be one that has learnt before.
            settings: see `GenerationsSettings`.
            seed, threads, run: as in `parlour.learn.TDLambda`.
            learnt: likewise, for positions of self-play; the window begins anew too. With 0, the first generation takes
                the network for an untrained one.
            against: likewise. Values of searches, which take the other side for the best player, then have no part in
                the targets (``result_share`` is 1).

        Raises:
            ValueError: for a game with dice or with more than two seats, and for a name that is no player.
        """
        if network.game.rules.DICE or network.seats != 2:
            raise ValueError(f"{network.game.id} has dice or more than two seats; generations are for games without")
        check_against(against, network.game)
        self.settings = settings or GenerationsSettings()
        self.against, self.met = tuple(against), np.zeros((len(against), 2), np.int64)
        self.seed, self.threads, self._run = seed, threads, run
        self.generation = self.positions = self.games = self.plies = 0
        self._learnt = positions_before(network, learnt)
        self._before = self._learnt / self.settings.positions  # generations
        steps = self.settings.passes * self._learnt // self.settings.batch
        self._learner = Learner(network, self.settings.batch, self.settings.averaged, steps)
        self._symmetries = unit_symmetries(network)
        self._window: deque[SearchedPositions] = deque()

    @property
    def network(self) -> ValueNetwork:
        """The network with the averaged weights, the one that plays."""
        return replace(self._learner.network, learnt=self._learnt + self.positions)

    def round(self) -> Round:
        """Plays a generation, and learns from the window."""
        settings, network = self.settings, self.network
        by_potential = self._is_untrained(self.generation) and network.game.has_potential
        count, self_play = -(-settings.positions // SHARES), settings.self_play
        shares = random_shares(self_play, network, self._window[-1] if self._window else None)
        drawn = weights_of(self.met) if self.against else None
        jobs = [
            partial(
                play_positions, network, count, self_play, shares, self._seed_of(share), by_potential, self.threads,
                self.against, drawn,
            )
            for share in range(SHARES)
        ]  # fmt: skip
        played = joined(self._run(jobs))
        self._window.append(played)
        self.games += played.games
        self.plies += played.plies
        self.met += played.met
        self.generation += 1
        while len(self._window) > settings.window_after(self.generation):
            self._window.popleft()
        loss = self._learn(self._positions(), np.random.default_rng(self._seed_of(SHARES)))
        self.positions += len(played.heads)
        return Round(len(played.heads), played.games, played.plies, loss)

    def _positions(self) -> Positions:
        earliest, scale = self.generation - len(self._window), self._learner.start.scale
        targets = [part.targets(self._result_share(earliest + k), scale) for k, part in enumerate(self._window)]
        return Positions(
            joined_units([part.units for part in self._window]),
            np.concatenate([part.heads for part in self._window]),
            np.concatenate(targets),
        )

    def _result_share(self, generation: int) -> float:
        return 1.0 if self.against or self._is_untrained(generation) else self.settings.result_share

    def _is_untrained(self, generation: int) -> bool:
        """Whether the network that plays a generation is untrained, so that search values don't estimate results."""
        return generation + self._before == 0

    def _learn(self, positions: Positions, rng: np.random.Generator) -> float:
        """Learns from a sample of positions, each under a random symmetry of the game; the mean loss."""
        settings, count = self.settings, len(positions.heads)
        order = np.concatenate([rng.permutation(count) for _ in range(settings.passes)])[: settings.samples]
        turns = rng.integers(len(self._symmetries), size=count)
        turned = positions._replace(units=self._symmetries[turns[:, None], positions.units])
        rate = settings.learning_rate_after(self._before + self.generation - 1)
        parts = np.array_split(order, -(-len(order) // (STEPS_AT_ONCE * settings.batch)))
        return float(np.mean([self._learner.learn(turned, part, rate) for part in parts]))

    def checkpoint(self) -> dict[str, NDArray[Any]]:
        """All that is needed to continue exactly from here, as arrays for ``numpy.savez``: see `restore`."""
        arrays = {name: array.copy() for name, array in self._learner.arrays().items()}
        arrays["counts"] = np.array(
            [self.generation, self.positions, self.games, self.plies, self._learner.steps], np.int64
        )
        if self.against:
            arrays["met"] = self.met.copy()
        for k, played in enumerate(self._window):
            arrays |= {f"{name}_{k}": getattr(played, name) for name in KEPT}
        return arrays

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Continues where `checkpoint` was called, with the same network, settings and seed.
        ValueError, and nothing is changed, for arrays that don't fit."""
        generations = self._check(arrays)
        generation, positions, games, plies, steps = map(int, arrays["counts"])
        self.generation, self.positions, self.games, self.plies = generation, positions, games, plies
        self._learner.restore(arrays, steps)
        self.met = arrays["met"].copy() if self.against else self.met
        self._window.clear()
        for k in generations:
            units, heads, results, search_values, cut = (arrays[f"{name}_{k}"] for name in KEPT)
            self._window.append(SearchedPositions(units, heads, results, search_values, cut, games=0, plies=0))

    def _check(self, arrays: Mapping[str, NDArray[Any]]) -> range:
        """The numbers of the window's parts in a checkpoint. ValueError for arrays that are not one."""
        learnt = (*self._learner.arrays(), "counts", *(["met"] if self.against else []))
        check_names({name: array for name, array in arrays.items() if name in learnt}, learnt)
        generation = int(check_array(arrays, "counts", np.int64, (5,), 0, MAX_COUNT)[0])
        window = range(self.settings.window_after(generation))
        check_names(arrays, [*learnt, *(f"{name}_{k}" for k in window for name in KEPT)])
        self._learner.check(arrays)
        if self.against:
            check_array(arrays, "met", np.int64, self.met.shape, 0, MAX_COUNT)
        network = self._learner.start
        units, heads = len(network.units), len(network.variants) * network.seats
        for k in window:
            count, most = check_array(arrays, f"units_{k}", np.int16, (None, None), -1, units - 1).shape
            if not (count and most):
                raise ValueError(f"'units_{k}' must hold a position or more, not {count} of {most} units")
            check_array(arrays, f"heads_{k}", np.int64, (count,), 0, heads - 1)
            check_array(arrays, f"results_{k}", np.float32, (count,))
            check_array(arrays, f"search_values_{k}", np.float32, (count,), -network.scale, network.scale)
            check_array(arrays, f"cut_{k}", np.bool_, (count,))
        return window

    def _seed_of(self, purpose: int) -> int:
        words = np.random.SeedSequence([self.seed, self.generation, purpose]).generate_state(1, np.uint64)
        return int(words[0] >> np.uint64(1))
