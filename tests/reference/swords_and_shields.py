"""A slow, plain referee for Swords & Shields, to be held side by side against a fast kernel.

Written only from the rules (envs/swords_and_shields/README.md and docs/common_rules.md) and the printed sheet
(Milton Bradley); it shares no code with the package. Each rule is a small function that quotes the sentence it stands
for; quotations marked Milton Bradley are the printed sheet's, all others the rulings'.

The board is a dict from a dot to the letter of the piece on it; an empty dot is not in the dict. A dot is a
pair (file, rank), both 1 to 9, so e5 is (5, 5).
"""

from __future__ import annotations

import copy
import re

from tests.reference import check_count, check_repeats

Dot = tuple[int, int]
Board = dict[Dot, str]

SWORD, SHIELD, CHIEF = "s", "o", "c"

SWORDS, SHIELDS = 0, 1
"""The seats: "`player_0` the Swords (16), moves first; `player_1` the Shields (8) with the Chief." """

PIECES_OF_SEAT = ((SWORD,), (SHIELD, CHIEF))
SEAT_LETTERS = ("s", "o")

DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1))

THRONE: Dot = (5, 5)
"""The throne is `e5`."""

CIRCLED: tuple[Dot, ...] = ((4, 5), (6, 5), (5, 4), (5, 6))
"""The *circled* dots are its neighbours d5 f5 e4 e6."""

CORNERS: tuple[Dot, ...] = ((1, 1), (1, 9), (9, 1), (9, 9))

SET_UP = "3sss3/4s4/4o4/s3o3s/ssoocooss/s3o3s/4o4/4s4/3sss3 s"

OPTION_VALUES = {
    "throne_hostile": ("chief", "all"),
    "chief_beside_throne": ("one", "three"),
    "escape": ("edge", "corner"),
}


# -------------------------------------------------------------------------------- the board


def on_board(dot: Dot) -> bool:
    """Board 9 × 9; files `a`–`i`, ranks 1–9."""
    file, rank = dot
    return 1 <= file <= 9 and 1 <= rank <= 9


def on_edge(dot: Dot) -> bool:
    """Whether the dot is an outside dot of the board."""
    file, rank = dot
    return file in (1, 9) or rank in (1, 9)


def dot_name(dot: Dot) -> str:
    """The name of a dot: (4, 5) is "d5"."""
    file, rank = dot
    return "abcdefghi"[file - 1] + str(rank)


def move_name(start: Dot, target: Dot) -> str:
    """Action names: `d9-d6`."""
    return dot_name(start) + "-" + dot_name(target)


def step(dot: Dot, direction: tuple[int, int], count: int = 1) -> Dot:
    """The dot `count` steps from `dot` in a direction; it may lie off the board."""
    return (dot[0] + count * direction[0], dot[1] + count * direction[1])


def neighbours(dot: Dot) -> list[Dot]:
    """The dots of the board directly beside a dot, in its file and its rank."""
    return [step(dot, direction) for direction in DIRECTIONS if on_board(step(dot, direction))]


def opposite(dot: Dot, middle: Dot) -> Dot:
    """The dot on the other side of `middle`, seen from `dot`; it may lie off the board."""
    return (2 * middle[0] - dot[0], 2 * middle[1] - dot[1])


# -------------------------------------------------------------------------------- position text


def read_position(position: str) -> tuple[Board, int]:
    """The board and the seat to act of a text "rows seat".

    "As text, rank 9 first, `s` sword, `o` shield, `c` chief, then the seat to act (`s` or `o`)" … "A text has
    nine rows of nine, exactly one `c`, at most 16 `s` and 8 `o`, no `s` or `o` on e5."
    """
    if not isinstance(position, str):
        raise ValueError(f"position must be a text, not {position!r}")
    words = position.split(" ")
    if len(words) != 2:
        raise ValueError(f"position must be 'rows seat', not {position!r}")
    rows, seat_letter = words
    if seat_letter not in SEAT_LETTERS:
        raise ValueError(f"the seat to act must be one of {SEAT_LETTERS}, not {seat_letter!r}")
    lines = rows.split("/")
    if len(lines) != 9:
        raise ValueError(f"a position has nine rows, not {len(lines)}: {position!r}")

    board: Board = {}
    for rank, line in zip(range(9, 0, -1), lines):
        file = 1
        for token in re.findall("[0-9]+|[^0-9]", line):  # a number is a run of that many empty dots
            if token in (SWORD, SHIELD, CHIEF):
                board[(file, rank)] = token
                file += 1
            elif token in ("1", "2", "3", "4", "5", "6", "7", "8", "9"):
                file += int(token)
            else:
                raise ValueError(f"{token!r} has no place in a row: {line!r}")
        if file != 10:
            raise ValueError(f"row {line!r} has {file - 1} dots, not nine")

    pieces = list(board.values())
    if pieces.count(CHIEF) != 1:
        raise ValueError(f"a position has exactly one chief: {position!r}")
    if pieces.count(SWORD) > 16 or pieces.count(SHIELD) > 8:
        raise ValueError(f"a position has at most 16 swords and 8 shields: {position!r}")
    if board.get(THRONE) in (SWORD, SHIELD):
        raise ValueError(f"only the chief can stand on e5: {position!r}")
    return board, SEAT_LETTERS.index(seat_letter)


