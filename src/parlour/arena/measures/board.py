"""Measures of the board: different positions, repetition, cells that are used, how far pieces move."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any

from parlour.arena.measures.kinds import PERCENT, SHARE, count_of, mean_of
from parlour.arena.measures.registry import BOARD, OURS
from parlour.arena.measures.registry import measure as register
from parlour.arena.setting.game_specs import Played
from parlour.engine.game import Game

measure = partial(register, group=BOARD)


@measure(
    "positions", title="Different boards",
    kind=mean_of("boards", low=1), source="Ludii, the states of StateSpaceComplexity that one game visits",
)  # fmt: skip
def positions(game: Played) -> int:
    """Boards per game that differ from all earlier ones."""
    return int(game.trace.boards)


@measure(
    "repetition", title="Repetition", kind=count_of("in 100", 1), tested=True, source="Ludii, PositionalRepetition"
)
def repetition(game: Played) -> float:
    """Percentage of boards that the same game had shown before."""
    return 100 * (1 - game.trace.boards / len(game.trace.keys))


@measure("threefold", title="Ply of the first threefold", kind=mean_of("plies", low=0), source=OURS)
def threefold(game: Played) -> int | None:
    """Plies until a board is there for the third time, over games that have such a board."""
    times: Counter[int] = Counter()
    for ply, key in enumerate(game.trace.keys.tolist()):
        times[key] += 1
        if times[key] == 3:
            return ply
    return None


@measure("shuffles", title="Games with a threefold", kind=SHARE, source=OURS)
def shuffles(game: Played) -> bool:
    """Share of games in which a board is there for the third time, whether or not the rules end them."""
    return threefold(game) is not None


def can_repeat(game: Game, values: dict[str, Any]) -> bool:
    """Whether positions can come again: not said of games with dice, whose rules mark no plies."""
    return not game.rules.DICE


@measure("irreversible", title="Irreversible plies", kind=PERCENT, source=OURS, applies=can_repeat)
def irreversible(game: Played) -> float | None:
    """Percentage of plies, but the last, after which no earlier position can come again."""
    return 100 * game.trace.irreversible / (game.plies - 1) if game.plies > 1 else None


@measure("coverage", title="Board coverage", kind=PERCENT, source="after Ludii, BoardCoverageDefault")
def coverage(game: Played) -> float:
    """Percentage of the cells of the board's planes on which anything changed in the game."""
    return 100 * game.trace.used / game.trace.cells


@measure("distance", title="Distance moved", kind=mean_of("cells", 2, 0), source="after Ludii, MoveDistance")
def distance(game: Played) -> float | None:
    """Greatest distance between cells that a ply changes, in king's moves, over plies that change several."""
    moved = game.trace.distance[game.trace.changed > 1]
    return int(moved.sum()) / len(moved) if len(moved) else None


@measure("changed", title="Cells changed", kind=mean_of("cells", 2, 0), source=OURS)
def changed(game: Played) -> float:
    """Cells of the board that change in a ply."""
    return int(game.trace.changed.sum()) / len(game.trace.changed)
