"""The picture of a position: the board of shell and lapis with its rosettes and eyes; and the same as text."""

from __future__ import annotations

import math

from parlour.rulebook import svg_shapes
from parlour.rulebook.protocol import RUNNING, HitArea, Record
from parlour.rulebook.status import common_status
from parlour.rulebook.svg_shapes import FACES, STAR, Place, box, circle, die, plate, ring, sign, use
from parlour.rulebook.svg_text import text_path

from . import SEAT_NAMES, TITLE, evaluation, notation, rules
from .paths import LETTERS, PATHS, ROWS, Board, Tile, name_of, tile_of

BOTTOM_SEAT = rules.LIGHT  # row a is its own

# --- measures, in pixels of the picture's own size ---

CELL, MAN = 84, 27.0
MARGIN, TRAY = 30, 66
TOP = MARGIN + TRAY + 26  # of the board
LEFT = MARGIN + 18
DIE = 44

# --- colours ---

WOOD, WOOD_EDGE, WOOD_GRAIN, WOOD_LETTER = "#4a2c1c", "#21120a", "#412617", "#ecd2a2"
BITUMEN, BAND = "#191411", "#0f2b52"
SHELL, SHELL_EDGE, SHELL_SHADE = "#f4e9cf", "#cdb88d", "#e6d5b0"
LAPIS, LAPIS_LIGHT, RED, GOLD, GREEN = "#1d4a8f", "#5f8fd0", "#b3321f", "#f0c552", "#3fbf6b"
INK, IVORY, TRAY_FLOOR, SHADE = "#24170e", "#fdf6e3", "#2b190f", "#3a2114"
MAN_LETTERS = ("l", "d")


def _petals(count: int, length: float, width: float, turn: float = 0.0) -> str:
    """The path of petals round the point (0, 0), each a lens from the middle outwards."""
    path, half = "", math.pi / count * width
    for k in range(count):
        angle = 2 * math.pi * k / count + turn
        bends = (angle - half, 0.62 * length), (angle, length), (angle + half, 0.62 * length)
        left, tip, right = (f"{reach * math.cos(a):.1f} {reach * math.sin(a):.1f}" for a, reach in bends)
        path += f"M0 0Q{left} {tip}Q{right} 0 0"
    return path + "Z"


def _eye(x: float, y: float) -> str:
    outline = f'<path d="M-14 0Q0-12 14 0 0 12-14 0Z" fill="{IVORY}" stroke="{INK}" stroke-width="1.9"/>'
    return f'<g transform="translate({x:g} {y:g})">{outline}{circle(0, 0, 4.9, LAPIS)}{circle(0, 0, 2, INK)}</g>'


def _dot(x: float, y: float, radius: float = 5.0) -> str:
    return circle(x, y, radius + 1.8, INK) + circle(x, y, radius, IVORY) + circle(x, y, radius * 0.45, LAPIS)


