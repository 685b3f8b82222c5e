"""Games on the server without a browser: clicks, typed moves, undo, resignation, a rematch."""

from __future__ import annotations

import asyncio
import re
from html import unescape

import pytest
from starlette.testclient import TestClient

from parlour.records import replay
from parlour.serve.sessions import Session
from parlour.serve.settings import Settings
from parlour.serve.setup import Setup
from parlour.serve.store import Store
from parlour.serve.table import NOT_YOUR_TURN, Table
from parlour.serve.workers import ThreadPools
from tests.serve.playing import answered, begin, click, clickable, client_of, hint, moves, record_of


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
    record = record_of(client, game)
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
    record = record_of(client, game)
    assert record.result() == [-1.0, 1.0]
    assert "White won: resigned" in client.get(f"{game}/replay.html").text
    assert "rematch" in page
    assert clickable(page) == []
    assert "It is not your turn" in client.post(f"{game}/move", data={"move": "9-14"}).text
    assert "It is not your turn" in client.post(f"{game}/resign").text
    with client_of(settings) as other:
        assert "You lose. You resigned" in other.get(f"{game}/table").text
    page = client.post(f"{game}/undo").text
    assert "resigned" not in page
    assert "Your turn (Black), ply 1" in page
    assert clickable(page)
    assert record_of(client, game).result() is None


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
    record = record_of(client, game)
    assert (record.position, record.options["max_plies"]) == (position, 7)
    assert "White to act" in client.get(game).text


@pytest.mark.parametrize(("first", "resigned"), [("move", -1), ("resign", 0)])
def test_a_resignation_right_behind_another_act_ends_nothing(settings: Settings, first: str, resigned: int) -> None:
    """It was the person's turn when both were sent, and no longer when the second is done."""
    setup = Setup("swords_and_shields-v0", "milton_bradley", {}, ("person", "random"), seed=3)
    table, workers = Table("here", setup, settings, Store(settings.database)), ThreadPools()
    table.save()

    async def play() -> list[str]:
        session = Session(table, workers)
        async with session._lock:
            acts = [session.type_move("a4-a3") if first == "move" else session.resign(), session.resign()]
            waiting = [asyncio.create_task(act) for act in acts]
            await asyncio.sleep(0)
        return [await answer for answer in waiting]

    assert asyncio.run(play()) == ["", NOT_YOUR_TURN]
    assert table.setup.resigned == resigned
    workers.close()
