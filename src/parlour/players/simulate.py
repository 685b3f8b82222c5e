"""Whole games between players, many side by side, and their results.

Each game has a seed of its own and does not depend on the other games: it is the same on any number of rows and
threads. It may begin from a given position, or with random plies, and it can be played again from its actions alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from parlour.engine.arrays import DISABLED
from parlour.engine.game import Game
from parlour.engine.games import Games
from parlour.engine.kernels.tracing import score_plies
from parlour.engine.player import max_rows_of
from parlour.engine.rows import copy_rows, load_positions, read_positions
from parlour.engine.seeds import seed_words
from parlour.engine.variant_mix import single
from parlour.engine.view import GamesView
from parlour.players import Player
from parlour.rulebook.chance import row_seeds
from parlour.rulebook.options import Value
from parlour.rulebook.protocol import MAX_PLIES, RUNNING
from parlour.rulebook.state_records import as_bytes, as_words, records

Numbers: TypeAlias = NDArray[np.int64]
MAX_ROWS = 512
"""Games played side by side: enough to be quick, few enough to stay in a processor's cache."""


@dataclass
class Results:
    """The results of M games.

    Attributes:
        returns: float64 (M, P), each seat's sum of rewards.
        truncated: bool (M,), whether `max_plies` ended the game.
        plies: int64 (M,), played here: those before a given position are not counted.
        choices: int64 (M,), legal actions summed over the plies.
        forced: int64 (M,), plies with a single legal action.
        begins: int8 (M,), the seat that acted first.
        ends: int8 (M,), how each ended, numbered as in the game's ``rules.ENDS``.
        lead_changes: int64 (M,), how often the lead passed to another seat. A seat leads from the ply after which its
            potential is higher than any other's. Zeros unless they were asked for.
        events: int64 (M, E), how often each of the game's ``evaluation.EVENTS`` happened. Zeros unless asked for.
    """

    returns: NDArray[np.float64]
    truncated: NDArray[np.bool_]
    plies: NDArray[np.int64]
    choices: NDArray[np.int64]
    forced: NDArray[np.int64]
    begins: NDArray[np.int8]
    ends: NDArray[np.int8]
    lead_changes: NDArray[np.int64]
    events: NDArray[np.int64]

    @classmethod
    def empty(cls, num_games: int, seats: int, events: int) -> Results:
        """For M games of P seats and E events, none of them played yet."""
        plies, choices, forced, lead_changes = (np.zeros(num_games, np.int64) for _ in range(4))
        return cls(
            np.zeros((num_games, seats)), np.zeros(num_games, np.bool_), plies, choices, forced,
            np.zeros(num_games, np.int8), np.zeros(num_games, np.int8), lead_changes,
            np.zeros((num_games, events), np.int64),
        )  # fmt: skip

    @property
    def winners(self) -> NDArray[np.int64]:
        """The seat with the highest return in each game, (M,); −1 where seats share it or the game was truncated."""
        return np.where(self.truncated, -1, ahead(self.returns))

    @property
    def totals(self) -> NDArray[np.int64]:
        """The wins of each seat, how many games were truncated, plies and legal actions: (P + 3,)."""
        wins = np.bincount(self.winners[self.winners >= 0], minlength=self.returns.shape[1])
        return np.array([*wins, np.count_nonzero(self.truncated), self.plies.sum(), self.choices.sum()])


def ahead(values: NDArray[Any]) -> NDArray[np.int64]:
    """The seat with the highest of its row's ``values`` (M, P), −1 where several have it: (M,)."""
    highest = values == values.max(axis=1, keepdims=True)
    return np.where(highest.sum(axis=1) == 1, highest.argmax(axis=1), -1)


class Observer:
    """Follows games while they are played; a subclass defines what it needs.

    ``games``: the games side by side; ``row_ids`` (K,): the rows that play; ``game_numbers`` (K,): the games that they
    play, as numbered in the run.
    """

    def begin(self, games: Games, row_ids: Numbers, game_numbers: Numbers) -> None:
        """These rows have begun new games."""

    def before_step(self, games: Games, row_ids: Numbers, game_numbers: Numbers, actions: Numbers) -> None:
        """``actions`` (N,) are about to be played in these rows."""

    def after_step(self, games: Games, row_ids: Numbers, game_numbers: Numbers, results: Results) -> None:
        """They have been played."""


OnFinished: TypeAlias = Callable[[Results, Numbers], None]
"""Called when games have ended: with the results so far, and the numbers of the games that have just ended."""
Chooser: TypeAlias = Callable[[Games, NDArray[np.bool_], Numbers, Numbers, Numbers], None]
"""``(games, busy, game_numbers, plies, actions)``: writes ``actions`` (N,) for the ``busy`` rows (bool (N,)), which
play the games ``game_numbers`` (N,) and have played ``plies`` (N,) of them."""


