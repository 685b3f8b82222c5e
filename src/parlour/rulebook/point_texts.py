"""Texts of rows of points, as all games on a backgammon board write them: ``24:r2 19:r5 6:b15``."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
from numpy.typing import NDArray

from parlour.rulebook.points import STEPS, TABLE, set_men
from parlour.rulebook.position_parts import Part
from parlour.rulebook.protocol import Record


def write_points(state: Record, letters: str) -> list[str]:
    """``24:r2``, …: the points with men, in the first seat's numbering, from 24 down. ``letters``: of the seats."""
    first, second = state.men.tolist()
    texts = []
    for step, counts in enumerate(zip(first, reversed(second))):
        for letter, men in zip(letters, counts):
            if men:
                texts.append(f"{STEPS - step}:{letter}{men}")
    return texts


def read_points(text: str, letters: str) -> NDArray[np.int8]:
    """[seat, step]: the men (int8) of a text as `write_points` makes it; ``-`` or nothing: none. Raises ValueError."""
    above, men = STEPS + 1, np.zeros((2, STEPS), np.int8)
    for word in text.split(" ") if text not in ("", "-") else []:
        match = _point(letters).fullmatch(word)
        if match is None:
            first, second = letters[0], letters[1]
            raise ValueError(
                f"{word!r} is no point with men; such words look like 24:{first}2 (point 1 to 24, {first} or {second}, "
                f"1 to 15)"
            )
        point, seat = int(match[1]), letters.index(match[2])
        if point >= above:
            raise ValueError(f"point {point} comes after point {above}; each point once, from 24 down")
        above = point
        men[seat, STEPS - point if seat == 0 else point - 1] = int(match[3])
    return men


@cache
def _point(letters: str) -> re.Pattern[str]:
    return re.compile(rf"([1-9]|1[0-9]|2[0-4]):([{letters}])([1-9]|1[0-5])")


def points(letters: str) -> Part:
    """The part of a text with the men on the points; ``-`` if there are none."""
    return Part(
        lambda state, variant: " ".join(write_points(state, letters)) or "-",
        lambda text, state, variant: set_men(state, read_points(text, letters)),
    )


def steps_between(action: int, first: int) -> tuple[int, int]:
    """The steps between which an action moves a man: −1 for where men enter, 24 for off the board. ``first``: the
    source that step 0 is."""
    source, number = divmod(action, TABLE)
    step = max(source - first, -1)
    return step, min(step + number + 1, STEPS)
