"""The picture of a position: a felt board in a walnut frame, with the Dog House on its bar; and the same as text."""

from __future__ import annotations

from parlour.rulebook.protocol import MAX_PLIES, RUNNING, HitArea, Record
from parlour.rulebook.svg_shapes import STAR, circle, labelled, picture
from parlour.rulebook.svg_text import text_path

from . import SEAT_NAMES, TITLE, evaluation, notation, rules

__all__ = ["ansi", "hit_areas", "svg"]

# --- measures, in pixels of the picture's own size ---

STEP, MAN = 54, 24.5  # from point to point; a man's radius
POINT, GAP = 232, 116  # a point's length; between the points' tips at most
BAR, TRAY = 112, 66
MARGIN, RIM = 20, 34  # of the frame at the sides; above and below, for the numbers
LEFT = MARGIN + TRAY + 16  # of the felt
HALF = 6 * STEP
RIGHT = LEFT + 2 * HALF + BAR
TOP, BOTTOM = RIM, RIM + 2 * POINT + GAP
MIDDLE_X, MIDDLE_Y = (LEFT + RIGHT) / 2, (TOP + BOTTOM) / 2
WIDTH, HEIGHT = RIGHT + 16 + TRAY + MARGIN, BOTTOM + RIM + 54
PLAQUE_Y = BOTTOM + RIM + 18
HIGHEST = 5  # men drawn on one point; more are a number
DIE = 58

# --- colours ---

WOOD, WOOD_DARK, WOOD_EDGE, WOOD_GRAIN, WOOD_LETTER = "#553521", "#331e12", "#24140b", "#4b2d1b", "#e3c497"
FELT, FELT_EDGE, LIGHT_POINT, DARK_POINT = "#1f5145", "#163a31", "#e4c890", "#8f6a3c"
INK, IVORY, GOLD, GREEN = "#2a1d14", "#fdf6e3", "#f0c552", "#7be08d"
RED, BLACK = "#c0281f", "#1b1817"
MAN_EDGE, MAN_RIM = "#1a0f08", "#fdf3dc"
"""Round every man: the one stands out from light points, the other from felt and dark points, for every eye. Red's men
have a diamond, Black's a ring."""
COLOURS = (RED, BLACK)
WORDS = {rules.ACEY: "acey", rules.DUCEY: "ducey"}
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}

SHAPES = f"""<linearGradient id="acd-red" x2="0" y2="1">
<stop stop-color="#c9402c"/><stop offset="1" stop-color="#8f1613"/></linearGradient>
<linearGradient id="acd-black" x2="0" y2="1">
<stop stop-color="#4a4441"/><stop offset="1" stop-color="#151211"/></linearGradient>
<linearGradient id="acd-ivory" x2="0" y2="1">
<stop stop-color="#fffdf5"/><stop offset="1" stop-color="#e9dcbb"/></linearGradient>
<g id="acd-r"><circle cx="1.5" cy="3.5" r="{MAN}" fill="#000" fill-opacity="0.35"/>
<circle r="{MAN}" fill="{MAN_EDGE}"/><circle r="{MAN - 1}" fill="{MAN_RIM}"/>
<circle r="{MAN - 3.4}" fill="url(#acd-red)"/>
<path d="M0-14L14 0 0 14-14 0Z" fill="none" stroke="{MAN_RIM}" stroke-width="2.6"/></g>
<g id="acd-b"><circle cx="1.5" cy="3.5" r="{MAN}" fill="#000" fill-opacity="0.35"/>
<circle r="{MAN}" fill="{MAN_EDGE}"/><circle r="{MAN - 1}" fill="{MAN_RIM}"/>
<circle r="{MAN - 3.4}" fill="url(#acd-black)"/>
<circle r="{MAN - 10}" fill="none" stroke="{MAN_RIM}" stroke-width="2.6"/></g>
<g id="acd-die"><rect x="-27.5" y="-25.5" width="58" height="58" rx="11" fill="#000" fill-opacity="0.35"/>
<rect x="-29" y="-29" width="58" height="58" rx="11" fill="#8f7f5c"/>
<rect x="-27.5" y="-27.5" width="55" height="55" rx="9.5" fill="url(#acd-ivory)"/></g>
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
        _frame(),
        *(_point(point, variant) for point in range(1, rules.STEPS + 1)),
        _arrows(),
        *(_men_on(state, step) for step in range(rules.STEPS)),
        _dog_house(state),
        *(_tray(state, seat) for seat in (rules.RED, rules.BLACK)),
        _last_ply(state),
        _dice(state, variant),
        *(_plaque(state, seat) for seat in (rules.RED, rules.BLACK)),
    ]
    return picture(WIDTH, HEIGHT, f"{TITLE}. {_status(state)}", parts)


def hit_areas(state: Record, variant: Record) -> list[HitArea]:
    """The 24 points by Red's numbers, as printed on the rim; the Dog House; of the seat to act the men not entered yet
    and the place of those borne off."""
    long, half = POINT + GAP / 2, (BOTTOM - TOP) / 2
    areas = []
    for step in range(rules.STEPS):
        point = rules.STEPS - step
        y = TOP + long / 2 if point > 12 else BOTTOM - long / 2
        areas.append(
            HitArea(str(point), _label(state, step), _point_x(point), y, STEP, long, piece=_top_man(state, step))
        )
    seat = int(state.to_act)
    y = MIDDLE_Y + half / 2 if seat == rules.RED else MIDDLE_Y - half / 2
    trays = (("in", MARGIN, "men to enter", state.unentered), ("off", RIGHT + 16, "men borne off", state.off))
    for name, left, words, count in trays:
        areas.append(HitArea(name, f"{words}: {count[seat]}", left + TRAY / 2, y, TRAY, half))
    areas.append(HitArea("dog", f"Dog House: {state.dog_house[seat]} of yours", MIDDLE_X, MIDDLE_Y, BAR - 8, 210))
    return areas


def _label(state: Record, step: int) -> str:
    """``point 24, 2 red men``, by Red's step."""
    red, black = int(state.men[rules.RED, step]), int(state.men[rules.BLACK, rules.STEPS - 1 - step])
    men = f"{red} red" if red else f"{black} black" if black else "no"
    return f"point {rules.STEPS - step}, {men} {'man' if red + black == 1 else 'men'}"


