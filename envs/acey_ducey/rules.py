"""The rules of Acey Ducey, as kernels. Sources: Parker (the printed sheet) and the rulings listed in README.md.

`parlour.rulebook.points` says what steps are: a seat counts them along its own track, from its starting table on.

A *source* is the place from which a man is played: 0 for men not yet entered, 1 for the Dog House, 2 + t for step t.
Actions, from the view of the seat to act: 6 × source + number − 1 plays a number (0–155); 156 + t sends the enemy man
on step t to the Dog House (156–179); 180 is `again`, 181 `pass`.
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
from parlour.rulebook.protocol import COMMON_ENDS, FIRST_OWN_END, RUNNING, Layout, Plane, Record, state_dtype

from .variants import BEAR_OFF_FROM, DICE_KIND, DUCEY_POINTS, ENTERING

DICE = (fair(6),) * 2
ACEY, DUCEY = 1, 2  # ruling: these faces stand in place of 1 and 2
RED, BLACK = 0, 1  # the seats
BORNE_OFF = FIRST_OWN_END
ENDS = (*COMMON_ENDS, "borne_off")

JOINT = ENTERING.number("joint")
NEXT_TURN = BEAR_OFF_FROM.number("next_turn")
SPECIAL = DICE_KIND.number("acey_ducey")

MEN = 15
SOURCES = 2 + STEPS
UNENTERED, DOG_HOUSE, FIRST_STEP = 0, 1, 2  # sources
SEND = TABLE * SOURCES
AGAIN = SEND + STEPS
PASS = AGAIN + 1
ACTIONS = PASS + 1

STATE = state_dtype(
    [
        *FIELDS,
        ("unentered", np.int8, (2,)),  #      [seat]: men not entered yet
        ("dog_house", np.int8, (2,)),  #      [seat]: men in the Dog House
        ("off", np.int8, (2,)),  #            [seat]: men borne off
        ("dice", np.int8, (2,)),  #           the latest throw of the game proper, −1 before there is one
        ("left", np.int8, (2,)),  #           numbers still to be played, 0 for none; if one is left, it is the first
        ("choosing", np.int8),  #             1 while the seat to act must choose between `send` and `again`
        ("again", np.int8),  #                1 if a further throw of the same seat is due after this one
        ("barred", np.int8),  #               1 if bear_off_from=next_turn forbids bearing off in this turn
        ("due", np.int8),  #                  dice to be thrown
        ("opening", np.int8),  #              throws for the start: 0 player_0 throws, 1 player_1 throws; −1: decided
        ("opening_sum", np.int8),  #          sum of player_0's throw for the start
    ]
)

FIRST_STEP_SHIFT = np.uint64(FIRST_STEP)

SENT_FROM = np.zeros((2, STEPS), np.bool_)
"""[ducey_points, step]: Parker, Acey Ducey Dice 6: "from any No. 1 point or any No. 2 point on the board". Ruling: the
numbered ends of the two home tables, points 1, 2, 23 and 24; or those of all four tables, 7, 8, 17 and 18 too."""
for point in (1, 2, 23, 24):
    SENT_FROM[:, STEPS - point] = True
for point in (7, 8, 17, 18):
    SENT_FROM[DUCEY_POINTS.number("all"), STEPS - point] = True

PLANES = (
    *point_planes(MEN, ("not entered yet", "in the Dog House"), 2, " (1 ACEY, 2 DUCEY)"),
    Plane("all ones when the seat to act must choose between send and again"),
    Plane("all ones when a further throw of the seat to act is due after this one"),
    Plane("all ones when bear_off_from=next_turn forbids the seat to act to bear off in this turn"),
    *PLIES_LEFT_PLANES,
)
FIRST_NUMBER_PLANE = 7  # plus the number
FIRST_DIE_PLANE = FIRST_NUMBER_PLANE + TABLE + 1

layout = always(Layout(seats=2, actions=ACTIONS, height=1, width=STEPS, planes=PLANES))
"""The board is one row of 24 steps, so a convolution runs along the track."""


# --- the board ---


@kernel
def clear_board(state: Record) -> None:
    """Removes every man from the board, and clears dice and turn."""
    clear_points(state)
    for seat in range(2):
        state.unentered[seat] = 0
        state.dog_house[seat] = 0
    state.choosing = 0
    state.again = 0
    state.barred = 0
    state.opening_sum = 0


@kernel
def setup(state: Record, variant: Record) -> None:
    """Parker, Setting Up the Men: no man has been entered yet. To Start: "Roll both dice". Ruling: player_0 first."""
    clear_board(state)
    state.unentered[RED] = MEN
    state.unentered[BLACK] = MEN
    state.barred = 1 if variant.bear_off_from == NEXT_TURN else 0
    state.due = 2
    state.opening = 0
    state.to_act = RED


@kernel
def all_home(state: Record, seat: int) -> bool:
    """Parker, Home: whether all of the seat's men, except those borne off, are in its home table."""
    return state.dog_house[seat] == 0 and state.unentered[seat] == 0 and (state.held[seat] & OUTSIDE_HOME) == ZERO


