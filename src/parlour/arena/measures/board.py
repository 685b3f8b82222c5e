"""Measures of the board: different positions, repetition, cells that are used, how far pieces move."""

from __future__ import annotations

from parlour.arena.fixtures import Played
from parlour.arena.measures.kinds import PERCENT, count_of, mean_of
from parlour.arena.measures.registry import BOARD, OURS, measure


@measure(
    "positions", group=BOARD, title="Different boards", meaning="boards per game that differ from all earlier ones",
    kind=mean_of("boards", low=1), source="Ludii, the states of StateSpaceComplexity that one game visits",
)  # fmt: skip
def positions(game: Played) -> int:
    """How many different boards the game showed."""
    return int(game.trace.boards)


@measure(
    "repetition", group=BOARD, title="Repetition", kind=count_of("in 100", 1), tested=True,
    meaning="percentage of boards that the same game had shown before", source="Ludii, PositionalRepetition",
)  # fmt: skip
def repetition(game: Played) -> float:
    """The percentage of boards that had occurred before."""
    return 100 * (1 - game.trace.boards / len(game.trace.keys))


@measure(
    "coverage", group=BOARD, title="Board coverage", kind=PERCENT, source="after Ludii, BoardCoverageDefault",
    meaning="percentage of the cells of the board's planes on which anything changed in the game",
)  # fmt: skip
def coverage(game: Played) -> float:
    """The percentage of cells that changed at any time."""
    return 100 * game.trace.used / game.trace.cells


@measure(
    "distance", group=BOARD, title="Distance moved", kind=mean_of("cells", 2, 0), source="after Ludii, MoveDistance",
    meaning="greatest distance between cells that a ply changes, in king's moves, over plies that change several",
)  # fmt: skip
def distance(game: Played) -> float | None:
    """The mean of the greatest distance between two cells that a ply changed."""
    moved = game.trace.distance[game.trace.changed > 1]
    return int(moved.sum()) / len(moved) if len(moved) else None


@measure(
    "changed", group=BOARD, title="Cells changed", meaning="cells of the board that change in a ply",
    kind=mean_of("cells", 2, 0), source=OURS,
)  # fmt: skip
def changed(game: Played) -> float:
    """The mean number of cells that a ply changed."""
    return int(game.trace.changed.sum()) / len(game.trace.changed)
