"""Tic-tac-toe against a fixed player, looked at to the end: what a best response scores, and what a policy does.

A board is nine letters, ``x``, ``o`` or ``.``, a1 first: cell k is action k. Scores are points: a win 1, a draw ½.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
EMPTY = "." * 9
Policy = Callable[[str, str], Mapping[int, float]]
"""``(board, mark) -> probabilities`` of the cells on which the player of that mark may put it."""


def free(board: str) -> list[int]:
    """The empty cells."""
    return [k for k in range(9) if board[k] == "."]


def text_of(board: str, mark: str) -> str:
    """The position as the game writes it."""
    return "/".join(board[3 * row : 3 * row + 3] for row in (2, 1, 0)) + f" {mark}"


def points(board: str, mark: str) -> float | None:
    """Those of the player of that mark; None while the game runs."""
    for line in LINES:
        marks = {board[k] for k in line}
        if len(marks) == 1 and marks != {"."}:
            return float(marks == {mark})
    return 0.5 if "." not in board else None


def score(own: str, opponent: Policy, policy: Policy | None = None) -> float:
    """The points of the player with the mark ``own`` against ``opponent``: with ``policy``, or (None) with a best
    response."""

    @cache
    def value(board: str, mark: str) -> float:
        known = points(board, own)
        if known is not None:
            return known
        after = {k: value(board[:k] + mark + board[k + 1 :], "o" if mark == "x" else "x") for k in free(board)}
        if mark == own and policy is None:
            return max(after.values())
        chances = (policy if mark == own and policy else opponent)(board, mark)
        return sum(chance * after[k] for k, chance in chances.items())

    return value(EMPTY, "x")


def at_random(board: str, mark: str) -> Mapping[int, float]:
    """The player ``random``."""
    return dict.fromkeys(free(board), 1 / len(free(board)))


def first_free(board: str, mark: str) -> Mapping[int, float]:
    """Takes the first cell."""
    return {free(board)[0]: 1.0}


def greedy(board: str, mark: str) -> Mapping[int, float]:
    """The player ``greedy``: wins at once, else has as many open lines more than the other as it can, where those with
    two marks count three times."""

    def open_lines(after: str, own: str) -> int:
        counts = [sum(after[k] == own for k in line) for line in LINES if all(after[k] in ("." + own) for k in line)]
        return sum((count >= 1) + 2 * (count >= 2) for count in counts)

    scores = {}
    for k in free(board):
        after = board[:k] + mark + board[k + 1 :]
        other = "o" if mark == "x" else "x"
        scores[k] = 1000 if points(after, mark) == 1 else open_lines(after, mark) - open_lines(after, other)
    best = [k for k, value in scores.items() if value == max(scores.values())]
    return dict.fromkeys(best, 1 / len(best))
