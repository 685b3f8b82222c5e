"""Pictures of a board with two rows of twelve points, a bar between its halves and trays at its sides, and the same as
letters, for games on a backgammon board: a game has a `Board`, says by a `View` what a position is, and adds what only
it has. Lengths are in pixels of the picture's own size.

The numbers of points are the first seat's: 13 to 24 along the top, 12 to 1 along the bottom. The shapes of a picture
have ids that begin with the board's prefix: ``acd-r`` is the man of the seat with the letter ``r``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from parlour.rulebook import svg_shapes
from parlour.rulebook.point_texts import write_points
from parlour.rulebook.points import STEPS
from parlour.rulebook.protocol import RUNNING, HitArea, Record
from parlour.rulebook.status import common_status
from parlour.rulebook.svg_shapes import FACES, STAR, box, circle, gradient, labelled, sign, table_top
from parlour.rulebook.svg_text import text_path, text_width

# --- measures ---

STEP, MAN = 54, 24.5  # from point to point; a man's radius
POINT, GAP = 232, 116  # a point's length; between the points' tips at most
TRAY, BESIDE = 66, 16  # a tray's width; between tray and felt
MARGIN, RIM = 20, 34  # of the frame at the sides; above and below, for the numbers
HALF = 6 * STEP
TOP, BOTTOM = RIM, RIM + 2 * POINT + GAP
MIDDLE_Y = (TOP + BOTTOM) / 2
HEIGHT = BOTTOM + RIM + 54
PLAQUE_Y = BOTTOM + RIM + 18
HIGHEST = 5  # men drawn on one point; more are a number

# --- colours ---

WOOD, WOOD_DARK, WOOD_EDGE, WOOD_GRAIN, WOOD_LETTER = "#553521", "#331e12", "#24140b", "#4b2d1b", "#e3c497"
LIGHT_POINT, DARK_POINT = "#e4c890", "#8f6a3c"
INK, IVORY, GOLD, GREEN = "#2a1d14", "#fdf6e3", "#f0c552", "#7be08d"
MAN_EDGE, MAN_RIM = "#1a0f08", "#fdf3dc"
"""Round every man: the one stands out from light points, the other from felt and dark points, for every eye."""


class Tray(NamedTuple):
    """A tray beside the felt, with men of both seats."""

    place: str
    """its name, as in moves: ``off``"""
    left: float
    """where it begins"""
    words: str
    """what its men are: ``men borne off``"""
    sign: str
    """on the rim below it"""
    field: str
    """of the state: how many men each seat has in it"""


class Board(NamedTuple):
    """A game's board: its title and prefix, sizes and colours, and its seats."""

    title: str
    prefix: str
    letters: str
    """of the seats"""
    names: tuple[str, str]
    """of the seats; gradients have them in lower case as ids"""
    left: float
    """where the felt begins, from the left"""
    bar: float
    """the bar's width"""
    trays: tuple[Tray, ...]
    felt: str
    felt_edge: str
    men: tuple[tuple[str, str, str], ...]
    """of each seat: the colours of a man above and below, and the mark on it, round the point (0, 0)"""

    @property
    def right(self) -> float:
        """Where the felt ends."""
        return self.left + 2 * HALF + self.bar

    @property
    def middle_x(self) -> float:
        """The middle of the bar."""
        return (self.left + self.right) / 2

    @property
    def width(self) -> float:
        """Of the picture: a tray is at the right."""
        return self.right + BESIDE + TRAY + MARGIN


class View(NamedTuple):
    """What a game says of a position."""

    task: str
    """what the seat to act has to do"""
    pips: Sequence[int]
    """that each seat has to go"""
    winner: int | None
    won: str = ""
    """what more than the game, with a space before it"""
    left: tuple[int, int] | None = None
    """the seat and its step from which the latest ply took a man"""
    reached: tuple[int, int] | None = None
    """the same where the man came to"""

    def last_points(self) -> list[int]:
        """The points of the latest ply, in the first seat's numbering."""
        return [point_of(step, seat) for seat, step in filter(None, (self.left, self.reached))]


def right_tray(left: float, bar: float) -> Tray:
    """The tray at the right, for men borne off."""
    return Tray("off", left + 2 * HALF + bar + BESIDE, "men borne off", "off", "off")


# --- a whole picture ---


