"""The rules of Agon, as kernels. Sources: Woolson, Kato and Neto (the printed sheets) and the rulings listed in
README.md.

The board, the numbers of its cells and its tables are in board.py, the numbering of actions in actions.py, the record
of a game and its kinds of plies in position.py, what is trapped in trapping.py, and what a seat sees in planes.py.

A turn has one or several plies: a touch or a choice comes before the ply that moves the piece, and in Bloody Queen the
consequences of a step come after it. ``turn_of`` is the seat whose turn it is. ``to_act`` is usually the same seat. It
is the other seat where that one puts down an exiled queen or, in Bloody Queen, its own trapped guards.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook import protocol
from parlour.rulebook.bits import ZERO, count_bits, lowest, without_lowest
from parlour.rulebook.chance import below
from parlour.rulebook.compiling import kernel
from parlour.rulebook.hashing import NO_WORDS, add_word
from parlour.rulebook.masks import nth_bit
from parlour.rulebook.no_dice import DICE as DICE
from parlour.rulebook.no_dice import dice_due as dice_due
from parlour.rulebook.no_dice import throw as throw
from parlour.rulebook.options import LOSES, always
from parlour.rulebook.protocol import COMMON_ENDS, FIRST_OWN_END, RUNNING, Layout, Record

from . import actions, board, variants
from .actions import CHOICES, DARK, LIGHT, PASS, PUTS
from .board import BIT, CELLS, DIRECTIONS, GUARD, NOWHERE, OUTER, QUEEN, RINGS
from .planes import PLANES as PLANES
from .planes import observe as observe
from .position import (
    CHOOSE,
    CHOSEN,
    EXCHANGE,
    EXILE,
    GUARDS_EACH,
    MAX_PASSES,
    PLACE,
    PUT,
    RELOCATE,
    STEP,
    STUCK,
    TOUCH,
    TOUCHED,
    clear_board,
    contains,
    count_guards,
    empty_cells,
    move_piece,
    pieces,
    toggle_guard,
)
from .position import STATE as STATE
from .trapping import between, find_candidates, goal_cells, has_goal, open_cells

NOBODY = -1
ENTHRONED, FORFEIT, GUARDLESS, PASSES = range(FIRST_OWN_END, FIRST_OWN_END + 4)
ENDS = (*COMMON_ENDS, "enthroned", "forfeit", "guardless", "passes")

BLOODY = variants.CAPTURE.number("bloody")
BY_OPPONENT = variants.QUEEN_PLACED_BY.number("opponent")
BY_OWNER = variants.RELOCATED_BY.number("owner")
FIXED, QUEENS_TOO = variants.SETUP.number("fixed"), variants.SETUP.number("all")
QUEEN_ABSENT = variants.SURROUND_LOSES.number("queen_absent")

SETUP_QUEENS = (0, CELLS - 1)  # a1, k6
SETUP_GUARDS = np.array([[4, 30, 39, 77, 78, 88], [2, 12, 13, 51, 60, 86]])
"""[seat]: Neto's board text. Ruling: the dark guard that is missing there follows from the half-turn symmetry."""

layout = always(Layout(seats=2, actions=actions.ACTIONS, height=board.ROWS, width=board.ROWS, planes=PLANES))


@kernel
def setup(state: Record, variant: Record) -> None:
    """Puts up the pieces; setup=guards: only the queens, setup=all: none. Kato: "Light is the first player to move"."""
    clear_board(state)
    for seat in range(2):
        if variant.setup != QUEENS_TOO:
            state.queens[seat] = SETUP_QUEENS[seat]
        if variant.setup == FIXED:
            for cell in SETUP_GUARDS[seat]:
                toggle_guard(state, seat, cell)
    state.passes = 0
    state.victims = 0
    begin_turn(state, variant, LIGHT, variant.setup != FIXED)


# --- turns ---