# --- the dice ---


@kernel
def dice_due(state: Record, variant: Record) -> int:
    """Two dice before each turn, before a further throw, and for each throw for the start."""
    return state.due


@kernel
def throw_for_start(state: Record, total: int) -> None:
    """Parker, To Start: "The player making the highest roll begins play." Ruling: ACEY counts 1 and DUCEY 2; after
    equal sums both throw again; these throws are not played."""
    if state.opening == 0:
        state.opening = 1
        state.opening_sum = total
        return
    state.opening = 0
    if total != state.opening_sum:
        state.to_act = RED if state.opening_sum > total else BLACK
        state.opening = -1


@kernel
def throw(state: Record, variant: Record, faces: Any, rewards: Any) -> None:
    """Parker, Acey Ducey Dice: which numbers a throw gives to play. Clause 1: each die separately, never the sum."""
    if state.opening >= 0:
        throw_for_start(state, faces[0] + faces[1])
        return
    first, second = faces[0], faces[1]
    state.due = 0
    state.dice[0], state.dice[1] = first, second
    state.choosing = 0
    if variant.dice == SPECIAL:
        if first + second == ACEY + DUCEY:  # clause 6: the seat chooses before any move
            state.choosing = 1
            return
        if first <= DUCEY and second > DUCEY:  # clauses 4 and 5: "repeat the value of the plain dots"
            first = second
        elif second <= DUCEY and first > DUCEY:
            second = first
    state.left[0], state.left[1] = first, second  # clauses 2 and 3: two alike have "no special value"


# --- which numbers can be played ---


@kernel
def sources_of(
    state: Record, variant: Record, seat: int, unentered: int, dog_house: int, held: Any, number: int
) -> Any:
    """The sources from which ``seat`` could play ``number``, as a set of bits, if it had ``unentered`` men not entered,
    ``dog_house`` men in the Dog House, and men on the steps ``held``. Everything else is as in ``state``."""
    open_to_enter = (state.closed[seat] & (ONE << SHIFT[number - 1])) == ZERO
    # The Race for Home: "re-entered on his Starting Table … BEFORE THIS PLAYER CAN MAKE ANY OTHER MOVE"
    if dog_house > 0:
        return ONE << SHIFT[DOG_HOUSE] if open_to_enter else ZERO
    # Setting Up the Men: "No man may be moved … until all 15 men have been entered"
    if unentered > 0:
        return ONE << SHIFT[UNENTERED] if open_to_enter else ZERO
    if variant.entering == JOINT and state.unentered[1 - seat] > 0:
        return ZERO
    inside = held & STAYS_ON[number] & ~(state.closed[seat] >> SHIFT[number])
    if (held & OUTSIDE_HOME) != ZERO or state.barred:
        return inside << FIRST_STEP_SHIFT
    return with_bearing_off(variant, held, inside, number) << FIRST_STEP_SHIFT


@kernel
def with_bearing_off(variant: Record, held: Any, inside: Any, number: int) -> Any:
    """The steps from which ``number`` can be played when all men are home. ``inside``: the steps from which it moves a
    man inside the home table.

    Parker, Bearing Off: "removes a man from the 6 point" with a 6. "If a player cannot 'bear off' he must move so long
    as this is possible"; a number "larger than any number on which he has a man resting" removes one "from the next
    lower point that is occupied".
    """
    own_point = ONE << SHIFT[STEPS - number]
    exact = held & own_point
    if exact != ZERO:
        return exact if variant.bear_off_first else inside | exact
    if (held & (own_point - ONE)) == ZERO:  # nothing on a higher point
        return held & ~(held - ONE)
    return inside


@kernel
def sources(state: Record, variant: Record, number: int) -> Any:
    """The sources from which the seat to act can play ``number`` now; the empty set for 0."""
    if number == 0:
        return ZERO
    seat = state.to_act
    return sources_of(state, variant, seat, state.unentered[seat], state.dog_house[seat], state.held[seat], number)


