"""Child processes in which kernels are plain Python."""

from __future__ import annotations

import os
import subprocess
import sys

CHILD = "import sys, numpy; numpy.seterr(over='ignore'); from {} import main; main(*sys.argv[1:])"
"""Words overflow silently: see `parlour.rulebook.compiling.make_kernel`."""


def run_uncompiled(module: str, *words: str, seconds: float | None = None) -> tuple[str, str]:
    """Runs ``main(*words)`` of a module in a process that compiles nothing, for ``seconds`` at most. Returns what it
    prints, and the last line of its errors if it fails, else an empty text. TimeoutExpired if it takes too long."""
    path = os.pathsep.join(map(os.path.abspath, sys.path))
    child = subprocess.run(
        [sys.executable, "-c", CHILD.format(module), *words],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=seconds,
        check=False,
    )
    last = child.stderr.strip().rpartition("\n")[2] or f"it ended with status {child.returncode}"
    return child.stdout, last if child.returncode else ""
