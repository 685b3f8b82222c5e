"""The player ``az:FILE:400``: tree search with a network in an ONNX file, for every game."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.analysis import Analysis, only
from parlour.engine.game import Game
from parlour.engine.games import Games
from parlour.engine.view import GamesView, games_of
from parlour.players.inputs import FEATURES, INPUTS
from parlour.players.kind import Budget, NotInForm, PlayerKind, read_budget
from parlour.players.onnx import LOGITS, VALUE, OnnxModel
from parlour.players.search.forest import SearchResult
from parlour.players.search.network_search import KEPT, MAX_SIMULATIONS, NetworkSearch
from parlour.players.search.tree_methods import Gumbel
from parlour.support.errors import listing
from parlour.support.paths import Paths

CHUNK = 32
"""Simulations between two looks at the clock."""
LIMITED_PART = 512
"""Simulations between two looks at the clock where a number of them is limited to a time."""
MAX_TIMED = 1 << 15
"""Simulations that a player with a time does for a ply at most."""
MAX_NODES = 1 << 18
"""Simulations of all rows together, beyond which fewer games are played side by side."""


class NetworkPlayer(PlayerKind):
    """Plays what `NetworkSearch` finds without noise (`Gumbel`). What was found below the positions that are then
    reached is kept. A seat with a single legal action plays it without a search."""

    deterministic = True
    max_seconds: float | None = None
    """After this time a number of simulations ends too, if it is set: after a whole part of `LIMITED_PART`."""
    KIND, NAMES = "az", {
        "az:FILE:400": "tree search guided by a network with logits and value in an ONNX file, 400 simulations a ply",
        "az:FILE:0.1s": "the same for 0.1 seconds a ply",
    }  # fmt: skip

    def __init__(
        self, file: str, simulations: int | None = None, seconds: float | None = None, game: Game | None = None
    ) -> None:
        """
        Args:
            file: the path of an ONNX model with outputs ``logits`` and ``value``: see `parlour.players.onnx`.
            simulations: how many for each ply, from 1 to 1,000,000; or
            seconds: how long for each ply, above 0 (then play is not reproducible).
            game: the game that it is to play, if known.

        Raises:
            ValueError: for a number that is out of range, or as `parlour.players.onnx.OnnxModel` does.
        """
        budget = Budget(simulations, seconds).checked(self.KIND, "simulations", MAX_SIMULATIONS)
        self.file, self.simulations, self.seconds = file, simulations, seconds
        self.name = f"{self.KIND}:{file}:{budget}"
        self._model = OnnxModel(file, (LOGITS, VALUE), game)
        if self._model.inputs == FEATURES:
            valid = listing([inputs for inputs in INPUTS if inputs != FEATURES])
            raise ValueError(f"policy file {file!r} sees features, and a search has only planes; valid inputs: {valid}")
        self.identity = self._model.identity
        self._search: NetworkSearch | None = None
        self._games: Games | None = None
        self._values = np.zeros((0, 0))

    @classmethod
    def parse(cls, text: str | None, game: Game | None, paths: Paths) -> NetworkPlayer:
        """``az:text``: the path, which may contain colons, and the budget. See `kind.PlayerKind`."""
        file, _, last = (text or "").rpartition(":")
        if not file:
            raise NotInForm("a file or a budget is missing")
        budget = read_budget(last)
        return cls(paths(file), budget.count, budget.seconds, game)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copied and pickled by the file's path, without what has been searched."""
        return type(self), (self.file, self.simulations, self.seconds)

    @property
    def max_rows(self) -> int:
        """How many games to play side by side at most, for memory's sake."""
        return max(MAX_NODES // (self.simulations or MAX_TIMED), 1)

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `parlour.players.Player`. ValueError if the model does not fit the game, or gives no finite numbers."""
        self._model.check_view(view)
        counts = view.legal_counts
        forced = row_mask & (counts == 1)
        actions[forced] = games_of(view).legal_in(np.flatnonzero(forced)).argmax(axis=1)
        searched = row_mask & (counts > 1)
        self._values = np.full((view.num_games, view.num_seats), np.nan)
        if searched.any():
            result = self._searched(view, searched)
            actions[searched], self._values[searched] = result.actions[searched], result.values[searched]

    def values(self, view: GamesView) -> NDArray[np.float64]:
        """See `parlour.players.Estimating`: by the search; NaN where a single action was legal."""
        return self._values

    def consider(self, view: GamesView, row: int = 0) -> Analysis:
        """The search's policy and values, see `parlour.players.Considering`. Raises as `choose` does."""
        row_mask = only(view, row)
        self._model.check_view(view)
        result = self._searched(view, row_mask)
        return Analysis(
            probabilities=result.policies[row] / result.policies[row].sum(dtype=np.float64),
            principal_variation=(int(result.actions[row]),),
            values=result.values[row],
            nodes=int(result.visits[row].sum()),
        )

    def _searched(self, view: GamesView, row_mask: NDArray[np.bool_]) -> SearchResult:
        """The result of the search of ``row_mask`` (bool (N,)). ValueError: see `choose`."""
        try:
            search = self._search_of(view)
            end = time.perf_counter() + (self.seconds or self.max_seconds or 0) * np.count_nonzero(row_mask)
            result = search.run(view, row_mask)
            done, most = search.simulations, self.simulations or MAX_TIMED
            while time.perf_counter() < end and done < most and (result.winners[row_mask] < 0).any():
                result = search.run(view, row_mask)
                done += search.simulations
        except ValueError as error:
            raise ValueError(f"{self.name}: {error}") from None
        return result

    def _search_of(self, view: GamesView) -> NetworkSearch:
        """The search of these games, which is kept while they are the same."""
        games = games_of(view)
        if self._search is None or self._games is not games:
            self._games = games

            def evaluate(observation: NDArray[np.int8], mask: NDArray[np.int8]) -> tuple[Any, Any]:
                logits, value = self._model.run(view, observation, mask)
                return logits, value

            simulations, method = self.simulations or CHUNK, Gumbel(gumbel_scale=0)
            max_kept = None if self.seconds is None else 2 * MAX_TIMED
            if self.max_seconds is not None and simulations > LIMITED_PART:
                simulations, max_kept = LIMITED_PART, KEPT * simulations
            self._search = NetworkSearch(evaluate, simulations, method=method, max_kept=max_kept)
        return self._search
