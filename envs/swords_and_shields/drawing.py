"""The picture of a position: the board of 1970 in a walnut tray; and the same as text."""

from __future__ import annotations

from math import atan2, degrees

from parlour.rulebook import svg_shapes
from parlour.rulebook.protocol import REPETITION, RUNNING, HitArea, Record
from parlour.rulebook.status import common_status, repeat_winner
from parlour.rulebook.svg_shapes import STAR, Place, box, circle, ring, use
from parlour.rulebook.svg_text import text_paths

from . import SEAT_NAMES, TITLE, notation, rules

# --- measures, in pixels of the picture's own size ---

WIDTH, HEIGHT = 720, 780
STEP = 70  # from dot to dot
LEFT, TOP = 80, 80  # of the dot a9
RIGHT, BOTTOM = LEFT + (rules.SIDE - 1) * STEP, TOP + (rules.SIDE - 1) * STEP
MARGIN = 39  # of paper, round the outer dots
LETTER_HEIGHT = 13

PLAQUE_WIDTH = 296

GRAIN = (7, 13, 26, 31, 96, 171, 233, 240, 352, 419, 488, 561, 569, 655, 692, 699, 708, 772)

# --- colours ---

WOOD, WOOD_DARK, WOOD_EDGE, WOOD_GRAIN, WOOD_LETTER = "#553521", "#331e12", "#24140b", "#4b2d1b", "#e3c497"
INK, PAPER, PAPER_RIM, IVORY = "#2a1d14", "#f3e4bf", "#e0c792", "#fdf6e3"
RED, BLUE, GOLD, BRONZE, GREEN = "#b3261e", "#1f4f94", "#e6b53f", "#9a6a1c", "#3f8f4f"
PLAQUES = svg_shapes.Plaques(
    lefts=(LEFT - MARGIN, RIGHT + MARGIN - PLAQUE_WIDTH), top=716, width=PLAQUE_WIDTH, height=50,
    corner=9, emblem=(34, 0), words=(68, 23, LETTER_HEIGHT), pips=(12, 4.6), lit=(GOLD, PAPER, INK),
    unlit=(WOOD_EDGE, WOOD_DARK, WOOD_LETTER), opacity=0.7,
)  # fmt: skip
PIP_COLOURS = {"s": RED, "o": BLUE, "c": GOLD}

# --- shapes round the point (0, 0); their ids begin with "sas-", for pages with several pictures ---

HEATER = "M-22-24H22V-3C22 12 12 21 0 28C-12 21-22 12-22-3Z"
SWORD = "M0-23.5L4.2-16.5V6H12.5V10.8H2.4V15.9A3.7 3.7 0 1 1-2.4 15.9V10.8H-12.5V6H-4.2V-16.5Z"
CHIEF_HEATER = "M-25-12H25V3C25 19 13 28 0 34C-13 28-25 19-25 3Z"
CROWN = "M-19-12L-24-29-11.5-20 0-35 11.5-20 24-29 19-12Z"
LEAF = "M0-4.4C3-1.6 3 1.6 0 4.4-3-1.6-3-1.6 0-4.4Z"

GRADIENTS = f"""{svg_shapes.gradient("sas-red", "#d4503f", "#98201a")}
{svg_shapes.gradient("sas-blue", "#4a86cf", "#1b4689")}
{svg_shapes.gradient("sas-gold", "#ffe08a", "#c08a25")}"""

LAUREL = "".join(
    f'<path d="{LEAF}" transform="rotate({side * turn}) translate(0 21) rotate({side * -62})"/>'
    for side in (-1, 1)
    for turn in range(14, 160, 24)
)

PIECES = f"""<g id="sas-s">
<circle cx="1.5" cy="4" r="28" fill="#000" fill-opacity="0.3"/>
<circle cy="1" r="28" fill="#5a0f0a"/>
<circle cy="-.5" r="26" fill="url(#sas-red)"/>
<path d="{SWORD}" fill="{IVORY}" stroke="#5a0f0a" stroke-width="3" stroke-linejoin="round" paint-order="stroke"/>
</g>
<g id="sas-o">
<path d="{HEATER}" transform="translate(1.5 5)" fill="#000" fill-opacity="0.3"/>
<path d="{HEATER}" fill="url(#sas-blue)" stroke="#0c2146" stroke-width="3.2" stroke-linejoin="round"/>
<path d="{HEATER}" transform="translate(0 -.4) scale(.83)" fill="none" stroke="{IVORY}" stroke-width="2.4"/>
<path d="M-13.5 5L0-9 13.5 5V12L0-2-13.5 12Z" fill="{IVORY}"/>
</g>
<g id="sas-c">
<path d="{CHIEF_HEATER}{CROWN}" transform="translate(1.5 5)" fill="#000" fill-opacity="0.3"/>
<g fill="url(#sas-gold)" stroke="#472c05" stroke-width="3" stroke-linejoin="round">
<path d="{CROWN}"/><path d="{CHIEF_HEATER}"/></g>
<path d="M-19.5-7H19.5V3C19.5 15 10.5 22.5 0 27.5C-10.5 22.5-19.5 15-19.5 3Z" fill="{BLUE}" stroke="#472c05"/>
<path d="{STAR}" transform="translate(0 7.5)" fill="#ffe59a"/>
</g>
<g id="sas-throne">
<circle r="37" fill="{INK}"/><circle r="35" fill="{IVORY}"/>
<path d="{HEATER}" transform="translate(0 -.5) scale(.86)" fill="url(#sas-gold)" stroke="{INK}" stroke-width="2.6"/>
<path d="{CROWN}" transform="translate(0 11) scale(.56)" fill="{INK}"/>
</g>
<g id="sas-laurel" fill="#4d7c33">{LAUREL}</g>"""

