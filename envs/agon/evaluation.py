"""How good plies and positions of Agon are: for built-in players, reward shaping, search and statistics."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.bits import ZERO, count_bits, lowest, without_lowest
from parlour.rulebook.compiling import kernel
from parlour.rulebook.protocol import RUNNING, Record

from . import board, position, rules, trapping
from .actions import CHOICES, LIGHT, PASS, PUTS, STEP_TARGET, TURNED

WIN, LOST_MOVE, DRAW = 100.0, -1.5, -2.0
GUARDS_SHARE, QUEEN_SHARE = 0.7, 0.3
INWARD = board.OUTER - np.arange(board.OUTER + 1)
"""[ring]: how many rings a piece has come inward from the outer ring."""
TRAPPED_IN_LINE, TRAPPED_IN_RING, REMOVED_GUARDS = range(3)
GUARD_WORTH = np.array([[0, 30, 20, 20, 5, 0], [0, 35, 25, 25, 10, 0], [0, 55, 55, 45, 20, 0]])
QUEEN_WORTH = np.array([[25, 60, 40, 40, 10, 0], [210, 170, 80, 80, 10, 0], [155, 115, 65, 55, 30, 0]])
"""[how pieces are lost, ring]: what a piece is worth, in hundredths of a logit, rounded to 5. ``python
benchmarks/ring_worths.py`` fits these numbers to the values of a network that has learnt the game."""
VALUE = 1 / 500
"""The heuristic value of a worth of 1. All pieces together are worth 485 at most."""


def _sandwiches() -> np.ndarray[Any, np.dtype[np.int64]]:
    """[0: in line, 1: along a ring; cell, k]: beside which cell a piece traps an enemy, and with which; or NOWHERE."""
    cells = np.full((2, board.CELLS, board.DIRECTIONS, 2), board.NOWHERE)
    for cell in range(board.CELLS):
        beside = board.NEIGHBOUR[cell]
        cells[0, cell] = np.stack([beside, board.NEIGHBOUR[beside, range(board.DIRECTIONS)]], axis=1)
    for first, middle, other in board.RING_THREES:
        cells[1, first, 0] = middle, other
        cells[1, other, 1] = middle, first
    return cells


SANDWICHES = _sandwiches()

EVENTS = ("step", "placement", "trap", "relocation", "exile", "removal", "exchange", "pass")
STEPPED, PLACED, TRAPPED, RELOCATED, EXILED, REMOVED, EXCHANGED, PASSED = range(len(EVENTS))


@kernel
def put_back(state: Record, variant: Record, seat: int) -> tuple[Any, Any]:
    """The cells whose pieces of ``seat``, if any, will be put back: those between two enemies; in Bloody Queen those
    that the step has trapped and nobody has dealt with yet."""
    if variant.capture != rules.BLOODY:
        return trapping.between(state, variant, 1 - seat)
    if seat == state.turn_of or (state.phase != position.EXCHANGE and state.phase != position.PUT):
        return ZERO, ZERO
    return state.waiting[0] | board.BIT[state.hand, 0], state.waiting[1] | board.BIT[state.hand, 1]


@kernel
def sums_on_rings(
    state: Record, seat: int, lost_low: Any, lost_high: Any, of_guard: Any, of_queen: Any
) -> tuple[int, int]:
    """The sum of ``of_guard[ring]`` over the guards of ``seat``, and ``of_queen[ring]`` of its queen, 0 before she is
    placed. Pieces on the cells (``lost_low``, ``lost_high``), which will be put back, count nothing."""
    guards, queens = 0, 0
    for half in range(2):
        word = state.guards[seat, half] & ~(lost_low if half == 0 else lost_high)
        while word:
            guards += of_guard[board.RING_OF[64 * half + lowest(word)]]
            word = without_lowest(word)
    queen = state.queens[seat]
    if queen != board.NOWHERE and not position.contains(lost_low, lost_high, queen):
        queens = of_queen[board.RING_OF[queen]]
    return guards, queens


@kernel
def closeness(state: Record, seat: int, lost_low: Any, lost_high: Any) -> float:
    """How near ``seat`` is to its goal, from 0 to 1: 0.7 · the rings that its guards have come inward from the outer
    ring, of 6 · 4, + 0.3 · those its queen has, of 5. Pieces on the cells (``lost_low``, ``lost_high``), which will be
    put back, count nothing."""
    guards, queen = sums_on_rings(state, seat, lost_low, lost_high, INWARD, INWARD)
    return GUARDS_SHARE * guards / (position.GUARDS_EACH * (board.OUTER - 1)) + QUEEN_SHARE * queen / board.OUTER


@kernel
def potential(state: Record, variant: Record, seat: int) -> float:
    """c(own) − c(other), where c (`closeness`) = 0.7 · Σ (5 − ring of a guard) / 24 + 0.3 · (5 − ring of the queen) / 5
    over the pieces that do not stand trapped."""
    own_low, own_high = put_back(state, variant, seat)
    other_low, other_high = put_back(state, variant, 1 - seat)
    return closeness(state, seat, own_low, own_high) - closeness(state, 1 - seat, other_low, other_high)


@kernel
def worth(state: Record, variant: Record, seat: int) -> int:
    """What the pieces of ``seat`` are worth where they stand: see `GUARD_WORTH`. Those that will be put back are worth
    as much as on the outer ring, nothing."""
    way = TRAPPED_IN_LINE if variant.geometry == trapping.LINE else TRAPPED_IN_RING
    if variant.capture == rules.BLOODY:
        way = REMOVED_GUARDS
    lost_low, lost_high = put_back(state, variant, seat)
    guards, queen = sums_on_rings(state, seat, lost_low, lost_high, GUARD_WORTH[way], QUEEN_WORTH[way])
    return guards + queen


@kernel
def heuristic_value(state: Record, variant: Record, seat: int) -> float:
    """What the own pieces are worth more than the other seat's: who is likely to win, not who is nearer to the goal."""
    return VALUE * (worth(state, variant, seat) - worth(state, variant, 1 - seat))


