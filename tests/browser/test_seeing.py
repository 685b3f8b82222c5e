"""What people see at the board: plies that move, earlier positions, the evaluation; and that all pages can be
used without eyes, a mouse or a wide screen."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.arena import compare
from parlour.interfaces.aec import GameEnv
from parlour.interfaces.registry import find
from parlour.players import parse_player
from parlour.records import record_game
from parlour.records.files import parse_records
from parlour.records.page import replay_page
from parlour.records.replaying import replay
from tests.browser.conftest import Served
from tests.browser.playing import begin, plies, see, settle, wait_for_turn
from tests.support.texts import number

axe = pytest.importorskip("axe_playwright_python.sync_playwright")

pytestmark = pytest.mark.browser

FILMED = """() => {
    window.filmed = [];
    const film = () => document.getElementById("film");
    new MutationObserver(() => {
        const moving = film()?.querySelector("svg")?.getAnimations({ subtree: true }).length ?? 0;
        if (film() && !film().hidden) window.filmed.push(moving);
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""
"""Notes how much moves on the film, whenever the page changes."""
WINNABLE: dict[str, dict[str, str]] = {
    "agon-v0": {"variant": "bloody_queen"},
    "swords_and_shields-v0": {},
    "checkers-v0": {},
    "royal_ur-v0": {"variant": "blitz"},
    "backgammon-v0": {},
    "acey_ducey-v0": {},
}
"""Every game but Crown and Anchor, in which chance decides: nobody wins it by hints."""
MINUTES = ("agon-v0", "swords_and_shields-v0", "backgammon-v0", "acey_ducey-v0")
"""Games of `WINNABLE` whose hints take minutes for a whole game."""
MOST_PLIES = 500
RIGHTWARD = "shapes => shapes.map(shape => shape.getScreenCTM().a)"
"""Above 0 where a shape's right is at the right, below it for one that stands on its head."""
TWO_MEN = "light 2 6 | dark 3 | hand 0 1 | off 0 0 | light | dice 0 0 1 1 | 8"
"""Of the Royal Game of Ur, with a choice."""


def type_move(page: Any, move: str) -> None:
    before = plies(page)
    settle(page)
    page.fill("#move", move)
    page.keyboard.press("Enter")
    page.wait_for_function("ply => Number(document.querySelector('#table').dataset.ply) > ply", arg=before)
    page.locator("body").evaluate("() => document.activeElement.blur()")


def ask_for_hint(page: Any) -> None:
    """By the key. The first request may end before the search is compiled; then one asks again."""
    for _ in range(6):
        settle(page)
        page.keyboard.press("h")
        page.wait_for_selector(".hint li, [role=alert]", timeout=120_000)
        if page.locator(".hint li").count():
            return
    raise AssertionError("there is no hint")


def test_plies_are_shown_one_by_one(served: Served, page: Any) -> None:
    begin(page, served.address, "checkers-v0")
    wait_for_turn(page)
    page.evaluate(FILMED)
    type_move(page, "9-14")
    page.wait_for_function("() => window.filmed.some(Boolean)")
    page.wait_for_function("() => document.querySelector('#film').hidden")
    wait_for_turn(page)
    assert page.locator("#moves .latest").count() == 1


def test_reduced_motion_is_kept(served: Served, open_page: Callable[..., Any]) -> None:
    page = open_page(reduced_motion="reduce")
    begin(page, served.address, "checkers-v0")
    wait_for_turn(page)
    page.evaluate(FILMED)
    type_move(page, "9-14")
    wait_for_turn(page)
    page.wait_for_timeout(500)
    assert page.evaluate("window.filmed") == []


def test_the_game_is_stepped_through(served: Served, page: Any) -> None:
    """By the arrow keys and by clicks on moves; and on from there."""
    begin(page, served.address, "checkers-v0", **{"seat-1": "person"})
    wait_for_turn(page)
    for move in ("9-14", "22-18", "5-9"):
        type_move(page, move)
    page.wait_for_function("() => document.querySelector('#film').hidden")
    assert page.inner_text("#moves [aria-current]") == "3 5-9"
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#past:has-text('2. 22-18')")
    page.wait_for_selector("#film #chk-at-5")
    page.click("#moves [data-ply='1']")
    page.wait_for_selector("#past:has-text('1. 9-14')")
    assert page.get_attribute("#moves [data-ply='1']", "aria-current") == "true"
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#past:has-text('2. 22-18')")
    assert page.locator("#moves button[tabindex='0']").inner_text() == page.locator(":focus").inner_text() == "2 22-18"
    page.click("#now")
    page.wait_for_function("() => document.querySelector('#past').hidden")
    type_move(page, "25-22")
    assert plies(page) == 4


def test_the_evaluation_is_shown_and_hidden(served: Served, page: Any) -> None:
    begin(page, served.address, "checkers-v0")
    wait_for_turn(page)
    assert page.locator("#judged").is_hidden()
    page.keyboard.press("e")
    page.wait_for_selector("#judged .note:has-text('by the champion')")
    type_move(page, "9-14")
    wait_for_turn(page)
    page.wait_for_selector("#judged path.values")
    page.reload()
    page.wait_for_selector("#judged path.values")
    page.keyboard.press("e")
    assert page.locator("#judged").is_hidden()


def test_exact_values_beside_plies_and_moves(page: Any, tmp_path: Path) -> None:
    """In a game that a table knows whole: in hints, beside the plies played, and with the player that never errs."""
    solution = parlour.solve("royal_ur-v0", men=2, out=tmp_path / "ur")
    env = parlour.make("royal_ur-v0", men=2).unwrapped
    env.reset(options={"position": TWO_MEN})
    with Served(tmp_path / "games", "--exact", str(tmp_path / "ur")) as with_table:
        begin(page, with_table.address, "royal_ur-v0", **{"option-men": "2", "seat-1": "exact:ur", "position": TWO_MEN})
        wait_for_turn(page)
        ask_for_hint(page)
        told = page.inner_text(".hint")
        value, best = re.findall(r"Exact value ([+−]?\d\.\d{4}) .*, kept by (.+?)\.", told)[0]
        shown = dict(re.findall(r"^(\S.*?) ([+−]?\d\.\d{4})", page.inner_text(".hint ol"), re.M))
        assert shown[best] == value == max(shown.values(), key=number)
        assert number(value) == pytest.approx(np.mean(solution.value(env)), abs=1e-4)
        page.keyboard.press("e")
        type_move(page, best)
        page.wait_for_selector("#moves [data-ply='1'] .exact")
        record = parse_records(page.request.get(f"{page.url}/record.jsonl").text(), "here", ".jsonl")[0]
        _, env = itertools.islice(replay(record, "here"), 2)
        worth = np.mean(solution.value(env)) * (1 if env.agent_selection == "player_0" else -1)
        beside = page.inner_text("#moves [data-ply='1'] .exact")
        assert number(beside) == pytest.approx(worth, abs=1e-4)


def test_answers_that_do_not_come_stop_nothing(served: Served, page: Any) -> None:
    begin(page, served.address, "checkers-v0", **{"seat-1": "person"})
    for path in ("plies/*", "values"):
        page.route(f"**/{path}", lambda route: route.abort("connectionrefused"))
    page.keyboard.press("e")
    page.wait_for_selector("#judged .note:has-text('not there now')")
    type_move(page, "9-14")
    page.keyboard.press("ArrowLeft")
    type_move(page, "22-18")


def test_a_throw_is_told_to_each_seat(served: Served, page: Any) -> None:
    begin(page, served.address, "crown_and_anchor-v0")
    wait_for_turn(page)
    type_move(page, "crown*1")
    wait_for_turn(page)
    see(page, ".outcomes")
    assert ": you " in page.inner_text(".outcomes")


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=pytest.mark.long) if game in MINUTES else game for game in WINNABLE]
)
def test_hints_win_against_a_beginner(served: Served, page: Any, game: str) -> None:
    """Whoever plays the first move of each hint wins; afterwards the game can be analysed."""
    begin(page, served.address, game, **{"seat-1": "random", **WINNABLE[game]})
    while wait_for_turn(page) and plies(page) < MOST_PLIES:
        ask_for_hint(page)
        type_move(page, page.inner_text(".hint li >> nth=0").split()[0])
    assert page.inner_text("#status").startswith("You win.")
    page.click("#analyse")
    page.wait_for_selector("#past:has-text('Start')")


