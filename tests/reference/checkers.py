"""A slow, plain referee for American checkers, to be held side by side against a fast kernel.

Written only from the rules (envs/checkers/README.md and docs/common_rules.md); the printed sheet (Parker) has no
rules of it: "Knowledge of checkers is universal, therefore no rules have been included with this kit." It shares no
code with the package. Each rule is a small function that quotes the rule that it stands for.

The board is a dict from a square (1 to 32) to the letter of the piece on it; an empty square is not in the dict.

Words of `end` (rulings of this file, the rules name none):
    no_move      the next seat has no piece or no move and loses
    count        a draw by the count of the draw rule
    repetition   a draw by repetition
    max_plies    truncated

Words of the text after the FEN, in this order (the names of the two counts are rulings of this file):
    jump=19      the piece in a multi-jump; only while there is one
    wcdf=0       turns in a row without a capture or a man's move
    openspiel=0  actions in a row without a capture
    plies=0      the ply count
    end=no_move  only after the end

Words of `events` (a Counter, of the last ply only):
    capture             a piece was jumped
    king_captured       … and it was a king
    goes_on             a jump after which the same piece must jump on
    jumped_on           a second or later jump of a turn
    crowned             a man was crowned
    crowned_stop        … by a jump, and as a king it could jump on, but the turn ends
    king_row_goes_on    a king jumped to the king row and goes on
    compulsory          a jump was played while, except for the compulsion, a step was possible
    choice              a jump was played out of several
    no_pieces           the loser has no piece
    blocked             the loser has pieces, but no move
    loss_over_count     a loss on the very turn that brings the wcdf count to its limit
    count_over_loss     an openspiel draw though the next seat has no move
    repetition_over_limit, result_on_limit, count_over_repetition
                        ends that fell together with a later one of the order of ends
    jump_cut            `max_plies` fell in mid-jump
"""

from __future__ import annotations

import copy
import re
from collections import Counter
from typing import Any

from tests.reference import check_count, check_repeats

Square = int
Board = dict[Square, str]
Move = tuple[Square, Square, Square | None]
"""From, to, and the square of the jumped piece (None for a step)."""

BLACK, WHITE = 0, 1
"""`player_0` Black (1–12), moves first; `player_1` White (21–32)."""

MEN = ("b", "w")
KINGS = ("B", "W")
SEAT_LETTERS = ("B", "W")

SET_UP = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"

TOWARDS_WHITE = ((1, -1), (1, 1))
TOWARDS_BLACK = ((-1, -1), (-1, 1))
BOTH_WAYS = TOWARDS_WHITE + TOWARDS_BLACK
"""Directions, in rows (0 is Black's back row) and columns."""

DIRECTIONS_OF_PIECE = {"b": TOWARDS_WHITE, "w": TOWARDS_BLACK, "B": BOTH_WAYS, "W": BOTH_WAYS}
"""Men step and jump forward only, kings both ways."""

KING_ROW = (7, 0)
"""The row where a seat's men are crowned: the other seat's back row."""

DRAW_RULES = ("wcdf", "openspiel", "none")
WCDF_LIMIT = 80
OPENSPIEL_LIMIT = 40

VARIANTS: dict[str, dict[str, str]] = {"american": {}, "openspiel": {"draw_rule": "openspiel"}}
"""Variants: `american` (default), `openspiel` (draw_rule openspiel …)."""

END_WORDS = ("no_move", "count", "repetition", "max_plies")
NUMBER_WORDS = ("jump", "wcdf", "openspiel", "plies")


# -------------------------------------------------------------------------------- the board


def row_of(square: Square) -> int:
    """Square n is in row ⌊(n−1)/4⌋, row 0 being Black's back row."""
    return (square - 1) // 4


def column_of(square: Square) -> int:
    """The column, 0 to 7, in which the square lies among the light ones.

    "Towards White, a square of an even row touches n+4 and n+5 (4, 12, 20, 28 only n+4), one of an odd row n+3 and
    n+4 (5, 13, 21, 29 only n+4)": the even rows lie one column further on than the odd rows.
    """
    column = 2 * ((square - 1) % 4)
    return column + 1 if row_of(square) % 2 == 0 else column


SQUARE_AT = {(row_of(square), column_of(square)): square for square in range(1, 33)}
"""The square of a row and a column."""


