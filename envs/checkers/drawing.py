"""The picture of a position: turned discs on a green and buff board in a walnut frame; and the same as text."""

from __future__ import annotations

from parlour.rulebook import svg_shapes
from parlour.rulebook.protocol import RUNNING, HitArea, Record
from parlour.rulebook.status import common_status, repeat_winner
from parlour.rulebook.svg_shapes import STAR, Place, box, ring, sign, use
from parlour.rulebook.svg_text import text_paths

from . import SEAT_NAMES, TITLE, notation, rules
from .board import COLUMN_OF, NO_SQUARE, ROW_OF, SIDE, SQUARES

# --- measures, in pixels of the picture's own size ---

WIDTH, HEIGHT = 720, 780
FIELD = 78
LEFT, TOP = 48, 42
BOARD_SIZE = SIDE * FIELD
NUMBER_HEIGHT, LETTER_HEIGHT = 11, 13

PLAQUE_WIDTH = 290

GRAIN = (9, 16, 29, 34, 61, 84, 133, 141, 207, 262, 268, 331, 390, 397, 455, 512, 519, 580, 634, 678, 690, 699, 771)

# --- colours ---

WOOD, WOOD_DARK, WOOD_EDGE, WOOD_GRAIN, WOOD_LETTER = "#5a3822", "#38210f", "#241408", "#4e2f1b", "#e8cda3"
GREEN, GREEN_EDGE, GREEN_NUMBER, BUFF = "#3d7355", "#2f5c43", "#b6d6c1", "#f0e2bf"
INLAY, GOLD, AMBER = "#d8b26a", "#e8b93f", "#ffd24a"
EBONY, IVORY, INK = "#2a2829", "#f8efdb", "#2a1d14"
RIM = "#f1e7d2"  # of every disc, so that the black ones stand out from the green
PLAQUES = svg_shapes.Plaques(
    lefts=(LEFT - 13, LEFT + BOARD_SIZE + 13 - PLAQUE_WIDTH), top=709, width=PLAQUE_WIDTH, height=54,
    corner=9, emblem=(34, -1), words=(70, 24, LETTER_HEIGHT), pips=(16, 5.8), lit=(GOLD, BUFF, INK),
    unlit=(WOOD_EDGE, WOOD_DARK, WOOD_LETTER), opacity=0.75,
)  # fmt: skip

# --- shapes round the point (0, 0); their ids begin with "chk-", for pages with several pictures ---

GRADIENTS = """<radialGradient id="chk-ebony-top" cx=".36" cy=".3" r=".85">
<stop stop-color="#6d6867"/><stop offset=".55" stop-color="#353233"/>
<stop offset="1" stop-color="#191718"/></radialGradient>
<radialGradient id="chk-ivory-top" cx=".36" cy=".3" r=".85">
<stop stop-color="#fffdf6"/><stop offset=".6" stop-color="#f4e7cb"/>
<stop offset="1" stop-color="#cfb78a"/></radialGradient>
"""

MILLING = "".join(f'<path d="M0-29.6V-25.8" transform="rotate({turn})"/>' for turn in range(0, 360, 12))
CROSS = "M-7 0H7M0-7V7"  # in the middle of White's discs, so that colour alone doesn't tell the seats apart
CROWN = "M-14 10L-17.5-8.5-8.2-1.2 0-14 8.2-1.2 17.5-8.5 14 10Z"

BOTTOM_SEAT = 1  # White sits below, as in books


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


PIECES = f"""{svg_shapes.gradient("chk-gold", "#ffe48d", "#c98f1e")}
<ellipse id="chk-shadow" cx="3" cy="7" rx="31" ry="29.5" fill="#000" fill-opacity=".32"/>
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
        "" if state.jumper == NO_SQUARE else ring(*_middle(int(state.jumper)), 35, AMBER, 4, "7 4"),  # it must go on
        svg_shapes.pieces("chk", _places(letters)),
        svg_shapes.plaques(
            PLAQUES, state, _winner(state, variant), [_seat(state, variant, letters, seat) for seat in range(2)]
        ),
    ]
    return svg_shapes.picture(WIDTH, HEIGHT, f"{TITLE}. {_status(state, variant)}", parts)


def hit_areas(state: Record, variant: Record) -> list[HitArea]:
    """The 32 squares that are played on."""
    return svg_shapes.place_areas("chk", _places(notation.piece_letters(state)))


def _places(letters: list[str]) -> list[Place]:
    """The squares, with the pieces on them: ``square 11, white king``. A man is one disc, a king two with a crown."""
    places = []
    for square, letter in enumerate(letters):
        (left, top), (x, y), what, piece = _corner(square), _middle(square), "empty", ""
        if letter != ".":
            seat, king = notation.SEATS.index(letter.upper()), letter.isupper()
            what = f"{SEAT_NAMES[seat].lower()} {'king' if king else 'man'}"
            discs = (y + 3, y - 5) if king else (y,)
            piece = use("chk-shadow", x, y) + "".join(use(DISCS[seat], x, height) for height in discs)
            piece += use("chk-crown", x, y - 6) if king else ""
        label = f"square {square + 1}, {what}"
        places.append(Place(str(square + 1), label, (left + FIELD / 2, top + FIELD / 2), FIELD, piece))
    return places


def _corner(square: int) -> tuple[int, int]:
    """The upper left corner of a square; Black's men begin on top."""
    return LEFT + int(COLUMN_OF[square]) * FIELD, TOP + int(ROW_OF[square]) * FIELD


