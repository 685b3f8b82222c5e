"""The rules of Backgammon, as kernels. README.md has the sources of each clause and the rulings.

`parlour.rulebook.points` says what steps are: a seat counts them along its own track, step t being its point 24 − t.

A *source* is the place from which a man is played: 0 for the bar, 1 + t for step t. An action is a source and how far
the man goes: 6 × source + distance − 1, from the view of the seat to act. A man that is borne off goes exactly to the
end, whichever number takes him there. 150 is `pass`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.bits import ONE, ZERO, count_bits, lowest, without_lowest
from parlour.rulebook.chance import below, fair
from parlour.rulebook.compiling import kernel
from parlour.rulebook.options import always
from parlour.rulebook.planes import PLIES_LEFT_PLANES, fill, fill_plies_left
from parlour.rulebook.points import (
    FAR_BACK,
    FIELDS,
    OUTSIDE_HOME,
    SHIFT,
    STAYS_ON,
    clear_points,
    nth_move,
    point_planes,
    put_men,
    spread,
)
from parlour.rulebook.points import STEPS as STEPS
from parlour.rulebook.points import TABLE as TABLE
from parlour.rulebook.protocol import COMMON_ENDS, FIRST_OWN_END, RUNNING, Layout, Record, state_dtype

from .variants import GAMMONS, OPENING, SETUP

DICE = (fair(6),) * 2
WHITE, BLACK = 0, 1  # the seats
SINGLE, GAMMON, BACKGAMMON = FIRST_OWN_END, FIRST_OWN_END + 1, FIRST_OWN_END + 2
ENDS = (*COMMON_ENDS, "single", "gammon", "backgammon")

COUNTED = GAMMONS.number("counted")
SINGLE_DIE = OPENING.number("single_die")

MOST_MEN = 15
DOUBLED = 4  # how often the number of a double is played
SOURCES = 1 + STEPS
BAR, FIRST_STEP = 0, 1  # sources
PASS = TABLE * SOURCES
ACTIONS = PASS + 1

STATE = state_dtype(
    [
        *FIELDS,
        ("bar", np.int8, (2,)),  #    [seat]: its men on the bar
        ("off", np.int8, (2,)),  #    [seat]: its men borne off
        ("dice", np.int8, (2,)),  #   the latest throw of the game proper, −1 before there is one
        ("left", np.int8, (2,)),  #   [die]: how often its number is still to be played; of a double the first counts
        ("due", np.int8),  #          dice to be thrown
        ("opening", np.int8),  #      throws for the start: 0 player_0 throws, 1 player_1 throws; −1: decided
        ("opening_die", np.int8),  #  player_0's die for the start
    ]
)

FIRST_STEP_SHIFT = np.uint64(FIRST_STEP)


def _start() -> np.ndarray[Any, np.dtype[np.int8]]:
    """[setup, step]: how many men each seat has on its steps at the start."""
    points = {
        "standard": {24: 2, 13: 5, 8: 3, 6: 5},
        "nackgammon": {24: 2, 23: 2, 13: 4, 8: 3, 6: 4},
        "hyper": {24: 1, 23: 1, 22: 1},
    }
    men = np.zeros((len(SETUP.values), STEPS), np.int8)
    for name, placed in points.items():
        for point, count in placed.items():
            men[SETUP.number(name), STEPS - point] = count
    return men


START = _start()
MEN = START.sum(axis=1)
"""[setup]: how many men each seat has."""

PLANES = (*point_planes(MOST_MEN, ("on the bar",), DOUBLED), *PLIES_LEFT_PLANES)
FIRST_NUMBER_PLANE = 5  # plus the number
FIRST_DIE_PLANE = FIRST_NUMBER_PLANE + TABLE + 1

layout = always(Layout(seats=2, actions=ACTIONS, height=1, width=STEPS, planes=PLANES))
"""The board is one row of 24 steps, so a convolution runs along the track."""


# --- the board ---


@kernel
def clear_board(state: Record) -> None:
    """Removes every man from the board, and clears dice and turn."""
    clear_points(state)
    state.bar[0], state.bar[1] = 0, 0
    state.opening_die = 0


@kernel
def setup(state: Record, variant: Record) -> None:
    """Keith, Setup: both seats' men stand as `setup` says. To start, each throws one die; ruling: player_0 first."""
    clear_board(state)
    for seat in range(2):
        for step in range(STEPS):
            put_men(state, seat, step, START[variant.setup, step])
    state.due = 1
    state.opening = 0
    state.to_act = WHITE


