"""Set-up positions for the tests of Backgammon."""

from __future__ import annotations

from typing import Any

from parlour.interfaces.aec import GameEnv
from tests.support.games import begun

GAME = "backgammon-v0"


def text_of(board: str, dice: str, left: str, **more: Any) -> str:
    """A position: White (or ``seat``) to act, men on the ``bar`` as a pair (White, Black); all other men are off."""
    bar, men = more.get("bar", (0, 0)), more.get("men", 15)
    off = [men - bar[0], men - bar[1]]
    words = sorted(board.split(), key=lambda word: -int(word.partition(":")[0]))
    for word in words:
        off["wb".index(word.partition(":")[2][0])] -= int(word.partition(":")[2][1:])
    end = f" end={more['end']}" if "end" in more else ""
    return (
        f"{' '.join(words) or '-'} | bar {bar[0]} {bar[1]} | off {off[0]} {off[1]} | {more.get('seat', 'w')} | "
        f"dice {dice} | left {left} | {more.get('plies', 0)}{end}"
    )


def whole(dice: str) -> str:
    """The numbers that a throw gives to play."""
    first, second = dice.split()
    return " ".join([first] * 4) if first == second else dice


def at(board: str, dice: str, left: str | None = None, **more: Any) -> GameEnv:
    """A game that goes on from such a position; ``options``: of the environment; ``throws``: to come."""
    options, throws = more.pop("options", {}), more.pop("throws", [])
    env: GameEnv = begun(
        GAME,
        1,
        position=text_of(board, dice, left or whole(dice), **more),
        throws=throws,
        illegal_move="raise",
        **options,
    )
    return env


def part(env: GameEnv, number: int) -> str:
    """One of the parts of the position's text: 0 points, 1 bar, 2 off, 3 seat, 4 dice, 5 left, 6 plies."""
    return env.position().split(" | ")[number]