_FIVE_DOTS = ring(0, 0, 30, LAPIS, 3) + "".join(_dot(a * 13, b * 13, 5) for a, b in FACES[5])
_EYES = "".join(_eye(a * 18, b * 19) for a, b in FACES[4]) + _dot(0, 0, 3.4)
_TWENTY_DOTS = "".join(
    f'<rect x="{a * 18 - 15:g}" y="{b * 18 - 15:g}" width="30" height="30" rx="3" fill="{colour}"/>'
    + "".join(circle(a * 18 + c * 8, b * 18 + d * 8, 2.9, IVORY) for c, d in FACES[5])
    for a, b, colour in ((-1, -1, LAPIS), (1, -1, RED), (-1, 1, RED), (1, 1, LAPIS))
)
_STEPS = (
    f'<path d="M-33-33H33L0 0Z" fill="{LAPIS}"/><path d="M-33 33H33L0 0Z" fill="{LAPIS}"/>'
    f'<path d="M-33-33V33L0 0Z" fill="{RED}"/><path d="M33-33V33L0 0Z" fill="{RED}"/>'
    f'<path d="M0-22L22 0 0 22-22 0Z" fill="{SHELL}" stroke="{INK}" stroke-width="2"/>' + _dot(0, 0, 5.5)
)
_ZIGZAG = "".join(
    f'<path d="M-33 {y}l11-11 11 11 11-11 11 11 11-11 11 11" fill="none" stroke="{colour}" stroke-width="4.4" '
    f'stroke-linejoin="round"/>'
    for y, colour in ((-18, LAPIS), (-3, RED), (12, LAPIS), (27, RED))
)
_ROSETTE = (
    circle(0, 0, 36, RED)
    + circle(0, 0, 33.5, SHELL)
    + f'<path d="{_petals(8, 32, 1.25)}" fill="{LAPIS}"/>'
    + f'<path d="{_petals(8, 31, 0.62, math.pi / 8)}" fill="{RED}"/>'
    + f'<path d="{_petals(8, 24, 0.5)}" fill="{LAPIS_LIGHT}"/>'
    + circle(0, 0, 8.5, IVORY)
    + circle(0, 0, 6, RED)
    + circle(0, 0, 2.4, IVORY)
)
MOTIFS = {
    "rosette": _ROSETTE, "eyes": _EYES, "dots": _FIVE_DOTS, "twenty": _TWENTY_DOTS, "steps": _STEPS, "zigzag": _ZIGZAG,
}  # fmt: skip
OUTER = ("rosette", "eyes", "dots", "eyes", "", "", "rosette", "twenty")
MIDDLE = ("zigzag", "twenty", "steps", "rosette", "twenty", "dots", "eyes", "steps")
"""What is on the tiles of a row, after the board from Ur in the British Museum; rosettes go where the rules say."""


def _man(letter: str, top: str, bottom: str, mark: str, edge: str, seal: str) -> str:
    """The definition of a seat's man, with a seal in its middle."""
    return (
        f'<radialGradient id="ur-{letter}-fill" cx=".38" cy=".32" r=".8"><stop stop-color="{top}"/>'
        f'<stop offset="1" stop-color="{bottom}"/></radialGradient><g id="ur-{letter}">'
        + circle(1.5, 4, MAN + 0.5, "#000", 'fill-opacity=".4"')
        + circle(0, 0, MAN, edge)
        + circle(0, 0, MAN - 2, f"url(#ur-{letter}-fill)")
        + f"{ring(0, 0, MAN - 5.5, mark, 1.6)}{seal}</g>"
    )


JOINED = f'stroke="{INK}" stroke-width="1.6" stroke-linejoin="round"'
SHAPES = (
    f'<defs><g id="ur-tile">{box(-40.5, -40.5, 81, 81, 7, SHELL_EDGE)}{box(-39, -39, 78, 78, 6, SHELL)}'
    + box(-35, -35, 70, 70, 3, "none", f'stroke="{SHELL_SHADE}" stroke-width="2"')
    + "</g>"
    + "".join(f'<g id="ur-{name}">{shape}</g>' for name, shape in MOTIFS.items())
    + _man("l", "#fffdf4", "#d9c79c", LAPIS, "#6d5a34",
           "".join(circle(11 * a, 11 * b, 3.6, LAPIS) for a, b in FACES[5]))
    + _man("d", "#3a4c6e", "#0c1220", IVORY, "#d9e3f5",
           f'<path d="{_petals(4, 18, 0.62)}" fill="{IVORY}"/>' + circle(0, 0, 4.4, RED))
    + '<g id="ur-die"><path d="M-20 17L0-22 24 14 3 24Z" fill="#000" fill-opacity=".35"/>'
    f'<path d="M-22 15L-2-23 2 22Z" fill="{IVORY}" {JOINED}/><path d="M-2-23L23 11 2 22Z" fill="#d8c596" {JOINED}/></g>'
    f'<path id="ur-tip" d="M-8.3-11L-2-23 8.2-9.2-.6-7Z" fill="{RED}" {JOINED}/></defs>'
)  # fmt: skip

# --- the picture ---


def _board(variant: Record) -> Board:
    return PATHS[notation.path_name(variant)][0]


def _columns(variant: Record) -> int:
    return 1 + max(column for _, column in _board(variant).tiles)


def _size(variant: Record) -> tuple[float, float]:
    return 2 * LEFT + _columns(variant) * CELL, 2 * TOP + ROWS * CELL


