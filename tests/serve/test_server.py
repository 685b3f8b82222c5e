"""The server without a browser: what pages hold, what is refused, what is kept. Games are played in tests/browser."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx")
pytest.importorskip("python_multipart")

from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

import parlour
from parlour.arena import match
from parlour.arena.runs.journal import read_run
from parlour.arena.setting.ladder import grades, rungs
from parlour.interfaces.aec import GameEnv
from parlour.interfaces.registry import find
from parlour.players.people.rule_texts import goal
from parlour.players.search.mcts import Mcts
from parlour.players.value_players import ValuePlayer
from parlour.records import replay, write_records
from parlour.records.files import parse_records
from parlour.serve.app import make_app
from parlour.serve.library import runs_in
from parlour.serve.opponents import parse_opponent, suggestions
from parlour.serve.security import Guarded, Rates
from parlour.serve.settings import BURST, MAX_BODY, MAX_RECORDS, Settings
from parlour.serve.workers import PLAYER_THREADS
from tests.serve.playing import HERE, OWN, answered, begin, click, clickable, hint, moves
from tests.support.cases import GAMES, PRINTED_GAMES
from tests.support.pages import labels_of

# --- pages ---


def test_the_games_are_listed(client: TestClient) -> None:
    page = client.get("/").text
    for game in GAMES:
        assert f'href="/new/{game}"' in page


@pytest.mark.parametrize("game", ["agon-v0", "crown_and_anchor-v0"])
def test_the_form_explains_variants_and_options(client: TestClient, game: str) -> None:

    page = unescape(client.get(f"/new/{game}").text)
    for each in (*find(game).variants, *find(game).options):
        assert each.name in page
        assert each.meaning in page
    assert goal(find(game), find(game).resolve(None, {})[1]) in page


def test_rules_are_shown_as_text(client: TestClient) -> None:
    page = client.get("/rules/checkers-v0").text
    assert "<h1>" in page
    assert "<table>" in page
    shown = page.split("<main")[1]
    assert re.findall(r"<(?:script|img)|style=|!<|href=\"(?!https?:)", shown) == []


def test_a_game_is_played_by_clicks(client: TestClient) -> None:
    game = begin(client)
    page = client.get(game).text
    assert "Choose a piece" in page
    assert ["9"] in clickable(page)
    page = click(client, game, page, ["9"])
    assert sorted(clickable(page)) == [["9", "13"], ["9", "14"]]
    click(client, game, page, ["9", "14"])
    page = answered(client, game)
    assert moves(client, game)[0] == "9-14"
    assert len(moves(client, game)) == 2
    for _ in range(40):
        if not clickable(page):
            break
        page = click(client, game, page, clickable(page)[0])
        page = page if clickable(page) else answered(client, game)
    record = parse_records(client.get(f"{game}/record.jsonl").text, "here", ".jsonl")[0]
    assert len(record.moves) > 20
    list(replay(record, "here"))


def test_jumps_are_clicked_on_the_board(client: TestClient) -> None:
    game = begin(client, position="B:W14,24:B9 steps=0 king_steps=0", **{"seat-1": "person"})
    page = client.get(game).text
    assert clickable(page) == [["9"]]
    page = click(client, game, page, ["9"])
    assert clickable(page) == [["9", "18"]]
    click(client, game, page, ["9", "18"])
    assert moves(client, game) == ["9x18"]


def test_the_throw_is_said_in_words(client: TestClient) -> None:
    game = begin(client, "crown_and_anchor-v0", **{"seat-0": "greedy", "others": "greedy"})
    pages = (client.post(f"{game}/step").text for _ in range(40))
    page = next(page for page in pages if "latest throw" in page)
    (thrown,) = re.findall(r"latest throw: <strong>([^<]*)<", page)
    assert set(thrown.split(", ")) <= {"crown", "anchor", "spade", "heart", "diamond", "club"}


def test_a_hit_that_is_none_is_told_until_a_person_acts_again(client: TestClient) -> None:
    """Also after the other seat has played, which takes away what was said before."""
    game = begin(client, "backgammon-v0", position="XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")
    client.post(f"{game}/move", data={"move": "8/5* 6/5"})
    page = answered(client, game)
    assert "Nothing is hit on 5." in page
    client.post(f"{game}/move", data={"move": "no move"})
    assert "Nothing is hit on 5." in client.get(game).text
    client.post(f"{game}/undo")
    assert "Nothing is hit" not in client.get(game).text


def test_clicks_that_lead_nowhere_say_why(client: TestClient) -> None:
    game = begin(client)
    page = client.get(game).text
    assert "square 14 is empty" in click(client, game, page, ["14"])
    assert "square 22 holds a piece of the other side" in click(client, game, page, ["22"])
    assert "Nothing can be played" in click(client, game, page, ["no such place"])
    assert moves(client, game) == []


def test_a_click_on_an_old_page_plays_nothing(client: TestClient) -> None:
    game = begin(client)
    old = client.get(game).text
    click(client, game, old, ["9", "14"])
    answered(client, game)
    page = click(client, game, old, ["10", "15"])
    assert "The game has changed" in page
    assert moves(client, game)[0] == "9-14"
    assert len(moves(client, game)) == 2


def test_moves_are_typed_undone_and_hinted(client: TestClient) -> None:
    game = begin(client, **{"seat-1": "person"})
    assert "steps to" in client.post(f"{game}/move", data={"move": "9 14"}).text
    assert moves(client, game) == ["9-14"]
    assert "is not legal here: a man moves forward only" in client.post(f"{game}/move", data={"move": "22-26"}).text
    client.post(f"{game}/move", data={"move": "22 18"})
    hinted = hint(client, game)
    assert "Expected result (1 is a win, −1 a loss): " in hinted
    (arrows,) = re.findall(r'<g class="marks".*?</g>', hinted)
    values = re.findall(r">([+−]?\d\.\d\d)</text>", arrows)  # the value of each ply beside its arrow, and in the list
    listed = re.findall(r"<li>\S+ ([+−]?\d\.\d\d)<", hinted)
    assert sorted(values) == sorted(listed)
    assert 2 <= len(values) <= 5
    client.post(f"{game}/undo")
    assert moves(client, game) == ["9-14"]
    client.post(f"{game}/undo")
    client.post(f"{game}/undo")
    assert moves(client, game) == []


def test_a_whole_turn_is_typed_as_one_move(client: TestClient) -> None:
    game = begin(client, position="B:W15,22,32:B1,11", **{"seat-1": "person"})
    client.post(f"{game}/move", data={"move": "11x18x25"})
    assert moves(client, game) == ["11x18", "18x25"]


def test_resigning_ends_a_game_and_undo_goes_on_with_it(client: TestClient, settings: Settings) -> None:
    game = begin(client)
    page = client.post(f"{game}/resign").text
    assert "You lose. You resigned" in page
    record = parse_records(client.get(f"{game}/record.jsonl").text, "here", ".jsonl")[0]
    assert record.result() == [-1.0, 1.0]
    assert "White won: resigned" in client.get(f"{game}/replay.html").text
    assert "rematch" in page
    assert clickable(page) == []
    assert "It is not your turn" in client.post(f"{game}/move", data={"move": "9-14"}).text
    assert "It is not your turn" in client.post(f"{game}/resign").text
    with TestClient(make_app(settings), base_url=HERE, headers=OWN) as other:
        assert "You lose. You resigned" in other.get(f"{game}/table").text
    page = client.post(f"{game}/undo").text
    assert "resigned" not in page
    assert "Your turn (Black), ply 1" in page
    assert clickable(page)
    assert parse_records(client.get(f"{game}/record.jsonl").text, "here", ".jsonl")[0].result() is None


@pytest.mark.parametrize(
    ("seats", "told"), [({}, "Swords resigned; Shields won"), ({"seat-1": "random"}, "You resigned")]
)
def test_who_resigned_is_told(client: TestClient, seats: dict[str, str], told: str) -> None:
    game = begin(client, "swords_and_shields-v0", **{"seat-1": "person", **seats})
    assert told in client.post(f"{game}/resign").text


def test_the_end_says_who_has_won_and_offers_a_rematch(client: TestClient) -> None:
    """From the side of the only person; the seats may be swapped, and the rules are the same."""
    for person, told in (("seat-0", "You lose"), ("seat-1", "You win")):
        seats = {"seat-0": "random", "seat-1": "random", person: "human"}
        game = begin(client, position="W:W22,27:B18", **{**seats, "option-max_plies": "77"})
        if person == "seat-1":
            assert "wins" not in client.get(f"{game}/table").text
            client.post(f"{game}/move", data={"move": "22x15"})
        page = answered(client, game)
        assert f"{told}. White wins: " in page
    forms = re.findall(r"<form.*?</form>", page, re.DOTALL)
    hidden = [dict(re.findall(r'name="([^"]*)" value="([^"]*)"', form)) for form in forms]
    same, swapped = [unescape_all(fields) for fields in hidden if "variant" in fields]
    assert (same["seat-0"], same["seat-1"]) == (swapped["seat-1"], swapped["seat-0"]) == ("random", "person")
    assert (swapped["position"], swapped["option-max_plies"]) == ("W:W22,27:B18", "77")
    assert client.post("/new/checkers-v0", data=swapped, follow_redirects=False).status_code == 303


def unescape_all(fields: dict[str, str]) -> dict[str, str]:
    return {name: unescape(value) for name, value in fields.items()}


def test_home_shows_each_board_and_begins_a_game_in_one_click(client: TestClient) -> None:
    page = client.get("/").text
    for game in GAMES:
        (address,) = re.findall(rf'src="(/boards/{game}[^"]*)"', page)
        answer = client.get(address)
        assert answer.headers["content-type"].startswith("image/svg+xml")
        assert answer.text.startswith("<svg")
    assert client.post("/new/checkers-v0", data={"seat-0": "person"}, follow_redirects=False).status_code == 303
    assert "data-ask" in client.get("/").text
    assert client.get("/boards/chess-v0.svg").status_code == 404


@pytest.mark.parametrize(
    ("name", "below"),
    [("acey_ducey-v0", 0), ("agon-v0", 0), ("backgammon-v0", 0), ("checkers-v0", 1), ("royal_ur-v0", 0)],
)
def test_the_board_is_turned_for_who_plays_from_the_other_side(client: TestClient, name: str, below: int) -> None:
    own, others = (begin(client, name, **{f"seat-{seat}": "person", f"seat-{1 - seat}": "greedy"})
                   for seat in (below, 1 - below))  # fmt: skip
    both = begin(client, name, **{"seat-1": "person"})
    turned = ["data-turned" in client.get(game).text for game in (own, others, both)]
    assert turned == [False, True, False]
    assert 'id="flip"' in client.get(own).text


def test_a_board_without_sides_is_never_turned(client: TestClient) -> None:
    shields = begin(client, "swords_and_shields-v0", **{"seat-0": "greedy", "seat-1": "person"})
    assert "data-turned" not in client.get(shields).text
    assert 'id="flip"' in client.get(shields).text
    assert "flip" not in client.get(begin(client, "crown_and_anchor-v0")).text, "a table for four has no other side"


def test_players_alone_are_watched_by_steps(client: TestClient) -> None:
    game = begin(client, **{"seat-0": "random"})
    assert moves(client, game) == []
    client.post(f"{game}/step")
    client.post(f"{game}/step")
    assert len(moves(client, game)) == 2
    client.post(f"{game}/undo")
    assert len(moves(client, game)) == 1


def test_a_game_begins_from_a_position_with_options(client: TestClient) -> None:
    position = "W:W9:B1 steps=0 king_steps=0"
    game = begin(client, position=position, **{"option-max_plies": "7", "seat-1": "person"})
    record = parse_records(client.get(f"{game}/record.jsonl").text, "here", ".jsonl")[0]
    assert (record.position, record.options["max_plies"]) == (position, 7)
    assert "White to act" in client.get(game).text


def test_saved_pages_hold_the_game(client: TestClient) -> None:
    game = begin(client)
    client.post(f"{game}/move", data={"move": "9-14"})
    page = client.get(f"{game}/replay.html")
    assert "9-14" in page.text
    assert "attachment" in page.headers["content-disposition"]
    shown = client.post("/records", data={"text": client.get(f"{game}/record.jsonl").text})
    assert "9-14" in shown.text
    assert client.post("/records", data={"text": "nonsense"}).status_code == 422
    assert client.post("/records", files={"file": ("a.jsonl", b"\xff\xfe")}).status_code == 422


# --- what is kept ---


def test_a_restart_loses_no_game(settings: Settings) -> None:
    with TestClient(make_app(settings), base_url=HERE, headers=OWN) as client:
        game = begin(client)
        client.post(f"{game}/move", data={"move": "9-14"})
        answered(client, game)
        before = moves(client, game)
    with TestClient(make_app(settings), base_url=HERE, headers=OWN) as client:
        assert game in client.get("/").text
        assert moves(client, game) == before
        client.post(f"{game}/undo")
        assert moves(client, game) == []
        client.post(f"{game}/delete")
        assert client.get(game).status_code == 404


def test_records_named_at_start_are_shown(tmp_path: Path, settings: Settings) -> None:
    with TestClient(make_app(settings), base_url=HERE, headers=OWN) as client:
        game = begin(client)
        client.post(f"{game}/move", data={"move": "9-14"})
        (tmp_path / "mine.jsonl").write_text(client.get(f"{game}/record.jsonl").text)
    named = Settings(settings.database, records={"mine.jsonl": tmp_path / "mine.jsonl"})
    with TestClient(make_app(named), base_url=HERE, headers=OWN) as client:
        assert "mine.jsonl" in client.get("/").text
        assert "9-14" in client.get("/records/0").text
        assert client.get("/records/1").status_code == 404
        assert client.get("/records/..%2fmine.jsonl").status_code == 404


def test_many_games_are_shown_on_several_pages(tmp_path: Path, settings: Settings) -> None:
    run = tmp_path / "match-pig"
    match("pig-v0", "random", "greedy", games=MAX_RECORDS + 2, goal=9, folder=run)
    write_records(tmp_path / "all.jsonl", [record for _, record in read_run(run)])
    named = replace(settings, records={"run": run, "file": tmp_path / "all.jsonl"})
    with TestClient(make_app(named), base_url=HERE, headers=OWN) as client:
        for number in (0, 1):
            listed = client.get(f"/records/{number}").text
            assert f"{MAX_RECORDS + 2} games" in listed
            first, second = re.findall(rf'href="(/records/{number}/\d+)"', listed)
            assert len(labels_of(client.get(first).text)) == MAX_RECORDS
            assert len(labels_of(client.get(second).text)) == 2
            assert client.get(f"/records/{number}/0").status_code == 404
            assert client.get(f"/records/{number}/{MAX_RECORDS + 3}").status_code == 404


def test_a_game_goes_on_from_a_position_of_another(client: TestClient) -> None:
    page = client.get(begin(client, variant="openspiel", **{"option-max_plies": "7"})).text
    form = unescape(client.get(unescape(re.findall(r'href="(/new/[^"]*position=[^"]*)"', page)[0])).text)
    assert 'value="openspiel" checked' in form
    assert re.search(r'name="option-max_plies"[^>]* value="7"', form)
    assert "B:W21" in form.replace(" ", "")


def test_the_journal_of_a_run_is_shown(client: TestClient, tmp_path: Path, settings: Settings) -> None:
    """Brought by a person, or in the folder that the server was started in; a damaged one is refused."""
    run = tmp_path / "compare-pig"
    match("pig-v0", "random", "greedy", games=4, goal=9, folder=run)
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "config.json").write_text("{}")
    assert runs_in(tmp_path) == {"compare-pig": run}
    with TestClient(make_app(replace(settings, records=runs_in(tmp_path))), base_url=HERE, headers=OWN) as other:
        found = other.get("/records/0").text
    journal = (run / "journal.jsonl").read_bytes()
    brought = client.post("/records", files={"file": ("journal.jsonl", journal)}).text
    for page in (found, brought):
        assert len(labels_of(page)) == 4
        assert "greedy" in page
    damaged = client.post("/records", files={"file": ("journal.jsonl", journal.replace(b"greedy", b"random", 1))})
    assert damaged.status_code == 422
    assert "damaged" in damaged.text
    begun = journal.partition(b"\n")[0]
    cut = client.post("/records", files={"file": ("journal.jsonl", begun)})
    assert (cut.status_code, "not a journal: it has no complete line" in cut.text) == (422, True)


def test_the_champion_is_suggested_where_there_is_one(client: TestClient, settings: Settings) -> None:
    assert '<option value="champion">' in client.get("/new/checkers-v0").text
    parlour.register("examples.games.tic_tac_toe")
    page = client.get("/new/tic_tac_toe-v0")
    assert page.status_code == 200
    assert '<option value="champion">' not in page.text
    assert parse_opponent("champion:2", find("checkers-v0"), settings).name == "champion:2"
    with pytest.raises(ValueError, match="beyond the limits"):
        parse_opponent("champion:99", find("checkers-v0"), settings)


def test_files_are_suggested_for_the_games_that_they_are_for(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "net.onnx").write_bytes(b"no network")
    named = Settings(
        settings.database, policies={"net": tmp_path / "net.onnx"},
        values={game: find(f"{game}-v0").folder / "champion.value" for game in ("checkers", "royal_ur")},
    )  # fmt: skip
    for game in ("checkers", "royal_ur", "agon"):
        files = [name for name in suggestions(find(f"{game}-v0"), named) if name.startswith(("policy:", "value:"))]
        assert files == [f"value:{game}"][: game != "agon"]


def test_value_networks_named_at_start_are_players(settings: Settings, tmp_path: Path) -> None:
    """By their names, alone or with a budget; never by a path, also not behind the name of a search."""
    game = find("checkers-v0")
    named = replace(settings, values={"mine": game.champion})
    with TestClient(make_app(named), base_url=HERE, headers=OWN) as client:
        assert '<option value="value:mine">' in client.get("/new/checkers-v0").text
        address = begin(client, **{"seat-1": "value:mine:2"})
        client.post(f"{address}/move", data={"move": "9-14"})
        answered(client, address)
        assert len(moves(client, address)) == 2
    for text in (f"value:{game.champion}", f"mcts:100:value:{game.champion}", f"champion:2:{game.champion}"):
        with pytest.raises(ValueError, match=r"no network|can't be chosen"):
            parse_opponent(text, game, named)


# --- nobody waits for another ---


@pytest.fixture
def released() -> Iterator[threading.Event]:
    """What slow work waits for: set at the end of a test, if not before."""
    made = threading.Event()
    yield made
    made.set()


def waits_for(released: threading.Event, work: Any) -> Any:
    def slow(*arguments: Any) -> Any:
        assert released.wait(60)
        return work(*arguments)

    return slow


def plays_here(client: TestClient) -> None:
    """A game of two plies is played and saved as a page."""
    game = begin(client)
    client.post(f"{game}/move", data={"move": "9-14"})
    answered(client, game)
    assert len(moves(client, game)) == 2
    assert "9-14" in client.get(f"{game}/replay.html").text


def test_slow_players_keep_no_other_game_waiting(
    client: TestClient, released: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Mcts, "choose", waits_for(released, Mcts.choose))
    slow = [begin(client, **{"seat-0": "mcts:2", "seat-1": "person"}) for _ in range(PLAYER_THREADS + 2)]
    plays_here(client)
    assert "thinking" in client.get(slow[0]).text
    released.set()
    for game in slow:
        answered(client, game)
        assert len(moves(client, game)) == 1


def test_a_slow_ply_keeps_no_other_game_waiting(
    client: TestClient, released: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as the first ply of a game, for which rules are compiled."""
    step = GameEnv.step

    def slow(env: GameEnv, action: Any) -> None:
        assert env.game.name != "pig" or released.wait(60)
        step(env, action)

    monkeypatch.setattr(GameEnv, "step", slow)
    game = begin(client, "pig-v0", **{"seat-1": "person"})
    with ThreadPoolExecutor(1) as beside:
        posted = beside.submit(client.post, f"{game}/move", data={"move": "hold"})
        plays_here(client)
        assert not posted.done()
        released.set()
        assert posted.result().status_code == 200
    assert moves(client, game)[0] == "hold"


