"""A plain referee for the Royal Game of Ur, written from the rules in envs/royal_ur/README.md alone: men are objects on
tiles of a drawn board, paths are typed tile by tile, nothing is shared with the kernels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

# Tiles as in RoyalUr's notation: A is Light's row, C is Dark's, from the left.
BOARDS = {
    "standard": "A1* A2 A3 A4 A7* A8 B1 B2 B3 B4* B5 B6 B7 B8 C1* C2 C3 C4 C7* C8",
    "aseb": "A1* A2 A3 A4 B1 B2 B3 B4* B5 B6 B7 B8* B9 B10 B11 B12* C1* C2 C3 C4",
}
"""The tiles; a star is a rosette."""
COMING_IN = "A4 A3 A2 A1 B1 B2 B3 B4 B5 B6 B7"
WAYS = {
    "bell": f"{COMING_IN} B8 A8 A7",
    "masters": f"{COMING_IN} C7 C8 B8 A8 A7",
    "aseb": f"{COMING_IN} B8 B9 B10 B11 B12",
    "murray": f"{COMING_IN} C7 C8 B8 A8 A7 B7 B6 B5 B4 B3 B2 B1 C1 C2 C3 C4",
    "skiriuk": f"{COMING_IN} C7 C8 B8 A8 A7 B7 B6 B5 B4 B3 B2 B1",
}
OTHER_SIDE = str.maketrans("AC", "CA")
NAMES = ("light", "dark")


@dataclass
class Man:
    """A man: whose it is, and where: 0 in hand, then the squares of its way; one more than the last is off."""

    seat: int
    square: int = 0


@dataclass
class Referee:
    """One game. ``throw``: gives the next throw, as faces."""

    throw: Callable[[int], tuple[int, ...]]
    path: str = "bell"
    men: int = 7
    dice: str = "four"
    safe_rosettes: bool = True
    rosette_throws: bool = True
    capture_throws: bool = False
    max_plies: int = 2000
    seat: int = 0
    plies: int = 0
    end: str = ""
    rewards: tuple[float, float] = (0.0, 0.0)
    events: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        """Puts all men in hand and throws."""
        way = WAYS[self.path].split()
        self.ways = (way, [tile.translate(OTHER_SIDE) for tile in way])
        tiles = BOARDS["aseb" if self.path == "aseb" else "standard"].split()
        self.rosettes = {tile[:-1] for tile in tiles if tile.endswith("*")}
        assert set(way) <= {tile.rstrip("*") for tile in tiles}
        self.all = [Man(seat) for seat in range(2) for _ in range(self.men)]
        self._throw()

    def _throw(self) -> None:
        self.faces = tuple(sorted(self.throw(4 if self.dice == "four" else 3)))
        self.number = sum(self.faces)
        if self.dice == "three" and self.number == 0:
            self.number = 4

    def tile(self, man: Man) -> str | None:
        """Where a man stands; None off the board."""
        way = self.ways[man.seat]
        return way[man.square - 1] if 1 <= man.square <= len(way) else None

    def at(self, tile: str) -> Man | None:
        """Who stands on a tile."""
        there = [man for man in self.all if self.tile(man) == tile]
        assert len(there) <= 1
        return there[0] if there else None

    def can_move(self, man: Man) -> bool:
        """Whether the seat to act may move this man by the number thrown."""
        way = self.ways[man.seat]
        target = man.square + self.number
        if man.seat != self.seat or self.number == 0 or man.square > len(way) or target > len(way) + 1:
            return False
        if target == len(way) + 1:
            return True
        other = self.at(way[target - 1])
        if other is None:
            return True
        return other.seat != man.seat and not (self.safe_rosettes and way[target - 1] in self.rosettes)

    def legal(self) -> list[str]:
        """The names of the legal moves."""
        if self.end:
            return []
        squares = {man.square for man in self.all if self.can_move(man)}
        return sorted("in" if square == 0 else str(square) for square in squares) or ["pass"]

    def play(self, move: str) -> None:
        """A legal move, and the throw that follows."""
        self.events, self.rewards = Counter(), (0.0, 0.0)
        again = False
        if move == "pass":
            self.events["nothing thrown" if self.number == 0 else "pass"] += 1
        else:
            square = 0 if move == "in" else int(move)
            again = self._move(next(man for man in self.all if man.square == square and self.can_move(man)))
        self.plies += 1
        way = self.ways[self.seat]
        if all(man.square > len(way) for man in self.all if man.seat == self.seat):
            self.end = "borne_off"
            self.rewards = (1.0, -1.0) if self.seat == 0 else (-1.0, 1.0)
            return
        self.seat = self.seat if again else 1 - self.seat
        if self.plies == self.max_plies:
            self.end = "max_plies"
        self._throw()

    def _move(self, man: Man) -> bool:
        """Moves a man; whether its seat throws again."""
        way = self.ways[man.seat]
        target = man.square + self.number
        victim = self.at(way[target - 1]) if target <= len(way) else None
        self.events["enter" if man.square == 0 else "move"] += 1
        man.square = target
        if target > len(way):
            self.events["bear off"] += 1
            return False
        again = False
        if victim:
            victim.square = 0
            self.events["capture"] += 1
            again = self.capture_throws
        if way[target - 1] in self.rosettes:
            self.events["rosette"] += 1
            again = again or self.rosette_throws
            if victim:
                self.events["capture on a rosette"] += 1
        if way.index(way[target - 1]) < target - 1:
            self.events["second time"] += 1
        return again

    def text(self) -> str:
        """The position as the environment writes it."""
        parts = []
        for seat, name in enumerate(NAMES):
            on = sorted(man.square for man in self.all if man.seat == seat and self.tile(man))
            parts.append(" ".join([name, *map(str, on)]))
        hand = [sum(man.seat == seat and man.square == 0 for man in self.all) for seat in range(2)]
        off = [sum(man.seat == seat and man.square > len(self.ways[0]) for man in self.all) for seat in range(2)]
        parts += [f"hand {hand[0]} {hand[1]}", f"off {off[0]} {off[1]}", NAMES[self.seat]]
        parts += ["dice " + " ".join(map(str, self.faces)), str(self.plies)]
        return " | ".join(parts) + (f" end={self.end}" if self.end else "")
