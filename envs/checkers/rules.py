"""The rules of Checkers, as kernels. Sources: the standard rules of American checkers (Parker's sheet has none:
"Knowledge of checkers is universal"), the WCDF, OpenSpiel, and the rulings listed in README.md. The names of clauses
below are those of the README. The board and its bits are in `board`.

An action is 32 × direction + square, from the view of the seat to act. The position decides whether it is a step or a
jump: if any piece can jump, all legal actions are jumps.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.bits import count_bits, lowest, without_lowest
from parlour.rulebook.chance import below
from parlour.rulebook.compiling import kernel
from parlour.rulebook.hashing import NO_WORDS, add_word
from parlour.rulebook.masks import nth_bit
from parlour.rulebook.no_dice import DICE as DICE
from parlour.rulebook.no_dice import dice_due as dice_due
from parlour.rulebook.no_dice import throw as throw
from parlour.rulebook.options import always
from parlour.rulebook.planes import PLIES_LEFT_PLANES, fill, fill_plies_left
from parlour.rulebook.protocol import COMMON_ENDS, FIRST_OWN_END, RUNNING, Layout, Plane, Record, state_dtype

from . import board
from .board import BIT, BOARD, DIRECTIONS, LOW_OCTET, NO_SQUARE, OCTETS, SIDE, ZERO
from .variants import DRAW_RULE

BLACK, WHITE = 0, 1  # the seats
NO_MOVE, NO_PROGRESS = FIRST_OWN_END, FIRST_OWN_END + 1
ENDS = (*COMMON_ENDS, "no_move", "no_progress")

WCDF, OPENSPIEL = DRAW_RULE.number("wcdf"), DRAW_RULE.number("openspiel")
WCDF_LIMIT, OPENSPIEL_LIMIT = 80, 40
MAX_STEPS = 2**31 - 1  # the counts stop here, so that they can't overflow in a game without limits

STATE = state_dtype(
    [
        ("pieces", np.uint64, (2,)),  # [seat]: the squares of its men and kings
        ("kings", np.uint64),  #        the squares of the kings of both seats
        ("jumper", np.int64),  #        the square of the piece that is in a multi-jump, or NO_SQUARE
        ("steps", np.int32),  #         how many actions in a row were not jumps
        ("king_steps", np.int32),  #    how many turns in a row were steps of kings
    ]
)

SETUP = np.array([np.bitwise_or.reduce(BIT[:12]), np.bitwise_or.reduce(BIT[-12:])])
"""[seat]: Black's men on 1–12, White's on 21–32."""

PLANES = (
    Plane("own men"),
    Plane("own kings"),
    Plane("the other seat's men"),
    Plane("the other seat's kings"),
    Plane("the piece in the middle of a multi-jump"),
    Plane("all ones when the observing seat is to act"),
    Plane("the count that draw_rule looks at (wcdf: to 80; openspiel: to 40; none: always 0)", 0, WCDF_LIMIT),
    Plane(
        "how often the present position has occurred (0 in a multi-jump or without repetition, at most 127)",
        0,
        127,
        steps=(2, 3),
    ),
    *PLIES_LEFT_PLANES,
)
FIELDS = SIDE * SIDE

layout = always(Layout(seats=2, actions=board.ACTIONS, height=SIDE, width=SIDE, planes=PLANES))


@kernel
def setup(state: Record, variant: Record) -> None:
    """Set-up: twelve men on each side; Black moves first."""
    state.pieces[BLACK] = SETUP[BLACK]
    state.pieces[WHITE] = SETUP[WHITE]
    state.kings = ZERO
    state.jumper = NO_SQUARE
    state.steps = 0
    state.king_steps = 0
    state.to_act = BLACK


# --- moving ---


@kernel
def is_forward(seat: int, direction: int) -> bool:
    """Whether a direction leads away from the seat's own side."""
    return (direction < 2) == (seat == BLACK)


@kernel
def movers(state: Record, seat: int, direction: int) -> Any:
    """The pieces that may move in this direction. Steps, Jumps: "men forward only, kings both ways"."""
    pieces = state.pieces[seat]
    return pieces if is_forward(seat, direction) else pieces & state.kings


@kernel
def empty_squares(state: Record) -> Any:
    """The squares without a piece."""
    return BOARD & ~(state.pieces[BLACK] | state.pieces[WHITE])


@kernel
def steppers(state: Record, seat: int, direction: int) -> Any:
    """Steps: the pieces that can move one square in this direction, onto an empty one, even where a jump is due."""
    return movers(state, seat, direction) & board.towards(empty_squares(state), 3 - direction)


