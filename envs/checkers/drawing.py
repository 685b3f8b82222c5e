"""The picture of a position: turned discs on a green and buff board in a walnut frame; and the same as text."""

from __future__ import annotations

from parlour.rulebook.protocol import MAX_PLIES, REPETITION, RUNNING, HitArea, Record
from parlour.rulebook.svg_shapes import STAR, box, circle, labelled, medallion, picture, plate, use
from parlour.rulebook.svg_text import text_path

from . import SEAT_NAMES, TITLE, notation, rules
from .board import COLUMN_OF, NO_SQUARE, ROW_OF, SIDE, SQUARES

__all__ = ["ansi", "hit_areas", "svg"]

# --- measures, in pixels of the picture's own size ---

WIDTH, HEIGHT = 720, 780
FIELD = 78
LEFT, TOP = 48, 42
BOARD_SIZE = SIDE * FIELD
NUMBER_HEIGHT, LETTER_HEIGHT = 11, 13

PLAQUE_TOP, PLAQUE_WIDTH, PLAQUE_HEIGHT = 709, 290, 54
PLAQUE_MIDDLE = PLAQUE_TOP + PLAQUE_HEIGHT // 2
DISC_INSET, WORDS_INSET, PIP_STEP = 34, 70, 16

GRAIN = (9, 16, 29, 34, 61, 84, 133, 141, 207, 262, 268, 331, 390, 397, 455, 512, 519, 580, 634, 678, 690, 699, 771)

# --- colours ---

WOOD, WOOD_DARK, WOOD_EDGE, WOOD_GRAIN, WOOD_LETTER = "#5a3822", "#38210f", "#241408", "#4e2f1b", "#e8cda3"
GREEN, GREEN_EDGE, GREEN_NUMBER, BUFF = "#3d7355", "#2f5c43", "#b6d6c1", "#f0e2bf"
INLAY, GOLD, AMBER = "#d8b26a", "#e8b93f", "#ffd24a"
EBONY, IVORY, INK = "#2a2829", "#f8efdb", "#2a1d14"
RIM = "#f1e7d2"  # of every disc, so that the black ones stand out from the green

# --- shapes round the point (0, 0); their ids begin with "chk-", for pages with several pictures ---

GRADIENTS = """<radialGradient id="chk-ebony-top" cx=".36" cy=".3" r=".85">
<stop stop-color="#6d6867"/><stop offset=".55" stop-color="#353233"/>
<stop offset="1" stop-color="#191718"/></radialGradient>
<radialGradient id="chk-ivory-top" cx=".36" cy=".3" r=".85">
<stop stop-color="#fffdf6"/><stop offset=".6" stop-color="#f4e7cb"/>
<stop offset="1" stop-color="#cfb78a"/></radialGradient>
<linearGradient id="chk-gold" x2="0" y2="1">
<stop stop-color="#ffe48d"/><stop offset="1" stop-color="#c98f1e"/></linearGradient>"""

MILLING = "".join(f'<path d="M0-29.6V-25.8" transform="rotate({turn})"/>' for turn in range(0, 360, 12))
CROSS = "M-7 0H7M0-7V7"  # in the middle of White's discs, so that colour alone doesn't tell the seats apart
CROWN = "M-14 10L-17.5-8.5-8.2-1.2 0-14 8.2-1.2 17.5-8.5 14 10Z"


def _disc(name: str, side: str, rim: str, groove: str, shine: str, mark: str) -> str:
    """A turned disc seen a little from the front: its side, its milled rim, two grooves and the mark of its seat."""
    return f"""<g id="chk-{name}">
<path d="M-30-1V4A30 30 0 0 0 30 4V-1Z" fill="{side}"/>
<circle cy="-1" r="30" fill="{side}"/><circle cy="-1.5" r="29.2" fill="url(#chk-{name}-top)"/>
<g transform="translate(0 -1.5)" fill="none" stroke="{groove}">
<g stroke-width="1.5" stroke-opacity=".8">{MILLING}</g>
<circle r="24" stroke-width="2"/><circle r="15.5" stroke-width="1.8"/><path d="{mark}" stroke-width="2.6"/>
<circle r="29.2" stroke="{rim}" stroke-width="1.8"/>
<g stroke="{shine}" stroke-opacity=".55" stroke-width="1.1">
<path d="M-15.6 15.6A22 22 0 0 1 15.6-15.6"/><path d="M-9.6 9.6A13.6 13.6 0 0 1 9.6-9.6"/></g></g>
</g>"""


