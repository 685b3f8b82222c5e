"""The rules of Swords & Shields, as kernels. Sources: Milton Bradley (the printed sheet) and the rulings listed in
README.md.

The 81 dots are numbered rank by rank from a1. An index means the same dot for both seats::

    9 | 72 73 74 75 76 77 78 79 80
    8 | 63 64 65 66 67 68 69 70 71
    7 | 54 55 56 57 58 59 60 61 62
    6 | 45 46 47 48 49 50 51 52 53      e5 = 40, the throne
    5 | 36 37 38 39 40 41 42 43 44      d5 f5 e4 e6 = 39 41 31 49, the circled dots
    4 | 27 28 29 30 31 32 33 34 35
    3 | 18 19 20 21 22 23 24 25 26
    2 |  9 10 11 12 13 14 15 16 17
    1 |  0  1  2  3  4  5  6  7  8
         a  b  c  d  e  f  g  h  i

An action is 16 × source dot + target number. Target numbers 0–7 are the 8 other dots of the source's rank (from file a
on), 8–15 the 8 other dots of its file (from rank 1 on). So there are 1296 actions, and the action mask has two 64-bit
words for each source dot, one for its rank and one for its file.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.bits import ONE, ZERO, clear, count_bits, has, lowest, toggle, without_lowest
from parlour.rulebook.chance import below
from parlour.rulebook.compiling import kernel
from parlour.rulebook.hashing import NO_WORDS, add_word
from parlour.rulebook.masks import nth_bit
from parlour.rulebook.no_dice import DICE as DICE
from parlour.rulebook.no_dice import dice_due as dice_due
from parlour.rulebook.no_dice import throw as throw
from parlour.rulebook.options import always
from parlour.rulebook.planes import PLIES_LEFT_PLANES, fill, fill_plies_left, mark
from parlour.rulebook.protocol import COMMON_ENDS, FIRST_OWN_END, RUNNING, Layout, Plane, Record, state_dtype

from .variants import CHIEF_BESIDE_THRONE, ESCAPE, THRONE_HOSTILE

SWORDS, SHIELDS = 0, 1  # the seats
CAPTURE, ESCAPED, NO_MOVE = FIRST_OWN_END, FIRST_OWN_END + 1, FIRST_OWN_END + 2
ENDS = (*COMMON_ENDS, "capture", "escape", "no_move")

HOSTILE_TO_ALL = THRONE_HOSTILE.number("all")
THREE = CHIEF_BESIDE_THRONE.number("three")
CORNER = ESCAPE.number("corner")

SIDE = 9
DOTS = SIDE * SIDE
TARGETS = 2 * (SIDE - 1)  # of each dot: the other dots of its rank, then those of its file
THRONE = 40
OFF = -1  # no dot: outside the board, or a captured Chief

RANK_OF, FILE_OF = np.arange(DOTS) // SIDE, np.arange(DOTS) % SIDE  # tables, since a look-up is faster than a division

STATE = state_dtype(
    [
        ("men", np.uint64, (2, 2)),  #    [seat]: swords, or shields without the Chief: a set of dots (rulebook/bits.py)
        ("ranks", np.uint16, (SIDE,)),  # bit f of ranks[r]: whether a piece stands on file f of rank r
        ("files", np.uint16, (SIDE,)),  # bit r of files[f]: the same bits, ordered by file
        ("chief", np.int64),  #           the Chief's dot, or OFF
    ]
)

NEIGHBOUR = np.full((DOTS, 4), OFF, np.int64)
"""[dot, direction]: the next dot to the left, right, below, above, or OFF; direction ^ 1 is the opposite one."""
for dot in range(DOTS):
    for direction, (file_step, rank_step) in enumerate(((-1, 0), (1, 0), (0, -1), (0, 1))):
        file, rank = dot % SIDE + file_step, dot // SIDE + rank_step
        if 0 <= file < SIDE and 0 <= rank < SIDE:
            NEIGHBOUR[dot, direction] = SIDE * rank + file

CIRCLED = np.zeros(DOTS, np.bool_)
"""[dot]: whether it is one of the four dots with white circles, beside the throne."""
CIRCLED[NEIGHBOUR[THRONE]] = True


def _reach_words() -> np.ndarray[Any, np.dtype[np.uint64]]:
    """[place, line]: the dots that a piece at ``place`` (0–8) of a line can reach. The nine bits of ``line`` say which
    dots of the line are occupied. The result is a word of the action mask: eight bytes 0 or 1, one for each other dot
    of the line."""
    reach = np.zeros((SIDE, 1 << SIDE, SIDE - 1), np.int8)
    for place in range(SIDE):
        for line in range(1 << SIDE):
            for step in (-1, 1):
                other = place + step
                while 0 <= other < SIDE and not line >> other & 1:
                    reach[place, line, other - (other > place)] = 1
                    other += step
    return reach.view(np.uint64)[:, :, 0]


REACH = _reach_words()
"""Milton Bradley, Moving of Pieces: "any number of empty dots in a straight line", "not diagonally", no jumping."""

# [escape, rank or file]: the dots where only the Chief may stop or pass, as bits (one table is enough for ranks and
# files, since the board is symmetric). Milton Bradley: "Only the Chief Shield has the privilege of moving onto or
# through the center". Ruling: with escape=corner, the corners too.
CHIEF_ONLY = np.zeros((2, SIDE), np.uint16)
CHIEF_ONLY[:, THRONE // SIDE] = 1 << THRONE % SIDE
CHIEF_ONLY[CORNER, [0, SIDE - 1]] = 1 | 1 << (SIDE - 1)

ESCAPE_DOT = np.zeros((2, DOTS), np.bool_)
"""[escape, dot]: where the Chief wins. Milton Bradley: "any outside dot on the board"; else only the corners."""
for dot in range(DOTS):
    ends = (dot % SIDE in (0, SIDE - 1)) + (dot // SIDE in (0, SIDE - 1))
    ESCAPE_DOT[ESCAPE.number("edge"), dot] = ends >= 1
    ESCAPE_DOT[CORNER, dot] = ends == 2

SETUP = "3sss3/4s4/4o4/s3o3s/ssoocooss/s3o3s/4o4/4s4/3sss3"
"""Ruling: the cross of Tablut. The sheet's picture is lost, but its counts of red, blue and circled dots fit it."""
SETUP_ROWS = "".join("." * int(letter) if letter.isdecimal() else letter for letter in SETUP).split("/")
SWORD, SHIELD, CHIEF = b"soc"
SETUP_DOTS = "".join(reversed(SETUP_ROWS))  # one letter per dot, a1 first
SETUP_BOARD = np.frombuffer(SETUP_DOTS.encode(), np.uint8)
"""The same letters as bytes."""

