"""The OpenEnv server, over loopback, with OpenEnv's own client and validation."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import textwrap
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

pytest.importorskip("openenv", reason="openenv is not installed")

import httpx
import uvicorn
from openenv import GenericEnvClient
from openenv.cli._validation import validate_running_environment
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from parlour.cli import commands
from parlour.serve import running
from parlour.text import TextGame
from parlour.text.adapters.openenv import OpenEnvGame, TextAction, make_app

LEGAL = "Legal moves: "


def first_legal(text: str) -> str:
    return f"Move: {text.rpartition(LEGAL)[2].split()[0]}"


@contextmanager
def served(*arguments: str) -> Iterator[str]:
    """What ``parlour openenv`` serves, in a thread of this process: the server's address."""
    servers: list[uvicorn.Server] = []

    def run(server: uvicorn.Server, sockets: Any) -> None:
        servers.append(server)
        uvicorn.Server.run(server, sockets)

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])

    def begin() -> None:
        commands.main(["openenv", *arguments, "--port", port], standalone_mode=False)

    with mock.patch.object(running._Uvicorn, "run", run):
        thread = threading.Thread(target=begin, daemon=True)
        thread.start()
        while not (servers and servers[0].started):
            assert thread.is_alive()
            thread.join(0.05)
        yield f"http://127.0.0.1:{port}"
        servers[0].should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served("checkers", "--opponent", "greedy") as found:
        yield found


def transcript(address: str, seed: int, limit: int = 400) -> list[str]:
    """A whole game, as OpenEnv's client sees it."""
    with GenericEnvClient(base_url=address).sync() as env:
        result = env.reset(seed=seed)
        told = [result.observation["text"]]
        while not result.done and len(told) < limit:
            result = env.step({"reply": first_legal(told[-1])})
            told.append(f"{result.observation['text']}|{result.reward}|{result.observation['info']}")
        assert env.state()["step_count"] == len(told) - 1
        return told


def test_a_client_plays_a_whole_game(address: str) -> None:
    told = transcript(address, 3)
    assert "Rules:" in told[0]
    assert "The game is over" in told[-1]
    game = TextGame("checkers-v0", opponent="greedy")
    message = game.reset(seed=3)
    assert told[0] == message
    assert told[1].startswith(game.step(first_legal(message)).text)


def test_the_class_for_trl_plays_a_game(address: str) -> None:
    """As `docs/text_libraries.md` has it."""
    page = (Path(__file__).parents[2] / "docs" / "text_libraries.md").read_text(encoding="utf-8")
    found = re.search(r"^    class Game:.*?(?=^    \S)", page.partition("## TRL")[2], re.DOTALL | re.MULTILINE)
    assert found is not None
    names: dict[str, Any] = {"GenericEnvClient": GenericEnvClient}
    exec(textwrap.dedent(found[0]), names)
    game = names["Game"](address)
    own = TextGame("checkers-v0", opponent="greedy")
    told = game.reset(seed=3, prompt="a column that is not ours")
    assert told == own.reset(seed=3)
    assert game.get_reward() == -1  # stopped in the middle
    while not own.done:
        move, reply = first_legal(told), own.step(first_legal(told))
        told = game.play(move)
        assert told == reply.text
    assert game.get_reward() == reply.reward
    with pytest.raises(ValueError, match="the game is over"):
        game.play("9-13")
    game._client.close()


def test_sessions_play_side_by_side_and_do_not_disturb_one_another(address: str) -> None:
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda seed: transcript(address, seed, 12), [1, 2, 3, 4] * 2))
    assert together[:4] == together[4:]
    assert len({told[0] for told in together}) >= 2


def test_openenv_finds_the_server_valid(address: str) -> None:
    report = validate_running_environment(address)
    assert report["passed"], json.dumps(report)


def test_no_more_sessions_than_allowed() -> None:
    with served("checkers", "--sessions", "2") as address:
        clients = [connect(f"{address.replace('http', 'ws')}/ws") for _ in range(3)]
        assert json.loads(clients[-1].recv())["data"]["code"] == "CAPACITY_REACHED"
        for client in clients:
            client.close()


