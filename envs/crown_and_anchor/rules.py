"""The rules of Crown and Anchor, as kernels. Sources: Parker (the printed sheet) and the rulings listed in README.md.

The designs, on which seats bet and which the dice show::

    0 crown   1 anchor   2 heart   3 spade   4 diamond   5 club

The actions mean the same for every seat; S is `max_stake`::

    S × design + chips − 1    bet 1 to S chips on a design
    6 × S                     done: no bet, or no further bet
    6 × S + 1                 roll: the Banker throws

The seat to the left is the next higher one; seat 0 follows the last one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.chance import below, fair
from parlour.rulebook.compiling import kernel
from parlour.rulebook.planes import MAX_IN_TWO_PLANES, PLIES_LEFT_PLANES, fill, fill_plies_left, fill_two
from parlour.rulebook.protocol import COMMON_ENDS, FIRST_OWN_END, RUNNING, Layout, Plane, Record, state_dtype

from .variants import BANK, BETS, PAYOUT, PLAYERS

DICE = (fair(6, first=0),) * 3
THROWN = len(DICE)
DESIGNS = 6
CROWN = 0
MAX_SEATS = PLAYERS.maximum

ROUNDS_PLAYED, ALL_CHIPS = FIRST_OWN_END, FIRST_OWN_END + 1
ENDS = (*COMMON_ENDS, "rounds", "all_chips")

MANY = BETS.number("many")
NET = PAYOUT.number("net")
LIMITED = BANK.number("limited")

NOBODY = -1  # no Banker yet
UNLIMITED_CHIPS = 1 << 62  # what an unlimited bank can pay

STATE = state_dtype(
    [
        ("chips", np.int64, (MAX_SEATS,)),  #          [seat]; below 0: debt made as Banker (bank=unlimited)
        ("stakes", np.int16, (MAX_SEATS, DESIGNS)),  # [seat, design]: chips staked; they still count in ``chips``
        ("throws", np.int32),  #                        throws made by Bankers so far
        ("max_stake", np.int16),  #                     the option's value: names of actions depend on it
        ("banker", np.int8),  #                         a seat, or NOBODY
        ("dice", np.int8, (THROWN,)),  #                  designs of a Banker's latest throw, −1 before the first one
        ("due", np.int8),  #                            dice to be thrown
    ]
)


def layout(values: dict[str, Any]) -> Layout:
    """`players` sets the number of seats, `max_stake` the number of actions. If stakes can exceed 127 chips, they take
    two planes: modulo 128 in plane 0, divided by 128 in the last one."""
    max_stake = int(values["max_stake"])
    high = () if max_stake <= 127 else (Plane("the same, div 128", 0, max_stake // 128),)
    return Layout(
        seats=int(values["players"]),
        actions=DESIGNS * max_stake + 2,
        height=int(values["players"]),
        width=DESIGNS,
        planes=(
            Plane(
                "chips staked by the row's seat on the column's design",
                0,
                min(max_stake, 127),
                steps=tuple(range(1, min(max_stake, 3) + 1)),
            ),
            Plane(
                "how many dice of the latest throw show the column's design", 0, THROWN, kind="dice", steps=(1, 2, 3)
            ),
            Plane("chips of the row's seat, div 128 (at least −16384 and at most 16383 chips)", -128, 127),
            Plane("chips of the row's seat, mod 128", 0, 127),
            Plane("ones in the Banker's row"),
            Plane("ones in the row of the seat to act"),
            Plane("throws left in the game, div 128 (at most 16383)", 0, 127),
            Plane("throws left in the game, mod 128", 0, 127),
            *PLIES_LEFT_PLANES,
            *high,
        ),
    )


# --- seats ---


@kernel
def left_of(variant: Record, seat: int) -> int:
    """The seat to the left of ``seat``: the next higher one, or seat 0 after the last."""
    return seat + 1 if seat + 1 < variant.players else 0


@kernel
def next_with_chips(state: Record, variant: Record, seat: int, stop: int) -> int:
    """The first seat to the left of ``seat`` that has chips; ``stop`` if that seat is reached first."""
    seat = left_of(variant, seat)
    while seat != stop and state.chips[seat] <= 0:
        seat = left_of(variant, seat)
    return seat


@kernel
def begin_round(state: Record, variant: Record) -> None:
    """Every seat except the Banker bets, beginning at the Banker's left. Rulings: seats without chips are skipped; if
    no seat has chips, the Banker throws anyway."""
    state.to_act = next_with_chips(state, variant, state.banker, state.banker)


@kernel
def setup(state: Record, variant: Record) -> None:
    """Parker: "each player throws a single die in turn". Ruling: player_0 begins."""
    for seat in range(MAX_SEATS):
        state.chips[seat] = variant.start_chips if seat < variant.players else 0
    clear_stakes(state, MAX_SEATS)
    state.throws = 0
    state.max_stake = variant.max_stake
    state.banker = NOBODY
    for k in range(THROWN):
        state.dice[k] = -1
    state.due = 1
    state.to_act = 0


# --- betting ---


@kernel
def clear_stakes(state: Record, seats: int) -> None:
    """Sets all stakes of the first ``seats`` seats to 0."""
    for seat in range(seats):
        for design in range(DESIGNS):
            state.stakes[seat, design] = 0


@kernel
def staked(state: Record, seat: int) -> int:
    """How many chips the seat has staked, over all designs."""
    chips = 0
    for design in range(DESIGNS):
        chips += int(state.stakes[seat, design])
    return chips


@kernel
def legal(state: Record, variant: Record, mask: Any, words: Any) -> None:
    """Parker: "Each player now places chips or tokens on any one of the Designs". Rulings: 1 to `max_stake` chips on a
    design, and no more than the seat has in all; a seat must bet, except with `sit_out`; with bets=many, "done" is
    legal once it has bet."""
    for k in range(mask.size):
        mask[k] = 0
    if state.end != RUNNING:
        return
    max_stake, done = variant.max_stake, DESIGNS * variant.max_stake
    seat = state.to_act
    if seat == state.banker:
        mask[done + 1] = 1
        return
    placed = staked(state, seat) if variant.bets == MANY else 0
    spare = state.chips[seat] - placed
    if placed or variant.sit_out:
        mask[done] = 1
    if placed == 0 and spare >= max_stake:
        fill(mask, 0, done, 1)
        return
    for chips in range(min(max_stake, spare)):
        for design in range(DESIGNS):
            mask[max_stake * design + chips] = 1 if state.stakes[seat, design] + chips < max_stake else 0


@kernel
def draw_legal(state: Record, variant: Record, stream: Any) -> int:
    """One of the actions that `legal` allows, uniformly at random."""
    max_stake, done, seat = variant.max_stake, DESIGNS * variant.max_stake, state.to_act
    if seat == state.banker:
        return done + 1 + below(stream, 1)
    placed = staked(state, seat) if variant.bets == MANY else 0
    spare = min(max_stake, state.chips[seat] - placed)
    count = 0
    for design in range(DESIGNS):
        count += max(min(spare, max_stake - state.stakes[seat, design]), 0)
    n = below(stream, count + (1 if placed or variant.sit_out else 0))
    for design in range(DESIGNS):
        size = max(min(spare, max_stake - state.stakes[seat, design]), 0)
        if n < size:
            return max_stake * design + n
        n -= size
    return done


@kernel
def apply(state: Record, variant: Record, action: int, rewards: Any) -> None:
    """Plays a bet, "done" or "roll". After "roll" three dice are due, and `throw` does the rest and ends the turn."""
    done = DESIGNS * variant.max_stake
    state.turn_over = 0
    if action == done + 1:
        state.due = THROWN
        return
    if action < done:
        state.stakes[state.to_act, action // variant.max_stake] += action % variant.max_stake + 1
        if variant.bets == MANY:
            return  # the same seat may bet again
    state.turn_over = 1
    state.to_act = next_with_chips(state, variant, state.to_act, state.banker)


# --- throwing ---


@kernel
def dice_due(state: Record, variant: Record) -> int:
    """One die in the throws for the first Banker, three for a Banker's throw, else none."""
    return state.due


