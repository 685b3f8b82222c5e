"""Plays games in which a network chooses the best turns, and records positions: the training data of TD(λ).

The games continue from round to round. Each row plays one game after another, with its own random streams, so that its
positions do not depend on the other rows. Other seats may be fixed players' (`parlour.learn.against`).

Axis letters: N rows, K positions, Q positions of a row, L seats that see each of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.after_states import CHOICE_POSITIONS, lookahead_arrays, turn_trees
from parlour.engine.arrays import STREAMS
from parlour.engine.games import Games
from parlour.engine.kernels.td_self_play import NO_HISTORY, NOT_LEARNT, play_rows, write_targets
from parlour.engine.repetition import FILTER_WORDS
from parlour.engine.rows import load_positions, read_positions
from parlour.engine.seeds import seed_words
from parlour.engine.solving_arrays import PositionValues, unused
from parlour.engine.value_arrays import FILLED, GAMES, LATEST, OPENING, PLIES, Experience, NetworkEvaluation
from parlour.learn.against import Opponents, weights_of
from parlour.learn.gradient import Positions
from parlour.learn.learner import check_array, joined, unit_indices
from parlour.learn.settings import TDLambdaSettings
from parlour.players.value.network import ValueNetwork, variant_mix_of
from parlour.players.value.quantised import new_memory, quantise
from parlour.rulebook.protocol import RUNNING, first_state_dtype
from parlour.rulebook.state_records import copied, placed_as
from parlour.support.typed_json import MAX_COUNT

SAVED = ("states", "dice_rng", "player_rng", "variant_rng", "history", "variant_index")
"""The arrays of `Games` that hold running games. Option values are left out: they follow from ``variant_index``."""
NOT_IN_TEXTS = ("last_action", "last_seat", "turn_over", "irreversible")
"""Fields of states that are not in texts of positions."""
MAX_HISTORY = 1 << 24
"""Words of a row's history in a checkpoint, at most."""
PROGRESS = "opening"
"""The name of `Experience.progress` among the arrays of running games."""

Running = Mapping[str, NDArray[Any]]
"""Running games as plain arrays, each with a first axis (N,): `SAVED` as bytes, `PROGRESS`, and against fixed players
what `Opponents.running` has."""


