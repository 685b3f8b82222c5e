"""How deep a search between two seats looks: which actions it searches less deeply, and which it plays on at full
depth. `search_arrays.HEURISTICS` describes each heuristic; the limits were found by trial."""

from __future__ import annotations

from parlour.engine.game_functions import GameFunctions
from parlour.engine.kernels.move_order import is_quiet
from parlour.engine.search_arrays import TIE, Levels
from parlour.rulebook.compiling import kernel
from parlour.rulebook.protocol import Record

INTERNAL_LEAST = 4
REDUCTIONS = ((3, 3), (4, 12), (6, 30))
"""Pairs (plies left, index in the order). For each pair an action is searched a ply less deeply if at least this many
plies are left and it is at this index (0 is the first) or later. In an open window one of several does not count."""
MAX_QUIET_PLIES = 12


@kernel
def reduction_of(i: int, level: int, levels: Levels) -> int:
    """By how many plies the current action's first search is reduced."""
    frame = levels.frames[i, level]
    if not is_quiet(levels.scores[i, level, frame.cursor]):
        return 0
    reduction = 0
    for left, place in REDUCTIONS:
        if frame.left >= left and frame.cursor >= place:
            reduction += 1
    if reduction > 1 and frame.beta - frame.alpha > 2 * TIE:
        reduction -= 1
    return reduction


@kernel
def plays_on(rules: GameFunctions, frame: Record, is_last: bool, using: Record) -> bool:
    """Whether forcing actions must still be played out at full depth."""
    return rules.has_forcing != 0 and using.quiescence and frame.left > -MAX_QUIET_PLIES and not is_last
