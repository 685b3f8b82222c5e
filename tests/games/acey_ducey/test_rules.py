"""The rules of Acey Ducey, a test a clause: envs/acey_ducey/README.md and docs/common_rules.md; Parker: the printed
sheet."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.games.acey_ducey.positions import GAME, at, part
from tests.support.games import begun
from tests.support.texts import play

RACE = "10:r2 8:r2"  # Red's men with nobody in their way; all the others are off


def moves(*arguments: Any, **more: Any) -> list[str]:
    return at(*arguments, **more).legal_moves()


def opened(*throws: tuple[int, int], **options: Any) -> Any:
    return begun(GAME, seed=1, throws=list(throws), illegal_move="raise", **options)


# --- the start ---


@pytest.mark.parametrize(
    ("throws", "agent"),
    [
        ([(6, 5), (6, 4), (3, 4)], "player_0"),
        ([(1, 2), (2, 2), (3, 4)], "player_1"),
        ([(1, 1), (2, 1), (3, 4)], "player_1"),
        ([(3, 4), (5, 2), (1, 2), (2, 1), (1, 3), (1, 1), (3, 4)], "player_0"),
    ],
)
def test_the_higher_sum_begins_and_equal_sums_are_thrown_again(throws: list[Any], agent: str) -> None:
    """“each throws both dice, player_0 first, the higher sum begins (ACEY 1, DUCEY 2, nothing special about them; equal
    sums: both again); the throws are not played.”"""
    env = opened(*throws)
    assert env.agent_selection == agent
    assert env.dice == (3, 4)
    assert part(env, 6) == "left 3 4"
    assert part(env, 1) == "in 15 15"


# --- what a throw lets a seat play ---


@pytest.mark.parametrize(
    ("dice", "left", "plain"),
    [
        ((5, 3), "5 3", "5 3"), ((3, 5), "3 5", "3 5"), ((4, 4), "4 4", "4 4"), ((1, 6), "6 6", "1 6"),
        ((6, 1), "6 6", "6 1"), ((2, 3), "3 3", "2 3"), ((4, 2), "4 4", "4 2"), ((1, 1), "1 1", "1 1"),
        ((2, 2), "2 2", "2 2"), ((1, 2), "choose", "1 2"), ((2, 1), "choose", "2 1"),
    ],
)  # fmt: skip
def test_what_a_throw_lets_a_seat_play(dice: tuple[int, int], left: str, plain: str) -> None:
    """“plain n and m: n, m (equal ones too: two moves only). ACEY or DUCEY with plain n: n, n. ACEY-ACEY: 1, 1.
    DUCEY-DUCEY: 2, 2. ACEY-DUCEY: the seat chooses”; `plain`: “without special faces and without doubling”."""
    assert part(opened((6, 6), (1, 1), dice), 6) == f"left {left}"
    assert part(opened((6, 6), (1, 1), dice, variant="plain_dice"), 6) == f"left {plain}"


def test_equal_numbers_are_offered_once_and_played_twice() -> None:
    """“all moves of all numbers still to be played (equal numbers once)”."""
    env = at(RACE + " 22:b2", "3 3")
    assert env.legal_moves() == ["10:3", "8:3"]
    assert play(env, "10:3").legal_moves() == ["10:3", "8:3", "7:3"]
    assert play(env, "10:3").agent_selection == "player_1"


# --- entering ---


def test_a_number_enters_a_man_on_point_25_minus_k() -> None:
    """“A number k enters a man on point 25 − k”; “(When placing each man use number on either die.)”"""
    env = opened((6, 6), (1, 1), (6, 3), (4, 3))
    assert env.legal_moves() == ["in:3", "in:6"]
    play(env, "in:3", "in:6")
    assert part(env, 0) == "22:r1 19:r1"
    play(env, "in:4")
    assert part(env, 0) == "22:r1 19:r1 4:b1"  # Black's point 21


def test_no_man_moves_before_all_are_entered() -> None:
    """“until all 15 of *that seat's* men have been entered none of them may be moved, not within the starting table
    either”; the other seat, who is done, moves."""
    board = "24:r5 23:r5 22:r4 10:b15"
    assert moves(board, "3 4", unentered=(1, 0)) == ["in:3", "in:4"]
    assert moves(board, "3 4", unentered=(1, 0), seat="b") == ["15:3", "15:4"]


def test_a_number_left_over_when_the_last_man_is_entered_is_played() -> None:
    """“When the 15th has been entered, a number left over is played as an ordinary move.”"""
    env = play(at("24:r14 10:b15", "3 4", unentered=(1, 0)), "in:3")
    assert env.legal_moves() == ["24:4", "22:4"]


def test_entering_is_closed_by_two_men_and_hits_one() -> None:
    """“unless two or more enemies stand there; a single enemy man there goes to the Dog House”."""
    env = at("24:r5 23:r5 22:b2 21:b1 10:b12", "3 4", unentered=(5, 0))
    assert env.legal_moves() == ["in:4"]
    play(env, "in:4")
    assert part(env, 2) == "dog 0 1"


def test_the_dog_house_is_emptied_before_others_enter() -> None:
    """“a seat with men there and men not yet entered empties the Dog House first”."""
    env = at("24:r5 23:r5 10:b15", "3 4", unentered=(4, 0), dog=(1, 0))
    assert env.legal_moves() == ["dog:3", "dog:4"]
    assert play(env, "dog:4").legal_moves() == ["in:3"]


def test_joint_entering_no_man_moves_before_both_are_done() -> None:
    """“`joint` (no man moves before *both* seats have entered all …)”: a seat that is done “throws in its turn all the
    same: it may `send`, must enter men from the Dog House, otherwise passes”."""
    joint = {"options": {"entering": "joint"}}
    board, waiting = "24:r15 5:b5 4:b5", {"unentered": (0, 5)}
    assert moves(board, "3 4", **waiting) == ["24:3", "24:4"]
    assert moves(board, "3 4", **waiting, **joint) == ["pass"]
    assert moves("24:r14 5:b5 4:b5", "3 4", dog=(1, 0), **waiting, **joint) == ["dog:3", "dog:4"]
    assert moves("24:r15 2:b5 4:b5", "1 2", "choose", **waiting, **joint) == ["send 2", "again"]


@pytest.mark.parametrize("others", [0, 3])
def test_joint_entering_a_number_left_over_is_lost(others: int) -> None:
    """“a number left over when a seat's 15th man is entered is lost, even when the other seat was done before”."""
    env = at(f"24:r14 5:b{15 - others}", "3 4", unentered=(1, others), options={"entering": "joint"})
    assert play(env, "in:3").agent_selection == "player_1"


