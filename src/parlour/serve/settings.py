"""What a server is started with, and the limits that it keeps."""

from __future__ import annotations

from dataclasses import dataclass, field
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


@dataclass(frozen=True)
class Settings:
    """How a server is started.

    Attributes:
        database: the file that keeps the games.
        host, port: where it listens.
        policies: files of networks that people may choose as players, by the name they are shown with.
        records: files of games, and folders of runs, that people may step through, by the name they are shown with.
    """

    database: Path
    host: str = "127.0.0.1"
    port: int = 8765
    policies: dict[str, Path] = field(default_factory=dict)
    records: dict[str, Path] = field(default_factory=dict)

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host in LOOPBACK

    @property
    def hosts(self) -> frozenset[str]:
        """The names by which it may be called, without the port: others are refused, so that a foreign page can't reach
        it by a name that leads to this machine."""
        return frozenset((*LOOPBACK, "[::1]", self.host, f"[{self.host}]"))
