"""The rules of Swords & Shields, as kernels. Sources: Milton Bradley (the printed sheet) and the rulings listed in
README.md.

The 81 dots, numbered along each rank from file a, rank by rank from rank 1; an index means the same for both seats::

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

An action is 16 × the dot it starts from + its target's place among the 8 other dots of the rank (0–7, from file a) or
of the file (8–15, from rank 1): 1296 in all, so that the mask is two 64-bit words a dot.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.bits import ONE, ZERO, clear, count_bits, has, lowest, toggle, without_lowest
from parlour.rulebook.chance import below
from parlour.rulebook.compiling import kernel
from parlour.rulebook.hashing import NO_WORDS, add_word
from parlour.rulebook.masks import nth_bit
from parlour.rulebook.no_dice import DICE, FIRST_FACE, dice_due, throw
from parlour.rulebook.planes import PLIES_LEFT_PLANES, fill, fill_plies_left, mark
from parlour.rulebook.protocol import COMMON_ENDS, FIRST_OWN_END, RUNNING, Layout, Plane, Record, state_dtype

from .variants import CHIEF_BESIDE_THRONE, ESCAPE, THRONE_HOSTILE

__all__ = [
    "DICE",
    "ENDS",
    "FIRST_FACE",
    "STATE",
    "apply",
    "can_move",
    "dice_due",
    "layout",
    "legal",
    "moves",
    "observe",
    "position_key",
    "prune_nonwinning",
    "setup",
    "throw",
]  # fmt: skip

SWORDS, SHIELDS = 0, 1  # the seats
CAPTURE, ESCAPED, NO_MOVE = FIRST_OWN_END, FIRST_OWN_END + 1, FIRST_OWN_END + 2
ENDS = (*COMMON_ENDS, "capture", "escape", "no_move")

HOSTILE_TO_ALL = THRONE_HOSTILE.number("all")
THREE = CHIEF_BESIDE_THRONE.number("three")
CORNER = ESCAPE.number("corner")

SIDE = 9
DOTS = SIDE * SIDE
TARGETS = 2 * (SIDE - 1)  # of a dot: the others of its rank, then the others of its file
THRONE = 40
OFF = -1  # no dot: outside the board, or a captured Chief

RANK_OF, FILE_OF = np.arange(DOTS) // SIDE, np.arange(DOTS) % SIDE  # quicker than dividing

STATE = state_dtype(
    [
        (
            "men",
            np.uint64,
            (2, 2),
        ),  #    [seat]: the swords, or the shields without the Chief: sets of dots (rulebook/bits.py)
        ("ranks", np.uint16, (SIDE,)),  # bit f of ranks[r]: whether a piece stands on file f of rank r
        ("files", np.uint16, (SIDE,)),  # bit r of files[f]: the same, seen along the files
        ("chief", np.int64),  #           his dot, or OFF
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
    """[place, line]: the reach of a piece at ``place`` (0–8) on a line of nine dots whose bits in ``line`` say which
    are
    taken: a word of eight 0/1 bytes, one for each other place, just as it stands in the action mask."""
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

# Where only the Chief may stop or pass, as bits of each rank and each file (the board is symmetric): "Only the Chief
# Shield has the privilege of moving onto or through the center" (Milton Bradley); with escape=corner, the corners too.
CHIEF_ONLY = np.zeros((2, SIDE), np.uint16)
CHIEF_ONLY[:, THRONE // SIDE] = 1 << THRONE % SIDE
CHIEF_ONLY[CORNER, [0, SIDE - 1]] = 1 | 1 << (SIDE - 1)

ESCAPE_DOT = np.zeros((2, DOTS), np.bool_)
"""[escape, dot]: Milton Bradley: "any outside dot on the board"; with escape=corner only the four corners."""
for dot in range(DOTS):
    ends = (dot % SIDE in (0, SIDE - 1)) + (dot // SIDE in (0, SIDE - 1))
    ESCAPE_DOT[ESCAPE.number("edge"), dot] = ends >= 1
    ESCAPE_DOT[CORNER, dot] = ends == 2

SETUP = "3sss3/4s4/4o4/s3o3s/ssoocooss/s3o3s/4o4/4s4/3sss3"
"""Ruling: the Tablut cross; the sheet's picture is lost, its counts of red, blue and circled dots fit."""
SETUP_ROWS = "".join("." * int(letter) if letter.isdecimal() else letter for letter in SETUP).split("/")
SWORD, SHIELD, CHIEF = b"soc"
SETUP_DOTS = "".join(reversed(SETUP_ROWS))  # a letter a dot, a1 first
SETUP_BOARD = np.frombuffer(SETUP_DOTS.encode(), np.uint8)
"""The same letters as bytes."""

