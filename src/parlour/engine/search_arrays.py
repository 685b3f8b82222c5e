"""Records and settings of the compiled searches of all games, with the heuristics that can be switched off one by one.

Axis letters: N games, L levels of a tree, A actions, P seats.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from parlour.engine.bundles import bundle

MAX_DEPTH = 60
"""Plies of the deepest iteration."""
LEVELS = 96
"""Levels on a path: plies, throws and the plies of quiescence. A position at the last level gets its leaf value."""
MAX_THROWS = 3
"""The most throws in a row that are searched. A position before a further throw gets its leaf value."""

LEAF = 0.9
"""The value of a position whose potential is 1. A win has the value 1."""
MAX_EXTRA = 6
"""The most plies that a search adds at full depth to reach the end of a turn, if leaves are valued at ends of turns
only."""
DISCOUNT = 1 - 1 / 1024
"""The part of a value beyond ±`LEAF` is multiplied by this at each ply, so that a search prefers the earlier of two
wins and the later of two losses. Potentials are not discounted."""

NONE = -1
TIE = 1e-9
"""Values that differ by no more than this count as equal. It is also the width of a null window."""
HALF_TIE = 0.5 * TIE
NO_FLOOR = LEVELS
"""The ``floor`` of a value that depends on no repetition: below all levels."""
EXACT, AT_LEAST, AT_MOST, MOVE_ONLY = 0, 1, 2, 3
"""What an entry of the transposition table holds: the exact value, a lower bound, an upper bound, or only an action."""
UNLISTED, WHOLE, SCOUT = 0, 1, 2
"""The stage of a frame: its actions are not listed yet; the current action is searched with the whole window; or with a
null window."""
DONE, TO_BEGIN, GOING_ON = 0, 1, 2
"""The status of the search of a row: done, not begun, under way."""

HEURISTICS = {
    "null_window": "principal variation search: actions after the first are searched with a null window, and again "
    "only if they are better (Marsland and Campbell, Parallel Search of Strongly Ordered Game Trees, 1982)",
    "aspiration": "an iteration begins with a narrow window around the value of the last one "
    "(Slate and Atkin, CHESS 4.5, 1977)",
    "table_move": "the action from the transposition table is tried first (Greenblatt et al., 1967)",
    "sharp_first": "actions that the game marks as sharp or forcing are tried before others",
    "killers": "then the two actions that last refuted another position at the same level (Akl and Newborn, 1977)",
    "countermoves": "then the one that last refuted the same action of the other seat (Uiterwijk, 1992)",
    "history": "the others are ordered by how often they have caused cutoffs (Schaeffer, The History Heuristic, 1983)",
    "any_path": "the table finds a position whatever path led to it; without this, where repetition counts, only if "
    "the same earlier positions could occur again",
    "deeper_values": "values in the table from a deeper search are used, too",
    "proofs": "forced results in the table are used at any depth",
    "early_draws": "the first return to a position on the path already counts as a draw",
    "reductions": "late actions in the order are searched less deeply at first (late move reductions; Romstad, 2006)",
    "internal_reduction": "a position without an action in the table is searched one ply less deeply "
    "(internal iterative reduction; Schröder, 2019)",
    "quiescence": "at full depth, forcing actions are still played out (Shannon, 1950; Harris, 1975)",
    "wins_at_once": "a position counts as won if the game says that the seat to act can win with its next ply",
    "quick_leaves": "at full depth positions are not checked for repetition",
    "star1": "bounds on the outcomes of a throw that are not searched yet bound its mean "
    "(Ballard, The *-Minimax Search Procedure, 1983)",
}
"""Each heuristic's name, what it does, and its source."""
INEXACT = (
    "any_path", "deeper_values", "proofs", "early_draws", "reductions", "internal_reduction",
    "quiescence", "wins_at_once", "quick_leaves",
)  # fmt: skip
"""Heuristics that can change values. Without them, a search finds exactly the value of searching all actions to the
same depth."""
SWITCHES = np.dtype([(name, np.bool_) for name in HEURISTICS], align=True)
"""A record of switches: which heuristics are used."""

ENTRY = np.dtype(
    [
        ("key", np.uint64),  #    of the position; 0: no entry
        ("value", np.float64),  # for the seat to act
        ("action", np.int32),  #  the best action, or NONE
        ("left", np.int16),  #    depth of the search below it, in plies
        ("bound", np.int8),  #    EXACT, AT_LEAST, AT_MOST or MOVE_ONLY
        ("proved", np.bool_),  #  whether the value, or bound, depends only on ended games
    ],
    align=True,
)
"""An entry of a transposition table."""