@kernel
def all_home(state: Record, seat: int) -> bool:
    """Keith, Bearing off: whether all of the seat's men that are not borne off are in its home board."""
    return state.bar[seat] == 0 and (state.held[seat] & OUTSIDE_HOME) == ZERO


# --- the dice ---


@kernel
def dice_due(state: Record, variant: Record) -> int:
    """Two dice before each turn, one for each throw for the start."""
    return state.due


@kernel
def throw_for_start(state: Record, variant: Record, face: int) -> None:
    """Keith, Setup: "each player throws a single die"; "If equal numbers come up, then both players roll again"; "The
    player throwing the higher number now moves his checkers according to the numbers showing on both dice"."""
    if state.opening == 0:
        state.opening = 1
        state.opening_die = face
        return
    state.opening = 0
    first = state.opening_die
    if face == first:
        return
    state.to_act = WHITE if first > face else BLACK
    state.opening = -1
    if variant.opening == SINGLE_DIE:
        take_throw(state, first, face)
    else:
        state.due = 2


@kernel
def take_throw(state: Record, first: int, second: int) -> None:
    """Keith, Movement: each number is played once, that of a double four times."""
    state.due = 0
    state.dice[0], state.dice[1] = first, second
    state.left[0] = DOUBLED if first == second else 1
    state.left[1] = 0 if first == second else 1


@kernel
def throw(state: Record, variant: Record, faces: Any, rewards: Any) -> None:
    """One die for the start, or both of a turn."""
    if state.opening >= 0:
        throw_for_start(state, variant, faces[0])
    else:
        take_throw(state, faces[0], faces[1])


# --- which numbers can be played ---


@kernel
def sources_of(state: Record, seat: int, bar: int, held: Any, number: int) -> tuple[Any, Any]:
    """The sources from which ``seat`` could play ``number`` if it had ``bar`` men on the bar and men on the steps
    ``held``, everything else as in ``state``: those from which it goes exactly so far, as a set of bits; and the one
    from which it takes a man off who has less far to go, as a set too.

    Keith, Bearing off: "If there is no checker on the point indicated by the roll, the player must make a legal move
    using a checker on a higher-numbered point. If there are no checkers on higher-numbered points, the player is
    permitted (and required) to remove a checker from the highest point on which one of his checkers resides."
    """
    if bar > 0:
        return (ONE if (state.closed[seat] & (ONE << SHIFT[number - 1])) == ZERO else ZERO), ZERO
    exact = held & STAYS_ON[number] & ~(state.closed[seat] >> SHIFT[number])
    if (held & OUTSIDE_HOME) != ZERO:
        return exact << FIRST_STEP_SHIFT, ZERO
    own_point = ONE << SHIFT[STEPS - number]
    exact |= held & own_point
    farthest = held & ~(held - ONE)
    over = farthest if farthest > own_point else ZERO  # all men have less far to go
    return exact << FIRST_STEP_SHIFT, over << FIRST_STEP_SHIFT


@kernel
def sources(state: Record, number: int) -> tuple[Any, Any]:
    """`sources_of` as the seat to act stands."""
    seat = state.to_act
    return sources_of(state, seat, state.bar[seat], state.held[seat], number)


@kernel
def can_play(state: Record, number: int) -> bool:
    """Whether the seat to act can play ``number`` at all."""
    exact, over = sources(state, number)
    return (exact | over) != ZERO


@kernel
def can_play_after(state: Record, source: int, number: int, other: int) -> bool:
    """Whether ``other`` can still be played after ``number`` has been played from ``source``. Hits make no difference:
    a point with a single man of the other seat is open before and after the hit."""
    seat = state.to_act
    bar, held = np.int64(state.bar[seat]), state.held[seat]
    target = number - 1
    if source == BAR:
        bar -= 1
    else:
        step = source - FIRST_STEP
        target = step + number
        if state.men[seat, step] == 1:
            held = held & ~(ONE << SHIFT[step])
    if target < STEPS:
        held = held | (ONE << SHIFT[target])
    exact, over = sources_of(state, seat, bar, held, other)
    return (exact | over) != ZERO


@kernel
def sources_that_allow(state: Record, candidates: Any, number: int, other_candidates: Any, other: int) -> Any:
    """Of the sources ``candidates`` for ``number``, those after which ``other`` can still be played.
    ``other_candidates``: the sources for ``other`` now; what is playable there stays so when a man leaves another
    place."""
    allowing = ZERO
    rest = candidates
    while rest:
        source = lowest(rest)
        here = rest & ~(rest - ONE)
        elsewhere = source != BAR and (other_candidates & ~here) != ZERO
        if elsewhere or can_play_after(state, source, number, other):
            allowing |= here
        rest = without_lowest(rest)
    return allowing