def test_joint_entering_the_further_throw_is_no_leftover() -> None:
    """“the further throw after `again` is a new throw, not a leftover”."""
    more = {"unentered": (1, 0), "options": {"entering": "joint"}, "throws": [(5, 6)]}
    env = play(at("24:r14 5:b15", "1 2", "choose", **more), "again", "in:2")
    assert env.agent_selection == "player_0"
    assert env.legal_moves() == ["24:5", "24:6", "23:5", "23:6"]


# --- moving ---


def test_men_go_from_high_to_low_and_the_other_way_for_black() -> None:
    """“a man moves from high to low”; “The two directions are opposite: my point p is the other's point 25 − p.”"""
    assert part(play(at("20:r15 10:b15", "3 4"), "20:3"), 0) == "20:r14 17:r1 10:b15"
    assert part(play(at("20:r15 10:b15", "3 4", seat="b"), "15:3"), 0) == "20:r15 13:b1 10:b14"


def test_one_man_may_use_both_numbers_and_touches_down_in_between() -> None:
    """“one man may use both in turn, and touches down in between (and hits there)”."""
    env = play(at("20:r1 17:b1 10:b1", "3 4"), "20:3")
    assert part(env, 2) == "dog 0 1"
    assert part(play(env, "17:4"), 0) == "13:r1 10:b1"
    assert moves("20:r1 17:b2 16:b2", "3 4") == ["pass"]  # 13 is open, but not on the way


def test_a_point_with_two_enemies_is_closed() -> None:
    """“A point with two or more enemies is closed; a single enemy man is sent to the Dog House.” “A point holds any
    number of own men.”"""
    assert moves("20:r1 17:b2 16:b1", "3 4") == ["20:4"]
    assert moves("20:r1 17:r14 10:b1", "3 3") == ["20:3", "17:3"]


def test_men_in_the_dog_house_come_first() -> None:
    """“A seat with men in the Dog House must enter them first (by number, like entering) before any other move.”"""
    env = at("10:r13 4:b2", "3 4", dog=(2, 0))
    assert env.legal_moves() == ["dog:3", "dog:4"]
    assert play(env, "dog:3").legal_moves() == ["dog:4"]
    assert moves("10:r13 22:b2 21:b2", "3 4", dog=(2, 0)) == ["pass"]
    assert "10:4" in play(at("10:r13 4:b2", "3 4", dog=(1, 0)), "dog:3").legal_moves()


