"""The settings of a server, and its limits."""

from __future__ import annotations

import re
import socket
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

MAX_BODY = 2 << 20
"""The largest number of bytes of a request."""
MAX_SESSIONS_IN_MEMORY = 300
MAX_RECORDS = 20
"""How many games of a file are shown."""
MAX_RECORD_PLIES = 5000
MAX_THINKING = 10.0
"""The largest number of seconds per ply that a player may be given."""
MAX_SIMULATIONS = 20_000
MAX_DEPTH = 12
REQUESTS_A_SECOND, BURST = 100.0, 300.0
"""Limits for each client address: requests per second, and how many may come at once."""
MAX_STREAMS = 64
"""The largest number of open event streams; four times as many if the server is not local."""
LOOPBACK = ("127.0.0.1", "::1", "localhost")
EVERYWHERE = ("0.0.0.0", "::")
"""Hosts that mean: listen on all addresses of this machine."""
ROOT_PATH = re.compile(r"(/[\w.~!$&'()*+,;=:@%-]+)*", re.ASCII)
USUAL_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Settings:
    """The settings of a server.

    Attributes:
        database: the file in which games are saved.
        host, port: the address and port to listen on.
        policies: ONNX files of networks that can be chosen as players, by the name that pages show.
        values: files of value networks (`parlour.players.value`), likewise.
        tables: folders of tables of exact values (`parlour.solve`), likewise.
        records: files of recorded games, and runs' folders, that can be replayed, by the name that pages show.
        root_path: the path before all addresses, as a browser sees them through a proxy, such as ``/user/x``, or empty.
        origins: of pages as browsers see them through a proxy, such as ``https://hub.example.org``: see `read_origin`.
    """

    database: Path
    host: str = "127.0.0.1"
    port: int = 8765
    policies: dict[str, Path] = field(default_factory=dict)
    values: dict[str, Path] = field(default_factory=dict)
    tables: dict[str, Path] = field(default_factory=dict)
    records: dict[str, Path] = field(default_factory=dict)
    root_path: str = ""
    origins: tuple[str, ...] = ()

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the server."""
        return self.host in LOOPBACK and not self.origins

    @property
    def hosts(self) -> frozenset[str]:
        """The valid host names of requests, without the port. Others are refused, so that pages of other sites can't
        reach the server through a name of theirs that resolves to this machine (DNS rebinding)."""
        public = (str(urlsplit(origin).hostname) for origin in self.origins)
        return frozenset((*LOOPBACK, self.host.lower(), socket.gethostname().lower(), *public))

    def answers_to(self, name: str | None) -> bool:
        """Whether a host name or address (without the port) is valid in requests. A server that listens on all
        addresses accepts every address, but no other names, since anyone can make a name resolve to this machine."""
        if name is None:
            return False
        return name in self.hosts or (self.host in EVERYWHERE and _is_address(name))


def read_root_path(text: str) -> str:
    """A path before all addresses, without a slash at its end. ValueError for what is none."""
    path = text.rstrip("/")
    if not ROOT_PATH.fullmatch(path) or {".", ".."} & set(path.split("/")):
        raise ValueError(f"{text!r} is not a path such as /user/x: it begins with / and has no spaces, ? or #")
    return path


def read_origin(text: str) -> str:
    """An origin as browsers write it: ``https://hub.example.org``, with a port if it is not the usual one. ValueError
    for what is none."""
    try:
        url = urlsplit(text.rstrip("/").lower())
        port = url.port
    except ValueError:
        url, port = urlsplit(""), None
    if url.scheme not in USUAL_PORTS or not url.hostname or url.path or url.query or url.fragment or url.username:
        raise ValueError(f"{text!r} is not an origin such as https://hub.example.org: scheme, name, port if need be")
    name = f"[{url.hostname}]" if ":" in url.hostname else url.hostname
    return f"{url.scheme}://{name}" + ("" if port in (None, USUAL_PORTS[url.scheme]) else f":{port}")


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