# --- what is legal ---


@kernel
def legal_sources(state: Record) -> tuple[Any, Any, Any, Any]:
    """What is legal for each of the two dice: `sources_of` of the first, and of the second.

    Keith, Movement: "A player must use both numbers of a roll if this is legally possible … When only one number can be
    played, the player must play that number. Or if either number can be played but not both, the player must play the
    larger one." Of a double, every order uses as many numbers: a man's way is free or closed whatever the others do,
    and bearing off once allowed stays so.
    """
    first, second = np.int64(state.dice[0]), np.int64(state.dice[1])
    exact_1, over_1, exact_2, over_2 = ZERO, ZERO, ZERO, ZERO
    if state.left[0] > 0:
        exact_1, over_1 = sources(state, first)
    if state.left[1] > 0:
        exact_2, over_2 = sources(state, second)
    found_1, found_2 = exact_1 | over_1, exact_2 | over_2
    if found_1 == ZERO and found_2 == ZERO:
        return ZERO, ZERO, ZERO, ZERO
    if state.left[0] > 0 and state.left[1] > 0:
        both_1 = sources_that_allow(state, found_1, first, found_2, second)
        both_2 = sources_that_allow(state, found_2, second, found_1, first)
        if both_1 != ZERO or both_2 != ZERO:
            return exact_1 & both_1, over_1 & both_1, exact_2 & both_2, over_2 & both_2
        if found_1 != ZERO and found_2 != ZERO:
            if first > second:
                return exact_1, over_1, ZERO, ZERO
            return ZERO, ZERO, exact_2, over_2
    return exact_1, over_1, exact_2, over_2


@kernel
def off_action(state: Record, exact_1: Any, over_1: Any, exact_2: Any, over_2: Any) -> int:
    """The action that takes a man off who has less far to go than a number; −1 if there is none, or if the other number
    takes him off exactly. Whichever number does it, the other then takes off the next man."""
    if (over_1 | over_2) == ZERO:
        return -1
    source = lowest(over_1 | over_2)
    distance, here = SOURCES - source, ONE << np.uint64(source)
    if distance == state.dice[0] and exact_1 & here != ZERO:
        return -1
    if distance == state.dice[1] and exact_2 & here != ZERO:
        return -1
    return TABLE * source + distance - 1


@kernel
def legal(state: Record, variant: Record, mask: Any, words: Any) -> None:
    """All moves of all numbers left after which the most numbers can be played; or `pass`."""
    exact_1, over_1, exact_2, over_2 = ZERO, ZERO, ZERO, ZERO
    if state.end == RUNNING:
        exact_1, over_1, exact_2, over_2 = legal_sources(state)
    spread(words, SOURCES, state.dice[0], exact_1, state.dice[1], exact_2)
    off = off_action(state, exact_1, over_1, exact_2, over_2)
    if off >= 0:
        mask[off] = 1
    elif (exact_1 | exact_2) == ZERO and state.end == RUNNING:
        mask[PASS] = 1


@kernel
def moves(state: Record, variant: Record, actions: Any) -> int:
    """What `legal` allows."""
    exact_1, over_1, exact_2, over_2 = legal_sources(state)
    first, second = np.int64(state.dice[0]), np.int64(state.dice[1])
    actions[0] = off_action(state, exact_1, over_1, exact_2, over_2)
    count = 1 if actions[0] >= 0 else 0
    while exact_1:
        actions[count] = TABLE * lowest(exact_1) + first - 1
        count += 1
        exact_1 = without_lowest(exact_1)
    while exact_2:
        actions[count] = TABLE * lowest(exact_2) + second - 1
        count += 1
        exact_2 = without_lowest(exact_2)
    if count == 0:
        actions[0] = PASS
        return 1
    return count


@kernel
def draw_legal(state: Record, variant: Record, stream: Any) -> int:
    """One of the actions that `legal` allows, uniformly at random."""
    exact_1, over_1, exact_2, over_2 = legal_sources(state)
    off = off_action(state, exact_1, over_1, exact_2, over_2)
    count = count_bits(exact_1) + count_bits(exact_2) + (1 if off >= 0 else 0)
    n = below(stream, max(count, 1))
    if count == 0:
        return PASS
    if off >= 0:  # from the farthest point, so of the first source; a move within the board from there comes before
        before = 1 if ((exact_1 | exact_2) & (over_1 | over_2)) != ZERO else 0
        if n == before:
            return off
        if n > before:
            n -= 1
    return nth_move(n, state.dice[0], exact_1, state.dice[1], exact_2)


