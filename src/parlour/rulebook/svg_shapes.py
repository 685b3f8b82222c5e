"""Shapes that the pictures of several games share, as SVG text. Lengths are in pixels of the picture's own size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from parlour.rulebook.protocol import MAX_PLIES, RUNNING, HitArea, Record
from parlour.rulebook.svg_text import text_path

STAR = "M0-11L2.9-4 10.5-3.4 4.7 1.5 6.5 8.9 0 4.9-6.5 8.9-4.7 1.5-10.5-3.4-2.9-4Z"
"""Who has won: a path round the point (0, 0)."""
TO_THE_LEFT, TO_THE_RIGHT = "M7-8L-8 0 7 8Z", "M-7-8L8 0-7 8Z"
"""Whose turn it is."""
EQUALS_SIGN, PAUSE_SIGN = "M-8-6H8V-2H-8ZM-8 2H8V6H-8Z", "M-6-8H-2V8H-6ZM2-8H6V8H2Z"
"""A draw; a truncated game."""
RIM = 1.6
"""The width of a medallion's edge."""
FACES = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
"""Where the spots of a die's faces are, in steps to the right and down from the middle."""


class Plaques(NamedTuple):
    """How the plaques of two seats look, which lie side by side. The second is the mirror image of the first."""

    lefts: tuple[float, float]
    top: float
    width: float
    height: float
    corner: float
    """The radius of the corners."""
    emblem: tuple[float, float]
    """The middle of the emblem: from the outer edge, and from the middle line down."""
    words: tuple[float, float, float]
    """Where a seat's words begin, from the outer edge and from the top down; their height."""
    pips: tuple[float, float]
    """From pip to pip; a pip's radius."""
    lit: tuple[str, str, str]
    """Edge, fill and letters of the seat that is to act or has won."""
    unlit: tuple[str, str, str]
    """The same of the other seat."""
    opacity: float = 1.0
    """Of all on the plaque of the other seat."""


class SeatView(NamedTuple):
    """What a plaque tells of its seat."""

    emblem: str
    """Shapes round the point (0, 0)."""
    words: str
    pips: Sequence[str]
    """One for each piece that the seat began with: its colour, or empty if it is gone."""


class Place(NamedTuple):
    """A place of a board that people can click, with what stands on it."""

    name: str
    """as in moves: ``c4``"""
    label: str
    """for screen readers: ``c4, light guard``"""
    middle: tuple[float, float]
    size: float
    """its width and height"""
    piece: str = ""
    """the shapes of what stands there, in its place; empty: nothing does"""
    round: bool = False


def pieces(prefix: str, places: Iterable[Place]) -> str:
    """What stands on the places, each piece with an id such as ``agon-at-c4``."""
    return "".join(labelled(f"{prefix}-at-{place.name}", place.label, place.piece) for place in places if place.piece)


def place_areas(prefix: str, places: Iterable[Place]) -> list[HitArea]:
    """The places as areas to click, for a drawing's ``hit_areas``; ``prefix`` as in `pieces`."""
    return [
        HitArea(name, label, *middle, size, size, round, f"{prefix}-at-{name}" if piece else "")
        for name, label, middle, size, piece, round in places
    ]


def picture(width: float, height: float, title: str, parts: Iterable[str]) -> str:
    """The whole SVG: an image that is called ``title``, with the parts that aren't empty, one a line."""
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">'
    return "\n".join(part for part in (opening, f"<title>{escape(title)}</title>", *parts, "</svg>") if part)


def labelled(name: str, title: str, content: str) -> str:
    """A group with an id, and a title that screen readers read and browsers show as a tooltip: a piece on its place."""
    return f'<g id="{name}"><title>{escape(title)}</title>{content}</g>'


def die(name: str, content: str) -> str:
    """A group for one die that lies thrown, with an id such as ``ur-die-0``: by ``-die-`` pages know what tumbles."""
    return f'<g id="{name}">{content}</g>'


def circle(x: float, y: float, radius: float, colour: str, style: str = "") -> str:
    """A disc round (x, y); ``style``: further attributes."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{colour}"{style and " " + style}/>'


def ring(x: float, y: float, radius: float, colour: str, width: float, dashes: str = "") -> str:
    """A circle's line; ``dashes``: the lengths of dashes and gaps, empty for a whole line."""
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return circle(x, y, radius, "none", f'stroke="{colour}" stroke-width="{width:g}"{dashed}')


def box(x: float, y: float, width: float, height: float, radius: float, colour: str, style: str = "") -> str:
    """A rectangle with rounded corners; (x, y) is its upper left. ``style``: further attributes."""
    size = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}"'
    return f'<rect {size} fill="{colour}"{style and " " + style}/>'


def sign(path: str, x: float, y: float, colour: str, scale: float = 1) -> str:
    """A path round the point (0, 0), such as `STAR`, drawn at (x, y)."""
    return f'<path d="{path}" transform="{_at(x, y, scale)}" fill="{colour}"/>'


def use(shape: str, x: float, y: float, scale: float = 1) -> str:
    """The shape with the id ``shape`` of the picture's definitions, at (x, y)."""
    place = f'x="{x:g}" y="{y:g}"' if scale == 1 else f'transform="{_at(x, y, scale)}"'
    return f'<use href="#{shape}" {place}/>'


