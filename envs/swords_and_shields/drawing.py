"""The picture of a position: the board of 1970 in a walnut tray; and the same as text."""

from __future__ import annotations

from html import escape

from parlour.kernels.protocol import MAX_PLIES, REPETITION, RUNNING, Record
from parlour.lettering import text_path

from . import SEAT_NAMES, TITLE, notation, rules

__all__ = ["ansi", "svg"]

# --- measures, in pixels of the picture's own size ---

WIDTH, HEIGHT = 720, 780
STEP = 70  # from dot to dot
LEFT, TOP = 80, 80  # of the dot a9
RIGHT, BOTTOM = LEFT + (rules.SIDE - 1) * STEP, TOP + (rules.SIDE - 1) * STEP
MARGIN = 39  # of paper, round the outer dots
LETTER_HEIGHT = 13

PLAQUE_TOP, PLAQUE_WIDTH, PLAQUE_HEIGHT = 716, 296, 50
PLAQUE_MIDDLE = PLAQUE_TOP + PLAQUE_HEIGHT // 2
EMBLEM_INSET, TEXT_INSET, PIP_STEP = 32, 68, 12

# --- colours ---

WOOD, WOOD_EDGE, WOOD_LETTER = "#4b2e1c", "#24140b", "#e0bf90"
INK, PAPER, IVORY = "#2a1d14", "#f3e6c4", "#fdf6e3"
RED, BLUE, GOLD, BRONZE, GREEN = "#b3261e", "#1f4f94", "#e6b53f", "#9a6a1c", "#3f8f4f"

# --- shapes round the point (0, 0); their ids begin with "sas-", for pages with several pictures ---

HEATER = "M-22-24H22V-3C22 12 12 21 0 28C-12 21-22 12-22-3Z"
SWORD = "M0-22L3.6-15.5V6.5H11.5V10.5H2V16.4A3.2 3.2 0 1 1-2 16.4V10.5H-11.5V6.5H-3.6V-15.5Z"
CHIEF_HEATER = "M-25-12H25V3C25 19 13 28 0 34C-13 28-25 19-25 3Z"
CROWN = "M-19-12L-24-29-11.5-20 0-35 11.5-20 24-29 19-12Z"
STAR = "M0-11L2.9-4 10.5-3.4 4.7 1.5 6.5 8.9 0 4.9-6.5 8.9-4.7 1.5-10.5-3.4-2.9-4Z"
LEAF = "M0-4.4C3-1.6 3 1.6 0 4.4-3-1.6-3-1.6 0-4.4Z"

GRADIENTS = f"""<linearGradient id="sas-wood" x1="0" y1="0" x2="0.4" y2="1">
<stop offset="0" stop-color="#6e472c"/><stop offset="0.5" stop-color="{WOOD}"/><stop offset="1" stop-color="#3a2215"/>
</linearGradient>
<radialGradient id="sas-paper" cx="0.5" cy="0.46" r="0.75">
<stop offset="0" stop-color="#faf1d8"/><stop offset="0.6" stop-color="#f1e2bd"/><stop offset="1" stop-color="#dcc28d"/>
</radialGradient>
<radialGradient id="sas-red" cx="0.38" cy="0.3" r="0.8">
<stop offset="0" stop-color="#d24a3c"/><stop offset="1" stop-color="#84150f"/>
</radialGradient>
<linearGradient id="sas-blue" x1="0" y1="0" x2="0.7" y2="1">
<stop offset="0" stop-color="#4d89d2"/><stop offset="1" stop-color="#163c78"/>
</linearGradient>
<linearGradient id="sas-gold" x1="0" y1="0" x2="0.7" y2="1">
<stop offset="0" stop-color="#ffeaa6"/><stop offset="0.5" stop-color="{GOLD}"/><stop offset="1" stop-color="#b07c1e"/>
</linearGradient>"""

