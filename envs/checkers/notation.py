"""Names of actions (``11-15``, ``15x22``) and texts of positions: PDN's FEN (``B:W21,22,…:B1,2,…``) and words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from parlour.rulebook.positions import own_words_refused, read_count, split_words
from parlour.rulebook.protocol import MAX_PLIES, RUNNING, Record

from . import board, rules

MOVE_FORM = "11-15 or 15x22"
DICE_TEXT = False
SEATS = "BW"  # the letters of the seats
WORDS = ("jump", "steps", "king_steps")
MAX_PIECES = 12
BITS, KING_ROWS = (
    board.BIT.tolist(),
    board.KING_ROW.tolist(),
)  # as Python's own integers, which it reads several times as fast
SQUARE_OF_BIT = {bit: square for square, bit in enumerate(BITS)}
SQUARE_OF = {str(square + 1): square for square in range(board.SQUARES)}
PADDED = SQUARE_OF | {f"{square + 1:02}": square for square in range(board.SQUARES)}
DASHES, TIMES = "-‐‑–—−", "xX×:"
"""Signs between the squares of a move, whichever its kind."""
DIGITS = re.compile("[0-9]+")
SPELLED = re.compile(rf"\s*(?:[0-9]{{1,2}}(?:(?:\s*[{DASHES}{TIMES}]\s*|\s+)[0-9]{{1,2}})+|[0-9]{{4}})\s*")
"""Other spellings of moves than ours."""


def _names() -> list[list[tuple[str | None, str | None]]]:
    """[seat][action]: its name where it steps and where it jumps; None where the board has no room for it."""
    names: list[list[tuple[str | None, str | None]]] = [[], []]
    for seat in (rules.BLACK, rules.WHITE):
        for action in range(board.ACTIONS):
            source, beside, beyond = (table[seat, action] for table in (board.SOURCE, board.BESIDE, board.BEYOND))
            step = None if beside == board.NO_SQUARE else f"{source + 1}-{beside + 1}"
            jump = None if beyond == board.NO_SQUARE else f"{source + 1}x{beyond + 1}"
            names[seat].append((step, jump))
    return names


NAMES = _names()
MOVES = [
    {name: action for action, both in enumerate(names) for name in both if name is not None} for names in NAMES
]  # [seat]: the action with a name


def move_name(action: int, state: Record) -> str | None:
    """The jump if the action's piece can jump that way here, else the step."""
    seat = int(state.to_act)
    step, jump = NAMES[seat][action]
    direction = action // board.SQUARES if seat == rules.BLACK else board.DIRECTIONS - 1 - action // board.SQUARES
    return jump if rules.jumpers(state, seat, direction) & board.SOURCE_BIT[seat, action] else step


def parse_move(text: str, state: Record) -> int | None:
    """``11-15`` and ``11x18`` are the same action. In other spellings (``11 15``, ``1118``, ``09-13``, ``11x15``) the
    squares must be those of the action in this position. Of a multi-jump with all its squares, ``11x18x25``, it is the
    first jump."""
    names = MOVES[int(state.to_act)]
    if text in names:
        return names[text]
    squares = squares_in(text) if SPELLED.fullmatch(text) else []
    legs = [f"{source + 1}{{}}{target + 1}" for source, target in pairwise(squares)]
    if len(legs) > 1 and any(leg.format("x") not in names for leg in legs):
        return None
    spelled = [leg.format(link) for leg in legs[:1] for link in ("-x" if len(legs) == 1 else "x")]
    return next((names[name] for name in spelled if name in names and move_name(names[name], state) == name), None)


def squares_in(move: str) -> list[int]:
    """The squares that a move names, 0 to 31; `board.NO_SQUARE` for one off the board. Four digits alone are two."""
    numbers = DIGITS.findall(move)
    if len(numbers) == 1 and len(numbers[0]) == 4:
        numbers = [numbers[0][:2], numbers[0][2:]]
    return [PADDED.get(number, board.NO_SQUARE) for number in numbers]


def last_squares(state: Record) -> tuple[int, int, int]:
    """From where to where the latest ply led, and the square that it jumped over, or NO_SQUARE."""
    seat, action = int(state.last_seat), int(state.last_action)
    stepped = bool(state.pieces[seat] & board.BESIDE_BIT[seat, action])  # the square jumped over is empty after a jump
    target = board.BESIDE[seat, action] if stepped else board.BEYOND[seat, action]
    return int(board.SOURCE[seat, action]), int(target), board.NO_SQUARE if stepped else int(board.BESIDE[seat, action])


# --- writing ---


def piece_letters(state: Record) -> list[str]:
    """For each square, 1 first: ``b`` or ``w`` a man, ``B`` or ``W`` a king, ``.`` nothing."""
    letters, kings = ["."] * board.SQUARES, int(state.kings)
    for letter, pieces in zip(SEATS, state.pieces.tolist()):
        while pieces:
            bit = pieces & -pieces
            letters[SQUARE_OF_BIT[bit]] = letter if kings & bit else letter.lower()
            pieces ^= bit
    return letters


def write(state: Record, variant: Record) -> str:
    """The FEN; then which piece is in the middle of a multi-jump, if one is, and always both draw counts."""
    letters = piece_letters(state)

    def field(seat: int) -> str:
        marks = SEATS[seat], SEATS[seat].lower()
        squares = (
            f"{'K' if letter == marks[0] else ''}{square}"
            for square, letter in enumerate(letters, 1)
            if letter in marks
        )
        return SEATS[seat] + ",".join(squares)

    words = [f"{SEATS[state.to_act]}:{field(rules.WHITE)}:{field(rules.BLACK)}"]
    if state.jumper != board.NO_SQUARE:
        words.append(f"jump={state.jumper + 1}")
    return " ".join((*words, f"steps={state.steps}", f"king_steps={state.king_steps}"))