def write_position(board: Board, seat: int) -> str:
    """The text "rows seat" of a board and the seat to act."""
    lines = []
    for rank in range(9, 0, -1):
        line = ""
        empty = 0
        for file in range(1, 10):
            if (file, rank) in board:
                line += (str(empty) if empty else "") + board[(file, rank)]
                empty = 0
            else:
                empty += 1
        lines.append(line + (str(empty) if empty else ""))
    return "/".join(lines) + " " + SEAT_LETTERS[seat]


# -------------------------------------------------------------------------------- moving


def may_pass(piece: str, dot: Dot) -> bool:
    """Only the Chief may move onto or through e5."""
    return piece == CHIEF or dot != THRONE


def may_stop(piece: str, dot: Dot, escape: str) -> bool:
    """`corner` (… then only the Chief may stop on a corner …)."""
    return piece == CHIEF or escape != "corner" or dot not in CORNERS


def targets(board: Board, start: Dot, escape: str) -> list[Dot]:
    """The dots that the piece on `start` can move to.

    "Move: any number (at least one) of empty dots in a straight line, not diagonally, no jumping."
    """
    piece = board[start]
    found = []
    for direction in DIRECTIONS:
        dot = step(start, direction)
        while on_board(dot) and dot not in board and may_pass(piece, dot):
            if may_stop(piece, dot, escape):
                found.append(dot)
            dot = step(dot, direction)
    return found


def all_moves(board: Board, seat: int, escape: str) -> dict[str, tuple[Dot, Dot]]:
    """All moves of a seat, by name."""
    moves = {}
    for start, piece in board.items():
        if piece in PIECES_OF_SEAT[seat]:
            for target in targets(board, start, escape):
                moves[move_name(start, target)] = (start, target)
    return moves


# -------------------------------------------------------------------------------- capturing
#
# In all of these `board` is the position right after the piece was moved and before anything is taken off;
# `moved` is the dot where the piece has just come to stand; `victim` (or `chief`) is a dot directly beside it
# with an enemy on it: "a ply captures only beside the piece that moved". (The Chief on e5 among four swords
# is no exception: the sword that has just moved stands beside him too.)


def is_own(board: Board, dot: Dot, seat: int) -> bool:
    """Whether a piece of the seat stands on the dot: "The Chief captures like a shield … from e5 too." """
    return board.get(dot) in PIECES_OF_SEAT[seat]


def is_sword(board: Board, dot: Dot) -> bool:
    """Whether a sword stands on the dot."""
    return board.get(dot) == SWORD


def between_two(board: Board, moved: Dot, victim: Dot, seat: int) -> bool:
    """Every enemy piece directly between the piece that has just moved and another piece of the mover …

    "…, in line, is removed". Milton Bradley: "Capturing takes place on three adjacent dots in a straight line." So
    "two or more alike pieces in a row along the line are not captured".
    """
    return is_own(board, opposite(moved, victim), seat)


def against_empty_throne(board: Board, moved: Dot, victim: Dot) -> bool:
    """`all` (when empty, it serves as the mover's "other piece" against a sword or shield beside it …)."""
    return opposite(moved, victim) == THRONE and THRONE not in board


def sword_or_shield_captured(board: Board, moved: Dot, victim: Dot, seat: int, throne_hostile: str) -> bool:
    """Capture of a sword or a shield: between two, or (throne_hostile "all") between one and the empty e5."""
    if between_two(board, moved, victim, seat):
        return True
    return throne_hostile == "all" and against_empty_throne(board, moved, victim)