PIECES = f"""<g id="sas-s">
<circle cx="2" cy="4" r="27.5" fill="#000" fill-opacity="0.3"/>
<circle r="27" fill="url(#sas-red)" stroke="#520c08" stroke-width="2.5"/>
<circle r="23" fill="none" stroke="#f6b3a0" stroke-opacity="0.6" stroke-width="1.2"/>
<path d="{SWORD}" fill="{IVORY}" stroke="#520c08" stroke-width="3.6" stroke-linejoin="round" paint-order="stroke"/>
<path d="M0-22L3.6-15.5V6.5H0Z" fill="#cdbd9c"/>
</g>
<g id="sas-o">
<path d="{HEATER}" transform="translate(2 4.5)" fill="#000" fill-opacity="0.3"/>
<path d="{HEATER}" fill="url(#sas-blue)" stroke="#0c2146" stroke-width="3" stroke-linejoin="round"/>
<path d="{HEATER}" transform="translate(0 -.4) scale(.83)" fill="none" stroke="{IVORY}" stroke-width="2.4"/>
<path d="M-13.5 5L0-9 13.5 5V12L0-2-13.5 12Z" fill="{IVORY}"/>
</g>
<g id="sas-c">
<path d="{CHIEF_HEATER}{CROWN}" transform="translate(2 4.5)" fill="#000" fill-opacity="0.32"/>
<path d="{CROWN}" fill="url(#sas-gold)" stroke="#472c05" stroke-width="3" stroke-linejoin="round"/>
<path d="{CHIEF_HEATER}" fill="url(#sas-gold)" stroke="#472c05" stroke-width="3" stroke-linejoin="round"/>
<path d="M-19.5-7H19.5V3C19.5 15 10.5 22.5 0 27.5C-10.5 22.5-19.5 15-19.5 3Z" fill="{BLUE}" stroke="#472c05"/>
<path d="{STAR}" transform="translate(0 7.5)" fill="#ffe59a"/>
</g>"""

LAUREL = "".join(
    f'<path d="{LEAF}" transform="rotate({side * turn}) translate(0 25) rotate({side * -62})"/>'
    for side in (-1, 1)
    for turn in range(12, 160, 21)
)

# --- the picture ---


