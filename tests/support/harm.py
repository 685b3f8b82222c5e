"""What a run of tests may leave behind on the machine: nothing outside its temporary folders.

Each function names what it has found. Where the system does not say (no ``/proc``, no git), nothing is found.
"""

from __future__ import annotations

import os
import re
import stat
import subprocess
from pathlib import Path

NULL = Path(os.devnull)
HELPERS = ("resource_tracker", "forkserver")
"""Processes that Python's multiprocessing keeps until its own process ends."""
MAY_BE_WRITTEN = {".cache", ".pki", ".ray", "chromium", "google-chrome"}
"""Folders in a home folder: caches of libraries, Ray's token, and what a browser keeps, whatever is asked of it."""
LISTENING = "0A"
"""The state of a socket in ``/proc/net/tcp``, by Linux's ``net/tcp_states.h``."""


def replaced_device(path: Path = NULL) -> list[str]:
    """The null device, if it is no device any more."""
    if os.name == "nt" or stat.S_ISCHR(path.stat().st_mode):
        return []
    return [f"{path} is no device any more: remove it, and make it again with mknod -m 666 {path} c 1 3"]


def files_in(home: Path) -> list[str]:
    """Files in a home folder that was empty, but for those that are `MAY_BE_WRITTEN`."""
    written = [path for path in sorted(home.rglob("*")) if path.is_file()]
    return [f"{path} was written" for path in written if not MAY_BE_WRITTEN & set(path.relative_to(home).parts[:-1])]


def changes_in(checkout: Path) -> set[str]:
    """What git calls changed or new in a checkout, ignored files left out."""
    command = ["git", "status", "--porcelain"]
    try:
        ran = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return set()
    return set(ran.stdout.splitlines())


def children() -> list[str]:
    """Processes that this one has started and that have not ended."""
    found = []
    for listed in Path("/proc/self/task").glob("*/children"):
        for number in listed.read_text().split():
            try:
                state = Path(f"/proc/{number}/stat").read_text().rpartition(") ")[2]
                command = Path(f"/proc/{number}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:  # it has ended meanwhile
                continue
            if not state.startswith("Z") and not any(helper in command for helper in HELPERS):
                found.append(f"process {number} has not ended: {command[:200]}")
    return found


def open_ports() -> list[str]:
    """Ports at which this process listens."""
    own = set()
    for descriptor in Path("/proc/self/fd").glob("*"):
        try:
            own.add(os.readlink(descriptor))
        except OSError:  # closed meanwhile
            continue
    found = []
    for table in (Path("/proc/net/tcp"), Path("/proc/net/tcp6")):
        for line in table.read_text().splitlines()[1:] if table.exists() else ():
            words = re.split(r"\s+", line.strip())
            if words[3] == LISTENING and f"socket:[{words[9]}]" in own:
                found.append(f"port {int(words[1].rpartition(':')[2], 16)} is still open")
    return found
