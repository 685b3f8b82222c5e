"""What the first of two seats can expect in a position: by exact values, or as the champion sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from parlour.engine.view import GamesView
from parlour.interfaces.aec import GameEnv
from parlour.players import Considering
from parlour.players.champion import NAME as CHAMPION
from parlour.players.champion import champion_plays
from parlour.players.exact import Exact
from parlour.players.names import parse_player
from parlour.records.frames import potential_of


class Judged(NamedTuple):
    """What the first of two seats can expect in a position, from −1 to 1."""

    value: float | None
    """The expected result, or the result itself after the end; None if nobody knows it."""
    exact: bool = False
    """Whether the value is that of a table."""


class Standing:
    """Values the positions of one game.

    Attributes:
        by: who values those that are in no table, in words.
    """

    def __init__(self, env: GameEnv, tables: Sequence[Exact] = ()) -> None:
        """``env``: any position of the game. ``tables``: of its rules."""
        two = len(env.possible_agents) == 2
        knows = two and champion_plays(env.game, [env.values])
        player = parse_player(CHAMPION, env.game) if knows else None
        self.player = player if isinstance(player, Considering) else None
        self.by = "the game's own estimate" if self.player is None else "the champion"
        self.tables = tables

    def value(self, env: GameEnv) -> Judged:
        """How a position stands."""
        if env.is_over():
            return Judged(potential_of(env))
        trial = env.clone()
        trial.render_mode = None
        view = GamesView(trial.games)
        table = next((table for table in self.tables if table.knows(view)), None)
        player = table or self.player
        if player is None:
            return Judged(potential_of(env))
        values = player.consider(view).values
        return Judged(None if values is None else min(max(float(values[0]), -1.0), 1.0), table is not None)
