"""A killed server, and pages of others that try to play here."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.players import parse_players
from parlour.records import read_records, record_game, replay, write_records, write_replays
from tests.browser.conftest import Served
from tests.browser.playing import begin, play_on, plies, wait_for_turn

pytestmark = pytest.mark.browser

HOSTILE = """<!doctype html><title>evil</title><script>
const said = {};
async function attempt(name, how) { try { said[name] = await how(); } catch (error) { said[name] = "refused"; } }
async function all(target, game) {
  await attempt("read", async () => (await fetch(target + "/")).status);
  await attempt("blind", async () => (await fetch(game + "/undo", { method: "POST", mode: "no-cors" })).type);
  await attempt("json", async () => (await fetch(game + "/undo", { method: "POST", body: "{}" })).status);
  await attempt("stream", () => new Promise((resolve) => {
    const source = new EventSource(game + "/events");
    source.onmessage = source.onopen = () => resolve("open");
    source.onerror = () => resolve("refused");
  }));
  await attempt("frame", () => new Promise((resolve) => {
    const frame = document.createElement("iframe");
    frame.src = game;
    frame.onload = () => resolve("loaded");
    document.body.append(frame);
  }));
  return said;
}
</script><body></body>"""


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[str]:
    """A page of somebody else, on this machine but of another origin."""
    (tmp_path / "evil.html").write_text(HOSTILE)

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_address[1]}/evil.html"
    server.shutdown()


def test_other_pages_can_neither_read_nor_play(served: Served, browser: Any, elsewhere: str) -> None:
    context = browser.new_context()  # errors on its console are what is wanted
    page = context.new_page()
    game = begin(page, served.address, "checkers-v0", **{"seat-1": "person"})
    page.fill("#move", "9-14")
    page.keyboard.press("Enter")
    page.wait_for_selector('#table[data-ply="1"]')
    evil = context.new_page()
    evil.goto(elsewhere)
    said = evil.evaluate("([target, game]) => all(target, game)", [served.address, game])
    assert (said["read"], said["json"], said["stream"]) == ("refused", "refused", "refused")
    page.reload()
    assert plies(page) == 1  # what was posted blindly has done nothing
    context.close()


def test_a_killed_server_loses_no_game(open_page: Callable[..., Any], tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        page = open_page()
        address = begin(page, served.address, "checkers-v0")
        play_on(page, most=6)
        before = page.inner_text("#moves")
        served.kill()
        served.start()
        page.goto(address)
        wait_for_turn(page)
        assert page.inner_text("#moves") == before
        play_on(page, most=10)  # and goes on
        assert plies(page) >= 10
        page.goto(served.address)
        assert page.locator(f'a[href="{address.removeprefix(served.address)}"]').count() == 1


def test_a_page_that_is_open_follows_the_server_again(open_page: Callable[..., Any], tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        page = open_page()
        begin(page, served.address, "checkers-v0", **{"seat-1": "person"})
        page.fill("#move", "9-14")
        page.keyboard.press("Enter")
        page.wait_for_selector('#table[data-ply="1"]')
        served.kill()
        served.start()
        page.fill("#move", "22-18")
        page.keyboard.press("Enter")
        page.wait_for_selector('#table[data-ply="2"]')


def test_a_game_is_played_under_a_path(open_page: Callable[..., Any], tmp_path: Path) -> None:
    """Clicks, the event stream and the form find the server below ``--root-path``."""
    with Served(tmp_path, "--root-path", "/user/x") as served:
        page = open_page()
        wanted: list[str] = []
        page.on("request", lambda request: wanted.append(request.url))
        begin(page, f"{served.address}/user/x", "checkers-v0")
        play_on(page, most=6)
        assert plies(page) >= 6
        assert {url for url in wanted if not url.startswith((f"{served.address}/user/x/", "data:"))} == set()


# --- replay pages ---


def test_a_replay_page_is_stepped_through(page: Any, tmp_path: Path) -> None:
    """Opened from a file, with no server: keys, buttons, the list, the slider, the end."""
    env = parlour.make("checkers-v0", illegal_move="raise", max_plies=20)
    record = record_game(env, parse_players("greedy", 2), 3)
    write_records(tmp_path / "games.jsonl", [record])
    write_replays(tmp_path / "game.html", read_records(tmp_path / "games.jsonl"))
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto((tmp_path / "game.html").as_uri())
    assert "ply 1" in page.inner_text("#status")
    page.keyboard.press("ArrowRight")
    assert record.moves[0] in page.inner_text("#status")
    page.keyboard.press("End")
    assert page.input_value("#slider") == str(len(record.moves))
    page.locator("#moves button").nth(4).click()
    assert page.input_value("#slider") == "5"
    assert page.locator('#moves [aria-current="true"]').inner_text() == f"5 {record.moves[4]}"
    *_, last = replay(record, "here")
    page.keyboard.press("End")
    assert page.input_value("#position") == last.position()
    page.click("#play")
    page.wait_for_function("() => Number(document.querySelector('#slider').value) >= 2")
    assert all(url.startswith(("file:", "data:")) for url in requests)