@kernel
def throw(state: Record, variant: Record, faces: Any, rewards: Any) -> None:
    """Takes the one die thrown for the first Banker; or a Banker's three dice: settles all bets and begins a new round.

    Each seat's reward is its change in chips divided by `start_chips`. Ruling for bank=limited: the Banker first
    collects all lost stakes. Then it pays seat by seat in betting order, each seat in full, as long as its chips last;
    the last seat may be paid in part. (The settlement has no kernel of its own: in compiled code it is slow to pass an
    array such as ``rewards`` to another kernel inside a loop.)
    """
    banker = state.banker
    if banker == NOBODY:
        throw_for_banker(state, variant, faces[0])
        return
    for k in range(THROWN):
        state.dice[k] = faces[k]
    state.due = 0
    state.turn_over = 1
    state.throws += 1
    purse = UNLIMITED_CHIPS
    if variant.bank == LIMITED:
        purse = state.chips[banker]
        for seat in range(variant.players):
            purse += lost_by(state, seat, state)
    change = 0  # of the Banker's chips
    seat = left_of(variant, banker)
    while seat != banker:
        paid = min(owed_to(state, variant, seat, state), purse)
        gain = paid - lost_by(state, seat, state)
        state.chips[seat] += gain
        rewards[seat] += gain / variant.start_chips
        purse -= paid
        change -= gain
        seat = left_of(variant, seat)
    state.chips[banker] += change
    rewards[banker] += change / variant.start_chips
    clear_stakes(state, variant.players)
    pass_bank(state, variant)
    begin_round(state, variant)
    if variant.bank == LIMITED and state.to_act == state.banker:
        state.end = ALL_CHIPS  # ruling: nobody else has chips
    elif state.throws >= variant.rounds:
        state.end = ROUNDS_PLAYED