@kernel
def begin_turn(state: Record, variant: Record, seat: int, placing: bool) -> None:
    """Starts the turn of ``seat``: decides the kind of its first ply, and which seat acts."""
    state.turn_of = seat
    state.to_act = seat
    state.hand = NOWHERE
    state.waiting[0], state.waiting[1] = ZERO, ZERO
    state.flanked[0], state.flanked[1] = ZERO, ZERO
    if variant.capture != BLOODY:
        state.flanked[0], state.flanked[1] = between(state, variant, 1 - seat)
    if placing:
        state.phase = PLACE  # ruling: trapped pieces are relocated only after the set-up
        return
    low, high = pieces(state, seat)
    low, high = low & state.flanked[0], high & state.flanked[1]
    if low | high != ZERO:
        begin_relocation(state, variant, low, high)
    else:
        state.phase = TOUCH if variant.touch_move else STEP


@kernel
def begin_relocation(state: Record, variant: Record, low: Any, high: Any) -> None:
    """The turn must relocate one of the trapped pieces (``low``, ``high``). Woolson, rule 2: "the Queen, if she be one,
    must be taken up first, and the others may be taken in any order the player chooses, the removal of each piece
    counting as a move". Ruling: only pieces that have a legal cell; if there is none, the turn is a forced pass."""
    queen = state.queens[state.turn_of]
    if contains(low, high, queen):
        if has_goal(state, variant, queen):
            state.hand = queen
            if variant.queen_placed_by == BY_OPPONENT:  # Kato, alternative rule 2
                state.phase = EXILE
                state.to_act = 1 - state.turn_of
            else:
                state.phase = RELOCATE
            return
        low, high = low & ~BIT[queen, 0], high & ~BIT[queen, 1]
    candidates = find_candidates(state, variant, low, high)
    if candidates == 0:
        state.phase = STUCK
    elif candidates == 1:
        state.phase = RELOCATE  # ruling: a choice with a single candidate is skipped
        state.hand = first_of(state.waiting[0], state.waiting[1])
        state.waiting[0], state.waiting[1] = ZERO, ZERO
    else:
        state.phase = CHOOSE


@kernel
def first_of(low: Any, high: Any) -> int:
    """The lowest cell of a non-empty set."""
    return lowest(low) if low != ZERO else 64 + lowest(high)


@kernel
def last_of(low: Any, high: Any) -> int:
    """The highest cell of a non-empty set."""
    cell = first_of(low, high)
    for other in range(cell + 1, CELLS):
        if contains(low, high, other):
            cell = other
    return cell


@kernel
def end_turn(state: Record, variant: Record, rewards: Any, actor: int, placing: bool) -> None:
    """Ends the turn: checks whether the game is over, for ``actor`` first, and begins the other seat's turn."""
    state.turn_over = 1
    end, winner = decide(state, variant, actor)
    if end != RUNNING:
        finish(state, rewards, end, winner)
    begin_turn(state, variant, 1 - state.turn_of, placing)


# --- ends ---


@kernel
def surrounds_throne(state: Record, seat: int) -> bool:
    """Whether guards of ``seat`` stand on all six cells round the throne."""
    low, high = RINGS[1, 0], RINGS[1, 1]
    return state.guards[seat, 0] & low == low and state.guards[seat, 1] & high == high


@kernel
def has_won(state: Record, variant: Record, seat: int) -> bool:
    """Kato: "place your queen on the throne and surround it with six of your own guards"; in Bloody Queen with "all of
    your remaining guards on the board in one of the six hexes surrounding the throne"."""
    if state.queens[seat] != board.THRONE:
        return False
    if variant.capture != BLOODY:
        return surrounds_throne(state, seat)
    outside = (state.guards[seat, 0] & ~RINGS[1, 0]) | (state.guards[seat, 1] & ~RINGS[1, 1])
    return outside == ZERO and count_guards(state, seat) > 0