def _middle(tile: Tile) -> tuple[float, float]:
    """The middle of a tile: Light's row is the lowest."""
    return LEFT + CELL * (tile[1] + 0.5), TOP + CELL * (ROWS - tile[0] - 0.5)


def svg(state: Record, variant: Record) -> str:
    """Board, men, trays, dice, the latest ply, and whose turn it is or who has won."""
    width, height = _size(variant)
    parts = [
        SHAPES,
        svg_shapes.table_top(width, height, 16, WOOD_EDGE, WOOD, (range(14, int(height) - 8, 23), WOOD_GRAIN)),
        _ground(variant),
        *(_tile(tile, variant) for tile in sorted(_board(variant).tiles)),
        *(_tray(state, variant, seat) for seat in range(2)),
        svg_shapes.pieces("ur", _places(state, variant)),
        _last_ply(state, variant),
        _dice(state, variant),
    ]
    return svg_shapes.picture(width, height, f"{TITLE}. {_status(state)}", parts)


def _ground(variant: Record) -> str:
    """The board under its tiles: bitumen with a band of lapis round each block."""
    return "".join(
        _square(tile, CELL / 2 + grow, colour, 10, down)
        for grow, colour, down in ((13, SHADE, 4), (11, GOLD, 0), (9, BAND, 0), (3, BITUMEN, 0))
        for tile in sorted(_board(variant).tiles)
    )


def _square(tile: Tile, half: float, colour: str, corner: float, down: float = 0, style: str = "") -> str:
    x, y = _middle(tile)
    return box(x - half, y - half + down, 2 * half, 2 * half, corner, colour, style)


def _tile(tile: Tile, variant: Record) -> str:
    row, column = tile
    motif = (MIDDLE if row == 1 else OUTER)[column % 8]
    if tile in _board(variant).rosettes:
        motif = "rosette"
    elif motif == "rosette":
        motif = "dots"
    x, y = _middle(tile)
    return use("ur-tile", x, y) + use(f"ur-{motif}", x, y)


def _places(state: Record, variant: Record) -> list[Place]:
    """The tiles, with the men on them; on a path that comes twice over a tile, with the number of their square."""
    board, standing, places = _board(variant), notation.standing(state, variant), []
    for tile in sorted(board.tiles):
        (x, y), what, man = _middle(tile), "empty", ""
        if tile in standing:
            seat, square = standing[tile]
            what, man = f"{SEAT_NAMES[seat]}, square {square}", use(f"ur-{MAN_LETTERS[seat]}", x, y)
            if rules.SECOND_TIME[variant.path, square]:
                man += circle(x + 19, y + 19, 11, RED) + text_path(str(square), x + 19, y + 24, 10.5, IVORY, pen=1.5)
        name, kind = name_of(tile), "rosette" if tile in board.rosettes else "square"
        places.append(Place(name, f"{kind} {name}: {what}", (x, y), CELL - 6, man))
    return places


def _tray_y(seat: int, variant: Record) -> float:
    """The upper edge of a seat's tray: Light's is below the board."""
    return TOP + ROWS * CELL + 26 if seat == rules.LIGHT else MARGIN


def _tray(state: Record, variant: Record, seat: int) -> str:
    """A seat's name and pips, its men in hand at the left, and those borne off at the right."""
    left, y, inner = LEFT - 12, _tray_y(seat, variant), _size(variant)[0] - 2 * LEFT + 24
    won = state.end == rules.BORNE_OFF and state.off[seat] == variant.men
    lit = won or (state.end == RUNNING and state.to_act == seat)
    name = SEAT_NAMES[seat].lower()
    parts = [plate(left, y, inner, TRAY, 12, GOLD if lit else WOOD_EDGE, TRAY_FLOOR)]
    for start, way, count in ((left + 34, 1, state.hand[seat]), (left + inner - 34, -1, state.off[seat])):
        parts += [use(f"ur-{MAN_LETTERS[seat]}", start + way * 1.24 * MAN * k, y + TRAY / 2 - 1) for k in range(count)]
    middle = left + inner / 2
    parts.append(text_path(f"{name} wins" if won else name, middle, y + 29, 17, GOLD if lit else WOOD_LETTER))
    if won:
        parts.append(sign(STAR, middle, y + 47, GOLD))
    else:
        to_go = f"{int(evaluation.pips(state, variant, seat))} to go"
        parts.append(text_path(to_go, middle, y + 50, 12, WOOD_LETTER))
    return "".join(parts)


