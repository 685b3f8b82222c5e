"""The picture of a position: a felt board in a walnut frame, the bar in its middle; and the same as text."""

from __future__ import annotations

from parlour.rulebook import point_board
from parlour.rulebook.point_board import BOTTOM, MIDDLE_Y, TRAY, WOOD_LETTER, Board
from parlour.rulebook.protocol import RUNNING, HitArea, Record
from parlour.rulebook.status import common_status
from parlour.rulebook.svg_shapes import gradient, labelled, picture
from parlour.rulebook.svg_text import text_path

from . import SEAT_NAMES, TITLE, evaluation, notation, rules

BOTTOM_SEAT = rules.WHITE  # its home, points 1 to 6, lies below

FELT = "#5e1f2b"
BAR, LEFT = 68, point_board.MARGIN
OFF = point_board.right_tray(LEFT, BAR)
BOARD = Board("bg", notation.SEATS, SEAT_NAMES, LEFT, BAR, (OFF,), felt=FELT, felt_edge="#45141e")
WHITE_MARK = '<circle r="12.5" fill="none" stroke="#7a6748" stroke-width="2.4"/>'
BLACK_MARK = f'<path d="M0-13L3.5-3.5 13 0 3.5 3.5 0 13-3.5 3.5-13 0-3.5-3.5Z" fill="{point_board.MAN_RIM}"/>'
"""White's men have a ring, Black's a star."""
STAKES = {rules.SINGLE: "", rules.GAMMON: " a gammon", rules.BACKGAMMON: " a backgammon"}

SHAPES = f"""{gradient("bg-white", "#fffaf0", "#d8c8a6")}
{gradient("bg-black", "#4a4441", "#151211")}
{gradient("bg-ivory", "#fffdf5", "#e9dcbb")}
{point_board.man_shape(BOARD, rules.WHITE, WHITE_MARK)}
{point_board.man_shape(BOARD, rules.BLACK, BLACK_MARK)}
{point_board.die_shape(BOARD)}"""

# --- the picture ---


def svg(state: Record, variant: Record) -> str:
    """Board, men, bar, tray, dice, the latest ply, and below whose turn it is or who has won."""
    seats = (rules.WHITE, rules.BLACK)
    parts = [
        f"<defs>\n{SHAPES}\n</defs>",
        point_board.frame(BOARD),
        *(_point(point) for point in range(1, rules.STEPS + 1)),
        point_board.bar(BOARD),
        *(point_board.men_on(BOARD, state, step) for step in range(rules.STEPS)),
        *(_men_on_bar(state, seat) for seat in seats),
        *(point_board.men_in_tray(BOARD, seat, OFF, int(state.off[seat])) for seat in seats),
        text_path("off", OFF + TRAY / 2, BOTTOM + 25, 14.5, WOOD_LETTER),
        _last_ply(state),
        _dice(state),
        *(_plaque(state, seat) for seat in seats),
    ]
    return picture(BOARD.width, point_board.HEIGHT, f"{TITLE}. {_status(state)}", parts)


def hit_areas(state: Record, variant: Record) -> list[HitArea]:
    """The 24 points by White's numbers, as printed on the rim; of the seat to act its half of the bar, and the tray."""
    areas = point_board.point_areas(BOARD, state)
    seat, half = int(state.to_act), (BOTTOM - point_board.TOP) / 2
    x, y = _bar_place(seat, 0)
    piece = f"bg-bar-{notation.SEATS[seat]}" if state.bar[seat] else ""
    areas.append(HitArea("bar", _bar_label(state, seat), x, y, BAR - 8, 4 * point_board.MAN, piece=piece))
    y = MIDDLE_Y + half / 2 if seat == rules.WHITE else MIDDLE_Y - half / 2
    areas.append(HitArea("off", f"men borne off: {state.off[seat]}", OFF + TRAY / 2, y, TRAY, half))
    return areas


def _point(point: int) -> str:
    """A point with White's number."""
    x = point_board.point_x(BOARD, point)
    return point_board.triangle(BOARD, point) + text_path(str(point), x, point_board.number_y(point), 14.5, WOOD_LETTER)