FRAME = np.dtype(
    [
        ("key", np.uint64),  #     of the position, for the table
        ("path", np.uint64),  #    hash of the earlier positions that could occur again
        ("alpha", np.float64),  #  lower end of the window: what the frame's side is sure to get elsewhere
        ("beta", np.float64),  #   upper end of the window: the most that the other side will allow
        ("low", np.float64),  #    alpha when the frame was entered
        ("value", np.float64),  #  the best value so far, for the frame's side; in the end the frame's value
        ("static", np.float64),  # the leaf value of the position, without search
        ("reward", np.float64),  # reward of the ply or throw that led here, for the side of the frame above
        ("total", np.float64),  #  of a throw: sum of probability · value over the outcomes so far
        ("rest", np.float64),  #   of a throw: probability of all outcomes still to come
        ("worst", np.float64),  #  of a throw: lower bound on the value of any outcome
        ("top", np.float64),  #    of a throw: upper bound
        ("cursor", np.int32),  #   index of the current action or outcome
        ("count", np.int32),  #    number of actions to search
        ("action", np.int32),  #   the best action so far, or NONE
        ("first_key", np.int32),  # in `Levels.keys`: the first position that could occur again,
        ("last_key", np.int32),  # and the index after the last one
        ("floor", np.int32),  #    the lowest level whose position the value depends on by repetition, or NO_FLOOR
        ("left", np.int16),  #     plies still to be searched
        ("dice", np.int16),  #     number of dice due; 0: a seat acts
        ("throws", np.int16),  #   throws since the latest ply
        ("reduction", np.int16),  # plies by which the current action is searched less deeply
        ("extra", np.int16),  #    plies added beyond full depth to reach the end of a turn
        ("stage", np.int8),  #     UNLISTED, WHOLE or SCOUT
        ("side", np.int8),  #      the side of the values: the one to act; for a throw, the one that acted before it
        ("proved", np.bool_),  #   whether the value depends only on ended games
        ("again", np.bool_),  #    whether the current action must be searched once more
    ],
    align=True,
)
"""A level of the tree: a position where a seat acts or a throw is due."""

PROGRESS = np.dtype(
    [
        ("salt", np.uint64),  #    mixed into the keys of the row's table
        ("noise", np.uint64),  #   random word that breaks ties at the root
        ("nodes", np.int64),  #    nodes searched
        ("value", np.float64),  #  value of the best action, for the seat to act
        ("center", np.float64),  # value of the last finished iteration
        ("margin", np.float64),  # half of the width of the aspiration window
        ("action", np.int32),  #   the action to play if the search ends now, or NONE
        ("best", np.int32),  #     the best one that this pass over the root's actions has tried
        ("depth", np.int32),  #    depth of the current iteration
        ("finished", np.int32),  # depth of the last finished iteration
        ("level", np.int32),  #    current level
        ("plies", np.int32),  #    plies of the game at the root
        ("known_keys", np.int32),  # number of positions before the root that could occur again
        ("taken", np.int32),  #    number of places of the row's table that are taken
        ("entering", np.bool_),  # whether the current level has still to be entered
        ("tried", np.bool_),  #    whether this pass over the root's actions has tried `action`
        ("status", np.int8),  #    DONE, TO_BEGIN or GOING_ON
        ("counts_plies", np.bool_),  # whether `max_plies` is so near that keys must include the number of plies
    ],
    align=True,
)
"""The state of the search of one row."""


@bundle
class Levels(NamedTuple):
    """The working arrays of searches: row i is for game i."""

    states: Any
    """(N, L) states, see `parlour.engine.calls.state_in`"""
    words: Any
    """uint64 (N, L, state size / 8): the same bytes"""
    frames: Any
    """(N, L) records of `FRAME`"""
    rewards: Any
    """float64 (N, P): scratch"""
    actions: Any
    """int32 (N, L, A): the actions of each level"""
    scores: Any
    """int32 (N, L, A): for the order of the actions; the highest is tried first"""
    killers: Any
    """int32 (N, L, 2): the two killer actions of each level, or NONE"""
    faces: Any
    """int8 (N, L, dice): the current throw"""
    keys: Any
    """uint64 (N, K): positions that could occur again: those of the game, then those on the path"""
    key_levels: Any
    """int32 (N, K): the level of each of these positions"""
    searchers: Any
    """int64 (N,): with more than two seats, the seat that searches"""
    bounds: Any
    """float64 (N, 3): scratch"""
    masks: Any
    """int8 (N, A₈)"""
    mask_words: Any
    """uint64 (N, A₈ / 8): the same bytes"""


@bundle
class Memory(NamedTuple):
    """What the search of a row keeps from one ply of the game to the next."""

    progress: Any
    """(N,) records of `PROGRESS`"""
    entries: Any
    """(N, T) records of `ENTRY`, T a power of 2: the transposition table"""
    taken_places: Any
    """int32 (N, K): the first places of the table that were taken since it was cleared"""
    history: Any
    """int32 (N, 2, A): history score of each action of each side"""
    countermoves: Any
    """int32 (N, 2, A): the action that last refuted this action of the other side, or NONE"""
    values: Any
    """float64 (N, P): the value of each row's position for each seat, by its last search"""
