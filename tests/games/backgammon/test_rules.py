"""The rules of Backgammon, a test a clause: envs/backgammon/README.md."""

from __future__ import annotations

from typing import Any

import pytest

from parlour.interfaces.aec import GameEnv
from tests.games.backgammon.positions import GAME, at, part
from tests.support.games import begun
from tests.support.texts import play

CLOSED = "24:b2 23:b2 22:b2 21:b2 20:b2 19:b2"
"""Black's home board, closed; its other three men are off."""


def legal(env: GameEnv) -> set[str]:
    return set(env.legal_moves())


@pytest.mark.parametrize(
    ("variant", "board"),
    [
        ("standard", "24:w2 19:b5 17:b3 13:w5 12:b5 8:w3 6:w5 1:b2"),
        ("nackgammon", "24:w2 23:w2 19:b4 17:b3 13:w4 12:b4 8:w3 6:w4 2:b2 1:b2"),
        ("hyper", "24:w1 23:w1 22:w1 3:b1 2:b1 1:b1"),
    ],
)
def test_the_set_up(variant: str, board: str) -> None:
    env = begun(GAME, 1, variant=variant)
    assert part(env, 0) == board
    assert (part(env, 1), part(env, 2)) == ("bar 0 0", "off 0 0")


@pytest.mark.parametrize(
    ("opening", "throws", "seat", "dice"),
    [
        ("single_die", [(3,), (1,)], "w", "dice 3 1"),
        ("single_die", [(2,), (5,)], "b", "dice 2 5"),
        ("single_die", [(4,), (4,), (6,), (6,), (1,), (2,)], "b", "dice 1 2"),
        ("throw", [(3,), (1,), (6, 6)], "w", "dice 6 6"),
        ("throw", [(4,), (4,), (2,), (5,), (2, 1)], "b", "dice 2 1"),
    ],
)
def test_the_higher_single_die_begins(opening: str, throws: list[Any], seat: str, dice: str) -> None:
    env = begun(GAME, 1, throws=throws, opening=opening)
    assert (part(env, 3), part(env, 4)) == (seat, dice)


def test_a_man_moves_by_each_number_towards_its_home() -> None:
    env = at("13:w1 1:b1", "6 3")
    assert legal(env) == {"13/10", "13/7"}
    env = play(env, "13/7")
    assert (part(env, 0), part(env, 3), part(env, 5)) == ("7:w1 1:b1", "w", "left 3")
    env = play(env, "7/4")
    assert (part(env, 0), part(env, 3)) == ("4:w1 1:b1", "b")


def test_black_moves_the_other_way() -> None:
    env = play(at("24:w1 12:b1", "6 3", seat="b"), "13/7", "7/4")
    assert (part(env, 0), part(env, 3)) == ("24:w1 21:b1", "w")


def test_a_double_is_played_four_times() -> None:
    env = play(at("24:w1 1:b1", "5 5"), "24/19", "19/14", "14/9")
    assert (part(env, 3), part(env, 5)) == ("w", "left 5")
    assert part(play(env, "9/4"), 3) == "b"


def test_a_point_of_two_is_closed_and_a_man_touches_down_between() -> None:
    assert legal(at("13:w1 9:b2 8:b2 1:b1", "5 4")) == {"pass"}
    assert legal(at("13:w1 9:b1 8:b2 1:b1", "5 4")) == {"13/9"}


def test_a_man_alone_is_hit() -> None:
    env = play(at("13:w1 9:b1 1:b1", "4 1"), "13/9")
    assert (part(env, 0), part(env, 1)) == ("9:w1 1:b1", "bar 0 1")


def test_men_on_the_bar_come_in_first() -> None:
    env = at("13:w2 1:b2", "4 1", bar=(1, 0))
    assert legal(env) == {"bar/21", "bar/24"}
    assert legal(play(env, "bar/21")) == {"13/12", "21/20"}
    assert legal(at("13:w2 1:b2", "4 1", bar=(2, 0))) == {"bar/21", "bar/24"}


def test_coming_in_hits_and_is_stopped_by_closed_points() -> None:
    env = play(at("21:b1 13:w1 24:b2", "4 1", bar=(1, 0)), "bar/21")
    assert part(env, 1) == "bar 0 1"
    assert legal(at(f"{CLOSED} 13:w2", "4 1", bar=(1, 0))) == {"pass"}
    assert part(play(at("24:b2 13:w1", "1 1", bar=(1, 0)), "pass"), 3) == "b"


def test_who_can_bring_in_only_some_forfeits_the_rest() -> None:
    env = play(at("24:b2 13:w1", "4 1", bar=(2, 0)), "bar/21")
    assert (part(env, 1), part(env, 3)) == ("bar 1 0", "b")


def test_both_numbers_must_be_played_if_any_order_allows_it() -> None:
    """One man alone can play both, the 1 first."""
    assert legal(at("24:w1 8:w1 2:b2 18:b2 7:b2", "6 1")) == {"24/23"}
    assert legal(at("24:w1 8:w1 2:b2 23:b2 7:b2", "6 1")) == {"24/18"}