PLANES = (
    Plane("own men: swords, or shields without the Chief"),
    Plane("the other seat's men, the Chief not among them"),
    Plane("the own Chief"),
    Plane("the other seat's Chief"),
    Plane("all ones when the observing seat is to act"),
    Plane("how often the present position has occurred (0 when repetition is off, at most 127)", 0, 127, steps=(2, 3)),
    *PLIES_LEFT_PLANES,
)

layout = always(Layout(seats=2, actions=DOTS * TARGETS, height=SIDE, width=SIDE, planes=PLANES))


# --- the board ---


@kernel
def toggle_occupied(state: Record, dot: int) -> None:
    """Flips a dot between empty and occupied, in ``ranks`` and ``files``."""
    rank, file = RANK_OF[dot], FILE_OF[dot]
    state.ranks[rank] ^= 1 << file
    state.files[file] ^= 1 << rank


@kernel
def clear_board(state: Record) -> None:
    """Removes every piece from the board."""
    clear(state.men[SWORDS])
    clear(state.men[SHIELDS])
    state.ranks[:] = 0
    state.files[:] = 0
    state.chief = OFF


@kernel
def toggle_man(state: Record, men: Any, dot: int) -> None:
    """Puts a man of the set ``men``, swords or shields, on ``dot``; removes him if he stands there."""
    toggle(men, dot)
    toggle_occupied(state, dot)


@kernel
def put_chief(state: Record, dot: int) -> None:
    """Moves the Chief to an empty dot, or removes him from the board (OFF)."""
    if state.chief != OFF:
        toggle_occupied(state, state.chief)
    if dot != OFF:
        toggle_occupied(state, dot)
    state.chief = dot


@kernel
def set_board(state: Record, board: Any) -> None:
    """Sets the pieces whose letters are in ``board`` (uint8 (81,)). A dot with any other byte is empty."""
    clear_board(state)
    for dot in range(DOTS):
        if board[dot] == SWORD:
            toggle_man(state, state.men[SWORDS], dot)
        elif board[dot] == SHIELD:
            toggle_man(state, state.men[SHIELDS], dot)
        elif board[dot] == CHIEF:
            put_chief(state, dot)


@kernel
def setup(state: Record, variant: Record) -> None:
    """Milton Bradley, To Set-Up the Game; the sword player moves first (Moving of Pieces, 1)."""
    set_board(state, SETUP_BOARD)
    state.to_act = SWORDS


# --- moving ---


