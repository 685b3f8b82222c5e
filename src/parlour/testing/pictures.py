"""Checks of pictures: they are self-contained, drawn with shapes alone, and the same for the same state."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from parlour.interfaces.rendering import rasterise
from parlour.testing.comparing import require, require_same
from parlour.testing.subject import Subject

SVG, XLINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}"
REFUSED = ("text", "tspan", "textPath", "style", "image", "script", "foreignObject")
NUMERIC = re.compile(
    r"[rxyd]|[cdfr][xy]|[xy][12]|width|height|viewBox|points|transform|offset|opacity|(?:fill|stroke|stop)-opacity|"
    r"stroke-(?:width|dasharray|dashoffset|miterlimit)|stdDeviation"
)
"""Attributes that hold numbers; others hold words."""
NO_NUMBER = re.compile(r"nan|inf", re.IGNORECASE)
UPRIGHT = "upright"
"""The class of a shape that stays upright where a page turns the board."""
EVERY, GAMES = 8, 3


def check_pictures(subject: Subject) -> None:
    """Each picture is well-formed, needs no font and loads nothing; drawing does not change the game."""
    for seed in range(min(subject.games, GAMES)):
        for env in subject.play(seed):
            if env.games.states["plies"][0] % EVERY and not env.is_over():
                continue
            before = env.games.states.tobytes(), env.position()
            picture, text = env.svg(), env.ansi()
            require_svg(picture)
            require(text.strip(), "ansi() shows nothing")
            require(text.isascii(), "ansi() holds characters beyond ASCII")
            require_same("the picture of a clone", env.clone().svg(), picture)
            require_same("the game after it was drawn", (env.games.states.tobytes(), env.position()), before)


def check_pixels(subject: Subject) -> None:
    """Pictures can be rasterised at their own size, and have more than one colour."""
    *_, env = subject.play(1, plies=3)
    picture = env.svg()
    root = ElementTree.fromstring(picture)
    pixels = rasterise(picture)
    require_same("the size in pixels", pixels.shape, (int(root.attrib["height"]), int(root.attrib["width"]), 3))
    require(bool((pixels != pixels[0, 0]).any()), "the picture is of one colour")


def require_svg(text: str) -> None:
    """AssertionError for a picture that is not well-formed, needs a font, fetches something or refers to nothing."""
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise AssertionError(f"the picture is not well-formed: {error}") from None
    require_same("the picture's root", root.tag, f"{SVG}svg")
    tags = {element.tag for element in root.iter()}
    for name in REFUSED:
        require(f"{SVG}{name}" not in tags, f"the picture has an element <{name}>")
    require(all(tag.startswith(SVG) for tag in tags), "the picture has elements that are not SVG's")
    width, height = map(float, root.attrib["viewBox"].split()[2:])
    size = float(root.attrib["width"]), float(root.attrib["height"])
    require_same("width and height", size, (width, height))
    ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    require_same("the number of different ids", len(set(ids)), len(ids))
    for element in root.iter():
        refused = {"style", f"{XLINK}href"} & set(element.attrib)
        require(not refused, f"an element has the attribute {', '.join(refused)}")
        fonts = [name for name in element.attrib if name.startswith("font")]
        require(not fonts, f"the picture asks for a font by {fonts}; rulebook.svg_text draws letters as shapes")
        for name, value in element.attrib.items():
            number = NO_NUMBER.search(value) if NUMERIC.fullmatch(name) else None
            require(number is None, f"a number of the picture is {number and number[0]}: {name}={value!r:.80}")
        kind = element.attrib.get("class", UPRIGHT)
        require(kind == UPRIGHT, f"an element has the class {kind!r}; the only one that pages know is {UPRIGHT!r}")
        if "href" in element.attrib:
            require(element.attrib["href"].removeprefix("#") in ids, f"href={element.attrib['href']!r} leads nowhere")
    references = set(re.findall(r"url\(([^)]*)\)", text))
    require({f"#{name}" for name in ids} >= references, f"{sorted(references)} are not all ids of the picture")
