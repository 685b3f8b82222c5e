"""Checkers, clause by clause: envs/checkers/README.md and docs/common_rules.md.

A test sets up a few pieces and plays. Every scene runs twice side by side, as it is told and with the board turned by
half and the colours swapped; both must show the same, down to masks and planes.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import parlour
from tests.support.games import begun
from tests.support.scenes import Board, Boards

GAME = "checkers-v0"
START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"

# How a game stands: its ending, player_0's and player_1's reward, as the scene is told.
GOING_ON = ("", 0.0, 0.0)
BLACK_WINS = ("no_move", 1.0, -1.0)
NO_PROGRESS = ("no_progress", 0.0, 0.0)
REPETITION = ("repetition", 0.0, 0.0)

under_all_draw_rules = pytest.mark.parametrize("draw_rule", ["wcdf", "openspiel", "none"])


# --- scenes ---


def turned(text: str) -> str:
    """A text with every square turned by half, and, in a position, the colours swapped and its sides in order."""
    text, *words = text.split(" ")
    text = re.sub(r"[0-9]+", lambda number: str(33 - int(number[0])), text)
    words = [re.sub(r"(?<=^jump=)[0-9]+", lambda number: str(33 - int(number[0])), word) for word in words]
    if ":" in text:
        text = text.translate(str.maketrans("BW", "WB"))
        seat, first, second = text.split(":")
        fields = sorted((first, second), reverse=True)
        text = ":".join([seat, *(side[0] + ",".join(sorted(side[1:].split(","), key=number_of)) for side in fields)])
    return " ".join((text, *words))


def number_of(square: str) -> int:
    """For sorting: ``K7`` is 7."""
    return int(square.removeprefix("K") or 0)


class Scene(Boards):
    """A game as it is told, and turned."""

    def __init__(self, text: str, **options: Any) -> None:
        told, other = (
            begun(GAME, 1, position=position, illegal_move="raise", **options) for position in (text, turned(text))
        )
        super().__init__([Board(told), Board(other, turned, turned, swapped=True)])

    def play(self, *moves: str) -> Scene:
        super().play(*moves)
        self.alike()
        return self

    def alike(self) -> None:
        """Masks and planes, from the view of either seat, are the same when the seats are swapped."""
        told, other = (board.env for board in self.boards)
        for seat in (0, 1):
            mine, theirs = told.observe(f"player_{seat}"), other.observe(f"player_{1 - seat}")
            for key in mine:
                assert np.array_equal(mine[key], theirs[key]), key

    @property
    def fen(self) -> str:
        return self.shown(lambda board: board.back(board.env.position()).split(" ")[0])

    @property
    def words(self) -> str:
        """The words of the text, except for ``seen=``."""
        return self.shown(lambda board: re.sub(r" seen=\S*", "", board.back(board.env.position()).partition(" ")[2]))

    @property
    def to_act(self) -> str:
        return f"player_{self.seat}"


# --- the board and the set-up ---


def test_set_up() -> None:
    """“`player_0` Black (1–12), moves first; `player_1` White (21–32)”."""
    scene = Scene(START)
    assert scene.fen == START
    assert parlour.make(GAME).possible_agents == ["player_0", "player_1"]
    env = begun(GAME)
    assert env.position().split(" ")[0] == START
    assert env.agent_selection == "player_0"
    assert set(env.legal_moves()) == {"9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"}


def reach(square: int) -> set[int]:
    """The ruling, word for word: which squares nearer to White a square touches."""
    if (square - 1) // 4 % 2 == 0:
        near = {square + 4} if square in (4, 12, 20, 28) else {square + 4, square + 5}
    else:
        near = {square + 4} if square in (5, 13, 21, 29) else {square + 3, square + 4}
    return {touched for touched in near if touched <= 32}


@pytest.mark.parametrize("square", range(1, 33))
def test_what_each_square_touches(square: int) -> None:
    """“a square of an even row touches n+4 and n+5 (4, 12, 20, 28 only n+4), one of an odd row n+3 and n+4 (5, 13, 21,
    29 only n+4)”; kings go both ways."""
    other = next(far for far in (1, 32, 8) if far != square and far not in reach(square) and square not in reach(far))
    scene = Scene(f"B:WK{other}:BK{square}")
    expected = reach(square) | {below for below in range(1, 33) if square in reach(below)}
    assert scene.moves == {f"{square}-{touched}" for touched in expected}


# --- men and kings ---


def test_men_step_forward_only() -> None:
    """“Men step and jump forward only”, one square."""
    assert Scene("B:W32:B14").moves == {"14-17", "14-18"}


def test_men_jump_forward_only() -> None:
    """A man does not jump back, nor must it."""
    assert Scene("B:W9,10,30:B14").moves == {"14-17", "14-18"}
    assert Scene("B:W17,9,30:B14").moves == {"14x21"}


def test_kings_step_and_jump_both_ways() -> None:
    """“kings both ways, one square”."""
    assert Scene("B:W32:BK14").moves == {"14-9", "14-10", "14-17", "14-18"}
    assert Scene("B:W9,10,17,18:BK14").moves == {"14x5", "14x7", "14x21", "14x23"}


def test_a_jump_takes_the_piece_in_between() -> None:
    """“11x18 takes 15”."""
    scene = Scene("B:W15,32:B11").play("11x18")
    assert scene.fen == "W:W32:B18"


def test_kings_do_not_fly() -> None:
    """One square only: an enemy farther off is not jumped, and a jump lands just behind it."""
    assert Scene("B:W23,32:BK14").moves == {"14-9", "14-10", "14-17", "14-18"}
    assert Scene("B:W18,32:BK14").moves == {"14x23"}


def test_own_pieces_and_pairs_are_not_jumped() -> None:
    """A jump goes over one enemy onto an empty square."""
    assert Scene("B:W31:BK14,18").moves >= {"14-9", "14-10", "14-17"}
    assert not any(name.startswith("14x") for name in Scene("B:W31:BK14,18").moves)
    assert Scene("B:W18,23:B14").moves == {"14-17"}
    assert Scene("B:W18:B14,23").moves == {"14-17", "23-26", "23-27"}


def test_no_jump_off_the_board() -> None:
    """An enemy on the edge can't be jumped."""
    assert Scene("B:W21,32:B17").moves == {"17-22"}
    assert Scene("W:W28:BK32,1").moves == {"28-24"}


