"""Whole games in a real browser: by clicking, by dragging, by keys alone; on a phone, in the dark, in two tabs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parlour.arena import match
from parlour.interfaces.registry import find
from parlour.records import replay
from parlour.records.files import parse_records
from parlour.serve.settings import MAX_BODY, MAX_RECORDS
from tests.browser.conftest import Served
from tests.browser.playing import begin, click_something, play_on, plies, see, state, wait_for_turn
from tests.support.cases import PRINTED_GAMES

pytestmark = pytest.mark.browser

LIMITS: dict[str, dict[str, str]] = {
    "agon-v0": {"option-max_plies": "40"},
    "acey_ducey-v0": {"option-max_plies": "100"},
    "crown_and_anchor-v0": {"option-rounds": "4"},
    "checkers-v0": {},
    "swords_and_shields-v0": {},
    "royal_ur-v0": {"option-max_plies": "60"},
    "backgammon-v0": {"option-max_plies": "60"},
}
CASES = [
    pytest.param(game, variant.name, marks=[pytest.mark.one_per_game] if number == 0 else [])
    for game in PRINTED_GAMES
    if game in LIMITS
    for number, variant in enumerate(find(game).variants)
]


def record_of(page: Any) -> Any:
    text = page.request.get(f"{page.url}/record.jsonl").text()
    return parse_records(text, "the game", ".jsonl")[0]


@pytest.mark.parametrize(("game", "variant"), CASES)
def test_a_whole_game_by_clicking(served: Served, page: Any, game: str, variant: str) -> None:
    """To its end by the rules, or by a limit of plies or rounds; the record is true."""
    begin(page, served.address, game, variant=variant, **LIMITS[game])
    played = play_on(page, seed=3)
    record = record_of(page)
    assert len(record.moves) == played
    assert record.end
    assert record.variant == variant
    assert page.locator("#moves li").count() == played
    list(replay(record, "the game"))


def test_a_game_by_keys_alone(served: Served, page: Any) -> None:
    """Arrows, Enter, Escape; a move typed; undo. The mouse is never used."""
    begin(page, served.address, "checkers-v0", **{"seat-1": "person"})
    wait_for_turn(page)
    for _ in range(60):
        if page.evaluate("document.activeElement?.dataset?.area || ''"):
            break
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.area") == "9"
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.area") == "10"
    page.keyboard.press("Enter")
    see(page, '#table[data-chosen="1"]')
    page.keyboard.press("Escape")
    see(page, '#table[data-chosen="0"]')
    page.keyboard.press("Enter")
    see(page, '#table[data-chosen="1"]')
    page.wait_for_function("document.activeElement?.dataset?.area === '10'")
    page.keyboard.press("ArrowDown")
    found = page.evaluate("document.activeElement.dataset.area")
    assert found in ("14", "15")
    page.keyboard.press(" ")
    see(page, '#table[data-ply="1"]')
    page.keyboard.press("m")
    page.keyboard.type("23 19")
    page.keyboard.press("Enter")
    see(page, '#table[data-ply="2"]')
    page.locator("body").evaluate("() => document.activeElement.blur()")
    page.keyboard.press("u")
    see(page, '#table[data-ply="1"]')
    assert record_of(page).moves == [f"10-{found}"]


@pytest.mark.parametrize("game", ["checkers-v0", "swords_and_shields-v0", "agon-v0"])
def test_a_whole_game_by_typing(served: Served, page: Any, game: str) -> None:
    begin(page, served.address, game, **{"seat-1": "random", "option-max_plies": "24"})
    rng = np.random.default_rng(1)
    while wait_for_turn(page):
        _, ply, _ = state(page)
        *_, env = replay(record_of(page), "the game")
        page.fill("#move", str(rng.choice(env.legal_moves())).upper().replace("-", " "))
        page.keyboard.press("Enter")
        page.wait_for_function("ply => document.querySelector('#table').dataset.ply !== ply", arg=ply)
    assert record_of(page).end


def test_a_piece_is_dragged(served: Served, page: Any) -> None:
    begin(page, served.address, "swords_and_shields-v0")
    wait_for_turn(page)
    boxes = [page.locator(f"#area-{dot}").bounding_box() for dot in ("d9", "d6")]
    (x0, y0), (x1, y1) = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes)
    page.mouse.move(x0, y0)
    page.mouse.down()
    page.mouse.move((x0 + x1) / 2, (y0 + y1) / 2, steps=4)
    assert "translate" in page.locator("#sas-at-d9").get_attribute("transform")
    page.mouse.move(x1, y1, steps=4)
    page.mouse.up()
    page.wait_for_selector('#table[data-ply="2"]')
    assert record_of(page).moves[0] == "d9-d6"


def test_what_is_not_legal_is_explained(served: Served, page: Any) -> None:
    begin(page, served.address, "agon-v0")
    wait_for_turn(page)
    page.locator("#area-a3").click()
    page.wait_for_selector("[role=alert]")
    assert "the piece on a3 is not yours" in page.inner_text("[role=alert]")
    assert plies(page) == 0


def test_hints_are_arrows_and_words(served: Served, page: Any) -> None:
    begin(page, served.address, "checkers-v0")
    wait_for_turn(page)
    page.click("#hint")
    page.wait_for_selector(".hint")
    assert page.locator("#board .marks polygon").count() >= 1
    assert "Expected result" in page.inner_text(".hint")


def test_players_are_watched(served: Served, page: Any) -> None:
    begin(page, served.address, "checkers-v0", **{"seat-0": "greedy", "seat-1": "random"})
    page.click("#run-fast")
    page.wait_for_function("() => Number(document.querySelector('#table').dataset.ply) > 5")
    page.click("#stop")
    page.wait_for_selector("#step")
    before = plies(page)
    page.click("#step")
    page.wait_for_selector(f'#table[data-ply="{before + 1}"]')


# --- sizes, colours, tabs ---


@pytest.mark.parametrize("game", sorted(LIMITS))
def test_a_phone(served: Served, open_page: Callable[..., Any], game: str) -> None:
    """All of the board is seen, nothing is wider than the screen, and places can be hit by a finger."""
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    begin(page, served.address, game)
    wait_for_turn(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    board = page.locator("#board svg").bounding_box()
    assert board["x"] >= 0
    assert board["x"] + board["width"] <= 390
    click_something(page, np.random.default_rng(0))


def test_the_dark(served: Served, open_page: Callable[..., Any]) -> None:
    shades = []
    for scheme in ("light", "dark"):
        page = open_page(color_scheme=scheme)
        begin(page, served.address, "checkers-v0")
        shades.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        ink = page.evaluate("getComputedStyle(document.body).color")
        assert ink != shades[-1]
    assert shades[0] != shades[1]


def test_two_tabs_show_the_same_game(served: Served, open_page: Callable[..., Any]) -> None:
    first, second = open_page(), open_page()
    address = begin(first, served.address, "checkers-v0", **{"seat-1": "person"})
    second.goto(address)
    wait_for_turn(second)
    first.fill("#move", "9-14")
    first.keyboard.press("Enter")
    second.wait_for_selector('#table[data-ply="1"]')
    second.fill("#move", "22-18")
    second.keyboard.press("Enter")
    first.wait_for_selector('#table[data-ply="2"]')
    assert record_of(first).moves == ["9-14", "22-18"]


def test_a_choice_under_way_is_not_disturbed(served: Served, page: Any) -> None:
    begin(page, served.address, "checkers-v0", **{"seat-1": "person"})
    page.locator("#area-9").click()
    page.wait_for_selector('#table[data-chosen="1"]')
    page.wait_for_timeout(1500)
    assert state(page)[2] == "1"


def test_a_folder_of_runs_is_looked_through(served: Served, page: Any, tmp_path: Path) -> None:
    """Its runs and records are listed; of a journal longer than a request may be only the beginning is sent."""
    for name, games in (("one", 4), ("two", MAX_RECORDS)):
        match("checkers-v0", "random", "greedy", games=games, max_plies=6, folder=tmp_path / name)
    journal = tmp_path / "two" / "journal.jsonl"
    lines = journal.read_bytes()
    journal.write_bytes(lines * (MAX_BODY // len(lines) + 2))
    page.goto(served.address)
    page.locator("input[webkitdirectory]").set_input_files(tmp_path)
    page.wait_for_selector("#found button")
    assert page.locator("#found button").all_inner_texts() == ["one", "two"]
    for name, games in (("one", 4), ("two", MAX_RECORDS)):
        page.goto(served.address)
        page.locator("input[webkitdirectory]").set_input_files(tmp_path)
        page.click(f"#found button:text-is('{name}')")
        page.wait_for_selector("#slider")
        assert page.locator("#games option").count() == games
