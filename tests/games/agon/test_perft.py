"""Perft by turns from the start, of every variant (numbers from independent programs)."""

from __future__ import annotations

import pytest

from parlour.rulebook.compiling import COMPILED
from tests.support.perft import assert_perft, divide

GAME = "agon-v0"
KNOWN = {
    "classic": [27, 713, 18417, 466557],
    "classic_exile": [27, 713, 18417, 466557],
    "lion_coffee": [27, 713, 18417, 466853],
    "ring": [27, 713, 18417, 466151],
    "ring_outer": [27, 713, 18417, 466151],
    "bloody_queen": [27, 713, 20041],
    "classic_placing": [88, 7653],
    "bell": [88, 7656],
    "parlett": [90, 8010],
}
CASES = [
    (variant, turns)
    for variant, counts in KNOWN.items()
    for turns in range(1, len(counts) + 1)
    if COMPILED or turns <= 2
]


@pytest.mark.parametrize(("variant", "turns"), CASES)
def test_perft_by_turns(variant: str, turns: int) -> None:
    """A turn may hold several plies (a choice and the put; Bloody Queen's consequences): each way to play it counts."""
    assert_perft(KNOWN[variant][turns - 1], divide(GAME, turns, variant=variant))