def test_a_click_on_a_page_that_another_click_has_made_old_plays_nothing(
    client: TestClient, released: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = begin(client, **{"seat-1": "person"})
    page = client.get(game).text
    monkeypatch.setattr(GameEnv, "step", waits_for(released, GameEnv.step))
    with ThreadPoolExecutor(2) as beside:
        both = [beside.submit(click, client, game, page, clicks) for clicks in (["9", "14"], ["10", "15"])]
        time.sleep(0.3)
        released.set()
        assert sum("The game has changed" in one.result() for one in both) == 1
    assert len(moves(client, game)) == 1


def test_a_deleted_game_stays_deleted(
    client: TestClient, released: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if its player was thinking when it was deleted."""
    monkeypatch.setattr(Mcts, "choose", waits_for(released, Mcts.choose))
    game = begin(client, **{"seat-0": "mcts:2", "seat-1": "person"})
    client.post(f"{game}/delete")
    released.set()
    time.sleep(0.5)
    assert client.get(game).status_code == 404


# --- what is refused ---


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
        ({"seat-1": "value:/etc/passwd"}, "no network"),
        ({"seat-1": "mcts:100:value:/etc/passwd"}, "can't be chosen here"),
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


def test_only_files_named_at_start_are_players(settings: Settings, tmp_path: Path) -> None:

    (tmp_path / "net.onnx").write_bytes(b"no network")
    named = Settings(settings.database, policies={"net": tmp_path / "net.onnx"})
    with pytest.raises(ValueError, match="not an ONNX model"):
        parse_opponent("policy:net", find("checkers-v0"), named)
    with pytest.raises(ValueError, match="can't be chosen here"):
        parse_opponent("policy:net:/../../net", find("checkers-v0"), named)
    with pytest.raises(ValueError, match="no network"):
        parse_opponent(f"policy:{tmp_path / 'net.onnx'}", find("checkers-v0"), named)


# --- what takes long ---


def test_hints_and_players_answer_in_a_game_without_end(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number of simulations takes no longer than the time that people may give."""
    monkeypatch.setattr("parlour.players.people.advice.HINT_SECONDS", 0.3)
    monkeypatch.setattr("parlour.serve.opponents.MAX_THINKING", 0.3)
    rules = {"option-rounds": str(2**31 - 1)}
    game = begin(client, "crown_and_anchor-v0", **rules, **{"seat-1": "person", "others": "person"})
    hint(client, game)  # compiles
    assert 'class="hint"' in client.post(f"{game}/hint").text
    player = "mcts:20000"
    game = begin(client, "crown_and_anchor-v0", **rules, **{"seat-0": player, "seat-1": player, "others": player})
    client.post(f"{game}/step")
    assert len(moves(client, game)) == 1


def test_a_hint_that_does_not_come_is_said(
    client: TestClient, released: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The board stays, the hint can be asked for again, and one at a time is looked for."""
    monkeypatch.setattr("parlour.serve.sessions.MAX_HINT", 0.5)
    think = "parlour.serve.sessions.advise"
    monkeypatch.setattr(think, waits_for(released, lambda *given: None))
    game = begin(client)
    with ThreadPoolExecutor(1) as beside:
        asked = beside.submit(client.post, f"{game}/hint")
        time.sleep(0.2)
        assert "A hint is on its way" in client.post(f"{game}/hint").text
        answer = asked.result().text
    assert "There is no hint after 0.5 seconds" in answer
    assert 'id="board"' in answer
    released.set()
    monkeypatch.undo()
    assert 'class="hint"' in client.post(f"{game}/hint").text


def test_a_hint_that_fails_says_why(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    game = begin(client)

    def fails(*given: Any) -> Any:
        raise KeyError("colour")

    monkeypatch.setattr(ValuePlayer, "consider", fails)
    assert "There is no hint: 'colour'" in unescape(client.post(f"{game}/hint").text)


# --- what happened ---


def test_earlier_positions_can_be_looked_at(client: TestClient) -> None:
    game = begin(client, **{"seat-1": "person"})
    client.post(f"{game}/move", data={"move": "9-14"})
    first, second = (client.get(f"{game}/plies/{ply}").json() for ply in (0, 1))
    assert first["picture"] != second["picture"]
    assert [place["piece"] for place in second["way"]] == ["chk-at-9", ""]
    assert second["way"][1]["lands"] == "chk-at-14"
    assert client.get(f"{game}/plies/2").status_code == 404
    assert [value is None for value in client.get(f"{game}/values").json()["values"]] == [False, False]


def test_a_throw_says_what_it_has_brought(client: TestClient) -> None:
    """In Crown and Anchor: every seat that has bet, and the Banker; the sums of chips agree."""
    game = begin(client, "crown_and_anchor-v0", seed="5")
    answered(client, game)
    client.post(f"{game}/move", data={"move": "crown*1"})
    page = answered(client, game)
    lines = re.findall(r"<li>(.*?: (?:you|Player \d) (?:win|lose|get)s? .*?)</li>", page)
    assert len(lines) == 4
    assert sum(": you " in line for line in lines) == 1
    chips = (
        [int(word) for word in re.findall(r"wins? (\d+)", page)],
        [int(w) for w in re.findall(r"loses? (\d+)", page)],
    )
    assert sum(chips[0]) == sum(chips[1])


@pytest.mark.parametrize("game", PRINTED_GAMES)
def test_how_to_play_in_pictures(client: TestClient, game: str) -> None:
    """About five pictures, drawn by the game's own drawing."""
    page = client.get(f"/how/{game}").text
    pictures = re.findall(r'src="(/how/[^"]*)"', page)
    assert 4 <= len(pictures) <= 7
    assert all(client.get(picture).text.startswith("<svg") for picture in pictures)
    assert len({client.get(picture).text for picture in pictures}) == len(pictures)
    assert client.get(pictures[-1].replace(f"/{len(pictures)}.svg", "/99.svg")).status_code == 404


def test_home_parts_games_in_progress_from_finished_ones(client: TestClient) -> None:
    game, other = begin(client), begin(client)
    client.post(f"{other}/resign")
    playing, finished = client.get("/").text.split("Finished games")
    assert game in playing
    assert other not in playing
    assert other in finished
    assert client.get(f"{game}/board.svg").text.startswith("<svg")


def test_home_turns_the_boards_that_one_sees_turned(client: TestClient) -> None:
    """Checkers is drawn from White's side, and seen from Black's by who plays Black; not if two people play it."""
    begin(client, **{"seat-0": "random", "seat-1": "person"})
    begin(client, **{"seat-1": "person"})
    assert 'class="turned"' not in client.get("/").text
    begin(client)
    assert client.get("/").text.count('class="turned"') == 1


@pytest.mark.parametrize("name", PRINTED_GAMES)
def test_opponents_are_a_ladder_of_six(settings: Settings, name: str) -> None:
    """Under every variant; each can be chosen here; measured ones rise, and are those of the variant."""
    game = find(name)
    for variant in game.variants:
        found, told = grades(game, variant.name)
        assert len({grade.player for grade in found}) == 6
        for grade in found:
            assert parse_opponent(grade.player, game, settings).name == grade.player
        elo = [float(grade.note.removeprefix("Elo ").replace("−", "-")) for grade in found if grade.note]
        assert elo == sorted(elo)
        measured = {rung.player: round(rung.elo) for rung in rungs(game, variant.name)}
        assert len(elo) == (6 if measured else 0)
        assert elo == [measured[grade.player] for grade in found if measured]
        assert (variant.name in told) == bool(measured)


def test_the_form_follows_the_variant(client: TestClient) -> None:
    """Goal, defaults of the options in the game's words, and opponents; what was chosen stays."""
    text = client.get("/new/agon-v0?variant=bloody_queen&seat-1=grade:hard").text
    assert "with all the guards that you still have" in text
    assert "are dealt with at once (Bloody Queen) (as in bloody queen)" in text
    assert 'name="seat-1" value="grade:hard" checked' in text
    game = find("royal_ur-v0")
    for variant in ("finkel", "masters"):
        text = client.get(f"/new/royal_ur-v0?variant={variant}").text
        assert grades(game, variant)[0][0].note in text
    begun = client.post("/new/royal_ur-v0", data={"variant": "masters", "seat-0": "person", "seat-1": "grade:hard"})
    hard = next(grade.player for grade in grades(game, "masters")[0] if grade.name == "hard")
    assert f'title="{hard}">Dark: hard' in begun.text


def test_changed_rules_are_told_in_words(client: TestClient) -> None:
    text = client.post("/new/agon-v0", data={"seat-0": "person", "option-touch_move": "True"}).text
    assert "With changed rules: A piece that is touched: must be moved." in text


@pytest.mark.parametrize("name", ["blunder:0:greedy", "blunder:5:blunder:5:greedy", "blunder:5:value:/etc/passwd"])
def test_weakened_players_pass_the_same_checks(settings: Settings, name: str) -> None:
    with pytest.raises(ValueError, match=r"can.t be chosen|no network"):
        parse_opponent(name, find("checkers-v0"), settings)
