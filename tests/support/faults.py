"""What goes wrong with files: a full disk at any call, every byte cut or flipped, a process killed at any moment."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

DISK_CALLS = ("open", "write", "fsync", "replace")
EVERY_BYTE = pytest.mark.parametrize(
    "cases", [pytest.param(150, id="sample"), pytest.param(None, id="all", marks=pytest.mark.long)]
)
"""Gives a test ``cases``: how many of all damaged files it tries; None for every one, in the session ``long``."""


def damaged(content: bytes, cases: int | None) -> Iterator[bytes]:
    """The content cut at each byte, and with each bit flipped; ``cases`` of these, drawn at random, or all."""
    every: list[tuple[int, int | None]] = [(k, None) for k in range(len(content))]
    every += [(k, bit) for k in range(len(content)) for bit in range(8)]
    for k, bit in every if cases is None else random.Random(0).sample(every, cases):
        yield content[:k] if bit is None else content[:k] + bytes([content[k] ^ 1 << bit]) + content[k + 1 :]


def tree(folder: Path) -> dict[str, bytes]:
    """The content of every file in a folder, by its path there."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


@contextmanager
def disk_full_from(call: int) -> Iterator[list[int]]:
    """The disk is full from the call with this number on, counted from 0 over all that `DISK_CALLS` write with. Gives a
    list with one entry, how many such calls there were."""
    usual: dict[str, Callable[..., Any]] = {name: getattr(os, name) for name in DISK_CALLS}
    made = [0]

    def failing(name: str) -> Callable[..., Any]:
        def run(*arguments: Any, **named: Any) -> Any:
            if name == "open" and not arguments[1] & (os.O_WRONLY | os.O_RDWR):
                return usual[name](*arguments, **named)
            made[0] += 1
            if made[0] > call:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return usual[name](*arguments, **named)

        return run

    for name in DISK_CALLS:
        setattr(os, name, failing(name))
    try:
        yield made
    finally:
        for name, function in usual.items():
            setattr(os, name, function)


@contextmanager
def files_limited_to(size: int) -> Iterator[None]:
    """No file can grow beyond ``size`` bytes, whoever writes it, libraries in C among them: a disk that fills up."""
    resource = pytest.importorskip("resource", reason="there are no resource limits here")
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
        signal.signal(signal.SIGXFSZ, handler)


def run_and_kill(program: str, *arguments: object, delay: float, line: str = "") -> None:
    """Runs a Python program until it has printed a line that begins so, and ``delay`` seconds more; then kills it."""
    command = [sys.executable, "-c", program, *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            assert any(said.startswith(line.encode()) for said in process.stdout), "it ended before it was killed"
            time.sleep(delay)
        finally:
            process.send_signal(signal.SIGKILL)