# --- reading ---


def read(text: str, state: Record, variant: Record) -> None:
    """Puts the pieces on the board, sets the seat to act, the piece in a multi-jump and both counts."""
    fen, words = split_words(text, WORDS)
    if " " in fen:
        raise own_words_refused(fen.split(" ")[1:], tuple(f"{key}=" for key in (*WORDS, "plies", "seen", "end")))
    read_fen(fen, state)
    state.steps = read_count("steps", words.get("steps", "0"))
    state.king_steps = read_count("king_steps", words.get("king_steps", "0"))
    state.jumper = read_square(words["jump"], "jump=") if "jump" in words else board.NO_SQUARE
    state.turn_over = int(state.jumper == board.NO_SQUARE)


def read_fen(fen: str, state: Record) -> None:
    """``B:W21,K22:B1,2``: the seat to act, and the squares of each side in either order; a full stop may follow. In
    ``W:B:W21,…``, as py-draughts wrote until June 2026, the second letter is the seat to act."""
    parts = fen.removesuffix(".").split(":")
    if len(parts) == 4 and parts[0] in ("B", "W"):
        del parts[0]
    if len(parts) != 3 or parts[0] not in ("B", "W") or {part[:1] for part in parts[1:]} != {"B", "W"}:
        raise ValueError(f"{fen!r} is no FEN: the seat to act, 'B' or 'W', then :W and :B with squares, once each")
    state.to_act = SEATS.index(parts[0])
    pieces, kings = [0, 0], 0
    for part in parts[1:]:
        seat = SEATS.index(part[0])
        read = list(read_pieces(part[1:], seat))
        if len(read) > MAX_PIECES:
            raise ValueError(f"{part[0]} has {len(read)} pieces; at most {MAX_PIECES} can be on the board")
        for square, king in read:
            if (pieces[0] | pieces[1]) & BITS[square]:
                raise ValueError(f"two pieces on square {square + 1}")
            pieces[seat] |= BITS[square]
            if king:
                kings |= BITS[square]
    state.pieces[:] = pieces
    state.kings = kings


def read_pieces(field: str, seat: int) -> Iterator[tuple[int, bool]]:
    """The pieces of ``21,K22``: square, and whether it is a king's. ValueError for a man on its king row."""
    for word in field.split(",") if field else []:
        square, king = read_square(word.removeprefix("K"), f"{SEATS[seat]}: "), word.startswith("K")
        if not king and BITS[square] & KING_ROWS[seat]:
            raise ValueError(f"{SEATS[seat]}: a man on {word}, where men are crowned; write K{word} for a king")
        yield square, king


def read_square(digits: str, where: str) -> int:
    """A square by its number, 1 to 32; 0 to 31 in code."""
    if digits not in SQUARE_OF:
        raise ValueError(f"{where}{digits!r} is no square; squares are the numbers from 1 to {board.SQUARES}")
    return SQUARE_OF[digits]


# --- what a text may show ---


def check(state: Record, variant: Record) -> None:
    """ValueError for a position that cannot occur in a running game, or an end that does not fit it."""
    mover = SEATS[state.to_act]
    if not state.pieces[1 - state.to_act]:
        raise ValueError(f"{SEATS[1 - state.to_act]} has no pieces, and yet it is {mover}'s turn, not the end")
    if state.jumper != board.NO_SQUARE:
        check_jump(state)
    check_counts(state, variant)
    stuck = not rules.can_move(state, int(state.to_act))
    drawn_at_once = state.end == rules.NO_PROGRESS and variant.draw_rule == rules.OPENSPIEL
    if stuck != (state.end == rules.NO_MOVE) and not (stuck and drawn_at_once):
        raise ValueError(f"{mover} to act {'has no move without' if stuck else 'can move with'} end=no_move")


def check_jump(state: Record) -> None:
    """The piece in the middle of a multi-jump must be able to go on; only `max_plies` ends a game there."""
    if not rules.all_jumpers(state, int(state.to_act)) & board.BIT[state.jumper]:
        raise ValueError(f"jump={state.jumper + 1}, where {SEATS[state.to_act]} has no piece that can jump")
    if state.steps or state.king_steps:
        raise ValueError("jump= with a count of steps that is not 0, but the jump has just set both to 0")
    if state.end not in (RUNNING, MAX_PLIES):
        raise ValueError(f"jump= with end={rules.ENDS[state.end]}, but no game ends so in a multi-jump")


def check_counts(state: Record, variant: Record) -> None:
    """The count that `draw_rule` looks at, against the ending."""
    if variant.draw_rule == rules.WCDF:
        name, count, limit = "king_steps", int(state.king_steps), rules.WCDF_LIMIT
    elif variant.draw_rule == rules.OPENSPIEL:
        name, count, limit = "steps", int(state.steps), rules.OPENSPIEL_LIMIT
    elif state.end == rules.NO_PROGRESS:
        raise ValueError("end=no_progress, but the option draw_rule is 'none'")
    else:
        return
    lost_even_then = variant.draw_rule == rules.WCDF and state.end == rules.NO_MOVE
    if count > limit or (count == limit and state.end != rules.NO_PROGRESS and not lost_even_then):
        raise ValueError(f"{name}={count}, but {limit} draw and need end=no_progress")
    if state.end == rules.NO_PROGRESS and count not in (0, limit):
        raise ValueError(f"end=no_progress with {name}={count}; the game is drawn at {limit}")
