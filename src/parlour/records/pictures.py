"""SVG pictures split into shapes, so that those that pictures of a game share are stored or rasterised once."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple
from xml.parsers.expat import ParserCreate


class Picture(NamedTuple):
    """The parts of a picture's text: ``opening + definitions + all shapes + "</svg>"`` draws the same picture."""

    opening: str
    """The tag ``<svg …>``"""
    title: str
    """The content of its ``<title>``; empty if there is none"""
    definitions: str
    """Its ``<defs>``"""
    shapes: tuple[str, ...]
    """All other child elements, in the order in which they are drawn"""
    width: float
    height: float


def take_apart(svg: str) -> Picture:
    """The parts of a picture, slices of its text. xml.parsers.expat.ExpatError for text that is no XML."""
    parser, depth = ParserCreate(), 0
    starts: list[tuple[int, str]] = []
    size: dict[str, str] = {}
    title: list[str] = []

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

    def read(text: str) -> None:
        if depth == 2 and starts[-1][1] == "title":
            title.append(text)

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = begin, finish, read
    encoded = svg.encode()
    parser.Parse(encoded, True)
    elements = [(tag, encoded[start:end].decode().strip()) for (start, tag), (end, _) in pairwise(starts)]
    return Picture(
        encoded[: starts[0][0]].decode().strip(),
        "".join(title),
        "".join(text for tag, text in elements if tag == "defs"),
        tuple(text for tag, text in elements if tag not in ("defs", "title")),
        float(size["width"]),
        float(size["height"]),
    )
