"""The names of OpenSpiel's checkers moves in ours."""

from __future__ import annotations


def square_of(name: str) -> int:
    """Our square (1 to 32) of theirs: a3 is 12, g3 is 9 (the README of Checkers)."""
    row, column = int(name[1]) - 1, 7 - "abcdefgh".index(name[0])
    return 4 * row + column // 2 + 1


def our_name(theirs: str) -> str:
    """``g3h4`` is ``9-13``; a jump leads two rows away."""
    jumps = abs(int(theirs[1]) - int(theirs[3])) == 2
    return f"{square_of(theirs[:2])}{'x' if jumps else '-'}{square_of(theirs[2:4])}"