PIECE_NAMES = {".": "empty", "s": "sword", "o": "shield", "c": "the Chief"}

# --- the picture ---


def svg(state: Record, variant: Record) -> str:
    """Board, last ply, pieces, and below whose turn it is or who has won."""
    letters = notation.piece_letters(state)
    parts = [
        f"<defs>\n{GRADIENTS}\n{PIECES}\n</defs>",
        _tray(),
        _edge_letters(),
        _lines(),
        _ways_out(variant),
        *(_dot(dot, variant) for dot in range(rules.DOTS) if letters[dot] == "." or dot == rules.THRONE),
        _last_ply(state),
        svg_shapes.pieces("sas", _places(letters)),
        svg_shapes.plaques(
            PLAQUES, state, _winner(state, variant), [_seat(state, variant, letters, seat) for seat in range(2)]
        ),
    ]
    return svg_shapes.picture(WIDTH, HEIGHT, f"{TITLE}. {_status(state, variant)}", parts)


def hit_areas(state: Record, variant: Record) -> list[HitArea]:
    """The 81 dots."""
    return svg_shapes.place_areas("sas", _places(notation.piece_letters(state)))


def _places(letters: list[str]) -> list[Place]:
    """The dots, with the pieces on them: ``e5, the Chief``."""
    places = []
    for dot, (name, letter) in enumerate(zip(notation.DOT_NAMES, letters)):
        piece = "" if letter == "." else use(f"sas-{letter}", *_point(dot))
        places.append(Place(name, f"{name}, {PIECE_NAMES[letter]}", _point(dot), STEP, piece))
    return places


def _point(dot: int) -> tuple[int, int]:
    """The middle of a dot; rank 9 is on top."""
    return LEFT + dot % rules.SIDE * STEP, BOTTOM - dot // rules.SIDE * STEP


def _tray() -> str:
    """The wood with its grain, and the paper let into it."""
    x, y, size = LEFT - MARGIN, TOP - MARGIN, RIGHT - LEFT + 2 * MARGIN
    return (
        svg_shapes.table_top(WIDTH, HEIGHT, 12, WOOD_EDGE, WOOD, (GRAIN, WOOD_GRAIN))
        + box(x - 3, y - 3, size + 6, size + 6, 6, WOOD_EDGE)
        + box(x, y, size, size, 4, PAPER_RIM)
        + box(x + 3, y + 3, size - 6, size - 6, 2, PAPER)
    )


def _edge_letters() -> str:
    """Files below and above, ranks at the left and the right."""
    files = (
        (name, LEFT + file * STEP, down)
        for file, name in enumerate(notation.FILES)
        for down in (BOTTOM + MARGIN + 23, TOP - MARGIN - 14)
    )
    middle, down = (LEFT - MARGIN) / 2, LETTER_HEIGHT / 2
    ranks = (
        (str(rank + 1), across, BOTTOM - rank * STEP + down)
        for rank in range(rules.SIDE)
        for across in (middle, WIDTH - middle)
    )
    return text_paths((*files, *ranks), LETTER_HEIGHT, WOOD_LETTER)


def _lines() -> str:
    lines = "".join(f"M{LEFT} {TOP + k * STEP}H{RIGHT}M{LEFT + k * STEP} {TOP}V{BOTTOM}" for k in range(rules.SIDE))
    return f'<path d="{lines}" stroke="{INK}" stroke-width="2" shape-rendering="crispEdges"/>'


def _ways_out(variant: Record) -> str:
    """An arrowhead on the rim beside every dot on which the Chief escapes."""
    heads = "".join(_way_out(dot) for dot in range(rules.DOTS) if rules.ESCAPE_DOT[variant.escape, dot])
    style = f'fill="none" stroke="{BRONZE}" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"'
    return f"<g {style}>{heads}</g>"


def _way_out(dot: int) -> str:
    """An arrowhead that points outward, aslant in a corner."""
    x, y = _point(dot)
    across, down = (x == RIGHT) - (x == LEFT), (y == BOTTOM) - (y == TOP)
    turn = round(degrees(atan2(across, -down)))
    far = 44 if across and down else 33
    return f'<path d="M-5.5 2.5L0-3 5.5 2.5" transform="translate({x} {y}) rotate({turn}) translate(0 -{far})"/>'


