"""Requests that the server refuses: other hosts and pages, sizes, rates, forms, addresses, clicks."""

from __future__ import annotations

import json
from dataclasses import replace
from html import unescape

import pytest
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from parlour.serve.app import make_app
from parlour.serve.security import Guarded, Rates
from parlour.serve.settings import BURST, MAX_BODY, Settings
from tests.serve.playing import HERE, begin


@pytest.mark.parametrize(
    ("host", "name", "answers"),
    [
        ("127.0.0.1", "localhost", True),
        ("127.0.0.1", "192.168.1.5", False),
        ("192.168.1.5", "192.168.1.5", True),
        ("192.168.1.5", "192.168.1.6", False),
        ("0.0.0.0", "192.168.1.5", True),
        ("::", "fe80::1", True),
        ("0.0.0.0", "evil.example", False),
        ("0.0.0.0", None, False),
    ],
)
def test_names_of_the_server(settings: Settings, host: str, name: str | None, answers: bool) -> None:
    """On all addresses it answers to each of them, but to no name that leads here: a foreign page may choose that."""
    assert replace(settings, host=host).answers_to(name) == answers


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://127.0.0.1:9999"}, 403),
        ({"origin": HERE, "host": "evil.example"}, 421),
        ({"origin": HERE, "host": "["}, 421),
        ({"origin": "http://["}, 403),
        ({"origin": HERE, "host": "127.0.0.1.evil.example:8765"}, 421),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({}, 403),
        ({"sec-fetch-site": "same-origin"}, 303),
        ({"origin": HERE}, 303),
    ],
)
def test_requests_from_other_pages_are_refused(settings: Settings, headers: dict[str, str], status: int) -> None:
    with TestClient(make_app(settings), base_url=HERE) as client:
        answer = client.post("/new/checkers-v0", data={"seat-0": "person"}, headers=headers, follow_redirects=False)
        assert answer.status_code == status
        assert "default-src 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("headers", "programs", "answers"),
    [
        ({"origin": "http://evil.example"}, True, False),
        ({"origin": HERE}, False, True),
        ({"origin": HERE, "host": "evil.example"}, True, False),
        ({"sec-fetch-site": "cross-site"}, True, False),
        ({}, False, False),
        ({}, True, True),
    ],
)
def test_web_sockets_and_programs_pass_the_same_checks(
    settings: Settings, headers: dict[str, str], programs: bool, answers: bool
) -> None:
    async def echo(socket: WebSocket) -> None:
        await socket.accept()
        await socket.send_text(await socket.receive_text())

    app = Starlette(
        routes=[WebSocketRoute("/ws", echo), Route("/", lambda request: Response("done"), methods=["POST"])]
    )
    with TestClient(Guarded(app, settings, programs=programs), base_url=HERE) as client:
        assert (client.post("/", headers=headers).status_code == 200) == answers
        try:
            with client.websocket_connect(f"{HERE.replace('http', 'ws')}/ws", headers=headers) as socket:
                socket.send_text("here")
                assert socket.receive_text() == "here"
                assert answers
        except WebSocketDisconnect as refusal:
            assert refusal.code == 1008
            assert not answers


def test_other_pages_can_not_read(client: TestClient) -> None:
    assert client.get("/", headers={"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}).status_code == 403
    assert client.get("/", headers={"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}).status_code == 200


def test_sizes_are_bounded(client: TestClient) -> None:
    assert client.post("/records", content=b"x" * (MAX_BODY + 1)).status_code == 413
    chunks = (b"x" * 100_000 for _ in range(MAX_BODY // 100_000 + 2))
    form = {"content-type": "application/x-www-form-urlencoded"}
    assert client.post("/new/checkers-v0", content=chunks, headers=form).status_code == 413
    assert client.post("/new/checkers-v0", data={"position": "x" * 30_000}).status_code == 422


def test_rates_are_bounded() -> None:
    rates = Rates()
    allowed = [rates.allow("here") for _ in range(3 * int(BURST))]
    assert all(allowed[: int(BURST)])
    assert not all(allowed)
    assert rates.allow("there")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"seat-1": "policy:/etc/passwd"}, "no network"),
        ({"seat-1": "az:../x:10"}, "no network"),
        ({"seat-1": "python:os:system"}, "can't be chosen here"),
        ({"seat-1": "expectimax:2:/etc/passwd"}, "can't be chosen here"),
        ({"seat-1": "mcts:1000000"}, "beyond the limits"),
        ({"seat-1": "expectimax:99s"}, "beyond the limits"),
        ({"seat-1": "nobody"}, "there is no player"),
        ({"variant": "<script>"}, "no variant"),
        ({"option-max_plies": "-1"}, "max_plies"),
        ({"seed": "-1"}, "seed"),
        ({"position": "<b>"}, "position"),
    ],
)
def test_what_a_form_gets_wrong_is_said(client: TestClient, fields: dict[str, str], words: str) -> None:
    answer = client.post("/new/checkers-v0", data={"seat-0": "person", "seat-1": "greedy", **fields})
    assert answer.status_code == 422
    assert words in unescape(answer.text)
    assert "<script>'" not in answer.text
    assert "<b>" not in answer.text


@pytest.mark.parametrize(
    "address",
    ["/games/nosuchgame", "/games/..%2f..%2fetc", "/static/..%2fapp.py", "/static/app.py", "/new/nosuch", "/x"],
)
def test_addresses_that_there_are_not(client: TestClient, address: str) -> None:
    assert client.get(address).status_code == 404


@pytest.mark.parametrize(
    "clicks", ["", "5", "{}", '[""]', '["a", 5]', json.dumps(["a"] * 9), "[" * 600, '"9"', '["\\ud800"]']
)
def test_clicks_that_are_none(client: TestClient, clicks: str) -> None:
    game = begin(client)
    assert client.post(f"{game}/click", data={"clicks": clicks, "version": "0", "ply": "0"}).status_code == 400