class TurnPlay:
    """N rows of games, with the memory for playing them.

    Attributes:
        experience: the positions of the last call of `play`.
    """

    def __init__(
        self, network: ValueNetwork, settings: TDLambdaSettings, rows: int, threads: int = 1,
        against: Sequence[str] = (),
    ) -> None:  # fmt: skip
        """``network``: of the size of those that will play. ``against``: names of fixed players; none: the network
        plays all seats. The rows are empty: see `begin` and `restore`."""
        self.games = Games(network.game, variant_mix_of(network), rows, threads)
        self.opponents = Opponents(against, self.games)
        self.experience = _new_experience(network, settings, rows)
        self._settings, self._trees = settings, turn_trees(self.games, rows, CHOICE_POSITIONS)
        self._heads = np.arange(len(network.variants)) * network.seats

    def begin(self, seed: int) -> None:
        """Begins a game in each row."""
        rows = self.games.num_games
        self.games.begin(seed_words([seed * rows + row for row in range(rows)]))
        if self.opponents.names:
            self.opponents.draw(np.arange(rows), self.weights)

    @property
    def weights(self) -> NDArray[np.float64]:
        """The probability (B,) of drawing each fixed player, by the results of all rows."""
        return weights_of(self.opponents.met.sum(axis=0))

    @property
    def ended(self) -> int:
        """The number of games that ended in the last call of `play`."""
        return int(self.experience.progress[:, GAMES].sum())

    @property
    def plies(self) -> int:
        """The number of plies in the last call of `play`."""
        return int(self.experience.progress[:, PLIES].sum())

    def play(self, network: ValueNetwork, drawn: NDArray[np.float64]) -> Positions:
        """Plays until each row has its positions. Returns all K, with targets. ``drawn``: the `weights` for drawing
        players."""
        games, settings, experience, opponents = self.games, self._settings, self.experience, self.opponents
        weights = quantise(network, self._heads[games.variant_index])
        evaluation = NetworkEvaluation(weights, new_memory(network, weights, games.num_games))
        experience.progress[:, [FILLED, GAMES, PLIES]], experience.progress[:, LATEST] = 0, -1
        opponents.make_players()
        while True:
            counts = games.run_rules(
                play_rows, settings.temperature, settings.openings, self._heads, games.arrays,
                lookahead_arrays(games), self._trees, PositionValues(evaluation), experience, not opponents.names,
                opponents.learners, opponents.returns, without=unused(True, False),
            )  # fmt: skip
            if NO_HISTORY in counts:
                games.widen_history()
                continue
            if opponents.names:
                self._begin_again(drawn, weights.row_heads)
            open_ids = np.flatnonzero(experience.progress[:, FILLED] < experience.is_last.shape[1])
            if not len(open_ids):
                break
            self._play_opponents(open_ids)
        games.run(write_targets, settings.lambda_, network.scale, experience)
        heads = experience.heads.ravel()
        units = unit_indices(network, experience.numbers.reshape(len(heads), -1))
        learnt = heads != NOT_LEARNT
        return Positions(units[learnt], heads[learnt], experience.targets.reshape(len(heads), -1)[learnt])

    def _begin_again(self, drawn: NDArray[np.float64], row_heads: NDArray[np.int64]) -> None:
        """Begins games against fixed players in the rows that are over."""
        games, progress, opponents = self.games, self.experience.progress, self.opponents
        over = games.states["end"] != RUNNING
        row_ids = np.flatnonzero(over)
        if len(row_ids):
            opponents.record(row_ids)
            games.begin(None, over)
            opponents.draw(row_ids, drawn)
            progress[row_ids, LATEST] = -1
            progress[row_ids, OPENING] = games.player_fractions(row_ids) * (self._settings.openings + 1)
            row_heads[row_ids] = self._heads[games.variant_index[row_ids]]

    def _play_opponents(self, row_ids: NDArray[np.int64]) -> None:
        """Plays the plies of fixed players in the rows ``row_ids`` (M,), up to the learner's next turn."""
        progress, states = self.experience.progress, self.games.states
        progress[row_ids, PLIES] -= states["plies"][row_ids]
        paid = self.opponents.play_until_learner(row_ids)
        progress[row_ids, PLIES] += states["plies"][row_ids]
        if paid.shape[1] == 2:
            paid = 0.5 * (paid - paid[:, ::-1])
        ended, latest = states["end"][row_ids] != RUNNING, progress[row_ids, LATEST]
        progress[row_ids, GAMES] += ended
        met = latest >= 0
        self.experience.paid[row_ids[met], latest[met]] += paid[met]
        self.experience.is_last[row_ids[met], latest[met]] |= ended[met]

    def running(self) -> dict[str, NDArray[Any]]:
        """A copy of the running games."""
        arrays = {**{name: _saved_bytes(self.games, name) for name in SAVED}, PROGRESS: self.experience.progress.copy()}
        return {**arrays, **self.opponents.running()} if self.opponents.names else arrays

    def checked(self, running: Running) -> Running:
        """Checks running games from an untrusted checkpoint. Returns them as `restore` takes them. Each game is set up
        again from the text of its position, so that the rules allow it.

        Raises:
            ValueError: for arrays that are not those of running games; it names the entry.
        """
        games = Games(self.games.game, self.games.variant_mix, self.games.num_games)
        for name in SAVED:
            shape = (games.num_games, None) if name == "history" else _saved_bytes(games, name).shape
            array = check_array(running, name, np.uint8, shape)
            if name != "history":
                _load_bytes(games, name, array)
        progress = check_array(running, PROGRESS, np.int64, self.experience.progress.shape, -1)
        if not (progress[:, OPENING] <= self._settings.openings).all():
            raise ValueError(f"{PROGRESS!r} has more random plies than {self._settings.openings}, the most of a game")
        count = len(games.variant_mix.entries)
        if not ((games.variant_index >= 0) & (games.variant_index < count)).all():
            raise ValueError(f"'variant_index' must hold numbers from 0 to {count - 1}")
        games.variants = games.variant_records[games.variant_index]
        for name in STREAMS:
            if any(getattr(games, name)[field].any() for field in ("forced_used", "forced_end", "misfit")):
                raise ValueError(f"{name!r} has random states that are not valid")
        _set_up_again(games, running["history"])
        met = self.opponents.checked(running) if self.opponents.names else {}
        return {**{name: _saved_bytes(games, name) for name in SAVED}, PROGRESS: progress, **met}

    def restore(self, running: Running) -> None:
        """Continues with running games from `running` or `checked`."""
        for name in SAVED:
            if name != "history":
                _load_bytes(self.games, name, running[name])
        self.games.variants[:] = self.games.variant_records[self.games.variant_index]
        self.games.history = running["history"].copy().view(np.uint64)
        self.games.widen_history()
        self.experience.progress[:] = running[PROGRESS]
        if self.opponents.names:
            self.opponents.restore(running)


def play_on(
    network: ValueNetwork, settings: TDLambdaSettings, running: Running, against: Sequence[str],
    drawn: NDArray[np.float64],
) -> tuple[Positions, Running]:  # fmt: skip
    """Plays running games until each row has its positions. Returns the positions, and the running games after them."""
    turn_play = TurnPlay(network, settings, len(running[PROGRESS]), 1, against)
    turn_play.restore(running)
    return turn_play.play(network, drawn), turn_play.running()


