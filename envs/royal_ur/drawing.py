"""The picture of a position: the board of shell and lapis with its rosettes and eyes; and the same as text."""

from __future__ import annotations

import math

from parlour.rulebook import svg_shapes
from parlour.rulebook.protocol import RUNNING, HitArea, Record
from parlour.rulebook.status import common_status
from parlour.rulebook.svg_shapes import FACES, STAR, box, circle, die, labelled, plate, ring, sign, use
from parlour.rulebook.svg_text import text_path

from . import SEAT_NAMES, TITLE, evaluation, notation, rules
from .guide import LETTERS, tile_name
from .paths import PATHS, ROWS, Board, Tile, tile_of

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
    """Petals round the point (0, 0), each a lens from the middle outwards."""
    half = math.pi / count * width
    parts = []
    for k in range(count):
        angle = 2 * math.pi * k / count + turn
        tip = (length * math.cos(angle), length * math.sin(angle))
        bends = [
            (0.62 * length * math.cos(angle + side * half), 0.62 * length * math.sin(angle + side * half))
            for side in (-1, 1)
        ]
        (ax, ay), (bx, by) = bends
        parts.append(f"M0 0Q{ax:.1f} {ay:.1f} {tip[0]:.1f} {tip[1]:.1f}Q{bx:.1f} {by:.1f} 0 0")
    return "".join(parts) + "Z"


def _eye(x: float, y: float, scale: float = 1.0) -> str:
    outline = f"M{-15 * scale:g} 0Q0 {-13 * scale:g} {15 * scale:g} 0Q0 {13 * scale:g} {-15 * scale:g} 0Z"
    iris = circle(0, 0, 5.2 * scale, LAPIS) + circle(0, 0, 2.1 * scale, INK)
    shape = f'<path d="{outline}" fill="{IVORY}" stroke="{INK}" stroke-width="{2 * scale:g}"/>'
    return f'<g transform="translate({x:g} {y:g})">{shape}{iris}</g>'


def _dot(x: float, y: float, radius: float = 5.0) -> str:
    return circle(x, y, radius + 1.8, INK) + circle(x, y, radius, IVORY) + circle(x, y, radius * 0.45, LAPIS)


_FIVE_DOTS = ring(0, 0, 30, LAPIS, 3) + "".join(_dot(a * 13, b * 13, 5) for a, b in FACES[5])
_EYES = "".join(_eye(a * 18, b * 19, 0.95) for a in (-1, 1) for b in (-1, 1)) + _dot(0, 0, 3.4)
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


def _shapes() -> str:
    """The definitions: tiles with their motifs, men, dice."""
    half = CELL / 2 - 3
    tile = (
        f'<g id="ur-tile">{box(-half - 1.5, -half - 1.5, 2 * half + 3, 2 * half + 3, 7, SHELL_EDGE)}'
        f"{box(-half, -half, 2 * half, 2 * half, 6, SHELL)}"
        f'<rect x="{-half + 4}" y="{-half + 4}" width="{2 * half - 8}" height="{2 * half - 8}" rx="3" fill="none" '
        f'stroke="{SHELL_SHADE}" stroke-width="2"/></g>'
    )
    motifs = "".join(f'<g id="ur-{name}">{shape}</g>' for name, shape in MOTIFS.items())
    men = ""
    dots = "".join(circle(11 * a, 11 * b, 3.6, LAPIS) for a, b in FACES[5])
    flower = f'<path d="{_petals(4, 18, 0.62)}" fill="{IVORY}"/>' + circle(0, 0, 4.4, RED)
    for letter, top, bottom, mark, edge, seal in (
        ("l", "#fffdf4", "#d9c79c", LAPIS, "#6d5a34", dots),
        ("d", "#3a4c6e", "#0c1220", IVORY, "#d9e3f5", flower),
    ):
        men += (
            f'<radialGradient id="ur-{letter}-fill" cx=".38" cy=".32" r=".8"><stop stop-color="{top}"/>'
            f'<stop offset="1" stop-color="{bottom}"/></radialGradient>'
            f'<g id="ur-{letter}"><circle cx="1.5" cy="4" r="{MAN + 0.5}" fill="#000" fill-opacity=".4"/>'
            f"{circle(0, 0, MAN, edge)}"
            f'<circle r="{MAN - 2}" fill="url(#ur-{letter}-fill)"/>'
            f"{ring(0, 0, MAN - 5.5, mark, 1.6)}{seal}</g>"
        )
    die = (
        '<g id="ur-die"><path d="M-20 17L0-22 24 14 3 24Z" fill="#000" fill-opacity=".35"/>'
        f'<path d="M-22 15L-2-23 2 22Z" fill="{IVORY}" stroke="{INK}" stroke-width="1.6" stroke-linejoin="round"/>'
        f'<path d="M-2-23L23 11 2 22Z" fill="#d8c596" stroke="{INK}" stroke-width="1.6" stroke-linejoin="round"/></g>'
        f'<g id="ur-tip"><path d="M-8.3-11L-2-23 8.2-9.2-.6-7Z" fill="{RED}" stroke="{INK}" stroke-width="1.4" '
        'stroke-linejoin="round"/></g>'
    )
    return f"<defs>{tile}{motifs}{men}{die}</defs>"