def play_games(
    game: Game,
    values: Mapping[str, Value],
    players: Sequence[Player],
    seeds: Sequence[int],
    threads: int = 1,
    on_finished: OnFinished = lambda results, game_numbers: None,
    scored: bool = False,
    *,
    random_plies: int = 0,
    positions: Sequence[str] = (),
    observers: Sequence[Observer] = (),
    variant: str = "",
) -> Results:
    """Plays one game for each seed, ``players[p]`` in seat p.

    Args:
        game: which game.
        values: all option values.
        players: one per seat.
        seeds: one per game (M,).
        threads: how many threads share the rows.
        on_finished: called when games have ended.
        scored: whether lead changes and events are counted, which takes longer than most plies of random play.
        random_plies: the number of plies at the start of each game that are drawn uniformly from the legal ones, by the
            game's own stream, before the players take over.
        positions: the text from which each game begins (M,), empty for the start of the game; an empty list for none.
        observers: objects that follow the games.
        variant: the name of the variant, for players that go by it.

    Raises:
        ValueError: for a text that is no position of the game.
    """
    seats_of = [(player, np.array([other == player for other in players])) for player in dict.fromkeys(players)]

    def choose(games: Games, busy: NDArray[np.bool_], numbers: Numbers, plies: Numbers, actions: Numbers) -> None:
        if random_plies:
            opening = busy & (plies < random_plies)
            if opening.any():
                games.sample(actions, opening)
                busy = busy & ~opening
        for player, seated in seats_of:
            to_choose = busy & seated[games.states["to_act"]]
            if to_choose.any():
                player.choose(GamesView(games), to_choose, actions)

    rows = min(max(max_rows_of(player), threads) for player in players)
    return _run(game, values, choose, rows, seeds, threads, on_finished, scored, positions, observers, variant)


class UnplayableError(ValueError):
    """Recorded actions that are no whole game under the rules.

    Attributes:
        game: the index of the game among those that were to be played again.
    """

    def __init__(self, game: int, problem: str) -> None:
        super().__init__(problem)
        self.game = game


def replay_games(
    game: Game,
    values: Mapping[str, Value],
    recorded: Sequence[NDArray[Any]],
    seeds: Sequence[int],
    threads: int = 1,
    on_finished: OnFinished = lambda results, game_numbers: None,
    scored: bool = False,
    *,
    positions: Sequence[str] = (),
    observers: Sequence[Observer] = (),
) -> Results:
    """Plays games again from their ``recorded`` actions: whole numbers (T,) for each game. The rest as `play_games`.

    Raises:
        UnplayableError: for the first game found whose actions are not all legal, or end before or after the game.
        ValueError: for a text that is no position of the game.
    """
    lengths = np.array([len(moves) for moves in recorded], np.int64)
    script = np.full((len(recorded), int(lengths.max(initial=0)) + 1), -1, np.int64)
    for g, moves in enumerate(recorded):
        script[g, : len(moves)] = moves

    def choose(games: Games, busy: NDArray[np.bool_], numbers: Numbers, plies: Numbers, actions: Numbers) -> None:
        row_ids = np.flatnonzero(busy)
        moves = script[numbers[row_ids], plies[row_ids]]
        refused = games.put(row_ids, moves, actions)
        if refused >= 0:
            row = int(row_ids[refused])
            at, played = int(numbers[row]), int(plies[row])
            if played == lengths[at]:
                raise UnplayableError(at, f"the game is not over after its {played} plies")
            raise UnplayableError(at, f"ply {played + 1}: the action {script[at, played]} is not legal")

    results = _run(game, values, choose, MAX_ROWS, seeds, threads, on_finished, scored, positions, observers)
    if (results.plies != lengths).any():
        at = int((results.plies != lengths).argmax())
        raise UnplayableError(at, f"the game is over after {results.plies[at]} plies, but {lengths[at]} are recorded")
    return results


def _run(
    game: Game,
    values: Mapping[str, Value],
    choose: Chooser,
    max_rows: int,
    seeds: Sequence[int],
    threads: int,
    on_finished: OnFinished,
    scored: bool,
    positions: Sequence[str],
    observers: Sequence[Observer],
    variant: str = "",
) -> Results:
    count = len(seeds)
    words = seed_words(seeds)
    results = Results.empty(count, game.layout(values).seats, len(game.evaluation.EVENTS))
    if not count:
        return results
    games = Games(game, single(game, values, variant=variant), min(count, MAX_ROWS, max_rows), threads)
    starts = _StartPositions(game, values, positions)
    followers = [*observers, *([_Scorer(games)] if scored else [])]
    playing = np.full(games.num_games, -1)  # the game that each row plays; −1: none is left for it
    plies = np.zeros(games.num_games, np.int64)
    actions = np.full(games.num_games, -1, np.int64)
    upcoming = 0

    def begin(row_ids: Numbers) -> None:
        nonlocal upcoming
        playing[row_ids] = -1
        row_ids = row_ids[: count - upcoming]
        playing[row_ids] = np.arange(upcoming, upcoming + len(row_ids))
        plies[row_ids] = 0
        upcoming += len(row_ids)
        fresh = np.zeros(games.num_games, np.bool_)
        fresh[row_ids] = True
        games.begin(words[np.maximum(playing, 0)], fresh)
        starts.place(games, row_ids, playing[row_ids])
        results.begins[playing[row_ids]] = games.states["to_act"][row_ids]
        for follower in followers:
            follower.begin(games, row_ids, playing[row_ids])

    begin(np.arange(games.num_games))
    while (playing >= 0).any():
        busy = playing >= 0
        row_ids = np.flatnonzero(busy)
        game_numbers = playing[row_ids]
        games.require_legal(row_ids)
        results.choices[game_numbers] += games.counts[row_ids]
        results.forced[game_numbers] += games.counts[row_ids] == 1
        choose(games, busy, playing, plies, actions)
        for follower in followers:
            follower.before_step(games, row_ids, game_numbers, actions)
        games.step(actions, DISABLED)
        for follower in followers:
            follower.after_step(games, row_ids, game_numbers, results)
        plies[row_ids] += 1
        results.returns[game_numbers] += games.rewards[row_ids]
        ended = np.flatnonzero(busy & (games.states["end"] != RUNNING))
        if not len(ended):
            continue
        finished = playing[ended]
        results.plies[finished] = plies[ended]
        results.truncated[finished] = games.states["end"][ended] == MAX_PLIES
        results.ends[finished] = games.states["end"][ended]
        on_finished(results, finished)
        begin(ended)
    return results


