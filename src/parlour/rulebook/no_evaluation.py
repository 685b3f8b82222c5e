"""Defaults for a game without an ``evaluation.py``, or for what its ``evaluation.py`` leaves out.

There are no events, the potential of every position is 0, and searches are told nothing more. Three parts have no
default: without ``greedy_score``, `greedy` plays a ply that wins at once, if there is one, and otherwise any ply
(``simple_players``); without ``features``, value networks see the observation planes (``network_value``); without
``most_to_win``, their values are shown as they are (``scoring``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from parlour.rulebook.compiling import kernel
from parlour.rulebook.protocol import Record

SAME_AS = {"heuristic_value": "potential", "is_sharp": "is_forcing"}
"""Parts that are the same as another one where they are left out."""
EVENTS: tuple[str, ...] = ()


def with_defaults(given: Mapping[str, Any]) -> dict[str, Any]:
    """The names of a game's ``evaluation.py`` with the defaults for all that it leaves out."""
    parts = {**globals(), **given}
    return {**{name: parts[other] for name, other in SAME_AS.items()}, **parts}


@kernel
def potential(state: Record, variant: Record, seat: int) -> float:
    """No position is better than another."""
    return 0.0


@kernel
def events(before: Record, after: Record, variant: Record, counts: Any) -> None:
    """Nothing is counted."""


@kernel
def is_forcing(state: Record, variant: Record, action: int) -> bool:
    """Nothing must be played out."""
    return False


@kernel
def wins_at_once(state: Record, variant: Record) -> bool:
    """All wins are overlooked."""
    return False


@kernel
def heuristic_bounds(state: Record, variant: Record, seat: int, plies: int) -> tuple[float, float, float]:
    """Nothing is known."""
    return -math.inf, math.inf, math.inf