@pytest.mark.parametrize(
    "headers", [{"Origin": "http://evil.example"}, {"Host": "evil.example"}, {"Sec-Fetch-Site": "cross-site"}]
)
def test_other_hosts_and_origins_are_refused(address: str, headers: dict[str, str]) -> None:
    assert httpx.post(f"{address}/reset", json={}, headers=headers).status_code in (403, 421)
    if "Host" not in headers:
        with pytest.raises(InvalidStatus, match="403"):
            connect(f"{address.replace('http', 'ws')}/ws", additional_headers=headers)


def test_bad_messages_are_answered_in_words(address: str) -> None:
    with connect(f"{address.replace('http', 'ws')}/ws") as client:

        def ask(text: str) -> Any:
            client.send(text)
            return json.loads(client.recv())

        assert (
            "reset first" in ask(json.dumps({"type": "step", "data": {"reply": "hm"}}))["data"]["observation"]["text"]
        )
        assert "seed" in ask(json.dumps({"type": "reset", "data": {"seed": -1}}))["data"]["message"]
        assert ask("no JSON")["data"]["code"] == "INVALID_JSON"
        assert ask(json.dumps({"type": "step", "data": {"reply": 5}}))["data"]["code"] == "VALIDATION_ERROR"
        ask(json.dumps({"type": "reset", "data": {"seed": 1}}))
        answer = ask(json.dumps({"type": "step", "data": {"reply": "x" * 1_000_000}}))
        assert answer["data"]["observation"]["info"]["illegal"] == 1
        client.send(json.dumps({"type": "step", "data": {"reply": "x" * 3_000_000}}))
        with pytest.raises(Exception, match="1009"):
            client.recv()


@pytest.mark.parametrize(
    ("body", "word"), [({"position": "<script>"}, "position"), ({"seed": -1}, "seed"), ({"seed": "x"}, "seed")]
)
def test_what_a_game_can_not_begin_with_is_said(address: str, body: dict[str, Any], word: str) -> None:
    answer = httpx.post(f"{address}/reset", json=body)
    assert answer.status_code == 422
    assert word in answer.text


CREATE = {"jsonrpc": "2.0", "id": 1, "method": "openenv/session/create", "params": {}}


def test_one_client_leaves_places_for_others() -> None:
    with served("checkers", "--sessions", "4") as address:
        answers = [httpx.post(f"{address}/mcp", json=CREATE).json() for _ in range(4)]
    assert ["result" in answer for answer in answers] == [True] * 3 + [False]
    assert "hold 3 sessions" in answers[-1]["error"]["message"]


def test_idle_sessions_end() -> None:
    """Else the server could not begin more than it holds."""
    with served("checkers", "--sessions", "4", "--idle", "0.01") as address:
        begun = 0
        while begun < 8:
            begun += "result" in httpx.post(f"{address}/mcp", json=CREATE).json()
            time.sleep(0.1)


def test_its_page_shows_the_board() -> None:
    pool = ThreadPoolExecutor(1)
    env = OpenEnvGame(partial(TextGame, "checkers-v0"), pool)
    assert env.render_web({}) is None
    assert env.web_actions({}) == []
    observation = asyncio.run(env.reset_async(seed=1))
    picture = env.render_web({})
    assert picture is not None
    assert picture.startswith("<svg")
    move, action = env.web_actions({})[0]
    assert move in observation.text
    assert asyncio.run(env.step_async(TextAction(**action))).info["move"] == move


def test_openenvs_own_page_is_served() -> None:
    """Gradio's page: it asks this environment for its picture (`render_web`)."""
    from starlette.testclient import TestClient

    app = make_app(partial(TextGame, "checkers-v0"), 2, ThreadPoolExecutor(1), web=True)
    with TestClient(app) as client:
        assert "gradio" in client.get("/web/").text
        begun = client.post("/web/reset", json={}).json()
        assert "Rules:" in begun["observation"]["text"]


def test_settings_are_checked(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no player 'nobody'"):
        commands.main(["openenv", "checkers", "--opponent", "nobody"], standalone_mode=False)
