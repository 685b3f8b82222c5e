"""Temporal-difference learning of a small value network by self-play, compiled and without PyTorch.

In each round, `play` makes positions by self-play (`parlour.learn.turn_play`), and one pass of Adam over them updates
the weights (`parlour.learn.gradient`). `TDLambda.network` has the average of the weights of
the last rounds (`parlour.learn.learner`), which plays better than the latest weights.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.learn.against import check_against
from parlour.learn.checkpoint import check_array, check_names
from parlour.learn.gradient import Positions
from parlour.learn.learner import Learner, Round, positions_before
from parlour.learn.turn_play import TDLambdaSettings, TurnPlay, joined, parted, play_on
from parlour.players.value.network import ValueNetwork
from parlour.support.jobs import SHARES, RunJobs, run_here
from parlour.support.typed_json import MAX_COUNT


class TDLambda:
    """Learns a network by self-play, or by games against fixed players. The same seed gives the same weights on any
    number of threads, and on a cluster.

    Attributes:
        positions: positions learnt from so far.
        games: games played so far.
        plies: plies played so far.
        turn_play: the games that are played.
    """

    def __init__(
        self, network: ValueNetwork, settings: TDLambdaSettings | None = None, seed: int = 0, threads: int = 1,
        run: RunJobs = run_here, learnt: int | None = None, against: Sequence[str] = (),
    ) -> None:  # fmt: skip
        """
        Args:
            network: the initial network, such as `parlour.players.value.new_network`; its variants are played with
                equal probabilities. It may be one that has learnt before.
            settings: see `TDLambdaSettings`.
            seed: the random seed.
            threads: for self-play in this process.
            run: the function that does the jobs of self-play, such as `parlour.arena.Cluster`.
            learnt: the positions that ``network`` has learnt from before; None: those that the network itself says, as
                one that was read from a file does (``positions`` in its card). The learning rate and the average of the
                weights go on from there; the state of Adam begins anew, of which None warns. With 0, the rate of an
                untrained network makes a trained one weaker at first.
            against: fixed players by name, one of which plays the other seats of each game, such as ``["greedy"]``;
                ``"self"`` among them is the learner. None: the learner plays all seats.

        Raises:
            ValueError: for a name that is no player.
        """
        check_against(against, network.game)
        self.start, self.settings, self.seed = network, settings or TDLambdaSettings(), seed
        self._before = positions_before(network, learnt)
        self.positions = self.games = self.plies = 0
        self.turn_play = TurnPlay(network, self.settings, self.settings.rows, threads, against)
        self.turn_play.begin(seed)
        self._run = run
        self._learner = Learner(
            network, self.settings.batch, self.settings.averaged, self._before // self.settings.batch
        )

    @property
    def network(self) -> ValueNetwork:
        """The network with the averaged weights."""
        return replace(self._learner.network, learnt=self._before + self.positions)

    @property
    def latest(self) -> ValueNetwork:
        """The network with the latest weights."""
        return replace(self._learner.latest, learnt=self._before + self.positions)

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
            return self.turn_play.play(self.latest, self.turn_play.weights)
        against, drawn = self.turn_play.opponents.names, self.turn_play.weights
        running = parted(self.turn_play.running(), SHARES)
        positions, running_now = joined(
            self._run([partial(play_on, self.latest, self.settings, part, against, drawn) for part in running])
        )
        self.turn_play.restore(running_now)
        return positions

    def learn(self, positions: Positions) -> float:
        """One pass of Adam over positions, in random order. Returns the mean of the losses before each step."""
        rate = self.settings.learning_rate / math.sqrt(
            1 + (self._before + self.positions) / self.settings.decay_positions
        )
        # a new generator each time, so that checkpoints need no generator
        order = np.random.default_rng([self.seed, self.steps]).permutation(len(positions.targets))
        return self._learner.learn(positions, order, rate)

    # --- checkpoints ---

    def checkpoint(self) -> dict[str, NDArray[Any]]:
        """All that is needed to continue exactly from here, as arrays for ``numpy.savez``: see `restore`."""
        arrays = {name: array.copy() for name, array in self._learner.arrays().items()}
        arrays["counts"] = np.array([self.positions, self.games, self.plies, self.steps], np.int64)
        return {**self.turn_play.running(), **arrays}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Continues where `checkpoint` was called, with the same network, settings and seed.
        ValueError, and nothing is changed, for arrays that don't fit."""
        check_names(arrays, self.checkpoint())
        check_array(arrays, "counts", np.int64, (4,), 0, MAX_COUNT)
        self._learner.check(arrays)
        self.turn_play.restore(self.turn_play.checked(arrays))
        self.positions, self.games, self.plies, steps = map(int, arrays["counts"])
        self._learner.restore(arrays, steps)
