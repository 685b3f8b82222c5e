"""Names of actions (``take 2``) and texts of positions (``21 first``)."""

from __future__ import annotations

from parlour.rulebook.positions import own_words_refused, read_count
from parlour.rulebook.protocol import RUNNING, Record

from . import rules

MOVE_FORM = "take 2"
DICE_TEXT = False
NAMES = tuple(f"take {count}" for count in range(1, rules.MAX_TAKEN + 1))
SEATS = ("first", "second")


def move_name(action: int, state: Record) -> str | None:
    """The same for both seats."""
    return NAMES[action]


def parse_move(text: str, state: Record) -> int | None:
    """The opposite of `move_name`."""
    return NAMES.index(text) if text in NAMES else None


def write(state: Record, variant: Record) -> str:
    """How many counters are left, and who is to act."""
    return f"{state.pile} {SEATS[state.to_act]}"


def read(text: str, state: Record, variant: Record) -> None:
    """The opposite of `write`."""
    pile, _, rest = text.partition(" ")
    seat, *more = rest.split(" ")
    if more:
        raise own_words_refused(more, ("plies=", "seen=", "end="))
    if seat not in SEATS:
        raise ValueError(f"{seat!r} is no seat; seats: {' and '.join(SEATS)}")
    state.pile, state.to_act = read_count("pile", pile), SEATS.index(seat)


def check(state: Record, variant: Record) -> None:
    """No more counters than at the start; and none left if, and only if, the last was taken."""
    if state.pile > variant.pile:
        raise ValueError(f"{state.pile} counters, where a game begins with {variant.pile}")
    if (state.pile == 0) != (state.end == rules.LAST_TAKEN):
        end = "is over" if state.end != RUNNING else "goes on"
        raise ValueError(f"no game {end} with {state.pile} counters and end={rules.ENDS[state.end]!r}")