def svg(
    board: Board,
    state: Record,
    view: View,
    shapes: str = "",
    bar: str = "",
    over: str = "",
    die: Callable[[Board, float, float, int], str] | None = None,
    starred: Collection[int] = (),
) -> str:
    """The picture of a position. What only a game has: further ``shapes`` among the definitions; another ``bar``; what
    lies ``over`` the men; how a die looks; points with a star beside their number."""
    parts = [
        f"<defs>\n{_definitions(board)}{shapes}\n</defs>",
        frame(board),
        *(_point(board, point, point in starred) for point in range(1, STEPS + 1)),
        bar or bar_wood(board),
        *(men_on(board, state, step) for step in range(STEPS)),
        over,
        *(_tray(board, state, tray) for tray in board.trays),
        _ring(board, state, view.left, True) + _ring(board, state, view.reached, False),
        _dice(board, state, die or die_with_pips),
        *(_plaque(board, state, view, seat) for seat in (0, 1)),
    ]
    return svg_shapes.picture(board.width, HEIGHT, f"{board.title}. {status(board, state, view)}", parts)


def hit_areas(board: Board, state: Record) -> list[HitArea]:
    """The 24 points by their numbers on the rim, and the trays of the seat to act."""
    long, half, seat = POINT + GAP / 2, (BOTTOM - TOP) / 2, int(state.to_act)
    areas = []
    for step in range(STEPS):
        point = STEPS - step
        y = TOP + long / 2 if point > 12 else BOTTOM - long / 2
        piece = f"{board.prefix}-at-{point}" if state.men[0, step] or state.men[1, STEPS - 1 - step] else ""
        label = point_label(board, state, step)
        areas.append(HitArea(str(point), label, point_x(board, point), y, STEP, long, piece=piece))
    y = MIDDLE_Y - half / 2 if seat else MIDDLE_Y + half / 2
    areas += [
        HitArea(tray.place, f"{tray.words}: {state[tray.field][seat]}", tray.left + TRAY / 2, y, TRAY, half)
        for tray in board.trays
    ]
    return areas


def ansi(
    board: Board, state: Record, view: View, beside: Mapping[str, str], faces: Mapping[int, str] | None = None
) -> str:
    """The position in letters, the first seat's numbering; the points of the latest ply in brackets; then the rest in
    words. ``beside``: where men are that are on no point, each with its field of the state; ``faces``: their names."""
    first, second = (name.lower() for name in board.names)
    waiting = (f"{name} {state[field][0]} {first}, {state[field][1]} {second}" for name, field in beside.items())
    dice = " ".join((faces or {}).get(face, str(face)) for face in state.dice.tolist())
    doing = f", {view.task}" if state.end == RUNNING else ""
    rows = _board_rows(state, board.letters, view.last_points())
    return "\n".join((*rows, "   ".join(waiting), f"dice {dice}{doing}", status(board, state, view)))


def status(board: Board, state: Record, view: View) -> str:
    """``Red to act (player_0), ply 12``, or how the game has ended."""
    winner = board.names[view.winner or 0]
    return common_status(state, board.names) or f"{winner} wins{view.won}: all its men are off the board"


# --- shapes ---


def _definitions(board: Board) -> str:
    """The men of both seats, and a die without its face."""
    shapes = gradient(f"{board.prefix}-ivory", "#fffdf5", "#e9dcbb")
    for letter, name, (upper, lower, mark) in zip(board.letters, board.names, board.men):
        shapes += f"""{gradient(f"{board.prefix}-{name.lower()}", upper, lower)}
<g id="{board.prefix}-{letter}"><circle cx="1.5" cy="3.5" r="{MAN}" fill="#000" fill-opacity="0.35"/>
<circle r="{MAN}" fill="{MAN_EDGE}"/><circle r="{MAN - 1}" fill="{MAN_RIM}"/>
<circle r="{MAN - 3.4}" fill="url(#{board.prefix}-{name.lower()})"/>
{mark}</g>"""
    shadow = '<rect x="-27.5" y="-25.5" width="58" height="58" rx="11" fill="#000" fill-opacity="0.35"/>'
    return f"""{shapes}<g id="{board.prefix}-die">{shadow}
<rect x="-29" y="-29" width="58" height="58" rx="11" fill="#8f7f5c"/>
<rect x="-27.5" y="-27.5" width="55" height="55" rx="9.5" fill="url(#{board.prefix}-ivory)"/></g>"""


def use(board: Board, shape: str, x: float, y: float, scale: float = 1) -> str:
    """A shape of the definitions at (x, y)."""
    return svg_shapes.use(f"{board.prefix}-{shape}", x, y, scale)


