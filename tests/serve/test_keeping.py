"""Nothing that was acknowledged is lost: two servers, slow requests, files that can't be written, damaged games."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Callable
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from parlour.interfaces.registry import find
from parlour.serve.app import make_app
from parlour.serve.settings import Settings
from parlour.serve.store import WAIT_FOR_OTHERS, Stale, Store
from tests.serve.playing import HERE, OWN, answered, begin, click, client_of, moves

FORM = {"content-type": "application/x-www-form-urlencoded"}
TWO_PEOPLE = {"seat-1": "person"}


def on_disk(settings: Settings) -> Any:
    return sqlite3.connect(settings.database)


# --- one live object a game ---


def test_a_game_that_a_slow_request_holds_is_not_loaded_again(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the slow request would save its old position over the plies that were played meanwhile."""
    monkeypatch.setattr("parlour.serve.app.MAX_SESSIONS_IN_MEMORY", 2)

    async def play() -> None:
        arrived = asyncio.Event()

        async def slowly() -> AsyncIterator[bytes]:
            yield b"move=24"
            await arrived.wait()
            yield b"-19"

        transport = httpx.ASGITransport(make_app(settings))
        async with httpx.AsyncClient(transport=transport, base_url=HERE, headers=OWN) as client:
            form = {"seat-0": "person", "seat-1": "person"}
            game = (await client.post("/new/checkers-v0", data=form)).headers["location"]
            held = asyncio.create_task(client.post(f"{game}/move", content=slowly(), headers=FORM))
            await asyncio.sleep(0.3)
            for _ in range(3):
                await client.post("/new/checkers-v0", data=form)
            for move in ("9-14", "22-18", "5-9"):
                await client.post(f"{game}/move", data={"move": move})
            arrived.set()
            await held
            with on_disk(settings) as file:
                (record,) = file.execute("select record from games where id = ?", (game.split("/")[-1],)).fetchone()
            assert json.loads(record)["moves"] == ["9-14", "22-18", "5-9", "24-19"]

    asyncio.run(play())


def test_two_servers_on_one_file_lose_no_ply(client: TestClient, settings: Settings) -> None:
    game = begin(client, **TWO_PEOPLE)
    with client_of(settings) as other:
        assert moves(other, game) == []
        page = other.get(game).text
        client.post(f"{game}/move", data={"move": "9-14"})
        assert "The game has changed" in click(other, game, page, ["10", "15"])
        other.post(f"{game}/move", data={"move": "22-18"})
        assert moves(other, game) == ["9-14", "22-18"]
        client.post(f"{game}/delete")
        assert "has been deleted" in other.post(f"{game}/move", data={"move": "5-9"}).text
        assert other.get(game).status_code == 404
        assert other.post(f"{game}/delete").status_code == 404


