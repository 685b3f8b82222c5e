"""Set-up positions for the tests of Acey Ducey."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

from parlour.interfaces.aec import GameEnv
from tests.support.games import begun

GAME = "acey_ducey-v0"
BEARING_OFF = [men for count in range(7) for men in combinations_with_replacement(range(6, 0, -1), count)]
"""All positions of at most six men in the home table."""


def text_of(board: str, dice: str, left: str, **more: Any) -> str:
    """A position: Red (or ``seat``) to act, ``unentered`` and ``dog`` as pairs (Red, Black); all other men are off."""
    unentered, dog = more.get("unentered", (0, 0)), list(more.get("dog", (0, 0)))
    off = [15 - unentered[0] - dog[0], 15 - unentered[1] - dog[1]]
    words = sorted(board.split(), key=lambda word: -int(word.partition(":")[0]))
    for word in words:
        off["rb".index(word.partition(":")[2][0])] -= int(word.partition(":")[2][1:])
    end = f" end={more['end']}" if "end" in more else ""
    extra = f" | {more['extra']}" if "extra" in more else ""
    return (
        f"{' '.join(words) or '-'} | in {unentered[0]} {unentered[1]} | dog {dog[0]} {dog[1]} | "
        f"off {off[0]} {off[1]} | "
        f"{more.get('seat', 'r')} | dice {dice} | left {left} | {more.get('further', '-')} | {more.get('plies', 0)}"
        f"{extra}{end}"
    )


def at(board: str, dice: str, left: str | None = None, **more: Any) -> GameEnv:
    """A game that goes on from such a position; ``options``: of the environment; ``throws``: to come."""
    options, throws = more.pop("options", {}), more.pop("throws", [])
    env: GameEnv = begun(
        GAME, 1, position=text_of(board, dice, left or dice, **more), throws=throws, illegal_move="raise", **options
    )
    return env


def part(env: GameEnv, number: int) -> str:
    """One of the parts of the position's text: 0 points, 1 in, 2 dog, 3 off, 4 seat, 5 dice, 6 left, 7 again."""
    return env.position().split(" | ")[number]
