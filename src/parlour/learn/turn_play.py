"""Positions from games in which a network chooses the best turns for itself: the training data of TD(λ).

The games go on from round to round. Each row plays them one after another, with random streams of its own, so that the
positions of a row do not depend on the other rows.

Axis letters: N rows, K positions, Q positions of a row, L seats that see each of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.after_states import CHOICE_POSITIONS, lookahead_arrays
from parlour.engine.arrays import TurnTree
from parlour.engine.games import Games
from parlour.engine.seeds import seed_words
from parlour.engine.value_arrays import FILLED, GAMES, LATEST, PLIES, Evaluation, Experience
from parlour.learn.gradient import Positions
from parlour.learn.learner import joined_units, unit_indices
from parlour.rulebook.state_records import records
from parlour.value.network import ValueNetwork, variant_mix_of
from parlour.value.quantised import new_memory, quantise

if TYPE_CHECKING:
    from parlour.learn.td_lambda import Settings

KEPT = ("states", "variants", "dice_rng", "player_rng", "variant_rng", "history", "variant_index")
"""The arrays of `Games` that hold running games."""
PROGRESS = "opening"
"""The name of `Experience.progress` among the arrays of running games."""

Running = Mapping[str, NDArray[Any]]
"""Running games as plain arrays, each with a first axis (N,): `KEPT` as bytes, and `PROGRESS`."""


class TurnPlay:
    """N rows of games, with the memory for playing them.

    Attributes:
        games: the games.
        experience: what was met in the last call of `play`.
    """

    def __init__(self, network: ValueNetwork, settings: Settings, rows: int, threads: int = 1) -> None:
        """``network``: of the size of those that will play. The rows are empty: see `begin` and `restore`."""
        self.games = Games(network.game, variant_mix_of(network), rows, threads)
        self.experience = _new_experience(network, settings, rows)
        self._settings, self._trees = settings, _trees(self.games)
        self._heads = np.arange(len(network.variants)) * network.seats

    def begin(self, seed: int) -> None:
        """Begins a game in each row."""
        rows = self.games.num_games
        self.games.begin(seed_words([seed * rows + row for row in range(rows)]))

    @property
    def ended(self) -> int:
        """The number of games that ended in the last call of `play`."""
        return int(self.experience.progress[:, GAMES].sum())

    @property
    def plies(self) -> int:
        """The number of plies in the last call of `play`."""
        return int(self.experience.progress[:, PLIES].sum())

    def play(self, network: ValueNetwork) -> Positions:
        """Plays on until each row has its positions; the K of all rows, with their targets."""
        games, settings, experience = self.games, self._settings, self.experience
        weights = quantise(network, self._heads[games.variant_index])
        evaluation = Evaluation(weights, new_memory(network, weights, games.num_games))
        experience.progress[:, [FILLED, GAMES, PLIES]], experience.progress[:, LATEST] = 0, -1
        kernels = games.game.compiled.td_self_play
        while kernels.NO_HISTORY in games.run(
            kernels.play_rows, settings.noise, settings.openings, self._heads, games.arrays, lookahead_arrays(games),
            self._trees, evaluation, experience,
        ):  # fmt: skip
            games.widen_history()
        games.run(kernels.write_targets, settings.trace_decay, network.scale, experience)
        units = unit_indices(network, experience.numbers.reshape(experience.targets.size, -1))
        return Positions(units, experience.heads.ravel(), experience.targets.ravel())

    def running(self) -> dict[str, NDArray[Any]]:
        """A copy of the running games."""
        arrays = {name: _bytes(getattr(self.games, name)) for name in KEPT}
        return {name: array.copy() for name, array in {**arrays, PROGRESS: self.experience.progress}.items()}

    def restore(self, running: Running) -> None:
        """Continues with running games from `running`, which must fit."""
        for name in KEPT:
            if name != "history":
                _bytes(getattr(self.games, name))[...] = running[name]
        self.games.history = running["history"].copy().view(np.uint64)
        self.games.widen_history()
        self.experience.progress[:] = running[PROGRESS]


@dataclass(frozen=True)
class Job:
    """Games to be played on.

    Attributes:
        network: what chooses the turns.
        settings: see `parlour.learn.Settings`.
        running: the games.
    """

    network: ValueNetwork
    settings: Settings
    running: Running


@dataclass(frozen=True)
class Played:
    """What has come of a job: its positions, and the games as they stand now."""

    positions: Positions
    running: Running


def play_on(job: Job) -> Played:
    """Plays the games of a job until each row has its positions."""
    turn_play = TurnPlay(job.network, job.settings, len(job.running[PROGRESS]))
    turn_play.restore(job.running)
    return Played(turn_play.play(job.network), turn_play.running())


def parted(running: Running, count: int) -> list[Running]:
    """Running games in at most ``count`` parts, row after row."""
    count = min(count, len(running[PROGRESS]))
    parts = {name: np.array_split(array, count) for name, array in running.items()}
    return [{name: parts[name][k] for name in parts} for k in range(count)]


def joined(parts: Sequence[Played]) -> Played:
    """The opposite of `parted`, with the positions of all parts."""
    widest = max(part.running["history"].shape[1] for part in parts)
    running = {
        name: np.concatenate([_widened(part.running[name], widest if name == "history" else 0) for part in parts])
        for name in parts[0].running
    }
    positions = [part.positions for part in parts]
    return Played(
        Positions(
            joined_units([one.units for one in positions]), np.concatenate([one.heads for one in positions]),
            np.concatenate([one.targets for one in positions]),
        ),
        running,
    )  # fmt: skip


def _widened(array: NDArray[Any], width: int) -> NDArray[Any]:
    """An array (N, W) with zeros after its columns, up to ``width``."""
    return np.pad(array, ((0, 0), (0, width - array.shape[1]))) if width else array


def _new_experience(network: ValueNetwork, settings: Settings, rows: int) -> Experience:
    """Memory for the positions of ``rows`` rows."""
    seats = network.seats
    lookers = 1 if seats == 2 else seats
    positions = settings.positions // (settings.rows * lookers)
    seen = positions * lookers
    numbers = np.zeros((rows, seen, -(-network.number_count // 8) * 8), np.int8)
    return Experience(
        numbers, numbers.view(np.uint64), np.zeros((rows, seen), np.int64), np.zeros((rows, seen), np.float32),
        np.zeros((rows, seen), np.int8), np.zeros((rows, positions, seats)), np.zeros((rows, positions, seats)),
        np.zeros((rows, positions), np.bool_), np.zeros((rows, 5), np.int64),
    )  # fmt: skip


def _trees(games: Games) -> TurnTree:
    """A tree for each row."""
    count = CHOICE_POSITIONS
    rows = games.num_games
    states = records(rows * count, games.game.rules.STATE)
    words = states.view(np.uint64, np.ndarray).reshape(rows, count, -1)
    row_ids, parents, actions, lengths = (np.zeros((rows, count), np.int64) for _ in range(4))
    return TurnTree(
        states.reshape(rows, count), words, np.zeros((rows, count, games.layout.seats)), row_ids, parents, actions,
        lengths, np.zeros((rows, count), np.int8), np.zeros((rows, 2 * count), np.int64),
    )  # fmt: skip


def _bytes(array: NDArray[Any]) -> NDArray[np.uint8]:
    """An array as a view of its bytes, row by row."""
    return array.view(np.uint8, np.ndarray).reshape(len(array), -1)
