"""The picture of a position: a felt board in a walnut frame, the bar in its middle; and the same as text."""

from __future__ import annotations

from parlour.rulebook import point_board
from parlour.rulebook.point_board import MIDDLE_Y, Board, View
from parlour.rulebook.point_texts import steps_between
from parlour.rulebook.protocol import HitArea, Record
from parlour.rulebook.svg_shapes import labelled

from . import SEAT_NAMES, TITLE, evaluation, notation, rules

BOTTOM_SEAT = rules.WHITE  # its home, points 1 to 6, lies below

FELT = "#5e1f2b"
BAR, LEFT = 68, point_board.MARGIN
WHITE_MARK = '<circle r="12.5" fill="none" stroke="#7a6748" stroke-width="2.4"/>'
BLACK_MARK = f'<path d="M0-13L3.5-3.5 13 0 3.5 3.5 0 13-3.5 3.5-13 0-3.5-3.5Z" fill="{point_board.MAN_RIM}"/>'
"""White's men have a ring, Black's a star."""
BOARD = Board(
    TITLE, "bg", notation.SEATS, SEAT_NAMES, LEFT, BAR, (point_board.right_tray(LEFT, BAR),), FELT, "#45141e",
    (("#fffaf0", "#d8c8a6", WHITE_MARK), ("#4a4441", "#151211", BLACK_MARK)),
)  # fmt: skip
STAKES = {rules.GAMMON: " a gammon", rules.BACKGAMMON: " a backgammon"}


def _view(state: Record, variant: Record) -> View:
    """What there is to play, the latest ply, and who has won."""
    seat, action = int(state.last_seat), int(state.last_action)
    step, target = steps_between(action, rules.FIRST_STEP) if 0 <= action < rules.PASS else (-1, rules.STEPS)
    winner = [seat for seat in range(2) if state.off[seat] == rules.MEN[variant.setup]]
    return View(
        f"to play {notation.left(state)}",
        [int(evaluation.pips(state, seat)) for seat in range(2)],
        winner[0] if winner else None,
        STAKES.get(int(state.end), ""),
        (seat, step) if step >= 0 else None,
        (seat, target) if target < rules.STEPS else None,
    )


def svg(state: Record, variant: Record) -> str:
    """Board, men, bar, tray, dice, the latest ply, and below whose turn it is or who has won."""
    over = "".join(_men_on_bar(state, seat) for seat in range(2))
    if 0 <= state.last_action < rules.FIRST_STEP * rules.TABLE:
        over += point_board.ring_at(*_bar_place(int(state.last_seat)), True)
    return point_board.svg(BOARD, state, _view(state, variant), over=over)


def hit_areas(state: Record, variant: Record) -> list[HitArea]:
    """The 24 points by White's numbers, as printed on the rim; of the seat to act its half of the bar, and the tray."""
    seat = int(state.to_act)
    piece = f"bg-bar-{notation.SEATS[seat]}" if state.bar[seat] else ""
    size = BAR - 8, 4 * point_board.MAN
    bar = HitArea("bar", _bar_label(state, seat), *_bar_place(seat), *size, piece=piece)
    return [*point_board.hit_areas(BOARD, state), bar]


def _bar_place(seat: int) -> tuple[float, float]:
    """Where a seat's men on the bar lie: White's above, since they enter there, Black's below."""
    return BOARD.middle_x, MIDDLE_Y + (96 if seat else -96)


def _bar_label(state: Record, seat: int) -> str:
    """``the bar, 2 white men``"""
    count = int(state.bar[seat])
    men = f"{count} {SEAT_NAMES[seat].lower()}" if count else "no"
    return f"the bar, {men} {'man' if count == 1 else 'men'}"


def _men_on_bar(state: Record, seat: int) -> str:
    """A seat's men on the bar, with a number if there are more than one."""
    count, (x, y) = int(state.bar[seat]), _bar_place(seat)
    if not count:
        return ""
    man = point_board.use(BOARD, notation.SEATS[seat], x, y)
    man += point_board.number_on(x, y, count) if count > 1 else ""
    return labelled(f"bg-bar-{notation.SEATS[seat]}", _bar_label(state, seat), man)


def ansi(state: Record, variant: Record) -> str:
    """The board in letters, White's numbering; the points of the latest ply in brackets; then the rest in words."""
    return point_board.ansi(BOARD, state, _view(state, variant), {"bar": "bar", "off": "off"})
