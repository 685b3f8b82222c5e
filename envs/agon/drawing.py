"""The picture of a position: a hexagonal board of tinted rings on a dark table; and the same as text."""

from __future__ import annotations

from math import atan2, cos, degrees, hypot, pi, sin, sqrt

from parlour.rulebook import svg_shapes
from parlour.rulebook.bits import members
from parlour.rulebook.protocol import REPETITION, RUNNING, HitArea, Record
from parlour.rulebook.status import common_status
from parlour.rulebook.svg_shapes import Place, ring, use
from parlour.rulebook.svg_text import text_paths

from . import SEAT_NAMES, TITLE, actions, board, notation, position, rules, trapping
from .actions import DARK, LIGHT

# --- measures, in pixels of the picture's own size ---

WIDTH, HEIGHT = 720, 760
CELL_WIDTH = 57.0  # from cell to cell in a row
CORNER = CELL_WIDTH / sqrt(3)  # from the middle of a cell to its corners
ROW_STEP = 1.5 * CORNER
MIDDLE_X, MIDDLE_Y = WIDTH / 2, 344.0  # of the throne
BOARD_RIM = 5.45 * CELL_WIDTH + 14  # from the throne to the board's corners
LETTER_HEIGHT = 12.0

PLAQUE_WIDTH, PLAQUE_INSET = 300, 24

# --- colours ---

TABLE, TABLE_EDGE, TABLE_LETTER = "#22302c", "#131c1a", "#d8c9a0"
WOOD, WOOD_EDGE = "#6b3f22", "#3a2011"
RING_TINTS = ("#e9b949", "#d98e73", "#f4ead0", "#b9cdb4", "#f4ead0", "#9db9a4")  # from the throne outward
LINE, GOLD, INK, IVORY, EBONY = "#4a4332", "#e6b53f", "#241a12", "#fbf3df", "#2b2320"
STEP_BLUE, TRAP_RED, HAND_GOLD = "#1f6fb5", "#c22f22", "#f0b429"
PLAQUES = svg_shapes.Plaques(
    lefts=(PLAQUE_INSET, WIDTH - PLAQUE_INSET - PLAQUE_WIDTH), top=690, width=PLAQUE_WIDTH, height=52,
    corner=10, emblem=(33, 0), words=(66, 23, LETTER_HEIGHT + 1), pips=(14, 4.9), lit=(GOLD, "#f3e6c4", INK),
    unlit=("#0d1412", "#2f403a", TABLE_LETTER),
)  # fmt: skip

# --- shapes round the point (0, 0); their ids begin with "agon-", for pages with several pictures ---

BEARSKIN = "M-11.5 3.6C-13.6-9-9.5-19 0-19S13.6-9 11.5 3.6C6 1.2-6 1.2-11.5 3.6Z"
FACE = "M-7.4 4.4C-3 2.9 3 2.9 7.4 4.4V8.6C7.4 13.4 4.2 16 0 16S-7.4 13.4-7.4 8.6Z"
STRAP = "M-7 9.4C-5 13.6 5 13.6 7 9.4"
CROWN = "M-14.6 11.6L-17.6-7.6-8.6 0.4-6.4-12.6 0-2 6.4-12.6 8.6 0.4 17.6-7.6 14.6 11.6C6 9.2-6 9.2-14.6 11.6Z"
JEWELS = ((-17.6, -9.6), (-6.6, -14.6), (6.6, -14.6), (17.6, -9.6))

GRADIENTS = f"""{svg_shapes.gradient("agon-light", "#fffdf6", "#e2d3ae")}
{svg_shapes.gradient("agon-dark", "#574842", "#1d1614")}
{svg_shapes.gradient("agon-wood", "#85532f", "#56301a")}"""


def _scallop(radius: float, depth: float, bumps: int) -> str:
    points = []
    for k in range(4 * bumps):
        turn, reach = 2 * pi * k / (4 * bumps), radius + depth * cos(pi * k / 2)
        points.append(f"{_short(reach * sin(turn))} {_short(-reach * cos(turn))}")
    return "M" + "L".join(points) + "Z"


def _polygon(x: float, y: float, corner: float, first: float, corners: int = 6) -> str:
    """The path of a regular polygon; ``first``: the angle of its first corner, in degrees from the right."""
    turns = [(first + 360 / corners * k) * pi / 180 for k in range(corners)]
    return "M" + "L".join(f"{_short(x + corner * cos(t))} {_short(y + corner * sin(t))}" for t in turns) + "Z"


def _short(number: float) -> str:
    """A coordinate, to a tenth."""
    return f"{round(number, 1) + 0.0:g}"  # no −0