def test_the_throw_ends_when_nothing_left_can_be_played() -> None:
    """“the throw ends as soon as none is left or none of those left can be played; what can be played must be”."""
    env = at("20:r1 16:b2 13:b2", "3 4")
    assert env.legal_moves() == ["20:3"]
    assert play(env, "20:3").agent_selection == "player_1"  # 4 on to 13 is closed


def test_pass_only_where_nothing_of_a_whole_throw_can_be_played() -> None:
    """“`pass` only where nothing of a whole throw can be played (one ply; it ends the turn …)”."""
    env = at("20:r1 17:b2 16:b2", "3 4")
    assert env.legal_moves() == ["pass"]
    play(env, "pass")
    assert env.agent_selection == "player_1"
    assert env.position().endswith("| 1")


# --- ACEY-DUCEY ---

SENT = "24:b1 23:b2 22:b1 18:b1 17:b1 8:b1 7:b1 2:b3 1:b1 12:r3"


def test_send_from_the_ends_of_the_home_tables() -> None:
    """“`tables` (… points 1, 2, 23, 24, the same four for both seats) | `all` (… also 7, 8, 17, 18 …)”."""
    assert moves(SENT, "1 2", "choose") == ["send 24", "send 23", "send 2", "send 1", "again"]
    everywhere = {"options": {"variant": "all_tables"}}
    assert moves(SENT, "2 1", "choose", **everywhere) == [
        "send 24", "send 23", "send 18", "send 17", "send 8", "send 7", "send 2", "send 1", "again",
    ]  # fmt: skip
    assert moves("23:r1 12:b1", "1 2", "choose", seat="b") == ["send 2", "again"]


def test_send_takes_one_man_protected_or_not_and_is_the_whole_turn() -> None:
    """“**send** one enemy man … to the Dog House, protected or not, which is then its whole turn”."""
    env = play(at(SENT, "1 2", "choose"), "send 2")
    assert part(env, 0).endswith("2:b2 1:b1")
    assert part(env, 2) == "dog 0 1"
    assert env.agent_selection == "player_1"


def test_only_again_without_an_enemy_man_there() -> None:
    """“With no enemy man there, only `again` is legal. Men not entered, in the Dog House or borne off can't be
    sent.”"""
    assert moves("12:r3 10:b3", "1 2", "choose", dog=(0, 5)) == ["again"]
    assert moves("24:r3 1:b3", "1 2", "choose", unentered=(12, 12)) == ["send 1", "again"]


def test_send_while_own_men_are_in_the_dog_house() -> None:
    """“Allowed while own men are in the Dog House, and in the entering stage.”"""
    assert moves("12:r3 2:b3", "1 2", "choose", dog=(2, 0)) == ["send 2", "again"]


def test_again_plays_1_and_2_and_throws_once_more() -> None:
    """“**again**: play 1 and 2, then throw once more … (and so on; a `send` on a further throw ends the turn)”."""
    env = at(RACE + " 2:b2", "2 1", "choose", throws=[(1, 2), (1, 2), (6, 5)])
    play(env, "again")
    assert (part(env, 6), part(env, 7), env.dice) == ("left 1 2", "again", (2, 1))
    play(env, "10:2", "10:1")
    assert (env.agent_selection, part(env, 6), part(env, 7)) == ("player_0", "left choose", "-")
    play(env, "again", "9:1", "8:2")
    assert env.legal_moves() == ["send 2", "again"]
    assert play(env, "send 2").agent_selection == "player_1"
    assert env.dice == (6, 5)


def test_the_further_throw_comes_whether_1_and_2_could_be_played_or_not() -> None:
    """“whether or not 1 and 2 could be played”; `pass` “leads to the further throw after `again`”."""
    env = at("20:r1 19:b2 18:b2", "1 2", "choose", throws=[(5, 6)])
    assert play(env, "again").legal_moves() == ["pass"]
    play(env, "pass")
    assert (env.agent_selection, env.dice, part(env, 7)) == ("player_0", (5, 6), "-")


def test_plain_dice_never_send() -> None:
    """“`send` and `again` are then never legal”."""
    assert moves("20:r1 2:b3", "1 2", options={"variant": "plain_dice"}) == ["20:1", "20:2"]


# --- must_use_both ---