# --- compulsion ---


def test_jumping_is_compulsory() -> None:
    """No step beside a jump, by any piece."""
    assert Scene("B:W15,32:B1,2,11").moves == {"11x18"}


def test_free_choice_among_jumps() -> None:
    """Neither the longest nor the king's jump is asked for."""
    scene = Scene("B:W15,22,16,32:BK11,12")
    assert scene.moves == {"11x18", "11x20", "12x19"}
    assert Scene("B:W15,22,16,32:BK11,12").play("12x19").to_act == "player_1"


def test_a_started_jump_is_completed() -> None:
    """“only that piece's jumps are legal meanwhile”; each single jump is a ply of the same seat."""
    scene = Scene("B:W15,22,16,32:B11,12").play("11x18")
    assert scene.to_act == "player_0"
    assert scene.moves == {"18x25"}
    assert scene.words == "jump=18 steps=0 king_steps=0 plies=1"
    scene.play("18x25")
    assert scene.to_act == "player_1"
    assert scene.words == "steps=0 king_steps=0 plies=2"


def test_free_choice_in_the_middle_of_a_multi_jump() -> None:
    """A piece that can go on both ways chooses."""
    scene = Scene("B:W15,22,23,32:B11").play("11x18")
    assert scene.moves == {"18x25", "18x27"}


def test_jumped_pieces_are_off_at_once() -> None:
    """A square that a jump has emptied can be landed on in the same turn, and an enemy is jumped once only."""
    scene = Scene("B:W6,7,14,15,32:BK1").play("1x10")
    assert scene.fen.startswith("B:W7,14,15,32:")
    assert scene.moves == {"10x3", "10x17", "10x19"}
    scene = Scene("B:W6,14,32:BK1,25").play("1x10", "10x17")
    assert scene.fen == "W:W32:BK17,25"
    ring = Scene("B:W18,19,26,27,12:BK15").play("15x22", "22x31", "31x24", "24x15")
    assert ring.fen == "W:W12:BK15"


def test_a_man_that_reaches_the_king_row_is_crowned() -> None:
    """By a step."""
    assert Scene("B:W9,5:B25").play("25-29").fen == "W:W5,9:BK29"


