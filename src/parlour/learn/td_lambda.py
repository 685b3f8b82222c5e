"""Temporal-difference learning of a small value network by self-play, compiled and without PyTorch.

In each round, `play` makes positions by self-play (`parlour.engine.kernels.td_self_play`), and one pass of Adam over
them updates the weights (`parlour.learn.gradient`). `TDLambda.network` has the average of the weights of
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
from parlour.engine.after_states import MAX_POSITIONS, lookahead_arrays
from parlour.engine.arrays import TurnTree
from parlour.engine.games import Games
from parlour.engine.seeds import seed_words
from parlour.engine.value_arrays import FILLED, GAMES, LATEST, PLIES, Evaluation, Experience
from parlour.learn.gradient import Positions
from parlour.learn.learner import Learner, Round, unit_indices
from parlour.rulebook.state_records import records
from parlour.value.network import ValueNetwork, variant_mix_of
from parlour.value.quantised import new_memory, quantise

FIRST_POSITIONS = 512
"""The number of positions within a turn for which memory is allocated at first."""
KEPT = ("states", "variants", "dice_rng", "player_rng", "variant_rng", "history", "variant_index")
"""Arrays of the running games that a checkpoint holds."""


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
    """Learns a network by self-play. The same seed gives the same weights on any number of threads.

    Attributes:
        positions: positions learnt from so far.
        games: games played so far.
        plies: plies played so far.
    """

    def __init__(
        self, network: ValueNetwork, settings: Settings | None = None, seed: int = 0, threads: int = 1
    ) -> None:
        """``network``: the initial network, such as `parlour.value.new_network`; its variants are played with equal
        probabilities."""
        self.start, self.settings, self.seed = network, settings or Settings(), seed
        self.positions = self.games = self.plies = 0
        self.playing = Games(network.game, variant_mix_of(network), self.settings.rows, threads)
        self.playing.begin(seed_words([seed * self.settings.rows + row for row in range(self.settings.rows)]))
        self._learner = Learner(network, self.settings.batch, self.settings.averaged)
        self._experience = _new_experience(network, self.settings)
        self._trees = _trees(self.playing, FIRST_POSITIONS)
        self._heads = np.arange(len(network.variants)) * network.seats

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
        loss = self.learn(self.play())
        progress = self._experience.progress
        done = Round(self._experience.targets.size, int(progress[:, GAMES].sum()), int(progress[:, PLIES].sum()), loss)
        self.positions += done.positions
        self.games += done.games
        self.plies += done.plies
        return done

    def play(self) -> Positions:
        """Positions with their targets, by self-play with the latest weights."""
        playing, settings, experience = self.playing, self.settings, self._experience
        weights = quantise(self.latest, self._heads[playing.variant_index])
        evaluation = Evaluation(weights, new_memory(self.start, weights, playing.num_games))
        experience.progress[:, [FILLED, GAMES, PLIES]], experience.progress[:, LATEST] = 0, -1
        kernels = playing.game.compiled.td_self_play
        code = None
        while code != kernels.DONE:
            code = max(
                playing.run(
                    kernels.play_rows, settings.noise, settings.openings, self._heads, playing.arrays,
                    lookahead_arrays(playing), self._trees, evaluation, experience,
                )
            )  # fmt: skip
            if code == kernels.NO_HISTORY:
                playing.widen_history()
            elif code == kernels.NO_TREE:
                self._trees = _trees(playing, 4 * self._trees.states.shape[1])
        playing.run(kernels.write_targets, settings.trace_decay, self.start.scale, experience)
        units = unit_indices(self.start, experience.numbers.reshape(experience.targets.size, -1))
        return Positions(units, experience.heads.ravel(), experience.targets.ravel())

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
        arrays = {name: _bytes(getattr(self.playing, name)) for name in KEPT}
        arrays |= {**self._learner.arrays(), "opening": self._experience.progress}
        arrays["counts"] = np.array([self.positions, self.games, self.plies, self.steps], np.int64)
        return {name: array.copy() for name, array in arrays.items()}

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
        playing = self.playing
        for name in KEPT:
            if name != "history":
                _bytes(getattr(playing, name))[...] = arrays[name]
        playing.history = arrays["history"].copy().view(np.uint64)
        playing.widen_history()
        self._experience.progress[:] = arrays["opening"]
        self.positions, self.games, self.plies, steps = map(int, arrays["counts"])
        self._learner.restore(arrays, steps)


def _new_experience(network: ValueNetwork, settings: Settings) -> Experience:
    rows, seats = settings.rows, network.seats
    lookers = 1 if seats == 2 else seats
    positions = settings.positions // (rows * lookers)
    seen = positions * lookers
    numbers = np.zeros((rows, seen, -(-network.number_count // 8) * 8), np.int8)
    return Experience(
        numbers, numbers.view(np.uint64), np.zeros((rows, seen), np.int64), np.zeros((rows, seen), np.float32),
        np.zeros((rows, seen), np.int8), np.zeros((rows, positions, seats)), np.zeros((rows, positions, seats)),
        np.zeros((rows, positions), np.bool_), np.zeros((rows, 5), np.int64),
    )  # fmt: skip


def _trees(playing: Games, count: int) -> TurnTree:
    """A tree for each row, for up to ``count`` positions (a power of 2). ValueError if there are too many."""
    if count > MAX_POSITIONS:
        raise ValueError(f"a turn has more than {MAX_POSITIONS} positions")
    rows = playing.num_games
    states = records(rows * count, playing.game.rules.STATE)
    words = states.view(np.uint64, np.ndarray).reshape(rows, count, -1)
    row_ids, parents, actions, lengths = (np.zeros((rows, count), np.int64) for _ in range(4))
    return TurnTree(
        states.reshape(rows, count), words, np.zeros((rows, count, playing.layout.seats)), row_ids, parents, actions,
        lengths, np.zeros((rows, count), np.int8), np.zeros((rows, 2 * count), np.int64),
    )  # fmt: skip


def _bytes(array: NDArray[Any]) -> NDArray[np.uint8]:
    """An array as a view of its bytes, row by row."""
    return array.view(np.uint8, np.ndarray).reshape(len(array), -1)