def svg(state: Record, variant: Record) -> str:
    """Board, last ply, pieces, and below whose turn it is or who has won."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">',
        f"<title>{escape(f'{TITLE}. {_status(state)}')}</title>",
        f"<defs>\n{GRADIENTS}\n{PIECES}\n</defs>",
        _tray(),
        _edge_letters(),
        _board(variant),
        _last_move(state),
        _pieces(state),
        *(_plaque(state, seat) for seat in (rules.SWORDS, rules.SHIELDS)),
        _medallion(state),
        "</svg>",
    ]
    return "\n".join(part for part in parts if part)


def _point(dot: int) -> tuple[int, int]:
    """The middle of a dot; rank 9 is on top."""
    return LEFT + dot % rules.SIDE * STEP, BOTTOM - dot // rules.SIDE * STEP


def _place(shape: str, x: float, y: float, scale: float = 1) -> str:
    """A shape of the definitions at (x, y)."""
    size = "" if scale == 1 else f" scale({scale})"
    return f'<use href="#sas-{shape}" transform="translate({x} {y}){size}"/>'


def _tray() -> str:
    """The wood with some grain, and the paper let into it."""
    size = RIGHT - LEFT + 2 * MARGIN
    x, y = LEFT - MARGIN, TOP - MARGIN
    grain = "".join(
        f"M0 {y}C200 {y + 14} 480 {y - 16} {WIDTH} {y + 6}" for y in (9, 22, 33, 690, 703, 711, 772)
    ) + "".join(f"M{x} 0C{x + 9} 240 {x - 8} 520 {x + 4} {HEIGHT}" for x in (8, 31, 690, 712))
    return (
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="12" fill="{WOOD_EDGE}"/>'
        f'<rect x="2" y="2" width="{WIDTH - 4}" height="{HEIGHT - 4}" rx="10.5" fill="url(#sas-wood)"/>'
        f'<path d="{grain}" fill="none" stroke="#1d0f07" stroke-opacity="0.22" stroke-width="1.5"/>'
        f'<rect x="{x - 3}" y="{y - 3}" width="{size + 6}" height="{size + 6}" rx="6" fill="{WOOD_EDGE}"/>'
        f'<rect x="{x}" y="{y}" width="{size}" height="{size}" rx="4" fill="url(#sas-paper)"/>'
    )


def _edge_letters() -> str:
    """Files below, ranks at the left."""
    down = LETTER_HEIGHT / 2
    files = (
        text_path(name, LEFT + file * STEP, BOTTOM + MARGIN + 23, LETTER_HEIGHT, WOOD_LETTER)
        for file, name in enumerate(notation.FILES)
    )
    ranks = (
        text_path(str(rank + 1), (LEFT - MARGIN) / 2, BOTTOM - rank * STEP + down, LETTER_HEIGHT, WOOD_LETTER)
        for rank in range(rules.SIDE)
    )
    return "".join((*files, *ranks))


def _board(variant: Record) -> str:
    """Lines, dots, throne, and the ways out."""
    lines = "".join(
        f"M{LEFT} {TOP + k * STEP}H{RIGHT}M{LEFT + k * STEP} {TOP}V{BOTTOM}" for k in range(rules.SIDE)
    )
    dots = "".join(_dot(dot) for dot in range(rules.DOTS) if dot != rules.THRONE)
    return (
        f'{_ways_out(variant)}<path d="{lines}" fill="none" stroke="{INK}" stroke-width="2.4" stroke-linecap="square"/>'
        f"{dots}{_throne()}"
    )


def _dot(dot: int) -> str:
    """Red or blue where swords or shields start; the circled ones in a white circle."""
    x, y = _point(dot)
    ring = ""
    if dot in rules.CIRCLED:
        ring = f'<circle cx="{x}" cy="{y}" r="17" fill="{INK}"/><circle cx="{x}" cy="{y}" r="15.4" fill="#fff"/>'
    letter = rules.SETUP_DOTS[dot]
    if letter == ".":
        return f'<circle cx="{x}" cy="{y}" r="7" fill="{INK}"/>'
    colour = RED if letter == "s" else BLUE
    return f'{ring}<circle cx="{x}" cy="{y}" r="10" fill="{colour}" stroke="{INK}" stroke-width="2"/>'


def _throne() -> str:
    """The Chief's own dot, shaped like a shield."""
    x, y = _point(rules.THRONE)
    return (
        f'<g transform="translate({x} {y})"><circle r="29" fill="{PAPER}" stroke="{INK}" stroke-width="2.4"/>'
        f'<path d="{HEATER}" transform="translate(0 .5) scale(.8)" fill="url(#sas-gold)" stroke="{INK}" '
        f'stroke-width="2.6" stroke-linejoin="round"/>'
        f'<path d="{CROWN}" transform="translate(0 11) scale(.52)" fill="{INK}"/></g>'
    )


def _ways_out(variant: Record) -> str:
    """An arrowhead on the rim beside every dot on which the Chief escapes."""
    heads = []
    for dot in range(rules.DOTS):
        if not rules.ESCAPE_DOT[variant.escape, dot]:
            continue
        x, y = _point(dot)
        across = (x == RIGHT) - (x == LEFT)
        down = (y == BOTTOM) - (y == TOP)
        turn = {(0, -1): 0, (1, -1): 45, (1, 0): 90, (1, 1): 135, (0, 1): 180, (-1, 1): 225, (-1, 0): 270, (-1, -1): 315}
        out = 44 if across and down else 33
        heads.append(f'<path d="M-5.5 2.5L0-3 5.5 2.5" transform="translate({x} {y}) rotate({turn[across, down]}) translate(0 -{out})"/>')
    return (
        f'<g fill="none" stroke="{BRONZE}" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round">'
        f"{''.join(heads)}</g>"
    )


