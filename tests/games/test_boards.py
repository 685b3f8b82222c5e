"""Boards for every eye: pieces stand out from what they stand on and differ in more than colour; letters can be read
where a picture is 480 pixels wide."""

from __future__ import annotations

import re
from itertools import product
from xml.etree import ElementTree

import numpy as np
import pytest

from parlour.envs.acey_ducey import drawing as acey_ducey
from parlour.envs.agon import drawing as agon
from parlour.envs.backgammon import drawing as backgammon
from parlour.envs.checkers import drawing as checkers
from parlour.envs.crown_and_anchor import drawing as crown_and_anchor
from parlour.envs.royal_ur import drawing as royal_ur
from parlour.envs.swords_and_shields import drawing as swords_and_shields
from parlour.players.people.board import hit_areas
from parlour.rulebook import point_board
from tests.support.cases import PRINTED_GAMES
from tests.support.games import begun

# Machado, Oliveira, Fernandes 2009, severity 1, in linear RGB
EYES = {
    "usual": np.eye(3),
    "protanope": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranope": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanope": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
TEXT = re.compile(r'<path transform="translate\([^)]*\) scale\(([\d.]+)\)" d="M[^"]*"/>')
"""What `svg_text.text_path` draws, with its scale."""
WIDTH, SMALLEST = 480, 7.0
"""A picture's width, and the least height of a digit in it, in pixels."""


def luminance(colour: str, eye: str) -> float:
    """Of WCAG 2, as an eye sees the colour ``#rrggbb`` or ``#rgb``."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    values = np.array([int(digits[k : k + 2], 16) / 255 for k in (0, 2, 4)])
    linear = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    return float(np.clip(EYES[eye] @ linear, 0, 1) @ [0.2126, 0.7152, 0.0722])


def contrast(first: str, second: str, eye: str) -> float:
    low, high = sorted((luminance(first, eye), luminance(second, eye)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000", "#ffffff", "usual") == pytest.approx(21)
    assert contrast("#777777", "#fff", "usual") == pytest.approx(4.48, abs=0.01)
    assert contrast("#c0281f", "#1f5145", "protanope") < 1.5  # red men on green felt, as they once were


PIECES = {
    "acey_ducey": (
        [(point_board.MAN_RIM, point_board.MAN_EDGE)],
        [acey_ducey.FELT, point_board.LIGHT_POINT, point_board.DARK_POINT],
    ),
    "agon": ([("#5c4a2c", agon.IVORY), ("#0d0908",)], [*agon.RING_TINTS]),
    "backgammon": (
        [(point_board.MAN_RIM, point_board.MAN_EDGE)],
        [backgammon.FELT, point_board.LIGHT_POINT, point_board.DARK_POINT],
    ),
    "checkers": ([(checkers.RIM, "#0d0c0c"), (checkers.RIM,)], [checkers.GREEN]),
    "crown_and_anchor": ([(crown_and_anchor.INK,)], [crown_and_anchor.PAPER]),
    "royal_ur": (
        [("#6d5a34", royal_ur.IVORY), ("#d9e3f5", "#0c1220")],
        [royal_ur.SHELL, royal_ur.LAPIS, royal_ur.RED, royal_ur.TRAY_FLOOR],
    ),
    "swords_and_shields": ([("#5a0f0a",), ("#0c2146",), ("#472c05",)], [swords_and_shields.PAPER]),
}
"""The outlines of each game's pieces, from without inwards, as their definitions have them, and what they stand on."""


@pytest.mark.parametrize("game", PIECES)
def test_pieces_stand_out_for_every_eye(game: str) -> None:
    outlines, grounds = PIECES[game]
    for outline, ground, eye in product(outlines, grounds, EYES):
        assert max(contrast(colour, ground, eye) for colour in outline) >= 3, (game, outline, ground, eye)


def definition(svg: str, name: str) -> str:
    """The shape with an id, without its colours."""
    (found,) = (element for element in ElementTree.fromstring(svg).iter() if element.attrib.get("id") == name)
    text = ElementTree.tostring(found, "unicode").replace(name, "")
    return re.sub(r"#[0-9a-f]{3,6}|url\([^)]*\)", "", text)


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("acey_ducey", ("acd-r", "acd-b")),
        ("agon", ("agon-G", "agon-g")),
        ("agon", ("agon-Q", "agon-q")),
        ("backgammon", ("bg-w", "bg-b")),
        ("checkers", ("chk-ebony", "chk-ivory")),
        ("royal_ur", ("ur-l", "ur-d")),
        ("swords_and_shields", ("sas-s", "sas-o")),
    ],
)
def test_pieces_of_two_seats_differ_in_shape_or_mark(game: str, names: tuple[str, str]) -> None:
    env = begun(f"{game}-v0")
    first, second = (definition(env.svg(), name) for name in names)
    assert first != second


def test_chips_say_whose_they_are() -> None:
    chips = [crown_and_anchor._chip(seat, 3, 0, 0, False) for seat in range(12)]
    shapes = {re.sub("#[0-9a-f]{6}", "", chip) for chip in chips}
    assert len(shapes) == 12


def heights(svg: str) -> list[float]:
    """The heights of a digit in all texts of a picture, in a picture of 480 pixels."""
    width = float(re.search(r'width="([\d.]+)"', svg)[1])  # type: ignore[index]
    return [9 * float(scale) * WIDTH / width for scale in TEXT.findall(svg)]


@pytest.mark.parametrize("game", PRINTED_GAMES)
def test_letters_can_be_read(game: str) -> None:
    env = begun(game, 3)
    rng = np.random.default_rng(1)
    for _ in range(30):
        found = heights(env.svg())
        assert len(found) > 3
        assert min(found) >= SMALLEST
        if env.is_over():
            break
        env.step(int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))))


def test_agon_names_the_columns_of_both_halves() -> None:
    assert len(heights(agon._edge_letters().join(('<svg width="720">', "</svg>")))) == 11 + 2 * 11


@pytest.mark.parametrize("game", PRINTED_GAMES)
def test_what_stands_on_a_place_is_said_aloud(game: str) -> None:
    env = begun(game)
    svg = env.svg()
    assert 'role="img"' in svg
    assert re.search(r"<title>[^<]+ to act|<title>[^<]+ bets", svg)
    for area in hit_areas(env):
        if area.piece:
            assert f'<g id="{area.piece}"><title>{area.label}</title>' in svg