@kernel
def jumpers(state: Record, seat: int, direction: int) -> Any:
    """Jumps: the pieces that can jump in this direction, over an enemy onto the empty square behind it."""
    landing = board.towards(empty_squares(state), 3 - direction)
    return movers(state, seat, direction) & board.towards(state.pieces[1 - seat] & landing, 3 - direction)


@kernel
def all_jumpers(state: Record, seat: int) -> Any:
    """The pieces that can jump in any direction."""
    pieces = ZERO
    for direction in range(DIRECTIONS):
        pieces |= jumpers(state, seat, direction)
    return pieces


@kernel
def can_move(state: Record, seat: int) -> bool:
    """Whether the seat has a piece that can step or jump."""
    pieces = ZERO
    for direction in range(DIRECTIONS):
        pieces |= steppers(state, seat, direction)
    return pieces != ZERO or all_jumpers(state, seat) != ZERO


@kernel
def able(state: Record) -> tuple[Any, Any, Any, Any]:
    """[direction]: the pieces of the seat to act that may move there. Jumping is compulsory: all jumps if any, else all
    steps; in a multi-jump only the jumps of that piece."""
    seat = state.to_act
    allowed = BOARD if state.jumper == NO_SQUARE else BIT[state.jumper]
    if all_jumpers(state, seat) != ZERO:
        return (
            allowed & jumpers(state, seat, 0), allowed & jumpers(state, seat, 1),
            allowed & jumpers(state, seat, 2), allowed & jumpers(state, seat, 3),
        )  # fmt: skip
    return (
        allowed & steppers(state, seat, 0), allowed & steppers(state, seat, 1),
        allowed & steppers(state, seat, 2), allowed & steppers(state, seat, 3),
    )  # fmt: skip


@kernel
def legal(state: Record, variant: Record, mask: Any, words: Any) -> None:
    """Marks the actions of the pieces that are `able`."""
    if state.end != RUNNING:
        for place in range(OCTETS * DIRECTIONS):
            words[place] = ZERO
        return
    seat, sources = state.to_act, able(state)
    for direction in range(DIRECTIONS):
        for octet in range(OCTETS):
            place = OCTETS * direction + octet
            if seat == WHITE:
                place = OCTETS * DIRECTIONS - 1 - place
            words[place] = board.OCTET_BYTES[seat, (sources[direction] >> board.OCTET_SHIFT[octet]) & LOW_OCTET]


@kernel
def moves(state: Record, variant: Record, actions: Any) -> int:
    """What `legal` allows, as a list."""
    seat, sources = state.to_act, able(state)
    count = 0
    for direction in range(DIRECTIONS):
        left = sources[direction]
        while left:
            action = board.SQUARES * direction + board.SQUARE_OF[lowest(left)]
            actions[count] = action if seat == BLACK else board.ACTIONS - 1 - action
            left = without_lowest(left)
            count += 1
    return count


@kernel
def draw_legal(state: Record, variant: Record, stream: Any) -> int:
    """One of the jumps or steps that `legal` allows, uniformly at random."""
    seat, sources = state.to_act, able(state)
    count = 0
    for direction in range(DIRECTIONS):
        count += count_bits(sources[direction])
    n = below(stream, count)
    if seat == WHITE:
        n = count - 1 - n  # White's actions are turned by half a turn, so they are numbered in reverse order
    for direction in range(DIRECTIONS):
        size = count_bits(sources[direction])
        if n < size:
            action = board.SQUARES * direction + board.SQUARE_OF[nth_bit(sources[direction], n)]
            return action if seat == BLACK else board.ACTIONS - 1 - action
        n -= size
    return -1


# --- a ply and its ends ---


@kernel
def apply(state: Record, variant: Record, action: int, rewards: Any) -> None:
    """Plays a step or a jump, and crowns. Then the same piece jumps on, or the turn passes and may end the game."""
    seat = state.to_act
    source, beside = board.SOURCE_BIT[seat, action], board.BESIDE_BIT[seat, action]
    jumps = state.pieces[1 - seat] & beside != ZERO
    target = board.BEYOND_BIT[seat, action] if jumps else beside
    is_king = state.kings & source != ZERO
    state.pieces[seat] ^= source | target
    if is_king:
        state.kings ^= source | target
    if jumps:  # Multi-jumps: "jumped pieces are off at once"
        state.pieces[1 - seat] ^= beside
        state.kings &= ~beside
    crowned = not is_king and target & board.KING_ROW[seat] != ZERO
    if crowned:
        state.kings |= target
    update_counts(state, jumps, is_king)
    # Multi-jumps: "A started jump is completed as long as the piece can go on". Crowning: "A man that reaches the king
    # row is crowned and its turn ends, even if as a king it could jump on. A king that jumps to the king row goes on."
    if jumps and not crowned and all_jumpers(state, seat) & target != ZERO:
        state.jumper = board.BEYOND[seat, action]
        state.turn_over = 0
    else:
        state.jumper = NO_SQUARE
        state.turn_over = 1
        state.to_act = 1 - seat
        check_ends(state, variant, rewards)


