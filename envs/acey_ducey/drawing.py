"""The picture of a position: a felt board in a walnut frame, with the Dog House on its bar; and the same as text."""

from __future__ import annotations

from parlour.rulebook import point_board
from parlour.rulebook.point_board import BOTTOM, MIDDLE_Y, TRAY, WOOD_LETTER, Board
from parlour.rulebook.protocol import RUNNING, HitArea, Record
from parlour.rulebook.status import common_status
from parlour.rulebook.svg_shapes import STAR, gradient, picture, sign
from parlour.rulebook.svg_text import text_path

from . import SEAT_NAMES, TITLE, evaluation, notation, rules

BOTTOM_SEAT = rules.RED  # its home, points 1 to 6, lies below

RED, BLACK = "#c0281f", "#1b1817"
FELT = "#1f5145"
BAR, LEFT = 112, point_board.MARGIN + TRAY + point_board.BESIDE
BOARD = Board(
    "acd",
    notation.SEATS,
    SEAT_NAMES,
    LEFT,
    BAR,
    (point_board.MARGIN, point_board.right_tray(LEFT, BAR)),
    felt=FELT,
    felt_edge="#163a31",
)
ENTERING, OFF = BOARD.trays  # where they begin
WORDS = {rules.ACEY: "acey", rules.DUCEY: "ducey"}
DIAMOND = f'<path d="M0-14L14 0 0 14-14 0Z" fill="none" stroke="{point_board.MAN_RIM}" stroke-width="2.6"/>'
CIRCLE = f'<circle r="14.5" fill="none" stroke="{point_board.MAN_RIM}" stroke-width="2.6"/>'
"""Red's men have a diamond, Black's a ring."""

SHAPES = f"""{gradient("acd-red", "#c9402c", "#8f1613")}
{gradient("acd-black", "#4a4441", "#151211")}
{gradient("acd-ivory", "#fffdf5", "#e9dcbb")}
{point_board.man_shape(BOARD, rules.RED, DIAMOND)}
{point_board.man_shape(BOARD, rules.BLACK, CIRCLE)}
{point_board.die_shape(BOARD)}
<g id="acd-kennel"><path d="M-42 150V-6L0-46 42-6V150Z" fill="#000" fill-opacity="0.25" transform="translate(2 4)"/>
<path d="M-38-4V150H38V-4L0-40Z" fill="#9a6a3c"/>
<path d="M-38 22H38M-38 48H38M-38 74H38M-38 100H38M-38 126H38" stroke="#83572f" stroke-width="2"/>
<path d="M-29 148V34A29 29 0 0 1 29 34V148Z" fill="#1c110a"/>
<path d="M-50 6L0-44 50 6" fill="none" stroke="#7b2a1d" stroke-width="11"
stroke-linejoin="round" stroke-linecap="round"/>
<g fill="#e3c497"><rect x="-11" y="-15" width="22" height="7" rx="3"/><circle cx="-12" cy="-15" r="4.6"/>
<circle cx="-12" cy="-8" r="4.6"/><circle cx="12" cy="-15" r="4.6"/><circle cx="12" cy="-8" r="4.6"/></g></g>"""

# --- the picture ---


def svg(state: Record, variant: Record) -> str:
    """Board, men, trays, Dog House, dice, the latest ply, and below whose turn it is or who has won."""
    parts = [
        f"<defs>\n{SHAPES}\n</defs>",
        point_board.frame(BOARD),
        *(_point(point, variant) for point in range(1, rules.STEPS + 1)),
        _arrows(),
        *(point_board.men_on(BOARD, state, step) for step in range(rules.STEPS)),
        _dog_house(state),
        *(_tray(state, seat) for seat in (rules.RED, rules.BLACK)),
        _last_ply(state),
        _dice(state, variant),
        *(_plaque(state, seat) for seat in (rules.RED, rules.BLACK)),
    ]
    return picture(BOARD.width, point_board.HEIGHT, f"{TITLE}. {_status(state)}", parts)


def hit_areas(state: Record, variant: Record) -> list[HitArea]:
    """The 24 points by Red's numbers, as on the rim; the Dog House; the trays of the seat to act."""
    half = (BOTTOM - point_board.TOP) / 2
    areas = point_board.point_areas(BOARD, state)
    seat = int(state.to_act)
    y = MIDDLE_Y + half / 2 if seat == rules.RED else MIDDLE_Y - half / 2
    trays = (("in", ENTERING, "men to enter", state.unentered), ("off", OFF, "men borne off", state.off))
    for name, left, words, count in trays:
        areas.append(HitArea(name, f"{words}: {count[seat]}", left + TRAY / 2, y, TRAY, half))
    areas.append(HitArea("dog", f"Dog House: {state.dog_house[seat]} of yours", BOARD.middle_x, MIDDLE_Y, BAR - 8, 210))
    return areas


def _point(point: int, variant: Record) -> str:
    """A point with Red's number; a star on the rim where ACEY-DUCEY can send a man from it."""
    x, y = point_board.point_x(BOARD, point), point_board.number_y(point)
    starred = rules.SENT_FROM[variant.ducey_points, rules.STEPS - point] and variant.dice == rules.SPECIAL
    star = sign(STAR, x + 17, y - 6.5, point_board.GOLD, 0.62) if starred else ""
    return (
        point_board.triangle(BOARD, point)
        + text_path(str(point), x - (3 if starred else 0), y, 14.5, WOOD_LETTER)
        + star
    )


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
    return "".join((*tracks, point_board.bar(BOARD)))


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


