"""The rules of the Royal Game of Ur, a test a clause: envs/royal_ur/README.md."""

from __future__ import annotations

import pytest

import parlour
from tests.games.royal_ur.positions import GAME, at, parts
from tests.support.texts import play


def test_light_throws_first_and_all_men_are_in_hand() -> None:
    env = parlour.make(GAME)
    for seed in range(5):
        env.reset(seed=seed)
        assert env.agent_selection == "player_0"
        assert parts(env)[:5] == ["light", "dark", "hand 7 7", "off 0 0", "light"]
        assert len(env.dice) == 4


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_a_man_enters_on_the_square_of_its_throw(number: int) -> None:
    env = play(at("", "", number), "in")
    assert parts(env)[0] == f"light {number}"
    assert parts(env)[2] == "hand 6 7"


def test_a_man_moves_by_the_whole_number() -> None:
    env = play(at("5 9", "", 3, throws=[1]), "9")
    assert parts(env)[0] == "light 5 12"
    assert parts(env)[4] == "dark"


def test_the_number_is_that_of_marked_tips() -> None:
    assert at("5", "", 2).dice == (0, 0, 1, 1)
    assert at("5", "", 2, dice="three").dice == (0, 1, 1)


def test_of_three_dice_no_marked_tip_counts_4() -> None:
    env = at("5", "", 0, dice="three")
    assert env.dice == (0, 0, 0)
    assert parts(play(env, "5"))[0] == "light 9"
    assert len(at("", "", 1, dice="three").chance_outcomes()) == 4


def test_of_four_dice_no_marked_tip_moves_nothing() -> None:
    env = at("5", "", 0, throws=[1])
    assert env.legal_moves() == ["pass"]
    assert parts(play(env, "pass"))[4] == "dark"


def test_no_man_lands_on_one_of_its_own() -> None:
    assert at("5 7", "", 2).legal_moves() == ["in", "7"]
    assert at("2 5 7", "", 2).legal_moves() == ["2", "7"]


def test_a_man_landed_upon_goes_back_to_its_hand() -> None:
    env = play(at("5", "7", 2), "5")
    assert parts(env)[:3] == ["light 7", "dark", "hand 6 7"]


@pytest.mark.parametrize("square", [1, 4, 13, 14])
def test_own_rows_are_not_shared_on_bells_path(square: int) -> None:
    """Square 4 of Light is not square 4 of Dark."""
    env = play(at(str(square - 1) if square > 1 else "", str(square), 1), str(square - 1) if square > 1 else "in")
    assert parts(env)[:2] == [f"light {square}", f"dark {square}"]


def test_a_man_on_a_rosette_is_safe() -> None:
    assert at("5", "8", 3).legal_moves() == ["in"]
    assert at("5", "8", 3, safe_rosettes=False).legal_moves() == ["in", "5"]
    assert parts(play(at("5", "8", 3, safe_rosettes=False), "5"))[:2] == ["light 8", "dark"]


@pytest.mark.parametrize(("start", "number", "again"), [(2, 2, True), (5, 3, True), (12, 2, True), (2, 1, False)])
def test_a_rosette_gives_another_throw(start: int, number: int, again: bool) -> None:
    env = play(at(str(start), "", number, throws=[3]), str(start))
    assert parts(env)[4] == ("light" if again else "dark")
    assert env.dice == (0, 1, 1, 1)
    without = play(at(str(start), "", number, rosette_throws=False), str(start))
    assert parts(without)[4] == "dark"


def test_the_other_throw_may_move_another_man() -> None:
    env = play(at("2 6", "", 2, throws=[1, 1]), "2")
    assert env.legal_moves() == ["in", "4", "6"]


def test_a_capture_gives_another_throw_where_it_does() -> None:
    assert parts(play(at("5", "7", 2), "5"))[4] == "dark"
    assert parts(play(at("5", "7", 2, capture_throws=True), "5"))[4] == "light"


def test_a_capture_on_a_rosette_gives_one_throw() -> None:
    env = play(at("5", "8", 3, throws=[1, 1], safe_rosettes=False, capture_throws=True), "5")
    assert parts(env)[4] == "light"
    assert parts(play(env, "in"))[4] == "dark"


def test_moving_is_compulsory() -> None:
    assert at("5", "", 2).legal_moves() == ["in", "5"]
    assert at("1 3 5 7 9 11 13", "", 2).legal_moves() == ["13"]


