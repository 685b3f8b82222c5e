"""Letters that are drawn as shapes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from parlour.interfaces.rendering import rasterise
from parlour.rulebook.svg_text import GAP, GLYPHS, GRID_HEIGHT, PEN, text_path, text_width
from tests.support.pictures import bounds


def ink(text: str, **arguments: Any) -> NDArray[np.bool_]:
    """Where a text is black: on the baseline y = 120, a unit of the grid being 10 pixels."""
    path = text_path(text, 200, 120, 10 * GRID_HEIGHT, "#000", **arguments)
    picture = f'<svg xmlns="http://www.w3.org/2000/svg" width="400" height="180" viewBox="0 0 400 180">{path}</svg>'
    return rasterise(picture)[:, :, 0] < 128


@pytest.mark.parametrize("character", [character for character in GLYPHS if character != " "])
def test_a_glyph_keeps_to_its_box(character: str) -> None:
    """Its width, and the lines that its kind of character has above and below."""
    left, top, right, bottom = bounds(ink(character, anchor="start"))
    pen = 10 * PEN
    assert left == pytest.approx(200 - pen / 2, abs=4)
    assert right == pytest.approx(200 + text_width(character, 10 * GRID_HEIGHT) + pen / 2, abs=6)
    highest = 3.6 if character == "-" else 6 if character in "acegmnopqrsuvwxyz" else 9
    lowest = 3.6 if character == "-" else -3 if character in "gjpqy" else 0
    slack = 6 if character in "ijt" else 2
    assert top == pytest.approx(120 - 10 * highest - pen / 2, abs=slack)
    assert bottom == pytest.approx(120 - 10 * lowest + pen / 2, abs=2)


def test_glyphs_are_told_apart() -> None:
    shapes = {character: ink(character, anchor="start") for character in GLYPHS}
    assert not shapes[" "].any()
    assert set("abcdefghijklmnopqrstuvwxyz0123456789- ") <= set(shapes)
    for first in shapes:
        for second in shapes:
            if first < second:
                assert (shapes[first] ^ shapes[second]).sum() > 150, first + second


def test_text_stands_where_it_is_anchored() -> None:
    width = text_width("ot", 10 * GRID_HEIGHT)
    places = {anchor: bounds(ink("ot", anchor=anchor)) for anchor in ("start", "middle", "end")}
    assert places["middle"][0] - places["start"][0] == pytest.approx(-width / 2, abs=1.5)
    assert places["end"][0] - places["start"][0] == pytest.approx(-width, abs=1.5)
    assert bounds(ink("ot")) == places["middle"]
    assert {place[1::2] for place in places.values()} == {places["start"][1::2]}


def test_text_width() -> None:
    assert text_width("", 9) == 0
    assert text_width("ab", 9) == pytest.approx(GLYPHS["a"].width + GAP + GLYPHS["b"].width)
    assert text_width("ab", 18) == pytest.approx(2 * text_width("ab", 9))
    assert bounds(ink("nn", anchor="start"))[2] - bounds(ink("n", anchor="start"))[2] == pytest.approx(
        10 * (GLYPHS["n"].width + GAP), abs=1
    )


@pytest.mark.parametrize("text", ["é", "A", "a_b", "½", "\n", "12%", "♕"])
def test_a_character_without_a_shape_is_named(text: str) -> None:
    strange = next(character for character in text if character not in GLYPHS)
    for call in (lambda: text_path(text, 0, 0, 9, "#000"), lambda: text_width(text, 9)):
        with pytest.raises(ValueError, match="has no shape") as caught:
            call()
        assert repr(strange) in str(caught.value)
        assert "".join(GLYPHS) in str(caught.value)


def test_a_capital_letter_is_told_its_small_one() -> None:
    with pytest.raises(ValueError, match=r"'Q' has no shape \(there are no capital letters: give 'q'\)"):
        text_path("Queen", 0, 0, 9, "#000")
    with pytest.raises(ValueError, match="'É' has no shape; shapes"):
        text_path("É", 0, 0, 9, "#000")


def test_an_anchor_that_there_is_not_is_named() -> None:
    with pytest.raises(ValueError, match=r"anchor 'left' is not valid; valid: start, middle, end"):
        text_path("a", 0, 0, 9, "#000", anchor="left")