# --- everybody ---


def unfit(page: Any) -> list[str]:
    """What axe-core finds that keeps people out, on a page as it stands."""
    found = axe.Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {one['help']}: {node['html'][:120]}"
        for one in found
        for node in one["nodes"]
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", ["checkers-v0", "acey_ducey-v0", "crown_and_anchor-v0"])
def test_no_page_keeps_anybody_out(served: Served, open_page: Callable[..., Any], game: str, scheme: str) -> None:
    """A game of skill, one with dice, and one of four seats."""
    page = open_page(color_scheme=scheme)
    begin(page, served.address, game)
    wait_for_turn(page)
    found = {"game": unfit(page)}
    for path in ("/", f"/new/{game}", f"/how/{game}", f"/rules/{game}"):
        page.goto(f"{served.address}{path}")
        found[path] = unfit(page)
    assert not {name: faults for name, faults in found.items() if faults}


def test_pages_that_are_files_keep_nobody_out(page: Any, tmp_path: Path) -> None:
    """Replays and reports: one file, nothing loaded from elsewhere, a phone's width."""
    env = GameEnv(find("checkers-v0"), None, {"max_plies": 10}, None, "raise")
    record = record_game(env, [parse_player("greedy", env.game)] * 2, 1)
    (tmp_path / "replay.html").write_text(replay_page([record]), encoding="utf-8")
    compare("checkers-v0", players=["random"], games=8, max_plies=40).report(tmp_path)
    long = GameEnv(find("backgammon-v0"), None, {}, None, "raise")
    record = record_game(long, [parse_player("random", long.game)] * 2, 1)
    (tmp_path / "packed.html").write_text(replay_page([record]), encoding="utf-8")
    for name in ("replay.html", "packed.html", "report.html"):
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert 'src="http' not in text
        page.goto(f"file://{tmp_path / name}")
        for media in ({"color_scheme": "dark"}, {"color_scheme": "light", "media": "print"}, {"media": "screen"}):
            page.emulate_media(**media)
            assert unfit(page) == [], (name, media)
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, name
        if name == "report.html":  # the answer in short on one screen
            assert page.evaluate("document.querySelector('#short').getBoundingClientRect().bottom") <= 844
        page.set_viewport_size({"width": 1240, "height": 900})
    assert (tmp_path / "replay.html").stat().st_size <= 150_000
    page.goto(f"file://{tmp_path / 'replay.html'}")
    assert not page.evaluate("'packed' in document.getElementById('data').dataset")
    page.goto(f"file://{tmp_path / 'packed.html'}")
    page.wait_for_selector("#moves [aria-current], #board svg")
    assert page.evaluate("'packed' in document.getElementById('data').dataset")
    assert page.locator("#moves li").count() == len(record.moves)
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(f"#status:has-text('1. {record.moves[0]}')")
    assert page.locator("#moves button[tabindex='0']").count() == 1