def test_a_seat_without_a_move_passes() -> None:
    env = at("13 14", "8", 4, off=(5, 0), throws=[1])
    assert env.legal_moves() == ["pass"]
    assert parts(play(env, "pass"))[4] == "dark"
    with pytest.raises(parlour.IllegalMove):
        play(at("5", "", 2), "pass")


@pytest.mark.parametrize(("square", "number"), [(14, 1), (13, 2), (12, 3), (11, 4)])
def test_bearing_off_takes_the_exact_number(square: int, number: int) -> None:
    env = play(at(str(square), "", number, off=(5, 0)), str(square))
    assert parts(env)[:4] == ["light", "dark", "hand 1 7", "off 6 0"]
    assert parts(env)[4] == "dark"
    for other in {1, 2, 3, 4} - set(range(number + 1)):
        assert at(str(square), "", other, off=(6, 0)).legal_moves() == ["pass"]


@pytest.mark.parametrize("seat", ["light", "dark"])
def test_the_first_to_bear_off_all_men_wins(seat: str) -> None:
    squares = ("14", "12 14") if seat == "light" else ("12 14", "14")
    off = (6, 5) if seat == "light" else (5, 6)
    env = play(at(*squares, 1, off=off, seat=seat), "14")
    winner = "player_0" if seat == "light" else "player_1"
    assert env.rewards == {agent: 1 if agent == winner else -1 for agent in ("player_0", "player_1")}
    assert set(env.terminations.values()) == {True}
    assert env.position().endswith(" end=borne_off")


# --- the paths ---

SQUARES = {"bell": 14, "masters": 16, "aseb": 16, "murray": 27, "skiriuk": 23}


@pytest.mark.parametrize("path", SQUARES)
def test_a_path_has_its_squares(path: str) -> None:
    """A man on the last square is borne off by 1, one before it by 2."""
    last = SQUARES[path]
    for back in range(3):
        env = play(at(str(last - back), "", 1 + back, path=path, men=2), str(last - back))
        assert parts(env)[3] == "off 1 0"
    with pytest.raises(ValueError, match=f"squares from 1 to {last}"):
        at(str(last + 1), "", 1, path=path)


@pytest.mark.parametrize(
    ("path", "meeting"),
    [
        ("bell", {s: s for s in range(5, 13)}),
        ("masters", {**{s: s for s in range(5, 12)}, 12: 16, 13: 15, 14: 14, 15: 13, 16: 12}),
        ("aseb", {s: s for s in range(5, 17)}),
        ("murray", {4: 24, 3: 25, 2: 26, 1: 27, 5: 23, 23: 5, 11: 17, 12: 16, 27: 1}),
        ("skiriuk", {5: 23, 23: 5, 8: 20, 14: 14, 17: 11}),
    ],
)
def test_where_the_two_paths_meet(path: str, meeting: dict[int, int]) -> None:
    """A man of Light that comes to a square captures Dark's man on the square that lies there."""
    for light, dark in meeting.items():
        start = f"{light - 1}" if light > 1 else ""
        env = at(start, f"{dark}", 1, path=path, safe_rosettes=False, men=3)
        play(env, start or "in")
        assert parts(env)[:3] == [f"light {light}", "dark", "hand 2 3"], (path, light)


@pytest.mark.parametrize("path", ["murray", "skiriuk"])
def test_a_square_that_is_come_over_twice_holds_one_man(path: str) -> None:
    """b7 is square 11, and 17: an own man on either closes it."""
    assert "10" not in at("10 17", "", 1, path=path).legal_moves()
    assert "16" not in at("11 16", "", 1, path=path).legal_moves()


def rosettes(path: str) -> set[int]:
    """The squares that give another throw."""
    found = set()
    for square in range(1, SQUARES[path] + 1):
        start = str(square - 1) if square > 1 else ""
        env = play(at(start, "", 1, path=path, men=2), start or "in")
        found |= {square} if parts(env)[4] == "light" else set()
    return found


@pytest.mark.parametrize(
    ("path", "squares"),
    [
        ("bell", {4, 8, 14}),
        ("masters", {4, 8, 12, 16}),
        ("aseb", {4, 8, 12, 16}),
        ("murray", {4, 8, 12, 16, 20, 24}),
        ("skiriuk", {4, 8, 12, 16, 20}),
    ],
)
def test_where_rosettes_are(path: str, squares: set[int]) -> None:
    assert rosettes(path) == squares
