"""How much of the exact value players give away, where a table has it."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import numpy as np

from parlour.engine.game import Game
from parlour.engine.games import Games
from parlour.players.simulate import Numbers, Observer
from parlour.players.value.exact.parts import OutsideTable
from parlour.players.value.exact.solution import Solution


class Regret(NamedTuple):
    """What one choice gave away."""

    ply: int
    """From 0, of those that are played"""
    seat: int
    kind: str
    """The kind of position, such as "3 and 2 men left"; empty if only what can follow is in the table"""
    lost: float
    """0 for perfect play; 2 for a certain win that became a certain loss"""


class Regrets(Observer):
    """Follows games (`parlour.players.simulate.play_games`) and notes how much of the exact value each choice gives
    away. Plies with a single legal action, and positions outside the table, don't count."""

    def __init__(self, folder: str | Path, game: Game) -> None:
        """``folder``: of a table. ValueError as in `Solution.load`."""
        self._solution = Solution.load(folder, game)
        self._of: dict[int, list[Regret]] = defaultdict(list)
        self._plies: dict[int, int] = defaultdict(int)

    def before_step(self, games: Games, row_ids: Numbers, game_numbers: Numbers, actions: Numbers) -> None:
        """See `Observer`."""
        for row, number in zip(row_ids.tolist(), game_numbers.tolist()):
            ply = self._plies[number]
            self._plies[number] += 1
            if games.counts[row] > 1:
                try:
                    choices = self._solution.choices(games, row)
                except OutsideTable:
                    continue
                seat, lost = int(games.states["to_act"][row]), choices.regret(actions[row])
                self._of[number].append(Regret(ply, seat, self._solution.kind_of(games, row), lost))

    def of_game(self, number: int, first: int) -> tuple[Regret, ...]:
        """The choices of a game from the ply ``first`` on. The game is then forgotten."""
        self._plies.pop(number, None)
        return tuple(one for one in self._of.pop(number, ()) if one.ply >= first)

    def means(self, seat: int) -> list[float]:
        """The mean regret of a choice of a seat, from 0 to 2, in each game in which it had one."""
        by_game = ([one.lost for one in regrets if one.seat == seat] for regrets in self._of.values())
        return [float(np.mean(lost)) for lost in by_game if lost]