@kernel
def has_lost(state: Record, variant: Record, seat: int) -> bool:
    """Woolson, rule 4: "If the six Guards are placed in circle surrounding the center space, leaving the Queen outside,
    the player of them forfeits the game"; Neto, surround_loses=throne_empty: "… and this is empty"."""
    if state.queens[seat] == board.THRONE or not surrounds_throne(state, seat):
        return False
    return variant.surround_loses == QUEEN_ABSENT or state.queens[1 - seat] != board.THRONE


@kernel
def decide(state: Record, variant: Record, actor: int) -> tuple[int, int]:
    """Returns the ending and the winner by the position of the pieces; (RUNNING, NOBODY) if the game goes on. Ruling:
    it is checked first for ``actor``, the seat that has acted."""
    for k in range(2):
        seat = actor if k == 0 else 1 - actor
        if has_won(state, variant, seat):
            return ENTHRONED, seat
        if has_lost(state, variant, seat):
            return FORFEIT, 1 - seat
    return RUNNING, NOBODY


@kernel
def seat_of_turn(state: Record) -> int:
    """Whose turn it is; with queen_placed_by=opponent the other seat may act in it."""
    return state.turn_of


@kernel
def winner_of(state: Record, variant: Record) -> int:
    """The seat that has won a game which is over; NOBODY in a draw or a truncated game."""
    if state.end == protocol.REPETITION and variant.repeats == LOSES:
        return seat_of_turn(state)
    if state.end == GUARDLESS:
        return DARK if count_guards(state, LIGHT) == 0 else LIGHT
    return decide(state, variant, LIGHT)[1] if state.end in (ENTHRONED, FORFEIT) else NOBODY


@kernel
def finish(state: Record, rewards: Any, end: int, winner: int) -> None:
    """Ends the game: +1 for the winner, −1 for the other seat; 0 for both in a draw."""
    state.end = end
    if winner != NOBODY:
        rewards[winner] += 1
        rewards[1 - winner] -= 1


# --- plies ---