def _disc(radius: float) -> str:
    return f"M-{radius} 0A{radius} {radius} 0 1 1 {radius} 0A{radius} {radius} 0 1 1-{radius} 0Z"


def _piece(letter: str, fill: str, edge: str, ink: str) -> str:
    """A guard in a bearskin on a disc, or a crown on a larger scalloped one. Dark's discs have eight corners or bumps,
    so that colour alone doesn't tell the seats apart."""
    light = letter.isupper()
    if letter in notation.GUARDS:
        outer, inner = (_disc(radius) if light else _polygon(0, 0, radius, 22.5, 8) for radius in (23.0, 21.2))
        return (
            f'<g id="agon-{letter}"><path d="{outer}" transform="translate(1.4 3)" fill="#000" fill-opacity="0.28"/>'
            f'<path d="{outer}" fill="{edge}"/><path d="{inner}" fill="url(#agon-{fill})"/>'
            f'<g transform="translate(0 1.4)"><path d="{BEARSKIN}" fill="{ink}"/>'
            f'<path d="{FACE}" fill="none" stroke="{ink}" stroke-width="1.7"/>'
            f'<path d="{STRAP}" fill="none" stroke="{ink}" stroke-width="1.7"/></g></g>'
        )
    rim = _scallop(25.6, 1.5 if light else 2.2, 12 if light else 8)
    jewels = "".join(f'<circle cx="{x}" cy="{y}" r="2.5"/>' for x, y in JEWELS)
    return (
        f'<g id="agon-{letter}"><circle cx="1.4" cy="3" r="26" fill="#000" fill-opacity="0.28"/>'
        f'<path d="{rim}" fill="{edge}"/><circle r="23.4" fill="{GOLD}"/><circle r="21.4" fill="url(#agon-{fill})"/>'
        f'<g fill="{ink}" transform="translate(0 2.2) scale(.86)"><path d="{CROWN}"/>{jewels}</g></g>'
    )


CELL = f'<path id="agon-cell" d="{_polygon(0, 0, CORNER, 30)}"/>'
PIECES = "\n".join(
    _piece(letter, *style)
    for letter, style in (
        ("G", ("light", "#5c4a2c", EBONY)),
        ("Q", ("light", "#5c4a2c", EBONY)),
        ("g", ("dark", "#0d0908", IVORY)),
        ("q", ("dark", "#0d0908", IVORY)),
    )
)

BOTTOM_SEAT = LIGHT  # its queen begins in the corner a1

PIECE_NAMES = {"Q": "light queen", "G": "light guard", "q": "dark queen", "g": "dark guard"}

# --- the picture ---


def svg(state: Record, variant: Record) -> str:
    """Board, last ply, pieces, what is trapped or in hand, and below whose turn it is or who has won."""
    letters, winner = notation.piece_letters(state), _winner(state, variant)
    parts = [
        f"<defs>\n{GRADIENTS}\n{CELL}\n{PIECES}\n</defs>",
        svg_shapes.table_top(WIDTH, HEIGHT, 12, TABLE_EDGE, TABLE),
        _frame(),
        _cells(),
        _edge_letters(),
        _last_cells(state),
        svg_shapes.pieces("agon", _places(letters)),
        _rings(state, variant),
        _arrow(state),
        svg_shapes.plaques(PLAQUES, state, winner, [_seat(state, letters, seat, winner) for seat in range(2)]),
    ]
    return svg_shapes.picture(WIDTH, HEIGHT, f"{TITLE}. {_status(state, variant)}", parts)


def hit_areas(state: Record, variant: Record) -> list[HitArea]:
    """The 91 cells."""
    return svg_shapes.place_areas("agon", _places(notation.piece_letters(state)))


def _places(letters: list[str]) -> list[Place]:
    """The cells, with the pieces on them: ``c4, light guard``."""
    places = []
    for cell, (name, letter) in enumerate(zip(notation.CELL_NAMES, letters)):
        what = PIECE_NAMES.get(letter, "the throne, empty" if cell == board.THRONE else "empty")
        piece = use(f"agon-{letter}", *_point(cell)) if letter in PIECE_NAMES else ""
        places.append(Place(name, f"{name}, {what}", _point(cell), CELL_WIDTH - 2, piece, True))
    return places


def _point(cell: int) -> tuple[float, float]:
    """The middle of a cell; row k is on top."""
    row, place = int(board.CELL_ROW[cell]), int(board.CELL_PLACE[cell])
    x = MIDDLE_X + (place - (board.ROW_LENGTHS[row] - 1) / 2) * CELL_WIDTH
    return round(x, 2), round(MIDDLE_Y - (row - board.MIDDLE_ROW) * ROW_STEP, 2)