@kernel
def can_play_after(state: Record, variant: Record, source: int, number: int, other: int) -> bool:
    """Whether ``other`` can still be played after ``number`` has been played from ``source``. Hits make no difference:
    a point with a single enemy man is open before and after the hit."""
    seat = state.to_act
    unentered, dog_house, held = state.unentered[seat], state.dog_house[seat], state.held[seat]
    target = number - 1
    if source == UNENTERED:
        unentered -= 1
        if unentered == 0 and variant.entering == JOINT:
            return False  # with entering=joint, a number left over is lost
    elif source == DOG_HOUSE:
        dog_house -= 1
    else:
        step = source - FIRST_STEP
        target = step + number
        if state.men[seat, step] == 1:
            held = held & ~(ONE << SHIFT[step])
    if target < STEPS:
        held = held | (ONE << SHIFT[target])
    return sources_of(state, variant, seat, unentered, dog_house, held, other) != ZERO


@kernel
def sources_that_allow(state: Record, variant: Record, candidates: Any, number: int, other: int) -> Any:
    """Of the sources ``candidates`` for ``number``, those after which ``other`` can still be played."""
    allowing = ZERO
    rest = candidates
    while rest:
        source = lowest(rest)
        if can_play_after(state, variant, source, number, other):
            allowing |= rest & ~(rest - ONE)
        rest = without_lowest(rest)
    return allowing


# --- what is legal ---


@kernel
def legal_sources(state: Record, variant: Record) -> tuple[Any, Any]:
    """For each of the two numbers left, the sources from which it may be played.

    Parker: "use number on either die", so the order is free. must_use_both (backgammon's rule): at the first ply of a
    throw, only moves after which the other number can still be played; if there are none, only those of the higher one.
    """
    first, second = state.left[0], state.left[1]
    if second == 0:
        return sources(state, variant, first), ZERO
    if first == second:
        candidates = sources(state, variant, first)
        if variant.must_use_both:
            both = sources_that_allow(state, variant, candidates, first, first)
            return (both if both != ZERO else candidates), ZERO
        return candidates, ZERO
    found_first, found_second = sources(state, variant, first), sources(state, variant, second)
    if variant.must_use_both:
        both_first = sources_that_allow(state, variant, found_first, first, second)
        both_second = sources_that_allow(state, variant, found_second, second, first)
        if (both_first | both_second) != ZERO:
            return both_first, both_second
        if found_first != ZERO and found_second != ZERO:
            return (found_first, ZERO) if first > second else (ZERO, found_second)
    return found_first, found_second


@kernel
def legal(state: Record, variant: Record, mask: Any, words: Any) -> None:
    """All moves of all numbers left; or `send` and `again`; or `pass`, if no number of a new throw can be played."""
    if state.end != RUNNING or state.choosing:
        for k in range(words.size):
            words[k] = ZERO
        if state.end == RUNNING:
            legal_choices(state, variant, mask)
        return
    first, second = legal_sources(state, variant)
    spread(words, SOURCES, state.left[0], first, state.left[1], second)
    if (first | second) == ZERO:
        mask[PASS] = 1


@kernel
def legal_choices(state: Record, variant: Record, mask: Any) -> None:
    """Parker, Acey Ducey Dice 6: "remove one opposing man …, whether that man is protected by other men or not", "OR"
    "use this throw like any other turn and … take ONE MORE THROW"."""
    enemy = 1 - state.to_act
    for step in range(STEPS):
        if SENT_FROM[variant.ducey_points, step] and state.men[enemy, STEPS - 1 - step] > 0:
            mask[SEND + step] = 1
    mask[AGAIN] = 1


@kernel
def draw_legal(state: Record, variant: Record, stream: Any) -> int:
    """One of the actions that `legal` allows, uniformly at random."""
    if state.choosing:
        return draw_choice(state, variant, stream)
    first, second = legal_sources(state, variant)
    count = count_bits(first) + count_bits(second)
    n = below(stream, max(count, 1))
    return nth_move(n, state.left[0], first, state.left[1], second) if count else PASS


@kernel
def draw_choice(state: Record, variant: Record, stream: Any) -> int:
    """One of the choices that `legal_choices` allows."""
    enemy, count = 1 - state.to_act, 1
    for step in range(STEPS):
        if SENT_FROM[variant.ducey_points, step] and state.men[enemy, STEPS - 1 - step] > 0:
            count += 1
    n = below(stream, count)
    for step in range(STEPS):
        if SENT_FROM[variant.ducey_points, step] and state.men[enemy, STEPS - 1 - step] > 0:
            if n == 0:
                return SEND + step
            n -= 1
    return AGAIN


# --- a ply ---


@kernel
def send_to_dog_house(state: Record, variant: Record, enemy: int, step: int, rewards: Any) -> None:
    """Sends one man of ``enemy`` from its ``step`` to the Dog House. Parker: "If desired a penalty can be arranged"."""
    put_men(state, enemy, step, state.men[enemy, step] - 1)
    state.dog_house[enemy] += 1
    rewards[enemy] -= variant.dog_house_penalty
    rewards[1 - enemy] += variant.dog_house_penalty