@kernel
def throw_for_banker(state: Record, variant: Record, face: int) -> None:
    """Parker: "The first one to throw a Crown is Banker". Until then seats throw in turn, as often as it takes."""
    if face == CROWN:
        state.banker = state.to_act
        state.due = 0
        begin_round(state, variant)
    else:
        state.to_act = left_of(variant, state.to_act)


@kernel
def kept_by(state: Record, seat: int, thrown: Record) -> int:
    """Chips that the seat has staked on designs which the dice show. ``thrown``: the record whose dice count."""
    first, second, third = thrown.dice[0], thrown.dice[1], thrown.dice[2]
    other = 1 if second != first else 0  # a factor, not a branch: the processor would often mispredict a branch
    another = 1 if third not in (first, second) else 0
    return (
        int(state.stakes[seat, first])
        + other * int(state.stakes[seat, second])
        + another * int(state.stakes[seat, third])
    )


@kernel
def lost_by(state: Record, seat: int, thrown: Record) -> int:
    """The seat's other stakes. Parker: "The Banker collects all unclaimed chips or tokens"."""
    return staked(state, seat) - kept_by(state, seat, thrown)


@kernel
def owed_to(state: Record, variant: Record, seat: int, thrown: Record) -> int:
    """What the Banker owes the seat: each die of ``thrown`` pays the stake on its design once.

    Parker: "3 of any Design turned up counts triple for each chip or token", 2 double, 1 single. With payout=gross the
    payment includes the stake itself, so the Banker adds one chip less for each chip staked.
    """
    chips = 0
    for die in range(THROWN):
        chips += int(state.stakes[seat, thrown.dice[die]])
    return chips if variant.payout == NET else chips - kept_by(state, seat, thrown)


@kernel
def pass_bank(state: Record, variant: Record) -> None:
    """Parker: "When the Banker rolls triple designs […] passes the dice to the player on his left". Rulings for
    bank=limited: the bank passes to the next seat that has chips; it also passes when the Banker has no chips left."""
    banker = state.banker
    triple = state.dice[0] == state.dice[1] == state.dice[2]
    if variant.bank == LIMITED:
        if triple or state.chips[banker] <= 0:
            state.banker = next_with_chips(state, variant, banker, banker)
    elif triple:
        state.banker = left_of(variant, banker)


@kernel
def is_out(state: Record, variant: Record, seat: int) -> bool:
    """Whether the seat can never act again. With bank=limited a seat without chips can't bet or become Banker."""
    return variant.bank == LIMITED and NOBODY < state.banker != seat and state.chips[seat] <= 0


# --- what is seen ---


@kernel
def place_of(variant: Record, seat: int, viewer: int) -> int:
    """How many places to the left of ``viewer`` the seat sits (0 for ``viewer`` itself)."""
    return seat - viewer if seat >= viewer else seat - viewer + variant.players


@kernel
def observe(state: Record, variant: Record, seat: int, planes: Any) -> None:
    """Writes the planes of `layout`: a row per seat, the observing one first, then to its left; a column per design."""
    players = variant.players
    size = DESIGNS * players
    fill(planes, 0, 10 * size, 0)
    fill_two(planes, 6, size, max(variant.rounds - state.throws, 0))
    fill_plies_left(planes, 8, size, state, variant)
    fill(planes, 4 * players + place_of(variant, state.banker, seat), DESIGNS, 1)
    fill(planes, 5 * players + place_of(variant, state.to_act, seat), DESIGNS, 1)
    row = 0
    for _ in range(players):
        chips = min(max(state.chips[seat], -MAX_IN_TWO_PLANES - 1), MAX_IN_TWO_PLANES)
        high, low = chips >> 7, chips & 127
        for design in range(DESIGNS):
            planes[row + design] = state.stakes[seat, design] & 127
        for design in range(DESIGNS):  # one loop per plane, so that the compiler writes each row at once
            planes[2 * size + row + design] = high
        for design in range(DESIGNS):
            planes[3 * size + row + design] = low
        if variant.max_stake > 127:
            for design in range(DESIGNS):
                planes[10 * size + row + design] = state.stakes[seat, design] >> 7
        row += DESIGNS
        seat = left_of(variant, seat)
    if state.dice[0] >= 0:
        for die in range(THROWN):
            cell = size + state.dice[die]
            while cell < 2 * size:
                planes[cell] += 1
                cell += DESIGNS


@kernel
def position_key(state: Record) -> Any:
    """A game with dice has no repetition."""
    return np.uint64(0)