def step(square: Square, direction: tuple[int, int], count: int = 1) -> Square | None:
    """The square `count` steps from `square` in a direction, or None off the board."""
    return SQUARE_AT.get((row_of(square) + count * direction[0], column_of(square) + count * direction[1]))


def seat_of(piece: str) -> int:
    """The seat that a piece belongs to."""
    return BLACK if piece in ("b", "B") else WHITE


def pieces_of(board: Board, seat: int) -> list[Square]:
    """The squares of a seat's pieces, ascending."""
    return sorted(square for square, piece in board.items() if seat_of(piece) == seat)


# -------------------------------------------------------------------------------- moving


def steps(board: Board, start: Square) -> list[Move]:
    """Men step and jump forward only, kings both ways, one square."""
    found: list[Move] = []
    for direction in DIRECTIONS_OF_PIECE[board[start]]:
        target = step(start, direction)
        if target is not None and target not in board:
            found.append((start, target, None))
    return found


def jumps(board: Board, start: Square) -> list[Move]:
    """The single jumps of a piece: over an enemy on the next square to the empty one behind; "11x18 takes 15"."""
    found: list[Move] = []
    for direction in DIRECTIONS_OF_PIECE[board[start]]:
        victim = step(start, direction)
        target = step(start, direction, 2)
        if victim is None or target is None or target in board or victim not in board:
            continue
        if seat_of(board[victim]) != seat_of(board[start]):
            found.append((start, target, victim))
    return found


def all_steps(board: Board, seat: int) -> list[Move]:
    """All steps of a seat, jumping apart."""
    return [move for start in pieces_of(board, seat) for move in steps(board, start)]


def all_jumps(board: Board, seat: int, jumping: Square | None) -> list[Move]:
    """All single jumps of a seat; in a multi-jump "only that piece's jumps are legal meanwhile"."""
    if jumping is not None:
        return jumps(board, jumping)
    return [move for start in pieces_of(board, seat) for move in jumps(board, start)]


def all_moves(board: Board, seat: int, jumping: Square | None) -> list[Move]:
    """Jumping is compulsory, free choice among jumps."""
    found = all_jumps(board, seat, jumping)
    if found or jumping is not None:
        return found
    return all_steps(board, seat)


def move_name(move: Move) -> str:
    """Names: `11-15`, `15x22`."""
    start, target, victim = move
    return f"{start}-{target}" if victim is None else f"{start}x{target}"


def reaches_king_row(piece: str, target: Square) -> bool:
    """A man that reaches the king row is crowned."""
    return piece in MEN and row_of(target) == KING_ROW[seat_of(piece)]


def crowned(piece: str) -> str:
    """The king that a man becomes."""
    return KINGS[seat_of(piece)]


# -------------------------------------------------------------------------------- position text


def write_field(board: Board, seat: int) -> str:
    """One side's letter and squares: ascending, `K` before a king's, "an empty field as the letter alone"."""
    words = [("K" if board[square] in KINGS else "") + str(square) for square in pieces_of(board, seat)]
    return SEAT_LETTERS[seat] + ",".join(words)


def write_fen(board: Board, seat: int) -> str:
    """PDN's FEN: `B:W21,22,…:B1,2,…` … written as side, White's squares, Black's, … no full stop."""
    return f"{SEAT_LETTERS[seat]}:{write_field(board, WHITE)}:{write_field(board, BLACK)}"


def read_fen(fen: str) -> tuple[Board, int]:
    """The board and the seat to act of a FEN: "read in any order, a full stop allowed; at most 12 a side …".

    "… no man on its king row."
    """
    fields = fen.removesuffix(".").split(":")
    if len(fields) != 3 or fields[0] not in SEAT_LETTERS or {fields[1][:1], fields[2][:1]} != set(SEAT_LETTERS):
        raise ValueError(f"a FEN is 'side:W…:B…', not {fen!r}")
    board: Board = {}
    for field in fields[1:]:
        seat = SEAT_LETTERS.index(field[0])
        for word in field[1:].split(",") if field[1:] else []:
            if not re.fullmatch("K?[1-9][0-9]?", word) or int(word.removeprefix("K")) > 32:
                raise ValueError(f"{word!r} is no square of a FEN: {fen!r}")
            square = int(word.removeprefix("K"))
            if square in board:
                raise ValueError(f"square {square} stands twice: {fen!r}")
            board[square] = KINGS[seat] if word.startswith("K") else MEN[seat]
            if reaches_king_row(board[square], square):
                raise ValueError(f"a man stands on its king row, {square}: {fen!r}")
    if max(len(pieces_of(board, seat)) for seat in (BLACK, WHITE)) > 12:
        raise ValueError(f"at most 12 pieces a side: {fen!r}")
    return board, SEAT_LETTERS.index(fields[0])


