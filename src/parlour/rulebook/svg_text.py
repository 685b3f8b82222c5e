"""Letters and digits as SVG strokes: shapes instead of a font, so that a picture looks the same everywhere.

A glyph is drawn with one pen of even width and round ends, on a grid whose unit is a ninth of a digit's height: the
baseline is y = 0, small letters reach up to −6, ascenders and digits to −9, descenders down to 3.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

KEPT = 4096
"""Texts that are not drawn anew each time: a board's labels are the same in every picture."""
GRID_HEIGHT = 9.0  # of a digit
GAP = 2.6  # between two glyphs, from outline to outline without the pen's width
PEN = 1.15  # the pen's width
SHARE_BEFORE = {"start": 0.0, "middle": 0.5, "end": 1.0}  # of the text's width, left of the point it is anchored to


class Glyph(NamedTuple):
    """The shape of one character."""

    width: float
    strokes: tuple[tuple[float, float, str], ...]
    """Each stroke: where the pen goes down, and relative path commands from there."""


ROUND = "a3 3 0 1 1 0 6a3 3 0 1 1 0-6"  # from the top of a bowl once round it

GLYPHS: dict[str, Glyph] = {
    " ": Glyph(2.0, ()),
    "-": Glyph(3.6, ((0, -3.6, "h3.6"),)),
    "a": Glyph(6.0, ((3, -6, ROUND), (6, -6, "v6"))),
    "b": Glyph(6.0, ((3, -6, ROUND), (0, -9, "v9"))),
    "c": Glyph(5.2, ((5.2, -5.04, "a3 3 0 1 0 0 4.08"),)),
    "d": Glyph(6.0, ((3, -6, ROUND), (6, -9, "v9"))),
    "e": Glyph(6.0, ((0.1, -3, "h5.9a3 3 0 1 0-.8 2.04"),)),
    "f": Glyph(3.9, ((3.9, -9, "h-.4a2.1 2.1 0 0 0-2.1 2.1v6.9"), (0, -6, "h3.4"))),
    "g": Glyph(6.0, ((3, -6, ROUND), (6, -6, "v6a3 3 0 0 1-5.5 1.66"))),
    "h": Glyph(5.0, ((0, -9, "v9"), (0, -3.2, "a2.5 2.8 0 0 1 5 0v3.2"))),
    "i": Glyph(0.0, ((0, -6, "v6"), (0, -8.7, "v.01"))),
    "j": Glyph(1.8, ((1.8, -6, "v7.2a1.8 1.8 0 0 1-1.8 1.8"), (1.8, -8.7, "v.01"))),
    "k": Glyph(4.6, ((0, -9, "v9"), (4.3, -6, "l-4.3 3.9"), (1.7, -3.6, "l2.9 3.6"))),
    "l": Glyph(0.0, ((0, -9, "v9"),)),
    "m": Glyph(8.0, ((0, -6, "v6"), (0, -3.6, "a2 2.4 0 0 1 4 0v3.6"), (4, -3.6, "a2 2.4 0 0 1 4 0v3.6"))),
    "n": Glyph(5.0, ((0, -6, "v6"), (0, -3.2, "a2.5 2.8 0 0 1 5 0v3.2"))),
    "o": Glyph(6.0, ((3, -6, ROUND),)),
    "p": Glyph(6.0, ((3, -6, ROUND), (0, -6, "v9"))),
    "q": Glyph(6.0, ((3, -6, ROUND), (6, -6, "v9"))),
    "r": Glyph(2.8, ((0, -6, "v6"), (0, -3, "a3 3 0 0 1 2.8-3"))),
    "s": Glyph(4.0, ((3.7, -5.1, "a1.9 1.5 0 1 0-1.7 2.1a1.9 1.5 0 1 1-1.8 2.05"),)),
    "t": Glyph(3.6, ((1.4, -8.4, "v6.6a1.8 1.8 0 0 0 1.8 1.8h.3"), (0, -6, "h3.4"))),
    "u": Glyph(5.0, ((0, -6, "v3.2a2.5 2.8 0 0 0 5 0"), (5, -6, "v6"))),
    "v": Glyph(5.0, ((0, -6, "l2.5 6 2.5-6"),)),
    "w": Glyph(7.6, ((0, -6, "l1.9 6 1.9-6 1.9 6 1.9-6"),)),
    "x": Glyph(4.8, ((0, -6, "l4.8 6"), (4.8, -6, "l-4.8 6"))),
    "y": Glyph(5.0, ((0, -6, "l2.6 5.8"), (5, -6, "l-3.9 9"))),
    "z": Glyph(4.6, ((0, -6, "h4.6l-4.6 6h4.6"),)),
    "0": Glyph(5.4, ((2.7, -9, "a2.7 4.5 0 1 1 0 9a2.7 4.5 0 1 1 0-9"),)),
    "1": Glyph(2.3, ((0, -7.3, "l2.3-1.7v9"),)),
    "2": Glyph(5.0, ((0.1, -6.5, "a2.5 2.5 0 1 1 4.42 1.6l-4.42 4.9h4.9"),)),
    "3": Glyph(4.9, ((0.6, -7.95, "a2.15 2.15 0 1 1 1.9 3.25a2.35 2.35 0 1 1-2.1 3.5"),)),
    "4": Glyph(5.5, ((4.1, 0, "v-9l-4.1 6.5h5.5"),)),
    "5": Glyph(5.1, ((4.6, -9, "h-3.5l-.6 3.95a2.85 2.85 0 1 1-.5 3.75"),)),
    "6": Glyph(5.5, ((4.2, -9, "c-2.3 2-4.2 4-4.2 6.25a2.75 2.75 0 1 0 5.5 0a2.75 2.75 0 1 0-5.5 0"),)),
    "7": Glyph(4.9, ((0, -9, "h4.9l-3.4 9"),)),
    "8": Glyph(4.8, ((2.4, -4.8, "a2.1 2.1 0 1 1 0-4.2a2.1 2.1 0 1 1 0 4.2a2.4 2.4 0 1 1 0 4.8a2.4 2.4 0 1 1 0-4.8"),)),
    "9": Glyph(5.5, ((1.3, 0, "c2.3-2 4.2-4 4.2-6.25a2.75 2.75 0 1 0-5.5 0a2.75 2.75 0 1 0 5.5 0"),)),
}


