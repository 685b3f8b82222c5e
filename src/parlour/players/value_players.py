"""Players that value positions by a small network: ``value:FILE``, ``value:FILE:2turns``, ``value:FILE:4`` and
``value:FILE:0.1s``.

The file: see `parlour.players.value.files`. Behind any of these names ``:exact:FOLDER`` may stand, a table of exact
values.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.after_states import CHOICE_POSITIONS, lookahead_arrays, turn_tree
from parlour.engine.analysis import Analysis, only
from parlour.engine.game import Game
from parlour.engine.games import Games
from parlour.engine.kernels import turn_choice
from parlour.engine.player import max_rows_of
from parlour.engine.solving_arrays import PositionValues, unused
from parlour.engine.view import GamesView, games_of
from parlour.players.exact import action_values_in
from parlour.players.kind import Budget, NotInForm, PlayerKind, find_budget
from parlour.players.search.expectimax import Expectimax
from parlour.players.value.evaluator import Evaluator
from parlour.players.value.exact.parts import OutsideTable
from parlour.players.value.exact.solution import Solution
from parlour.players.value.files import load_for_player
from parlour.players.value.network import ValueNetwork
from parlour.support.paths import Paths

TWO_TURNS = "2turns"
EXACT = ":exact:"
CANDIDATES = 8
"""Of how many ends of its turn `TurnPlayer` looks at the replies, if it looks two turns ahead."""


class TurnPlayer:
    """Plays the turn whose end, before any throw that follows, has the highest value for the seat that plays it. It
    looks at whole turns, not only at the next ply; in a turn with more than `CHOICE_POSITIONS`, at the nearest.

    With ``ahead`` it looks at the best `CANDIDATES` more closely, between two seats: at every throw that may follow
    each, and the best turn of whoever is then to act."""

    deterministic = True

    def __init__(
        self, network: ValueNetwork, name: str = "value", ahead: bool = False, solution: Solution | None = None
    ) -> None:
        """``solution``: a table, by which it plays wherever the table knows what all that can follow is worth."""
        self.network, self.name, self.ahead, self.solution = network, name, ahead, solution
        self._searched: _Turns | None = None
        self._values = np.zeros((0, 0))

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `parlour.players.Player`. ValueError if the network is not for the game and its variants."""
        games = games_of(view)
        if self._values.shape != games.rewards.shape:
            self._values = np.full(games.rewards.shape, np.nan)
        rows = row_mask.nonzero()[0]
        if self.solution is None and not self.ahead:
            self._turns(games).choose(rows, actions, self._values)
            return
        for row in rows.tolist():
            plies, self._values[row] = self._turn(games, row)
            actions[row] = plies[0]

    def values(self, view: GamesView) -> NDArray[np.float64]:
        """See `parlour.players.Estimating`: by the network, or the table; NaN before the first choice."""
        games = games_of(view)
        if self._values.shape != games.rewards.shape:
            return np.full(games.rewards.shape, np.nan)
        return games.within_reach(np.arange(games.num_games), self._values)

    def consider(self, view: GamesView, row: int = 0) -> Analysis:
        """See `parlour.players.Considering`: the plies of the turn, and its value by the network."""
        only(view, row)
        games = games_of(view)
        plies, values = self._turn(games, row)
        (values,) = games.within_reach(np.array([row]), values[None])
        probabilities = np.zeros(view.num_actions)
        probabilities[plies[0]] = 1.0
        return Analysis(probabilities, tuple(plies), values, depth=len(plies))

    def action_values(self, view: GamesView, row_ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """See `parlour.players.soft.Valuing`: by the table where it knows; else each action with the best turn that it
        begins, by the network before any throw. ValueError for a player that looks two turns ahead."""
        if self.ahead:
            raise ValueError(f"{self.name} does not value single actions; one turn deep or at a depth it does")
        games = games_of(view)
        return np.array([self._action_values(games, row) for row in row_ids.tolist()])

    def _action_values(self, games: Games, row: int) -> NDArray[np.float64]:
        """What each action is worth to the seat to act in a row: (A,), NaN for illegal ones."""
        if self.solution is not None:
            with suppress(OutsideTable):
                return action_values_in(self.solution, games, row)
        return self._turns(games).action_values(row)

    def _turns(self, games: Games) -> _Turns:
        if self._searched is None or self._searched.games is not games:
            self._searched = _Turns(self.network, games, self.ahead)
        return self._searched

    def _turn(self, games: Games, row: int) -> tuple[list[int], NDArray[np.float64]]:
        """The plies of the best turn of a row, and its value for each seat. By the table: the next ply alone."""
        if self.solution is not None:
            with suppress(OutsideTable):
                choices = self.solution.choices(games, row)
                value, seat = float(choices.values.max()), int(games.states["to_act"][row])
                return [choices.best], np.array([-value, value] if seat else [value, -value])
        return self._turns(games).best(row)


class _Turns:
    def __init__(self, network: ValueNetwork, games: Games, ahead: bool) -> None:
        if ahead and network.seats != 2:
            raise ValueError(
                f"{TWO_TURNS} is for games between two seats, not for {network.game.id} with {network.seats}"
            )
        self.games = games
        self._evaluator = Evaluator(network, games)
        self._tree = turn_tree(games, CHOICE_POSITIONS)
        self._replies = turn_tree(games, CHOICE_POSITIONS) if ahead else None
        self._words = np.zeros_like(games.words[0])

    def _call(self, kernel: Any, where: Any, *rest: Any) -> Any:
        """Calls a kernel of `turn_choice` for a row, or for several."""
        games, network = self.games, PositionValues(self._evaluator.refresh())
        rules, arrays = games.functions_for(kernel, without=unused(True, False)), lookahead_arrays(games)
        return kernel(rules, where, arrays, self._tree, games.player_rng, self._words, network, *rest)

    def choose(self, rows: NDArray[np.int64], actions: NDArray[np.int64], values: NDArray[np.float64]) -> None:
        """Writes what to play in ``rows``, one turn deep, and its value for each seat, (N,) and (N, P)."""
        self._call(turn_choice.choose_turns, rows, np.zeros(CHOICE_POSITIONS, np.int64), actions, values)

    def best(self, row: int) -> tuple[list[int], NDArray[np.float64]]:
        """See `TurnPlayer._turn`."""
        path, values = np.zeros(CHOICE_POSITIONS, np.int64), np.zeros(self.games.layout.seats)
        if self._replies is None:
            length = self._call(turn_choice.choose_turn, row, path, values)
        else:
            length = self._call(turn_choice.choose_turn_ahead, row, path, values, CANDIDATES, self._replies)
        return path[:length][::-1].tolist(), values

    def action_values(self, row: int) -> NDArray[np.float64]:
        """What each action is worth to the seat to act in a row: (A,), NaN for illegal ones."""
        values = np.full(self.games.layout.actions, np.nan)
        self._call(turn_choice.write_action_values, row, values)
        return values


def split_table(text: str | None, paths: Paths) -> tuple[str | None, str | None]:
    """What is before ``exact:FOLDER``, and where the folder is; None for what is not there. NotInForm without one."""
    before, separator, table = f":{text or ''}".partition(EXACT)
    if separator and not table:
        raise NotInForm("a folder is missing")
    return before[1:] or None if separator else text, paths(table) if table else None


class ValuePlayer(PlayerKind):
    """A network from a file, used one turn deep or at the leaves of `parlour.players.search.Expectimax`."""

    deterministic = True
    KIND, NAMES = "value", {
        "value:FILE": "the best end of the turn by a small value network in a file",
        f"value:FILE:{TWO_TURNS}": "the same for the eight best ends two turns deep, between two seats: every "
        "throw that may follow, and the best reply to each",
        "value:FILE:4": "the search of expectimax, four plies deep, with the network in place of the game's own score",
        "value:FILE:0.1s": "the same for 0.1 seconds a ply",
        "value:FILE:4:exact:FOLDER": "the same, which looks positions up in a table of parlour solve",
    }  # fmt: skip

    def __init__(
        self, file: str, depth: int | None = None, seconds: float | None = None, game: Game | None = None,
        name: str | None = None, ahead: bool = False, table: str | None = None,
    ) -> None:  # fmt: skip
        """
        Args:
            file: the path of a value network: see `parlour.players.value.files`.
            depth: plies, from 1 to 60; or
            seconds: the time for each ply, above 0; with neither: one turn deep, without search.
            game: the game that it is to play, if known.
            name: its name; None: ``value:FILE`` with its budget.
            ahead: without a budget: two turns deep, see `TurnPlayer`.
            table: the folder of a table of exact values (`parlour.solve`). A search looks its leaves up in it; without
                a search it decides wherever it knows what all that can follow is worth.

        Raises:
            ValueError: for a budget out of range, or as `parlour.players.value.files.load` and `Solution.load` do.
        """
        self.file, self.depth, self.seconds, self.ahead, self.table = file, depth, seconds, ahead, table
        searches = depth is not None or seconds is not None
        budget = f":{Budget(depth, seconds)}" if searches else f":{TWO_TURNS}" if ahead else ""
        self.name = name or f"{self.KIND}:{file}{budget}{f'{EXACT}{table}' if table else ''}"
        network, self.identity = load_for_player(file, game)
        self.network = network
        self._evaluator: Evaluator | None = None
        if searches:
            self._player: TurnPlayer | Expectimax = Expectimax(depth, seconds, network=network, table=table, game=game)
            solution = self._player.solution
        else:
            solution = None if table is None else Solution.load(table, game)
            self._player = TurnPlayer(network, self.name, ahead, solution)
        if solution is not None:
            self.identity = {**self.identity, "table": solution.identity["sha256"]}

    @classmethod
    def parse(cls, text: str | None, game: Game | None, paths: Paths) -> ValuePlayer:
        """``value:text``: the path, which may have colons, and maybe a budget. See `kind.PlayerKind`."""
        text, table = split_table(text, paths)
        file, colon, last = (text or "").rpartition(":")
        if file and last == TWO_TURNS:
            return cls(paths(file), game=game, ahead=True, table=table)
        budget = find_budget(last) if colon else None
        if budget is None:
            file, budget = text or "", Budget()
        if not file:
            raise NotInForm("a file is missing")
        return cls(paths(file), budget.count, budget.seconds, game, table=table)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles keep only the file's path, not what has been searched."""
        return type(self), (self.file, self.depth, self.seconds, None, self.name, self.ahead, self.table)

    @property
    def max_rows(self) -> int:
        """How many games to play side by side at most, to limit memory."""
        return max_rows_of(self._player)

    @property
    def turns(self) -> TurnPlayer | None:
        """The player without a budget that it is; None if it searches."""
        return self._player if isinstance(self._player, TurnPlayer) else None

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `parlour.players.Player`. ValueError if the network is not for the game and its variants."""
        self._player.choose(view, row_mask, actions)

    def values(self, view: GamesView) -> NDArray[np.float64]:
        """See `parlour.players.Estimating`: by the turn or the search that it chose by."""
        return self._player.values(view)

    def network_values(self, view: GamesView) -> NDArray[np.float64]:
        """What the network alone, without search, thinks each row is worth to each seat: float64 (N, P); 0 after the
        end. ValueError if the network is not for the game and its variants."""
        games = games_of(view)
        if self._evaluator is None or self._evaluator.games is not games:
            self._evaluator = Evaluator(self.network, games)
        return games.within_reach(np.arange(games.num_games), self._evaluator.values())

    def action_values(self, view: GamesView, row_ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """See `parlour.players.soft.Valuing`. ValueError as `Expectimax.action_values` and `TurnPlayer.action_values`
        raise it."""
        return self._player.action_values(view, row_ids)

    def consider(self, view: GamesView, row: int = 0) -> Analysis:
        """See `parlour.players.Considering`."""
        return self._player.consider(view, row)