def _last_move(state: Record) -> str:
    """A ring where the latest piece stood, and a wedge that widens towards the ring round where it stands now."""
    if state.last_action < 0:
        return ""
    source, target = _last_dots(state)
    (x0, y0), (x1, y1) = _point(source), _point(target)
    dx, dy = (x1 > x0) - (x1 < x0), (y1 > y0) - (y1 < y0)
    wedge = (
        f"M{x0 - 3 * dy + 20 * dx} {y0 + 3 * dx + 20 * dy}L{x1 - 11 * dy} {y1 + 11 * dx}"
        f"L{x1 + 11 * dy} {y1 - 11 * dx}L{x0 + 3 * dy + 20 * dx} {y0 - 3 * dx + 20 * dy}Z"
    )
    return (
        f'<g fill="{GREEN}" fill-opacity="0.5"><path d="{wedge}"/><circle cx="{x1}" cy="{y1}" r="34"/></g>'
        f'<circle cx="{x0}" cy="{y0}" r="20" fill="none" stroke="{GREEN}" stroke-width="3.5" stroke-dasharray="6.5 4"/>'
    )


def _last_dots(state: Record) -> tuple[int, int]:
    """From where to where the latest ply led."""
    action = int(state.last_action)
    return action // rules.TARGETS, int(rules.target_of(action))


def _pieces(state: Record) -> str:
    """All of them, each over its dot."""
    letters = notation.piece_letters(state)
    return "\n".join(_place(letter, *_point(dot)) for dot, letter in enumerate(letters) if letter != ".")


def _plaque(state: Record, seat: int) -> str:
    """A seat's emblem, name and pieces (hollow when captured); light when it is to act or has won."""
    won = _winner(state) == seat
    lit = won or (state.end == RUNNING and state.to_act == seat)
    left = LEFT - MARGIN if seat == rules.SWORDS else RIGHT + MARGIN - PLAQUE_WIDTH
    sign, origin = (1, left) if seat == rules.SWORDS else (-1, left + PLAQUE_WIDTH)
    x = origin + sign * EMBLEM_INSET
    words = SEAT_NAMES[seat].lower() + (" win" if won else " to act" if lit else "")
    anchor = "start" if seat == rules.SWORDS else "end"
    colour = INK if lit else WOOD_LETTER
    fill, stroke = ("url(#sas-paper)", GOLD) if lit else ("#2b190f", "#1d0f07")
    emblem = _place("so"[seat], x, PLAQUE_MIDDLE, 0.62)
    laurel = f'<g transform="translate({x} {PLAQUE_MIDDLE}) scale(.86)" fill="#4d7c33">{LAUREL}</g>' if won else ""
    name = text_path(words, origin + sign * TEXT_INSET, PLAQUE_TOP + 23, LETTER_HEIGHT, colour, anchor)
    return (
        f'<rect x="{left}" y="{PLAQUE_TOP}" width="{PLAQUE_WIDTH}" height="{PLAQUE_HEIGHT}" rx="9" fill="{fill}" '
        f'stroke="{stroke}" stroke-width="{3 if lit else 1.5}"/>'
        f'<g opacity="{1 if lit else 0.55}">{laurel}{emblem}{name}{_pips(state, seat, origin, sign, lit)}</g>'
    )


