"""How many sessions of an OpenEnv server one client may hold, so that others find a place."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CREATE, CLOSE = "openenv/session/create", "openenv/session/close"
"""Methods of ``POST /mcp`` that begin and end a session without a web socket."""
SERVER_ERROR = -32000


class SessionShares:
    """An ASGI application before OpenEnv's. A client, which is an address, holds its open web sockets, and the sessions
    that it has begun by ``POST /mcp``, until it ends them or has not used them for ``idle`` seconds, after which the
    server ends them."""

    def __init__(self, app: ASGIApp, share: int, idle: float, clock: Callable[[], float] = time.monotonic) -> None:
        """``share``: how many sessions a client may hold."""
        self.app, self.share, self.idle, self.clock = app, share, idle, clock
        self._open: Counter[str] = Counter()
        self._used: dict[str, tuple[str, float]] = {}  # by session: its client, and when it was used last

    def held(self, client: str) -> int:
        """How many sessions a client holds."""
        end = self.clock() - self.idle
        self._used = {session: used for session, used in self._used.items() if used[1] > end}
        return self._open[client] + sum(owner == client for owner, _ in self._used.values())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        client = scope["client"][0] if scope.get("client") else ""
        if scope["type"] == "websocket":
            await self._socket(client, scope, receive, send)
        elif scope["type"] == "http" and scope["method"] == "POST" and scope["path"].endswith("/mcp"):
            await self._post(client, scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _socket(self, client: str, scope: Scope, receive: Receive, send: Send) -> None:
        begun_before = parse_qs(scope["query_string"].decode("latin-1")).get("session_id", [])
        for session in begun_before:
            self._touch(session)
        if not begun_before and self.held(client) >= self.share:
            await receive()
            await send({"type": "websocket.accept"})
            message = {"type": "error", "data": {"message": self._refusal, "code": "CAPACITY_REACHED"}}
            await send({"type": "websocket.send", "text": json.dumps(message)})
            await send({"type": "websocket.close", "code": 1013})
            return
        await self._counted(client, scope, receive, send)

    async def _counted(self, client: str, scope: Scope, receive: Receive, send: Send) -> None:
        """The request, which counts as a session while it lasts."""
        self._open[client] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self._open[client] -= 1
            self._open += Counter()  # drops clients that hold nothing

    async def _post(self, client: str, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            messages = [await receive()]
            while messages[-1].get("more_body"):
                messages.append(await receive())
        except HTTPException as error:  # the body is too large
            await PlainTextResponse(str(error.detail), error.status_code)(scope, receive, send)
            return
        asked = _object(b"".join(message.get("body", b"") for message in messages))
        parameters = asked.get("params")
        session = str(parameters.get("session_id")) if isinstance(parameters, dict) else ""
        waiting = iter(messages)

        async def replayed() -> Message:
            message = next(waiting, None)
            return await receive() if message is None else message

        if asked.get("method") != CREATE:
            self._touch(session)
            if asked.get("method") == CLOSE:
                self._used.pop(session, None)
            await self.app(scope, replayed, send)
        elif self.held(client) >= self.share:
            refusal = {"code": SERVER_ERROR, "message": self._refusal}
            await JSONResponse({"jsonrpc": "2.0", "id": asked.get("id"), "error": refusal})(scope, receive, send)
        else:
            answer = bytearray()

            async def noted(message: Message) -> None:
                answer.extend(message.get("body", b""))
                await send(message)

            await self._counted(client, scope, replayed, noted)
            result = _object(bytes(answer)).get("result")
            if isinstance(result, dict) and "session_id" in result:
                self._used[str(result["session_id"])] = client, self.clock()

    def _touch(self, session: str) -> None:
        if session in self._used:
            self._used[session] = self._used[session][0], self.clock()

    @property
    def _refusal(self) -> str:
        return f"one client may hold {self.share} sessions of this server; end one first"


def _object(body: bytes) -> dict[str, Any]:
    """A JSON object; an empty one for any other text, which the server answers."""
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}
