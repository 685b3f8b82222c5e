"""Python programs in processes of their own."""

from __future__ import annotations

import os
import socket
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


def run_simulated(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs Python with these arguments in CUDA's simulator, which needs no GPU."""
    simulated = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, env=simulated, capture_output=True, text=True)


def check_pytest(folder: Path, *arguments: str, **environment: str) -> None:
    """Some tests pass, run in a folder by a process of their own."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    ran = subprocess.run(command, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout[-3000:]
    assert " passed" in ran.stdout


def free_port() -> int:
    """A port of this machine that nothing listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
