"""What the benchmarks against GNU Backgammon and pubeval stand on; and GNU Backgammon itself, where it is installed."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.games.backgammon.positions import at
from tests.support.backgammon_turns import after_turn, position_of, start, throw, variant_of

sys.path.append(str(Path(__file__).parents[3] / "benchmarks"))

from gnubg_losses import kind_of
from gnubg_program import Gnubg, board_of, moved, steps_of, swapped
from pubeval import Pubeval, inputs, is_race

INSTALLED = shutil.which("gnubg", path="/usr/games:/usr/bin:/usr/local/bin")


def seen(board: str, **more: object) -> tuple[int, ...]:
    """A position as White sees it."""
    return position_of(at(board, "2 1", **more).games.states, 0)


def test_moves_of_gnubg_are_read() -> None:
    assert steps_of("bar/22/18* 6/5(2)") == [(25, 22), (22, 18), (6, 5), (6, 5)]
    assert steps_of("6/off 13/7*") == [(6, 0), (13, 7)]
    assert steps_of("Cannot move") == []


def test_moves_of_gnubg_are_played() -> None:
    before = seen("13:w2 6:w1 9:b1 1:b2", bar=(1, 0))
    after = moved(before, steps_of("bar/21 13/9*"))
    assert after == seen("21:w1 13:w1 9:w1 6:w1 1:b2", bar=(0, 1))
    assert moved(seen("6:w2 24:b1"), steps_of("6/off")) == seen("6:w1 24:b1")
    assert moved(seen("24:w1 1:b1"), steps_of("24/13")) == seen("13:w1 1:b1")


def test_boards_of_gnubg_count_from_the_ace_point() -> None:
    own, other = board_of(seen("6:w3 1:w1 24:b2 5:b4", bar=(2, 1)))
    assert own == [1, 0, 0, 0, 0, 3, *[0] * 18, 2]
    assert other == [2, *[0] * 18, 4, 0, 0, 0, 0, 1]
    assert swapped(swapped(seen("6:w3 5:b4"))) == seen("6:w3 5:b4")


def test_pubeval_reads_its_weights_and_sees_the_board(tmp_path: Path) -> None:
    """Five numbers a point from the own 24: a man of the other's alone; own 1; 2 and more; 3; what is more, halved."""
    source = tmp_path / "pubeval.c"
    numbers = ", ".join(f"{k / 100:.2f}" for k in range(122))
    source.write_text(f"static const float wc[122] = {{\n {numbers}\n}};\nfloat wr[122] = {{ {numbers} }};\n")
    found = inputs(seen("24:w1 23:w2 22:w3 21:w5 20:b1 19:b2", bar=(0, 1)))
    assert np.flatnonzero(found).tolist() == [1, 7, 12, 13, 17, 19, 20, 120, 121]
    assert (found[19], found[120]) == (1.0, 0.5)
    assert found[121] == pytest.approx(4 / 15)
    best = Pubeval(source).best(seen("24:w1 1:b1"), [seen("24:w1 1:b1"), seen("1:w1 2:b1")])
    assert best == seen("1:w1 2:b1")
    source.write_text("float wc[122] = { 0.1, 0.2 };")
    with pytest.raises(ValueError, match=r"has no tables wc\[122\] and wr\[122\]"):
        Pubeval(source)


def test_pubeval_tells_a_race() -> None:
    assert is_race(seen("6:w2 19:b2"))
    assert not is_race(seen("20:w2 19:b2"))
    assert not is_race(seen("6:w2 19:b2", bar=(0, 1)))


@pytest.mark.parametrize(
    ("board", "kind"),
    [
        ("6:w2 19:b2", "race, bearing off"),
        ("7:w2 19:b2", "race"),
        ("6:w2 3:b2", "bearing off in contact"),
        ("7:w1 6:w2 5:w2 4:w2 3:w2 2:w2 1:b2", "five points closed at home"),
        ("8:w2 7:w2 6:w2 5:w2 4:w2 1:b2", "five points in a row"),
        ("24:w2 6:w2 1:b2 19:b2", "men of both seats back"),
        ("24:w2 6:w2 13:b2", "men of one seat back"),
        ("13:w2 12:b2", "none back"),
    ],
)
def test_kinds_of_positions(board: str, kind: str) -> None:
    assert kind_of(seen(board)) == kind


@pytest.mark.skipif(not INSTALLED, reason="the program gnubg is not installed")
def test_turns_end_where_gnubgs_do() -> None:
    """Twenty throws of a game, and the moves that it plays itself."""
    variant, rng = variant_of(), np.random.default_rng(3)
    states = start(variant, 0)
    with Gnubg() as gnubg:
        for _ in range(20):
            seat, faces = int(states["to_act"][0]), tuple(rng.integers(1, 7, 2).tolist())
            before = position_of(states, seat)
            throw(states, variant, faces)
            found = after_turn(states, variant)
            assert found.keys() == gnubg.after_turn(before, faces)
            states, reward, _ = found[gnubg.best(before, faces, 0)]
            assert not reward
        assert -3 <= gnubg.equities([before])[0] <= 3