def _middle(square: int) -> tuple[int, int]:
    """Where pieces stand, a little off the middle to leave the number free."""
    x, y = _corner(square)
    return x + FIELD // 2 + 2, y + FIELD // 2 + 2


def _frame() -> str:
    """The wood with its grain, and a line of inlay round the board."""
    rims = ((13, 5, WOOD_EDGE), (11, 4, INLAY), (8, 3, WOOD_EDGE), (2, 0, GREEN_EDGE))
    return svg_shapes.table_top(WIDTH, HEIGHT, 12, WOOD_EDGE, WOOD, (GRAIN, WOOD_GRAIN)) + "".join(
        box(LEFT - by, TOP - by, BOARD_SIZE + 2 * by, BOARD_SIZE + 2 * by, corner, colour)
        for by, corner, colour in rims
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
    corners = (_corner(square) for square in range(SQUARES))
    labels = [(str(number), x + 4, y + 15) for number, (x, y) in enumerate(corners, start=1)]
    return text_paths(labels, NUMBER_HEIGHT, GREEN_NUMBER, "start")


def _last_ply(state: Record) -> str:
    """Where the latest piece stood and stands are lit, an arrow between them; a cross where it jumped over a piece."""
    if state.last_action < 0:
        return ""
    source, target, jumped = notation.last_squares(state)
    lit = "".join(
        f'<rect x="{x}" y="{y}" width="{FIELD - 2}" height="{FIELD - 2}" fill="{AMBER}" fill-opacity="{light}"/>'
        for (x, y), light in ((_corner(source), 0.22), (_corner(target), 0.4))
    )
    way = svg_shapes.wedge(_middle(source), _middle(target), 6, 2, 9)
    left = f'<g opacity=".75">{ring(*_middle(source), 9, AMBER, 3)}</g>'
    return f'{lit}<path d="{way}" fill="{AMBER}" fill-opacity=".5"/>{left}{_taken(jumped)}'


def _taken(square: int) -> str:
    """A cross on a square whose piece has just been jumped."""
    if square == NO_SQUARE:
        return ""
    x, y = _middle(square)
    cross = f'd="M{x - 12} {y - 12}l24 24m0-24l-24 24" stroke-linecap="round" fill="none"'
    return f'<path {cross} stroke="{INK}" stroke-width="9"/><path {cross} stroke="#f26d5b" stroke-width="5"/>'


def _seat(state: Record, variant: Record, letters: list[str], seat: int) -> svg_shapes.SeatView:
    """A seat's disc, with a star if it has won, its name and what it does; a gold pip for a king."""
    won, acts = _winner(state, variant) == seat, state.end == RUNNING and state.to_act == seat
    doing = " wins" if won else " jumps on" if acts and state.jumper != NO_SQUARE else " to act" if acts else ""
    star = sign(STAR, 0, -1, GOLD) if won else ""
    kings, men = letters.count(notation.SEATS[seat]), letters.count(notation.SEATS[seat].lower())
    pips = [GOLD] * kings + [(EBONY, IVORY)[seat]] * men
    pips += [""] * (notation.MAX_PIECES - len(pips))
    return svg_shapes.SeatView(use(DISCS[seat], 0, 0, 0.62) + star, SEAT_NAMES[seat].lower() + doing, pips)


# --- text ---

EMPTY = [f" {number:2} " for number in range(1, SQUARES + 1)]
LETTERS = {letter: f"  {letter} " for letter in "bwBW"}


def _board_text() -> str:
    """The board with a place for the cell of each square, 1 first."""
    rows = []
    for first in range(0, SQUARES, SIDE // 2):
        fields = ["  . "] * SIDE
        for square in range(first, first + SIDE // 2):
            fields[int(COLUMN_OF[square])] = "{}"
        rows.append(f"{first + 1:2} |{''.join(fields)}| {first + SIDE // 2:2}\n")
    return "".join(rows)


BOARD_TEXT = _board_text()


def ansi(state: Record, variant: Record) -> str:
    """The board in letters with the numbers of its empty squares, the latest ply in brackets, and a line on whose turn
    it is or how it has ended. Beside each row are the numbers of its first and its last square.

    ``b`` and ``w`` men, ``B`` and ``W`` kings; ``( )`` is where the latest piece stood, ``[ ]`` where it stands.
    """
    cells = [
        EMPTY[square] if letter == "." else LETTERS[letter]
        for square, letter in enumerate(notation.piece_letters(state))
    ]
    if state.last_action >= 0:
        source, target, _ = notation.last_squares(state)
        cells[source] = f"({cells[source][1:3]})"
        cells[target] = f"[{cells[target][1:3]}]"
    return BOARD_TEXT.format(*cells) + _status(state, variant)


# --- both ---


def _winner(state: Record, variant: Record) -> int | None:
    repeated = repeat_winner(state, variant, int(state.to_act))
    return 1 - int(state.to_act) if state.end == rules.NO_MOVE else repeated


def _status(state: Record, variant: Record) -> str:
    """``Black to act (player_0), ply 12``, or how the game has ended."""
    if state.end == rules.NO_PROGRESS:
        return "Nobody wins: too long without progress"
    if state.end == rules.NO_MOVE:
        why = "no move" if state.pieces[state.to_act] else "no pieces"
        return f"{SEAT_NAMES[1 - state.to_act]} wins: {SEAT_NAMES[state.to_act]} has {why}"
    jumps = state.end == RUNNING and state.jumper != NO_SQUARE
    return common_status(state, SEAT_NAMES, _winner(state, variant)) + (
        f", and must jump on from {state.jumper + 1}" if jumps else ""
    )