def _frame() -> str:
    """The wood round the cells: a hexagon with corners at the left and right."""
    wood = ""
    for extra, colour in ((6, WOOD_EDGE), (3, "url(#agon-wood)"), (-22, WOOD_EDGE)):
        path = _polygon(MIDDLE_X, MIDDLE_Y, BOARD_RIM + 22 + extra, 0)
        wood += f'<path d="{path}" fill="{colour}" stroke="{colour}" stroke-width="12" stroke-linejoin="round"/>'
    return wood


def _cells() -> str:
    """The cells, tinted by ring, and a crown on the throne."""
    parts = []
    for nth in reversed(range(board.OUTER + 1)):
        cells = "".join(use("agon-cell", *_point(cell)) for cell in range(board.CELLS) if board.RING_OF[cell] == nth)
        parts.append(f'<g fill="{RING_TINTS[nth]}" stroke="{LINE}" stroke-width="1.6">{cells}</g>')
    x, y = _point(board.THRONE)
    style = f'transform="translate({x} {y}) scale(.92)" fill="#8a5f12" fill-opacity="0.8"'
    crown = f'<path class="upright" d="{CROWN}" {style}/>'
    return "".join((*parts, crown))


def _edge_letters() -> str:
    """Rows at the left; numbers of cells along the lower edges for the lower half, along the upper ones for the upper:
    there the cells of one number lie in another line."""
    labels, aside = [], 0.38 * CELL_WIDTH
    for row, name in enumerate(notation.ROW_NAMES):
        x, y = _point(sum(board.ROW_LENGTHS[:row]))
        labels.append((name, x - 0.77 * CELL_WIDTH, y + 4))
    for number in range(1, board.ROWS + 1):
        row = max(number - board.ROW_LENGTHS[0], 0)
        for edge, way in ((row, 1), (board.ROWS - 1 - row, -1)):
            x, y = _point(sum(board.ROW_LENGTHS[:edge]) + number - 1)
            down = 1.78 * aside + 6 if way > 0 else 6 - 1.78 * aside
            labels.append((str(number), x + aside, y + down))
    return text_paths(labels, LETTER_HEIGHT, TABLE_LETTER)


def _last_ply(state: Record) -> tuple[str, int, int]:
    """The kind of the latest ply (``step``, ``put``, ``choice``, ``pass`` or empty), its source and its target."""
    action = int(state.last_action)
    if action < 0:
        return "", board.NOWHERE, board.NOWHERE
    if state.last_seat == DARK:
        action = int(actions.TURNED[action])
    if action < actions.PUTS:
        source, direction = divmod(action, board.DIRECTIONS)
        return "step", source, int(board.NEIGHBOUR[source, direction])
    if action < actions.CHOICES:
        return "put", board.NOWHERE, action - actions.PUTS
    if action < actions.PASS:
        return "choice", board.NOWHERE, action - actions.CHOICES
    return "pass", board.NOWHERE, board.NOWHERE


def _last_cells(state: Record) -> str:
    cells = [cell for cell in _last_ply(state)[1:] if cell != board.NOWHERE]
    paths = "".join(_polygon(*_point(cell), CORNER - 1, 30) for cell in cells)
    return f'<path d="{paths}" fill="{STEP_BLUE}" fill-opacity="0.32"/>' if paths else ""


def _arrow(state: Record) -> str:
    """The latest step, from the middle of its first cell to the edge of the piece."""
    kind, source, target = _last_ply(state)
    if kind != "step":
        return ""
    (x0, y0), (x1, y1) = _point(source), _point(target)
    length = hypot(x1 - x0, y1 - y0)
    turn = degrees(atan2(y1 - y0, x1 - x0))
    tip = length - 24
    path = f"M-9-3.4H{tip - 13:.1f}V-10L{tip:.1f} 0 {tip - 13:.1f} 10V3.4H-9Z"
    style = f'fill="{STEP_BLUE}" stroke="{IVORY}" stroke-width="1.6" stroke-linejoin="round"'
    return f'<path d="{path}" transform="translate({x0} {y0}) rotate({turn:.1f})" {style}/>'


def _rings(state: Record, variant: Record) -> str:
    """Red dashes round what stands trapped, gold round the piece in hand and, thinner, round those that wait."""
    if state.end != RUNNING:
        return ""
    parts = []
    for cell in trapped_cells(state, variant):
        parts.append(ring(*_point(cell), 26.5, IVORY, 6) + ring(*_point(cell), 26.5, TRAP_RED, 4, "7.2 4.7"))
    for cell in members(state.waiting):
        parts.append(ring(*_point(cell), 30.5, HAND_GOLD, 3, "3 4"))
    if state.hand != board.NOWHERE:
        parts.append(ring(*_point(int(state.hand)), 30, INK, 5.6) + ring(*_point(int(state.hand)), 30, HAND_GOLD, 3.6))
    return "".join(parts)