DISCIPLINE = {"options": {"variant": "backgammon_discipline"}}


def test_only_moves_after_which_the_other_number_can_be_played() -> None:
    """“at the first ply of a throw only those moves are legal after which the other number can still be played”."""
    board = "20:r1 16:b2 9:r1 6:b2 5:b2"  # 20:3 then 17:4; 9 is stuck with both
    assert moves(board, "3 4") == ["20:3"]
    board = "20:r1 13:r1 10:b2 9:b1"  # 13:4 leaves 20:3; 20:4 leaves 16:3; 20:3 leaves 17:4 and 13:4
    assert moves(board, "3 4", **DISCIPLINE) == ["20:3", "20:4", "13:4"]
    board = "20:r1 17:b2 13:b2 12:r1 9:b2"  # 20:4, 16 can't go 3; 12:4, 8:3 can
    assert moves(board, "3 4") == ["20:4", "12:4"]
    assert moves(board, "3 4", **DISCIPLINE) == ["12:4"]


def test_the_higher_number_if_not_both() -> None:
    """“if either can be played but not both, only moves of the higher one, if it has any”."""
    board = "20:r1 13:b2"
    assert moves(board, "3 4") == ["20:3", "20:4"]
    assert moves(board, "3 4", **DISCIPLINE) == ["20:4"]
    assert moves("20:r1 16:b2 13:b2", "3 4", **DISCIPLINE) == ["20:3"]


def test_equal_numbers_twice_if_possible() -> None:
    board = "20:r1 14:b2 12:r1"  # 20 can go 3 once, 12 twice
    assert moves(board, "3 3", **DISCIPLINE) == ["20:3", "12:3"]
    board = "20:r1 14:b2 5:r1 2:b2"
    assert moves(board, "3 3", **DISCIPLINE) == ["20:3"]


def test_no_exception_for_a_move_that_wins() -> None:
    """“bearing off included …; no exception for a move that wins”: 3:4 would win at once."""
    assert moves("3:r1 22:b2", "1 4", options={"dice": "plain"}) == ["3:1", "3:4"]
    assert moves("3:r1 22:b2", "1 4", options={"dice": "plain", "must_use_both": True}) == ["3:1"]


# --- bearing off ---


def test_bearing_off_needs_all_men_home() -> None:
    """“only while all of the seat's men still on the board are in its home table and none is in the Dog House”."""
    assert moves("7:r1 4:r1 22:b2", "4 5") == ["7:4", "7:5"]
    assert moves("6:r1 4:r1 22:b2", "4 5") == ["6:4", "6:5", "4:4"]
    assert moves("6:r1 4:r1 18:b2", "4 5", dog=(1, 0)) == ["dog:4", "dog:5"]


def test_a_number_takes_a_man_off_or_moves_one_inside() -> None:
    """“A number k takes a man from point k, or moves a man inside, free choice”; with `bear_off_first` “bearing him off
    as its only move; each number judged by itself”."""
    assert moves("6:r1 3:r1 22:b2", "3 5") == ["6:3", "6:5", "3:3"]
    assert moves("6:r1 3:r1 22:b2", "3 5", options={"bear_off_first": True}) == ["6:5", "3:3"]


def test_a_high_number_takes_the_highest_man() -> None:
    """“A k for which no such move exists, with no man on a point higher than k, must take a man from the highest
    occupied point.” Parker's example: points 2 and 1, “a '5' and a '3'”."""
    env = at("2:r2 1:r2 22:b2", "5 3")
    assert env.legal_moves() == ["2:3", "2:5"]
    assert part(play(env, "2:5", "2:3"), 0) == "22:b2 1:r2"
    assert moves("6:r1 2:r1 22:b2", "5 3") == ["6:3", "6:5"]
    assert play(at("2:r1 1:r3 22:b2", "5 3"), "2:3").legal_moves() == ["1:5"]


def test_blocked_higher_men_keep_a_number_from_being_played() -> None:
    """“(If men stand higher than k but all are blocked, and none stands on k, k can't be played.)”"""
    assert moves("6:r1 3:r1 2:b2", "4 4") == ["pass"]


