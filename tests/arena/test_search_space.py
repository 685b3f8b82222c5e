"""The combinations of option values that an exploration plays."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import pytest

from parlour.arena.study.plans import SavedExploration
from parlour.arena.study.search_space import parse_options, read_space
from parlour.interfaces.registry import find
from parlour.support.typed_json import decode_json
from tests.arena.explorations import plan_of


def test_what_has_no_effect_is_one_combination() -> None:
    space = read_space(find("agon"), None, {"max_plies": 90}, {"capture": None, "geometry": None, "repetition": None})
    assert [space.shown(ruleset) for ruleset in space.rulesets] == [
        ("relocate", "line", "0"), ("relocate", "line", "3"), ("relocate", "ring", "0"), ("relocate", "ring", "3"),
        ("bloody", "–", "0"), ("bloody", "–", "3"),
    ]  # fmt: skip
    assert {ruleset.values["max_plies"] for ruleset in space.rulesets} == {90}
    assert (space.left_out, space.warnings) == ({}, [])
    assert space.same == {"geometry has no effect with capture='bloody'": 4}
    assert [space.variant_of(ruleset) for ruleset in space.rulesets] == ["classic", "", "", "", "bloody_queen", ""]
    assert space.indices["bloody", "line", 3] == space.indices["bloody", "ring", 3] == 5
    assert len(space.indices) == 8
    assert [len(space.changed(ruleset)) for ruleset in space.rulesets] == [0, 1, 1, 2, 1, 2]
    for ruleset in space.rulesets:  # each can be made by what it says
        assert space.game.resolve(ruleset.variant, ruleset.overrides)[1] == ruleset.values


@pytest.mark.parametrize(
    ("game", "variant", "fixed", "options", "shown"),
    [
        (  # an option that is the same in all combinations
            "agon", None, {"geometry": "ring"}, {"capture": None, "touch_move": None},
            [("relocate", "False"), ("relocate", "True"), ("bloody", "False"), ("bloody", "True")],
        ),
        (  # several options, of which the game names one at a time
            "agon", "ring", {},
            {"relocated_by": None, "capture": None, "geometry": None, "queen_goes": ["outer", "anywhere"]},
            [("–", "relocate", "line", "outer"), ("–", "relocate", "line", "anywhere"),
             ("–", "relocate", "ring", "outer"), ("–", "relocate", "ring", "anywhere"),
             ("trapper", "bloody", "–", "–"), ("owner", "bloody", "–", "–")],
        ),
        (  # refused by its value, not because it was given
            "swords_and_shields", None, {}, {"repeats": ["draw", "loses"], "repetition": [0, 3]},
            [("–", "0"), ("draw", "3"), ("loses", "3")],
        ),
    ],
)  # fmt: skip
def test_options_without_effect_anywhere(
    game: str, variant: str | None, fixed: dict[str, Any], options: dict[str, Any], shown: list[tuple[str, ...]]
) -> None:
    space = read_space(find(game), variant, fixed, options)
    assert [space.shown(ruleset) for ruleset in space.rulesets] == shown
    assert space.fixed == fixed
    assert not space.warnings
    assert len(space.indices) == math.prod(map(len, space.options.values()))
    for ruleset in space.rulesets:
        assert space.game.resolve(ruleset.variant, ruleset.overrides)[1] == ruleset.values


def test_the_variant_itself_is_found_where_an_option_has_no_effect() -> None:
    options = {"capture": None, "queen_goes": ["outer", "next_ring"]}
    space = read_space(find("agon"), "bloody_queen", {}, options)
    assert space.unchanged is not None
    assert space.shown(space.rulesets[space.unchanged]) == ("bloody", "–")
    assert read_space(find("agon"), None, {}, options).unchanged is None


def test_options_are_read_from_text() -> None:
    assert parse_options(find("agon"), "geometry,repetition=0/3,touch_move=true/false") == {
        "geometry": None, "repetition": [0, 3], "touch_move": [True, False]
    }  # fmt: skip


@pytest.mark.parametrize(
    ("options", "fixed", "parts"),
    [
        ({"colour": None}, {}, ["'colour'", "'goal'"]),
        ({"goal": None}, {}, ["'goal' is a number", "goal=1/2/3"]),
        ({"goal": [5]}, {}, ["needs two values or more"]),
        ({"goal": [5, "x"]}, {}, ["'goal'", "'x'"]),
        ({"goal": [5, 6]}, {"goal": 7}, ["both fixed and varied"]),
        ({"goal": range(5, 5000)}, {}, ["4096", "4995"]),
        (
            {"goal": range(5, 2500), "snake_eyes": None, "bank": None},
            {},
            [
                "not 9980",
                "without 'goal' it would be 4",
                "each option alone (--each, in Python each=True) would be 2497",
            ],
        ),
        ({"players": [2, 3]}, {}, ["different numbers of seats", "[2, 3]"]),
        ({}, {}, ["2 to 4096", "not 1"]),
    ],
)
def test_spaces_that_are_refused(options: dict[str, Any], fixed: dict[str, Any], parts: Sequence[str]) -> None:
    with pytest.raises(ValueError) as caught:
        read_space(find("pig"), None, fixed, options)
    for part in parts:
        assert part in str(caught.value)


def test_a_space_of_contradictions_is_refused() -> None:
    with pytest.raises(ValueError, match="'capture' contradict"):
        read_space(find("agon"), "bloody_queen", {}, {"geometry": None})


def test_each_option_alone() -> None:
    """The variant as it is, and every other value of an option, whatever the user's list begins with."""
    options = {"capture": None, "geometry": None, "repetition": [5, 3]}
    space = read_space(find("agon"), None, {"max_plies": 90}, options, each=True)
    assert [space.change(ruleset) for ruleset in space.rulesets] == [
        "", "capture=bloody", "geometry=ring", "repetition=5", "repetition=3",
    ]  # fmt: skip
    assert space.unchanged == 0
    assert (space.same, space.warnings) == ({}, [])
    plan = plan_of(explored={"goal": [6, 24], "snake_eyes": None}, each=True)
    assert [(one.candidates, one.low, one.high) for one in plan.rounds] == [(4, 0, 4)]
    assert plan.rounds[-1].games == 4
    saved = decode_json(json.dumps(plan.as_config()).encode(), SavedExploration, "here")
    assert saved.plan("here").as_config() == plan.as_config()
