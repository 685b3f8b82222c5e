"""A plain referee for Backgammon, written from the rules in envs/backgammon/README.md alone: men are numbers of points,
and what must be played is found by trying every way to play the throw. Nothing is shared with the kernels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

SETUPS = {
    "standard": [24] * 2 + [13] * 5 + [8] * 3 + [6] * 5,
    "nackgammon": [24] * 2 + [23] * 2 + [13] * 4 + [8] * 3 + [6] * 4,
    "hyper": [24, 23, 22],
}
BAR, OFF = 25, 0
Men = tuple[tuple[int, ...], tuple[int, ...]]
"""Of each seat the points of its men by its own numbers, 25 for the bar, 0 for off, from the farthest."""


def is_open(men: Men, seat: int, point: int) -> bool:
    """Whether a man of ``seat`` may land on its ``point``."""
    return men[1 - seat].count(25 - point) < 2


def home(men: Men, seat: int) -> bool:
    """Whether all men of the seat are in its home board, or off."""
    return max(men[seat]) <= 6


def can_move(men: Men, seat: int, point: int, number: int) -> bool:
    """Whether the man on ``point`` may be moved by ``number``, as far as this number alone goes."""
    if point == OFF or point not in men[seat] or (BAR in men[seat] and point != BAR):
        return False
    if point > number:
        return is_open(men, seat, point - number)
    return home(men, seat) and (point == number or max(men[seat]) == point)


def moved(men: Men, seat: int, point: int, number: int) -> Men:
    """The men after that move."""
    target = max(point - number, OFF)
    own, other = list(men[seat]), list(men[1 - seat])
    own[own.index(point)] = target
    if target != OFF and 25 - target in other:
        other[other.index(25 - target)] = BAR
    both = [tuple(sorted(side, reverse=True)) for side in (own, other)]
    return (both[0], both[1]) if seat == 0 else (both[1], both[0])


def most(men: Men, seat: int, numbers: list[int]) -> int:
    """How many of the numbers can be played, in the best order."""
    best = 0
    for number in set(numbers):
        rest = list(numbers)
        rest.remove(number)
        for point in set(men[seat]):
            if can_move(men, seat, point, number):
                best = max(best, 1 + most(moved(men, seat, point, number), seat, rest))
        if best == len(numbers):
            break
    return best


def ways(men: Men, seat: int, numbers: list[int]) -> list[tuple[int, int]]:
    """The moves, each a point and a number, after which the most numbers can be played; of single numbers that can't
    both be played the larger ones."""
    count = most(men, seat, numbers)
    found = []
    for number in sorted(set(numbers)):
        rest = list(numbers)
        rest.remove(number)
        for point in sorted(set(men[seat])):
            if can_move(men, seat, point, number) and 1 + most(moved(men, seat, point, number), seat, rest) == count:
                found.append((point, number))
    if count == 1 and len(numbers) == 2:
        larger = max((number for _, number in found), default=0)
        found = [way for way in found if way[1] == larger]
    return found


def name_of(point: int, number: int) -> str:
    """``24/18``, ``bar/20``, ``4/off``"""
    start = "bar" if point == BAR else str(point)
    return f"{start}/{point - number if point > number else 'off'}"


@dataclass
class Referee:
    """One game. ``throw``: gives the next throw of so many dice, as faces."""

    throw: Callable[[int], tuple[int, ...]]
    setup: str = "standard"
    gammons: str = "counted"
    opening: str = "single_die"
    max_plies: int = 4000
    seat: int = 0
    plies: int = 0
    end: str = ""
    rewards: tuple[float, float] = (0.0, 0.0)
    events: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        """Sets up the men and throws for the start."""
        self.men: Men = (tuple(SETUPS[self.setup]), tuple(SETUPS[self.setup]))
        while True:
            first, second = self.throw(1)[0], self.throw(1)[0]
            if first != second:
                break
        self.seat = 0 if first > second else 1
        self._take((first, second) if self.opening == "single_die" else self.throw(2))

    def _take(self, faces: tuple[int, ...]) -> None:
        self.faces = faces
        self.left = [faces[0]] * 4 if faces[0] == faces[1] else list(faces)

    def legal(self) -> list[str]:
        """The names of the legal moves."""
        if self.end:
            return []
        names = {name_of(point, number) for point, number in ways(self.men, self.seat, self.left)}
        return sorted(names) or ["pass"]

    def play(self, move: str) -> None:
        """A legal move, and the throw that follows at the end of a turn."""
        self.events, self.rewards = Counter(), (0.0, 0.0)
        self.plies += 1
        over = True
        if move == "pass":
            self.events["pass on the bar" if BAR in self.men[self.seat] else "pass"] += 1
        else:
            found = ways(self.men, self.seat, self.left)
            alone = [way for way in found if all(way[1] == other[1] for other in found)]
            if len(self.left) == 2 and self.left[0] != self.left[1]:
                one = most(self.men, self.seat, self.left) == 1
                self.events["only one number"] += one
                each = [most(self.men, self.seat, [number]) for number in self.left]
                self.events["the higher of two"] += one and each == [1, 1]
                self.events["order forced"] += not one and bool(alone) and each == [1, 1]
            point, number = min((way for way in found if name_of(*way) == move), key=lambda way: way[1])
            self._move(point, number)
            over = not most(self.men, self.seat, self.left)
        if set(self.men[self.seat]) == {OFF}:
            self._win()
            return
        if self.plies == self.max_plies:
            self.end = "max_plies"
        if over:
            if move != "pass" and self.left:
                self.events["numbers lost"] += 1
            self.seat = 1 - self.seat
            self._take(self.throw(2))

    def _move(self, point: int, number: int) -> None:
        before = self.men[1 - self.seat].count(BAR)
        late = min(self.men[1 - self.seat]) == OFF
        self.events["enter" if point == BAR else "bear off" if point <= number else "move"] += 1
        self.events["bear off with more"] += point < number
        self.men = moved(self.men, self.seat, point, number)
        self.left.remove(number)
        if self.men[1 - self.seat].count(BAR) > before:
            self.events["hit"] += 1
            self.events["late hit"] += late

    def _win(self) -> None:
        stake, self.end = 1, "single"
        loser = self.men[1 - self.seat]
        if self.gammons == "counted" and OFF not in loser:
            stake, self.end = (3, "backgammon") if max(loser) >= 19 else (2, "gammon")
        self.rewards = (stake, -stake) if self.seat == 0 else (-stake, stake)
        self.left = []

    def text(self) -> str:
        """The position as the environment writes it."""
        board = []
        for point in range(24, 0, -1):
            for letter, count in (("w", self.men[0].count(point)), ("b", self.men[1].count(25 - point))):
                if count:
                    board.append(f"{point}:{letter}{count}")
        parts = [" ".join(board) or "-"]
        for word, place in (("bar", BAR), ("off", OFF)):
            parts.append(f"{word} {self.men[0].count(place)} {self.men[1].count(place)}")
        parts += ["wb"[self.seat], "dice {} {}".format(*self.faces)]
        parts += ["left " + (" ".join(map(str, self.left)) or "-"), str(self.plies)]
        return " | ".join(parts) + (f" end={self.end}" if self.end else "")
