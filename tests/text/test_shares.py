"""How many sessions of an OpenEnv server a client may hold: before a server that begins every session asked for."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

pytest.importorskip("starlette")

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket

from parlour.serve.security import bounded
from parlour.text.adapters.shares import CLOSE, CREATE, SessionShares

SHARE, IDLE = 3, 300.0


class Clock:
    """A clock that stands still until it is set."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def server() -> Starlette:
    numbers = itertools.count()

    async def mcp(request: Request) -> Response:
        try:
            asked = json.loads(await request.body())
        except (ValueError, RecursionError):
            return Response("no JSON", 400)
        begun = isinstance(asked, dict) and asked.get("method") == CREATE
        return JSONResponse({"id": 1, "result": {"session_id": f"s{next(numbers)}"} if begun else {"asked": asked}})

    async def socket(connection: WebSocket) -> None:
        await connection.accept()
        await connection.receive()

    return Starlette(routes=[Route("/mcp", mcp, methods=["POST"]), WebSocketRoute("/ws", socket)])


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def clients(clock: Clock) -> dict[str, TestClient]:
    app = SessionShares(server(), SHARE, IDLE, clock)
    return {name: TestClient(app, client=(name, 1)) for name in ("first", "second")}


def ask(client: TestClient, method: str, **params: Any) -> Any:
    return client.post("/mcp", json={"jsonrpc": "2.0", "id": 7, "method": method, "params": params}).json()


def test_a_client_has_a_share_and_leaves_places_for_others(clients: dict[str, TestClient]) -> None:
    begun = [ask(clients["first"], CREATE) for _ in range(5)]
    assert ["result" in one for one in begun] == [True] * 3 + [False] * 2
    assert begun[-1]["id"] == 7
    assert "hold 3 sessions" in begun[-1]["error"]["message"]
    assert "result" in ask(clients["second"], CREATE)


def test_a_session_that_is_ended_or_idle_counts_no_more(clients: dict[str, TestClient], clock: Clock) -> None:
    names = [ask(clients["first"], CREATE)["result"]["session_id"] for _ in range(3)]
    ask(clients["first"], CLOSE, session_id=names[0])
    assert "result" in ask(clients["first"], CREATE)
    assert "error" in ask(clients["first"], CREATE)
    clock.now = 200.0
    ask(clients["first"], "tools/call", session_id=names[1])  # used
    clock.now = 301.0
    assert ["result" in ask(clients["first"], CREATE) for _ in range(3)] == [True, True, False]


def test_open_web_sockets_count_while_they_are_open(clients: dict[str, TestClient]) -> None:
    client = clients["first"]
    with client.websocket_connect("/ws"), client.websocket_connect("/ws"), client.websocket_connect("/ws") as last:
        with client.websocket_connect("/ws") as refused:
            assert refused.receive_json()["data"]["code"] == "CAPACITY_REACHED"
        assert "error" in ask(client, CREATE)
        with clients["second"].websocket_connect("/ws"):
            pass
        last.send_text("done")
    assert "result" in ask(client, CREATE)


def test_a_web_socket_of_a_session_that_was_begun_is_no_second_one(clients: dict[str, TestClient]) -> None:
    names = [ask(clients["first"], CREATE)["result"]["session_id"] for _ in range(3)]
    with clients["first"].websocket_connect(f"/ws?session_id={names[0]}") as socket:
        socket.send_text("no message about a full server")


@pytest.mark.parametrize(
    "body", [b"", b"[", b"null", b"[]", b'"x"', b"[" * 100_000, b'{"method": 3, "params": []}', b"\xff"]
)
def test_other_bodies_reach_the_server_as_they_are(clients: dict[str, TestClient], body: bytes) -> None:
    plain = TestClient(server()).post("/mcp", content=body)
    found = clients["first"].post("/mcp", content=body)
    assert (found.status_code, found.content) == (plain.status_code, plain.content)


def test_a_body_that_is_too_large_is_refused() -> None:
    shared = SessionShares(server(), SHARE, IDLE)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await shared(scope, bounded(receive), send)

    assert TestClient(app).post("/mcp", content=b" " * (3 << 20)).status_code == 413
