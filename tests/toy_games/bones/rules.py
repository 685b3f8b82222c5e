"""A seat takes the throw or leaves it; the goal, or up to five more, wins, and more than that loses."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.chance import fair, sequence, weighted
from parlour.rulebook.compiling import kernel
from parlour.rulebook.planes import fill
from parlour.rulebook.protocol import COMMON_ENDS, FIRST_OWN_END, RUNNING, Layout, Plane, Record, state_dtype

KNUCKLEBONE = weighted((1, 3, 4, 6), (0.1, 0.4, 0.4, 0.1))
DICE = (KNUCKLEBONE, fair(2, first=0), fair(20))
THROW_KEY = sequence
GOAL = FIRST_OWN_END
ENDS = (*COMMON_ENDS, "goal")
TAKE, LEAVE = 0, 1
MARGIN = 5
MOST = 127

STATE = state_dtype(
    [
        ("scores", np.int32, (2,)),
        ("points", np.int32),  #  of the throw
        ("dice", np.int8, (3,)),
        ("due", np.int8),  #      1 while a throw is due
    ]
)
PLANES = (
    Plane("own score", 0, MOST),
    Plane("the other seat's score", 0, MOST),
    Plane("points of the throw", 0, MOST, kind="dice"),
)


def layout(values: dict[str, Any]) -> Layout:
    """Always the same."""
    return Layout(seats=2, actions=2, height=1, width=1, planes=PLANES)


@kernel
def setup(state: Record, variant: Record) -> None:
    """The first throw is due."""
    state.scores[:] = 0
    state.points = 0
    state.dice[:] = -1
    state.due = 1
    state.to_act = 0


@kernel
def dice_thrown(variant: Record) -> int:
    """The first dice, as many as the option says."""
    return variant.thrown


@kernel
def dice_due(state: Record, variant: Record) -> int:
    """All of them."""
    return variant.thrown if state.due else 0


@kernel
def throw(state: Record, variant: Record, faces: Any, rewards: Any) -> None:
    """The stick doubles the sum of the others."""
    for k in range(variant.thrown):
        state.dice[k] = faces[k]
    state.points = np.int64(faces[0])
    if variant.thrown == 3:
        state.points += np.int64(faces[2])
    if variant.thrown >= 2 and faces[1] == 1:
        state.points *= 2
    state.due = 0


@kernel
def apply(state: Record, variant: Record, action: int, rewards: Any) -> None:
    """Takes the throw or leaves it."""
    state.irreversible = 0
    state.turn_over = 1
    seat = np.int64(state.to_act)
    if action == TAKE:
        state.scores[seat] += state.points
    if state.scores[seat] >= variant.goal:
        sign = 1 if state.scores[seat] <= variant.goal + MARGIN else -1
        rewards[seat] += sign
        rewards[1 - seat] -= sign
        state.end = GOAL
    else:
        state.due = 1
    state.to_act = 1 - seat


@kernel
def legal(state: Record, variant: Record, mask: Any, words: Any) -> None:
    """Both, always."""
    mask[:] = 0
    if state.end == RUNNING:
        mask[TAKE] = 1
        mask[LEAVE] = 1


@kernel
def observe(state: Record, variant: Record, seat: int, planes: Any) -> None:
    """Both scores and the throw."""
    fill(planes, 0, 1, min(state.scores[seat], MOST))
    fill(planes, 1, 1, min(state.scores[1 - seat], MOST))
    fill(planes, 2, 1, state.points)


@kernel
def position_key(state: Record) -> Any:
    """A game with dice has no repetition."""
    return np.uint64(0)