# --- board and men ---


def point_of(step: int, seat: int) -> int:
    """The number of a seat's own step, in the first seat's numbering."""
    return STEPS - step if seat == 0 else step + 1


def point_x(board: Board, point: int) -> float:
    """The middle of a point."""
    column = point - 13 if point > 12 else 12 - point
    return board.left + STEP * (column + 0.5) + (board.bar if column >= 6 else 0)


def man_at(board: Board, point: int, height: int) -> tuple[float, float]:
    """Where the man number ``height`` (0 the first) of a point lies."""
    along = MAN + 2 + 2 * (MAN - 2) * height
    return point_x(board, point), TOP + along if point > 12 else BOTTOM - along


def frame(board: Board) -> str:
    """The wood with its grain, the felt of both halves, the bar, the trays."""
    grain = (9, 21, 30, BOTTOM + 6, BOTTOM + 25, BOTTOM + 41, HEIGHT - 9)
    felt = "".join(
        box(x - 3, TOP - 3, HALF + 6, BOTTOM - TOP + 6, 4, WOOD_EDGE)
        + box(x, TOP, HALF, BOTTOM - TOP, 2, board.felt_edge)
        + box(x + 3, TOP + 3, HALF - 6, BOTTOM - TOP - 6, 2, board.felt)
        for x in (board.left, board.left + HALF + board.bar)
    )
    trays = "".join(
        box(tray.left - 2, TOP - 3, TRAY + 4, BOTTOM - TOP + 6, 5, WOOD_EDGE)
        + box(tray.left, TOP, TRAY, BOTTOM - TOP, 4, WOOD_DARK)
        + box(tray.left, MIDDLE_Y - 3, TRAY, 6, 0, WOOD)
        for tray in board.trays
    )
    return table_top(board.width, HEIGHT, 14, WOOD_EDGE, WOOD, (grain, WOOD_GRAIN)) + felt + trays


def _point(board: Board, point: int, starred: bool) -> str:
    """A point, light and dark in turn, with its number on the rim."""
    x = point_x(board, point)
    base, way, baseline = (TOP + 3, 1, TOP - 12) if point > 12 else (BOTTOM - 3, -1, BOTTOM + 25)
    colour = LIGHT_POINT if point % 2 else DARK_POINT
    return (
        f'<path d="M{x - 24:g} {base}L{x:g} {base + way * (POINT - 16)} {x + 24:g} {base}Z" fill="{colour}"/>'
        + text_path(str(point), x - (3 if starred else 0), baseline, 14.5, WOOD_LETTER)
        + (sign(STAR, x + 17, baseline - 6.5, GOLD, 0.62) if starred else "")
    )


def bar_wood(board: Board) -> str:
    """The wood between the halves, over what runs through."""
    hidden = box(board.left + HALF - 3, TOP - 3, board.bar + 6, BOTTOM - TOP + 6, 0, WOOD_EDGE)
    return hidden + box(board.left + HALF, TOP - 3, board.bar, BOTTOM - TOP + 6, 0, WOOD)


def number_on(x: float, y: float, number: int, height: float = 16) -> str:
    """A count on a man."""
    return circle(x, y, 13, INK) + text_path(str(number), x, y + height / 2, height, IVORY, pen=1.5)


def point_label(board: Board, state: Record, step: int) -> str:
    """``point 24, 2 red men``, by the first seat's step."""
    counts = int(state.men[0, step]), int(state.men[1, STEPS - 1 - step])
    names = [name.lower() for name in board.names]
    men = f"{counts[0]} {names[0]}" if counts[0] else f"{counts[1]} {names[1]}" if counts[1] else "no"
    return f"point {STEPS - step}, {men} {'man' if sum(counts) == 1 else 'men'}"


def men_on(board: Board, state: Record, step: int) -> str:
    """The men on the first seat's step, the uppermost with a number if there are more than fit."""
    point = STEPS - step
    for seat, place in enumerate((step, STEPS - 1 - step)):
        count = int(state.men[seat, place])
        if count:
            places = [man_at(board, point, height) for height in range(min(count, HIGHEST))]
            stack = "".join(use(board, board.letters[seat], x, y) for x, y in places[:-1])
            top = use(board, board.letters[seat], *places[-1])
            top += number_on(*places[-1], count) if count > HIGHEST else ""
            return stack + labelled(f"{board.prefix}-at-{point}", point_label(board, state, step), top)
    return ""