@kernel
def apply(state: Record, variant: Record, action: int, rewards: Any) -> None:
    """Plays a step, a put, a choice or a pass, with all consequences."""
    seat = state.to_act
    if seat == DARK:
        action = actions.TURNED[action]
    state.irreversible = 0
    state.turn_over = 0
    state.victims = 0
    if action < PUTS:
        step(state, variant, rewards, action // DIRECTIONS, board.NEIGHBOUR[action // DIRECTIONS, action % DIRECTIONS])
    elif action < CHOICES:
        put(state, variant, rewards, action - PUTS)
    elif action < PASS:
        choose(state, variant, rewards, action - CHOICES)
    else:
        pass_turn(state, variant, rewards)


@kernel
def step(state: Record, variant: Record, rewards: Any, source: int, target: int) -> None:
    """Woolson: "Any piece may be moved one space forward or sideways, but never backward"."""
    seat = state.turn_of
    move_piece(state, seat, source, target)
    state.passes = 0
    if variant.capture == BLOODY:
        resolve_traps(state, variant, rewards, target)
    else:
        end_turn(state, variant, rewards, seat, False)


@kernel
def put(state: Record, variant: Record, rewards: Any, cell: int) -> None:
    """Puts down a trapped piece that is relocated, or places a piece in set-up."""
    actor, phase = state.to_act, state.phase
    state.passes = 0
    if phase == PLACE:
        place(state, variant, rewards, cell)
    elif phase == PUT:
        move_piece(state, 1 - state.turn_of, state.hand, cell)
        put_next(state, variant, rewards)
    else:
        move_piece(state, state.turn_of, state.hand, cell)
        end_turn(state, variant, rewards, actor, False)


@kernel
def place(state: Record, variant: Record, rewards: Any, cell: int) -> None:
    """Kato, alternative rule 1: "placing only their queens in the specified positions, and then alternately placing
    their guards"; Parlett in Neto: "the queens are also placed, before the guards, in the same way"."""
    seat = state.turn_of
    if state.queens[seat] == NOWHERE:
        state.queens[seat] = cell
    else:
        toggle_guard(state, seat, cell)
    state.irreversible = 1
    end_turn(state, variant, rewards, seat, count_guards(state, 1 - seat) < GUARDS_EACH)


@kernel
def choose(state: Record, variant: Record, rewards: Any, cell: int) -> None:
    """Touches a piece, chooses the trapped guard to relocate, or exchanges a guard for its queen."""
    if state.phase == TOUCH:
        state.hand = cell
        state.phase = TOUCHED
    elif state.phase == CHOOSE:
        state.hand = cell
        state.phase = CHOSEN
        state.waiting[0], state.waiting[1] = ZERO, ZERO
    else:
        state.passes = 0
        exchange(state, variant, rewards, cell)


@kernel
def pass_turn(state: Record, variant: Record, rewards: Any) -> None:
    """A pass, chosen or forced. Ruling: two turns in a row that end in a pass, one of each seat, are a draw."""
    state.passes += 1
    end_turn(state, variant, rewards, state.turn_of, False)
    if state.end == RUNNING and state.passes == MAX_PASSES:
        finish(state, rewards, PASSES, NOBODY)


# --- Bloody Queen: the consequences of a step; their order is a ruling: removals, the exchange, relocations ---


@kernel
def resolve_traps(state: Record, variant: Record, rewards: Any, cell: int) -> None:
    """The piece that has just stepped to ``cell`` traps every enemy between it and another piece of its seat.

    Kato: "Trapping occurs only by sandwiching the opponent's piece between the piece just moved in that turn and
    another friendly piece". Guards trapped "with a guard and queen" are removed first; then a trapped queen is
    exchanged; last, guards trapped "with 2 guards" are put down.
    """
    seat, enemy = state.turn_of, 1 - state.turn_of
    own_low, own_high = pieces(state, seat)
    queen_trapped = False
    for direction in range(DIRECTIONS):
        beside = board.NEIGHBOUR[cell, direction]
        beyond = board.NEIGHBOUR[beside, direction]
        if not contains(own_low, own_high, beyond):
            continue
        if beside == state.queens[enemy]:
            state.victims += 1
            queen_trapped = True
        elif contains(state.guards[enemy, 0], state.guards[enemy, 1], beside):
            state.victims += 1
            if state.queens[seat] == cell or state.queens[seat] == beyond:
                toggle_guard(state, enemy, beside)
                state.irreversible = 1
            else:
                state.waiting[0] |= BIT[beside, 0]
                state.waiting[1] |= BIT[beside, 1]
    if state.victims == 0:
        end_turn(state, variant, rewards, seat, False)
    elif count_guards(state, enemy) == 0:
        end_without_guards(state, variant, rewards)
    elif queen_trapped:
        begin_exchange(state, variant, rewards)
    else:
        put_next(state, variant, rewards)


@kernel
def end_without_guards(state: Record, variant: Record, rewards: Any) -> None:
    """Kato: "If you lose all your guards, you lose the game". Ruling: at once; nothing else is checked."""
    state.turn_over = 1
    finish(state, rewards, GUARDLESS, state.turn_of)
    begin_turn(state, variant, 1 - state.turn_of, False)


@kernel
def outermost_guards(state: Record, seat: int) -> tuple[Any, Any]:
    """The guards of ``seat`` in the outermost ring where it has any."""
    low, high, ring = ZERO, ZERO, OUTER
    while low | high == ZERO and ring > 0:
        low, high = state.guards[seat, 0] & RINGS[ring, 0], state.guards[seat, 1] & RINGS[ring, 1]
        ring -= 1
    return low, high


@kernel
def begin_exchange(state: Record, variant: Record, rewards: Any) -> None:
    """Kato: "the player who trapped it immediately exchanges it for one of the outermost guards of the opponent".
    Ruling: that player chooses, if there are several."""
    enemy = 1 - state.turn_of
    low, high = outermost_guards(state, enemy)
    if count_bits(low) + count_bits(high) == 1:
        exchange(state, variant, rewards, first_of(low, high))
    else:
        state.phase = EXCHANGE
        state.hand = state.queens[enemy]


@kernel
def exchange(state: Record, variant: Record, rewards: Any, cell: int) -> None:
    """Removes the guard on ``cell`` for its trapped queen. Kato: "The exchanged guard is removed from the game"."""
    enemy = 1 - state.turn_of
    toggle_guard(state, enemy, cell)
    state.queens[enemy] = cell
    state.irreversible = 1
    state.waiting[0] &= ~BIT[cell, 0]
    state.waiting[1] &= ~BIT[cell, 1]
    if count_guards(state, enemy) == 0:
        end_without_guards(state, variant, rewards)
    else:
        put_next(state, variant, rewards)


@kernel
def put_next(state: Record, variant: Record, rewards: Any) -> None:
    """The next guard trapped by two guards is to be put down; if none is left, the turn is over. Ruling: they come in
    the order of their cell indices, as the stepping seat sees the board."""
    low, high = state.waiting[0], state.waiting[1]
    if low | high == ZERO:
        end_turn(state, variant, rewards, state.turn_of, False)
        return
    state.hand = first_of(low, high) if state.turn_of == LIGHT else last_of(low, high)
    state.waiting[0] &= ~BIT[state.hand, 0]
    state.waiting[1] &= ~BIT[state.hand, 1]
    state.phase = PUT
    state.to_act = 1 - state.turn_of if variant.relocated_by == BY_OWNER else state.turn_of


@kernel
def outward_cells(state: Record, cell: int) -> tuple[Any, Any]:
    """Where a guard trapped by two guards may be put. Kato: "any position in one outer ring from the trapped guard's
    location. If there is no available location in the one outer ring, the guard is placed in the second outer ring. If
    a trap occurs in the outermost ring, it is repositioned to any position in the same outermost ring"."""
    low, high = empty_cells(state)
    ring = min(board.RING_OF[cell] + 1, OUTER)
    while ring < OUTER and (low & RINGS[ring, 0]) | (high & RINGS[ring, 1]) == ZERO:
        ring += 1
    return low & RINGS[ring, 0], high & RINGS[ring, 1]


# --- what is legal ---


@kernel
def legal(state: Record, variant: Record, mask: Any, words: Any) -> None:
    """All actions that the present phase allows to the seat to act."""
    for k in range(words.size):
        words[k] = ZERO
    if state.end != RUNNING:
        return
    seat, phase = state.to_act, state.phase
    if phase == STEP:
        allow_steps(state, variant, mask)
    elif phase == TOUCHED:
        low, high = open_cells(state, variant)
        actions.write_steps(mask, seat, kind_of(state, seat, state.hand), state.hand, low, high)
        mask[PASS] = 1  # Woolson, rule 3: "it must be moved or the move be lost"
    elif phase == STUCK:
        mask[PASS] = 1
    else:
        low, high = cells_to_name(state, variant)
        if phase in (TOUCH, CHOOSE, EXCHANGE):
            actions.write_choices(mask, seat, low, high)
        else:
            actions.write_puts(words, seat, low, high)


@kernel
def kind_of(state: Record, seat: int, cell: int) -> int:
    """Whether the piece of ``seat`` on a cell is a guard or the queen."""
    return QUEEN if state.queens[seat] == cell else GUARD


@kernel
def cells_to_name(state: Record, variant: Record) -> tuple[Any, Any]:
    """Where pieces may be chosen, or put, in a phase in which neither steps nor a pass are legal."""
    phase = state.phase
    if phase == TOUCH:
        return pieces(state, state.to_act)
    if phase == CHOOSE:
        return state.waiting[0], state.waiting[1]
    if phase == EXCHANGE:
        return outermost_guards(state, 1 - state.to_act)
    if phase == PUT:
        return outward_cells(state, state.hand)
    if phase == PLACE:
        low, high = open_cells(state, variant)
        return low & board.ALL_BUT_THRONE[0], high & board.ALL_BUT_THRONE[1]
    return goal_cells(state, variant, state.hand)


@kernel
def allow_steps(state: Record, variant: Record, mask: Any) -> None:
    """Every step of every piece; a pass if there is none."""
    seat = state.to_act
    low, high = open_cells(state, variant)
    any_step = state.queens[seat] != NOWHERE and actions.write_steps(mask, seat, QUEEN, state.queens[seat], low, high)
    for half in range(2):
        word = state.guards[seat, half]
        while word:
            cell = 64 * half + lowest(word)
            word = without_lowest(word)
            any_step |= actions.write_steps(mask, seat, GUARD, cell, low, high)
    if not any_step:
        mask[PASS] = 1


# --- one action at random ---


@kernel
def draw_legal(state: Record, variant: Record, stream: Any) -> int:
    """One of the actions that `legal` allows, uniformly at random."""
    seat, phase = state.to_act, state.phase
    if phase == STEP:
        return draw_step(state, variant, stream)
    if phase == TOUCHED:
        low, high = open_cells(state, variant)
        ways = actions.step_directions(seat, kind_of(state, seat, state.hand), state.hand, low, high)
        n = below(stream, count_bits(ways) + 1)
        return actions.first_step(seat, state.hand) + nth_bit(ways, n) if n < count_bits(ways) else PASS
    if phase == STUCK:
        return PASS + below(stream, 1)
    low, high = cells_to_name(state, variant)
    chooses = phase in (TOUCH, CHOOSE, EXCHANGE)
    return (CHOICES if chooses else PUTS) + draw_cell(seat, low, high, stream)


@kernel
def draw_cell(seat: int, low: Any, high: Any, stream: Any) -> int:
    """A cell of the set (``low``, ``high``), uniformly at random. Returns its number from the view of ``seat``."""
    in_low, count = count_bits(low), count_bits(low) + count_bits(high)
    n = below(stream, count)
    if seat == DARK:
        n = count - 1 - n
    cell = nth_bit(low, n) if n < in_low else 64 + nth_bit(high, n - in_low)
    return cell if seat == LIGHT else CELLS - 1 - cell


@kernel
def draw_step(state: Record, variant: Record, stream: Any) -> int:
    """One of the steps of all pieces, uniformly at random; a pass if there is none."""
    seat = state.to_act
    low, high = open_cells(state, variant)
    own_low, own_high = pieces(state, seat)
    in_low = count_bits(own_low)
    last = in_low + count_bits(own_high) - 1
    ways, k = ZERO, 0  # six bits for each piece, one per direction, in the order from the view of ``seat``
    for half in range(2):
        word = own_low if half == 0 else own_high
        while word:
            cell = 64 * half + lowest(word)
            word = without_lowest(word)
            place = DIRECTIONS * (k if seat == LIGHT else last - k)
            ways |= actions.step_directions(seat, kind_of(state, seat, cell), cell, low, high) << np.uint64(place)
            k += 1
    count = count_bits(ways)
    n = below(stream, max(count, 1))
    if count == 0:
        return PASS
    bit = nth_bit(ways, n)
    k = bit // DIRECTIONS if seat == LIGHT else last - bit // DIRECTIONS
    cell = nth_bit(own_low, k) if k < in_low else 64 + nth_bit(own_high, k - in_low)
    return actions.first_step(seat, cell) + bit % DIRECTIONS


@kernel
def position_key(state: Record) -> Any:
    """The hash of pieces, seat to act and phase."""
    key = NO_WORDS
    for seat in range(2):
        for half in range(2):
            key = add_word(key, state.guards[seat, half])
    turn = state.phase * 2 + state.to_act
    return add_word(key, np.uint64((turn * 128 + state.queens[LIGHT]) * 128 + state.queens[DARK]))