def test_a_man_crowned_by_a_jump_does_not_jump_on() -> None:
    """“a man that reaches the king row is crowned and its turn ends, even if as a king it could jump on”: from 31, 26
    could be taken."""
    scene = Scene("B:W27,26,12:B24").play("24x31")
    assert scene.fen == "W:W12,26:BK31"
    assert scene.to_act == "player_1"
    assert scene.result == GOING_ON


def test_a_king_that_jumps_to_the_king_row_goes_on() -> None:
    """The same as a king."""
    scene = Scene("B:W27,26,12:BK24").play("24x31")
    assert scene.to_act == "player_0"
    assert scene.moves == {"31x22"}


# --- ends ---


def test_no_pieces_loses() -> None:
    """“No move (or no pieces): that seat loses”, right after the ply."""
    scene = Scene("B:W18:B14").play("14x23")
    assert scene.result == BLACK_WINS
    assert scene.fen == "W:W:B23"
    assert scene.moves == set()


def test_no_move_loses() -> None:
    """A man shut in by pieces that it can't jump."""
    assert Scene("B:W12:B3,4").play("4-8").result == BLACK_WINS
    assert Scene("B:W12:B4").play("4-8").result == GOING_ON


@under_all_draw_rules
def test_a_lone_seat_wins_under_any_draw_rule(draw_rule: str) -> None:
    assert Scene("B:W18:B14", draw_rule=draw_rule).play("14x23").result == BLACK_WINS


KINGS = "B:WK4,K12:BK29,K21"


def test_wcdf_draws_at_eighty_turns() -> None:
    """“80 turns in a row, 40 a side, […] without a capture or any man's move; comes by itself”."""
    scene = Scene(f"{KINGS} steps=78 king_steps=78")
    assert scene.play("29-25").result == GOING_ON
    assert scene.play("4-8").result == NO_PROGRESS
    assert scene.words == "steps=80 king_steps=80 plies=2 end=no_progress"


def test_wcdf_counts_from_the_start_of_a_game() -> None:
    """Eighty turns, played out (repetition off)."""
    scene = Scene(KINGS, repetition=0)
    for turn in range(79):
        assert scene.result == GOING_ON
        scene.play(("29-25", "4-8", "25-29", "8-4")[turn % 4])
    assert scene.play("8-4").result == NO_PROGRESS


def test_a_mans_move_and_a_capture_begin_the_wcdf_count_anew() -> None:
    """Even a man's step; each sets the count to 0."""
    scene = Scene("B:WK4,K12:BK29,5 steps=79 king_steps=79").play("5-9")
    assert scene.result == GOING_ON
    assert scene.words == "steps=80 king_steps=0 plies=1"
    scene = Scene("B:WK4,K12,K25:BK29,5 steps=79 king_steps=79").play("29x22")
    assert scene.result == GOING_ON
    assert scene.words == "steps=0 king_steps=0 plies=1"


def test_a_multi_jump_is_one_turn_of_the_wcdf_count() -> None:
    """“a turn being a step or a whole multi-jump”: the next king's step is number one."""
    scene = Scene("B:W15,22,K12:BK11 steps=50 king_steps=50").play("11x18", "18x25", "12-16")
    assert scene.words == "steps=1 king_steps=1 plies=3"


def test_under_wcdf_a_seat_without_a_move_loses_even_then() -> None:
    """The eightieth turn shuts White in."""
    text = "B:W12:BK4,3 steps=79 king_steps=79"
    assert Scene(text).play("4-8").result == BLACK_WINS
    assert Scene(text, draw_rule="none").play("4-8").result == BLACK_WINS


def test_openspiel_draws_at_forty_actions() -> None:
    """“40 actions in a row without capture, […] men's steps not” resetting it."""
    scene = Scene("B:WK4,K12:BK29,5 steps=38", draw_rule="openspiel")
    assert scene.play("5-9").result == GOING_ON
    assert scene.play("4-8").result == NO_PROGRESS
    assert scene.words == "steps=40 king_steps=1 plies=2 end=no_progress"


def test_each_single_jump_begins_the_openspiel_count_anew() -> None:
    """“each single jump being an action and resetting it”."""
    scene = Scene("B:W15,22,K12:B11 steps=39", draw_rule="openspiel").play("11x18")
    assert scene.result == GOING_ON
    assert scene.words == "jump=18 steps=0 king_steps=0 plies=1"
    assert scene.play("18x25", "12-16").words == "steps=1 king_steps=1 plies=3"


