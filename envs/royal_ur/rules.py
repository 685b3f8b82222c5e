"""The rules of the Royal Game of Ur, as kernels. README.md has the sources of each clause and the rulings.

Each seat counts the *squares* of its own path from 1 to L (`paths`); 0 stands for the hand, L + 1 for off the board. A
set of squares is a word: bit k is square k. Where the two paths share tiles, and where a path comes over a tile twice,
tables say which squares lie on the same tile.

Actions, from the view of the seat to act: the square of the man that moves (0: a man from the hand); 28 is `pass`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.bits import ONE, ZERO, count_bits, lowest, without_lowest
from parlour.rulebook.chance import below, fair
from parlour.rulebook.compiling import kernel
from parlour.rulebook.options import always
from parlour.rulebook.planes import PLIES_LEFT_PLANES, fill, fill_plies_left
from parlour.rulebook.protocol import COMMON_ENDS, FIRST_OWN_END, RUNNING, Layout, Plane, Record, state_dtype

from .paths import COLUMNS, LONGEST, PATHS, ROWS, mirrored
from .variants import DICE_KIND, MEN

DICE = (fair(2, first=0),) * 4
"""A tetrahedron has two marked tips of four: 1 if a marked one is up."""
LIGHT, DARK = 0, 1  # the seats
BORNE_OFF = FIRST_OWN_END
ENDS = (*COMMON_ENDS, "borne_off")

THREE = DICE_KIND.number("three")
HIGHEST = 4  # the largest number of a throw, under both options
HAND, PASS = 0, LONGEST + 1
ACTIONS = PASS + 1
CELLS = ROWS * COLUMNS

STATE = state_dtype(
    [
        ("held", np.uint64, (2,)),  # [seat]: its men on the board, as a set of its own squares
        ("hand", np.int8, (2,)),  #   [seat]: men still to enter
        ("off", np.int8, (2,)),  #    [seat]: men borne off
        ("dice", np.int8, (4,)),  #   the latest throw, in ascending order, −1 for a die that is not thrown
        ("number", np.int8),  #       how far the throw moves a man
        ("due", np.int8),  #          1 while a throw is due
        ("reached", np.int8),  #      the square to which the latest ply moved a man, 0 without one; for pictures
    ]
)


def _meeting() -> tuple[Any, Any, Any, Any]:
    """[path, square]: the own squares, and the other seat's, on the same tile; the cell of the tile as its owner sees
    it, −1 for no square; and whether the path has been there before."""
    shape = len(PATHS), LONGEST + 2
    mine, other = np.zeros(shape, np.uint64), np.zeros(shape, np.uint64)
    cells, again = np.full(shape, -1, np.int64), np.zeros(shape, np.int64)
    for p, (_, way) in enumerate(PATHS.values()):
        for s, tile in enumerate(way, 1):
            cells[p, s] = COLUMNS * tile[0] + tile[1]
            again[p, s] = tile in way[: s - 1]
            for t, another in enumerate(way, 1):
                mine[p, s] |= np.uint64((tile == another) << t)
                other[p, s] |= np.uint64((tile == mirrored(another)) << t)
    return mine, other, cells, again


SAME_TILE, MEETS, CELL, SECOND_TIME = _meeting()
LENGTH = np.array([len(way) for _, way in PATHS.values()])
"""[path]: L"""
ROSETTES = np.array(
    [sum(1 << s for s, tile in enumerate(way, 1) if tile in board.rosettes) for board, way in PATHS.values()], np.uint64
)
"""[path]: the squares with rosettes."""
ROSETTE_CELLS = np.array(
    [[int(divmod(cell, COLUMNS) in board.rosettes) for cell in range(CELLS)] for board, _ in PATHS.values()], np.int8
)
"""[path, cell]: 1 where a rosette is, the same from both sides."""
BIT = np.array([1 << k for k in range(LONGEST + 3)], np.uint64)
EIGHT, LOW_BYTE = np.uint64(8), np.uint64(255)
SPREAD = np.array([[byte >> k & 1 for k in range(8)] for byte in range(256)], np.int8).view(np.uint64)[:, 0]
"""[byte]: its eight bits as eight bytes."""

PLANES = (
    Plane("own men on tiles that they come over for the first time"),
    Plane("own men on tiles that they come over for the second time"),
    Plane("the other seat's men on tiles that they come over for the first time"),
    Plane("the other seat's men on tiles that they come over for the second time"),
    Plane("own men in hand", 0, MEN.maximum, steps=(1, 2, 3)),
    Plane("the other seat's men in hand", 0, MEN.maximum, steps=(1, 2, 3)),
    Plane("own men borne off", 0, MEN.maximum),
    Plane("the other seat's men borne off", 0, MEN.maximum),
    Plane("rosettes"),
    *(Plane(f"all ones when the throw moves a man by {number}", kind="dice") for number in range(1, HIGHEST + 1)),
    Plane("all ones when the observing seat is to act"),
    *PLIES_LEFT_PLANES,
)
HAND_PLANE, ROSETTE_PLANE, NUMBER_PLANE = 4, 8, 8  # the last plus the number
TO_ACT_PLANE = NUMBER_PLANE + HIGHEST + 1

layout = always(Layout(seats=2, actions=ACTIONS, height=ROWS, width=COLUMNS, planes=PLANES))
"""The rows of the longer board, the observing seat's own row first."""


