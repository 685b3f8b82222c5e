"""SVG pictures split into shapes, so that a shape that several pictures of a game have is rasterised once."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple
from xml.parsers.expat import ParserCreate


class Picture(NamedTuple):
    """The parts of a picture's text: within ``<svg …>``, ``definitions`` and all ``shapes`` draw the same picture."""

    definitions: str
    """Its ``<defs>``"""
    shapes: tuple[str, ...]
    """All other child elements but the ``<title>``, in the order in which they are drawn"""
    width: float
    height: float


def take_apart(svg: str) -> Picture:
    """The parts of a picture, slices of its text. xml.parsers.expat.ExpatError for text that is no XML."""
    parser, depth = ParserCreate(), 0
    starts: list[tuple[int, str]] = []  # of the child elements, and of "</svg>"
    size: dict[str, str] = {}

    def begin(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        if depth == 0:
            size.update(attributes)
        elif depth == 1:
            starts.append((parser.CurrentByteIndex, tag))
        depth += 1

    def finish(tag: str) -> None:
        nonlocal depth
        depth -= 1
        if depth == 0:
            starts.append((parser.CurrentByteIndex, ""))

    parser.StartElementHandler, parser.EndElementHandler = begin, finish
    encoded = svg.encode()
    parser.Parse(encoded, True)
    elements = [(tag, encoded[start:end].decode().strip()) for (start, tag), (end, _) in pairwise(starts)]
    return Picture(
        "".join(text for tag, text in elements if tag == "defs"),
        tuple(text for tag, text in elements if tag not in ("defs", "title")),
        float(size["width"]),
        float(size["height"]),
    )
