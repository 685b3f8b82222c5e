"""A slow, plain referee for Acey Ducey, to be held side by side against a fast kernel.

Written only from the rules (envs/acey_ducey/README.md and docs/common_rules.md) and the printed sheet (Parker); it
shares no code with the package. Each rule is a small function that quotes the sentence it stands for; quotations
marked Parker are the printed sheet's, all others the rulings'.

The men of a seat are a Counter from a place to the number of its men there. A place is a point, 24 to 1 in that
seat's *own* numbering, or IN (not yet entered), DOG (in the Dog House) or OFF (borne off). `men` is the pair of
both seats' Counters.

Words for `end`:
    borne_off   a seat has borne off all 15 men and has won
    max_plies   truncated by `max_plies`

Words in `events` (how often each happened in the last ply, its throw included):
    enter       a man was entered, from IN or from the Dog House
    enter_dog   … from the Dog House
    hit         a single enemy man was sent to the Dog House by a man that came to stand on his point
    late_hit    … while his seat had borne off men
    send        a man was sent to the Dog House by the choice `send`
    again       the choice `again`
    chain       the further throw after `again` was ACEY-DUCEY once more
    bear_off    a man was borne off
    pass        nothing of a whole throw could be played
    closed_out  … by a seat with men in the Dog House or not entered: every point it could enter on was closed
    unplayed    a number was left over after a move of the same throw and given up: no move, or lost (`joint`)

What the rules leave open about texts is written here as follows. A board without men is `-`. The numbers left stand in
the order of the dice (1 before 2 after `again`). `bear_off_from` = `next_turn` adds ` | home` (all men were home
at the turn's first throw) or ` | -`; on reading it may be missing, and the men are then taken as they stand. A finished
game shows the position right after its last ply: the seat that played it, no throw more, and ` end=…` at the end.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

Place = int | str
Men = Counter[Place]
Throw = tuple[int, int]

IN, DOG, OFF = "in", "dog", "off"

MEN = 15
"""15 men each."""

RED, BLACK = 0, 1
"""The seats: "`player_0` Red, `player_1` Black". """

SEAT_LETTERS = ("r", "b")

ACEY, DUCEY = 1, 2
"""Faces ACEY, DUCEY, 3, 4, 5, 6 (ruling; ACEY stands in place of 1, DUCEY of 2)."""

STARTING_TABLE = (24, 23, 22, 21, 20, 19)
"""My starting table is 24–19 (the other's home table)."""

HOME_TABLE = (6, 5, 4, 3, 2, 1)
"""6–1 the mover's home table."""

DUCEY_POINTS = {"tables": (1, 2, 23, 24), "all": (1, 2, 7, 8, 17, 18, 23, 24)}
"""`tables` (points 1, 2, 23, 24, the same four for both seats) | `all` (… also 7, 8, 17, 18 …)."""

OPTION_VALUES: dict[str, tuple[object, ...]] = {
    "dice": ("acey_ducey", "plain"),
    "ducey_points": ("tables", "all"),
    "entering": ("individual", "joint"),
    "must_use_both": (False, True),
    "bear_off_first": (False, True),
    "bear_off_from": ("at_once", "next_turn"),
}

VARIANTS: dict[str, dict[str, object]] = {
    "parker": {},
    "all_tables": {"ducey_points": "all"},
    "backgammon_discipline": {"must_use_both": True},
    "plain_dice": {"dice": "plain"},
}
"""The named variants, each with the options in which it differs from the defaults."""

ENDS = ("borne_off", "max_plies")


# -------------------------------------------------------------------------------- the throw


def check_throw(faces: object) -> Throw:
    """The throw itself, if it is one: two faces of 1 to 6 ("order within a throw kept")."""
    if not isinstance(faces, tuple) or len(faces) != 2:
        raise ValueError(f"a throw is two faces, not {faces!r}")
    for face in faces:
        if isinstance(face, bool) or not isinstance(face, int) or not 1 <= face <= 6:
            raise ValueError(f"a face is 1 to 6, not {face!r} in {faces!r}")
    return faces


def is_acey_ducey(faces: Throw, dice: str) -> bool:
    """ACEY on one die and DUCEY on the other. (`plain`: … `send` and `again` are then never legal.)"""
    return dice == "acey_ducey" and set(faces) == {ACEY, DUCEY}


def numbers_of(faces: Throw, dice: str) -> list[int]:
    """What a throw lets you play, at every stage of the game (ACEY-DUCEY: after `again`)."""
    first, second = faces
    if dice == "plain":  # "ordinary dice 1–6 without special faces and without doubling"
        return [first, second]
    if is_acey_ducey(faces, dice):  # "**again**: play 1 and 2"
        return [1, 2]
    if first == second:  # "equal ones too: two moves only" … "ACEY-ACEY: 1, 1. DUCEY-DUCEY: 2, 2."
        return [first, second]
    if first in (ACEY, DUCEY):  # "ACEY or DUCEY with plain n: n, n."
        return [second, second]
    if second in (ACEY, DUCEY):
        return [first, first]
    return [first, second]  # "plain n and m: n, m"


def who_begins(throw: Callable[[int], Throw]) -> int:
    """Start: each throws both dice, player_0 first, the higher sum begins …

    "(ACEY 1, DUCEY 2, nothing special about them; equal sums: both again); the throws are not played."
    """
    while True:
        red = sum(check_throw(throw(2)))
        black = sum(check_throw(throw(2)))
        if red != black:
            return RED if red > black else BLACK


# -------------------------------------------------------------------------------- the board


def other_side(point: int) -> int:
    """My point p is the other's point 25 − p."""
    return 25 - point


def own_points(own: Men) -> list[int]:
    """The points with own men, the furthest first."""
    return [point for point in range(24, 0, -1) if own[point] > 0]


def enemies_on(men: tuple[Men, Men], seat: int, point: int) -> int:
    """How many enemy men stand on the seat's point."""
    return men[1 - seat][other_side(point)]


def is_closed(men: tuple[Men, Men], seat: int, point: int) -> bool:
    """A point with two or more enemies is closed."""
    return enemies_on(men, seat, point) >= 2


def all_home(own: Men) -> bool:
    """All of the seat's men still on the board are in its home table and none is in the Dog House or not entered."""
    return own[DOG] == 0 and own[IN] == 0 and all(point in HOME_TABLE for point in own_points(own))


def target_of(source: Place, number: int) -> Place:
    """Where a man from the source comes to stand by the number, or OFF.

    "A number k enters a man on point 25 − k" … "a man moves from high to low and bears off past 1".
    """
    if isinstance(source, str):  # IN or DOG
        return 25 - number
    return source - number if source > number else OFF


def after_move(men: tuple[Men, Men], seat: int, source: Place, number: int) -> tuple[tuple[Men, Men], bool]:
    """The men after a move, and whether it hit: "a single enemy man is sent to the Dog House"."""
    after = (men[RED].copy(), men[BLACK].copy())
    target = target_of(source, number)
    after[seat][source] -= 1
    after[seat][target] += 1
    if isinstance(target, int) and enemies_on(men, seat, target) == 1:
        put_into_dog_house(after[1 - seat], other_side(target))
        return after, True
    return after, False


def put_into_dog_house(own: Men, point: int) -> None:
    """One man from the point of his seat to the Dog House."""
    own[point] -= 1
    own[DOG] += 1


# -------------------------------------------------------------------------------- what one number can play


def entering_sources(men: tuple[Men, Men], seat: int, number: int, place: str) -> list[Place]:
    """A number k enters a man on point 25 − k, unless two or more enemies stand there."""
    return [] if is_closed(men, seat, 25 - number) else [place]


def moves_on_the_board(men: tuple[Men, Men], seat: int, number: int) -> list[Place]:
    """The points from which a man can move by the number to a point that is not closed."""
    found: list[Place] = []
    for point in own_points(men[seat]):
        if point > number and not is_closed(men, seat, point - number):
            found.append(point)
    return found


def moves_when_bearing_off(men: tuple[Men, Men], seat: int, number: int, bear_off_first: bool) -> list[Place]:
    """A number k takes a man from point k, or moves a man inside, free choice.

    `bear_off_first`: "(a number k with an own man on point k has bearing him off as its only move …)". "A k for
    which no such move exists, with no man on a point higher than k, must take a man from the highest occupied
    point. (If men stand higher than k but all are blocked, and none stands on k, k can't be played.)"
    """
    from_its_point: list[Place] = [number] if men[seat][number] > 0 else []
    if bear_off_first and from_its_point:
        return from_its_point
    found = from_its_point + moves_on_the_board(men, seat, number)
    occupied = own_points(men[seat])
    if not found and occupied and max(occupied) < number:
        return [max(occupied)]
    return found


def may_bear_off(own: Men, home_before: bool, bear_off_from: str) -> bool:
    """Bearing off: only while all … are in its home table.

    `at_once` (the man that comes home with the throw's first number lets the second bear off) | `next_turn`
    (bearing off only in a turn, further throws included, at whose first throw all were home already).
    """
    return all_home(own) and (bear_off_from == "at_once" or home_before)


def may_move(men: tuple[Men, Men], seat: int, entering: str) -> bool:
    """Whether men of the seat that are on the board may be moved at all.

    "Until all 15 of *that seat's* men have been entered none of them may be moved"; `joint`: "no man moves before
    *both* seats have entered all". "A man in the Dog House counts as entered before". "A seat with men in the Dog
    House must enter them first … before any other move."
    """
    if men[seat][DOG] > 0 or men[seat][IN] > 0:
        return False
    return entering == "individual" or men[1 - seat][IN] == 0


# -------------------------------------------------------------------------------- names


def move_name(source: Place, number: int) -> str:
    """`source:number`, e.g. `in:6`, `dog:3`, `13:4`, `4:6` (bears off)."""
    return f"{source}:{number}"


def send_name(point: int) -> str:
    """`send 23` (an enemy man on the mover's point 23)."""
    return f"send {point}"


# -------------------------------------------------------------------------------- position text


def write_points(men: tuple[Men, Men]) -> str:
    """Points with men in Red's numbering from 24 down: `24:r2 19:r5 6:b15`, or `-`."""
    words = []
    for point in range(24, 0, -1):
        if men[RED][point] > 0:
            words.append(f"{point}:r{men[RED][point]}")
        if men[BLACK][other_side(point)] > 0:
            words.append(f"{point}:b{men[BLACK][other_side(point)]}")
    return " ".join(words) or "-"


def read_points(words: str, men: tuple[Men, Men]) -> None:
    """Put the men of the text's first part on their points: each point once, from 24 down."""
    if words == "-":
        return
    last = 25
    for word in words.split(" "):
        match = re.fullmatch("([1-9][0-9]?):([rb])([1-9][0-9]?)", word)
        if match is None:
            raise ValueError(f"a point with men reads like '24:r2', not {word!r}")
        point = int(match[1])
        if point >= last:
            raise ValueError(f"points are 24 to 1, each once, from 24 down: {words!r}")
        last = point
        if match[2] == "r":
            men[RED][point] = int(match[3])
        else:
            men[BLACK][other_side(point)] = int(match[3])


def read_counts(place: str, part: str, men: tuple[Men, Men]) -> None:
    """Read `in 0 0`, `dog 3 0` or `off 5 0`: "counts Red then Black"."""
    match = re.fullmatch(place + " (0|[1-9][0-9]?) (0|[1-9][0-9]?)", part)
    if match is None:
        raise ValueError(f"this part of a position reads like '{place} 0 0', not {part!r}")
    men[RED][place] = int(match[1])
    men[BLACK][place] = int(match[2])


def read_faces(part: str) -> Throw:
    """Read `dice 1 6`, the latest throw."""
    match = re.fullmatch("dice ([1-6]) ([1-6])", part)
    if match is None:
        raise ValueError(f"this part of a position reads like 'dice 1 6', not {part!r}")
    return int(match[1]), int(match[2])


def read_left(part: str) -> tuple[list[int], bool]:
    """Read `left 6`: the numbers left to play, and whether it says `choose`."""
    if part == "left choose":
        return [], True
    if part == "left -":
        return [], False
    match = re.fullmatch("left ([1-6])( [1-6])?", part)
    if match is None:
        raise ValueError(f"this part of a position reads like 'left 6', 'left choose' or 'left -', not {part!r}")
    return [int(number) for number in part.split(" ")[1:]], False


def read_word(part: str, word: str) -> bool:
    """Whether the part is the word, rather than `-`."""
    if part not in (word, "-"):
        raise ValueError(f"this part of a position is {word!r} or '-', not {part!r}")
    return part == word


def read_end(text: str) -> tuple[str, str]:
    """A finished game's text has a last word `end=…`: the text without it, and the end."""
    if " end=" not in text:
        return text, ""
    running, end = text.rsplit(" end=", 1)
    if end not in ENDS:
        raise ValueError(f"end must be one of {ENDS}, not {end!r}")
    return running, end


# -------------------------------------------------------------------------------- the options


def _check_value(option: str, value: object) -> None:
    """Refuse an unknown value of a named option, naming it and listing what is possible."""
    possible = OPTION_VALUES[option]
    if not any(type(value) is type(each) and value == each for each in possible):
        raise ValueError(f"{option} must be one of {possible}, not {value!r}")


def _check_count(option: str, value: object) -> None:
    """Refuse what is no count ("booleans are not counts") or is negative."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"{option} must be an integer of at least 0 (0 = no limit), not {value!r}")


def _check_penalty(option: str, value: object) -> None:
    """`dog_house_penalty` (finite float ≥ 0, default 0)."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise ValueError(f"{option} must be a finite number of at least 0, not {value!r}")


# -------------------------------------------------------------------------------- the game


class Referee:
    """Plays one game by the printed rules; `throw(n)` is asked for n faces each time a throw is needed.

    `seat` is the seat to act (after the end: the one that played last), `dice` the latest throw, `left` the numbers
    still to be played, `choosing` whether `send` or `again` is to be chosen, `further` whether a further throw is
    due, `home_before` whether all of the seat's men were home at the turn's first throw, `plies` the ply count.
    `end` is "" while the game runs; `rewards` and `events` are those of the last ply.
    """

    def __init__(
        self,
        *,
        throw: Callable[[int], Throw],
        dice: str = "acey_ducey",
        ducey_points: str = "tables",
        entering: str = "individual",
        must_use_both: bool = False,
        bear_off_first: bool = False,
        bear_off_from: str = "at_once",
        dog_house_penalty: float = 0.0,
        max_plies: int = 2000,
        position: str | None = None,
    ) -> None:
        """Start a game with the opening throws, or resume one ("together with `position` there is no opening")."""
        _check_value("dice", dice)
        _check_value("ducey_points", ducey_points)
        _check_value("entering", entering)
        _check_value("must_use_both", must_use_both)
        _check_value("bear_off_first", bear_off_first)
        _check_value("bear_off_from", bear_off_from)
        _check_penalty("dog_house_penalty", dog_house_penalty)
        _check_count("max_plies", max_plies)
        self.throw = throw
        self.kind_of_dice = dice
        self.ducey_points = ducey_points
        self.entering = entering
        self.must_use_both = must_use_both
        self.bear_off_first = bear_off_first
        self.bear_off_from = bear_off_from
        self.dog_house_penalty = float(dog_house_penalty)
        self.max_plies = max_plies

        self.men: tuple[Men, Men] = (Counter(), Counter())
        self.plies: int = 0
        self.end: str = ""
        self.rewards: tuple[float, float] = (0.0, 0.0)
        self.events: Counter[str] = Counter()
        self.further: bool = False
        if position is None:
            self.men[RED][IN] = self.men[BLACK][IN] = MEN
            self._begin_turn(who_begins(throw))
        else:
            self._read(position)

    @classmethod
    def from_text(cls, text: str, *, throw: Callable[[int], Throw], **options: Any) -> Referee:
        """The game that the text shows."""
        return cls(throw=throw, position=text, **options)

    # ---------------------------------------------------------------------------- turns and throws

    def _begin_turn(self, seat: int) -> None:
        """The seat's turn begins, with its first throw; `next_turn` asks whether "all were home already"."""
        self.seat = seat
        self.home_before = all_home(self.men[seat])
        self._take_throw()

    def _take_throw(self) -> None:
        """A throw is made inside the step that ends the turn before it …

        "(the first one inside `reset`), so the seat to act always sees its throw."
        """
        self.dice = check_throw(self.throw(2))
        self.choosing = is_acey_ducey(self.dice, self.kind_of_dice)
        self.left = [] if self.choosing else numbers_of(self.dice, self.kind_of_dice)

    def _throw_is_over(self) -> bool:
        """Whether nothing of the throw is left to be chosen or played."""
        return not self.choosing and not self.left

    def _go_on(self) -> None:
        """After a throw: "then throw once more", or the other seat's turn."""
        if self.further:
            self.further = False
            self._take_throw()
            self.events["chain"] += int(self.choosing)
        else:
            self._begin_turn(1 - self.seat)

    # ---------------------------------------------------------------------------- what is legal

    def _sources(self, men: tuple[Men, Men], number: int) -> list[Place]:
        """The places from which the seat can play the number, with the men standing so.

        "A seat with men there [in the Dog House] and men not yet entered empties the Dog House first."
        """
        own = men[self.seat]
        if own[DOG] > 0:
            return entering_sources(men, self.seat, number, DOG)
        if own[IN] > 0:
            return entering_sources(men, self.seat, number, IN)
        if not may_move(men, self.seat, self.entering):
            return []
        if may_bear_off(own, self.home_before, self.bear_off_from):
            return moves_when_bearing_off(men, self.seat, number, self.bear_off_first)
        return moves_on_the_board(men, self.seat, number)

    def _loses_the_rest(self, men: tuple[Men, Men], source: Place) -> bool:
        """`joint`: a number left over when a seat's 15th man is entered is lost, even when the other was done before.

        `men` are those after the move from the source.
        """
        return self.entering == "joint" and source == IN and men[self.seat][IN] == 0

    def _still_playable(self, source: Place, number: int) -> bool:
        """Whether, after this first move of a throw, the other number can still be played."""
        after, _ = after_move(self.men, self.seat, source, number)
        if self._loses_the_rest(after, source):
            return False
        rest = list(self.left)
        rest.remove(number)
        return len(self._sources(after, rest[0])) > 0

    def _disciplined(self, moves: dict[str, tuple[Place, int]]) -> dict[str, tuple[Place, int]]:
        """`must_use_both`: at the first ply of a throw only those moves after which the other can still be played.

        "…, if there are any …; if either can be played but not both, only moves of the higher one, if it has any …;
        no exception for a move that wins". (After `again`, 1 and 2 are played like any throw's two numbers.)
        """
        both = {name: move for name, move in moves.items() if self._still_playable(*move)}
        if both:
            return both
        higher = {name: move for name, move in moves.items() if move[1] == max(self.left)}
        return higher or moves

    def _moves(self) -> dict[str, tuple[Place, int]]:
        """All moves of all numbers still to be played (equal numbers once), by name."""
        moves: dict[str, tuple[Place, int]] = {}
        for number in self.left:
            for source in self._sources(self.men, number):
                moves[move_name(source, number)] = (source, number)
        if self.must_use_both and len(self.left) == 2:
            return self._disciplined(moves)
        return moves

    def _sends(self) -> dict[str, int]:
        """**send** one enemy man from a No. 1 or No. 2 point to the Dog House, protected or not."""
        points = DUCEY_POINTS[self.ducey_points]
        return {send_name(point): point for point in points if enemies_on(self.men, self.seat, point) > 0}

    def legal(self) -> list[str]:
        """The names of all legal actions, sorted. "After the end there is no legal action." """
        if self.end:
            return []
        if self.choosing:  # "With no enemy man there, only `again` is legal."
            return sorted([*self._sends(), "again"])
        return sorted(self._moves()) or ["pass"]  # "`pass` only where nothing of a whole throw can be played"

    # ---------------------------------------------------------------------------- playing

    def play(self, name: str) -> None:
        """Play one ply, look for an end, and make the next throw if this one is over."""
        if name not in self.legal():
            raise ValueError(f"{name!r} is not legal in {self.text()!r}")
        self.events = Counter()
        if name == "again":
            self._play_again()
        elif name == "pass":
            self._play_pass()
        elif name in self._sends() and self.choosing:
            self._play_send(self._sends()[name])
        else:
            self._play_move(*self._moves()[name])

        self.plies += 1
        self._look_for_end()
        if not self.end and self._throw_is_over():
            self._go_on()

    def _play_again(self) -> None:
        """**again**: play 1 and 2, then throw once more, whether or not 1 and 2 could be played."""
        self.events["again"] += 1
        self.choosing = False
        self.left = numbers_of(self.dice, self.kind_of_dice)
        self.further = True

    def _play_pass(self) -> None:
        """`pass` … (one ply; it ends the turn, or leads to the further throw after `again`)."""
        self.events["pass"] += 1
        own = self.men[self.seat]
        self.events["closed_out"] += int(own[DOG] > 0 or own[IN] > 0)
        self.left = []

    def _play_send(self, point: int) -> None:
        """**send** … which is then its whole turn (… a `send` on a further throw ends the turn)."""
        self.events["send"] += 1
        put_into_dog_house(self.men[1 - self.seat], other_side(point))
        self.choosing = False

    def _play_move(self, source: Place, number: int) -> None:
        """Each number is one move of one man.

        "The throw ends as soon as none is left or none of those left can be played."
        """
        target = target_of(source, number)
        late = self.men[1 - self.seat][OFF] > 0
        self.men, hit = after_move(self.men, self.seat, source, number)
        self.left.remove(number)
        self.events["enter"] += int(source in (IN, DOG))
        self.events["enter_dog"] += int(source == DOG)
        self.events["hit"] += int(hit)
        self.events["late_hit"] += int(hit and late)
        self.events["bear_off"] += int(target == OFF)
        if self._loses_the_rest(self.men, source) or not self._moves():
            self.events["unplayed"] += len(self.left) if not self._has_won() else 0
            self.left = []

    def _has_won(self) -> bool:
        """First to bear off all 15 wins, with that ply, whatever is left to play."""
        return self.men[self.seat][OFF] == MEN

    def _look_for_end(self) -> None:
        """Set `end` and `rewards` after a ply: "a result on that very ply wins over the limit".

        `dog_house_penalty`: "that much reward is taken from a seat each time one of its men is sent to the Dog House
        (hits and `send`), and given to the other, on that ply, added to ±1 where they fall together, and kept in a
        truncated game."
        """
        reward = self.dog_house_penalty * (self.events["hit"] + self.events["send"])
        if self._has_won():
            self.end = "borne_off"
            reward += 1.0  # "Reward +1 / −1 / 0 (win, loss, draw) at the end"
        elif self.max_plies != 0 and self.plies >= self.max_plies:  # "0 = no limit"
            self.end = "max_plies"
        self.rewards = (reward, 0.0 - reward) if self.seat == RED else (0.0 - reward, reward)

    # ---------------------------------------------------------------------------- texts

    def text(self) -> str:
        """`24:r2 19:r5 6:b15 | in 0 0 | dog 3 0 | off 5 0 | r | dice 1 6 | left 6 | - | 41`.

        "Points with men in Red's numbering from 24 down, counts Red then Black, seat to act (`r`, `b`), latest throw,
        numbers left to play (or `choose` before send/again, or `-`), `again` if a further throw is due or `-`, ply
        count; whatever an option needs besides follows after another bar."
        """
        left = "choose" if self.choosing else " ".join(str(number) for number in self.left) or "-"
        parts = [write_points(self.men)]
        for place in (IN, DOG, OFF):
            parts.append(f"{place} {self.men[RED][place]} {self.men[BLACK][place]}")
        parts.append(SEAT_LETTERS[self.seat])
        parts.append(f"dice {self.dice[0]} {self.dice[1]}")
        parts.append(f"left {left}")
        parts.append("again" if self.further else "-")
        parts.append(str(self.plies))
        if self.bear_off_from == "next_turn":
            parts.append("home" if self.home_before else "-")
        return " | ".join(parts) + (f" end={self.end}" if self.end else "")

    def _read(self, text: object) -> None:
        """Take over the game that the text shows."""
        if not isinstance(text, str) or not text:
            raise ValueError(f"position must be a text, not {text!r}")
        running, self.end = read_end(text)
        parts = running.split(" | ")
        if len(parts) != 9 and not (len(parts) == 10 and self.bear_off_from == "next_turn"):
            raise ValueError(
                f"a position has nine parts (ten with bear_off_from='next_turn'), not {len(parts)}: {text!r}"
            )
        read_points(parts[0], self.men)
        for place, part in zip((IN, DOG, OFF), parts[1:4]):
            read_counts(place, part, self.men)
        if parts[4] not in SEAT_LETTERS:
            raise ValueError(f"the seat to act must be one of {SEAT_LETTERS}, not {parts[4]!r}")
        self.seat = SEAT_LETTERS.index(parts[4])
        self.dice = read_faces(parts[5])
        self.left, self.choosing = read_left(parts[6])
        self.further = read_word(parts[7], "again")
        if re.fullmatch("0|[1-9][0-9]*", parts[8]) is None:
            raise ValueError(f"the ply count must be a number, not {parts[8]!r}")
        self.plies = int(parts[8])
        self.home_before = read_word(parts[9], "home") if len(parts) == 10 else all_home(self.men[self.seat])
        self._refuse_what_never_is()
        if not self.end:
            self._refuse_what_no_running_game_shows()

    def _refuse_what_never_is(self) -> None:
        """Refuse what neither a running nor a finished game can show."""
        for own in self.men:
            if own.total() != MEN:
                raise ValueError(f"a seat has {MEN} men, not {own.total()}: {self.text()!r}")
        if (self.end == "borne_off") != (self.men[RED][OFF] == MEN or self.men[BLACK][OFF] == MEN):
            raise ValueError(f"a game is over ('end=borne_off') when a seat has borne off all men: {self.text()!r}")
        if self.men[RED][OFF] == MEN and self.men[BLACK][OFF] == MEN:
            raise ValueError(f"only one seat can have borne off all men: {self.text()!r}")
        self._refuse_men_moved_too_early()
        if self.home_before and not all_home(self.men[self.seat]):
            raise ValueError(f"'home' needs all men of the seat to act at home: {self.text()!r}")
        self._refuse_numbers_that_do_not_fit()

    def _refuse_men_moved_too_early(self) -> None:
        """Until all have been entered none may be moved: all stand in the starting table, none is borne off."""
        for seat in (RED, BLACK):
            waiting = self.men[seat][IN] > 0 or (self.entering == "joint" and self.men[1 - seat][IN] > 0)
            moved = self.men[seat][OFF] > 0 or any(point not in STARTING_TABLE for point in own_points(self.men[seat]))
            if waiting and moved:
                raise ValueError(f"men of {SEAT_LETTERS[seat]} have moved before all have entered: {self.text()!r}")

    def _refuse_numbers_that_do_not_fit(self) -> None:
        """The numbers left, the choice and the further throw must come from the latest throw."""
        special = is_acey_ducey(self.dice, self.kind_of_dice)
        if self.choosing and not special:
            raise ValueError(f"only ACEY-DUCEY gives a choice: {self.text()!r}")
        if self.choosing and self.further:
            raise ValueError(f"a further throw is due only after the choice: {self.text()!r}")
        if self.further and not special:
            raise ValueError(f"only ACEY-DUCEY gives a further throw: {self.text()!r}")
        if self.left and special and not self.further:
            raise ValueError(f"1 and 2 of ACEY-DUCEY are played only with a further throw due: {self.text()!r}")
        if Counter(self.left) - Counter(numbers_of(self.dice, self.kind_of_dice)):
            raise ValueError(f"the numbers left do not come from the throw: {self.text()!r}")

    def _refuse_what_no_running_game_shows(self) -> None:
        """Only with `end=` may a text show what no running game can …

        "(…, a seat without men or move, a count at its limit)".
        """
        if self.max_plies != 0 and self.plies >= self.max_plies:
            raise ValueError(f"the ply count has reached max_plies={self.max_plies}: {self.text()!r}")
        if self._throw_is_over():
            raise ValueError(f"the seat to act has nothing to play: {self.text()!r}")
        if len(self.left) == 1 and not self._moves():
            raise ValueError(f"the number left cannot be played, so the throw is over: {self.text()!r}")

    def copy(self, *, throw: Callable[[int], Throw] | None = None) -> Referee:
        """An independent copy of the game as it stands, with the same or another source of throws."""
        other = Referee(
            throw=self.throw if throw is None else throw,
            dice=self.kind_of_dice,
            ducey_points=self.ducey_points,
            entering=self.entering,
            must_use_both=self.must_use_both,
            bear_off_first=self.bear_off_first,
            bear_off_from=self.bear_off_from,
            dog_house_penalty=self.dog_house_penalty,
            max_plies=self.max_plies,
            position=self.text(),
        )
        other.rewards = self.rewards
        other.events = self.events.copy()
        return other
