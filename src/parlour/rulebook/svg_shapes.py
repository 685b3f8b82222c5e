"""Shapes that the pictures of several games share, as SVG text. Lengths are in pixels of the picture's own size."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from parlour.rulebook.protocol import MAX_PLIES, RUNNING, Record

STAR = "M0-11L2.9-4 10.5-3.4 4.7 1.5 6.5 8.9 0 4.9-6.5 8.9-4.7 1.5-10.5-3.4-2.9-4Z"
"""Who has won: a path round the point (0, 0)."""
TO_THE_LEFT, TO_THE_RIGHT = "M7-8L-8 0 7 8Z", "M-7-8L8 0-7 8Z"
"""Whose turn it is."""
EQUALS_SIGN, PAUSE_SIGN = "M-8-6H8V-2H-8ZM-8 2H8V6H-8Z", "M-6-8H-2V8H-6ZM2-8H6V8H2Z"
"""A draw; a truncated game."""
RIM = 1.6
"""The width of a medallion's edge."""


def picture(width: float, height: float, title: str, parts: Iterable[str]) -> str:
    """The whole SVG: an image that is called ``title``, with the parts that aren't empty, one a line."""
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">'
    return "\n".join(part for part in (opening, f"<title>{escape(title)}</title>", *parts, "</svg>") if part)


def labelled(name: str, title: str, content: str) -> str:
    """A group with an id and a title, which screen readers read and browsers show as a tooltip: a piece on its
    place."""
    return f'<g id="{name}"><title>{escape(title)}</title>{content}</g>'


def circle(x: float, y: float, radius: float, colour: str) -> str:
    """A disc round (x, y)."""
    return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{colour}"/>'


def box(x: float, y: float, width: float, height: float, radius: float, colour: str) -> str:
    """A rectangle with rounded corners; (x, y) is its upper left."""
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}" fill="{colour}"/>'


def use(shape: str, x: float, y: float, scale: float = 1) -> str:
    """The shape with the id ``shape`` of the picture's definitions, at (x, y)."""
    size = "" if scale == 1 else f" scale({scale})"
    return f'<use href="#{shape}" transform="translate({x} {y}){size}"/>'


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
        sign = TO_THE_LEFT if state.to_act == 0 else TO_THE_RIGHT
    elif state.end == MAX_PLIES:
        sign = PAUSE_SIGN
    else:
        sign = STAR if won else EQUALS_SIGN
    disc = circle(x, y, radius, colour) + circle(x, y, radius - RIM, ground)
    return f'{disc}<path d="{sign}" transform="translate({x} {y})" fill="{colour}"/>'