def _tray(state: Record, seat: int) -> str:
    """At the right the men borne off, at the left those not entered yet; Red's below, Black's above, lying flat."""
    men = point_board.men_in_tray(BOARD, seat, ENTERING, int(state.unentered[seat]))
    men += point_board.men_in_tray(BOARD, seat, OFF, int(state.off[seat]))
    if seat != rules.RED:
        return men
    words = ((ENTERING, "enter"), (OFF, "off"))
    return men + "".join(text_path(word, x + TRAY / 2, BOTTOM + 25, 14.5, WOOD_LETTER) for x, word in words)


def _last_ply(state: Record) -> str:
    """A ring where the latest man stood and where he stands; of a man sent, where he was taken from."""
    action, seat = int(state.last_action), int(state.last_seat)
    if action < 0 or action in (rules.AGAIN, rules.PASS):
        return ""
    if action >= rules.SEND:
        return point_board.ring(BOARD, state, 1 - seat, rules.STEPS - 1 - (action - rules.SEND), True)
    source, number = divmod(action, rules.TABLE)
    step = source - rules.FIRST_STEP
    target = step + number + 1 if step >= 0 else number
    rings = point_board.ring(BOARD, state, seat, step, True) if step >= 0 else ""
    return rings + (point_board.ring(BOARD, state, seat, target, False) if target < rules.STEPS else "")


def _dice(state: Record, variant: Record) -> str:
    """The latest throw, at the right for Red and at the left for Black."""
    if state.dice[0] < 0:
        return ""
    x = BOARD.right - point_board.HALF / 2 if state.to_act == rules.RED else LEFT + point_board.HALF / 2
    special = variant.dice == rules.SPECIAL
    return "".join(_die(x + side * 38, MIDDLE_Y, int(face), special) for side, face in zip((-1, 1), state.dice))


def _die(x: float, y: float, face: int, special: bool) -> str:
    """A die; the special faces have one star or two, and their word."""
    if special and face in WORDS:
        stars = "".join(
            f'<path d="{STAR}" transform="translate({x + over:g} {y - 7:g}) scale({size})" fill="{RED}"/>'
            for over, size in (((0, 1.35),) if face == rules.ACEY else ((-12.5, 1), (12.5, 1)))
        )
        word = text_path(WORDS[face], x, y + 22, 14.2, point_board.INK, pen=1.3)
        return point_board.die_with(BOARD, x, y, stars + word)
    return point_board.die(BOARD, x, y, face)


def _plaque(state: Record, seat: int) -> str:
    """A seat's name, the pips it has to go, and what it has to play; bright when it is to act or has won."""
    won, task = _winner(state) == seat, f" - {_task(state)}" if point_board.acts(state, seat) else ""
    words = SEAT_NAMES[seat].lower() + (" wins" if won else task)
    return point_board.plaque(
        BOARD, seat, won or point_board.acts(state, seat), words, int(evaluation.pips(state, seat))
    )


# --- text ---


def ansi(state: Record, variant: Record) -> str:
    """The board in letters, Red's numbering; the points of the latest ply in brackets; then the rest in words."""
    rows = point_board.board_rows(state, notation.SEATS, _last_points(state))
    waiting = "   ".join(
        f"{name} {counts[rules.RED]} red, {counts[rules.BLACK]} black"
        for name, counts in (("to enter", state.unentered), ("Dog House", state.dog_house), ("off", state.off))
    )
    faces = WORDS if variant.dice == rules.SPECIAL else {}
    dice = " ".join(faces.get(int(face), str(face)) for face in state.dice)
    doing = f", {_task(state)}" if state.end == RUNNING else ""
    return "\n".join((*rows, waiting, f"dice {dice}{doing}", _status(state)))


def _last_points(state: Record) -> list[int]:
    """The points, in Red's numbering, between which the latest ply moved a man."""
    action, seat = int(state.last_action), int(state.last_seat)
    if not 0 <= action < rules.AGAIN:
        return []
    if action >= rules.SEND:
        steps = [action - rules.SEND]
    else:
        source, number = divmod(action, rules.TABLE)
        step = source - rules.FIRST_STEP if source >= rules.FIRST_STEP else -1
        steps = [place for place in (step, step + number + 1) if 0 <= place < rules.STEPS]
    return [point_board.point_of(step, seat) for step in steps]


# --- both ---


def _task(state: Record) -> str:
    """What the seat to act has to do."""
    if state.choosing:
        return "send or again"
    return f"to play {notation.left(state)}{' then again' if state.again else ''}"


def _winner(state: Record) -> int | None:
    """The seat that has won."""
    if state.end != rules.BORNE_OFF:
        return None
    return rules.RED if state.off[rules.RED] == rules.MEN else rules.BLACK


def _status(state: Record) -> str:
    """``Red to act (player_0), ply 12``, or how the game has ended."""
    return common_status(state, SEAT_NAMES) or f"{SEAT_NAMES[_winner(state) or 0]} wins: all 15 men are off the board"
