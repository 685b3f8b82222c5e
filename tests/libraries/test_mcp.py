"""``parlour mcp`` with the client of the package ``mcp``."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import pytest

mcp = pytest.importorskip("mcp", reason="mcp is not installed")
if not hasattr(mcp, "Client"):
    pytest.skip("mcp is older than 2.0", allow_module_level=True)

from pathlib import Path

from mcp.client.stdio import StdioServerParameters, stdio_client

from parlour.interfaces.registry import find
from parlour.records.files import parse_records
from parlour.serve.opponents import parse_opponent
from parlour.serve.settings import Settings
from parlour.text.adapters.mcp import MAX_GAMES, make_server

SERVER = make_server(lambda game, player: parse_opponent(player, find(game), Settings(Path())))


async def called(client: Any, tool: str, **arguments: Any) -> Any:
    """What a tool answers; of a refusal the words."""
    answer = await client.call_tool(tool, arguments)
    if answer.is_error:
        return f"refused: {answer.content[0].text}"
    content = answer.structured_content
    return content.get("result", content) if set(content) == {"result"} else content


def session(work: Any) -> Any:
    """Runs ``work(client)`` with a client of a server in this process."""

    async def go() -> Any:
        async with mcp.Client(SERVER) as client:
            return await work(client)

    return asyncio.run(go())


def test_a_whole_game_is_played_over_standard_input_and_output() -> None:
    async def go() -> None:
        command = StdioServerParameters(command=sys.executable, args=["-m", "parlour", "mcp"])
        async with mcp.Client(stdio_client(command)) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            assert tools == {"list_games", "rules", "new_game", "legal_moves", "play", "hint", "replay"}
            begun = await called(client, "new_game", game="royal_ur-v0", opponent="random", seed=3)
            assert "Rules:" in begun["text"]
            done = False
            while not done:
                move = (await called(client, "legal_moves", number=begun["number"]))[0]
                answer = await called(client, "play", number=begun["number"], move=move)
                done = answer["done"]
            assert answer["result"] in ("won", "lost")
            record = await called(client, "replay", number=begun["number"])
            assert parse_records(record, "it", ".jsonl")[0].end == "borne_off"

    asyncio.run(go())


def test_rules_hints_and_games() -> None:
    async def go(client: Any) -> None:
        assert "checkers-v0: american" in " ".join(await called(client, "list_games"))
        assert "Jumping is compulsory" in await called(client, "rules", game="checkers")
        begun = await called(client, "new_game", game="checkers-v0", seat="Black", seed=1, options={"max_plies": 9})
        assert (await called(client, "hint", number=begun["number"])).split(". ")[0] in begun["text"]

    session(go)


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("play", {"number": 7000, "move": "9-13"}, "there is no game 7000"),
        ("new_game", {"game": "chess"}, "chess"),
        ("new_game", {"game": "checkers", "opponent": "policy:/etc/passwd"}, "there is no network"),
        ("new_game", {"game": "checkers", "opponent": "mcts:3600s"}, "beyond the limits"),
        ("new_game", {"game": "checkers", "options": {"judge": "policy:/etc/passwd"}}, "judge"),
        ("new_game", {"game": "checkers", "seat": "Red"}, "seat='Red' is not valid"),
        ("new_game", {"game": "checkers", "seed": -1}, "seed"),
        ("rules", {"game": "checkers", "variant": "x"}, "variant"),
    ],
)
def test_refusals_are_in_words(tool: str, arguments: dict[str, Any], words: str) -> None:
    answer = session(lambda client: called(client, tool, **arguments))
    assert answer.startswith("refused: ")
    assert words in answer


def test_an_illegal_move_changes_nothing_and_games_are_bounded() -> None:
    async def go(client: Any) -> None:
        first = await called(client, "new_game", game="checkers-v0", seat="Black", seed=1)
        answer = await called(client, "play", number=first["number"], move="9-5")
        assert answer["move"] is None
        assert "a man moves forward only" in answer["text"]
        record = json.loads(await called(client, "replay", number=first["number"]))
        assert record["moves"] == []
        for _ in range(MAX_GAMES):
            await called(client, "new_game", game="checkers-v0", opponent="random")
        assert "there is no game" in await called(client, "legal_moves", number=first["number"])

    session(go)
