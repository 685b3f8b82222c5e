"""The picture of a position: a felt board in a walnut frame, with the Dog House on its bar; and the same as text."""

from __future__ import annotations

from parlour.rulebook import point_board
from parlour.rulebook.point_board import MIDDLE_Y, TRAY, WOOD_LETTER, Board, Tray, View
from parlour.rulebook.point_texts import steps_between
from parlour.rulebook.protocol import HitArea, Record
from parlour.rulebook.svg_shapes import STAR, sign
from parlour.rulebook.svg_text import text_path

from . import SEAT_NAMES, TITLE, evaluation, notation, rules

BOTTOM_SEAT = rules.RED  # its home, points 1 to 6, lies below

RED, BLACK = "#c0281f", "#1b1817"
FELT = "#1f5145"
BAR, LEFT = 112, point_board.MARGIN + TRAY + point_board.BESIDE
WORDS = {rules.ACEY: "acey", rules.DUCEY: "ducey"}
DIAMOND = f'<path d="M0-14L14 0 0 14-14 0Z" fill="none" stroke="{point_board.MAN_RIM}" stroke-width="2.6"/>'
CIRCLE = f'<circle r="14.5" fill="none" stroke="{point_board.MAN_RIM}" stroke-width="2.6"/>'
"""Red's men have a diamond, Black's a ring."""

BOARD = Board(
    TITLE, "acd", notation.SEATS, SEAT_NAMES, LEFT, BAR,
    (Tray("in", point_board.MARGIN, "men to enter", "enter", "unentered"), point_board.right_tray(LEFT, BAR)),
    FELT, "#163a31", (("#c9402c", "#8f1613", DIAMOND), ("#4a4441", "#151211", CIRCLE)),
)  # fmt: skip
KENNEL = """<g id="acd-kennel">
<path d="M-42 150V-6L0-46 42-6V150Z" fill="#000" fill-opacity="0.25" transform="translate(2 4)"/>
<path d="M-38-4V150H38V-4L0-40Z" fill="#9a6a3c"/>
<path d="M-38 22H38M-38 48H38M-38 74H38M-38 100H38M-38 126H38" stroke="#83572f" stroke-width="2"/>
<path d="M-29 148V34A29 29 0 0 1 29 34V148Z" fill="#1c110a"/>
<path d="M-50 6L0-44 50 6" fill="none" stroke="#7b2a1d" stroke-width="11"
stroke-linejoin="round" stroke-linecap="round"/>
<g fill="#e3c497"><rect x="-11" y="-15" width="22" height="7" rx="3"/><circle cx="-12" cy="-15" r="4.6"/>
<circle cx="-12" cy="-8" r="4.6"/><circle cx="12" cy="-15" r="4.6"/><circle cx="12" cy="-8" r="4.6"/></g></g>"""

# --- the picture ---


def _view(state: Record) -> View:
    """What there is to do, the latest ply, and who has won."""
    seat, action = int(state.last_seat), int(state.last_action)
    left, reached = None, None
    if rules.SEND <= action < rules.AGAIN:
        left = 1 - seat, rules.STEPS - 1 - (action - rules.SEND)
    elif 0 <= action < rules.SEND:
        step, target = steps_between(action, rules.FIRST_STEP)
        left = (seat, step) if step >= 0 else None
        reached = (seat, target) if target < rules.STEPS else None
    winner = [seat for seat in range(2) if state.off[seat] == rules.MEN]
    pips = [int(evaluation.pips(state, seat)) for seat in range(2)]
    return View(_task(state), pips, winner[0] if winner else None, left=left, reached=reached)


def svg(state: Record, variant: Record) -> str:
    """Board, men, trays, Dog House, dice, the latest ply, and below whose turn it is or who has won."""
    special = variant.dice == rules.SPECIAL
    sent_from = rules.SENT_FROM[variant.ducey_points]
    starred = [rules.STEPS - step for step in range(rules.STEPS) if special and sent_from[step]]
    die = _special_die if special else point_board.die_with_pips
    return point_board.svg(BOARD, state, _view(state), KENNEL, _arrows(), _dog_house(state), die, starred)


def hit_areas(state: Record, variant: Record) -> list[HitArea]:
    """The 24 points by Red's numbers, as on the rim; the trays of the seat to act; the Dog House."""
    label = f"Dog House: {state.dog_house[state.to_act]} of yours"
    return [*point_board.hit_areas(BOARD, state), HitArea("dog", label, BOARD.middle_x, MIDDLE_Y, BAR - 8, 210)]


def _arrows() -> str:
    """Parker: "Red Men follow Red arrows and Black men follow Black arrows": round the left side, each its own way."""
    outer, inner = 32, 14
    right, left = BOARD.right - 24, LEFT + 46
    tracks = []
    for colour, reach, forward in ((RED, outer, True), (BLACK, inner, False)):
        up, down = MIDDLE_Y - reach, MIDDLE_Y + reach
        tip = down if forward else up
        track = f"M{right} {up:g}H{left}A{reach} {reach} 0 0 0 {left} {down:g}H{right}"
        head = f"M{right - 12} {tip - 8:g}L{right + 4} {tip:g} {right - 12} {tip + 8:g}"
        tracks.append(
            f'<path d="{track}{head}" fill="none" stroke="{colour}" stroke-width="4" stroke-linecap="round" '
            f'stroke-linejoin="round"/>'
        )
    return "".join((*tracks, point_board.bar_wood(BOARD)))


def _dog_house(state: Record) -> str:
    """The kennel on the bar, with a man of each colour that has any in it, and how many."""
    x, y = BOARD.middle_x, MIDDLE_Y - 58
    name = text_path("dog house", x, y + 174, 14.5, WOOD_LETTER)
    men = ""
    for seat, down in ((rules.BLACK, 60), (rules.RED, 116)):
        if state.dog_house[seat]:
            men += point_board.use(BOARD, notation.SEATS[seat], x, y + down) + point_board.number_on(
                x, y + down, int(state.dog_house[seat])
            )
    return point_board.use(BOARD, "kennel", x, y) + name + men


def _special_die(board: Board, x: float, y: float, face: int) -> str:
    """A die; the special faces have one star or two, and their word."""
    if face not in WORDS:
        return point_board.die_with_pips(board, x, y, face)
    places = ((0, 1.35),) if face == rules.ACEY else ((-12.5, 1), (12.5, 1))
    stars = "".join(sign(STAR, x + over, y - 7, RED, size) for over, size in places)
    return point_board.die_with(board, x, y, stars + text_path(WORDS[face], x, y + 22, 14.2, point_board.INK, pen=1.3))


def ansi(state: Record, variant: Record) -> str:
    """The board in letters, Red's numbering; the points of the latest ply in brackets; then the rest in words."""
    beside = {"to enter": "unentered", "Dog House": "dog_house", "off": "off"}
    return point_board.ansi(BOARD, state, _view(state), beside, WORDS if variant.dice == rules.SPECIAL else None)


def _task(state: Record) -> str:
    """What the seat to act has to do."""
    if state.choosing:
        return "send or again"
    return f"to play {notation.left(state)}{' then again' if state.again else ''}"