class _StartPositions:
    def __init__(self, game: Game, values: Mapping[str, Value], positions: Sequence[str]) -> None:
        """``positions``: a text for each game (M,), empty for the start of the game; an empty list for none."""
        texts = list(dict.fromkeys(text for text in positions if text))
        self._start_of = np.array([texts.index(text) if text else -1 for text in positions], np.int64)
        self._starts: Games | None = None
        if texts:
            self._starts = Games(game, single(game, values), len(texts))
            self._starts.begin(seed_words([0] * len(texts)))
            load_positions(self._starts, read_positions(self._starts, texts))
            over = self._starts.states["end"] != 0
            if over.any():
                raise ValueError(f"position {texts[int(over.argmax())]!r} is over: no game can begin from it")

    def place(self, games: Games, row_ids: Numbers, game_numbers: Numbers) -> None:
        """Sets rows that have just begun the games ``game_numbers`` to their positions."""
        if self._starts is not None:
            places = self._start_of[game_numbers]
            placed = places >= 0
            copy_rows(self._starts, places[placed], games, row_ids[placed], streams=False)


class _Scorer(Observer):
    """Counts the lead changes and events of every game."""

    def __init__(self, games: Games) -> None:
        n, events = games.num_games, len(games.game.evaluation.EVENTS)
        self._leaders = np.full(n, -1)  # the seat that led last in each row's game; −1: nobody has led yet
        self._before = records(n, games.game.rules.STATE)
        self._potentials = np.zeros(games.layout.seats, np.float32)
        self._lead_changes, self._events = np.zeros(n, np.int64), np.zeros((n, events), np.int64)

    def begin(self, games: Games, row_ids: Numbers, game_numbers: Numbers) -> None:
        self._leaders[row_ids], self._lead_changes[row_ids], self._events[row_ids] = -1, 0, 0
        as_bytes(self._before)[row_ids] = as_bytes(games.states)[row_ids]

    def after_step(self, games: Games, row_ids: Numbers, game_numbers: Numbers, results: Results) -> None:
        score_plies(
            games.functions_for(score_plies), row_ids, games.arrays.states, games.arrays.variants,
            as_words(self._before), self._potentials, self._leaders, self._lead_changes,
            self._events,
        )  # fmt: skip
        over = games.states["end"][row_ids] != RUNNING
        if over.any():
            rows, ended = row_ids[over], game_numbers[over]
            results.lead_changes[ended], results.events[ended] = self._lead_changes[rows], self._events[rows]


class MoveRecorder(Observer):
    """Keeps the actions of every game: an `Observer`."""

    def __init__(self) -> None:
        self._actions = np.zeros((0, 0), np.int32)
        self._lengths = np.zeros(0, np.int64)
        self._row_of: dict[int, int] = {}

    def begin(self, games: Games, row_ids: Numbers, game_numbers: Numbers) -> None:
        """See `Observer`."""
        if len(self._lengths) == 0:
            self._actions = np.zeros((games.num_games, 64), np.int32)
            self._lengths = np.zeros(games.num_games, np.int64)
        self._lengths[row_ids] = 0
        self._row_of.update(zip(game_numbers.tolist(), row_ids.tolist()))

    def before_step(self, games: Games, row_ids: Numbers, game_numbers: Numbers, actions: Numbers) -> None:
        """See `Observer`."""
        if self._lengths.max() == self._actions.shape[1]:
            self._actions = np.concatenate([self._actions, np.zeros_like(self._actions)], axis=1)
        self._actions[row_ids, self._lengths[row_ids]] = actions[row_ids]
        self._lengths[row_ids] += 1

    def moves_of(self, game: int) -> NDArray[np.int32]:
        """The actions of a game that has just ended: int32 (T,)."""
        row = self._row_of[game]
        return self._actions[row, : self._lengths[row]].copy()


def game_seeds(seed: int, count: int, first: int = 0) -> list[int]:
    """The seeds of ``count`` games of one run, beginning with the game number ``first``."""
    return row_seeds(seed, count, first).tolist()