def _top_man(state: Record, step: int) -> str:
    """The id of the top man on Red's step; empty if there is none."""
    some = state.men[rules.RED, step] or state.men[rules.BLACK, rules.STEPS - 1 - step]
    return f"acd-at-{rules.STEPS - step}" if some else ""


def _box(x: float, y: float, width: float, height: float, round_by: float, colour: str) -> str:
    """A rectangle with rounded corners."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{round_by}" fill="{colour}"/>'


def _use(shape: str, x: float, y: float, scale: float = 1) -> str:
    """A shape of the definitions at (x, y)."""
    return f'<use href="#acd-{shape}" transform="translate({x:g} {y:g}) scale({scale:g})"/>'


def _point_x(point: int) -> float:
    """The middle of a point, by Red's number: 13 to 24 along the top, 12 to 1 along the bottom."""
    column = point - 13 if point > 12 else 12 - point
    return LEFT + STEP * (column + 0.5) + (BAR if column >= 6 else 0)


def _man_at(point: int, height: int) -> tuple[float, float]:
    """Where the man number ``height`` (0 the first) of a point lies."""
    along = MAN + 2 + 2 * (MAN - 2) * height
    return _point_x(point), TOP + along if point > 12 else BOTTOM - along


def _frame() -> str:
    """The wood with its grain, the felt of both halves, the bar, the trays."""
    grain = "".join(f"M3 {down}H{WIDTH - 3}" for down in (9, 21, 30, BOTTOM + 6, BOTTOM + 25, BOTTOM + 41, HEIGHT - 9))
    felt = "".join(
        _box(x - 3, TOP - 3, HALF + 6, BOTTOM - TOP + 6, 4, WOOD_EDGE)
        + _box(x, TOP, HALF, BOTTOM - TOP, 2, FELT_EDGE)
        + _box(x + 3, TOP + 3, HALF - 6, BOTTOM - TOP - 6, 2, FELT)
        for x in (LEFT, LEFT + HALF + BAR)
    )
    trays = "".join(
        _box(x - 2, TOP - 3, TRAY + 4, BOTTOM - TOP + 6, 5, WOOD_EDGE)
        + _box(x, TOP, TRAY, BOTTOM - TOP, 4, WOOD_DARK)
        + _box(x, MIDDLE_Y - 3, TRAY, 6, 0, WOOD)
        for x in (MARGIN, RIGHT + 16)
    )
    return "".join(
        (
            _box(0, 0, WIDTH, HEIGHT, 14, WOOD_EDGE),
            _box(2, 2, WIDTH - 4, HEIGHT - 4, 12.5, WOOD),
            f'<path d="{grain}" stroke="{WOOD_GRAIN}" stroke-width="2"/>',
            felt,
            trays,
        )
    )


