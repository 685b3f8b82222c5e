"""Players that value positions by a small network: ``value:FILE``, ``value:FILE:4`` and ``value:FILE:0.1s``.

The file: see `parlour.value.files`.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.after_states import CHOICE_POSITIONS, lookahead_arrays, turn_tree
from parlour.engine.analysis import Analysis, only
from parlour.engine.game import Game
from parlour.engine.games import Games
from parlour.engine.view import GamesView, games_of
from parlour.search.expectimax import Expectimax
from parlour.value.evaluator import Evaluator
from parlour.value.files import load_for_player
from parlour.value.network import ValueNetwork

FORM = "value:FILE (one turn deep), value:FILE:4 (plies), value:FILE:0.1s (seconds a ply)"
BUDGET = re.compile(r"(?P<depth>[0-9]+)|(?P<seconds>[0-9]*\.?[0-9]+(?:e-?[0-9]+)?)s")


class TurnPlayer:
    """Plays the turn whose end, before any throw that follows, has the highest value for the seat that plays it. It
    looks at whole turns, not only at the next ply; in a turn with more than `CHOICE_POSITIONS`, at the nearest."""

    deterministic = True

    def __init__(self, network: ValueNetwork, name: str = "value") -> None:
        """``name``: its name in results."""
        self.network, self.name = network, name
        self._searched: _Turns | None = None

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `parlour.players.Player`. ValueError if the network is not for the game and its variants."""
        games = games_of(view)
        for row in row_mask.nonzero()[0].tolist():
            plies, _ = self._turn(games, row)
            actions[row] = plies[0]

    def consider(self, view: GamesView, row: int = 0) -> Analysis:
        """See `parlour.players.protocol.Considering`: the plies of the turn, and its value by the network."""
        only(view, row)
        plies, values = self._turn(games_of(view), row)
        probabilities = np.zeros(view.num_actions)
        probabilities[plies[0]] = 1.0
        return Analysis(probabilities, tuple(plies), values, depth=len(plies))

    def _turn(self, games: Games, row: int) -> tuple[list[int], NDArray[np.float64]]:
        """The plies of the best turn of a row, and its value for each seat."""
        if self._searched is None or self._searched.games is not games:
            self._searched = _Turns(self.network, games)
        return self._searched.best(row)


class _Turns:
    """The memory for finding turns in ``games``."""

    def __init__(self, network: ValueNetwork, games: Games) -> None:
        self.games = games
        self._evaluator = Evaluator(network, games)
        self._tree = turn_tree(games, CHOICE_POSITIONS)
        self._words = np.zeros_like(games.words[0])

    def best(self, row: int) -> tuple[list[int], NDArray[np.float64]]:
        """See `TurnPlayer._turn`."""
        games, values = self.games, np.zeros(self.games.layout.seats)
        path = np.zeros(CHOICE_POSITIONS, np.int64)
        length = games.game.compiled.turn_choice.choose_turn(
            row, lookahead_arrays(games), self._tree, games.player_rng, self._words, self._evaluator.refresh(), path,
            values,
        )  # fmt: skip
        return path[:length][::-1].tolist(), values


class ValuePlayer:
    """A network from a file, used one turn deep or at the leaves of `parlour.search.Expectimax`."""

    deterministic = True

    def __init__(
        self, file: str, depth: int | None = None, seconds: float | None = None, game: Game | None = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        """
        Args:
            file: the path of a value network: see `parlour.value.files`.
            depth: plies, from 1 to 60; or
            seconds: the time for each ply, above 0; with neither: one turn deep, without search.
            game: the game that it is to play, if known.
            name: its name; None: ``value:FILE`` with its budget.

        Raises:
            ValueError: for a budget out of range, or as `parlour.value.files.load` does.
        """
        self.file, self.depth, self.seconds = file, depth, seconds
        budget = "" if depth is None and seconds is None else f":{depth if seconds is None else f'{seconds:g}s'}"
        self.name = f"value:{file}{budget}" if name is None else name
        network, self.identity = load_for_player(file, game)
        self._player: TurnPlayer | Expectimax = (
            Expectimax(depth, seconds, network=network) if budget else TurnPlayer(network, self.name)
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles keep only the file's path, not what has been searched."""
        return type(self), (self.file, self.depth, self.seconds, None, self.name)

    @property
    def max_rows(self) -> int:
        """How many games to play side by side at most, to limit memory."""
        return int(getattr(self._player, "max_rows", 1 << 30))

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `parlour.players.Player`. ValueError if the network is not for the game and its variants."""
        self._player.choose(view, row_mask, actions)

    def consider(self, view: GamesView, row: int = 0) -> Analysis:
        """See `parlour.players.protocol.Considering`."""
        return self._player.consider(view, row)


def parse_value_player(text: str, game: Game | None = None) -> ValuePlayer:
    """The player ``value:text``. The text is the path, which may contain colons, and after the last colon a budget if
    it looks like one. ValueError for any other, and as `ValuePlayer` raises it."""
    file, colon, last = text.rpartition(":")
    budget = BUDGET.fullmatch(last) if colon else None
    if budget is None:
        file = text
    if not file:
        raise ValueError(f"there is no player 'value:{text}' (a file is missing); valid: {FORM}")
    try:
        depth, seconds = read_budget(budget)
        return ValuePlayer(file, depth, seconds, game)
    except ValueError as error:
        raise ValueError(f"value:{text}: {error}") from None


def read_budget(found: re.Match[str] | None) -> tuple[int | None, float | None]:
    """The plies, and the seconds a ply, in a match of `BUDGET`; None and None for None."""
    if found is None:
        return None, None
    return (int(found["depth"]), None) if found["depth"] else (None, float(found["seconds"]))
