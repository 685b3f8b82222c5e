"""What the compiled searches of all games share: their records, and the heuristics that can be switched off one by one.

Axis letters: N games, L levels of a tree, A actions, P seats.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

MAX_DEPTH = 60
"""Plies of the deepest iteration."""
LEVELS = 96
"""Room on a path for plies, throws and what quiescence adds; a position at the last level is worth its potential."""
MAX_THROWS = 3
"""Throws that follow one another without a ply between; a position before yet another is worth its potential."""

LEAF = 0.9
"""A potential of 1 is worth this much of a win."""
MAX_EXTRA = 6
"""Plies beyond the full depth to the end of a turn, where positions are valued at ends of turns alone."""
DISCOUNT = 1 - 1 / 1024
"""What a value has beyond `LEAF` shrinks by this factor with each ply that it is away: so the sooner of two wins, and
the later of two losses, is played, while potentials are compared as they are."""

NONE = -1
TIE = 1e-9
"""Values no further apart are equally good: so wide is a null window."""
HALF_TIE = 0.5 * TIE
FAR = LEVELS
"""Of a value that does not depend on a repetition: below all levels."""
EXACT, AT_LEAST, AT_MOST, MOVE_ONLY = 0, 1, 2, 3
"""What a value in the table is: the value, a bound of it, or of no account (the action is)."""
UNLISTED, WHOLE, SCOUT, PASSING = 0, 1, 2, 3
"""What a frame is doing: its actions are not listed yet; it searches the current one with its whole window, or with
a null window; it tries a null move."""
DONE, TO_BEGIN, GOING_ON = 0, 1, 2
"""How far the search of a row is."""

HEURISTICS = {
    "null_window": "principal variation search: later actions are first asked only whether they are better "
    "(Marsland and Campbell, Parallel Search of Strongly Ordered Game Trees, 1982)",
    "aspiration": "an iteration begins with a narrow window round the value of the last one "
    "(Slate and Atkin, CHESS 4.5, 1977)",
    "table_move": "the action that the transposition table knows is tried first (Greenblatt et al., 1967)",
    "sharp_first": "actions that the game marks as sharp or forcing are tried before others",
    "killers": "then the two that last refuted another position at the same level (Akl and Newborn, 1977)",
    "countermoves": "then the one that last refuted the same action of the other seat (Uiterwijk, 1992)",
    "history": "the others by how often they have refuted anything (Schaeffer, The History Heuristic, 1983)",
    "any_path": "the table knows a position whatever path led to it; without, only by the same earlier positions, "
    "where repetition counts",
    "deeper_values": "values in the table from a deeper search are used, too",
    "proofs": "forced results in the table are used whatever the depth",
    "early_draws": "the first return to a position on the path is a draw already",
    "null_move": "if a seat may pass and still is above the window, its node is given up, where the game says that "
    "this is sound (Donninger, Null Move and Deep Search, 1993)",
    "reductions": "late actions in the order are searched less deeply at first (late move reductions; Romstad, 2006)",
    "internal_reduction": "a position of which the table knows no action is searched a ply less deeply "
    "(internal iterative reduction; Schröder, 2019)",
    "single_reply": "in games without dice, a ply without a choice does not count (Anantharaman, Campbell and Hsu, "
    "Singular Extensions, 1988)",
    "quiescence": "at full depth, forcing actions are still played out (Shannon, 1950; Harris, 1975)",
    "wins_at_once": "a position is won where the game tells that the seat to act can win with its next ply",
    "quick_leaves": "at full depth it is not asked whether a position has come before",
    "star1": "the outcomes of a throw not yet looked at bound its mean (Ballard, The *-Minimax Search Procedure, 1983)",
}  # fmt: skip
"""Each heuristic's name, what it does, and where it is from."""
INEXACT = (
    "any_path", "deeper_values", "proofs", "early_draws", "null_move", "reductions", "internal_reduction",
    "single_reply", "quiescence", "wins_at_once", "quick_leaves",
)  # fmt: skip
"""Those without which a search to a depth finds exactly the value of looking at everything to that depth."""
SWITCHES = np.dtype([(name, np.bool_) for name in HEURISTICS], align=True)
"""One record: which of them are used."""

ENTRY = np.dtype(
    [
        ("key", np.uint64),  #   0: empty
        ("value", np.float64),  # to the seat to act
        ("action", np.int32),  #  what was best, or NONE
        ("left", np.int16),  #    how many plies deep the search beneath it went
        ("bound", np.int8),  #    EXACT, AT_LEAST, AT_MOST or MOVE_ONLY
        ("proved", np.bool_),  #  whether the value, or bound, rests on ended games alone
    ],
    align=True,
)
"""A position in a transposition table."""