def _dot(dot: int, variant: Record) -> str:
    """Red or blue where swords or shields start, circled beside the throne; gold where only the Chief may stop."""
    x, y = _point(dot)
    if dot == rules.THRONE:
        return use("sas-throne", x, y)
    if rules.CHIEF_ONLY[variant.escape, dot // rules.SIDE] >> dot % rules.SIDE & 1:
        return circle(x, y, 13, INK) + circle(x, y, 11, GOLD) + circle(x, y, 4, INK)
    if rules.SETUP_DOTS[dot] == ".":
        return circle(x, y, 7, INK)
    ring = circle(x, y, 17, INK) + circle(x, y, 15.4, "#fff") if rules.CIRCLED[dot] else ""
    return ring + circle(x, y, 11, INK) + circle(x, y, 9.2, RED if rules.SETUP_DOTS[dot] == "s" else BLUE)


def _last_ply(state: Record) -> str:
    """A ring where the latest piece stood, and a wedge that widens towards where it stands."""
    if state.last_action < 0:
        return ""
    source, target = (_point(dot) for dot in _last_dots(state))
    way = f'<path d="{svg_shapes.wedge(source, target, 21, 3, 11)}" fill="{GREEN}"/>'
    return f'<g fill-opacity="0.5">{way}{circle(*target, 35, GREEN)}</g>' + ring(*source, 21, GREEN, 3.5, "6.6 4.4")


def _last_dots(state: Record) -> tuple[int, int]:
    action = int(state.last_action)
    return action // rules.TARGETS, int(rules.target_of(action))


def _seat(state: Record, variant: Record, letters: list[str], seat: int) -> svg_shapes.SeatView:
    """A seat's emblem, in a laurel if it has won, its name and what it does; its pieces, the Chief first."""
    won, acts = _winner(state, variant) == seat, state.end == RUNNING and state.to_act == seat
    pips = []
    for kind in "s" if seat == rules.SWORDS else "co":
        began, left = rules.SETUP_DOTS.count(kind), letters.count(kind)
        pips += [PIP_COLOURS[kind]] * left + [""] * (began - left)
    emblem = (use("sas-laurel", 0, 0) if won else "") + use("sas-" + notation.SEATS[seat], 0, 0, 0.6)
    return svg_shapes.SeatView(emblem, SEAT_NAMES[seat].lower() + (" win" if won else " to act" if acts else ""), pips)


# --- text ---


def ansi(state: Record, variant: Record) -> str:
    """The board in letters, the ply played last in brackets, and a line on whose turn it is or how it has ended.

    ``s`` sword, ``o`` shield, ``c`` Chief, ``.`` empty, ``+`` the empty throne, ``*`` a corner to escape to; ``( )`` is
    where the latest piece stood, ``[ ]`` where it stands.
    """
    cells = [f" {_letter(letter, dot, variant)} " for dot, letter in enumerate(notation.piece_letters(state))]
    if state.last_action >= 0:
        source, target = _last_dots(state)
        cells[source] = f"({cells[source].strip()})"
        cells[target] = f"[{cells[target].strip()}]"
    rows = [
        f"{rank + 1} {''.join(cells[rank * rules.SIDE : (rank + 1) * rules.SIDE])} {rank + 1}"
        for rank in reversed(range(rules.SIDE))
    ]
    files = ("  " + "".join(f" {name} " for name in notation.FILES)).rstrip()
    return "\n".join((files, *rows, files, _status(state, variant)))


def _letter(letter: str, dot: int, variant: Record) -> str:
    """A dot's sign: its piece, or what is special about it."""
    if letter != ".":
        return letter
    if dot == rules.THRONE:
        return "+"
    return "*" if variant.escape == rules.CORNER and rules.ESCAPE_DOT[variant.escape, dot] else "."


# --- both ---


def _winner(state: Record, variant: Record) -> int | None:
    if state.end == rules.CAPTURE:
        return rules.SWORDS
    if state.end == rules.ESCAPED:
        return rules.SHIELDS
    repeated = repeat_winner(state, variant, int(state.to_act))
    return 1 - int(state.to_act) if state.end == rules.NO_MOVE else repeated


def _status(state: Record, variant: Record) -> str:
    """``Swords to act (player_0), ply 12``, or how the game has ended."""
    winner = _winner(state, variant)
    if winner is None or state.end == REPETITION:
        return common_status(state, SEAT_NAMES, winner)
    why = {
        rules.CAPTURE: "the Chief is captured",
        rules.ESCAPED: "the Chief has escaped",
        rules.NO_MOVE: f"the {SEAT_NAMES[state.to_act]} have no move",
    }
    return f"{SEAT_NAMES[winner]} win: {why[int(state.end)]}"