def _tray(board: Board, state: Record, tray: Tray) -> str:
    """Men lying flat in a tray, the first seat's below, the second's above; and its sign."""
    parts, x = [text_path(tray.sign, tray.left + TRAY / 2, BOTTOM + 25, 14.5, WOOD_LETTER)], tray.left
    for seat, name in enumerate(board.names):
        for k in range(int(state[tray.field][seat])):
            y = BOTTOM - 17 - 16.5 * k if seat == 0 else TOP + 3 + 16.5 * k
            parts.append(box(x + 7, y, TRAY - 14, 14, 4, MAN_RIM))
            parts.append(box(x + 8, y + 1, TRAY - 16, 12, 3.2, f"url(#{board.prefix}-{name.lower()})"))
    return "".join(parts)


def _ring(board: Board, state: Record, place: tuple[int, int] | None, gone: bool) -> str:
    """A ring round the uppermost man on a seat's step, or, dashed, where he was."""
    if place is None:
        return ""
    count = min(int(state.men[place]), HIGHEST)
    height = min(count, HIGHEST - 1) if gone else max(count - 1, 0)
    return ring_at(*man_at(board, point_of(place[1], place[0]), height), gone)


def ring_at(x: float, y: float, gone: bool) -> str:
    """A ring round a man, dashed where he was."""
    return svg_shapes.ring(x, y, MAN - 1, GREEN, 3.6, "7 5" if gone else "")


def _dice(board: Board, state: Record, die: Callable[[Board, float, float, int], str]) -> str:
    """The latest throw, at the right for the first seat and at the left for the second."""
    if state.dice[0] < 0:
        return ""
    x = board.left + HALF / 2 if state.to_act else board.right - HALF / 2
    return "".join(die(board, x + side * 38, MIDDLE_Y, face) for side, face in zip((-1, 1), state.dice.tolist()))


def die_with_pips(board: Board, x: float, y: float, face: int) -> str:
    """A die with its pips."""
    return die_with(board, x, y, "".join(circle(x + 15 * a, y + 15 * b, 5.2, INK) for a, b in FACES[face]))


def die_with(board: Board, x: float, y: float, upper: str) -> str:
    """A die; ``upper``: what its upper face shows, drawn in its place."""
    return svg_shapes.die(f"{board.prefix}-die-{x:g}", use(board, "die", x, y) + upper)


def _plaque(board: Board, state: Record, view: View, seat: int) -> str:
    """A seat's name, what it has to do, and the pips it has to go; bright when it is to act or has won."""
    acts = state.end == RUNNING and state.to_act == seat
    doing = f" wins{view.won}" if view.winner == seat else f" - {view.task}" if acts else ""
    words, to_go = board.names[seat].lower() + doing, f"{view.pips[seat]} pips"
    width = (board.right - board.left) / 2 - 14
    left = board.left if seat == 1 else board.right - width
    edge, fill, ink = (GOLD, "#f3e4bf", INK) if doing else (WOOD_EDGE, WOOD_DARK, WOOD_LETTER)
    room = width - 69 - text_width(to_go, 14.2)
    return (
        box(left, PLAQUE_Y - 12, width, 40, 8, edge)
        + box(left + 2.5, PLAQUE_Y - 9.5, width - 5, 35, 6, fill)
        + use(board, board.letters[seat], left + 24, PLAQUE_Y + 8, 0.5)
        + text_path(words, left + 42, PLAQUE_Y + 15, min(14.5, 14.5 * room / text_width(words, 14.5)), ink, "start")
        + text_path(to_go, left + width - 12, PLAQUE_Y + 15, 14.2, ink, "end")
    )


# --- letters ---


def _board_rows(state: Record, letters: str, last: Iterable[int]) -> list[str]:
    """The board in four lines, the first seat's numbering; the points ``last`` in brackets."""
    cells = dict.fromkeys(range(1, STEPS + 1), "  .  ")
    for word in write_points(state, letters):
        point, _, men = word.partition(":")
        cells[int(point)] = f" {men:<4}"
    for point_played in last:
        cells[point_played] = f"[{cells[point_played].strip()}]".ljust(5)
    rows: list[str] = []
    for points in (range(13, 25), range(12, 0, -1)):
        numbers = [f" {number:<4}" for number in points]
        places = [cells[number] for number in points]
        halves = [" ".join(row[:6]) + " | " + " ".join(row[6:]) for row in (numbers, places)]
        rows += halves if points[0] == 13 else reversed(halves)
    return [row.rstrip() for row in rows]
