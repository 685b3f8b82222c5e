"""Each seat throws one die until a six: it begins. A turn begins with a throw of two; a one loses the turn's points."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.chance import fair
from parlour.rulebook.compiling import kernel
from parlour.rulebook.planes import fill
from parlour.rulebook.protocol import COMMON_ENDS, FIRST_OWN_END, RUNNING, Layout, Plane, Record, state_dtype

from .variants import BANK

DICE = (fair(6),) * 2
ZERO_SUM = False
GOAL = FIRST_OWN_END
ENDS = (*COMMON_ENDS, "goal")
AGAIN, HOLD = 0, 1
NOTHING = BANK.number("nothing")
MAX_SEATS = 12

STATE = state_dtype(
    [
        ("scores", np.int32, (MAX_SEATS,)),
        ("turn", np.int32),  #     points of this turn
        ("dice", np.int8, (2,)),
        ("due", np.int8),  #       dice to be thrown
        ("opening", np.int8),  #   1 until someone has thrown a six
    ]
)


def layout(values: dict[str, Any]) -> Layout:
    """The seats are an option, and with them the planes."""
    seats = int(values["players"])
    planes = [Plane(f"score of the seat {k} to the left", 0, 127) for k in range(seats)]
    planes += [Plane("points of this turn", 0, 127)]
    planes += [Plane(f"{which} die", -1, 6, kind="dice") for which in ("first", "second")]
    return Layout(seats=seats, actions=2, height=1, width=1, planes=tuple(planes))


@kernel
def setup(state: Record, variant: Record) -> None:
    """Player 0 throws first for the start."""
    state.scores[:] = 0
    state.turn = 0
    state.dice[:] = -1
    state.due = 1
    state.opening = 1
    state.to_act = 0


@kernel
def dice_due(state: Record, variant: Record) -> int:
    """One in the opening, two in play."""
    return state.due


@kernel
def pass_on(state: Record, variant: Record) -> None:
    """The next seat's turn."""
    state.turn = 0
    state.to_act = (state.to_act + 1) % variant.players


@kernel
def throw(state: Record, variant: Record, faces: Any, rewards: Any) -> None:
    """A one loses the turn, and the next seat throws at once."""
    if state.opening:
        if faces[0] == 6:
            state.opening = 0
            state.due = 2
        else:
            pass_on(state, variant)
        return
    state.dice[0], state.dice[1] = faces[0], faces[1]
    state.turn += faces[0] + faces[1]
    state.due = 0
    if faces[0] == 1 or faces[1] == 1:
        if variant.snake_eyes and faces[0] == faces[1]:
            state.scores[state.to_act] = 0
        rewards[state.to_act] -= variant.fine
        rewards[(state.to_act + 1) % variant.players] += variant.fine
        pass_on(state, variant)
        state.due = 2
        state.turn_over = 1


@kernel
def apply(state: Record, variant: Record, action: int, rewards: Any) -> None:
    """Throw again, or bank the turn's points."""
    state.irreversible = 0
    state.turn_over = 0
    state.due = 2
    if action == AGAIN:
        return
    seat = state.to_act
    state.scores[seat] += state.turn
    if variant.bank != NOTHING:
        rewards[seat] += state.turn / variant.goal
    state.turn_over = 1
    if state.scores[seat] >= variant.goal:
        state.end = GOAL
        state.due = 0
    else:
        pass_on(state, variant)


@kernel
def legal(state: Record, variant: Record, mask: Any, words: Any) -> None:
    """Both, always."""
    mask[:] = 0
    if state.end == RUNNING:
        mask[AGAIN] = 1
        mask[HOLD] = 1


@kernel
def observe(state: Record, variant: Record, seat: int, planes: Any) -> None:
    """From the observing seat, to its left."""
    players = variant.players
    for k in range(players):
        fill(planes, k, 1, min(state.scores[(seat + k) % players], 127))
    fill(planes, players, 1, min(state.turn, 127))
    fill(planes, players + 1, 1, state.dice[0])
    fill(planes, players + 2, 1, state.dice[1])


@kernel
def position_key(state: Record) -> Any:
    """A game with dice has no repetition."""
    return np.uint64(0)
