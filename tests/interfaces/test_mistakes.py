"""A failed check names the line of the author's file that it comes from, compiled and as plain Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from parlour.interfaces.mistakes import place_of
from parlour.rulebook.compiling import COMPILED
from parlour.testing import CheckFailed, check_game
from tests.support.own_games import TIC_TAC_TOE, copy_game
from tests.support.processes import run_python

TURN = "    state.to_act = 1 - seat\n"
HELPER = "@kernel\ndef other(seat):\n    return numbr\n\n\n@kernel\ndef apply("
MISTAKES = {
    "an undefined name": ("saet", ("rules.py", TURN, "    state.to_act = 1 - saet\n")),
    "a field that there is not": ("to_cat", ("rules.py", TURN, "    state.to_cat = 1 - seat\n")),
    "a field that is read and not there": ("state.numbr", ("rules.py", TURN, "    state.to_act = state.numbr\n")),
    "a text minus a number": ('"1" - seat', ("rules.py", TURN, '    state.to_act = "1" - seat\n')),
    "an undefined name in a helper": (
        "return numbr", ("rules.py", "@kernel\ndef apply(", HELPER),
        ("rules.py", TURN, "    state.to_act = other(seat)\n"),
    ),
}  # fmt: skip
"""What stands in the line of each mistake, and the edits that make it."""
PLAIN = """
import sys
from parlour.testing import CheckFailed, check_game
for name in sys.argv[1:]:
    try:
        check_game(name, checks=["random_play"], games=1)
    except CheckFailed as failure:
        print(failure.place)
"""


def _mistaken(folder: Path, name: str, mistake: str) -> str:
    """Writes tic-tac-toe with a mistake, and gives the place where it is."""
    word, *edits = MISTAKES[mistake]
    text = (copy_game(TIC_TAC_TOE, folder / name, *edits) / "rules.py").read_text()
    number, line = next((k, line) for k, line in enumerate(text.splitlines(), 1) if word in line)
    return f"{Path(name) / 'rules.py'}, line {number}: {line.strip()}"


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled under NUMBA_DISABLE_JIT")
@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_line_of_what_cannot_be_compiled(mistake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"uncompilable_{list(MISTAKES).index(mistake)}"
    expected = _mistaken(tmp_path, name, mistake)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(CheckFailed) as caught:
        check_game(name, checks=["random_play"], games=1)
    first, *rest = str(caught.value).splitlines()
    assert first == caught.value.place == expected
    assert rest[0].startswith(f"{name}-v0, variant 'usual', check 'random_play', seed 0, position '")
    assert len(rest) <= 4, "Numba's list of all that it tried is not shown"


def test_the_line_of_what_fails_as_plain_python(tmp_path: Path) -> None:
    names = {f"plain_{k}": mistake for k, mistake in enumerate(MISTAKES)}
    expected = [_mistaken(tmp_path, name, mistake) for name, mistake in names.items()]
    ran = run_python(PLAIN, tmp_path, *names, NUMBA_DISABLE_JIT="1")
    assert ran.stdout.splitlines() == expected, ran.stderr


def test_the_line_of_what_a_check_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check says itself what is wrong; the line is that of the error that it caught."""
    edit = "notation.py", 'raise ValueError("not', 'raise KeyError("not'
    copy_game(TIC_TAC_TOE, tmp_path / "noughts", edit)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(CheckFailed, match=r"^noughts.notation.py, line \d+: raise KeyError") as caught:
        check_game("noughts", checks=["garbled_texts"], games=1)
    assert "raises KeyError" in caught.value.problem


def test_an_error_from_elsewhere_has_no_place(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        print(1 // 0)
    assert place_of(caught.value, tmp_path) == ""
    assert place_of(caught.value, Path(__file__).parent).endswith(": print(1 // 0)")
