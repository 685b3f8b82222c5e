"""Temporal-difference learning of a small value network by self-play, compiled and without PyTorch.

In each round, `TDLambda.play` makes positions by self-play (`parlour.learn.turn_play`), and `TDLambda.learn` updates
the weights by one pass of Adam over them (`parlour.learn.gradient`). `TDLambda.network` has an average of recent
weights (`parlour.learn.learner`), which plays better than the latest ones.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.learn.gradient import Positions
from parlour.learn.learner import NamedArrays, check_names
from parlour.learn.method import Method, Round
from parlour.learn.settings import TDLambdaSettings
from parlour.learn.turn_play import TurnPlay, joined_play, play_on, split_play
from parlour.players.value.network import ValueNetwork
from parlour.support.jobs import SHARES, RunJobs, run_here


class TDLambda(Method):
    """Learns a network by self-play, or by games against fixed players. The same seed gives the same weights on any
    number of threads, and on a cluster.

    Attributes:
        positions, games, plies: so far.
        turn_play: the games that are played.
    """

    settings: TDLambdaSettings

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
            threads: for self-play in this process, from 1 to 1,024.
            run: the function that runs the jobs of self-play, such as `parlour.arena.Cluster`.
            learnt: how many positions ``network`` has learnt from before; None: what the network itself says
                (``positions`` in the card of its file). The learning rate and the average of the weights continue from
                there. Adam begins anew, of which None warns. With 0, a trained network gets the learning rate of an
                untrained one, and becomes weaker at first.
            against: names of fixed players, such as ``["greedy"]``; one of them plays the other seats of each game.
                ``"self"`` among them is the learner. Without names the learner plays all seats.

        Raises:
            ValueError: for a number of threads that is not valid, or ``against`` that is no list of different players.
        """
        super().__init__(network, settings or TDLambdaSettings(), seed, threads, run, learnt, against)
        self.turn_play = TurnPlay(network, self.settings, self.settings.rows, threads, against)
        self.turn_play.begin(seed)

    @property
    def latest(self) -> ValueNetwork:
        """The network with the latest weights."""
        return replace(self._learner.latest, learnt=self._learnt_before + self.positions)

    def round(self) -> Round:
        """Plays until there are enough positions, and learns from them."""
        positions = self.play()
        loss = self.learn(positions)
        return self._count(Round(len(positions.targets), self.turn_play.ended, self.turn_play.plies, loss))

    def play(self) -> Positions:
        """Positions with their targets, by self-play with the latest weights."""
        if self._run is run_here:  # all rows in one call, shared by threads
            return self.turn_play.play(self.latest, self.turn_play.weights)
        drawn = self.turn_play.weights
        running = split_play(self.turn_play.running(), SHARES)
        positions, running_now = joined_play(
            self._run([partial(play_on, self.latest, self.settings, part, self.against, drawn) for part in running])
        )
        self.turn_play.restore(running_now)
        return positions

    def learn(self, positions: Positions) -> float:
        """One pass of Adam over positions, in random order. Returns the mean of the losses before each step."""
        rate = self.settings.learning_rate / math.sqrt(
            1 + (self._learnt_before + self.positions) / self.settings.decay_positions
        )
        # a new generator each time, so that checkpoints need no generator
        order = np.random.default_rng([self.seed, self.steps]).permutation(len(positions.targets))
        return self._learner.learn(positions, order, rate)

    # --- checkpoints ---

    def played(self) -> dict[str, NDArray[Any]]:
        """See `Method`."""
        return self.turn_play.running()

    def checked(self, arrays: NamedArrays, numbers: Mapping[str, int]) -> NamedArrays:
        """See `Method`."""
        check_names(arrays, self.played())
        return self.turn_play.checked(arrays)

    def continue_with(self, played: NamedArrays) -> None:
        """See `Method`."""
        self.turn_play.restore(played)
