"""Set-up positions for the tests of the Royal Game of Ur."""

from __future__ import annotations

from typing import Any

import parlour
from parlour.interfaces.aec import GameEnv

GAME = "royal_ur-v0"


def faces_of(number: int, dice: int = 4) -> tuple[int, ...]:
    """A throw of this number of marked tips."""
    return (0,) * (dice - number) + (1,) * number


def at(light: str, dark: str, number: int, *, seat: str = "light", **more: Any) -> GameEnv:
    """A game that goes on with men on these squares, the rest in hand (``off``: how many of each are borne off), after
    a throw of this number; ``throws``: to come; others: options."""
    throws, off, plies = more.pop("throws", []), more.pop("off", (0, 0)), more.pop("plies", 0)
    env = parlour.make(GAME, illegal_move="raise", **more)
    men, dice = env.values["men"], 3 if more.get("dice") == "three" else 4
    squares = [" ".join(text.split()) for text in (light, dark)]
    hand = [men - len(text.split()) - gone for text, gone in zip(squares, off)]
    faces = " ".join(map(str, faces_of(number, dice)))
    words = [f"{name} {text}".strip() for name, text in zip(("light", "dark"), squares)]
    text = " | ".join(
        (*words, f"hand {hand[0]} {hand[1]}", f"off {off[0]} {off[1]}", seat, f"dice {faces}", str(plies))
    )
    env.reset(seed=1, options={"position": text, "dice": [faces_of(throw, dice) for throw in throws]})
    return env


def parts(env: GameEnv) -> list[str]:
    """Of the position's text: 0 Light's men, 1 Dark's, 2 hand, 3 off, 4 seat, 5 dice, 6 plies."""
    return env.position().split(" | ")
