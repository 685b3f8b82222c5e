"""One ply of one game: everything around a game's own rules, the same in all games. If the variant forbids repeated
positions (the option `repeats`), `parlour.engine.kernels.repeats` does the rest."""

from __future__ import annotations

from typing import Any

from parlour.engine import repetition
from parlour.engine.game_functions import GameFunctions
from parlour.rulebook.compiling import kernel
from parlour.rulebook.options import FORBIDDEN, LOSES
from parlour.rulebook.protocol import MAX_PLIES, PLY_COUNT_LIMIT, REPETITION, RUNNING, Record


@kernel
def set_up(rules: GameFunctions, state: Record, variant: Record) -> None:
    """The start of a game, before any throw."""
    clear(state)
    rules.setup(state, variant)


@kernel
def clear(state: Record) -> None:
    """Sets the fields that all games share to those of a game in which nothing has been played."""
    state.plies, state.seen, state.occurrences = 0, 0, 0
    state.last_action, state.last_seat = -1, -1
    state.end, state.turn_over, state.irreversible = RUNNING, 1, 0


@kernel
def begin(
    rules: GameFunctions, state: Record, variant: Record, dice_rng: Record, forced_dice: Any, faces: Any, seen: Any,
    rewards: Any,
) -> None:  # fmt: skip
    """Sets up a game and makes the throws before its first ply. ``faces`` (int8, those of a throw) is scratch, here and
    below."""
    set_up(rules, state, variant)
    make_throws(rules, state, variant, dice_rng, forced_dice, faces, rewards)
    if variant.repetition:
        count_occurrences(rules, state, seen)  # docs/common_rules.md: "the starting position counts as an occurrence"


@kernel
def play(
    rules: GameFunctions, state: Record, variant: Record, action: int, dice_rng: Record, forced_dice: Any, faces: Any,
    seen: Any, rewards: Any,
) -> None:  # fmt: skip
    """One ply, the throws after it, and the endings that all games share, in the order of docs/common_rules.md."""
    open_ply(rules, state, variant, action, rewards)
    make_throws(rules, state, variant, dice_rng, forced_dice, faces, rewards)
    close_ply(rules, state, variant, seen, rewards)


@kernel
def open_ply(rules: GameFunctions, state: Record, variant: Record, action: int, rewards: Any) -> None:
    """Plays a ply, without the throws after it."""
    state.last_action = action
    state.last_seat = state.to_act
    rules.apply(state, variant, action, rewards)


@kernel
def throws_due(rules: GameFunctions, state: Record, variant: Record) -> int:
    """How many dice must be thrown before the game continues; 0 if it is over."""
    return rules.dice_due(state, variant) if rules.dice > 0 and state.end == RUNNING else 0


@kernel
def make_throws(
    rules: GameFunctions, state: Record, variant: Record, dice_rng: Record, forced_dice: Any, faces: Any, rewards: Any
) -> None:
    """Makes every throw that is due: forced throws first, then from the stream."""
    if rules.dice > 0 and state.end == RUNNING:
        rules.make_throws(state, variant, dice_rng, forced_dice, faces, rewards)


@kernel
def close_ply(rules: GameFunctions, state: Record, variant: Record, seen: Any, rewards: Any) -> None:
    """The part after the throws: counts, and the endings that all games share."""
    count_ply(state)
    if variant.repetition:
        forget_irreversible(state)
        if state.turn_over:
            count_occurrences(rules, state, seen)
            end_by_occurrences(rules, state, variant, rewards)
    if not forbids_repeats(variant):
        end_by_plies(state, variant)


@kernel
def count_ply(state: Record) -> None:
    """Counts a ply."""
    if state.plies < PLY_COUNT_LIMIT:
        state.plies += 1


@kernel
def count_occurrences(rules: GameFunctions, state: Record, seen: Any) -> None:
    """Records the position at the end of a turn, and how often it has occurred. ``seen``: the game's row of the
    history."""
    key = rules.position_key(state)
    state.occurrences = 1 + repetition.earlier_occurrences(seen, state.seen, key)
    repetition.note(seen, state.seen, key)
    state.seen += 1


@kernel
def forbids_repeats(variant: Record) -> bool:
    """Whether the variant forbids repeated positions."""
    return variant.repetition != 0 and variant.repeats == FORBIDDEN


@kernel
def forget_irreversible(state: Record) -> None:
    """After an irreversible ply, no earlier position needs to be counted."""
    if state.irreversible:
        state.seen = 0
        state.occurrences = 1


@kernel
def end_by_occurrences(rules: GameFunctions, state: Record, variant: Record, rewards: Any) -> None:
    """Ends a game whose position has come often enough, as `repeats` says: drawn, or lost by the seat whose turn it
    was."""
    if state.end == RUNNING and state.occurrences >= variant.repetition and not forbids_repeats(variant):
        state.end = REPETITION
        if variant.repeats == LOSES:
            pay_loser(1 - rules.seat_of_turn(state), rewards)


@kernel
def end_by_plies(state: Record, variant: Record) -> None:
    """Truncates a game that has been undecided for too long."""
    if state.end == RUNNING and 0 < variant.max_plies <= state.plies:
        state.end = MAX_PLIES


@kernel
def pay_loser(loser: int, rewards: Any) -> None:
    """Pays −1 to ``loser`` and +1 to the other of two seats."""
    rewards[loser] -= 1
    rewards[1 - loser] += 1


@kernel
def has_room(state: Record, variant: Record, seen: Any) -> bool:
    """Whether another position can be counted. ``seen``: the game's row of the history."""
    return variant.repetition == 0 or repetition.has_room(seen, state.seen)
