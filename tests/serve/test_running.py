"""A server as a process: addresses, Ctrl-C, requests that never arrive, more pages than there may be."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

pytest.importorskip("uvicorn")

import httpx

from parlour.serve.app import make_app
from parlour.serve.running import listen
from parlour.serve.settings import MAX_STREAMS, Settings
from tests.serve.playing import HERE, OWN
from tests.support.processes import free_port

ENDS = 60
"""Seconds after Ctrl-C in which a server must have ended, on a busy machine too. What it is busy with takes longer."""
LONG_SEARCHES = "import parlour.serve.opponents as opponents; opponents.MAX_THINKING = 600.0"
LONG_READING = """
import time
from parlour.serve.workers import ThreadPools
usual = ThreadPools.replay
async def replay(self, work):
    return await usual(self, lambda: (work(), time.sleep(600))[0])
ThreadPools.replay = replay
"""
SHORT_ARRIVAL = "import parlour.serve.running as running; running.MAX_ARRIVAL = 1.0"


class Process:
    """``parlour serve`` in a process of its own, which first runs ``changes``."""

    def __init__(self, data: Path, changes: str) -> None:
        self.port = free_port()
        command = [sys.executable, "-W", "ignore", "-c", f"{changes}\nfrom parlour.cli import main; main()"]
        command += ["serve", "--no-open", "--port", str(self.port), "--data", str(data)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.address, headers={"origin": self.address}, timeout=60)

    def started(self) -> Process:
        assert self.process.stdout is not None
        assert self.process.stdout.readline().startswith(f"{self.address}/ ")
        return self

    def interrupted(self) -> str:
        """What was printed after the address, until Ctrl-C has ended the server."""
        self.process.send_signal(signal.SIGINT)
        return self.process.communicate(timeout=ENDS)[0]


@pytest.fixture
def served(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Process]:
    """A server; a test may give it changes with ``pytest.mark.parametrize("served", [code], indirect=True)``."""
    made = Process(tmp_path, getattr(request, "param", ""))
    yield made
    made.process.kill()
    made.process.wait()


def test_the_address_is_printed_when_it_answers(served: Process) -> None:
    """The first request succeeds: no client has to try again."""
    served.started()
    assert urllib.request.urlopen(f"{served.address}/static/app.css", timeout=60).status == 200


def test_a_port_in_use_is_said_in_one_line(served: Process) -> None:
    with socket.create_server(("127.0.0.1", served.port)):
        printed, _ = served.process.communicate(timeout=60)
    assert printed.startswith(f"parlour: --host 127.0.0.1 --port {served.port}: the server can't listen there:")
    assert len(printed.splitlines()) == 1
    assert served.process.returncode == 2


@pytest.mark.parametrize("served", [LONG_SEARCHES], ids=["busy"], indirect=True)
@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C can't be sent to one process there")
def test_ctrl_c_ends_the_server_while_pages_are_open_and_players_search(served: Process) -> None:
    with served.started().client() as client, ExitStack() as stack:
        form = {"seat-0": "mcts:600s", "seat-1": "person"}
        for _ in range(8):
            game = client.post("/new/checkers-v0", data=form).headers["location"]
            stack.enter_context(client.stream("GET", f"{game}/events"))
        assert "thinking" in client.get(game).text
        printed = served.interrupted()
    assert printed == ""


@pytest.mark.parametrize("served", [LONG_READING], ids=["busy"], indirect=True)
@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C can't be sent to one process there")
def test_ctrl_c_ends_the_server_while_uploads_are_read(served: Process) -> None:
    """Also while their requests wait for an answer."""
    text = ('[FEN "B:WK32:BK1"] ' + "1-6 32-27 6-1 27-32 " * 240 + "* ") * 5
    with served.started().client() as client, ExitStack() as stack:
        for _ in range(4):
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", served.port)))
            request = client.build_request("POST", "/records", data={"text": text})
            body = request.read()
            head = "".join(f"{name}: {value}\r\n" for name, value in request.headers.items())
            connection.sendall(f"POST /records HTTP/1.1\r\n{head}\r\n".encode() + body)
        connection.settimeout(1)
        with pytest.raises(TimeoutError):
            connection.recv(1)
        assert client.get("/").status_code == 200
        printed = served.interrupted()
    assert printed == ""


# --- what is bounded ---


@pytest.mark.parametrize("served", [SHORT_ARRIVAL], ids=["short"], indirect=True)
def test_a_request_that_does_not_arrive_is_ended(served: Process) -> None:
    """Neither a connection that says nothing, nor half a header or half a body stays open; an event stream does."""
    with served.started().client() as client, ExitStack() as stack:
        game = client.post("/new/checkers-v0", data={"seat-0": "person"}).headers["location"]
        events = stack.enter_context(client.stream("GET", f"{game}/events")).iter_lines()
        host = f"Host: 127.0.0.1:{served.port}\r\n"
        post = f"POST {game}/move HTTP/1.1\r\n{host}Origin: {served.address}\r\nContent-Length: 99\r\n"
        form = "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
        for begun in ("", f"GET / HTTP/1.1\r\n{host}", f"{post}{form}move=9"):
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", served.port), timeout=60))
            connection.sendall(begun.encode())
            assert connection.recv(1000) == b""
        assert next(events) == "event: changed"
        client.post(f"{game}/move", data={"move": "9-14"})
        assert "event: changed" in (next(events) for _ in range(9))
        printed = served.interrupted()
    assert printed == ""


def test_no_more_streams_than_allowed(settings: Settings) -> None:
    """Also if all are asked for at once; and those that have ended make room."""

    async def ask() -> None:
        app = make_app(settings)
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url=HERE, headers=OWN) as client:
            game = (await client.post("/new/checkers-v0", data={"seat-0": "person"})).headers["location"]
        statuses: list[int] = []

        async def open_stream() -> None:
            async def send(message: dict[str, object]) -> None:
                if message["type"] == "http.response.start":
                    statuses.append(int(str(message["status"])))

            async def receive() -> dict[str, object]:
                await asyncio.sleep(600)
                return {"type": "http.disconnect"}

            scope = {
                "type": "http", "method": "GET", "path": f"{game}/events", "raw_path": b"", "query_string": b"",
                "root_path": "", "scheme": "http", "http_version": "1.1", "server": ("127.0.0.1", 8765),
                "client": ("127.0.0.1", 1), "headers": [(b"host", b"127.0.0.1:8765")], "asgi": {"spec_version": "2.3"},
            }  # fmt: skip
            await app(scope, receive, send)  # type: ignore[arg-type]

        for _ in range(2):
            statuses.clear()
            opened = [asyncio.create_task(open_stream()) for _ in range(MAX_STREAMS + 6)]
            while len(statuses) < len(opened):
                await asyncio.sleep(0.05)
            assert sorted(statuses) == [200] * MAX_STREAMS + [503] * 6
            for one in opened:
                one.cancel()
            await asyncio.gather(*opened, return_exceptions=True)

    asyncio.run(asyncio.wait_for(ask(), 60))


def test_all_addresses_of_a_host_are_listened_on() -> None:
    port = free_port()
    sockets = listen("localhost", port)
    addresses = {info[4][0] for info in socket.getaddrinfo("localhost", port, type=socket.SOCK_STREAM)}
    assert {one.getsockname()[0] for one in sockets} <= addresses
    with pytest.raises(OSError, match=r"in use|address"):
        listen("127.0.0.1", port)
    for one in sockets:
        one.close()
    with pytest.raises((OSError, UnicodeError)):
        listen("no..such..host", port)