@kernel
def setup(state: Record, variant: Record) -> None:
    """All men are in hand. Ruling: Light throws first."""
    for seat in range(2):
        state.held[seat] = ZERO
        state.hand[seat] = variant.men
        state.off[seat] = 0
    for k in range(4):
        state.dice[k] = -1
    state.number = 0
    state.reached = 0
    state.due = 1
    state.to_act = LIGHT


# --- the dice ---


@kernel
def dice_thrown(variant: Record) -> int:
    """Four; three if the option says so."""
    return 3 if variant.dice == THREE else 4


@kernel
def dice_due(state: Record, variant: Record) -> int:
    """All of them before each turn, and before another throw."""
    return dice_thrown(variant) if state.due else 0


@kernel
def throw(state: Record, variant: Record, faces: Any, rewards: Any) -> None:
    """The number of marked tips; of three dice, no marked tip counts 4."""
    dice, marked = dice_thrown(variant), 0
    for k in range(dice):
        marked += np.int64(faces[k])
    for k in range(dice):
        state.dice[k] = 1 if k >= dice - marked else 0
    state.number = HIGHEST if marked == 0 and variant.dice == THREE else marked
    state.due = 0


# --- what is legal ---


@kernel
def taken(variant: Record, held: Any, tables: Any) -> Any:
    """The squares on the tiles of the men ``held``. ``tables``: `SAME_TILE` for own men, `MEETS` for the other's."""
    path = np.int64(variant.path)
    squares = ZERO
    while held:
        squares |= tables[path, lowest(held)]
        held = without_lowest(held)
    return squares


@kernel
def movable(state: Record, variant: Record) -> Any:
    """The squares whose man may move by the number thrown, 0 for a man from the hand, as a set.

    A man goes forward by the whole number, and off the board by exactly one more than the squares before it. He can't
    land on an own man, nor, where rosettes are safe, on another man on a rosette.
    """
    number, seat, path = np.int64(state.number), np.int64(state.to_act), np.int64(variant.path)
    if number == 0:
        return ZERO
    closed = taken(variant, state.held[seat], SAME_TILE)
    if variant.safe_rosettes:
        closed |= taken(variant, state.held[1 - seat], MEETS) & ROSETTES[path]
    men = state.held[seat]
    if state.hand[seat] > 0:
        men |= ONE
    within = (BIT[LENGTH[path] + 2 - number]) - ONE  # a move goes to L + 1 at most
    return men & within & ~(closed >> np.uint64(number))