def test_a_move_that_shuts_out_the_other_number_is_not_legal() -> None:
    """The man on 10 alone can play the 1, so that it may not play the 6."""
    env = at("10:w1 8:w1 7:b2 3:b2", "6 1")
    assert legal(env) == {"10/9", "8/2"}
    assert legal(play(env, "10/9")) == {"8/2"}


@pytest.mark.parametrize(
    ("dice", "closed", "expected"),
    [
        ("6 5", "2:b2", {"13/7"}),  # either, but not both: the higher
        ("5 6", "2:b2", {"13/7"}),
        ("6 5", "7:b2 2:b2", {"13/8"}),  # the lower alone
        ("6 5", "7:b2 8:b2", {"pass"}),
    ],
)
def test_if_only_one_number_can_be_played_the_higher_must_be(dice: str, closed: str, expected: set[str]) -> None:
    assert legal(at(f"13:w1 {closed}", dice)) == expected


def test_no_man_is_borne_off_while_one_is_outside_or_on_the_bar() -> None:
    assert legal(at("7:w1 6:w1 1:b1", "6 2", left="6")) == {"7/1"}
    assert legal(at("6:w1 24:b1", "6 2", bar=(1, 0))) == {"bar/19", "bar/23"}


def test_a_number_bears_off_from_its_point_or_moves_a_man() -> None:
    env = at("6:w1 5:w1 4:w1 24:b1", "4 1")
    assert legal(env) == {"4/3", "4/off", "5/1", "5/4", "6/2", "6/5"}
    assert part(play(env, "4/off"), 2) == "off 13 14"


def test_a_larger_number_bears_off_the_farthest_man_alone() -> None:
    assert legal(at("4:w1 3:w2 24:b1", "6 5")) == {"4/off"}
    assert legal(at("6:w1 3:w2 24:b1", "5 5")) == {"6/1"}
    assert legal(at("6:w1 3:w2 24:b1 1:b2", "5 5")) == {"pass"}


def test_the_smallest_number_that_takes_a_man_off_is_used() -> None:
    assert part(play(at("4:w1 3:w2 24:b1", "6 5"), "4/off"), 5) == "left 6"
    assert part(play(at("4:w1 3:w2 24:b1", "6 4"), "4/off"), 5) == "left 6"
    assert part(play(at("4:w1 3:w2 24:b1", "6 1"), "4/off"), 5) == "left 1"


def test_both_numbers_must_be_played_even_where_one_would_win() -> None:
    env = at("4:w1 24:b1", "6 2")
    assert legal(env) == {"4/2"}
    env = play(env, "4/2", "2/off")
    assert env.is_over()


def test_a_man_hit_in_bearing_off_must_come_home_first() -> None:
    env = play(at("2:b1 5:w1 6:w2", "2 1", seat="b", bar=(0, 0)), "23/21", "21/20")
    assert part(env, 1) == "bar 1 0"
    assert all(move.startswith("bar/") or move == "pass" for move in legal(env))


@pytest.mark.parametrize(
    ("board", "bar", "gammons", "reward", "end"),
    [
        ("1:w1 24:b1", (0, 0), "counted", 1, "single"),
        ("1:w1 18:b15", (0, 0), "counted", 2, "gammon"),
        ("1:w1 18:b14 6:b1", (0, 0), "counted", 3, "backgammon"),
        ("1:w1 18:b14 7:b1", (0, 0), "counted", 2, "gammon"),
        ("1:w1 18:b14", (0, 1), "counted", 3, "backgammon"),
        ("1:w1 18:b13", (0, 1), "counted", 1, "single"),
        ("1:w1 18:b14", (0, 1), "single", 1, "single"),
    ],
)
def test_what_a_win_pays(board: str, bar: tuple[int, int], gammons: str, reward: int, end: str) -> None:
    env = play(at(board, "1 2", bar=bar, options={"gammons": gammons}), "1/off")
    assert env.rewards == {"player_0": reward, "player_1": -reward}
    assert env.position().endswith(f"end={end}")
    assert all(env.terminations.values())


def test_hypergammon_pays_one_unless_told_otherwise() -> None:
    options = {"variant": "hyper"}
    env = play(
        at("1:w1 1:b1 2:b2".replace("1:b1", "20:b1").replace("2:b2", "18:b2"), "1 2", men=3, options=options), "1/off"
    )
    assert env.rewards["player_0"] == 1
    env = play(at("1:w1 20:b1 18:b2", "1 2", men=3, options={**options, "gammons": "counted"}), "1/off")
    assert env.rewards["player_0"] == 2


def test_who_has_no_move_passes_and_the_dice_are_seen() -> None:
    env = at(f"{CLOSED} 13:w2", "4 1", bar=(1, 0), throws=[(3, 3)])
    assert env.dice == (4, 1)
    env = play(env, "pass")
    assert env.dice == (3, 3)
    assert part(env, 5) == "left 3 3 3 3"