def _point(point: int, variant: Record) -> str:
    """A point with Red's number; a star on the rim where ACEY-DUCEY can send a man from it."""
    x = _point_x(point)
    base, way, y = (TOP + 3, 1, TOP - 12) if point > 12 else (BOTTOM - 3, -1, BOTTOM + 25)
    colour = LIGHT_POINT if point % 2 else DARK_POINT
    triangle = f'<path d="M{x - 24:g} {base}L{x:g} {base + way * (POINT - 16)} {x + 24:g} {base}Z" fill="{colour}"/>'
    starred = rules.SENT_FROM[variant.ducey_points, rules.STEPS - point] and variant.dice == rules.SPECIAL
    star = (
        f'<path d="{STAR}" transform="translate({x + 17:g} {y - 6.5:g}) scale(.62)" fill="{GOLD}"/>' if starred else ""
    )
    return triangle + text_path(str(point), x - (3 if starred else 0), y, 14.5, WOOD_LETTER) + star


def _arrows() -> str:
    """Parker: "Red Men follow Red arrows and Black men follow Black arrows": round the left side, each its own way."""
    outer, inner = 32, 14
    right, left = RIGHT - 24, LEFT + 46
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
    hidden = _box(LEFT + HALF - 3, TOP - 3, BAR + 6, BOTTOM - TOP + 6, 0, WOOD_EDGE)
    return "".join((*tracks, hidden, _box(LEFT + HALF, TOP - 3, BAR, BOTTOM - TOP + 6, 0, WOOD)))


def _number_on(x: float, y: float, number: int, height: float = 16) -> str:
    """A count on a man."""
    return circle(x, y, 13, INK) + text_path(str(number), x, y + height / 2, height, IVORY, pen=1.5)


def _men_on(state: Record, step: int) -> str:
    """The men on Red's step, the uppermost with a number if there are more than fit."""
    point = rules.STEPS - step
    for seat, place in enumerate((step, rules.STEPS - 1 - step)):
        count = int(state.men[seat, place])
        if count:
            places = [_man_at(point, height) for height in range(min(count, HIGHEST))]
            stack = "".join(_use(notation.SEATS[seat], x, y) for x, y in places[:-1])
            top = _use(notation.SEATS[seat], *places[-1])
            top += _number_on(*places[-1], count) if count > HIGHEST else ""
            return stack + labelled(f"acd-at-{point}", _label(state, step), top)
    return ""


def _dog_house(state: Record) -> str:
    """The kennel on the bar, with a man of each colour that has any in it, and how many."""
    x, y = MIDDLE_X, MIDDLE_Y - 58
    name = text_path("dog house", x, y + 174, 14.5, WOOD_LETTER)
    men = ""
    for seat, down in ((rules.BLACK, 60), (rules.RED, 116)):
        if state.dog_house[seat]:
            men += _use(notation.SEATS[seat], x, y + down) + _number_on(x, y + down, int(state.dog_house[seat]))
    return _use("kennel", x, y) + name + men


def _tray(state: Record, seat: int) -> str:
    """At the right the men borne off, at the left those not entered yet; Red's below, Black's above, lying flat."""
    parts = []
    for x, count in ((MARGIN, int(state.unentered[seat])), (RIGHT + 16, int(state.off[seat]))):
        for k in range(count):
            y = BOTTOM - 17 - 16.5 * k if seat == rules.RED else TOP + 3 + 16.5 * k
            parts.append(_box(x + 7, y, TRAY - 14, 14, 4, MAN_RIM))
            parts.append(_box(x + 8, y + 1, TRAY - 16, 12, 3.2, f"url(#acd-{SEAT_NAMES[seat].lower()})"))
    for x, word in ((MARGIN, "enter"), (RIGHT + 16, "off")):
        parts.append(text_path(word, x + TRAY / 2, BOTTOM + 25, 14.5, WOOD_LETTER) if seat == rules.RED else "")
    return "".join(parts)


def _last_ply(state: Record) -> str:
    """A ring where the latest man stood and where he stands; of a man sent, where he was taken from."""
    action, seat = int(state.last_action), int(state.last_seat)
    if action < 0 or action in (rules.AGAIN, rules.PASS):
        return ""
    if action >= rules.SEND:
        return _ring(state, 1 - seat, rules.STEPS - 1 - (action - rules.SEND), True)
    source, number = divmod(action, rules.TABLE)
    step = source - rules.FIRST_STEP
    target = step + number + 1 if step >= 0 else number
    rings = _ring(state, seat, step, True) if step >= 0 else ""
    return rings + (_ring(state, seat, target, False) if target < rules.STEPS else "")


