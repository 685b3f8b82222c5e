"""The rules. README.md has the source of each clause and the rulings.

A place is a number: 0 is the hand; 1 to the option ``length`` are the squares of the track, the same for both seats;
`HOME` comes after the longest track. Action k moves a man from place k; `PASS` moves none.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.chance import fair
from parlour.rulebook.compiling import kernel
from parlour.rulebook.options import always
from parlour.rulebook.planes import PLIES_LEFT_PLANES, fill, fill_plies_left
from parlour.rulebook.protocol import COMMON_ENDS, FIRST_OWN_END, RUNNING, Layout, Plane, Record, state_dtype

from .variants import MAX_LENGTH

DICE = (fair(6),)
HIGHEST = 6
FIRST, SECOND = 0, 1  # the seats
MEN = 2  # of each seat
HAND, HOME = 0, MAX_LENGTH + 1
PASS = MAX_LENGTH + 1
NOT_THROWN, DECIDED = 0, -1  # values of `opening`
ALL_HOME = FIRST_OWN_END
ENDS = (*COMMON_ENDS, "all_home")

STATE = state_dtype(
    [
        ("men", np.int64, (2, HOME + 1)),  # [seat, place]: how many of its men are there
        ("dice", np.int8, (1,)),  #           the latest throw, −1 before there is one
        ("due", np.int8),  #                  how many dice must be thrown before a seat can act: 1 or 0
        ("opening", np.int8),  #              the throw of `FIRST` for the start; or NOT_THROWN, or DECIDED
    ]
)
PLANES = (
    Plane("own men on each square"),
    Plane("the other seat's men on each square"),
    Plane("own men in hand", 0, MEN),
    Plane("the other seat's men in hand", 0, MEN),
    Plane("own men at home", 0, MEN),
    Plane("the other seat's men at home", 0, MEN),
    Plane("the throw", 1, HIGHEST, kind="dice"),
    Plane("all ones when the observing seat is to act"),
    *PLIES_LEFT_PLANES,
)
HAND_PLANE, HOME_PLANE, THROW_PLANE, TO_ACT_PLANE, LEFT_PLANE = 2, 4, 6, 7, 8

layout = always(Layout(seats=2, actions=PASS + 1, height=1, width=MAX_LENGTH, planes=PLANES))
"""The same for a track of any length, with squares that are never used behind a shorter one."""


@kernel
def setup(state: Record, variant: Record) -> None:
    """All men are in hand, and `FIRST` throws for the start."""
    state.men[:] = 0
    for seat in range(2):
        state.men[seat, HAND] = MEN
    state.dice[0] = -1
    state.due = 1
    state.opening = NOT_THROWN
    state.to_act = FIRST


@kernel
def dice_due(state: Record, variant: Record) -> int:
    """One die for each throw for the start, and one before each turn."""
    return state.due


@kernel
def throw(state: Record, variant: Record, faces: Any, rewards: Any) -> None:
    """A throw for the start; or the number by which the seat to act moves a man."""
    if state.opening == DECIDED:
        state.dice[0] = faces[0]
        state.due = 0
    else:
        throw_for_start(state, faces[0])


@kernel
def throw_for_start(state: Record, face: int) -> None:
    """Each seat throws the die, and the higher number begins. After equal numbers both throw again."""
    if state.opening == NOT_THROWN:
        state.opening = face
    elif state.opening == face:
        state.opening = NOT_THROWN
    else:
        state.to_act = FIRST if state.opening > face else SECOND
        state.opening = DECIDED


@kernel
def can_move(state: Record, variant: Record, place: int) -> bool:
    """Whether the seat to act has a man in a place that may move by the throw: no man comes to an own man's square."""
    seat, target = state.to_act, place + np.int64(state.dice[0])
    if state.men[seat, place] == 0:
        return False
    if target > variant.length:
        return target == variant.length + 1 or variant.exact == 0
    return state.men[seat, target] == 0


@kernel
def legal(state: Record, variant: Record, mask: Any, words: Any) -> None:
    """Every place with a man that can move; the pass if there is none."""
    mask[:] = 0
    if state.end != RUNNING:
        return
    mask[PASS] = 1
    for place in range(variant.length + 1):
        if can_move(state, variant, place):
            mask[place] = 1
            mask[PASS] = 0


@kernel
def apply(state: Record, variant: Record, action: int, rewards: Any) -> None:
    """Moves a man, or passes. Then the other seat throws, unless the game is over."""
    seat = state.to_act
    state.turn_over = 1
    state.irreversible = 0
    state.due = 1
    state.to_act = 1 - seat
    if action != PASS:
        move(state, variant, seat, action)
    if state.men[seat, HOME] == MEN:
        state.end = ALL_HOME
        state.due = 0
        rewards[seat] += 1
        rewards[1 - seat] -= 1


@kernel
def move(state: Record, variant: Record, seat: int, place: int) -> None:
    """Moves a man by the throw, home from the end of the track. A man that is hit goes back to its seat's hand."""
    target = place + np.int64(state.dice[0])
    state.men[seat, place] -= 1
    if target > variant.length:
        state.men[seat, HOME] += 1
        return
    state.men[seat, target] += 1
    state.men[1 - seat, HAND] += state.men[1 - seat, target]
    state.men[1 - seat, target] = 0


@kernel
def observe(state: Record, variant: Record, seat: int, planes: Any) -> None:
    """Writes `PLANES` from the view of ``seat``."""
    for k in range(2):
        whose = seat if k == 0 else 1 - seat
        for square in range(1, MAX_LENGTH + 1):
            planes[k * MAX_LENGTH + square - 1] = state.men[whose, square]
        fill(planes, HAND_PLANE + k, MAX_LENGTH, state.men[whose, HAND])
        fill(planes, HOME_PLANE + k, MAX_LENGTH, state.men[whose, HOME])
    fill(planes, THROW_PLANE, MAX_LENGTH, state.dice[0])
    fill(planes, TO_ACT_PLANE, MAX_LENGTH, 1 if seat == state.to_act else 0)
    fill_plies_left(planes, LEFT_PLANE, MAX_LENGTH, state, variant)


@kernel
def position_key(state: Record) -> Any:
    """Any constant: a game with dice has no option ``repetition``."""
    return np.uint64(0)