def chief_captured_on_throne(board: Board) -> bool:
    """On e5: only when swords stand on all four circled dots and one of them has just moved there."""
    return all(is_sword(board, dot) for dot in CIRCLED)


def chief_captured_by_one(board: Board, moved: Dot, chief: Dot) -> bool:
    """`one` (by a sword that has just moved to the far side of him, opposite e5; also by two swords …).

    "… on the other axis, one of which has just moved". Milton Bradley: "He can be captured by one sword trapping him
    between this dot and the empty Chief Shield dot."
    """
    if moved == opposite(THRONE, chief):
        return True
    return is_sword(board, opposite(moved, chief))


def chief_captured_by_three(board: Board, chief: Dot) -> bool:
    """`three` (swords on all three other dots beside him, one of which has just moved; nothing less)."""
    return all(is_sword(board, dot) for dot in neighbours(chief) if dot != THRONE)


def chief_captured(board: Board, moved: Dot, chief: Dot, chief_beside_throne: str) -> bool:
    """The Chief: on an ordinary dot like any shield. (A sword has just moved to `moved`, beside him.)"""
    if chief == THRONE:
        return chief_captured_on_throne(board)
    if chief in CIRCLED:
        if chief_beside_throne == "one":
            return chief_captured_by_one(board, moved, chief)
        return chief_captured_by_three(board, chief)
    return between_two(board, moved, chief, SWORDS)


def captures(board: Board, moved: Dot, seat: int, throne_hostile: str, chief_beside_throne: str) -> list[Dot]:
    """The dots of all pieces captured by the seat's piece that has just moved to `moved`.

    "… is removed (one to three, the Chief along with shields). Moving between two enemies is safe; a ply
    captures only beside the piece that moved."
    """
    found = []
    for victim in neighbours(moved):
        if not is_own(board, victim, 1 - seat):
            continue
        if board[victim] == CHIEF:
            taken = chief_captured(board, moved, victim, chief_beside_throne)
        else:
            taken = sword_or_shield_captured(board, moved, victim, seat, throne_hostile)
        if taken:
            found.append(victim)
    return found


# -------------------------------------------------------------------------------- winning


def is_escape_dot(dot: Dot, escape: str) -> bool:
    """`escape` = `edge` (any dot of the edge) | `corner` (only the four corners …)."""
    return on_edge(dot) if escape == "edge" else dot in CORNERS


def chief_escaped(board: Board, escape: str) -> bool:
    """Shields win when the Chief reaches an escape dot. Reaching it wins even if he stands between swords."""
    return any(piece == CHIEF and is_escape_dot(dot, escape) for dot, piece in board.items())


def wins_for(seat: int) -> tuple[float, float]:
    """Reward +1 / −1 / 0 (win, loss, draw) at the end."""
    return (1.0, -1.0) if seat == SWORDS else (-1.0, 1.0)


# -------------------------------------------------------------------------------- the game


def _check_value(option: str, value: object) -> None:
    """Refuse an unknown value of a named option, naming it and listing what is possible."""
    possible = OPTION_VALUES[option]
    if not isinstance(value, str) or value not in possible:
        raise ValueError(f"{option} must be one of {possible}, not {value!r}")