def _pips(state: Record, seat: int, origin: int, sign: int, lit: bool) -> str:
    """One for each piece that the seat began with, filled for those still on the board, the Chief's larger."""
    letters = notation.piece_letters(state)
    colour = RED if seat == rules.SWORDS else BLUE
    kinds = "s" * len(rules.SETUP_SWORDS) if seat == rules.SWORDS else "c" + "o" * len(rules.SETUP_SHIELDS)
    pips = []
    for k, kind in enumerate(kinds):
        x = origin + sign * (TEXT_INSET + 3 + k * PIP_STEP)
        there = letters.count(kind) > (k if seat == rules.SWORDS else max(k - 1, 0))
        shade = GOLD if kind == "c" else colour
        pips.append(
            f'<circle cx="{x}" cy="{PLAQUE_TOP + 37}" r="3.8" fill="{shade if there else "none"}" '
            f'stroke="{INK if lit else WOOD_LETTER}" stroke-width="1.2"/>'
        )
    return "".join(pips)


def _medallion(state: Record) -> str:
    """Between the plaques: a pointer to the seat to act, a star after a win, a sign of equality or of rest without one."""
    if state.end == RUNNING:
        shape = "M7-8L-8 0 7 8Z" if state.to_act == rules.SWORDS else "M-7-8L8 0-7 8Z"
    elif _winner(state) is not None:
        shape = STAR
    elif state.end == REPETITION:
        shape = "M-9-6H9V-2H-9ZM-9 2H9V6H-9Z"
    else:
        shape = "M-7-8H-2V8H-7ZM2-8H7V8H2Z"
    return (
        f'<g transform="translate({WIDTH // 2} {PLAQUE_MIDDLE})">'
        f'<circle r="16" fill="{WOOD_EDGE}" stroke="{GOLD}" stroke-width="1.5"/><path d="{shape}" fill="{GOLD}"/></g>'
    )


# --- text ---


def ansi(state: Record, variant: Record) -> str:
    """The board in letters, the ply played last in brackets, and a line on whose turn it is or how it has ended.

    ``s`` sword, ``o`` shield, ``c`` Chief, ``.`` empty, ``+`` the empty throne, ``*`` a corner to escape to; ``( )`` where
    the latest piece stood, ``[ ]`` where it stands.
    """
    cells = [f" {_letter(letter, dot, variant)} " for dot, letter in enumerate(notation.piece_letters(state))]
    if state.last_action >= 0:
        source, target = _last_dots(state)
        cells[source] = f"({cells[source].strip()})"
        cells[target] = f"[{cells[target].strip()}]"
    rows = [
        f"{rank + 1} {''.join(cells[rank * rules.SIDE : (rank + 1) * rules.SIDE])}".rstrip()
        for rank in reversed(range(rules.SIDE))
    ]
    files = "  " + "".join(f" {name} " for name in notation.FILES)
    return "\n".join((*rows, files.rstrip(), _status(state)))


def _letter(letter: str, dot: int, variant: Record) -> str:
    """A dot's sign: its piece, or what is special about it."""
    if letter != ".":
        return letter
    if dot == rules.THRONE:
        return "+"
    return "*" if variant.escape == rules.CORNER and rules.ESCAPE_DOT[variant.escape, dot] else "."


# --- both ---


def _winner(state: Record) -> int | None:
    """The seat that has won."""
    if state.end == rules.CAPTURE:
        return rules.SWORDS
    if state.end == rules.ESCAPED:
        return rules.SHIELDS
    return 1 - int(state.to_act) if state.end == rules.NO_MOVE else None


def _status(state: Record) -> str:
    """``Swords to act (player_0), ply 12``, or how the game has ended."""
    if state.end == RUNNING:
        return f"{SEAT_NAMES[state.to_act]} to act (player_{state.to_act}), ply {state.plies + 1}"
    if state.end == MAX_PLIES:
        return f"Nobody wins: the limit of {state.plies} plies is reached"
    if state.end == REPETITION:
        return "Nobody wins: the position has been repeated"
    why = {
        rules.CAPTURE: "the Chief is captured",
        rules.ESCAPED: "the Chief has escaped",
        rules.NO_MOVE: f"{SEAT_NAMES[state.to_act]} have no move",
    }
    return f"{SEAT_NAMES[_winner(state) or 0]} win: {why[int(state.end)]}"