@kernel
def update_counts(state: Record, jumps: bool, is_king: bool) -> None:
    """Updates both draw counts, and ``irreversible``: after a capture or a man's move no position can recur."""
    state.irreversible = 1 if jumps or not is_king else 0
    if jumps:
        state.steps = 0
    elif state.steps < MAX_STEPS:
        state.steps += 1
    if state.irreversible:
        state.king_steps = 0
    elif state.king_steps < MAX_STEPS:
        state.king_steps += 1


@kernel
def is_drawn(state: Record, variant: Record, rule: int) -> bool:
    """Draw by count: whether ``rule`` is the variant's draw rule and its count has reached the limit.

    wcdf: "80 turns in a row (40 a side) … without a capture or any man's move"; openspiel: "40 actions in a row without
    a capture".
    """
    if variant.draw_rule != rule:
        return False
    return state.king_steps >= WCDF_LIMIT if rule == WCDF else state.steps >= OPENSPIEL_LIMIT


@kernel
def check_ends(state: Record, variant: Record, rewards: Any) -> None:
    """Ends the game at the end of a turn, if it is over. End: "If the seat to act has no move or no pieces, it loses."
    Rulings: this comes before the draw of wcdf, but after the draw of openspiel, which comes "even if the next seat has
    no move"."""
    if is_drawn(state, variant, OPENSPIEL):
        state.end = NO_PROGRESS
    elif not can_move(state, state.to_act):
        state.end = NO_MOVE
        rewards[state.to_act] -= 1
        rewards[1 - state.to_act] += 1
    elif is_drawn(state, variant, WCDF):
        state.end = NO_PROGRESS


# --- what is seen ---


@kernel
def draw_count(state: Record, variant: Record) -> int:
    """The count that the variant's draw rule limits; 0 without one."""
    if variant.draw_rule == WCDF:
        return min(state.king_steps, WCDF_LIMIT)
    return min(state.steps, OPENSPIEL_LIMIT) if variant.draw_rule == OPENSPIEL else 0


@kernel
def mark_squares(planes: Any, plane: int, seat: int, squares: Any) -> None:
    """Writes a set of squares as a whole plane. For White the board is turned by half a turn."""
    for octet in range(OCTETS):
        pattern = (squares >> board.OCTET_SHIFT[octet if seat == BLACK else OCTETS - 1 - octet]) & LOW_OCTET
        for row in range(2):
            mark_row(planes, FIELDS * plane + SIDE * (2 * octet + row), board.OCTET_ROWS[seat, pattern, row])


@kernel
def mark_row(planes: Any, start: int, fields: Any) -> None:
    """Writes the eight bytes of a word into a row. The compiler turns this loop into a single store."""
    for column in range(SIDE):
        planes[start + column] = (fields >> np.uint64(8 * column)) & LOW_OCTET


@kernel
def observe(state: Record, variant: Record, seat: int, planes: Any) -> None:
    """Writes `PLANES` from the view of ``seat``: its men move from the first row to the last, whichever side it has."""
    mine, other, kings = state.pieces[seat], state.pieces[1 - seat], state.kings
    in_jump = state.jumper != NO_SQUARE
    mark_squares(planes, 0, seat, mine & ~kings)
    mark_squares(planes, 1, seat, mine & kings)
    mark_squares(planes, 2, seat, other & ~kings)
    mark_squares(planes, 3, seat, other & kings)
    mark_squares(planes, 4, seat, BIT[state.jumper] if in_jump else ZERO)
    fill(planes, 5, FIELDS, 1 if seat == state.to_act else 0)
    fill(planes, 6, FIELDS, draw_count(state, variant))
    fill(planes, 7, FIELDS, 0 if in_jump else min(state.occurrences, 127))
    fill_plies_left(planes, 8, FIELDS, state, variant)


@kernel
def position_key(state: Record) -> Any:
    """The hash of pieces and seat to act. ``jumper`` is not needed: positions are compared at ends of turns only."""
    key = add_word(NO_WORDS, state.pieces[BLACK])
    key = add_word(key, state.pieces[WHITE])
    key = add_word(key, state.kings)
    return add_word(key, np.uint64(state.to_act))
