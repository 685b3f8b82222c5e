"""A failed check names the line of the author's file that it comes from, compiled and as plain Python."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from parlour.interfaces.mistakes import place_of
from parlour.rulebook.compiling import COMPILED
from parlour.testing import CheckFailed, check_game
from tests.testing.mutants import ORIGINALS

TURN = "    state.to_act = 1 - seat\n"
HELPER = "@kernel\ndef other(seat):\n    return numbr\n\n\n@kernel\ndef apply("
MISTAKES = {
    "an undefined name": ("saet", (TURN, "    state.to_act = 1 - saet\n")),
    "a field that there is not": ("to_cat", (TURN, "    state.to_cat = 1 - seat\n")),
    "a field that is read and not there": ("state.numbr", (TURN, "    state.to_act = state.numbr\n")),
    "a text minus a number": ('"1" - seat', (TURN, '    state.to_act = "1" - seat\n')),
    "an undefined name in a helper": (
        "return numbr", ("@kernel\ndef apply(", HELPER), (TURN, "    state.to_act = other(seat)\n"),
    ),
}  # fmt: skip
"""What stands in the line of each mistake, and what is replaced by what."""
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
    shutil.copytree(ORIGINALS["tic_tac_toe"], folder / name, ignore=shutil.ignore_patterns("__pycache__", "tests"))
    path = folder / name / "rules.py"
    text = path.read_text()
    word, *edits = MISTAKES[mistake]
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text)
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
    ran = subprocess.run(
        [sys.executable, "-c", PLAIN, *names], cwd=tmp_path, env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ran.stdout.splitlines() == expected


def test_the_line_of_what_a_check_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check says itself what is wrong; the line is that of the error that it caught."""
    shutil.copytree(ORIGINALS["tic_tac_toe"], tmp_path / "noughts", ignore=shutil.ignore_patterns("tests"))
    path = tmp_path / "noughts" / "notation.py"
    path.write_text(path.read_text().replace('raise ValueError("not', 'raise KeyError("not'))
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(CheckFailed, match=r"^noughts.notation.py, line \d+: raise KeyError") as caught:
        check_game("noughts", checks=["garbled_texts"], games=1)
    assert "raises KeyError" in caught.value.problem


def test_an_error_from_elsewhere_has_no_place(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        print(1 // 0)
    assert place_of(caught.value, tmp_path) == ""
    assert place_of(caught.value, Path(__file__).parent).endswith(": print(1 // 0)")