def test_openspiels_draw_comes_even_if_the_next_seat_has_no_move() -> None:
    """“a draw at once, even if the next seat has no move”."""
    assert Scene("B:W12:BK4,3 steps=39", draw_rule="openspiel").play("4-8").result == NO_PROGRESS
    assert Scene("B:W12:BK4,3 steps=38", draw_rule="openspiel").play("4-8").result == BLACK_WINS


def test_without_a_draw_rule_nothing_counts() -> None:
    """`none`; both counts are kept all the same."""
    scene = Scene(f"{KINGS} steps=79 king_steps=79", draw_rule="none").play("29-25", "4-8")
    assert scene.result == GOING_ON
    assert scene.words == "steps=81 king_steps=81 plies=2"


def test_the_other_rules_count_does_not_draw() -> None:
    """Each rule looks at its own."""
    assert Scene(f"{KINGS} steps=200 king_steps=3").play("29-25").result == GOING_ON
    scene = Scene(f"{KINGS} steps=3 king_steps=200", draw_rule="openspiel").play("29-25")
    assert scene.result == GOING_ON


def test_a_count_comes_before_repetition() -> None:
    """“a draw by a count; a draw by repetition”."""
    there_and_back = ("29-25", "4-8", "25-29", "8-4")
    for steps, end in ((76, NO_PROGRESS), (75, REPETITION)):
        scene = Scene(f"{KINGS} steps={steps} king_steps={steps}", repetition=2)
        assert scene.play(*there_and_back).result == end


# --- options and variants ---


# --- what is seen ---


def test_observation_in_the_eyes_of_either_seat() -> None:
    """Own things first, the own side in row 0; square 1 is at row 0, column 1 for Black, and 32 there for White."""
    env = Scene("B:W32,K14:B1,K19").boards[0].env
    black, white = (env.observe(agent)["observation"] for agent in env.possible_agents)
    assert black.shape == white.shape == (10, 8, 8)
    assert [tuple(np.argwhere(plane)[0].tolist()) for plane in black[:4]] == [(0, 1), (4, 5), (7, 6), (3, 2)]
    assert [tuple(np.argwhere(plane)[0].tolist()) for plane in white[:4]] == [(0, 1), (4, 5), (7, 6), (3, 2)]
    assert set(black[5].ravel().tolist()) == {1}
    assert set(white[5].ravel().tolist()) == {0}


def test_observation_of_a_multi_jump_and_the_counters() -> None:
    """Everything that the rules depend on."""
    env = Scene("B:W15,22,32:B11", max_plies=300).play("11x18").boards[0].env
    planes = env.observe("player_0")["observation"]
    assert np.argwhere(planes[4]).tolist() == [[4, 3]]
    assert np.argwhere(env.observe("player_1")["observation"][4]).tolist() == [[3, 4]]
    assert [int(plane.max()) for plane in planes[6:]] == [0, 0, 299 // 128, 299 % 128]
    env = Scene(f"{KINGS} steps=30 king_steps=20", draw_rule="openspiel", repetition=3).play("29-25").boards[0].env
    planes = env.observe("player_1")["observation"]
    assert [set(plane.ravel().tolist()) for plane in planes[6:]] == [{31}, {1}, {7}, {103}]
    assert set(
        Scene(f"{KINGS} king_steps=20").boards[0].env.observe("player_0")["observation"][6].ravel().tolist()
    ) == {20}
    nothing = Scene(f"{KINGS} steps=30 king_steps=20", draw_rule="none").boards[0].env
    assert not nothing.observe("player_0")["observation"][6].any()


def test_random_games_are_alike_when_turned() -> None:
    """Half-turn symmetry with colours swapped, at every ply: names, planes, masks, indices, results."""
    rng = np.random.default_rng(0)
    for _ in range(6):
        scene = Scene(START)
        while scene.moves:
            told, other = (board.env for board in scene.boards)
            action = int(rng.choice(np.flatnonzero(told.observe(told.agent_selection)["action_mask"])))
            assert turned(told.move_name(action)) == other.move_name(action)
            told.step(action)
            other.step(action)
            scene.alike()
            assert scene.result