class Referee:
    """Plays one game by the printed rules.

    `seat` is the seat to act (after the end: the seat whose turn it would be), `plies` the ply count. `end`
    is "" while the game runs, else "capture", "escape", "no_move", "repetition" or "max_plies". `rewards`
    and `captured` (dot name and piece letter, sorted) are those of the last ply. `occurrences` says how often
    the present position has occurred so far, whatever the repetition option.
    """

    def __init__(
        self,
        *,
        throne_hostile: str = "chief",
        chief_beside_throne: str = "one",
        escape: str = "edge",
        repetition: int = 3,
        repeats: str = "draw",
        max_plies: int = 400,
        position: str | None = None,
    ) -> None:
        """Start a game from the set-up, or from a running position (then its own first occurrence)."""
        _check_value("throne_hostile", throne_hostile)
        _check_value("chief_beside_throne", chief_beside_throne)
        _check_value("escape", escape)
        check_count("repetition", repetition, "0 (off) or an integer of at least 2", forbidden=(1,))
        check_count("max_plies", max_plies, "an integer of at least 0 (0 = no limit)")
        self.throne_hostile = throne_hostile
        self.chief_beside_throne = chief_beside_throne
        self.escape = escape
        check_repeats(repeats, repetition)
        self.repetition = repetition
        self.repeats = repeats
        self.max_plies = max_plies

        self.board, self.seat = read_position(SET_UP if position is None else position)
        self._refuse_decided_position()
        self.plies: int = 0
        self.end: str = ""
        self.rewards: tuple[float, float] = (0.0, 0.0)
        self.captured: list[tuple[str, str]] = []
        # "the starting position counts as an occurrence"; a position is "pieces, seat to act": its text
        self.occurrences: int = 1
        self._seen: dict[str, int] = {self.text(): 1}

    def _refuse_decided_position(self) -> None:
        """Refuse a text that shows "what no running game can": it would need a last word `end=…`.

        Namely "a seat without men or move", and a Chief who has reached an escape dot.
        """
        if chief_escaped(self.board, self.escape):
            raise ValueError(f"the chief has escaped already: {self.text()!r}")
        if SWORD not in self.board.values():
            raise ValueError(f"the swords have no piece: {self.text()!r}")
        if not all_moves(self.board, self.seat, self.escape):
            raise ValueError(f"the seat to act has no move: {self.text()!r}")

    def legal(self) -> list[str]:
        """The names of all legal moves, sorted. "After the end there is no legal action." """
        return [] if self.end else sorted(self._permitted())

    def _permitted(self) -> list[str]:
        """`forbidden`: a ply is masked if it would end a turn in a position that has occurred n − 1 times already."""
        moves = list(all_moves(self.board, self.seat, self.escape))
        return moves if self.repeats != "forbidden" else [name for name in moves if not self._would_repeat(name)]

    def _would_repeat(self, name: str) -> bool:
        """Whether a move leads to the n-th occurrence of a position."""
        after = self.copy()
        after.repeats = "draw"
        after.play(name)
        return after.end != "capture" and after.occurrences >= self.repetition

    def play(self, name: str) -> None:
        """Play one ply: move, capture, pass the turn on, look for an end."""
        moves = all_moves(self.board, self.seat, self.escape)
        if self.end or name not in self._permitted():
            raise ValueError(f"{name!r} is not legal in {self.text()!r}, end {self.end!r}")
        start, target = moves[name]
        mover = self.seat

        self.board[target] = self.board.pop(start)
        taken = captures(self.board, target, mover, self.throne_hostile, self.chief_beside_throne)
        self.captured = sorted((dot_name(dot), self.board[dot]) for dot in taken)
        for dot in taken:
            del self.board[dot]

        self.plies += 1
        self.seat = 1 - mover
        self.occurrences = self._seen.get(self.text(), 0) + 1
        self._seen[self.text()] = self.occurrences
        self._look_for_end(mover)

    def _look_for_end(self, mover: int) -> None:
        """Set `end` and `rewards` after a ply of the seat `mover`.

        "Order of ends, where several fall together: the ply itself wins; the next seat has no piece or no
        move and loses (right after the ply; it is not selected again); … a draw by repetition; `max_plies`."
        """
        self.rewards = (0.0, 0.0)
        if CHIEF not in self.board.values():  # "Swords win by capturing him."
            self.end = "capture"
            self.rewards = wins_for(SWORDS)
        elif chief_escaped(self.board, self.escape):
            self.end = "escape"
            self.rewards = wins_for(SHIELDS)
        elif not self._permitted():  # "A seat with no move (or no pieces) loses."
            self.end = "no_move"
            self.rewards = wins_for(mover)
        elif self.repeats != "forbidden" and 0 < self.repetition <= self.occurrences:  # "the n-th occurrence"
            self.end = "repetition"
            if self.repeats == "loses":
                self.rewards = wins_for(1 - mover)
        elif self.max_plies != 0 and self.plies >= self.max_plies:  # "0 = no limit"
            self.end = "max_plies"

    def text(self) -> str:
        """The position as "rows seat", rank 9 first."""
        return write_position(self.board, self.seat)

    def copy(self) -> Referee:
        """An independent copy of the game as it stands, its earlier positions included."""
        other = copy.copy(self)
        other.board = dict(self.board)
        other._seen = dict(self._seen)
        return other


def perft(referee: Referee, depth: int) -> int:
    """The number of move sequences of `depth` plies from here; a finished game has no continuation."""
    if depth == 0:
        return 1
    names = referee.legal()
    if depth == 1:
        return len(names)
    total = 0
    for name in names:
        after = referee.copy()
        after.play(name)
        total += perft(after, depth - 1)
    return total