def _dice(state: Record, variant: Record) -> str:
    """The latest throw, in the gap of the outer row of the seat that threw, beside Aseb's long row: tetrahedra with
    their marked tips up, or blank ones; and the number."""
    faces = [int(face) for face in state.dice if face >= 0]
    seat = int(state.to_act) if state.end == RUNNING else int(state.last_seat)
    x, y = LEFT + CELL * (5 if _columns(variant) == 8 else 8), _middle((0 if seat == rules.LIGHT else 2, 0))[1]
    parts = []
    for k, face in enumerate(faces):
        at = x + (k - (len(faces) - 1) / 2) * 36, y - 12
        parts.append(die(f"ur-die-{k}", use("ur-die", *at, 0.78) + (use("ur-tip", *at, 0.78) if face else "")))
    return "".join(parts) + (text_path(str(int(state.number)), x, y + 27, 17, GOLD) if faces else "")


def _last_tiles(state: Record, variant: Record) -> list[Tile]:
    """The tiles between which the latest ply moved a man."""
    action, seat = int(state.last_action), int(state.last_seat)
    squares = (action, int(state.reached)) if 0 <= action < rules.PASS else ()
    return [tile_of(notation.path_name(variant), seat, square) for square in squares if square]


def _last_ply(state: Record, variant: Record) -> str:
    """A frame round the tiles of the latest ply."""
    edge = f'stroke="{GREEN}" stroke-width="4"'
    return "".join(_square(tile, CELL / 2 - 4, "none", 7, 0, edge) for tile in _last_tiles(state, variant))


def hit_areas(state: Record, variant: Record) -> list[HitArea]:
    """The tiles, by row and column; of the seat to act the men in hand, and the place of those borne off."""
    areas = svg_shapes.place_areas("ur", _places(state, variant))
    width, seat = _size(variant)[0], int(state.to_act)
    y, third = _tray_y(seat, variant) + TRAY / 2, (width - 2 * LEFT) / 2.6
    areas.append(HitArea("hand", f"men in hand: {state.hand[seat]}", LEFT + third / 2, y, third, TRAY - 8))
    areas.append(HitArea("off", f"men borne off: {state.off[seat]}", width - LEFT - third / 2, y, third, TRAY - 8))
    return areas


# --- text ---


def ansi(state: Record, variant: Record) -> str:
    """The board in letters, Dark's row above; squares of the latest ply in brackets; then the rest in words."""
    board, last = _board(variant), _last_tiles(state, variant)
    cells = {tile: "*" if tile in board.rosettes else "." for tile in board.tiles}
    for tile, (seat, square) in notation.standing(state, variant).items():
        cells[tile] = "LD"[seat] + (str(square) if rules.SECOND_TIME[variant.path, square] else "")
    rows = []
    for row in reversed(range(ROWS)):
        tiles = [(row, column) for column in range(_columns(variant))]
        texts = (f"[{cells[tile]}]".ljust(5) if tile in last else f" {cells.get(tile, ''):<4}" for tile in tiles)
        rows.append(f"{LETTERS[row]} {''.join(texts)}".rstrip())
    rows.append("  " + "".join(f" {column + 1:<4}" for column in range(_columns(variant))).rstrip())
    waiting = "   ".join(
        f"{name} {counts[0]} light, {counts[1]} dark" for name, counts in (("hand", state.hand), ("off", state.off))
    )
    dice = " ".join(str(face) for face in state.dice.tolist() if face >= 0) or "-"
    return "\n".join((*rows, waiting, f"dice {dice}: {state.number}", _status(state)))


# --- both ---


def _status(state: Record) -> str:
    """``Light to act (player_0), ply 12``, or how the game has ended."""
    if state.end != rules.BORNE_OFF:
        return common_status(state, SEAT_NAMES)
    winner = rules.LIGHT if state.off[rules.LIGHT] > state.off[rules.DARK] else rules.DARK
    return f"{SEAT_NAMES[winner]} wins: all men are off the board"