def test_a_save_over_another_is_refused(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.sqlite3")
    assert store.save("a", "{}", "first", "", 0) == 1
    assert store.save("a", "{}", "second", "", 1) == 2
    for revision in (0, 1, 3):
        with pytest.raises(Stale):
            store.save("a", "{}", "third", "", revision)
    loaded = store.load("a")
    assert loaded is not None
    assert (loaded.record, loaded.revision) == ("second", 2)


# --- saves that fail ---


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Callable[[Exception | None], None]:
    """Makes every use of the file fail with an error, until it is called with None."""
    whole = {name: getattr(Store, name) for name in ("save", "load", "latest", "delete")}

    def break_it(error: Exception | None) -> None:
        def fails(*arguments: Any) -> Any:
            assert error is not None
            raise error

        for name, method in whole.items():
            monkeypatch.setattr(Store, name, fails if error else method)

    return break_it


@pytest.mark.parametrize("error", [sqlite3.OperationalError("database is locked"), OSError("no space left")])
def test_a_ply_that_can_not_be_saved_is_taken_back(
    client: TestClient, broken: Callable[[Exception | None], None], error: Exception
) -> None:
    """The board stays, and says so; then the ply can be played again."""
    game = begin(client, **TWO_PEOPLE)
    client.post(f"{game}/move", data={"move": "9-14"})
    page = client.get(game).text
    broken(error)
    answers = [
        client.post(f"{game}/move", data={"move": "22-18"}).text,
        click(client, game, page, ["22", "18"]),
        client.post(f"{game}/undo").text,
    ]
    for answer in answers:
        assert "Not saved" in answer
        assert str(error) in answer
        assert 'id="board"' in answer
        assert 'data-ply="1"' in answer
    broken(None)
    assert moves(client, game) == ["9-14"]
    assert "Not saved" not in click(client, game, page, ["22", "18"])
    assert moves(client, game) == ["9-14", "22-18"]


def test_a_locked_file_keeps_the_board(client: TestClient, settings: Settings) -> None:
    """Also with a lock that SQLite itself notices; the wait for it is short."""
    assert WAIT_FOR_OTHERS <= 1
    game = begin(client, **TWO_PEOPLE)
    with on_disk(settings) as other:
        other.execute("begin exclusive")
        answer = client.post(f"{game}/move", data={"move": "9-14"}).text
        other.execute("rollback")
    assert "Not saved" in answer
    assert "locked" in answer
    client.post(f"{game}/move", data={"move": "10-15"})
    assert moves(client, game) == ["10-15"]


def test_players_try_again_until_their_ply_is_saved(
    client: TestClient, broken: Callable[[Exception | None], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parlour.serve.sessions.RETRY", 0.1)
    game = begin(client)
    save, saved = Store.save, []

    def fails_for_players(*arguments: Any) -> int:
        saved.append(arguments)
        if len(saved) in (2, 3):
            raise sqlite3.OperationalError("disk I/O error")
        return save(*arguments)

    monkeypatch.setattr(Store, "save", fails_for_players)
    client.post(f"{game}/move", data={"move": "9-14"})
    answered(client, game)
    assert len(saved) == 4
    assert len(moves(client, game)) == 2
    assert "Not saved" not in client.get(game).text


def test_pages_say_that_the_file_can_not_be_used(
    client: TestClient, settings: Settings, broken: Callable[[Exception | None], None]
) -> None:
    game = begin(client)
    with client_of(settings) as other:
        broken(sqlite3.DatabaseError("database disk image is malformed"))
        for answer in (
            other.get("/"),
            other.get(game),
            other.post(f"{game}/delete"),
            other.post("/new/checkers-v0", data={"seat-0": "person", "seed": "41"}),
        ):
            assert answer.status_code == 503
            assert "database disk image is malformed" in answer.text
            assert "</html>" in answer.text
        assert 'value="41"' in answer.text  # the form for a new game keeps what was entered
        script = other.post(f"{game}/undo", headers={"HX-Request": "true"})
        assert script.headers["HX-Retarget"] == "#notice"  # the board stays
        broken(None)
        assert other.get(game).status_code == 200


# --- games that can't be loaded ---


def damage(settings: Settings, game: str, column: str, change: Callable[[str], object]) -> None:
    """Changes a column of a stored game."""
    name = game.split("/")[-1]
    with on_disk(settings) as file:
        (text,) = file.execute(f"select {column} from games where id = ?", (name,)).fetchone()
        file.execute(f"update games set {column} = ? where id = ?", (change(text), name))
    file.close()


@pytest.mark.parametrize(
    ("column", "change", "reason"),
    [
        ("setup", lambda text: text.replace("greedy", "policy:gone"), "there is no network 'gone'"),
        ("setup", lambda text: text.replace("checkers-v0", "nosuch-v0"), "nosuch"),
        ("setup", lambda text: text.replace('"game"', '"name"'), "game"),
        ("setup", lambda text: text[:20], "not valid JSON"),
        ("setup", lambda text: "5", "Expected"),
        ("setup", lambda text: b"\xff\xfe", "not valid JSON"),
        ("record", lambda text: text.replace("9-14", "9-18"), "move 1, '9-18'"),
        ("record", lambda text: text.replace("9-14", "castles"), "move 1, 'castles'"),
        ("record", lambda text: "", "empty"),
        ("record", lambda text: b"\x00\x01", "not valid JSON"),
    ],
)
def test_a_game_that_can_not_be_loaded_says_why(
    client: TestClient, settings: Settings, column: str, change: Callable[[str], object], reason: str
) -> None:
    """It is listed, its record can still be had, and it can be deleted; other games are not affected."""
    good, game = begin(client), begin(client)
    client.post(f"{game}/move", data={"move": "9-14"})
    answered(client, game)
    damage(settings, game, column, change)
    with client_of(settings) as other:
        listed = other.get("/")
        assert listed.status_code == 200
        assert good in listed.text
        assert game in listed.text
        for answer in (other.get(game), other.get(f"{game}/table"), other.post(f"{game}/undo")):
            assert answer.status_code == 422
            assert reason in unescape(answer.text)
            assert f'action="{game}/delete"' in answer.text
        assert other.get(f"{game}/record.jsonl").status_code == 200
        assert other.get(f"{game}/replay.html").status_code == (200 if column == "setup" else 422)
        assert other.post(f"{game}/delete", follow_redirects=False).status_code == 303
        assert game not in other.get("/").text
        assert other.get(game).status_code == 404
        assert other.get(good).status_code == 200


def test_damaged_rows_are_listed_as_such(client: TestClient, settings: Settings) -> None:
    game = begin(client)
    damage(settings, game, "setup", lambda text: text[:-2])
    assert "a damaged game" in client.get("/").text


def test_a_fault_of_a_game_is_told_where_it_is_loaded(
    client: TestClient, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = begin(client)

    def fails(*arguments: Any) -> Any:
        raise KeyError("colour")

    with client_of(settings) as other:
        monkeypatch.setattr(type(find("checkers-v0")), "layout", fails)
        answer = other.get(game)
    assert answer.status_code == 422
    assert "KeyError: 'colour'" in unescape(answer.text)
