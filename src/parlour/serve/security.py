"""Checks that every request must pass: its origin, its size, and how frequent requests are."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Mapping
from html import escape
from urllib.parse import SplitResult, unquote, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse
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
NOTICE = {"HX-Retarget": "#notice", "HX-Reswap": "innerHTML", "HX-Reselect": "[role=alert]"}
"""Headers of errors for the script of a game's page: it shows the message above the board, and the board stays."""
MAX_ADDRESSES = 1000
REFUSED = 1008
"""The code with which a web socket is closed before it is open; a server answers with status 403."""
TOO_LARGE = "The request is too large."


class Guarded:
    """An ASGI application that checks requests and the openings of web sockets before another handles them."""

    def __init__(
        self, app: ASGIApp, settings: Settings, programs: bool = False, headers: Mapping[str, str] = HEADERS
    ) -> None:
        """``app``: the application that handles requests which pass the checks. ``programs``: whether requests that no
        browser has sent may change something. ``headers``: those of all responses."""
        self.app, self.settings, self.programs, self.headers = app, settings, programs, headers
        self.rates = Rates()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        scope = _rooted(scope, self.settings.root_path)
        refusal = None if scope["type"] == "lifespan" else self.refusal(scope)
        if scope["type"] != "http":
            if refusal is None:
                await self.app(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": REFUSED})
            return
        sending = with_headers(send, "hx-request" in Headers(scope=scope), self.headers)
        if refusal is not None:
            await refusal(scope, receive, sending)
            return
        await self.app(scope, bounded(receive), sending)

    def refusal(self, scope: Scope) -> HTMLResponse | None:
        """The response to a request that is refused; None for a request that passes the checks."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        # Starlette's TrustedHostMiddleware knows names and patterns of names, but not "every address".
        if not self.settings.answers_to(_parts(f"//{host}").hostname):
            return refused(f"{host[:80]!r} is not a host name of this server.", 421)
        if not self.is_own(scope.get("method", "POST"), headers):
            return refused("Requests from other pages are refused.", 403)
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > MAX_BODY:
            return refused(TOO_LARGE, 413)
        if not self.rates.allow(scope["client"][0] if scope.get("client") else ""):
            return refused("Too many requests: wait a moment.", 429)
        return None

    def is_own(self, method: str, headers: Headers) -> bool:
        """Whether the request comes from this server's pages, or from a person who opens a link or types an address."""
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if method in ("GET", "HEAD"):
            return site in (None, "same-origin", "none") or headers.get("sec-fetch-mode") == "navigate"
        if origin is not None:
            if origin in self.settings.origins:
                return True
            url = _parts(origin)
            return url.netloc == headers.get("host") and url.scheme in ("http", "https")
        return site == "same-origin" or (site is None and self.programs)


def _rooted(scope: Scope, root_path: str) -> Scope:
    """A request whose handler knows the path before all addresses, whether the proxy has left it there or not."""
    if not root_path or scope["type"] == "lifespan":
        return scope
    root = unquote(root_path)
    path = root + "/" if scope["path"] == root else scope["path"]
    return {**scope, "root_path": root, "path": path}


def refused(text: str, status_code: int) -> HTMLResponse:
    """The response to a request that is refused."""
    return HTMLResponse(f'<p role="alert">{escape(text)}</p>', status_code)


def _parts(address: str) -> SplitResult:
    """The parts of a URL; empty parts for a text that is not a URL."""
    try:
        return urlsplit(address)
    except ValueError:
        return SplitResult("", "", "", "", "")


class Rates:
    """Limits the requests of each client address: a token bucket per address."""

    def __init__(self) -> None:
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


def with_headers(send: Send, to_script: bool, defaults: Mapping[str, str]) -> Send:
    """``send`` that adds the headers ``defaults`` to a response that lacks them; to errors for a page's script also
    `NOTICE`."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            more = NOTICE if to_script and message["status"] >= 400 else {}
            for name, value in {**defaults, **more}.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