@kernel
def move_man(state: Record, variant: Record, source: int, number: int, rewards: Any) -> None:
    """Moves a man of the seat to act from ``source`` by ``number``. Parker, The Race for Home: "coming to rest on the
    same point sends the other single man to the Dog House"."""
    seat = state.to_act
    target = number - 1  # a man that enters: 6 on point 19, 1 on point 24
    if source == UNENTERED:
        state.unentered[seat] -= 1
    elif source == DOG_HOUSE:
        state.dog_house[seat] -= 1
    else:
        step = source - FIRST_STEP
        target = step + number
        put_men(state, seat, step, state.men[seat, step] - 1)
    if target >= STEPS:
        state.off[seat] += 1
        return
    put_men(state, seat, target, state.men[seat, target] + 1)
    if state.men[1 - seat, STEPS - 1 - target] > 0:  # a single man, since the point was not closed
        send_to_dog_house(state, variant, 1 - seat, STEPS - 1 - target, rewards)


@kernel
def end_throw(state: Record, variant: Record) -> None:
    """Ends a throw: then comes the further throw after `again`, or the other seat's turn."""
    state.left[0], state.left[1] = 0, 0
    state.due = 2
    if state.again:
        state.again = 0
        return
    state.to_act = 1 - state.to_act
    state.turn_over = 1
    # Picture C: "BLACK HAS ALL 15 MEN HOME. THEREFORE HE CAN START BEARING OFF ON HIS NEXT TURN"
    state.barred = 1 if variant.bear_off_from == NEXT_TURN and not all_home(state, state.to_act) else 0


@kernel
def use_number(state: Record, number: int) -> None:
    """Removes ``number`` from the numbers left to play."""
    if number == state.left[0]:
        state.left[0] = state.left[1]
    state.left[1] = 0


@kernel
def apply(state: Record, variant: Record, action: int, rewards: Any) -> None:
    """Plays a number, sends a man, chooses to throw again, or passes."""
    seat = state.to_act
    state.irreversible = 0
    state.turn_over = 0
    if action == AGAIN:
        state.choosing = 0
        state.again = 1
        state.left[0], state.left[1] = ACEY, DUCEY
        return
    if action == PASS:
        end_throw(state, variant)
        return
    if action >= SEND:
        state.choosing = 0
        send_to_dog_house(state, variant, 1 - seat, STEPS - 1 - (action - SEND), rewards)
        end_throw(state, variant)  # Parker: "Do not count the dots on either die in this move"
        return
    source, number = action // TABLE, action % TABLE + 1
    move_man(state, variant, source, number, rewards)
    use_number(state, number)
    if state.off[seat] == MEN:  # Parker: "The first player to move his fifteen men … off … WINS THE GAME"
        state.left[0] = 0
        state.end = BORNE_OFF
        rewards[seat] += 1
        rewards[1 - seat] -= 1
        return
    lost = variant.entering == JOINT and source == UNENTERED and state.unentered[seat] == 0
    if lost or sources(state, variant, state.left[0]) == ZERO:
        end_throw(state, variant)


# --- what is seen ---


@kernel
def observe(state: Record, variant: Record, seat: int, planes: Any) -> None:
    """Writes `PLANES` from the view of ``seat``, whose men move from the first column to the last."""
    other = 1 - seat
    for step in range(STEPS):
        planes[step] = state.men[seat, step]
        planes[STEPS + step] = state.men[other, STEPS - 1 - step]
    fill(planes, 2, STEPS, state.unentered[seat])
    fill(planes, 3, STEPS, state.unentered[other])
    fill(planes, 4, STEPS, state.dog_house[seat])
    fill(planes, 5, STEPS, state.dog_house[other])
    fill(planes, 6, STEPS, state.off[seat])
    fill(planes, 7, STEPS, state.off[other])
    for number in range(1, TABLE + 1):
        times = (1 if state.left[0] == number else 0) + (1 if state.left[1] == number else 0)
        fill(planes, FIRST_NUMBER_PLANE + number, STEPS, times)
    fill(planes, FIRST_DIE_PLANE, STEPS, state.dice[0])
    fill(planes, FIRST_DIE_PLANE + 1, STEPS, state.dice[1])
    fill(planes, FIRST_DIE_PLANE + 2, STEPS, 1 if seat == state.to_act else 0)
    fill(planes, FIRST_DIE_PLANE + 3, STEPS, state.choosing)
    fill(planes, FIRST_DIE_PLANE + 4, STEPS, state.again)
    fill(planes, FIRST_DIE_PLANE + 5, STEPS, state.barred)
    fill_plies_left(planes, FIRST_DIE_PLANE + 6, STEPS, state, variant)


@kernel
def position_key(state: Record) -> Any:
    """A game with dice has no repetition."""
    return ZERO
