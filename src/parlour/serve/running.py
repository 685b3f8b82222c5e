"""Listening for requests: addresses, time limits, and an end that comes soon."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
from contextlib import suppress
from errno import EADDRNOTAVAIL, EAFNOSUPPORT
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from parlour.serve.settings import MAX_BODY
from parlour.serve.workers import still_at_work

KEEP_ALIVE = 75
"""Seconds that an idle connection stays open: long, since a click on a connection just being closed is lost."""
MAX_ARRIVAL = 30.0
"""Seconds in which a request must arrive, its headers and its body; also the first one of a connection."""
GRACE, LAST_GRACE = 1, 0.1
"""Seconds that the end waits for responses, and then for threads."""
EVENTS = "/events"
"""How addresses of event streams end."""


def listen(host: str, port: int) -> list[socket.socket]:
    """Sockets that listen on all addresses of a host. OSError or UnicodeError if that can't be done."""
    addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    sockets: list[socket.socket] = []
    missing: OSError | None = None
    for family, address in dict.fromkeys((family, address) for family, *_, address in addresses):
        try:
            sockets.append(socket.create_server(address, family=family))
        except OSError as error:
            if error.errno not in (EADDRNOTAVAIL, EAFNOSUPPORT):  # such as IPv6 where it is switched off
                for other in sockets:
                    other.close()
                raise
            missing = error
    if missing and not sockets:
        raise missing
    return sockets


def run(app: ASGIApp, sockets: list[socket.socket]) -> None:
    """Answers requests until Ctrl-C. It does not wait for busy threads: all that was acknowledged has been saved."""
    config = uvicorn.Config(
        app, http=TimedHttp, log_level="warning", server_header=False, timeout_graceful_shutdown=GRACE,
        timeout_keep_alive=KEEP_ALIVE, ws_max_size=MAX_BODY,
    )  # fmt: skip
    with suppress(KeyboardInterrupt):
        _Uvicorn(config).run(sockets)
    busy = True
    with suppress(KeyboardInterrupt):  # a second one means: at once
        busy = still_at_work(LAST_GRACE)
    if busy:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


class _Uvicorn(uvicorn.Server):
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends event streams at once, and all other requests after `GRACE`, without a word about them."""
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        for connection in list(self.server_state.connections):
            if isinstance(connection, TimedHttp) and connection.has_stream:
                connection.transport.close()
        await super().shutdown(sockets)


class TimedHttp(H11Protocol):
    """HTTP with the time limit `MAX_ARRIVAL`: a connection whose request has not arrived by then is closed."""

    overdue: asyncio.TimerHandle | None = None

    @property
    def has_stream(self) -> bool:
        """Whether the connection carries an event stream."""
        return self.cycle is not None and not self.cycle.response_complete and self.scope["path"].endswith(EVENTS)

    def connection_made(self, transport: Any) -> None:
        """See `asyncio.Protocol`."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio.Protocol`."""
        super().connection_lost(exc)
        self._stop_watch()

    def _watch(self) -> None:
        """Starts the time while a request is due, and stops it when the request is complete."""
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._stop_watch()
        elif self.overdue is None:
            self.overdue = self.loop.call_later(MAX_ARRIVAL, self.transport.close)

    def _stop_watch(self) -> None:
        if self.overdue is not None:
            self.overdue.cancel()
            self.overdue = None