@kernel
def greedy_score(before: Record, after: Record, variant: Record, seat: int) -> float:
    """Highest for a win, lowest for a loss; low for a draw and, less so, for a lost move. Otherwise the potential,
    which prefers going inward, trapping pieces far inside, and staying out of traps. A touch or a choice scores as the
    best ply that can follow it."""
    if after.end == RUNNING:
        if after.passes > before.passes:
            return LOST_MOVE
        if after.phase == position.TOUCHED or after.phase == position.CHOSEN:
            return best_to_follow(after, variant, seat)
        return potential(after, variant, seat)
    winner = rules.winner_of(after, variant)
    if winner == rules.NOBODY:
        return DRAW
    return WIN if winner == seat else -WIN


@kernel
def best_to_follow(state: Record, variant: Record, seat: int) -> float:
    """The greedy score of the best ply of ``seat`` with the piece in hand. Passing, which is included, scores less than
    any step that goes on. Each ply is played on the board and taken back."""
    source = state.hand
    low, high = reach(state, variant, source)
    best = DRAW if state.passes + 1 == position.MAX_PASSES else LOST_MOVE
    for half in range(2):
        word = low if half == 0 else high
        while word:
            target = 64 * half + lowest(word)
            word = without_lowest(word)
            position.move_piece(state, seat, source, target)
            best = max(best, value_after(state, variant, seat, target))
            position.move_piece(state, seat, target, source)
    return best


@kernel
def reach(state: Record, variant: Record, source: int) -> tuple[Any, Any]:
    """The cells to which the piece in hand, on ``source``, can go."""
    if state.phase == position.CHOSEN:
        return trapping.goal_cells(state, variant, source)
    open_low, open_high = trapping.open_cells(state, variant)
    kind = board.QUEEN if source == state.queens[state.turn_of] else board.GUARD
    low, high = ZERO, ZERO
    for k in range(board.MAX_STEPS):
        target = STEP_TARGET[kind, source, k]
        low, high = low | board.BIT[target, 0], high | board.BIT[target, 1]
    return low & open_low, high & open_high