def test_the_man_who_comes_home_lets_the_second_number_bear_off() -> None:
    """“`bear_off_from` = `at_once` … | `next_turn` (… bearing off only in a turn, further throws included, at whose
    first throw all were home already)”."""
    board = "7:r1 4:r1 22:b2"
    assert play(at(board, "3 4"), "7:3").legal_moves() == ["4:4"]
    later = {"options": {"bear_off_from": "next_turn"}}
    env = play(at(board, "3 4", **later), "7:3")
    assert env.agent_selection == "player_1"  # 4 can't be played: 4:4 would bear off
    env = play(at("7:r1 4:r1 22:b2", "1 2", "choose", throws=[(4, 4)], **later), "again", "7:1", "6:2")
    assert (env.agent_selection, env.dice) == ("player_0", (4, 4))  # the same turn's further throw
    assert env.legal_moves() == ["pass"]
    env = play(at("6:r1 4:r1 22:b2", "1 2", "choose", throws=[(4, 4)], **later), "again", "6:1", "5:2")
    assert env.legal_moves() == ["4:4"]


def test_a_hit_stops_bearing_off() -> None:
    """Parker, hint 4: “sending one of his men to the Dog House will prevent him from continuing”."""
    env = play(at("6:r1 3:r2 1:b1", "5 3", seat="b", throws=[(3, 4)]), "24:5", "19:3")
    assert part(env, 2) == "dog 1 0"
    assert env.legal_moves() == ["dog:3", "dog:4"]
    assert play(env, "dog:3").legal_moves() == ["22:4"]  # none of those at home can bear off


# --- the end and the rewards ---


def test_the_first_to_bear_off_all_wins_at_once() -> None:
    """“First to bear off all 15 wins, with that ply, whatever is left to play.”"""
    env = play(at("2:r1 22:b2", "5 3"), "2:5")
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert set(env.terminations.values()) == {True}
    assert set(env.truncations.values()) == {False}
    assert env.position().endswith(" end=borne_off")
    assert env.chance_outcomes() == []


def test_penalty_for_the_dog_house() -> None:
    """“that much reward is taken from a seat each time one of its men is sent to the Dog House (hits and `send`), and
    given to the other, on that ply”."""
    fined = {"options": {"dog_house_penalty": 0.25}}
    assert play(at("20:r1 17:b1 10:b1", "3 4", **fined), "20:3").rewards == {"player_0": 0.25, "player_1": -0.25}
    assert play(at(SENT, "1 2", "choose", **fined), "send 2").rewards == {"player_0": 0.25, "player_1": -0.25}
    assert play(at("23:r1 5:b1", "1 2", "choose", seat="b", **fined), "send 2").rewards["player_0"] == -0.25
    assert play(at("20:r1 17:b1 10:b1", "3 4"), "20:3").rewards == {"player_0": 0.0, "player_1": 0.0}


def test_the_penalty_stands_in_a_truncated_game() -> None:
    """“kept in a truncated game”; “A truncated game gives no seat +1 or −1.”"""
    env = play(at("20:r1 17:b1 10:b1", "3 4", options={"dog_house_penalty": 0.25, "max_plies": 1}), "20:3")
    assert set(env.truncations.values()) == {True}
    assert set(env.terminations.values()) == {False}
    assert env.rewards == {"player_0": 0.25, "player_1": -0.25}
    assert env.legal_moves() == []


def test_both_seats_see_the_board_alike() -> None:
    """The board turned: Red's view of a position is Black's of its mirror image."""
    red = at("20:r2 13:b3 6:r1 2:b1", "1 2", "choose", dog=(1, 2))
    black = at("23:r1 19:b1 12:r3 5:b2", "1 2", "choose", dog=(2, 1), seat="b")
    for ours, theirs in (("player_0", "player_1"), ("player_1", "player_0")):
        seen, mirrored = red.observe(ours), black.observe(theirs)
        np.testing.assert_array_equal(seen["observation"], mirrored["observation"])
        np.testing.assert_array_equal(seen["action_mask"], mirrored["action_mask"])


def test_what_is_seen() -> None:
    """Column 24 − point, the looking seat's own point; numbers left, faces, phase; plies left."""
    env = at("20:r2 13:b3 6:r1 2:b1", "6 1", "6", dog=(1, 2), plies=1700)
    planes = env.observe("player_0")["observation"][:, 0, :]
    assert np.flatnonzero(planes[0]).tolist() == [4, 18]
    assert planes[0, [4, 18]].tolist() == [2, 1]
    assert np.flatnonzero(planes[1]).tolist() == [11, 22]
    assert planes[:, 0].tolist()[2:] == [0, 0, 1, 2, 11, 9, 0, 0, 0, 0, 0, 1, 6, 1, 1, 0, 0, 0, 300 // 128, 300 % 128]
