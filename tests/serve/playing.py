"""Requests of a person who plays in the browser."""

from __future__ import annotations

import json
import re
import time
from html import unescape
from typing import Any

from starlette.testclient import TestClient

from parlour.interfaces.game_record import GameRecord
from parlour.records.files import parse_records
from parlour.serve.app import make_app
from parlour.serve.settings import Settings

HERE = "http://127.0.0.1:8765"
OWN = {"origin": HERE}


def client_of(settings: Settings) -> TestClient:
    """A server with these settings, and a person's browser; again with the same settings: as after a restart."""
    return TestClient(make_app(settings), base_url=HERE, headers=OWN)


def begin(client: TestClient, game: str = "checkers-v0", **fields: Any) -> str:
    """A new game: its address."""
    form = {"seat-0": "person", "seat-1": "greedy", "seed": "3", **fields}
    answer = client.post(f"/new/{game}", data=form, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def clickable(page: str) -> list[list[str]]:
    """What may be clicked on a page: places that light up, and buttons."""
    places = re.findall(r'class="area can"[^>]* data-clicks="([^"]*)"', page)
    return [json.loads(unescape(clicks)) for clicks in places + re.findall(r'<button[^>]* data-clicks="([^"]*)"', page)]


def click(client: TestClient, game: str, page: str, clicks: list[str]) -> str:
    found = re.search(r'data-version="(\d+)" data-ply="(\d+)"', page)
    assert found is not None
    form = {"clicks": json.dumps(clicks), "version": found[1], "ply": found[2]}
    answer = client.post(f"{game}/click", data=form)
    assert answer.status_code == 200
    return answer.text


def record_of(client: TestClient, game: str) -> GameRecord:
    return parse_records(client.get(f"{game}/record.jsonl").text, "here", ".jsonl")[0]


def moves(client: TestClient, game: str) -> list[str]:
    return record_of(client, game).moves


def answered(client: TestClient, game: str) -> str:
    """The table once the players have played: slow ones, and those whose rules are compiled first, take a while."""
    for _ in range(600):
        page = client.get(f"{game}/table").text
        if 'id="move"' in page or " wins" in page or "Nobody" in page:
            return page
        time.sleep(0.05)
    raise AssertionError("the players have not played")


def hint(client: TestClient, game: str) -> str:
    """The table with a hint. Rules that are compiled first may take longer than a request waits."""
    for _ in range(6):
        page = client.post(f"{game}/hint").text
        if 'class="hint"' in page:
            return page
        assert "rules are being compiled" in page or "on its way" in page, page
    raise AssertionError("there is no hint")