@kernel
def value_after(state: Record, variant: Record, seat: int, target: int) -> float:
    """The value of a board for ``seat``, whose piece has just moved to ``target``. In Bloody Queen everything that it
    traps there counts nothing any more, whatever becomes of it."""
    end, winner = rules.decide(state, variant, seat)
    if end != RUNNING:
        return WIN if winner == seat else -WIN
    if variant.capture != rules.BLOODY:
        return potential(state, variant, seat)
    low, high = sandwiched(state, seat, target)
    return closeness(state, seat, ZERO, ZERO) - closeness(state, 1 - seat, low, high)


@kernel
def sandwiched(state: Record, seat: int, cell: int) -> tuple[Any, Any]:
    """The cells between the piece of ``seat`` on ``cell`` and others of its seat."""
    own_low, own_high = position.pieces(state, seat)
    low, high = ZERO, ZERO
    for direction in range(board.DIRECTIONS):
        beside = board.NEIGHBOUR[cell, direction]
        if position.contains(own_low, own_high, board.NEIGHBOUR[beside, direction]):
            low, high = low | board.BIT[beside, 0], high | board.BIT[beside, 1]
    return low, high


@kernel
def is_sharp(state: Record, variant: Record, action: int) -> bool:
    """A step that traps an enemy."""
    if action >= PUTS:
        return False
    seat = state.to_act
    step = action if seat == LIGHT else TURNED[action]
    source = step // board.DIRECTIONS
    cell = board.NEIGHBOUR[source, step % board.DIRECTIONS]
    own_low, own_high = position.pieces(state, seat)
    other_low, other_high = position.pieces(state, 1 - seat)
    way = 0 if variant.geometry == trapping.LINE else 1
    for k in range(board.DIRECTIONS):
        beside, beyond = SANDWICHES[way, cell, k, 0], SANDWICHES[way, cell, k, 1]
        if (
            beyond != source
            and position.contains(other_low, other_high, beside)
            and position.contains(own_low, own_high, beyond)
        ):
            return True
    return False


@kernel
def newly_trapped(before: Record, after: Record, variant: Record) -> int:
    """The number of pieces, of both seats, that the ply has trapped."""
    count = 0
    for seat in range(2):
        low, high = position.pieces(after, seat)
        flanked_low, flanked_high = trapping.between(after, variant, 1 - seat)
        old_low, old_high = position.pieces(before, seat)
        old_flanked_low, old_flanked_high = trapping.between(before, variant, 1 - seat)
        count += count_bits(low & flanked_low & ~(old_low & old_flanked_low))
        count += count_bits(high & flanked_high & ~(old_high & old_flanked_high))
    return count


@kernel
def events(before: Record, after: Record, variant: Record, counts: Any) -> None:
    """The kind of ply, what it trapped, and in Bloody Queen which piece it took off the board."""
    action = after.last_action
    if before.phase == position.PLACE:
        counts[PLACED] += 1
    elif action < PUTS:
        counts[STEPPED] += 1
    elif action < CHOICES:
        counts[RELOCATED] += 1
        if before.phase == position.EXILE:
            counts[EXILED] += 1
    elif action == PASS:
        counts[PASSED] += 1
    if variant.capture != rules.BLOODY:
        counts[TRAPPED] += newly_trapped(before, after, variant)
        return
    counts[TRAPPED] += after.victims
    enemy = 1 - before.turn_of
    exchanged = 1 if after.queens[enemy] != before.queens[enemy] and before.phase != position.PLACE else 0
    counts[EXCHANGED] += exchanged
    if before.phase != position.PLACE:
        counts[REMOVED] += position.count_guards(before, enemy) - position.count_guards(after, enemy) - exchanged