SHAPES = _shapes()

# --- the picture ---


def _board(variant: Record) -> Board:
    return PATHS[notation.path_name(variant)][0]


def _columns(variant: Record) -> int:
    return 1 + max(column for _, column in _board(variant).tiles)


def _size(variant: Record) -> tuple[float, float]:
    return 2 * LEFT + _columns(variant) * CELL, 2 * TOP + ROWS * CELL


def _middle(tile: Tile) -> tuple[float, float]:
    """The middle of a tile: Light's row is the lowest."""
    return LEFT + CELL * (tile[1] + 0.5), TOP + CELL * (ROWS - 1 - tile[0] + 0.5)


def svg(state: Record, variant: Record) -> str:
    """Board, men, trays, dice, the latest ply, and whose turn it is or who has won."""
    width, height = _size(variant)
    parts = [
        SHAPES,
        svg_shapes.table_top(width, height, 16, WOOD_EDGE, WOOD, (range(14, int(height) - 8, 23), WOOD_GRAIN)),
        _ground(variant),
        *(_tile(tile, variant) for tile in sorted(_board(variant).tiles)),
        *(_tray(state, variant, seat) for seat in range(2)),
        *_men(state, variant),
        _last_ply(state, variant),
        _dice(state, variant),
    ]
    return svg_shapes.picture(width, height, f"{TITLE}. {_status(state)}", parts)


def _ground(variant: Record) -> str:
    """The board under its tiles: bitumen with a band of lapis round each block."""
    parts = []
    for grow, colour in ((13, SHADE), (11, GOLD), (9, BAND), (3, BITUMEN)):
        shift = 4 if colour == SHADE else 0
        for tile in sorted(_board(variant).tiles):
            x, y = _middle(tile)
            side = CELL + 2 * grow
            parts.append(box(x - side / 2, y - side / 2 + shift, side, side, 10, colour))
    return "".join(parts)


def _tile(tile: Tile, variant: Record) -> str:
    row, column = tile
    motif = (MIDDLE if row == 1 else OUTER)[column % 8]
    if tile in _board(variant).rosettes:
        motif = "rosette"
    elif motif == "rosette":
        motif = "dots"
    x, y = _middle(tile)
    return use("ur-tile", x, y) + use(f"ur-{motif}", x, y)


def _men(state: Record, variant: Record) -> list[str]:
    """The men on the board; on a path that comes twice over a tile, with the number of their square."""
    path, found = notation.path_name(variant), []
    for seat, letter in enumerate(MAN_LETTERS):
        for square in notation.squares_of(state, seat):
            tile = tile_of(path, seat, square)
            x, y = _middle(tile)
            man = use(f"ur-{letter}", x, y)
            if rules.SECOND_TIME[variant.path, square]:
                man += circle(x + 19, y + 19, 11, RED) + text_path(str(square), x + 19, y + 24, 10.5, IVORY, pen=1.5)
            label = f"{SEAT_NAMES[seat]}, square {square}"
            found.append(labelled(f"ur-at-{tile_name(path, seat, square)}", label, man))
    return found


def _tray_y(seat: int, variant: Record) -> float:
    """The upper edge of a seat's tray: Light's is below the board."""
    return TOP + ROWS * CELL + 26 if seat == rules.LIGHT else MARGIN


def _tray(state: Record, variant: Record, seat: int) -> str:
    """A seat's name and pips, its men in hand at the left, and those borne off at the right."""
    width, _ = _size(variant)
    left, y, inner = LEFT - 12, _tray_y(seat, variant), width - 2 * LEFT + 24
    won = state.end == rules.BORNE_OFF and state.off[seat] == variant.men
    acts = state.end == RUNNING and state.to_act == seat
    parts = [plate(left, y, inner, TRAY, 12, GOLD if won or acts else WOOD_EDGE, TRAY_FLOOR)]
    step = 2 * MAN * 0.62
    for k in range(int(state.hand[seat])):
        parts.append(use(f"ur-{MAN_LETTERS[seat]}", left + 34 + step * k, y + TRAY / 2 - 1))
    for k in range(int(state.off[seat])):
        parts.append(use(f"ur-{MAN_LETTERS[seat]}", left + inner - 34 - step * k, y + TRAY / 2 - 1))
    middle = left + inner / 2
    name = f"{SEAT_NAMES[seat].lower()} wins" if won else SEAT_NAMES[seat].lower()
    parts.append(text_path(name, middle, y + 29, 17, GOLD if won or acts else WOOD_LETTER))
    if won:
        parts.append(sign(STAR, middle, y + 47, GOLD))
    else:
        pips = int(evaluation.pips(state, variant, seat))
        parts.append(text_path(f"{pips} to go", middle, y + 50, 12, WOOD_LETTER))
    return "".join(parts)