Label = tuple[str, float, float]
"""A text, and the point that it is anchored to."""


def text_path(
    text: str, x: float, y: float, height: float, colour: str, anchor: str = "middle", pen: float = PEN
) -> str:
    """``text``, of small letters, digits, spaces and hyphens, as one path on the baseline ``y``.

    ``height``: of a digit. ``anchor``: whether ``x`` is the text's ``start``, ``middle`` or ``end``, as in SVG.
    ``pen``: the pen's width in ninths of the height. Raises ValueError for a character that has no shape.
    """
    return text_paths([(text, x, y)], height, colour, anchor, pen)


def text_paths(labels: Iterable[Label], height: float, colour: str, anchor: str = "middle", pen: float = PEN) -> str:
    """Several texts as `text_path` draws one, in one group: the labels round a board."""
    paths = "".join(_path(*label, height, anchor) for label in labels)
    stroke = f'stroke="{colour}" stroke-width="{_number(pen)}" stroke-linecap="round" stroke-linejoin="round"'
    return f'<g fill="none" {stroke}>{paths}</g>'


@lru_cache(maxsize=KEPT)
def _path(text: str, x: float, y: float, height: float, anchor: str) -> str:
    if anchor not in SHARE_BEFORE:
        raise ValueError(f"anchor {anchor!r} is not valid; valid: {', '.join(SHARE_BEFORE)}")
    left = -SHARE_BEFORE[anchor] * text_width(text, GRID_HEIGHT)
    commands = []
    for character in text:
        glyph = _glyph(character)
        commands += [f"M{_number(left + over)} {_number(up)}{path}" for over, up, path in glyph.strokes]
        left += glyph.width + GAP
    place = f"translate({_number(x)} {_number(y)}) scale({height / GRID_HEIGHT:.4g})"
    return f'<path transform="{place}" d="{"".join(commands)}"/>'


def text_width(text: str, height: float) -> float:
    """How wide ``text`` is, the pen's width left out. Raises ValueError for a character that has no shape."""
    widths = [_glyph(character).width for character in text]
    return (sum(widths) + GAP * max(len(widths) - 1, 0)) * height / GRID_HEIGHT


def _glyph(character: str) -> Glyph:
    if character not in GLYPHS:
        small = character.lower()
        capital = f" (there are no capital letters: give {small!r})" if small in GLYPHS else ""
        raise ValueError(f"the character {character!r} has no shape{capital}; shapes: {''.join(GLYPHS)!r}")
    return GLYPHS[character]


def _number(value: float) -> str:
    """As short text, never ``-0``."""
    return f"{round(value, 2) + 0.0:g}"
