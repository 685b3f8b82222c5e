"""Option values: what variants stand for, defaults that hang on other values, and what is refused by name."""

from __future__ import annotations

from typing import Any

import pytest

import parlour
from tests.games.acey_ducey.variants import VARIANT_OPTIONS as OF_ACEY_DUCEY
from tests.games.agon.variants import VARIANT_OPTIONS as OF_AGON
from tests.games.backgammon.variants import VARIANT_OPTIONS as OF_BACKGAMMON
from tests.games.royal_ur.variants import VARIANT_OPTIONS as OF_ROYAL_UR
from tests.games.swords_and_shields.variants import VARIANT_OPTIONS as OF_SWORDS_AND_SHIELDS
from tests.reference.crown_and_anchor import VARIANTS as OF_CROWN_AND_ANCHOR
from tests.support.cases import PRINTED_GAMES

AGON, CHECKERS, SWORDS = "agon-v0", "checkers-v0", "swords_and_shields-v0"
ACEY, BACKGAMMON, CROWN, UR = "acey_ducey-v0", "backgammon-v0", "crown_and_anchor-v0", "royal_ur-v0"
VARIANTS: dict[str, dict[str, dict[str, Any]]] = {
    ACEY: OF_ACEY_DUCEY,
    AGON: OF_AGON,
    BACKGAMMON: OF_BACKGAMMON,
    CHECKERS: {"american": {"draw_rule": "wcdf"}, "openspiel": {"draw_rule": "openspiel"}},
    CROWN: OF_CROWN_AND_ANCHOR,
    SWORDS: OF_SWORDS_AND_SHIELDS,
    UR: OF_ROYAL_UR,
}
"""Typed from the rules; the referees, which know options alone, play by them."""


@pytest.mark.parametrize("game", PRINTED_GAMES)
def test_variants_are_option_values(game: str) -> None:
    assert list(VARIANTS[game]) == list(parlour.variants(game))
    for variant, options in VARIANTS[game].items():
        assert parlour.make(game, variant=variant).values == parlour.make(game, **options).values


@pytest.mark.parametrize(
    ("game", "given", "expected"),
    [
        (SWORDS, {}, {"throne_hostile": "chief", "chief_beside_throne": "one", "escape": "edge", "repeats": "draw"}),
        (SWORDS, {"variant": "tablut", "throne_hostile": "chief"}, {"chief_beside_throne": "three", "escape": "edge"}),
        (SWORDS, {"variant": "tablut", "max_plies": 7}, {"throne_hostile": "all", "repetition": 3}),
        (CHECKERS, {"draw_rule": "wcdf"}, {"repetition": 3, "max_plies": 0}),
        (CHECKERS, {"draw_rule": "openspiel"}, {"repetition": 0, "max_plies": 1000}),
        (CHECKERS, {"draw_rule": "none"}, {"repetition": 0, "max_plies": 1000}),
        (CHECKERS, {"draw_rule": "openspiel", "repetition": 3}, {"max_plies": 1000}),
        (CHECKERS, {"draw_rule": "none", "max_plies": 0}, {"repetition": 0}),
        (CHECKERS, {"variant": "openspiel", "draw_rule": "wcdf"}, {"repetition": 3, "max_plies": 0}),
        (CHECKERS, {"repetition": 0, "max_plies": 7}, {"draw_rule": "wcdf"}),
        (CROWN, {"variant": "gross", "payout": "net"}, {"bets": "one", "bank": "unlimited"}),
        (UR, {"variant": "finkel"}, {"men": 7, "safe_rosettes": True, "capture_throws": False}),
        (UR, {"variant": "masters"}, {"men": 7, "safe_rosettes": False, "capture_throws": False}),
        (UR, {"variant": "blitz"}, {"men": 5, "safe_rosettes": False, "capture_throws": True}),
        (UR, {"variant": "aseb"}, {"men": 5, "safe_rosettes": True, "capture_throws": False}),
    ],
)
def test_values(game: str, given: dict[str, Any], expected: dict[str, Any]) -> None:
    """“Any option can be given on top of” a variant; a given value holds."""
    values = parlour.make(game, **given).values
    for name, value in (expected | given).items():
        assert name == "variant" or values[name] == value, name