def _bar_place(seat: int, height: int) -> tuple[float, float]:
    """Where a seat's men on the bar lie: White's above, since they enter there, Black's below."""
    way = -1 if seat == rules.WHITE else 1
    return BOARD.middle_x, MIDDLE_Y + way * (96 + 2 * (point_board.MAN - 2) * height)


def _bar_label(state: Record, seat: int) -> str:
    """``the bar, 2 white men``"""
    count = int(state.bar[seat])
    men = f"{count} {SEAT_NAMES[seat].lower()}" if count else "no"
    return f"the bar, {men} {'man' if count == 1 else 'men'}"


def _men_on_bar(state: Record, seat: int) -> str:
    """A seat's men on the bar, with a number if there are more than one."""
    count = int(state.bar[seat])
    if not count:
        return ""
    x, y = _bar_place(seat, 0)
    man = point_board.use(BOARD, notation.SEATS[seat], x, y)
    man += point_board.number_on(x, y, count) if count > 1 else ""
    return labelled(f"bg-bar-{notation.SEATS[seat]}", _bar_label(state, seat), man)


def _last_places(state: Record) -> list[int]:
    """The steps between which the latest ply moved a man, −1 for the bar."""
    action = int(state.last_action)
    if not 0 <= action < rules.PASS:
        return []
    source, distance = divmod(action, rules.TABLE)
    step = source - rules.FIRST_STEP
    return [place for place in (step, step + distance + 1) if place < rules.STEPS]


def _last_ply(state: Record) -> str:
    """A ring where the latest man stands, a dashed one where he stood."""
    seat, rings = int(state.last_seat), ""
    for k, step in enumerate(_last_places(state)):
        if step < 0:
            rings += point_board.ring_at(*_bar_place(seat, 0), True)
        else:
            rings += point_board.ring(BOARD, state, seat, step, k == 0)
    return rings


def _dice(state: Record) -> str:
    """The latest throw, at the right for White and at the left for Black."""
    if state.dice[0] < 0:
        return ""
    x = BOARD.right - point_board.HALF / 2 if state.to_act == rules.WHITE else LEFT + point_board.HALF / 2
    return "".join(
        point_board.die(BOARD, x + side * 38, MIDDLE_Y, int(face)) for side, face in zip((-1, 1), state.dice)
    )


def _plaque(state: Record, seat: int) -> str:
    """A seat's name, the pips it has to go, and what it has to play; bright when it is to act or has won."""
    won = _winner(state) == seat
    words = SEAT_NAMES[seat].lower()
    if won:
        words += f" wins{STAKES[int(state.end)]}"
    elif point_board.acts(state, seat):
        words += f" - to play {notation.left(state)}"
    return point_board.plaque(
        BOARD, seat, won or point_board.acts(state, seat), words, int(evaluation.pips(state, seat))
    )


# --- text ---


def ansi(state: Record, variant: Record) -> str:
    """The board in letters, White's numbering; the points of the latest ply in brackets; then the rest in words."""
    seat = int(state.last_seat)
    last = [point_board.point_of(step, seat) for step in _last_places(state) if step >= 0]
    beside = "   ".join(
        f"{name} {counts[rules.WHITE]} white, {counts[rules.BLACK]} black"
        for name, counts in (("bar", state.bar), ("off", state.off))
    )
    dice = " ".join(str(face) for face in state.dice)
    doing = f", to play {notation.left(state)}" if state.end == RUNNING else ""
    rows = point_board.board_rows(state, notation.SEATS, last)
    return "\n".join((*rows, beside, f"dice {dice}{doing}", _status(state)))


# --- both ---


def _winner(state: Record) -> int | None:
    """The seat that has won."""
    if state.end < rules.SINGLE:
        return None
    return int(state.off[rules.BLACK] > 0 and state.men[rules.BLACK].sum() + state.bar[rules.BLACK] == 0)


def _status(state: Record) -> str:
    """``White to act (player_0), ply 12``, or how the game has ended."""
    return (
        common_status(state, SEAT_NAMES)
        or f"{SEAT_NAMES[_winner(state) or 0]} wins{STAKES[int(state.end)]}: all its men are off the board"
    )