PLANES = (
    Plane("own men: swords, or shields without the Chief"),
    Plane("the other seat's men, the Chief not among them"),
    Plane("the own Chief"),
    Plane("the other seat's Chief"),
    Plane("all ones when the observing seat is to act"),
    Plane("how often the present position has occurred (0 when repetition is off, at most 127)", 0, 127),
    *PLIES_LEFT_PLANES,
)


def layout(values: dict[str, Any]) -> Layout:
    """The same under all options."""
    return Layout(seats=2, actions=DOTS * TARGETS, height=SIDE, width=SIDE, planes=PLANES)


# --- the board ---


@kernel
def turn_dot(state: Record, dot: int) -> None:
    """Notes that an empty dot has been taken, or a taken one left."""
    rank, file = RANK_OF[dot], FILE_OF[dot]
    state.ranks[rank] ^= 1 << file
    state.files[file] ^= 1 << rank


@kernel
def clear_board(state: Record) -> None:
    """Takes every piece off."""
    clear(state.men[SWORDS])
    clear(state.men[SHIELDS])
    state.ranks[:] = 0
    state.files[:] = 0
    state.chief = OFF


@kernel
def put_man(state: Record, men: Any, dot: int) -> None:
    """Puts a sword or shield (``men`` is the set of either) on an empty dot, or takes it off."""
    toggle(men, dot)
    turn_dot(state, dot)


@kernel
def put_chief(state: Record, dot: int) -> None:
    """Puts the Chief on an empty dot, or takes him off the board (OFF)."""
    if state.chief != OFF:
        turn_dot(state, state.chief)
    if dot != OFF:
        turn_dot(state, dot)
    state.chief = dot


@kernel
def set_board(state: Record, board: Any) -> None:
    """Puts up the pieces whose letters are in ``board`` (uint8 (81,)); a dot with any other byte is empty."""
    clear_board(state)
    for dot in range(DOTS):
        if board[dot] == SWORD:
            put_man(state, state.men[SWORDS], dot)
        elif board[dot] == SHIELD:
            put_man(state, state.men[SHIELDS], dot)
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
    """The dot that an action leads to."""
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
    """Milton Bradley, Moving of Pieces, 2 and 3."""
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
def list_word(actions: Any, count: int, first: int, word: Any) -> int:
    """Appends the moves of a word of the action mask, whose first action is ``first``, to the ``count`` that are
    listed. How many are listed then."""
    while word:
        actions[count] = first + (lowest(word) >> 3)
        word = without_lowest(word)
        count += 1
    return count


@kernel
def moves(state: Record, variant: Record, actions: Any) -> int:
    """What `legal` allows, as a list."""
    count = 0
    for half in range(2):
        word = state.men[state.to_act, half]
        while word:
            dot = 64 * half + lowest(word)
            word = without_lowest(word)
            first = TARGETS * dot
            count = list_word(actions, count, first, reach_along_rank(state, variant, dot, False))
            count = list_word(actions, count, first + SIDE - 1, reach_along_file(state, variant, dot, False))
    if state.to_act == SHIELDS:
        first = TARGETS * state.chief
        count = list_word(actions, count, first, reach_along_rank(state, variant, state.chief, True))
        count = list_word(actions, count, first + SIDE - 1, reach_along_file(state, variant, state.chief, True))
    return count


@kernel
def movers(state: Record, half: int) -> Any:
    """A word of the set of the pieces of the seat to act, the Chief among them."""
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
            count += count_bits(ranks | files << ONE)  # bytes 0 or 1 each
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
    """Whether the seat has a piece that can move at all."""
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
    """Whether a piece of ``seat`` stands on ``dot``: "The Chief Shield may capture like any other shield" (Milton
    Bradley)."""
    return has(state.men[seat], dot) or (seat == SHIELDS and dot == state.chief)


