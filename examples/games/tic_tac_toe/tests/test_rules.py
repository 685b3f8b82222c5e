"""The checks that every game must pass, and a test for each rule of the README."""

from __future__ import annotations

from typing import Any

import pytest

import parlour
from parlour.testing import CHECKS, Subject, run_check, subjects_of

PACKAGE = __name__.rpartition(".tests")[0]


def invariant(env: Any) -> None:
    """What must hold at every ply of this game."""
    board = env.position().split()[0]
    assert board.count("x") - board.count("o") == int(env.agent_selection == "player_1")
    assert sum(env.rewards.values()) == 0


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("subject", subjects_of(PACKAGE, invariant), ids=lambda subject: subject.variant)
def test_check(subject: Subject, check: str) -> None:
    run_check(check, subject)


def at(position: str | None = None, **options: Any) -> Any:
    """The game in a position."""
    env = parlour.make(parlour.register(PACKAGE).id, illegal_move="raise", **options)
    env.reset(options={"position": position})
    return env


def test_crosses_begin_on_an_empty_board() -> None:
    env = at()
    assert env.position() == ".../.../... x"
    assert env.legal_moves() == ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]


def test_a_marked_cell_cannot_be_marked_again() -> None:
    env = at("x../.o./... x")
    assert "a3" not in env.legal_moves()
    assert "b2" not in env.legal_moves()
    with pytest.raises(parlour.IllegalMove, match="can't play b2"):
        env.step(env.parse_move("b2"))


LINES = {
    "rank 1": ("oo./.../xx. x", "c1"),
    "rank 2": ("oo./xx./... x", "c2"),
    "rank 3": ("xx./.../oo. x", "c3"),
    "file a": ("x.o/x.o/... x", "a1"),
    "file b": (".xo/.xo/... x", "b1"),
    "file c": ("o.x/o.x/... x", "c1"),
    "rising diagonal": ("..x/.x./.oo x", "a1"),
    "falling diagonal": (".oo/.x./..x x", "a3"),
}


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize(("variant", "reward"), [("usual", 1), ("misere", -1)])
def test_three_in_a_line_decide(line: str, variant: str, reward: int) -> None:
    position, move = LINES[line]
    env = at(position, variant=variant)
    env.step(env.parse_move(move))
    assert env.rewards == {"player_0": reward, "player_1": -reward}
    assert env.position().endswith("end=line")


def test_a_full_board_without_a_line_is_a_draw() -> None:
    env = at("xox/xoo/ox. x")
    env.step(env.parse_move("c1"))
    assert env.position() == "xox/xoo/oxx o plies=1 end=full"
    assert set(env.rewards.values()) == {0}


@pytest.mark.parametrize(
    "text", ["x../.../... x", "xxx/oo./... x", ".../.../... x end=full", "xxx/oo./... o", "xo/.../... x", "x.", "... x"]
)
def test_positions_that_no_game_shows_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="position"):
        at(text)


@pytest.mark.parametrize(("depth", "count"), [(1, 9), (2, 72), (3, 504), (4, 3024)])
def test_known_numbers_of_positions(depth: int, count: int) -> None:
    assert count_positions(at(), depth) == count


def count_positions(env: Any, depth: int) -> int:
    """Perft: how many sequences of ``depth`` plies there are from here."""
    moves = env.legal_moves()
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        after = env.clone()
        after.step(after.parse_move(move))
        total += count_positions(after, depth - 1)
    return total
