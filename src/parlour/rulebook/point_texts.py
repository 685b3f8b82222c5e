"""Texts of rows of points, as all games on a backgammon board write them: ``24:r2 19:r5 6:b15``, counts in pairs."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
from numpy.typing import NDArray

from parlour.rulebook.points import STEPS
from parlour.rulebook.protocol import Record


def write_points(state: Record, letters: str) -> list[str]:
    """``24:r2``, …: the points with men, in the first seat's numbering, from 24 down. ``letters``: of the seats."""
    first, second = state.men.tolist()
    found = []
    for step, counts in enumerate(zip(first, reversed(second))):
        for letter, men in zip(letters, counts):
            if men:
                found.append(f"{STEPS - step}:{letter}{men}")
    return found


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


@cache
def _pair(word: str, form: str) -> re.Pattern[str]:
    return re.compile(rf"{word} ({form}) ({form})")


def read_pair(text: str, word: str, form: str, meaning: str) -> list[int]:
    """The two numbers after ``word``, each of the form ``form`` (a pattern); ``meaning``: theirs, for the error."""
    match = _pair(word, form).fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not of the form '{word} a b', a and b being {meaning}")
    return [int(match[1]), int(match[2])]