def _at(x: float, y: float, scale: float = 1) -> str:
    return f"translate({x:g} {y:g})" + ("" if scale == 1 else f" scale({scale:g})")


def gradient(name: str, top: str, bottom: str) -> str:
    """A definition: a colour, ``url(#name)``, that changes from ``top`` to ``bottom``."""
    stops = f'<stop stop-color="{top}"/><stop offset="1" stop-color="{bottom}"/>'
    return f'<linearGradient id="{name}" x2="0" y2="1">{stops}</linearGradient>'


def table_top(
    width: float, height: float, corner: float, edge: str, wood: str, grain: tuple[Iterable[float], str] = ((), "")
) -> str:
    """The wood under a whole picture, with an edge of 2 pixels; ``grain``: how far down its lines are, their colour."""
    lines = "".join(f"M3 {down:g}H{width - 3:g}" for down in grain[0])
    return (
        box(0, 0, width, height, corner, edge)
        + box(2, 2, width - 4, height - 4, corner - 1.5, wood)
        + (f'<path d="{lines}" stroke="{grain[1]}" stroke-width="2" shape-rendering="crispEdges"/>' if lines else "")
    )


def wedge(source: tuple[float, float], target: tuple[float, float], away: float, narrow: float, wide: float) -> str:
    """A path from ``away`` of ``source``, horizontally, vertically or aslant, that widens towards ``target``.

    ``narrow`` and ``wide``: half its widths there.
    """
    (x0, y0), (x1, y1) = source, target
    right, down = (x1 > x0) - (x1 < x0), (y1 > y0) - (y1 < y0)
    x0, y0 = x0 + away * right, y0 + away * down
    corners = ((x0, y0, narrow), (x1, y1, wide), (x1, y1, -wide), (x0, y0, -narrow))
    return "M" + "L".join(f"{x - aside * down:g} {y + aside * right:g}" for x, y, aside in corners) + "Z"


def plate(x: float, y: float, width: float, height: float, radius: float, edge: str, fill: str) -> str:
    """A box with an edge of 3 pixels."""
    inner = box(x + 3, y + 3, width - 6, height - 6, radius - 2.5, fill)
    return box(x, y, width, height, radius, edge) + inner


def medallion(state: Record, won: bool, x: float, y: float, radius: float, colour: str, ground: str) -> str:
    """A disc between the names of two seats, the first at its left, with a sign in it.

    The sign is a pointer to the seat to act while the game runs. After the end it is a star if a seat has ``won``, two
    bars if `max_plies` truncated the game, and ``=`` for a draw.
    """
    if state.end == RUNNING:
        path = TO_THE_LEFT if state.to_act == 0 else TO_THE_RIGHT
    elif state.end == MAX_PLIES:
        path = PAUSE_SIGN
    else:
        path = STAR if won else EQUALS_SIGN
    return circle(x, y, radius, colour) + circle(x, y, radius - RIM, ground) + sign(path, x, y, colour)


def plaques(style: Plaques, state: Record, winner: int | None, views: Sequence[SeatView]) -> str:
    """Each seat's emblem, words and pips, bright if it is to act or has won; a `medallion` between them."""
    parts, middle = [], style.top + style.height / 2
    centre = (sum(style.lefts) + style.width) / 2
    for seat, (left, view) in enumerate(zip(style.lefts, views)):
        lit = winner == seat or (state.end == RUNNING and state.to_act == seat)
        edge, fill, ink = style.lit if lit else style.unlit
        start, inward = (left, 1) if seat == 0 else (left + style.width, -1)
        words = start + inward * style.words[0]
        emblem = _at(start + inward * style.emblem[0], middle + style.emblem[1])
        parts += [
            plate(left, style.top, style.width, style.height, style.corner, edge, fill),
            f'<g opacity="{1 if lit else style.opacity}"><g class="upright" transform="{emblem}">{view.emblem}</g>',
            text_path(view.words, words, style.top + style.words[1], style.words[2], ink, ("start", "end")[seat]),
            *_pips(view.pips, words + 4 * inward, middle + 12, style.pips[0] * inward, style.pips[1], ink),
            "</g>",
        ]
    return "".join((*parts, medallion(state, winner is not None, centre, middle, 17, style.lit[0], style.unlit[0])))


def _pips(colours: Sequence[str], x: float, y: float, step: float, radius: float, edge: str) -> Iterable[str]:
    """A disc with an edge for each piece, a speck for one that is gone."""
    places = [(f"M{x + k * step:g} {y:g}h.01", colour) for k, colour in enumerate(colours)]
    yield _dots([place for place, colour in places if colour], radius, edge)
    yield _dots([place for place, colour in places if not colour], 1.6, edge)
    for colour in dict.fromkeys(filter(None, colours)):
        yield _dots([place for place, own in places if own == colour], radius - 1.2, colour)


def _dots(places: Sequence[str], radius: float, colour: str) -> str:
    """Discs as one path, by the round ends of strokes without length: much shorter than one `circle` each."""
    style = f'fill="none" stroke="{colour}" stroke-width="{2 * radius:g}" stroke-linecap="round"'
    return f'<path d="{"".join(places)}" {style}/>' if places else ""