def test_the_form_follows_the_variant(served: Served, page: Any) -> None:
    """Opponents and what the variant says of options; what was chosen stays."""
    page.goto(f"{served.address}/new/royal_ur-v0")
    page.click('label:has(input[name="seat-1"][value="grade:hard"])')
    before = page.inner_text('label:has(input[name="seat-1"][value="grade:hard"])')
    page.check("#variant-masters")
    page.wait_for_selector("#setup .note:has-text('rules of masters')")
    assert page.inner_text('label:has(input[name="seat-1"][value="grade:hard"])') != before
    assert page.is_checked('input[name="seat-1"][value="grade:hard"]')
    assert page.is_checked("#variant-masters")
    page.click("#more summary")
    assert "can be captured (as in masters)" in page.inner_text("#option-safe_rosettes")
    assert unfit(page) == []
    page.click("button.main")
    page.wait_for_selector(".seat:has-text('Dark: hard')")


@pytest.mark.parametrize("path", ["/", "/new/agon-v0", "/how/agon-v0", "/rules/agon-v0"])
def test_pages_fit_a_phone(served: Served, open_page: Callable[..., Any], path: str) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.goto(f"{served.address}{path}")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_print_is_black_on_white_without_buttons(served: Served, open_page: Callable[..., Any], tmp_path: Path) -> None:
    """A game, and its replay, by who likes dark pages."""
    page = open_page(color_scheme="dark")
    address = begin(page, served.address, "checkers-v0")
    wait_for_turn(page)
    type_move(page, "9-14")
    wait_for_turn(page)
    replayed = tmp_path / "replay.html"
    replayed.write_text(page.request.get(f"{address}/replay.html").text(), encoding="utf-8")
    for where, buttons in ((address, "#undo, .below, #flip"), (f"file://{replayed}", ".controls, #slider, #copy")):
        page.goto(where)
        page.wait_for_selector("#moves li")
        page.emulate_media(media="print")
        assert not any(each.is_visible() for each in page.locator(buttons).all())
        assert page.locator("#board svg").is_visible()
        assert page.locator("#moves li").first.is_visible()
        colour = "name => getComputedStyle(document.body)[name]"
        assert page.evaluate(colour, "backgroundColor") == "rgb(255, 255, 255)"
        assert page.evaluate(colour, "color") == "rgb(0, 0, 0)"
        page.emulate_media(media="screen")


@pytest.mark.parametrize(
    ("game", "shapes"),
    [("agon-v0", ".upright"), ("swords_and_shields-v0", ".upright"), ("acey_ducey-v0", "[id*='-die-']")],
)
def test_a_turned_board_keeps_its_signs_upright(served: Served, page: Any, game: str, shapes: str) -> None:
    """Crowns, emblems and the words on dice, whose turn with the board is undone in their own place."""
    begin(page, served.address, game, **{"seat-1": "person"})
    wait_for_turn(page)
    page.keyboard.press("f")
    ways = {shape: page.locator(f"#board {shape}").evaluate_all(RIGHTWARD) for shape in (shapes, ".area")}
    assert ways[shapes]
    assert min(ways[shapes]) > 0 > max(ways[".area"])
