"""What a server is started with, and the limits that it keeps."""

from __future__ import annotations

import socket
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path

MAX_BODY = 2 << 20
"""Bytes of a request."""
MAX_SESSIONS_IN_MEMORY = 300
MAX_RECORDS = 20
"""Games of an uploaded file that are shown."""
MAX_RECORD_PLIES = 5000
MAX_THINKING = 10.0
"""Seconds that a player may think for a ply."""
MAX_SIMULATIONS = 20_000
MAX_DEPTH = 12
REQUESTS_A_SECOND, BURST = 100.0, 300.0
"""Of one address."""
MAX_STREAMS = 64
"""Pages of one address that are told of changes at the same time."""
LOOPBACK = ("127.0.0.1", "::1", "localhost")
EVERYWHERE = ("0.0.0.0", "::")
"""To listen on all addresses of this machine."""


@dataclass(frozen=True)
class Settings:
    """How a server is started.

    Attributes:
        database: the file that keeps the games.
        host, port: where it listens.
        policies: ONNX files of networks that people may choose as players, by the name they are shown with.
        values: files of value networks (`parlour.value`), likewise.
        records: files of games, and folders of runs, that people may step through, by the name they are shown with.
    """

    database: Path
    host: str = "127.0.0.1"
    port: int = 8765
    policies: dict[str, Path] = field(default_factory=dict)
    values: dict[str, Path] = field(default_factory=dict)
    records: dict[str, Path] = field(default_factory=dict)

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host in LOOPBACK

    @property
    def hosts(self) -> frozenset[str]:
        """The names by which it may be called, without the port: others are refused, so that a foreign page can't reach
        it by a name that leads to this machine."""
        return frozenset((*LOOPBACK, self.host.lower(), socket.gethostname().lower()))

    def answers_to(self, name: str | None) -> bool:
        """Whether requests may call it by this name or address (without the port). A server that listens on all
        addresses answers to any address, but not to other names: a name may lead anywhere, an address does not."""
        if name is None:
            return False
        return name in self.hosts or (self.host in EVERYWHERE and _is_address(name))


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