def trapped_cells(state: Record, variant: Record) -> list[int]:
    """The pieces of both seats that stand trapped; none in Bloody Queen, where the step itself deals with them."""
    if variant.capture == rules.BLOODY:
        return []
    cells = []
    for seat in (LIGHT, DARK):
        low, high = position.pieces(state, seat)
        flanked_low, flanked_high = trapping.between(state, variant, 1 - seat)
        cells += members((low & flanked_low, high & flanked_high))
    return cells


def _seat(state: Record, letters: list[str], seat: int, winner: int | None) -> svg_shapes.SeatView:
    """A seat's queen, its name and what it does or did; its pieces, the queen first."""
    won, acts = winner == seat, state.end == RUNNING and state.to_act == seat
    passed = state.last_seat == seat and _last_ply(state)[0] == "pass"
    doing = " wins" if won else " to act" if acts else " has passed" if passed else ""
    guards = letters.count(notation.GUARDS[seat])
    pips = [GOLD if notation.QUEENS[seat] in letters else ""] + [(IVORY, EBONY)[seat]] * guards
    pips += [""] * (position.GUARDS_EACH - guards)
    return svg_shapes.SeatView(use(f"agon-{notation.QUEENS[seat]}", 0, 0, 0.78), SEAT_NAMES[seat].lower() + doing, pips)


# --- text ---


def ansi(state: Record, variant: Record) -> str:
    """The board in letters, staggered, each row between its letter and the number of its last cell; and a line on whose
    turn it is or how it has ended.

    ``Q`` ``G`` Light's queen and guards, ``q`` ``g`` Dark's, ``.`` empty, ``+`` the empty throne; the latest ply in
    brackets, ``( )`` where the piece stood, ``[ ]`` where it stands or was chosen; ``!`` after a piece that stands
    trapped, ``?`` after guards to choose among or still to be put down, ``*`` after the piece in hand.
    """
    letters = notation.piece_letters(state)
    if letters[board.THRONE] == ".":
        letters[board.THRONE] = "+"
    cells = [f" {letter}  " for letter in letters]
    if state.end == RUNNING:
        for cell in trapped_cells(state, variant):
            cells[cell] = f" {letters[cell]}! "
        for cell in members(state.waiting):
            cells[cell] = f" {letters[cell]}? "
        if state.hand != board.NOWHERE:
            cells[state.hand] = f" {letters[state.hand]}* "
    kind, source, target = _last_ply(state)
    for cell, (opening, closing) in ((source, "()"), (target, "[]")):
        if cell != board.NOWHERE:
            cells[cell] = opening + cells[cell][1:].rstrip().ljust(1) + closing
            cells[cell] = cells[cell].ljust(4)
    rows, start = [], 0
    for name, length in zip(notation.ROW_NAMES, board.ROW_LENGTHS):
        row = "".join(cells[start : start + length]).rstrip()
        row = row.ljust(4 * length)
        rows.append(f"{name} {'  ' * (board.ROWS - length)}{row} {length}")
        start += length
    edge = " " * (2 * (board.ROWS - board.ROW_LENGTHS[0]) + 2) + "".join(
        f" {number}  " for number in range(1, board.ROW_LENGTHS[0])
    )
    passed = f"{SEAT_NAMES[int(state.last_seat)]} has passed. " if kind == "pass" else ""
    return "\n".join((edge.rstrip(), *reversed(rows), edge.rstrip(), passed + _status(state, variant)))


# --- both ---


def _winner(state: Record, variant: Record) -> int | None:
    winner = int(rules.winner_of(state, variant))
    return None if winner == rules.NOBODY else winner


def _status(state: Record, variant: Record) -> str:
    """``Light to act (player_0), ply 12``, or how the game has ended."""
    if state.end == rules.PASSES:
        return "Nobody wins: both seats have passed"
    winner = _winner(state, variant)
    if winner is None or state.end == REPETITION:
        doing = f": {position.PHASES[int(state.phase)]}" if state.end == RUNNING else ""
        return common_status(state, SEAT_NAMES, winner) + doing
    loser = SEAT_NAMES[1 - winner]
    why = {
        rules.ENTHRONED: "the queen is on the throne among her guards",
        rules.FORFEIT: f"{loser}'s six guards surround the throne without their queen",
        rules.GUARDLESS: f"{loser} has no guards left",
    }
    return f"{SEAT_NAMES[winner]} wins: {why[int(state.end)]}"
