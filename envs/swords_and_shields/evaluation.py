"""How plies and positions of Swords & Shields look: for built-in players, reward shaping, search and statistics."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.bits import ZERO, count_bits, has, size
from parlour.rulebook.compiling import kernel, plain
from parlour.rulebook.protocol import RUNNING, Record

from . import rules

WIN = 100.0
MAX_SWORDS, MAX_SHIELDS, MAX_WAYS = 16, 8, 4
EIGHT, ONE = np.uint64(8), np.uint64(1)

TARGET_OF = np.array([plain(rules.target_of)(action) for action in range(rules.DOTS * rules.TARGETS)])
"""[action]: the dot that it leads to."""
BESIDE, IS_BESIDE = np.zeros((rules.DOTS, 2), np.uint64), np.zeros((rules.DOTS, rules.DOTS), np.bool_)
"""[dot]: the dots beside it, as a set; [dot, other]: whether the other is one of them."""
for dot in range(rules.DOTS):
    for beside in rules.NEIGHBOUR[dot][rules.NEIGHBOUR[dot] != rules.OFF]:
        BESIDE[dot, beside // 64] |= np.uint64(1 << beside % 64)
        IS_BESIDE[dot, beside] = True

EVENTS = ("sword_captured", "shield_captured", "several_captured", "way_open")
CAPTURED_SWORD, CAPTURED_SHIELD, CAPTURED_SEVERAL, OPENED_WAY = range(len(EVENTS))


@kernel
def men_lost(before: Any, after: Any) -> int:
    """How many of the men in the set ``before`` are not in ``after``."""
    return count_bits(before[0] & ~after[0]) + count_bits(before[1] & ~after[1])


@kernel
def greedy_score(before: Record, after: Record, variant: Record, seat: int) -> float:
    """A win above all, then the number of men captured: `greedy` wins if it can, else captures the most, else plays at
    random. A ply never ends the game for the other seat's good."""
    captured = men_lost(before.men[1 - seat], after.men[1 - seat])
    return WIN if after.end != RUNNING else float(captured)


@kernel
def ways_out(state: Record, variant: Record) -> int:
    """How many escape dots the Chief could reach in one ply from where he stands: 0 to 4."""
    if state.chief == rules.OFF:
        return 0
    along_rank = rules.reach_along_rank(state, variant, state.chief, True)
    along_file = rules.reach_along_file(state, variant, state.chief, True)
    ways = 0
    for place in range(rules.TARGETS):
        word = along_rank if place < rules.TARGETS // 2 else along_file
        reached = (word >> (EIGHT * np.uint64(place % (rules.TARGETS // 2)))) & ONE
        if reached and rules.ESCAPE_DOT[variant.escape, rules.target_of(rules.TARGETS * state.chief + place)]:
            ways += 1
    return ways


@kernel
def potential(state: Record, variant: Record, seat: int) -> float:
    """For the Shields ½ · (shields / 8 − swords / 16) + ½ · ways out / 4; for the Swords its opposite."""
    men = size(state.men[rules.SHIELDS]) / MAX_SHIELDS - size(state.men[rules.SWORDS]) / MAX_SWORDS
    value = 0.5 * men + 0.5 * ways_out(state, variant) / MAX_WAYS
    return value if seat == rules.SHIELDS else -value


@kernel
def is_sharp(state: Record, variant: Record, action: int) -> bool:
    """A capture, or the Chief's escape."""
    seat, target = state.to_act, TARGET_OF[action]
    if seat == rules.SHIELDS and action // rules.TARGETS == state.chief and rules.ESCAPE_DOT[variant.escape, target]:
        return True
    enemies = state.men[1 - seat]
    beside_enemy = (enemies[0] & BESIDE[target, 0]) | (enemies[1] & BESIDE[target, 1]) != ZERO
    if not beside_enemy and (seat == rules.SHIELDS or not IS_BESIDE[target, state.chief]):
        return False
    for direction in range(4):
        beside = rules.NEIGHBOUR[target, direction]
        if beside == rules.OFF:
            continue
        beyond = rules.NEIGHBOUR[beside, direction]
        if has(enemies, beside):
            if beyond != rules.OFF and rules.counts_as_own_piece(state, variant, seat, beyond):
                return True
        elif seat == rules.SWORDS and beside == state.chief and would_take_chief(state, variant, beyond):
            return True
    return False


@kernel
def would_take_chief(state: Record, variant: Record, beyond: int) -> bool:
    """Whether a sword that comes beside the Chief captures him; ``beyond``: the dot on his other side."""
    if state.chief == rules.THRONE:
        return rules.swords_beside(state, rules.THRONE) >= 3
    if rules.CIRCLED[state.chief] and variant.chief_beside_throne == rules.THREE:
        return rules.swords_beside(state, state.chief) >= 2
    return beyond == rules.THRONE or (beyond != rules.OFF and has(state.men[rules.SWORDS], beyond))


@kernel
def sword_reaches(state: Record, variant: Record, dot: int) -> bool:
    """Whether a sword can move to an empty dot."""
    for direction in range(4):
        place = dot
        while place != rules.OFF:
            rank, file = rules.RANK_OF[place], rules.FILE_OF[place]
            if rules.CHIEF_ONLY[variant.escape, rank] >> file & 1:
                break
            if place != dot and state.ranks[rank] >> file & 1:
                if has(state.men[rules.SWORDS], place):
                    return True
                break
            place = rules.NEIGHBOUR[place, direction]
    return False


@kernel
def wins_at_once(state: Record, variant: Record) -> bool:
    """By an escape, or by a sword that takes the Chief; shutting the other seat in is not looked for."""
    if state.to_act == rules.SHIELDS:
        return ways_out(state, variant) > 0
    for direction in range(4):
        beside, beyond = rules.NEIGHBOUR[state.chief, direction], rules.NEIGHBOUR[state.chief, direction ^ 1]
        if beside == rules.OFF or state.ranks[rules.RANK_OF[beside]] >> rules.FILE_OF[beside] & 1:
            continue
        if would_take_chief(state, variant, beyond) and sword_reaches(state, variant, beside):
            return True
    return False


@kernel
def events(before: Record, after: Record, variant: Record, counts: Any) -> None:
    """Men captured, captures of two or three at once, and plies of the Shields after which the Chief has a way out."""
    swords = men_lost(before.men[rules.SWORDS], after.men[rules.SWORDS]) if after.last_seat == rules.SHIELDS else 0
    shields = men_lost(before.men[rules.SHIELDS], after.men[rules.SHIELDS]) if after.last_seat == rules.SWORDS else 0
    counts[CAPTURED_SWORD] += swords
    counts[CAPTURED_SHIELD] += shields
    if swords + shields > 1:
        counts[CAPTURED_SEVERAL] += 1
    if after.last_seat == rules.SHIELDS and after.end == RUNNING and ways_out(after, variant) > 0:
        counts[OPENED_WAY] += 1