def _dice_place(state: Record, variant: Record) -> tuple[float, float]:
    """The middle of the dice: in the gap of the outer row of the seat that threw; beside Aseb's long row."""
    columns = _columns(variant)
    seat = int(state.to_act) if state.end == RUNNING else int(state.last_seat)
    column = 5.0 if columns == 8 else 8.0
    return LEFT + CELL * column, _middle((0 if seat == rules.LIGHT else 2, 0))[1]


def _dice(state: Record, variant: Record) -> str:
    """The latest throw: tetrahedra with their marked tips up, or blank ones; and the number."""
    faces = [int(face) for face in state.dice if face >= 0]
    if not faces:
        return ""
    x, y = _dice_place(state, variant)
    parts = []
    for k, face in enumerate(faces):
        at = x + (k - (len(faces) - 1) / 2) * 36, y - 12
        parts.append(die(f"ur-die-{k}", use("ur-die", *at, 0.78) + (use("ur-tip", *at, 0.78) if face else "")))
    parts.append(text_path(str(int(state.number)), x, y + 27, 17, GOLD))
    return "".join(parts)


def _last_squares(state: Record, variant: Record) -> list[Tile]:
    """The tiles between which the latest ply moved a man."""
    action, seat = int(state.last_action), int(state.last_seat)
    if not 0 <= action < rules.PASS:
        return []
    path = notation.path_name(variant)
    return [tile_of(path, seat, square) for square in (action, int(state.reached)) if square]


def _last_ply(state: Record, variant: Record) -> str:
    """A frame round the tiles of the latest ply."""
    return "".join(
        box(x - CELL / 2 + 4, y - CELL / 2 + 4, CELL - 8, CELL - 8, 7, "none", f'stroke="{GREEN}" stroke-width="4"')
        for x, y in map(_middle, _last_squares(state, variant))
    )


def hit_areas(state: Record, variant: Record) -> list[HitArea]:
    """The tiles, by row and column; of the seat to act the men in hand, and the place of those borne off."""
    path, standing = notation.path_name(variant), {}
    for seat, name in enumerate(SEAT_NAMES):
        for square in notation.squares_of(state, seat):
            standing[tile_of(path, seat, square)] = f"{name}, square {square}"
    areas = []
    for tile in sorted(_board(variant).tiles):
        name = f"{LETTERS[tile[0]]}{tile[1] + 1}"
        kind = "rosette" if tile in _board(variant).rosettes else "square"
        piece = f"ur-at-{name}" if tile in standing else ""
        label = f"{kind} {name}: {standing.get(tile, 'empty')}"
        areas.append(HitArea(name, label, *_middle(tile), CELL - 6, CELL - 6, piece=piece))
    width, seat = _size(variant)[0], int(state.to_act)
    y, third = _tray_y(seat, variant) + TRAY / 2, (width - 2 * LEFT) / 2.6
    areas.append(HitArea("hand", f"men in hand: {state.hand[seat]}", LEFT + third / 2, y, third, TRAY - 8))
    areas.append(HitArea("off", f"men borne off: {state.off[seat]}", width - LEFT - third / 2, y, third, TRAY - 8))
    return areas


# --- text ---


def ansi(state: Record, variant: Record) -> str:
    """The board in letters, Dark's row above; squares of the latest ply in brackets; then the rest in words."""
    board, path = _board(variant), notation.path_name(variant)
    cells = {tile: "*" if tile in board.rosettes else "." for tile in board.tiles}
    for seat in range(2):
        for square in notation.squares_of(state, seat):
            again = str(square) if rules.SECOND_TIME[variant.path, square] else ""
            cells[tile_of(path, seat, square)] = "LD"[seat] + again
    last = _last_squares(state, variant)
    rows = []
    for row in reversed(range(ROWS)):
        texts = []
        for column in range(_columns(variant)):
            cell = cells.get((row, column), "")
            texts.append(f"[{cell}]".ljust(5) if (row, column) in last else f" {cell:<4}")
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