def split_play(running: Running, count: int) -> list[Running]:
    """Splits running games into at most ``count`` parts of adjacent rows."""
    count = min(count, len(running[PROGRESS]))
    parts = {name: np.array_split(array, count) for name, array in running.items()}
    return [{name: parts[name][k] for name in parts} for k in range(count)]


def joined_play(parts: Sequence[tuple[Positions, Running]]) -> tuple[Positions, Running]:
    """Joins the results of `play_on` for all parts."""
    positions, running = zip(*parts)
    widest = max(part["history"].shape[1] for part in running)
    whole = {
        name: np.concatenate([_widened(part[name], widest if name == "history" else 0) for part in running])
        for name in running[0]
    }
    return joined(positions), whole


def _set_up_again(games: Games, history: NDArray[np.uint8]) -> None:
    """Sets every row up from the text of its state, with its earlier positions in ``history`` (N, bytes). Only fields
    that are not in the text (`NOT_IN_TEXTS`) are kept from the state. ValueError unless it is the state of a running
    game."""
    width = history.shape[1] // 8
    if history.shape[1] % 8 or (width == 1) != (games.history.shape[1] == 1) or width > MAX_HISTORY:
        raise ValueError(f"'history' has {history.shape[1]} bytes a row, which no such games have")
    states, layout = copied(games.states), games.layout
    ranges = {
        "plies": (0, MAX_COUNT), "seen": (0, width - FILTER_WORDS if width > 1 else 0), "to_act": (0, layout.seats - 1),
        "end": (RUNNING, RUNNING), "last_action": (-1, layout.actions - 1), "last_seat": (-1, layout.seats - 1),
        "turn_over": (0, 1), "irreversible": (0, 1),
    }  # fmt: skip
    for name, (low, high) in ranges.items():
        if not ((states[name] >= low) & (states[name] <= high)).all():
            raise ValueError(f"'states' has a game whose {name} is not from {low} to {high}")
    games.history = history.copy().view(np.uint64)
    try:
        texts = [games.position(row) for row in range(games.num_games)]
        loaded = read_positions(games, texts)
    except Exception as error:  # notation may raise anything on bytes that are no state
        raise ValueError(f"'states' has a game that is no position of {games.game.id} ({error})") from None
    for name in ("plies", "seen", "occurrences", "to_act", "end"):
        if (loaded.states[name] != states[name]).any():
            raise ValueError(f"'states' has a game whose {name} does not fit its position")
    for name in NOT_IN_TEXTS:
        loaded.states[name] = states[name]
    load_positions(games, loaded)


def _widened(array: NDArray[Any], width: int) -> NDArray[Any]:
    """An array (N, W) with zeros after its columns, up to ``width``."""
    return np.pad(array, ((0, 0), (0, width - array.shape[1]))) if width else array


def _new_experience(network: ValueNetwork, settings: TDLambdaSettings, rows: int) -> Experience:
    seats = network.seats
    viewers = 1 if seats == 2 else seats
    positions = settings.positions // (settings.rows * viewers)
    seen = positions * viewers
    numbers = np.zeros((rows, seen, -(-network.number_count // 8) * 8), np.int8)
    return Experience(
        numbers, numbers.view(np.uint64), np.zeros((rows, seen), np.int64),
        np.zeros((rows, seen, network.outputs), np.float32), np.zeros((rows, seen), np.int8),
        np.zeros((rows, positions, seats, network.outputs)), np.zeros((rows, positions, seats)),
        np.zeros((rows, positions), np.bool_), np.zeros((rows, 5), np.int64),
    )  # fmt: skip


def _saved_bytes(games: Games, name: str) -> NDArray[np.uint8]:
    """A copy of one of `SAVED`, as bytes. States are kept as version 0.2.0 had them."""
    array = getattr(games, name)
    return _bytes(placed_as(first_state_dtype(games.game.rules.STATE), array) if name == "states" else array).copy()


def _load_bytes(games: Games, name: str, content: NDArray[np.uint8]) -> None:
    """The opposite of `_saved_bytes`."""
    array = getattr(games, name)
    if name == "states":
        states = np.frombuffer(content.tobytes(), first_state_dtype(array.dtype))
        content = _bytes(placed_as(array.dtype, states))
    _bytes(array)[...] = content


def _bytes(array: NDArray[Any]) -> NDArray[np.uint8]:
    """An array as a view of its bytes, row by row."""
    return array.view(np.uint8, np.ndarray).reshape(len(array), -1)
