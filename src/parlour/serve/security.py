"""Checks that every request must pass: its origin, its size, and how frequent requests are."""

from __future__ import annotations

import time
from collections import OrderedDict
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from parlour.serve.settings import BURST, MAX_BODY, REQUESTS_A_SECOND, Settings

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
MAX_ADDRESSES = 1000
TOO_LARGE = "The request is too large."


class Guarded:
    """An ASGI application that checks requests before another application handles them."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        """``app``: the application that handles requests which pass the checks."""
        self.app, self.settings, self.rates = app, settings, Rates()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refused = self.refusal(scope)
        if refused is not None:
            await refused(scope, receive, with_headers(send))
            return
        await self.app(scope, bounded(receive), with_headers(send))

    def refusal(self, scope: Scope) -> PlainTextResponse | None:
        """The response to a request that is refused; None for a request that passes the checks."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self.settings.answers_to(_parts(f"//{host}").hostname):
            return PlainTextResponse(f"{host[:80]!r} is not a host name of this server.", 421)
        if not self.is_own(scope["method"], headers):
            return PlainTextResponse("Requests from other pages are refused.", 403)
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > MAX_BODY:
            return PlainTextResponse(TOO_LARGE, 413)
        if not self.rates.allow(scope["client"][0] if scope.get("client") else ""):
            return PlainTextResponse("Too many requests: wait a moment.", 429)
        return None

    def is_own(self, method: str, headers: Headers) -> bool:
        """Whether the request comes from this server's own pages, or from a person who opens a link or enters its
        address."""
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if method in ("GET", "HEAD"):
            return site in (None, "same-origin", "none") or headers.get("sec-fetch-mode") == "navigate"
        if origin is not None:
            url = _parts(origin)
            return url.netloc == headers.get("host") and url.scheme in ("http", "https")
        return site == "same-origin"


def _parts(address: str) -> SplitResult:
    """The parts of a URL; empty parts for a text that is not a URL."""
    try:
        return urlsplit(address)
    except ValueError:
        return SplitResult("", "", "", "", "")


class Rates:
    """Limits the requests of each client address: a token bucket per address."""

    def __init__(self) -> None:
        """Starts with full buckets."""
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allow(self, address: str) -> bool:
        """Counts a request and returns whether it is allowed."""
        now = time.monotonic()
        left, then = self._left.pop(address, (BURST, now))
        left = min(BURST, left + (now - then) * REQUESTS_A_SECOND)
        allowed = left >= 1
        self._left[address] = (left - 1 if allowed else left), now
        while len(self._left) > MAX_ADDRESSES:
            self._left.popitem(last=False)
        return allowed


def bounded(receive: Receive) -> Receive:
    """``receive`` with a check: HTTPException 413 when a body exceeds the limit, also if it is sent in parts."""
    received = 0

    async def checked() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > MAX_BODY:
            raise HTTPException(413, TOO_LARGE)
        return message

    return checked


def with_headers(send: Send) -> Send:
    """``send`` that adds those of `HEADERS` that a response does not have."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