@kernel
def target_of(action: int) -> int:
    """The dot that an action moves to."""
    dot, place = action // TARGETS, action % TARGETS
    rank, file = RANK_OF[dot], FILE_OF[dot]
    if place < SIDE - 1:
        return SIDE * rank + place + (1 if place >= file else 0)
    place -= SIDE - 1
    return SIDE * (place + (1 if place >= rank else 0)) + file


@kernel
def reach_along_rank(state: Record, variant: Record, dot: int, is_chief: bool) -> Any:
    """The word of the action mask for the moves from ``dot`` in its rank."""
    rank = RANK_OF[dot]
    line = state.ranks[rank] if is_chief else state.ranks[rank] | CHIEF_ONLY[variant.escape, rank]
    return REACH[FILE_OF[dot], line]


@kernel
def reach_along_file(state: Record, variant: Record, dot: int, is_chief: bool) -> Any:
    """The word of the action mask for the moves from ``dot`` in its file."""
    file = FILE_OF[dot]
    line = state.files[file] if is_chief else state.files[file] | CHIEF_ONLY[variant.escape, file]
    return REACH[RANK_OF[dot], line]


@kernel
def legal(state: Record, variant: Record, mask: Any, words: Any) -> None:
    """Milton Bradley, Moving of Pieces, 2 and 3: every move of every piece of the seat to act."""
    for k in range(mask.size):
        mask[k] = 0
    if state.end != RUNNING:
        return
    men = state.men[state.to_act]
    for half in range(2):
        word = men[half]
        while word:
            dot = 64 * half + lowest(word)
            word = without_lowest(word)
            words[2 * dot] = reach_along_rank(state, variant, dot, False)
            words[2 * dot + 1] = reach_along_file(state, variant, dot, False)
    if state.to_act == SHIELDS:
        words[2 * state.chief] = reach_along_rank(state, variant, state.chief, True)
        words[2 * state.chief + 1] = reach_along_file(state, variant, state.chief, True)


@kernel
def movers(state: Record, half: int) -> Any:
    """Half 0 or 1 of the set of all pieces of the seat to act, the Chief included."""
    word = state.men[state.to_act, half]
    if state.to_act == SHIELDS and state.chief >> 6 == half:
        word = word | ONE << np.uint64(state.chief & 63)
    return word


@kernel
def draw_legal(state: Record, variant: Record, stream: Any) -> int:
    """One of the moves that `legal` allows, uniformly at random."""
    count = 0
    for half in range(2):
        word = movers(state, half)
        while word:
            dot = 64 * half + lowest(word)
            word = without_lowest(word)
            ranks = reach_along_rank(state, variant, dot, dot == state.chief)
            files = reach_along_file(state, variant, dot, dot == state.chief)
            count += count_bits(ranks | files << ONE)  # each byte is 0 or 1, so both words fit into one
    n = below(stream, count)
    for half in range(2):
        word = movers(state, half)
        while word:
            dot = 64 * half + lowest(word)
            word = without_lowest(word)
            ranks = reach_along_rank(state, variant, dot, dot == state.chief)
            size = count_bits(ranks)
            if n < size:
                return TARGETS * dot + (nth_bit(ranks, n) >> 3)
            n -= size
            files = reach_along_file(state, variant, dot, dot == state.chief)
            size = count_bits(files)
            if n < size:
                return TARGETS * dot + SIDE - 1 + (nth_bit(files, n) >> 3)
            n -= size
    return -1


@kernel
def can_move(state: Record, variant: Record, seat: int) -> bool:
    """Whether the seat has a legal move."""
    men = state.men[seat]
    for half in range(2):
        word = men[half]
        while word:
            dot = 64 * half + lowest(word)
            word = without_lowest(word)
            if (reach_along_rank(state, variant, dot, False) | reach_along_file(state, variant, dot, False)) != ZERO:
                return True
    if seat == SWORDS:
        return False
    chief = state.chief
    return (reach_along_rank(state, variant, chief, True) | reach_along_file(state, variant, chief, True)) != ZERO


# --- capturing ---


@kernel
def is_own_piece(state: Record, seat: int, dot: int) -> bool:
    """Whether ``seat`` has a piece on ``dot``: "The Chief Shield may capture like any other" (Milton Bradley)."""
    return has(state.men[seat], dot) or (seat == SHIELDS and dot == state.chief)


@kernel
def counts_as_own_piece(state: Record, variant: Record, seat: int, dot: int) -> bool:
    """Whether ``dot`` counts as the mover's second piece in the capture of a sword or shield: a piece of the mover
    stands there, or it is the empty throne and throne_hostile=all."""
    if dot == THRONE and variant.throne_hostile == HOSTILE_TO_ALL and state.chief != THRONE:
        return True
    return is_own_piece(state, seat, dot)