# --- a ply ---


@kernel
def number_for(state: Record, source: int, distance: int) -> int:
    """Which die an action uses: the one that shows the distance; or, of those that take the man off, the smaller."""
    for k in range(2):
        if state.left[k] > 0 and state.dice[k] == distance:
            return k
    if state.left[0] > 0 and state.left[1] > 0:
        lower = 0 if state.dice[0] < state.dice[1] else 1
        return lower if state.dice[lower] > distance else 1 - lower
    return 0 if state.left[0] > 0 else 1


@kernel
def move_man(state: Record, source: int, distance: int) -> None:
    """Moves a man of the seat to act. Keith, Hitting: a single man of the other seat is put on the bar."""
    seat = np.int64(state.to_act)
    other, target = 1 - seat, distance - 1
    if source == BAR:
        state.bar[seat] -= 1
    else:
        step = source - FIRST_STEP
        target = step + distance
        put_men(state, seat, step, state.men[seat, step] - 1)
    if target >= STEPS:
        state.off[seat] += 1
        return
    put_men(state, seat, target, state.men[seat, target] + 1)
    if state.men[other, STEPS - 1 - target] > 0:  # a single man, since the point was not closed
        put_men(state, other, STEPS - 1 - target, 0)
        state.bar[other] += 1


@kernel
def end_turn(state: Record) -> None:
    """The other seat throws."""
    state.left[0], state.left[1] = 0, 0
    state.due = 2
    state.to_act = 1 - state.to_act
    state.turn_over = 1


@kernel
def stake_of(state: Record, variant: Record, seat: int) -> int:
    """What ``seat`` wins: 1, 2 or 3. Keith, Gammons and backgammons: a loser who has borne off no man is gammoned; and
    backgammoned with a man on the bar or in the winner's home board."""
    other = 1 - seat
    if variant.gammons != COUNTED or state.off[other] > 0:
        return 1
    return 3 if state.bar[other] > 0 or (state.held[other] & FAR_BACK) != ZERO else 2


@kernel
def win(state: Record, variant: Record, seat: int, rewards: Any) -> None:
    """Keith: who has borne off all men wins."""
    stake = stake_of(state, variant, seat)
    state.end = SINGLE + stake - 1
    state.left[0], state.left[1] = 0, 0
    state.turn_over = 1
    rewards[seat] += stake
    rewards[1 - seat] -= stake


@kernel
def apply(state: Record, variant: Record, action: int, rewards: Any) -> None:
    """Moves a man by a number, or passes. The turn ends when nothing that is left can be played."""
    seat = np.int64(state.to_act)
    state.irreversible = 0
    state.turn_over = 0
    if action == PASS:
        end_turn(state)
        return
    source, distance = action // TABLE, action % TABLE + 1
    state.left[number_for(state, source, distance)] -= 1
    move_man(state, source, distance)
    if state.off[seat] == MEN[variant.setup]:
        win(state, variant, seat, rewards)
        return
    playable = False
    for k in range(2):
        playable = playable or (state.left[k] > 0 and can_play(state, state.dice[k]))
    if not playable:
        end_turn(state)


# --- what is seen ---


@kernel
def observe(state: Record, variant: Record, seat: int, planes: Any) -> None:
    """Writes `PLANES` from the view of ``seat``, whose men move from the first column to the last."""
    other = 1 - seat
    for step in range(STEPS):
        planes[step] = state.men[seat, step]
        planes[STEPS + step] = state.men[other, STEPS - 1 - step]
    fill(planes, 2, STEPS, state.bar[seat])
    fill(planes, 3, STEPS, state.bar[other])
    fill(planes, 4, STEPS, state.off[seat])
    fill(planes, 5, STEPS, state.off[other])
    for number in range(1, TABLE + 1):
        times = 0
        for k in range(2):
            if state.dice[k] == number:
                times += np.int64(state.left[k])
        fill(planes, FIRST_NUMBER_PLANE + number, STEPS, times)
    fill(planes, FIRST_DIE_PLANE, STEPS, state.dice[0])
    fill(planes, FIRST_DIE_PLANE + 1, STEPS, state.dice[1])
    fill(planes, FIRST_DIE_PLANE + 2, STEPS, 1 if seat == state.to_act else 0)
    fill_plies_left(planes, FIRST_DIE_PLANE + 3, STEPS, state, variant)


@kernel
def position_key(state: Record) -> Any:
    """A game with dice has no repetition."""
    return ZERO
