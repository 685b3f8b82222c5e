"""What the pages of the server show: games, forms, rules, boards, earlier positions."""

from __future__ import annotations

import re
from html import unescape

import pytest
from starlette.testclient import TestClient

from parlour.arena.setting.ladder import grades
from parlour.interfaces.registry import find
from parlour.players.people.rule_texts import goal
from tests.serve.playing import answered, begin
from tests.support.cases import GAMES, PRINTED_GAMES


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


def test_home_shows_each_board_and_begins_a_game_in_one_click(client: TestClient) -> None:
    page = client.get("/").text
    for game in GAMES:
        assert f'href="/new/{game}"' in page
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
