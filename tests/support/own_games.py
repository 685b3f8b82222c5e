"""Games as a user's own packages: copies of two small ones, with changes in their files."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.support.processes import ROOT

TIC_TAC_TOE = ROOT / "examples" / "games" / "tic_tac_toe"
PIG = ROOT / "tests" / "toy_games" / "pig"
Edit = tuple[str, str, str]
"""A file, what is replaced there, and by what. An empty text is replaced by a new file."""


def copy_game(original: Path, folder: Path, *edits: Edit) -> Path:
    """Copies a game without its tests, makes the edits, and gives the folder."""
    shutil.copytree(original, folder, ignore=shutil.ignore_patterns("__pycache__", "tests"))
    for file, old, new in edits:
        path = folder / file
        text = path.read_text() if path.exists() else ""
        assert old in text, f"{old!r} is not in {file}"
        path.write_text(text.replace(old, new) if old else new)
    return folder
