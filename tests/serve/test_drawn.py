"""A game whose picture can't be drawn takes no other game's away."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("starlette")

from starlette.testclient import TestClient

from parlour.engine.game import load_game
from parlour.interfaces import registry
from tests.support.own_games import PIG, copy_game

RAISES = 'def svg(state, variant):\n    print("svg")\n    return SCORE[state.to_act + 7]\n\n\nSCORE = (1, 2)\n'
DRAWINGS = {
    "wrong_pig": (RAISES, "wrong_pig/drawing.py, line {}: return SCORE[state.to_act + 7]: IndexError: "),
    "bare_pig": ("", "bare_pig has no drawing.py"),
    "quick_pig": ("import os\nos._exit(7)\n", "it ended with status 7"),
}
"""What each game's drawing ends with (empty: it has none), and what the terminal says."""


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Games that can't be drawn, and one that prints: of each, what the terminal says."""
    monkeypatch.syspath_prepend(str(tmp_path))
    messages = {}
    for name, (end, message) in {**DRAWINGS, "loud_pig": ("print('loud')\n", "")}.items():
        drawing = copy_game(PIG, tmp_path / name) / "drawing.py"
        monkeypatch.setitem(registry._GAMES, f"{name}-v0", load_game(name))
        drawing.write_text(drawing.read_text() + end)
        lines = drawing.read_text().splitlines()
        messages[name] = message.format(next((k for k, line in enumerate(lines, 1) if "+ 7]" in line), 0))
        if not end:
            drawing.unlink()
    return messages


def test_a_game_that_can_not_be_drawn_lacks_its_own_picture_alone(
    client: TestClient, broken: dict[str, str], capfd: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        for name, message in broken.items():
            assert client.get(f"/boards/{name}-v0.svg").status_code == (404 if message else 200), name
        assert client.get("/boards/agon-v0.svg").text.startswith("<svg")
    lines = capfd.readouterr().err.splitlines()
    assert len(lines) == len(DRAWINGS)
    for line, (name, message) in zip(lines, ((name, text) for name, text in broken.items() if text)):
        assert line.startswith(f"parlour: the boards of {name} can't be drawn: ")
        assert message in line


def test_lessons_that_can_not_be_drawn_are_left_out(
    client: TestClient, broken: dict[str, str], capfd: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        assert client.get("/how/wrong_pig-v0").status_code == 200
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith(f"parlour: the lessons of wrong_pig can't be drawn: {broken['wrong_pig']}")
