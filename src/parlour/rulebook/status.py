"""The line on whose turn it is or how a game has ended, as far as all games of named seats say it alike."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.rulebook.options import LOSES
from parlour.rulebook.protocol import MAX_PLIES, REPETITION, RUNNING, Record


def common_status(state: Record, seat_names: Sequence[str], winner: int | None = None) -> str:
    """``Red to act (player_0), ply 12``, or how the game ended by a rule of all games; empty after other ends.
    ``winner``: of a game that a repetition ended (`repeat_winner`)."""
    if state.end == RUNNING:
        return f"{seat_names[state.to_act]} to act (player_{state.to_act}), ply {state.plies + 1}"
    if state.end == MAX_PLIES:
        return f"Nobody wins: the limit of {state.plies} plies is reached"
    if state.end != REPETITION:
        return ""
    if winner is not None:
        return f"{seat_names[winner]} wins: {seat_names[1 - winner]} has repeated the position"
    return "Nobody wins: the position has been repeated"


def repeat_winner(state: Record, variant: Record, next_seat: int) -> int | None:
    """Who has won by the other's repeating the position; None if none has. ``next_seat``: whose turn it would be."""
    return next_seat if state.end == REPETITION and variant.repeats == LOSES else None
