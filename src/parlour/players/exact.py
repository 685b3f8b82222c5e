"""The player ``exact:FOLDER``: it never errs, in positions of a table that `parlour.solve` has made."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.analysis import Analysis, only
from parlour.engine.game import Game
from parlour.engine.games import Games
from parlour.engine.view import GamesView, games_of
from parlour.players.kind import NotInForm, PlayerKind
from parlour.players.value.exact.parts import OutsideTable
from parlour.players.value.exact.solution import Choices, Solution
from parlour.players.value.exact.tables import INFO
from parlour.support.paths import Paths

VARIANT = "{variant}"


class Exact(PlayerKind):
    """The best action by exact values; the fastest win, the slowest loss."""

    deterministic = True
    KIND, NAMES = "exact", {
        "exact:FOLDER": "never errs: the best action by a table of parlour solve, of the whole game or of endings",
        "exact:tables/{variant}": "the same with a table for each variant, by its name",
    }  # fmt: skip

    def __init__(self, folder: str, game: Game | None = None) -> None:
        """
        Args:
            folder: the folder of a table; the text ``{variant}`` in it stands for the variant that is played.
            game: the game that it is to play, if known.

        Raises:
            ValueError: for a folder without a table of the game, or with one that is not solved wholly.
        """
        self.folder, self.name = folder, f"{self.KIND}:{folder}"
        self._solutions: dict[str, Solution] = {}
        self.identity: dict[str, str] = {}
        if VARIANT not in folder:
            solution = self._solutions[folder] = Solution.load(folder, game)
            self.identity = solution.identity

    @classmethod
    def parse(cls, text: str | None, game: Game | None, paths: Paths) -> Exact:
        """``exact:text``: the folder. See `parlour.players.kind.PlayerKind`."""
        if not text:
            raise NotInForm("a folder is missing")
        return cls(paths(text), game)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles keep only the folder's path."""
        return type(self), (self.folder,)

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `parlour.players.Player`. ValueError for another game or variant, and outside the table."""
        games = games_of(view)
        for row in row_mask.nonzero()[0].tolist():
            actions[row] = self._choices(games, row).best

    def consider(self, view: GamesView, row: int = 0) -> Analysis:
        """See `parlour.players.Considering`: the value of each action, certain up to the table's gap."""
        only(view, row)
        games = games_of(view)
        choices = self._choices(games, row)
        probabilities = np.zeros(view.num_actions)
        probabilities[choices.best] = 1.0
        seat = int(games.states["to_act"][row])
        action_values = np.full((view.num_actions, 2), np.nan)
        action_values[choices.actions, seat], action_values[choices.actions, 1 - seat] = choices.values, -choices.values
        return Analysis(probabilities, (choices.best,), action_values[choices.best], action_values)

    def action_values(self, view: GamesView, row_ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """See `parlour.players.soft.Valuing`. ValueError as in `choose`."""
        games = games_of(view)
        return np.array([action_values_in(self._solution(games, row), games, row) for row in row_ids.tolist()])

    def check(self, games: Games) -> None:
        """ValueError unless the table is of the games' rules."""
        self._solution(games, 0).check_games(games)

    def knows(self, view: GamesView) -> bool:
        """Whether the table says what each action of the only row is worth. ValueError for another game or variant."""
        try:
            self._choices(games_of(view), 0)
        except OutsideTable:
            return False
        return True

    @staticmethod
    def folder_for(folder: str, variant: str) -> str:
        """The folder of the table of a variant."""
        return folder.replace(VARIANT, variant)

    @classmethod
    def folder_named(cls, names: Iterable[object]) -> str:
        """The folder of the first player of this kind among ``names``; empty if there is none."""
        texts = (name for name in names if isinstance(name, str) and name.startswith(f"{cls.KIND}:"))
        return next(texts, f"{cls.KIND}:").partition(":")[2]

    def _choices(self, games: Games, row: int) -> Choices:
        return self._solution(games, row).choices(games, row)

    def _solution(self, games: Games, row: int) -> Solution:
        folder = self.folder_for(self.folder, games.variant_mix.entries[int(games.variant_index[row])].variant)
        if folder not in self._solutions:
            self._solutions[folder] = Solution.load(Path(folder), games.game)
        return self._solutions[folder]


def action_values_in(solution: Solution, games: Games, row: int) -> NDArray[np.float64]:
    """What each action is worth to the seat to act in a row by a table: (A,), NaN for illegal ones. `OutsideTable`, a
    ValueError, where the table does not know that."""
    choices, values = solution.choices(games, row), np.full(games.layout.actions, np.nan)
    values[choices.actions] = choices.values
    return values


def tables_in(path: Path) -> list[Path]:
    """The path itself if it is a table's folder; else the tables' folders in it. ValueError if none can be used."""
    folders = [path] if (path / INFO).is_file() else sorted(info.parent for info in path.glob(f"*/{INFO}"))
    for folder in folders or [path]:
        Solution.load(folder)
    return folders