FRAME = np.dtype(
    [
        ("key", np.uint64),  #     of the position, for the table
        ("path", np.uint64),  #    tells the positions that could come again from other such sets
        ("alpha", np.float64),  #  what the frame's seat is sure of elsewhere, and
        ("beta", np.float64),  #   the most that the other seat allows
        ("low", np.float64),  #    alpha when the frame was entered
        ("value", np.float64),  #  the best so far, to the frame's seat; in the end what the frame is worth
        ("static", np.float64),  # what the position looks worth without search
        ("reward", np.float64),  # what the ply or throw that led here has paid to the seat of the frame above
        ("total", np.float64),  #  of a throw: chances times values of the outcomes so far
        ("rest", np.float64),  #   of a throw: the chance of the outcomes to come
        ("worst", np.float64),  #  of a throw: the least that any outcome can be worth
        ("top", np.float64),  #    and the most
        ("cursor", np.int32),  #   which of the actions, or outcomes, is being looked at
        ("count", np.int32),  #    how many actions there are to look at
        ("action", np.int32),  #   the best so far, or NONE
        ("first_key", np.int32),  # positions that could come again are those from here
        ("last_key", np.int32),  # up to here
        ("ties", np.int32),  #     at the root: how many actions are equally good
        ("floor", np.int32),  #    the level nearest the root whose position the value depends on by a repetition
        ("left", np.int16),  #     plies still to be played
        ("dice", np.int16),  #     dice that are due; 0: someone acts
        ("throws", np.int16),  #   throws since the latest ply
        ("reduction", np.int16),  # plies by which the current action is searched less deeply
        ("extra", np.int16),  #    plies beyond the full depth so far, to the end of a turn
        ("stage", np.int8),  #     what is being done: `UNLISTED` and so on
        ("seat", np.int8),  #      whose values these are: who acts; of a throw, who acted before it
        ("proved", np.bool_),  #   whether the value rests on ended games alone
        ("again", np.bool_),  #    whether the current action is to be searched once more
        ("passed", np.bool_),  #   whether a null move led here
    ],
    align=True,
)
"""A level of the tree."""

PROGRESS = np.dtype(
    [
        ("salt", np.uint64),  #    of the keys in the row's table
        ("noise", np.uint64),  #   breaks ties at the root
        ("nodes", np.int64),
        ("value", np.float64),  #  of the best action, to the seat to act
        ("center", np.float64),  # the value of the last finished iteration
        ("margin", np.float64),  # half of the window round it
        ("action", np.int32),
        ("depth", np.int32),  #    of the iteration under way
        ("finished", np.int32),  # the deepest finished iteration
        ("level", np.int32),  #    where the search stands
        ("plies", np.int32),  #    of the game, at the root
        ("known_keys", np.int32),  # positions of the game itself that could come again
        ("entering", np.bool_),  # whether the level has yet to be looked at
        ("status", np.int8),  #    `DONE`, `TO_BEGIN` or `GOING_ON`
        ("counts_plies", np.bool_),  # whether `max_plies` is so near that keys must tell plies apart
    ],
    align=True,
)
"""How far the search of a row has come."""


class Levels(NamedTuple):
    """What a thread works with, at row ``low`` of each."""

    states: Any
    """(N, L) records"""
    words: Any
    """uint64 (N, L, state size / 8): the same bytes"""
    frames: Any
    """(N, L) records of `FRAME`"""
    rewards: Any
    """float64 (N, P): scratch"""
    actions: Any
    """int32 (N, L, A): the actions of each level"""
    scores: Any
    """int32 (N, L, A): the higher, the earlier they are tried"""
    killers: Any
    """int32 (N, L, 2)"""
    faces: Any
    """int8 (N, L, dice): the throw that is being looked at"""
    keys: Any
    """uint64 (N, K): positions that could come again, those of the game first"""
    key_levels: Any
    """int32 (N, K): on which level each stands"""
    values: Any
    """float64 (N, L, P), or (N, 0, P) for two seats: what each level is worth to each seat"""
    paid: Any
    """float64 (N, L, P), or (N, 0, P) for two seats: what the ply or throw that led to a level has paid"""
    masks: Any
    """int8 (N, A₈)"""
    mask_words: Any
    """uint64 (N, A₈ / 8): the same bytes"""


class Memory(NamedTuple):
    """What a row keeps from ply to ply."""

    progress: Any
    """(N,) records of `PROGRESS`"""
    entries: Any
    """(N, T) records of `ENTRY`, T a power of 2: the transposition table"""
    history: Any
    """int32 (N, 2, A): how often an action of a seat has refuted anything"""
    countermoves: Any
    """int32 (N, 2, A): what last refuted an action of the other seat"""
    values: Any
    """float64 (N, P): what the last search has found a row's position to be worth to each seat"""