@kernel
def swords_beside(state: Record, dot: int) -> int:
    """How many of the four dots beside ``dot`` hold swords."""
    count = 0
    for direction in range(4):
        beside = NEIGHBOUR[dot, direction]
        if beside != OFF and has(state.men[SWORDS], beside):
            count += 1
    return count


@kernel
def captures_chief(state: Record, variant: Record, beyond: int) -> bool:
    """Whether the sword that has just moved beside the Chief captures him. ``beyond``: the dot on his other side.

    Milton Bradley, Swords Win, 1–3: on a regular dot he is captured like any shield; on the throne by four swords; on a
    circled dot "by one sword trapping him between this dot and the empty Chief Shield dot". Rulings: on a circled dot
    two swords on the other axis capture him as well; with chief_beside_throne=three only swords on all three other dots
    beside him do.
    """
    if state.chief == THRONE:
        return swords_beside(state, THRONE) == 4
    if CIRCLED[state.chief] and variant.chief_beside_throne == THREE:
        return swords_beside(state, state.chief) == 3
    if beyond == THRONE:
        return True
    return beyond != OFF and has(state.men[SWORDS], beyond)


@kernel
def capture_beside(state: Record, variant: Record, seat: int, dot: int) -> None:
    """A piece of ``seat`` has just moved to ``dot``: removes every enemy piece that it captures.

    Milton Bradley, Capturing Pieces: "three adjacent dots in a straight line"; two or three pieces may be captured in
    one turn. Ruling: only the piece that moved captures, so moving between two enemies is safe. Two enemies in a row
    are both safe, since the dot beyond the first holds no piece of the mover.
    """
    enemies = state.men[1 - seat]
    for direction in range(4):
        beside = NEIGHBOUR[dot, direction]
        if beside == OFF:
            continue
        beyond = NEIGHBOUR[beside, direction]
        if has(enemies, beside):
            if beyond != OFF and counts_as_own_piece(state, variant, seat, beyond):
                toggle_man(state, enemies, beside)
                state.irreversible = 1
        elif seat == SWORDS and beside == state.chief and captures_chief(state, variant, beyond):
            put_chief(state, OFF)


# --- a ply and its ends ---


@kernel
def finish(state: Record, rewards: Any, winner: int, end: int) -> None:
    """Ends the game: +1 for the winner, −1 for the other seat."""
    state.end = end
    rewards[winner] += 1
    rewards[1 - winner] -= 1


@kernel
def apply(state: Record, variant: Record, action: int, rewards: Any) -> None:
    """Moves a piece, captures, passes the turn, and ends the game if the ply wins or the next seat has no move."""
    seat = state.to_act
    source, target = action // TARGETS, target_of(action)
    state.irreversible = 0
    if source == state.chief:
        put_chief(state, target)
    else:
        toggle_man(state, state.men[seat], source)
        toggle_man(state, state.men[seat], target)
    capture_beside(state, variant, seat, target)
    state.to_act = 1 - seat
    if state.chief == OFF:
        finish(state, rewards, SWORDS, CAPTURE)
    elif ESCAPE_DOT[variant.escape, state.chief]:
        finish(state, rewards, SHIELDS, ESCAPED)  # even between two swords (ruling)
    elif not can_move(state, variant, 1 - seat):
        finish(state, rewards, seat, NO_MOVE)  # ruling: a seat with no move, or no pieces, loses


# --- what is seen ---


@kernel
def observe(state: Record, variant: Record, seat: int, planes: Any) -> None:
    """Writes `PLANES` from the view of ``seat``. The board is not turned, since the game is not symmetric."""
    for k in range(4 * DOTS):
        planes[k] = 0
    mark(planes, 0, DOTS, state.men[seat])
    mark(planes, 1, DOTS, state.men[1 - seat])
    if state.chief != OFF:
        planes[(2 if seat == SHIELDS else 3) * DOTS + state.chief] = 1
    fill(planes, 4, DOTS, 1 if seat == state.to_act else 0)
    fill(planes, 5, DOTS, min(state.occurrences, 127))
    fill_plies_left(planes, 6, DOTS, state, variant)


@kernel
def position_key(state: Record) -> Any:
    """The hash of pieces and seat to act."""
    key = NO_WORDS
    for seat in range(2):
        for half in range(2):
            key = add_word(key, state.men[seat, half])
    return add_word(key, np.uint64(2 * (state.chief + 1) + state.to_act))
