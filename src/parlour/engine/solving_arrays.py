"""What kernels need to solve a game: a path through one turn, and where the turns from many positions lead.

Axis letters: A actions, P seats, L levels, N positions, K edges, M edges that lead out of the tier.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from parlour.engine.bundles import bundle
from parlour.engine.value_arrays import NO_NETWORK, NetworkEvaluation
from parlour.rulebook.state_records import as_words, records

LEVELS = 32
"""The levels of a path through a turn. The longest turn, its throw included, has fewer plies."""
LAST, SAME, OUT, PLACE = 1, 2, 4, 3
"""An edge is its target shifted by `PLACE`, and bits: `LAST`, the last one after a throw; `SAME`, the seat to act there
is the one that has moved; `OUT`, the target is a row of `Graph.out`, not a position of the tier."""
MOST_POSITIONS = 1 << (31 - PLACE)
"""A tier has fewer positions than this."""
OVER, NO_TIER = -2, -3
"""In place of a tier: the game is over; no tier is given, as when a single position is looked up."""
TOO_DEEP, PAID, NOT_BELOW, OTHER_DICE = -1, -2, -3, -4
"""What can be wrong with a game's endings (`PROBLEMS`)."""
PROBLEMS = {
    TOO_DEEP: f"a turn can have {LEVELS} plies or more",
    PAID: "a ply that does not end the game pays a reward",
    NOT_BELOW: "a ply leads to a later tier or to a number that the tier does not have",
    OTHER_DICE: "a position is not right before a throw of the game proper",
}
OPEN, NO_CODE = -32768, -32767
"""Codes (`parlour.engine.kernels.solving`) of a position that is not known yet, and of a number without a position."""

OUT_EDGE = np.dtype([("index", np.int64), ("paid", np.float64), ("tier", np.int32), ("same", np.int8)], align=True)
"""An edge that leaves the tier. ``tier`` and ``index``: its target, or `OVER`. ``paid``: half of the difference in
rewards between the seat that has moved and the other. ``same``: 1 if the seat that has moved is to act there."""


@bundle
class Walk(NamedTuple):
    """A path through one turn: scratch."""

    states: Any
    """(L,) states, see `parlour.engine.calls.state_at`"""
    rewards: Any
    """float64 (L, P)"""
    actions: Any
    """int32 (L, A)"""
    counts: Any
    """int64 (L,): how many legal actions a level has"""
    cursors: Any
    """int64 (L,): how many of them have been tried"""
    masks: Any
    """int8 (1, A₈)"""
    words: Any
    """uint64 (1, A₈ / 8): the same bytes"""
    faces: Any
    """int8 (D,)"""


@bundle
class Graph(NamedTuple):
    """Where the turns from the positions of a part of a tier lead: an edge for each end of a turn that can be chosen.
    In a game with dice the edges after the same throw are adjacent, throw by throw."""

    kinds: Any
    """int8 (N,): what `Endings.place` says of the positions"""
    starts: Any
    """int64 (N + 1,): the first edge of each position"""
    edges: Any
    """int32 (K,)"""
    out: Any
    """`OUT_EDGE` (M,)"""


@bundle
class TableValues(NamedTuple):
    """The values of a whole table, as a search reads them."""

    first: Any
    """int64 (T + 1,): of the positions of all T tiers, the first of each tier"""
    values: Any
    """float32 (N,): for the seat to act; a later win has a lower value"""


NO_TABLE = TableValues(np.zeros(0, np.int64), np.zeros(0, np.float32))
"""In place of a table"""


@bundle
class PositionValues(NamedTuple):
    """What gives the values of a search's positions: a table; where it has none, a network; without both, the game's
    heuristic value."""

    network: NetworkEvaluation = NO_NETWORK
    table: TableValues = NO_TABLE


def unused(network: bool, table: bool) -> tuple[str, ...]:
    """The functions of a game that evaluation does not call, for the argument ``without`` of `RulesTable.ready_for`.
    ``network``, ``table``: whether there is one."""
    return (*(() if network else ("write_numbers",)), *(() if table else ("rank",)))


def walk_of(game: Any, seats: int, actions: int) -> Walk:
    """Scratch for a `parlour.engine.game.Game`, which depends on this file."""
    masks = np.zeros((1, -(-actions // 8) * 8), np.int8)
    return Walk(
        as_words(records(LEVELS, game.rules.STATE)), np.zeros((LEVELS, seats)), np.zeros((LEVELS, actions), np.int32),
        np.zeros(LEVELS, np.int64), np.zeros(LEVELS, np.int64), masks, masks.view(np.uint64),
        np.zeros(max(len(game.rules.DICE), 1), np.int8),
    )  # fmt: skip


def empty_graph(positions: int, edges: int) -> Graph:
    """Room for this number of positions and edges."""
    return Graph(
        np.zeros(positions, np.int8), np.zeros(positions + 1, np.int64), np.zeros(edges, np.int32),
        records(edges, OUT_EDGE),
    )  # fmt: skip
