"""Learning by generations: in each, a network plays against itself with alpha-beta search, and learns from the
positions.

The target of a position is a mean of the result of the game and of the value of the search, which looks ahead further
than the network itself. (Networks for chess and shogi engines are trained like this: Y. Nasu, *Efficiently Updatable
Neural-Network-based Evaluation Functions for Computer Shogi*, 2018.) For games between two seats without dice.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.learn.against import weights_of
from parlour.learn.gradient import Positions
from parlour.learn.learner import NamedArrays, check_array, check_names, joined, unit_symmetries
from parlour.learn.method import Method, Round
from parlour.learn.self_play import SearchedPositions, joined_play, play_positions, random_shares
from parlour.learn.settings import GenerationsSettings
from parlour.players.value.network import ValueNetwork
from parlour.support.jobs import SHARES, RunJobs, run_here
from parlour.support.typed_json import MAX_COUNT

STEPS_AT_ONCE = 64
"""Steps of Adam after which the averaged weights are brought up to date."""
PARTS = SearchedPositions._fields


class Generations(Method):
    """A network that learns by generations.

    Attributes:
        generation: how many have been learnt.
        positions, games, plies: of self-play so far.
    """

    NUMBERS = ("generation", *Method.NUMBERS)
    settings: GenerationsSettings

    def __init__(
        self, network: ValueNetwork, settings: GenerationsSettings | None = None, seed: int = 0, threads: int = 1,
        run: RunJobs = run_here, learnt: int | None = None, against: Sequence[str] = (),
    ) -> None:  # fmt: skip
        """
        Args:
            network: what to begin with. It may be one that has learnt before.
            settings: see `GenerationsSettings`.
            seed, threads, run: as in `parlour.learn.TDLambda`.
            learnt: likewise, for positions of self-play; the window begins empty. With 0, the first generation treats
                the network as untrained.
            against: likewise. Targets are then results alone (``result_share`` is 1), since values of searches assume
                the best replies.

        Raises:
            ValueError: for a game with dice or with more than two seats, for a network of three outputs, and for a name
                that is no player.
        """
        if network.game.rules.DICE or network.seats != 2:
            raise ValueError(f"{network.game.id} has dice or more than two seats; generations are for games without")
        if network.outputs > 1:
            raise ValueError(f"generations learn a network of one output, not of {network.outputs}; TDLambda does")
        settings = settings or GenerationsSettings()
        super().__init__(network, settings, seed, threads, run, learnt, against, settings.passes)
        self.generation, self.met = 0, np.zeros((len(against), 2), np.int64)
        self._generations_before = self._learnt_before / settings.positions
        self._symmetries = unit_symmetries(network)
        self._window: deque[SearchedPositions] = deque()

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
        played = joined_play(self._run(jobs))
        self._window.append(played.positions)
        self.met += played.met
        self.generation += 1
        while len(self._window) > settings.window_after(self.generation):
            self._window.popleft()
        loss = self._learn(self._positions(), np.random.default_rng(self._seed_of(SHARES)))
        return self._count(Round(len(played.positions.heads), played.games, played.plies, loss))

    def _positions(self) -> Positions:
        earliest, scale = self.generation - len(self._window), self._learner.start.scale
        return joined([
            Positions(part.units, part.heads, part.targets(self._result_share(earliest + k), scale)[:, None])
            for k, part in enumerate(self._window)
        ])  # fmt: skip

    def _result_share(self, generation: int) -> float:
        return 1.0 if self.against or self._is_untrained(generation) else self.settings.result_share

    def _is_untrained(self, generation: int) -> bool:
        """Whether the network that plays a generation is untrained, whose search values say nothing about results."""
        return generation + self._generations_before == 0

    def _learn(self, positions: Positions, rng: np.random.Generator) -> float:
        """Learns from a sample of positions, each under a random symmetry of the game; the mean loss."""
        settings, count = self.settings, len(positions.heads)
        order = np.concatenate([rng.permutation(count) for _ in range(settings.passes)])[: settings.samples]
        turns = rng.integers(len(self._symmetries), size=count)
        turned = positions._replace(units=self._symmetries[turns[:, None], positions.units])
        rate = settings.learning_rate_after(self._generations_before + self.generation - 1)
        parts = np.array_split(order, -(-len(order) // (STEPS_AT_ONCE * settings.batch)))
        return float(np.mean([self._learner.learn(turned, part, rate) for part in parts]))

    # --- checkpoints ---

    def played(self) -> dict[str, NDArray[Any]]:
        """See `Method`."""
        arrays = {"met": self.met.copy()} if self.against else {}
        for k, part in enumerate(self._window):
            arrays |= {f"{name}_{k}": array for name, array in part._asdict().items()}
        return arrays

    def checked(self, arrays: NamedArrays, numbers: Mapping[str, int]) -> NamedArrays:
        """See `Method`."""
        window = range(self.settings.window_after(numbers["generation"]))
        check_names(arrays, [*(["met"] if self.against else []), *(f"{name}_{k}" for k in window for name in PARTS)])
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
        return arrays

    def continue_with(self, played: NamedArrays) -> None:
        """See `Method`."""
        self.met = played["met"].copy() if self.against else self.met
        window = range(self.settings.window_after(self.generation))
        self._window = deque(SearchedPositions(*(played[f"{name}_{k}"] for name in PARTS)) for k in window)

    def _seed_of(self, purpose: int) -> int:
        words = np.random.SeedSequence([self.seed, self.generation, purpose]).generate_state(1, np.uint64)
        return int(words[0] >> np.uint64(1))