def read_words(words: list[str]) -> tuple[dict[str, int], str]:
    """The numbers of the words `jump=`, `wcdf=`, `openspiel=`, `plies=`, and the end of a last word `end=`.

    "On reading any may be missing (counters 0, no jump or choice under way …); an unknown, repeated or malformed word
    is a `ValueError`."
    """
    numbers: dict[str, int] = {}
    end = ""
    for word in words:
        key, _, value = word.partition("=")
        if end:
            raise ValueError(f"{word!r} after the last word, end={end}")
        if key == "end" and value in END_WORDS:
            end = value
        elif key in NUMBER_WORDS and key not in numbers and re.fullmatch("0|[1-9][0-9]*", value):
            numbers[key] = int(value)
        else:
            raise ValueError(f"{word!r} is unknown, repeated or malformed")
    return numbers, end


# -------------------------------------------------------------------------------- the game


def wins_for(seat: int) -> tuple[float, float]:
    """Reward +1 / −1 / 0 (win, loss, draw) at the end."""
    return (1.0, -1.0) if seat == BLACK else (-1.0, 1.0)


class Referee:
    """Plays one game by the rules.

    `seat` is the seat to act (after the end: the seat whose turn it would be), `jumping` the square of the piece in a
    multi-jump (None outside one), `plies` the ply count, `wcdf` and `openspiel` the two draw counts. `end` is "" while
    the game runs, else a word of the module's list. `rewards` and `events` are those of the last ply. `occurrences`
    says how often the present position has occurred so far, whatever the repetition option.
    """

    def __init__(
        self,
        *,
        draw_rule: str = "wcdf",
        repetition: int | None = None,
        repeats: str = "draw",
        max_plies: int | None = None,
        position: str | None = None,
    ) -> None:
        """Start a game from the set-up, or from a text (then its own first occurrence).

        "`repetition` defaults to 3 with `wcdf` and 0 otherwise; a given value holds under any draw rule. `max_plies`
        defaults to 0 with wcdf and 1000 otherwise; a given value holds". (None stands for "not given" here.)
        """
        if not isinstance(draw_rule, str) or draw_rule not in DRAW_RULES:
            raise ValueError(f"draw_rule must be one of {DRAW_RULES}, not {draw_rule!r}")
        if repetition is None:
            repetition = 3 if draw_rule == "wcdf" else 0
        if max_plies is None:
            max_plies = 0 if draw_rule == "wcdf" else 1000
        check_count("repetition", repetition, "0 (off) or an integer of at least 2", forbidden=(1,))
        check_count("max_plies", max_plies, "an integer of at least 0 (0 = no limit)")
        self.draw_rule = draw_rule
        check_repeats(repeats, repetition)
        self.repetition = repetition
        self.repeats = repeats
        self.max_plies = max_plies

        self.board: Board = {}
        self.seat: int = BLACK
        self.jumping: Square | None = None
        self.wcdf: int = 0
        self.openspiel: int = 0
        self.plies: int = 0
        self.end: str = ""
        self.rewards: tuple[float, float] = (0.0, 0.0)
        self.events: Counter[str] = Counter()
        self._seen: dict[str, int] = {}
        self._read(SET_UP if position is None else position)
        self.occurrences: int = 1  # "the starting position counts as an occurrence"
        self._seen[self._position()] = 1

    @classmethod
    def from_text(cls, text: str, **options: Any) -> Referee:
        """A game that goes on from a position's text."""
        return cls(position=text, **options)

    def _moves(self) -> dict[str, Move]:
        """All moves of the seat to act, by name."""
        return {move_name(move): move for move in all_moves(self.board, self.seat, self.jumping)}

    def legal(self) -> list[str]:
        """The names of all legal moves, sorted. "After the end there is no legal action." """
        return [] if self.end else sorted(self._permitted())

    def _permitted(self) -> list[str]:
        """`forbidden`: a ply is masked if it would end a turn in a position that has occurred n − 1 times already;
        "in the middle of a turn the mask is lifted" if nothing else is left.
        """
        moves = list(self._moves())
        if self.repeats != "forbidden":
            return moves
        kept = [name for name in moves if not self._would_repeat(name)]
        return kept if kept or self.jumping is None else moves

    def _would_repeat(self, name: str) -> bool:
        """Whether a move ends a turn in the n-th occurrence of a position."""
        after = self.copy()
        after.repeats = "draw"
        after.play(name)
        return after.jumping is None and after.occurrences >= self.repetition

    def play(self, name: str) -> None:
        """Play one ply: "One ply is one step or one single jump." """
        moves = self._moves()
        if self.end or name not in self._permitted():
            raise ValueError(f"{name!r} is not legal in {self.text()!r}")
        mover = self.seat
        self.events = Counter()
        self._note_choice(moves)
        start, target, victim = moves[name]
        piece = self.board.pop(start)
        self.board[target] = piece
        if victim is not None:
            self._take(victim)
        crown = reaches_king_row(piece, target)
        if crown:
            self.board[target] = crowned(piece)
            self.events["crowned"] += 1
        self._count(piece, victim)
        self.plies += 1
        goes_on = victim is not None and self._jumps_on(piece, target, crown)
        self.jumping = target if goes_on else None
        self.seat = mover if goes_on else 1 - mover
        self.occurrences = self._seen.get(self._position(), 0) + 1
        self._seen[self._position()] = self.occurrences
        self._look_for_end(mover)

    def _note_choice(self, moves: dict[str, Move]) -> None:
        """Note what a compulsory jump left to choose."""
        if not all_jumps(self.board, self.seat, self.jumping):
            return
        if self.jumping is not None:
            self.events["jumped_on"] += 1
        elif all_steps(self.board, self.seat):
            self.events["compulsory"] += 1
        if len(moves) > 1:
            self.events["choice"] += 1

    def _take(self, victim: Square) -> None:
        """Jumped pieces are off at once."""
        self.events["capture"] += 1
        if self.board[victim] in KINGS:
            self.events["king_captured"] += 1
        del self.board[victim]

    def _jumps_on(self, piece: str, target: Square, crown: bool) -> bool:
        """A started jump is completed as long as the piece can go on.

        "A man that reaches the king row is crowned and its turn ends, even if as a king it could jump on; a king that
        jumps to the king row goes on."
        """
        can_jump = bool(jumps(self.board, target))
        if crown:
            if can_jump:
                self.events["crowned_stop"] += 1
            return False
        if can_jump:
            self.events["goes_on"] += 1
            if piece in KINGS and row_of(target) == KING_ROW[seat_of(piece)]:
                self.events["king_row_goes_on"] += 1
        return can_jump

    def _count(self, piece: str, victim: Square | None) -> None:
        """Count on for both draw rules; `piece` is the one that moved, as it was before.

        `wcdf`: "80 turns in a row, …, a turn being a step or a whole multi-jump, without a capture or any man's move".
        `openspiel`: "40 actions in a row without capture, each single jump being an action and resetting it, men's
        steps not".
        """
        self.wcdf = 0 if victim is not None or piece in MEN else self.wcdf + 1
        self.openspiel = 0 if victim is not None else self.openspiel + 1

    def _loses(self) -> bool:
        """No move (or no pieces): that seat loses."""
        return not self._permitted()

    def _openspiel_draw(self) -> bool:
        """40 actions in a row without capture … a draw at once, even if the next seat has no move."""
        return self.draw_rule == "openspiel" and self.openspiel >= OPENSPIEL_LIMIT

    def _wcdf_draw(self) -> bool:
        """80 turns in a row … comes by itself; a seat without a move loses even then."""
        return self.draw_rule == "wcdf" and self.wcdf >= WCDF_LIMIT

    def _repetition_draw(self) -> bool:
        """The n-th occurrence of a position … is a draw, looked at when a turn has ended."""
        if self.repeats == "forbidden":
            return False
        return self.repetition != 0 and self.jumping is None and self.occurrences >= self.repetition

    def _at_limit(self) -> bool:
        """When ply number `max_plies` has been played; "it may cut a multi-jump"."""
        return self.max_plies != 0 and self.plies >= self.max_plies

    def _look_for_end(self, mover: int) -> None:
        """Set `end` and `rewards` after a ply of the seat `mover`.

        "Order of ends, where several fall together: the ply itself wins; the next seat has no piece or no move and
        loses (right after the ply; it is not selected again); a draw by a count; a draw by repetition; `max_plies`.
        (Checkers' `openspiel` draws: their count comes before the loss.)"
        """
        self.rewards = (0.0, 0.0)
        if self._openspiel_draw():
            self.end = "count"
        elif self._loses():
            self.end = "no_move"
            self.rewards = wins_for(mover)
        elif self._wcdf_draw():
            self.end = "count"
        elif self._repetition_draw():
            self.end = "repetition"
            if self.repeats == "loses":
                self.rewards = wins_for(1 - mover)
        elif self._at_limit():
            self.end = "max_plies"
        self._note_end()

    def _note_end(self) -> None:
        """Note how the game ended, and which ends fell together."""
        if self.end == "no_move":
            self.events["blocked" if pieces_of(self.board, self.seat) else "no_pieces"] += 1
            if self._wcdf_draw():
                self.events["loss_over_count"] += 1
        if self.end == "count":
            if self._loses():
                self.events["count_over_loss"] += 1
            if self._repetition_draw():
                self.events["count_over_repetition"] += 1
        if self.end == "repetition" and self._at_limit():
            self.events["repetition_over_limit"] += 1
        if self.end in ("no_move", "count") and self._at_limit():
            self.events["result_on_limit"] += 1
        if self.end == "max_plies" and self.jumping is not None:
            self.events["jump_cut"] += 1

    # ---------------------------------------------------------------------------- text

    def _position(self) -> str:
        """A position (pieces, seat to act, phase; not counters)."""
        jump = "" if self.jumping is None else f" jump={self.jumping}"
        return write_fen(self.board, self.seat) + jump

    def text(self) -> str:
        """The FEN. "Then the words (both draw counts always; `jump=19` names the piece in a multi-jump)." """
        text = f"{self._position()} wcdf={self.wcdf} openspiel={self.openspiel} plies={self.plies}"
        return text + (f" end={self.end}" if self.end else "")

    def _read(self, text: str) -> None:
        """Take over a position's text. "A finished game's text … can be read back as well … rewards 0"."""
        if not isinstance(text, str) or not text:
            raise ValueError(f"position must be a text, not {text!r}")
        fen, *words = text.split(" ")
        self.board, self.seat = read_fen(fen)
        numbers, self.end = read_words(words)
        self.jumping = numbers.get("jump")
        self.wcdf = numbers.get("wcdf", 0)
        self.openspiel = numbers.get("openspiel", 0)
        self.plies = numbers.get("plies", 0)
        if self.jumping is not None:
            piece = self.board.get(self.jumping)
            if piece is None or seat_of(piece) != self.seat or not jumps(self.board, self.jumping):
                raise ValueError(f"jump={self.jumping} names no piece that can jump on: {text!r}")
        if not self.end:
            self._refuse_decided_position(text)

    def _refuse_decided_position(self, text: str) -> None:
        """Refuse what only a text with `end=…` may show: "a seat without men or move, a count at its limit"."""
        if not pieces_of(self.board, BLACK) or not pieces_of(self.board, WHITE):
            raise ValueError(f"a seat has no pieces: {text!r}")
        if self._loses():
            raise ValueError(f"the seat to act has no move: {text!r}")
        if self._openspiel_draw() or self._wcdf_draw():
            raise ValueError(f"the draw count is at its limit: {text!r}")
        if self._at_limit():
            raise ValueError(f"all {self.max_plies} plies have been played: {text!r}")

    def copy(self) -> Referee:
        """An independent copy of the game as it stands, its earlier positions included."""
        other = copy.copy(self)
        other.board = dict(self.board)
        other._seen = dict(self._seen)
        other.events = Counter(self.events)
        return other


def perft(referee: Referee, turns: int) -> int:
    """The number of sequences of `turns` whole turns from here; a finished game has no continuation."""
    if turns == 0:
        return 1
    total = 0
    for name in referee.legal():
        after = referee.copy()
        after.play(name)
        total += perft(after, turns if after.jumping is not None else turns - 1)
    return total