def _ring(state: Record, seat: int, step: int, gone: bool) -> str:
    """A ring round the uppermost man on the seat's step, or, dashed, where he was."""
    count = min(int(state.men[seat, step]), HIGHEST)
    point = rules.STEPS - step if seat == rules.RED else step + 1
    x, y = _man_at(point, min(count, HIGHEST - 1) if gone else max(count - 1, 0))
    dashes = ' stroke-dasharray="7 5"' if gone else ""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{MAN - 1}" fill="none" stroke="{GREEN}" stroke-width="3.6"{dashes}/>'


def _dice(state: Record, variant: Record) -> str:
    """The latest throw, at the right for Red and at the left for Black."""
    if state.dice[0] < 0:
        return ""
    x = RIGHT - HALF / 2 if state.to_act == rules.RED else LEFT + HALF / 2
    special = variant.dice == rules.SPECIAL
    return "".join(_die(x + side * 38, MIDDLE_Y, int(face), special) for side, face in zip((-1, 1), state.dice))


def _die(x: float, y: float, face: int, special: bool) -> str:
    """A die; the special faces have one star or two, and their word."""
    body = _use("die", x, y)
    if special and face in WORDS:
        stars = "".join(
            f'<path d="{STAR}" transform="translate({x + over:g} {y - 7:g}) scale({size})" fill="{RED}"/>'
            for over, size in (((0, 1.35),) if face == rules.ACEY else ((-12.5, 1), (12.5, 1)))
        )
        return body + stars + text_path(WORDS[face], x, y + 22, 14.2, INK, pen=1.3)
    pips = "".join(f'<circle cx="{x + 15 * a:g}" cy="{y + 15 * b:g}" r="5.2" fill="{INK}"/>' for a, b in PIPS[face])
    return body + pips


def _plaque(state: Record, seat: int) -> str:
    """A seat's name, the pips it has to go, and what it has to play; bright when it is to act or has won."""
    won = _winner(state) == seat
    acts = state.end == RUNNING and state.to_act == seat
    width = (RIGHT - LEFT) / 2 - 14
    left = LEFT if seat == rules.BLACK else RIGHT - width
    edge, fill, ink = (GOLD, "#f3e4bf", INK) if won or acts else (WOOD_EDGE, WOOD_DARK, WOOD_LETTER)
    name = SEAT_NAMES[seat].lower()
    words = f"{name} wins" if won else f"{name} - {_task(state)}" if acts else name
    return (
        _box(left, PLAQUE_Y - 12, width, 40, 8, edge)
        + _box(left + 2.5, PLAQUE_Y - 9.5, width - 5, 35, 6, fill)
        + _use(notation.SEATS[seat], left + 24, PLAQUE_Y + 8, 0.5)
        + text_path(words, left + 46, PLAQUE_Y + 15, 14.5, ink, "start")
        + text_path(f"{int(evaluation.pips(state, seat))} pips", left + width - 16, PLAQUE_Y + 15, 14.2, ink, "end")
    )


# --- text ---


def ansi(state: Record, variant: Record) -> str:
    """The board in letters, Red's numbering; the points of the latest ply in brackets; then the rest in words."""
    cells = dict.fromkeys(range(1, rules.STEPS + 1), "  .  ")
    for word in notation.points(state):
        point, _, men = word.partition(":")
        cells[int(point)] = f" {men:<4}"
    for last in _last_points(state):
        cells[last] = f"[{cells[last].strip()}]".ljust(5)
    rows: list[str] = []
    for points in (range(13, 25), range(12, 0, -1)):
        numbers = [f" {number:<4}" for number in points]
        places = [cells[number] for number in points]
        halves = [" ".join(row[:6]) + " | " + " ".join(row[6:]) for row in (numbers, places)]
        rows += halves if points[0] == 13 else reversed(halves)
    waiting = "   ".join(
        f"{name} {counts[rules.RED]} red, {counts[rules.BLACK]} black"
        for name, counts in (("to enter", state.unentered), ("Dog House", state.dog_house), ("off", state.off))
    )
    faces = WORDS if variant.dice == rules.SPECIAL else {}
    dice = " ".join(faces.get(int(face), str(face)) for face in state.dice)
    doing = f", {_task(state)}" if state.end == RUNNING else ""
    return "\n".join((*(row.rstrip() for row in rows), waiting, f"dice {dice}{doing}", _status(state)))


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
    return [rules.STEPS - step if seat == rules.RED else step + 1 for step in steps]


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
    if state.end == RUNNING:
        return f"{SEAT_NAMES[state.to_act]} to act (player_{state.to_act}), ply {state.plies + 1}"
    if state.end == MAX_PLIES:
        return f"Nobody wins: the limit of {state.plies} plies is reached"
    return f"{SEAT_NAMES[_winner(state) or 0]} wins: all 15 men are off the board"