@kernel
def legal(state: Record, variant: Record, mask: Any, words: Any) -> None:
    """Every man that may move; `pass` if none may."""
    actions = ZERO
    if state.end == RUNNING:
        actions = movable(state, variant)
        if actions == ZERO:
            actions = BIT[PASS]
    for word in range(words.shape[0]):
        words[word] = SPREAD[actions & LOW_BYTE]
        actions >>= EIGHT


@kernel
def draw_legal(state: Record, variant: Record, stream: Any) -> int:
    """One of the actions that `legal` allows."""
    men = movable(state, variant)
    n = below(stream, max(count_bits(men), 1))
    if men == ZERO:
        return PASS
    for _ in range(n):
        men = without_lowest(men)
    return lowest(men)


# --- a ply ---


@kernel
def pass_turn(state: Record) -> None:
    """The other seat throws."""
    state.to_act = 1 - state.to_act
    state.turn_over = 1


@kernel
def apply(state: Record, variant: Record, action: int, rewards: Any) -> None:
    """Moves a man, captures, bears off; or passes. Who comes to a rosette, or captures, may throw again."""
    state.irreversible = 0
    state.turn_over = 0
    state.due = 1
    state.reached = 0
    if action == PASS:
        pass_turn(state)
        return
    seat, path = np.int64(state.to_act), np.int64(variant.path)
    target = action + np.int64(state.number)
    if action == HAND:
        state.hand[seat] -= 1
    else:
        state.held[seat] &= ~BIT[action]
    if target > LENGTH[path]:
        bear_off(state, variant, seat, rewards)
        return
    state.reached = target
    state.held[seat] |= BIT[target]
    captured = state.held[1 - seat] & MEETS[path, target]
    if captured != ZERO:
        state.held[1 - seat] &= ~captured
        state.hand[1 - seat] += 1
    again = variant.rosette_throws and (ROSETTES[path] & BIT[target]) != ZERO
    if not (again or (variant.capture_throws and captured != ZERO)):
        pass_turn(state)


@kernel
def bear_off(state: Record, variant: Record, seat: int, rewards: Any) -> None:
    """Who has borne off all men wins; else the turn is over."""
    state.off[seat] += 1
    if state.off[seat] < variant.men:
        pass_turn(state)
        return
    state.end = BORNE_OFF
    state.due = 0
    state.turn_over = 1
    rewards[seat] += 1
    rewards[1 - seat] -= 1


# --- what is seen ---


@kernel
def observe(state: Record, variant: Record, seat: int, planes: Any) -> None:
    """Writes `PLANES` from the view of ``seat``: its own row is the first."""
    path = np.int64(variant.path)
    for plane in range(HAND_PLANE):
        fill(planes, plane, CELLS, 0)
    for k in range(2):
        whose = seat if k == 0 else 1 - seat
        men = state.held[whose]
        while men:
            square = lowest(men)
            cell = CELL[path, square]
            if k == 1:
                cell += (ROWS - 1 - 2 * (cell // COLUMNS)) * COLUMNS  # the other seat's rows, seen from here
            planes[(2 * k + SECOND_TIME[path, square]) * CELLS + cell] = 1
            men = without_lowest(men)
        fill(planes, HAND_PLANE + k, CELLS, state.hand[whose])
        fill(planes, HAND_PLANE + 2 + k, CELLS, state.off[whose])
    for cell in range(CELLS):
        planes[ROSETTE_PLANE * CELLS + cell] = ROSETTE_CELLS[path, cell]
    for number in range(1, HIGHEST + 1):
        fill(planes, NUMBER_PLANE + number, CELLS, 1 if state.number == number else 0)
    fill(planes, TO_ACT_PLANE, CELLS, 1 if seat == state.to_act else 0)
    fill_plies_left(planes, TO_ACT_PLANE + 1, CELLS, state, variant)


@kernel
def position_key(state: Record) -> Any:
    """A game with dice has no repetition."""
    return ZERO
