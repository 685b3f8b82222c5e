"""Behind a proxy: a path before all addresses, and pages of other origins that are named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from starlette.testclient import TestClient

import parlour
from parlour.players import parse_players
from parlour.records import record_game, write_records
from parlour.serve.app import make_app
from parlour.serve.settings import MAX_RECORDS, Settings, read_origin, read_root_path
from tests.serve.playing import HERE, click, clickable
from tests.support.command_line import Run, check_refused

HUB, ROOT = "https://hub.example.org", "/user/x/proxy/8765"
LINK = re.compile(r'\b(href|src|action|hx-get|hx-post|data-base|sse-connect)="([^"]*)"')


class Stripping:
    """A proxy that takes its path away, or `keeps` it, and knows no other path."""

    def __init__(self, app: Any, keeps: bool) -> None:
        self.app, self.keeps = app, keeps

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            assert scope["path"].startswith(f"{ROOT}/"), scope["path"]
            if not self.keeps:
                scope = {**scope, "path": scope["path"].removeprefix(ROOT)}
        await self.app(scope, receive, send)


@pytest.fixture(params=["keeps", "strips"])
def hub(request: Any, settings: Settings, tmp_path: Path) -> Iterator[TestClient]:
    """A browser at the proxy, whose server has a file of more games than a page shows."""
    record = record_game(parlour.make("royal_ur-v0", men=1).unwrapped, parse_players("random", 2), 0)
    write_records(tmp_path / "many.jsonl", [record] * (MAX_RECORDS + 1))
    behind = replace(settings, root_path=ROOT, origins=(HUB,), records={"many": tmp_path / "many.jsonl"})
    app = Stripping(make_app(behind), request.param == "keeps")
    with TestClient(app, base_url=HUB, headers={"origin": HUB}) as client:
        yield client


def links(page: str) -> set[tuple[str, str]]:
    """The addresses on a page, each with its attribute; those elsewhere and those in a page are left out."""
    found = {(kind, unescape(address)) for kind, address in LINK.findall(page)}
    return {(kind, address) for kind, address in found if not re.match(r"https?:|data:|#", address)}


def kind_of(address: str) -> tuple[str, ...]:
    """Alike for addresses of one kind, such as the forms of all games."""
    first, *rest = urlsplit(address).path.removeprefix(f"{ROOT}/").split("/")
    return first, str(len(rest)), rest[-1] if first == "static" or len(rest) == 2 else ""


def test_every_link_leads_through_the_proxy(hub: TestClient) -> None:
    game = begin_at(hub, **{"seat-1": "person"})
    over = begin_at(hub, **{"seat-1": "person"})
    assert hub.post(f"{over}/resign").status_code == 200
    waiting, seen, posts = [f"{ROOT}/", game, over, f"{ROOT}/nowhere"], set[tuple[str, ...]](), set[str]()
    while waiting:
        address = waiting.pop()
        answer = hub.get(address, follow_redirects=False)
        assert answer.status_code == (404 if address.endswith("nowhere") else 200), address
        for kind, link in links(answer.text if "<main" in answer.text else ""):
            assert link.startswith(f"{ROOT}/"), (address, kind, link)
            if kind in ("action", "hx-post"):
                posts.add(link)
            elif kind in ("href", "src", "hx-get") and kind_of(link) not in seen:
                seen.add(kind_of(link))
                waiting.append(link)
    assert {one[0] for one in seen} == {"", "static", "new", "how", "rules", "boards", "games", "records"}
    assert len({kind_of(link) for link in posts}) > 5
    for link in sorted(posts, key=lambda link: (link.endswith("/delete"), kind_of(link))):
        answer = hub.post(link, follow_redirects=False, data={"seat-0": "person", "seat-1": "person", "text": "[]"})
        assert answer.status_code in (200, 303, 422), link
        assert answer.headers.get("location", ROOT).startswith(ROOT)


def begin_at(hub: TestClient, game: str = "checkers-v0", **fields: Any) -> str:
    form = {"seat-0": "person", **fields}
    answer = hub.post(f"{ROOT}/new/{game}", data=form, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def test_a_game_is_played_through_the_proxy(hub: TestClient) -> None:
    """The script finds the server by ``data-base``."""
    game = begin_at(hub, **{"seat-1": "person"})
    page = hub.get(game).text
    assert f'data-base="{game}"' in page
    assert f'sse-connect="{game}/events"' in page
    assert 'data-ply="1"' in click(hub, game, page, [*clickable(page)[0], "13"])


@pytest.mark.parametrize(
    ("origin", "host", "status"),
    [
        (HUB, "hub.example.org", 303),  # a proxy that hands on the host
        (HUB, "127.0.0.1:8765", 303),  # one that does not
        (HERE, "127.0.0.1:8765", 303),  # no proxy
        (HUB, "evil.example", 421),
        ("https://evil.example", "hub.example.org", 403),
        ("https://evil.example", "127.0.0.1:8765", 403),
        ("https://hub.example.org.evil.example", "127.0.0.1:8765", 403),
        ("http://hub.example.org", "127.0.0.1:8765", 403),
        ("https://hub.example.org:8443", "127.0.0.1:8765", 403),
        ("null", "hub.example.org", 403),
    ],
)
def test_only_named_origins_are_allowed(settings: Settings, origin: str, host: str, status: int) -> None:
    with TestClient(make_app(replace(settings, origins=(HUB,))), base_url=HERE) as client:
        headers = {"origin": origin, "host": host}
        answer = client.post("/new/checkers-v0", data={"seat-0": "person"}, headers=headers, follow_redirects=False)
        assert answer.status_code == status
    with TestClient(make_app(settings), base_url=HERE) as client:
        headers = {"origin": HUB, "host": "hub.example.org"}
        assert client.post("/new/checkers-v0", headers=headers).status_code == 421


def test_a_server_with_a_public_origin_is_not_local(settings: Settings) -> None:
    assert settings.is_local
    assert not replace(settings, origins=(HUB,)).is_local


def test_how_paths_and_origins_are_written(run: Run) -> None:
    assert read_root_path("/user/x/") == "/user/x"
    assert read_root_path("/user/me%40lab.org") == "/user/me%40lab.org"
    assert read_root_path("/") == read_root_path("") == ""
    assert read_origin("HTTPS://Hub.Example.org:443/") == HUB
    assert read_origin("http://[::1]:8080") == "http://[::1]:8080"
    for path in ("user", "//evil.example", "/a b", '/"', "/a/../b", "/a?b", "/a\n"):
        check_refused(run("serve", "--no-open", "--root-path", path), "--root-path", "is not a path such as /user/x")
    for origin in ("hub.example.org", "ftp://hub", "https://", f"{HUB}/user", f"{HUB}?x", "https://a@b", "https://a:b"):
        check_refused(run("serve", "--no-open", "--allow-origin", origin), "--allow-origin", "is not an origin such as")
