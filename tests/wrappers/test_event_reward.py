"""`EventReward` and `BatchEventReward`: the seat that did it is rewarded, on that ply, for the events named alone."""

from __future__ import annotations

from typing import Any

import pytest

import parlour
from parlour.wrappers import BatchEventReward, EventReward

TWO_AT_ONCE = "9/9/9/os1so4/9/2o6/3c5/9/s7s o"


@pytest.mark.parametrize(
    ("amounts", "zero_sum", "expected"),
    [
        ({"sword_captured": 0.25}, False, (0.0, 0.5)),
        ({"sword_captured": 0.25}, True, (-0.5, 0.5)),
        ({"sword_captured": 0.25, "several_captured": -1}, True, (0.5, -0.5)),
        ({"shield_captured": 5.0}, True, (0.0, 0.0)),
        ({}, False, (0.0, 0.0)),
    ],
)
def test_a_capture_of_two_swords(amounts: dict[str, float], zero_sum: bool, expected: tuple[float, float]) -> None:
    env = EventReward(parlour.make("swords_and_shields-v0"), amounts, zero_sum)
    env.reset(options={"position": TWO_AT_ONCE})
    env.step(env.parse_move("c4-c6"))
    assert env.rewards == dict(zip(env.possible_agents, expected))
    assert env.last()[1] == expected[0]
    env.step(env.parse_move("i1-i2"))
    assert set(env.rewards.values()) == {0.0}
    assert env.last()[1] == expected[1]


def test_the_other_seats_share() -> None:
    """Three seats of pig: holding is worth 0.6 to who does it, beside the points, and costs the others half each."""
    env = EventReward(parlour.make("pig-v0", players=3, goal=100), {"held": 0.6}, zero_sum=True)
    position = "scores 0 0 0 | player_1 | turn 5 | dice 2 3 | 4"
    env.reset(options={"position": position, "dice": [(2, 2), (1, 4), (2, 3)]})
    env.step(env.parse_move("hold"))
    assert env.rewards == pytest.approx({"player_0": -0.3, "player_1": 0.05 + 0.6, "player_2": -0.3})
    env.step(env.parse_move("again"))  # a turn lost: another event, which has no amount
    assert set(env.rewards.values()) == {0.0}


@pytest.mark.filterwarnings("ignore:.*Illegal move")
def test_an_illegal_move_is_no_event() -> None:
    env = EventReward(parlour.make("swords_and_shields-v0"), {"sword_captured": 0.25})
    env.reset(options={"position": TWO_AT_ONCE})
    env.step(env.parse_move("c4-c6"))
    assert env.rewards["player_1"] == 0.5
    env.step(env.parse_move("e5-e6"))
    assert env.rewards == {"player_0": -1.0, "player_1": 0.0}


@pytest.mark.parametrize(
    ("amounts", "words"),
    [
        (
            {"trap": 1.0},
            "no event 'trap'; events: 'sword_captured', 'shield_captured', 'several_captured' and 'way_open'",
        ),
        ({"way_open": "much"}, "the amount for 'way_open' must be a finite number from -1e\\+30 to 1e\\+30"),
        ({"way_open": float("nan")}, "not nan"),
        ({"way_open": True}, "not True"),
        (["way_open"], "amounts is a mapping from events of swords_and_shields-v0"),
    ],
)
def test_refuses(amounts: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        EventReward(parlour.make("swords_and_shields-v0"), amounts)
    with pytest.raises(ValueError, match=words):
        BatchEventReward(parlour.make_batch("swords_and_shields-v0", 1), amounts)


def test_what_version_0_3_0_has_pickled_goes_on() -> None:
    env = EventReward(parlour.make("swords_and_shields-v0"), {"several_captured": 0.25})
    env.reset(options={"position": TWO_AT_ONCE})
    kept = {name: part for name, part in vars(env).items() if name != "_amounts"}
    old: Any = EventReward.__new__(EventReward)
    old.__setstate__({**kept, "_named": [(2, 0.25)]})
    old.step(old.parse_move("c4-c6"))
    assert old.rewards == {"player_0": 0.0, "player_1": 0.25}