@kernel
def takes_part(state: Record, variant: Record, seat: int, dot: int) -> bool:
    """Whether ``dot`` serves as the mover's other piece against a sword or shield: a piece of the mover stands there,
    or it is the empty throne and the option throne_hostile says `all`."""
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
def takes_chief(state: Record, variant: Record, beyond: int) -> bool:
    """Whether the sword that has just moved beside the Chief captures him; ``beyond`` is the dot on his other side.

    Milton Bradley, Swords Win, 1–3: like any shield on a regular dot; by four swords on his own dot; on a circled dot
    "by one sword trapping him between this dot and the empty Chief Shield dot". Rulings: two swords on the other axis
    take him there as well; with chief_beside_throne=three only swords on all three other dots beside him do.
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
    """Removes every enemy piece that the piece of ``seat`` which has just moved to ``dot`` captures.

    Milton Bradley, Capturing Pieces: "three adjacent dots in a straight line"; two or three pieces may fall in one
    turn. Ruling: only the piece that moved captures, so moving between two enemies is safe. Of two pieces in a row
    neither is taken: the dot beyond the first holds no piece of the mover.
    """
    enemies = state.men[1 - seat]
    for direction in range(4):
        beside = NEIGHBOUR[dot, direction]
        if beside == OFF:
            continue
        beyond = NEIGHBOUR[beside, direction]
        if has(enemies, beside):
            if beyond != OFF and takes_part(state, variant, seat, beyond):
                put_man(state, enemies, beside)
                state.irreversible = 1
        elif seat == SWORDS and beside == state.chief and takes_chief(state, variant, beyond):
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
    """Moves a piece, captures, passes the turn, and ends the game if the ply or the next seat's lack of moves does."""
    seat = state.to_act
    source, target = action // TARGETS, target_of(action)
    state.irreversible = 0
    if source == state.chief:
        put_chief(state, target)
    else:
        put_man(state, state.men[seat], source)
        put_man(state, state.men[seat], target)
    capture_beside(state, variant, seat, target)
    state.to_act = 1 - seat
    if state.chief == OFF:
        finish(state, rewards, SWORDS, CAPTURE)
    elif ESCAPE_DOT[variant.escape, state.chief]:
        finish(state, rewards, SHIELDS, ESCAPED)  # even between two swords (ruling)
    elif not can_move(state, variant, 1 - seat):
        finish(state, rewards, seat, NO_MOVE)  # ruling: a seat with no move, or no pieces, loses


@kernel
def can_be_shut_in(state: Record, variant: Record, seat: int) -> bool:
    """False if the seat has men enough that can move: what lands on a dot takes moves from the four beside it at the
    most."""
    men, left = state.men[seat], 4
    for half in range(2):
        word = men[half]
        while word:
            dot = 64 * half + lowest(word)
            word = without_lowest(word)
            if (reach_along_rank(state, variant, dot, False) | reach_along_file(state, variant, dot, False)) != ZERO:
                if left == 0:
                    return False
                left -= 1
    return True


@kernel
def prune_nonwinning(state: Record, variant: Record, mask: Any, words: Any) -> None:
    """Unless the other seat can be shut in, only swords beside the Chief win, and only moves of the Chief win for the
    shields."""
    seat, chief = state.to_act, state.chief
    if can_be_shut_in(state, variant, 1 - seat):
        return
    left, right, below, above = NEIGHBOUR[chief, 0], NEIGHBOUR[chief, 1], NEIGHBOUR[chief, 2], NEIGHBOUR[chief, 3]
    for k in range(words.size):
        if words[k] == ZERO:
            continue
        if seat == SHIELDS:
            if k // 2 != chief:
                words[k] = ZERO
            continue
        for action in range(8 * k, 8 * k + 8):
            if mask[action]:
                dot = target_of(action)
                if dot != left and dot != right and dot != below and dot != above:
                    mask[action] = 0


# --- what is seen ---


@kernel
def observe(state: Record, variant: Record, seat: int, planes: Any) -> None:
    """The planes of `PLANES`, from the view of ``seat``; the board is not turned (the game is not symmetric)."""
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
    """Pieces and seat to act."""
    key = NO_WORDS
    for seat in range(2):
        for half in range(2):
            key = add_word(key, state.men[seat, half])
    return add_word(key, np.uint64(2 * (state.chief + 1) + state.to_act))