NAN, INFINITY = float("nan"), float("inf")
WRONG: dict[tuple[str, str], list[Any]] = {
    (ACEY, "dog_house_penalty"): [-0.1, NAN, INFINITY, True, "1", None],
    (CROWN, "players"): [1, 13, 0, -1, 2.0, True, "4", None],
    (CROWN, "max_stake"): [0, -1, True, 1.0, "5", 5462],
    (CROWN, "start_chips"): [0, -1, True, 0.5],
    (CROWN, "rounds"): [0, -1, True],
    (CROWN, "bets"): ["two", 1, None],
    (CROWN, "sit_out"): [1, 0, "True", None],
    (CROWN, "payout"): ["half", 0],
    (CROWN, "bank"): ["none", True],
    (CROWN, "max_plies"): [-1, True],
    (CROWN, "repetition"): [0, 3],  # no option of a game with dice
    ("pig-v0", "fine"): [-1, NAN, INFINITY, "1", True],
    ("pig-v0", "snake_eyes"): [1],
}


@pytest.mark.parametrize(
    ("game", "option", "value"), [(*key, value) for key, values in WRONG.items() for value in values]
)
def test_wrong_values_are_refused_by_the_name_of_their_option(game: str, option: str, value: Any) -> None:
    with pytest.raises(ValueError, match=option):
        parlour.make(game, **{option: value})


NOT_IN_BLOODY_QUEEN = {
    "geometry": "line", "entering": "trapped", "guard_goes": "outer", "queen_goes": "outer",
    "queen_placed_by": "opponent",
}  # fmt: skip


@pytest.mark.parametrize(
    ("game", "given", "parts"),
    [
        (SWORDS, {"variant": "chess"}, ["chess", "milton_bradley", "tablut", "corner_escape"]),
        (SWORDS, {"variant": 3}, ["3", "milton_bradley"]),
        (SWORDS, {"escap": "edge"}, ["escap", "throne_hostile", "escape", "max_plies"]),
        (SWORDS, {"escape": "side"}, ["escape", "side", "edge", "corner"]),
        (SWORDS, {"escape": 0}, ["escape", "0", "edge"]),
        (SWORDS, {"escape": None}, ["escape", "None", "edge"]),
        (SWORDS, {"escape": "Corner"}, ["escape", "'Corner'", "'corner'"]),
        (SWORDS, {"max_plies": -1}, ["max_plies", "-1"]),
        (SWORDS, {"max_plies": True}, ["max_plies", "True"]),
        (SWORDS, {"max_plies": 4.0}, ["max_plies", "4.0"]),
        (SWORDS, {"max_plies": 2**31}, ["max_plies", "2147483647"]),
        (SWORDS, {"max_plies": "400"}, ["max_plies", "'400'"]),
        (SWORDS, {"repetition": 1}, ["repetition", "1", "from 2"]),
        (SWORDS, {"repetition": True}, ["repetition", "True"]),
        (SWORDS, {"render_mode": "gif"}, ["gif", "rgb_array", "human", "ansi", "svg"]),
        (SWORDS, {"illegal_move": "ignore"}, ["ignore", "terminate", "raise"]),
        (CHECKERS, {"draw_rule": "fide"}, ["draw_rule", "'fide'", "wcdf", "openspiel", "none"]),
        (CHECKERS, {"flying_kings": True}, ["'flying_kings'", "draw_rule"]),
        *(
            (AGON, {**bloody, option: value}, [f"'{option}' and 'capture' contradict"])
            for option, value in NOT_IN_BLOODY_QUEEN.items()
            for bloody in ({"variant": "bloody_queen"}, {"capture": "bloody"})
        ),
        *(
            (AGON, {"variant": variant, "relocated_by": "owner"}, ["'relocated_by' and 'capture' contradict"])
            for variant in OF_AGON
            if variant != "bloody_queen"
        ),
    ],
)
def test_bad_arguments_are_named(game: str, given: dict[str, Any], parts: list[str]) -> None:
    """“an unknown variant, option or value is a `ValueError` that names what was given and lists what is possible”."""
    with pytest.raises(ValueError) as caught:
        parlour.make(game, **given)
    for part in parts:
        assert part in str(caught.value)


@pytest.mark.parametrize("option", NOT_IN_BLOODY_QUEEN)
def test_what_contradicts_elsewhere_may_be_given_alone(option: str) -> None:
    parlour.make(AGON, **{option: NOT_IN_BLOODY_QUEEN[option]})
