"""Python programs in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
NO_BYTECODE = {"PYTHONDONTWRITEBYTECODE": "1"}
"""For files that a test edits: of two texts of one length, written in one second, Python would take the first."""


def run_python(code: str, folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs ``code`` in a fresh Python in ``folder``, without the settings for Numba of this process."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=folder, env={**inherited, **environment}, capture_output=True,
        text=True, timeout=300, check=False,
    )  # fmt: skip