PIECES = f"""<ellipse id="chk-shadow" cx="3" cy="7" rx="31" ry="29.5" fill="#000" fill-opacity=".32"/>
{_disc("ebony", "#0d0c0c", RIM, "#100e0f", "#a09a98", "")}
{_disc("ivory", "#a98f60", RIM, "#a58a58", "#fff", CROSS)}
<path id="chk-crown" d="{CROWN}" fill="url(#chk-gold)" stroke="#5c3d06" stroke-width="2" stroke-linejoin="round"/>"""

DISCS = ("chk-ebony", "chk-ivory")  # of a seat

# --- the picture ---


def svg(state: Record, variant: Record) -> str:
    """Board with PDN's numbers, last ply, pieces, and below whose turn it is or who has won."""
    letters = notation.piece_letters(state)
    parts = [
        f"<defs>\n{GRADIENTS}\n{PIECES}\n</defs>",
        _frame(),
        _fields(),
        _last_ply(state),
        _numbers(),
        _halo(state),
        *(_piece(square, letter) for square, letter in enumerate(letters) if letter != "."),
        *(_plaque(state, letters, seat) for seat in (rules.BLACK, rules.WHITE)),
        medallion(state, _winner(state) is not None, WIDTH // 2, PLAQUE_MIDDLE, 17, GOLD, WOOD_EDGE),
    ]
    return picture(WIDTH, HEIGHT, f"{TITLE}. {_status(state)}", parts)


def hit_areas(state: Record, variant: Record) -> list[HitArea]:
    """The 32 squares that are played on."""
    return [
        HitArea(
            str(square + 1),
            _label(square, letter),
            _corner(square)[0] + FIELD / 2,
            _corner(square)[1] + FIELD / 2,
            FIELD,
            FIELD,
            piece="" if letter == "." else f"chk-at-{square + 1}",
        )
        for square, letter in enumerate(notation.piece_letters(state))
    ]


def _label(square: int, letter: str) -> str:
    """``square 11, white king``"""
    if letter == ".":
        return f"square {square + 1}, empty"
    seat = SEAT_NAMES[notation.SEATS.index(letter.upper())].lower()
    return f"square {square + 1}, {seat} {'man' if letter.islower() else 'king'}"


def _corner(square: int) -> tuple[int, int]:
    """The upper left corner of a square; Black's men begin on top."""
    return LEFT + int(COLUMN_OF[square]) * FIELD, TOP + int(ROW_OF[square]) * FIELD


def _middle(square: int) -> tuple[int, int]:
    """Where pieces stand, a little off the middle to leave the number free."""
    x, y = _corner(square)
    return x + FIELD // 2 + 2, y + FIELD // 2 + 2


def _frame() -> str:
    """The wood with its grain, and a line of inlay round the board."""
    grain = "".join(f"M3 {down}H{WIDTH - 3}" for down in GRAIN)
    rims = ((13, 5, WOOD_EDGE), (11, 4, INLAY), (8, 3, WOOD_EDGE), (2, 0, GREEN_EDGE))
    return "".join(
        (
            box(0, 0, WIDTH, HEIGHT, 12, WOOD_EDGE),
            box(2, 2, WIDTH - 4, HEIGHT - 4, 10.5, WOOD),
            f'<path d="{grain}" stroke="{WOOD_GRAIN}" stroke-width="2" shape-rendering="crispEdges"/>',
            *(
                box(LEFT - by, TOP - by, BOARD_SIZE + 2 * by, BOARD_SIZE + 2 * by, corner, colour)
                for by, corner, colour in rims
            ),
        )
    )


def _fields() -> str:
    """Buff and green fields, each with a darker edge to the right and below."""
    dark = "".join("M{} {}h{s}v{s}h-{s}z".format(*_corner(square), s=FIELD) for square in range(SQUARES))
    edges = "".join(f"M{LEFT} {TOP + k * FIELD - 1}h{BOARD_SIZE}" for k in range(1, SIDE + 1))
    edges += "".join(f"M{LEFT + k * FIELD - 1} {TOP}v{BOARD_SIZE}" for k in range(1, SIDE + 1))
    return (
        f"{box(LEFT, TOP, BOARD_SIZE, BOARD_SIZE, 0, BUFF)}"
        f'<path d="{dark}" fill="{GREEN}" shape-rendering="crispEdges"/>'
        f'<path d="{edges}" stroke="#000" stroke-opacity=".13" stroke-width="2" shape-rendering="crispEdges"/>'
    )


def _numbers() -> str:
    """The number of each square, in its corner."""
    return "".join(
        text_path(
            str(square + 1), _corner(square)[0] + 4, _corner(square)[1] + 15, NUMBER_HEIGHT, GREEN_NUMBER, "start"
        )
        for square in range(SQUARES)
    )


def _piece(square: int, letter: str) -> str:
    """A man is one disc, a king two with a crown."""
    x, y = _middle(square)
    disc, shape = DISCS[notation.SEATS.index(letter.upper())], use("chk-shadow", x, y)
    if letter.islower():
        shape += use(disc, x, y)
    else:
        shape += use(disc, x, y + 3) + use(disc, x, y - 5) + use("chk-crown", x, y - 6)
    return labelled(f"chk-at-{square + 1}", _label(square, letter), shape)


def _last_ply(state: Record) -> str:
    """Where the latest piece stood and stands are lit, an arrow between them; a cross where it jumped over a piece."""
    if state.last_action < 0:
        return ""
    source, target, jumped = notation.last_squares(state)
    lit = "".join(
        f'<rect x="{x}" y="{y}" width="{FIELD - 2}" height="{FIELD - 2}" fill="{AMBER}" fill-opacity="{light}"/>'
        for (x, y), light in ((_corner(source), 0.22), (_corner(target), 0.4))
    )
    (x0, y0), (x1, y1) = _middle(source), _middle(target)
    right, down = (1 if x1 > x0 else -1), (1 if y1 > y0 else -1)
    wedge = ((x0 + 6 * right, y0 + 6 * down, 2), (x1, y1, 9), (x1, y1, -9), (x0 + 6 * right, y0 + 6 * down, -2))
    way = "L".join(f"{x - aside * down} {y + aside * right}" for x, y, aside in wedge)
    ring = f'<circle cx="{x0}" cy="{y0}" r="9" fill="none" stroke="{AMBER}" stroke-opacity=".75" stroke-width="3"/>'
    return f'{lit}<path d="M{way}Z" fill="{AMBER}" fill-opacity=".5"/>{ring}{_taken(jumped)}'


def _taken(square: int) -> str:
    """A cross on a square whose piece has just been jumped."""
    if square == NO_SQUARE:
        return ""
    x, y = _middle(square)
    cross = f'd="M{x - 12} {y - 12}l24 24m0-24l-24 24" stroke-linecap="round" fill="none"'
    return f'<path {cross} stroke="{INK}" stroke-width="9"/><path {cross} stroke="#f26d5b" stroke-width="5"/>'


def _halo(state: Record) -> str:
    """Round the piece in the middle of a multi-jump, which must go on."""
    if state.jumper == NO_SQUARE:
        return ""
    x, y = _middle(int(state.jumper))
    return f'<circle cx="{x}" cy="{y}" r="35" fill="none" stroke="{AMBER}" stroke-width="4" stroke-dasharray="7 4"/>'


def _plaque(state: Record, letters: list[str], seat: int) -> str:
    """A seat's disc, name and pieces; bright when it is to act or has won. White's is the mirror image."""
    won = _winner(state) == seat
    lit = won or (state.end == RUNNING and state.to_act == seat)
    left = LEFT - 13 if seat == rules.BLACK else LEFT + BOARD_SIZE + 13 - PLAQUE_WIDTH
    start, inward = (left, 1) if seat == rules.BLACK else (left + PLAQUE_WIDTH, -1)
    words = start + inward * WORDS_INSET
    doing = " wins" if won else " jumps on" if lit and state.jumper != NO_SQUARE else " to act" if lit else ""
    anchor = "start" if seat == rules.BLACK else "end"
    edge, fill, ink = (GOLD, BUFF, INK) if lit else (WOOD_EDGE, WOOD_DARK, WOOD_LETTER)
    frame = plate(left, PLAQUE_TOP, PLAQUE_WIDTH, PLAQUE_HEIGHT, 9, edge, fill)
    star = f'<path d="{STAR}" transform="translate({start + inward * DISC_INSET} {PLAQUE_MIDDLE - 2})" fill="{GOLD}"/>'
    return (
        f'{frame}<g opacity="{1 if lit else 0.75}">'
        f"{use(DISCS[seat], start + inward * DISC_INSET, PLAQUE_MIDDLE - 1, 0.62)}{star if won else ''}"
        f"{text_path(SEAT_NAMES[seat].lower() + doing, words, PLAQUE_TOP + 24, LETTER_HEIGHT, ink, anchor)}"
        f"{_pips(letters, seat, words + 5 * inward, PIP_STEP * inward, ink)}</g>"
    )


def _pips(letters: list[str], seat: int, x: int, step: int, ink: str) -> str:
    """One for each piece that a seat begins with: gold for a king, the seat's colour for a man, then specks."""
    letter = notation.SEATS[seat]
    kings, men = letters.count(letter), letters.count(letter.lower())
    colours = [GOLD] * kings + [(EBONY, IVORY)[seat]] * men
    pips = ""
    for k in range(notation.MAX_PIECES):
        here = x + k * step
        if k >= len(colours):
            pips += circle(here, PLAQUE_TOP + 39, 1.8, ink)
        else:
            pips += circle(here, PLAQUE_TOP + 39, 5.8, ink) + circle(here, PLAQUE_TOP + 39, 4.6, colours[k])
    return pips


# --- text ---


def ansi(state: Record, variant: Record) -> str:
    """The board in letters with the numbers of its empty squares, the latest ply in brackets, and a line on whose turn
    it is or how it has ended. Beside each row are the numbers of its first and its last square.

    ``b`` and ``w`` men, ``B`` and ``W`` kings; ``( )`` is where the latest piece stood, ``[ ]`` where it stands.
    """
    numbered = enumerate(notation.piece_letters(state), 1)
    cells = [f" {number:2} " if letter == "." else f"  {letter} " for number, letter in numbered]
    if state.last_action >= 0:
        source, target, _ = notation.last_squares(state)
        cells[source] = f"({cells[source][1:3]})"
        cells[target] = f"[{cells[target][1:3]}]"
    rows = []
    for row in range(SIDE):
        fields = ["  . "] * SIDE
        first, last = 4 * row + 1, 4 * row + 4
        for square in range(first - 1, last):
            fields[int(COLUMN_OF[square])] = cells[square]
        rows.append(f"{first:2} |{''.join(fields)}| {last:2}")
    return "\n".join((*rows, _status(state)))


# --- both ---


def _winner(state: Record) -> int | None:
    """The seat that has won."""
    return 1 - int(state.to_act) if state.end == rules.NO_MOVE else None


def _status(state: Record) -> str:
    """``Black to act (player_0), ply 12``, or how the game has ended."""
    mover = SEAT_NAMES[state.to_act]
    if state.end == RUNNING:
        on = "" if state.jumper == NO_SQUARE else f", and must jump on from {state.jumper + 1}"
        return f"{mover} to act (player_{state.to_act}), ply {state.plies + 1}{on}"
    if state.end == MAX_PLIES:
        return f"Nobody wins: the limit of {state.plies} plies is reached"
    if state.end == REPETITION:
        return "Nobody wins: the position has been repeated"
    if state.end == rules.NO_PROGRESS:
        return "Nobody wins: too long without progress"
    why = "no move" if state.pieces[state.to_act] else "no pieces"
    return f"{SEAT_NAMES[1 - state.to_act]} wins: {mover} has {why}"
