"""What `parlour compare` prints, keeps and writes: from games to figures, page, plots and back."""

from __future__ import annotations

import csv
import json
import math
import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from html.parser import HTMLParser
from itertools import groupby
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from rich.progress import Progress
from scipy import stats

from parlour.arena import Threads, explore
from parlour.arena.reporting.games import GAMES_PAGE
from parlour.arena.reporting.plots import MAX_TICKS, shortened, ticks
from parlour.arena.reporting.report import (
    FILES,
    PLOTS,
    REPORT,
    RESULTS,
    SUMMARY,
    TESTS,
    chapters_of,
    plotted,
    report_html,
    shared_parts,
)
from parlour.arena.reporting.summary import comparison_summary
from parlour.arena.reporting.terminal import Column, tables, text_of
from parlour.arena.runs.journal import CONFIG, JOURNAL, LOCK
from parlour.arena.setting.plans import Played
from parlour.arena.studies import Comparison, play_comparison
from parlour.arena.study.plans import ComparisonPlan, plan_comparison
from parlour.cli import main
from parlour.cli.compare import _doublings, compare
from parlour.interfaces.aec import GameEnv
from parlour.interfaces.registry import find
from parlour.interfaces.rendering import rasterise
from parlour.records.page import without_title
from tests.support.cases import PRINTED_GAMES
from tests.support.command_line import Run, check_error, words
from tests.support.pages import data_of

SWORDS = "swords_and_shields"
PLAYERS = ("--players", "random", "--skill", "random,greedy")
ASK = ("compare", SWORDS, "--variants", "milton_bradley,corner_escape", *PLAYERS)
GAMES = 40
SMALL = (*ASK, "--games", GAMES, "--seed", 4, "--threads", 2)
CELL = ("p", "td", "th")
ENDED_BY = {"td": CELL, "th": CELL, "tr": (*CELL, "tr"), "tbody": (*CELL, "tr")}
"""Elements that may lack their end tags, by the tags that end them."""
VOID = {"meta", "br", "hr", "img", "input", "link", "wbr"}


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(_plain_wide_terminal: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run."""
    folder = tmp_path_factory.mktemp("played") / "here"
    with suppress(SystemExit):
        main([*map(str, SMALL), "--out", str(folder)])
    assert (folder / REPORT).exists()
    return folder


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> Path:
    """A copy of it, which a test may change."""
    return Path(shutil.copytree(played, tmp_path / "here"))


def read_csv(file: Path) -> list[dict[str, str]]:
    with file.open(newline="") as lines:
        return list(csv.DictReader(lines))


def journal(folder: Path) -> dict[tuple[str, int], dict[str, Any]]:
    """The games, by series and place there."""
    games = [json.loads(line) for line in (folder / JOURNAL).read_text().splitlines()]
    return {(game["series"], game["index"]): game for game in games}


class Page(HTMLParser):
    """Fails on tags that do not match; keeps what is asked of them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.leave(tag)
        if tag not in VOID:
            self.open.append(tag)

    def leave(self, tag: str) -> None:
        """Ends what is in a cell, the cell, and the row, whose end tags HTML lets out before this tag."""
        while self.open and self.open[-1] in ENDED_BY.get(tag, ()):
            self.open.pop()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        while self.open[-1] != tag and self.open[-1] in (*CELL, "tr"):
            self.open.pop()
        assert self.open.pop() == tag


# --- the folder ---


def test_figures_are_those_of_the_journal(folder: Path) -> None:
    """Recomputed here from the lines of the journal."""
    games = journal(folder)
    assert len(games) == 4 * GAMES
    found = {(row["variant"], row["measure"]): row for row in read_csv(folder / RESULTS)}
    for variant in ("milton_bradley", "corner_escape"):
        even = [games[f"{variant}: random in all seats", g] for g in range(GAMES)]
        pairs = [games[f"{variant}: random against greedy", g] for g in range(GAMES)]
        swords = sum(game["returns"][0] > game["returns"][1] for game in even)
        plies = np.array([game["plies"] for game in even])
        stronger = [  # greedy has the second seat in the first game of a pair, the first in the other
            (one["returns"][1] > one["returns"][0]) / 2
            + (other["returns"][0] > other["returns"][1]) / 2
            + (one["returns"][0] == one["returns"][1]) / 4
            + (other["returns"][0] == other["returns"][1]) / 4
            for one, other in zip(pairs[::2], pairs[1::2])
        ]
        expected = {
            "win_0": swords / GAMES,
            "plies": plies.mean(),
            "branching": np.mean([game["choices"] / game["plies"] for game in even]),
            "truncated": sum(game["truncated"] for game in even) / GAMES,
            "lead_changes": np.mean([game["lead_changes"] for game in even]),
            "event_sword_captured": np.mean([game["events"]["sword_captured"] for game in even]),
            "skill": np.mean(stronger),
        }
        for key, value in expected.items():
            scale = 100 if found[variant, key]["unit"] == "%" else 1
            assert float(found[variant, key]["estimate"]) == pytest.approx(scale * value), key
            assert int(found[variant, key]["n"]) == (GAMES // 2 if key == "skill" else GAMES)
        wilson = stats.binomtest(swords, GAMES).proportion_ci(0.95, "wilson")
        row = found[variant, "win_0"]
        assert (float(row["low"]), float(row["high"])) == pytest.approx((100 * wilson.low, 100 * wilson.high))
    for (_, measure), row in found.items():
        if int(row["n"]):
            assert float(row["low"]) <= float(row["estimate"]) <= float(row["high"])
        else:  # no game of random play comes to a board three times, so the ply of the first such board has no figure
            assert (measure, row["low"], row["estimate"], row["high"]) == ("threefold", "", "", "")
    tests = read_csv(folder / TESTS)
    least = min(tests, key=lambda row: float(row["p"]))
    assert float(least["p_corrected"]) == pytest.approx(min(1, len(tests) * float(least["p"])))


def test_the_page_needs_nothing_else(folder: Path) -> None:
    text = (folder / REPORT).read_text(encoding="utf-8")
    page = Page(text)
    names = [tag for tag, _ in page.tags]
    assert not {"script", "link", "iframe", "object"} & set(names)
    ids = {attributes["id"] for _, attributes in page.tags if "id" in attributes}
    for tag, attributes in page.tags:
        assert not {"xlink:href"} & set(attributes)
        assert "src" not in attributes, tag
        if "href" in attributes:
            page_name, _, place = str(attributes["href"]).partition("#")
            assert page_name == GAMES_PAGE or (not page_name and place in ids)
    assert text.index('id="short"') < text.index('id="findings"') < text.index('id="variants"')
    assert not re.search(r"url\((?!#)|@import|https?://(?!www\.w3\.org/2000/svg\")", text)
    drawn = sorted((folder / PLOTS).iterdir())
    assert names.count("svg") - 3 == len(drawn) >= 7  # two boards, and what they have in common
    for row in read_csv(folder / RESULTS):
        assert row["variant"] in text
    for part in ("Swords &amp; Shields", "random", "greedy", "Seed 4", "Findings", "corner_escape"):
        assert part in text


DIVIDED = {SUMMARY, "outcomes_1.svg", "endings_1.svg", "lengths.svg"}
"""Pictures of bars; the other plots have dots and intervals."""


def drawn(element: ElementTree.Element) -> list[list[float]]:
    """For each line of a path where it begins, x and y, and its last number: its end or its length."""
    return [[float(number) for number in re.findall(r"[\d.]+", way)] for way in element.attrib["d"].split("M")[1:]]


def bars(svg: ElementTree.Element) -> list[list[tuple[str, float]]]:
    """Divided bars, from above: their parts from the left, each with its class and its length."""
    paths = [(one.attrib["class"], one) for one in svg.iter() if one.attrib.get("class", "").startswith("part ")]
    found = sorted((y, x, name, length) for name, one in paths for x, y, length in drawn(one))
    return [[(name, length) for _, _, name, length in row] for _, row in groupby(found, key=lambda part: part[0])]


def test_plots_stand_alone_and_hold_their_intervals(folder: Path) -> None:
    for file in sorted(set((folder / PLOTS).iterdir()) - {folder / PLOTS / name for name in DIVIDED}):
        svg = ElementTree.fromstring(file.read_text(encoding="utf-8"))
        width, height = (float(value) for value in svg.attrib["viewBox"].split()[2:])
        kinds = [element.tag.rpartition("}")[2] for element in svg.iter()]
        assert "script" not in kinds
        paths = [(one.attrib.get("class", ""), one) for one in svg.iter()]
        dots, lines = (
            [numbers for name, one in paths if name.startswith(kind) for numbers in drawn(one)]
            for kind in ("dot", "interval")
        )
        assert len(dots) == len(lines) == 2
        for (dot_x, dot_y, _), (low, line_y, high) in zip(dots, lines):
            assert 0 < low <= dot_x <= high < width
            assert 0 < line_y == dot_y < height


def test_lengths_are_divided_by_the_quartiles_of_all_games_and_cut_games_are_apart() -> None:
    variants = ["american:max_plies=40", "american:max_plies=400"]
    plan = plan_comparison("checkers-v0", variants, ["random"], None, 40, 0, {})
    result = play_comparison(plan, Threads(1), None)
    (figure,) = [one for one in plotted(result) if one.key == "lengths"]
    svg = ElementTree.fromstring(figure.standalone)
    long, short = bars(svg)
    whole = sum(length for _, length in long)
    numbers = {label: own for (label, group), own in result.numbers.items()}
    cut = {label: np.mean(own["truncated"]) for label, own in numbers.items()}
    for row, limit in ((short, 40), (long, 400)):
        shown = [length for name, length in row if name == "part cut"]
        assert sum(shown) / whole == pytest.approx(cut[f"american:max_plies={limit}"], abs=0.01)
    first = long[0][1] / whole
    assert long[0][0] == "part l0"
    plies = numbers["american:max_plies=400"]["plies"]
    ended = np.concatenate([own["plies"][own["truncated"] == 0] for own in numbers.values()])
    assert first == pytest.approx(np.mean(plies <= round(np.quantile(ended, 0.25))), abs=0.01)


@pytest.mark.parametrize(
    ("picture", "keys"),
    [
        ("outcomes_1.svg", ("win_0", "win_1", "drawn", "truncated")),
        ("endings_1.svg", ("end_capture", "end_escape", "end_no_move", "end_repetition", "truncated")),
    ],
)
def test_divided_bars_hold_the_shares_of_all_games(folder: Path, picture: str, keys: tuple[str, ...]) -> None:
    """Their parts are as long as the shares of the games, and fill the bar."""
    found = {(row["variant"], row["measure"]): row["estimate"] for row in read_csv(folder / RESULTS)}
    svg = ElementTree.fromstring((folder / PLOTS / picture).read_text(encoding="utf-8"))
    lengths = [[length for _, length in row] for row in bars(svg)]
    whole = [sum(row) for row in lengths]
    assert whole == pytest.approx([whole[0]] * 2, abs=0.3)
    shown = sorted(round(100 * one / whole[0]) for row in lengths for one in row)
    told = [float(found.get((name, key), 0)) for name in ("milton_bradley", "corner_escape") for key in keys]
    assert shown == pytest.approx(sorted(round(value) for value in told if value), abs=1)


def test_what_did_not_occur_is_told_with_its_bound() -> None:
    """In the tables as 0 alone, and once how often it may occur: no game of 20 plies comes to its end."""
    plan = plan_comparison(
        "checkers-v0", ["american:max_plies=20", "american:max_plies=400"], ["random"], None, 40, 0, {}
    )
    result = play_comparison(plan, Threads(1), None)
    [endings] = [one for one in chapters_of(result) if one["title"] == "How games end"]
    (cut, _, short), (_, _, whole) = endings["rows"]
    place = [one.key for one in endings["measures"]].index("end_no_move")
    assert cut == "american:max_plies=20"
    assert short[place] == ("0", "")
    assert whole[place][1]
    none_of_40 = stats.binomtest(0, 40).proportion_ci(method="wilson").high
    assert endings["unseen"] == [f"{100 * none_of_40:.1f} % of the games"]
    assert f"at most {endings['unseen'][0]}." in report_html(result)


@pytest.mark.long
@pytest.mark.parametrize("game", PRINTED_GAMES)
def test_a_report_of_three_players_takes_no_more_than_150_kb(game: str) -> None:
    plan = plan_comparison(find(game).id, None, ["mcts:5", "greedy", "random"], ("mcts:2", "mcts:20"), 10, 0, {})
    page = report_html(play_comparison(plan, Threads(2), None))
    assert len(page.encode()) <= 150_000


@pytest.mark.parametrize(("low", "high"), [(0, 1), (0, 97.3), (-3, 41), (0, 0), (0.2, 0.23), (12, 480), (0, 100)])
def test_ticks_are_few_and_round(low: float, high: float) -> None:
    marks = ticks(low, high)
    steps = np.diff(marks)
    assert marks[0] <= low + 1e-9
    assert marks[-1] >= high - 1e-9
    assert steps == pytest.approx(steps[0])
    assert 2 <= len(marks) <= MAX_TICKS + 1
    assert f"{steps[0]:.0e}"[0] in "125"


def test_names_are_escaped() -> None:
    mine = {"variant": "pig", "name": "<i>&", "note": "<i>&"}
    plan = plan_comparison("pig-v0", [mine, "strict"], ["random"], ("random", "greedy"), 4, 0, {})
    page = report_html(play_comparison(plan, Threads(1), None))
    assert "<i>&" not in page
    assert "&lt;i&gt;&amp;" in page


def test_variants_with_the_same_set_up_share_one_picture() -> None:
    variants = ["pig", "strict", "pig:goal=20", "pig:goal=20+max_plies=50"]
    plan = plan_comparison("pig-v0", variants, ["random"], None, 4, 0, {})
    page = Page(report_html(play_comparison(plan, Threads(1), None)))
    told = [str(own["aria-label"]) for tag, own in page.tags if "The board of" in str(own.get("aria-label"))]
    assert len(told) < len(variants)
    assert all(label in ", ".join(told) for label in variants)


@pytest.mark.parametrize("name", PRINTED_GAMES)
def test_boards_that_share_their_parts_look_as_they_did(name: str) -> None:
    """To the pixel; and what they refer to stands on the page once."""
    game = find(name)
    pictures = {}
    for variant in game.variants:
        env = GameEnv(game, variant.name, {}, None, "raise")
        env.reset(seed=0)
        pictures[without_title(env.svg())] = variant.name
    parts, boards = shared_parts(list(pictures))
    for before, (box, own) in zip(pictures, boards):
        width, height = box.split()[2:]
        head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="{box}">'
        again = rasterise(f"{head}<defs>{parts}</defs>{own}</svg>", 240)
        assert np.abs(again.astype(int) - rasterise(before, 240)).max() <= 2
        assert set(re.findall(r'(?:href="|url\()#([\w-]+)', own)) <= set(re.findall(r'id="([\w-]+)"', parts))
    page = "".join([parts, *(own for _, own in boards)])
    ids = re.findall(r'\bid="([^"]*)"', page)
    assert len(ids) == len(set(ids))
    assert len(page) < 40_000


def test_an_id_that_nothing_refers_to_does_not_stand_on_the_page() -> None:
    """Else it would stand twice here, once on each board."""
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
    boards = [
        f'{head}<defs><path id="man" d="M0 0"/></defs><g id="a1" class="{kind}"><use href="#man"/></g></svg>'
        for kind in ("dark", "light")
    ]
    parts, drawn = shared_parts(boards)
    page = "".join([parts, *(own for _, own in drawn)])
    assert re.findall(r'\bid="([^"]*)"', page) == ["man"]
    assert "dark" in page
    assert "light" in page


# --- the command ---


def test_compare_prints_what_it_found(run: Run, folder: Path) -> None:
    ran = run(*SMALL, "--out", "here")
    assert (ran.status, ran.err) == (0, "")
    for part in ("Swords & Shields", "seed 4", "Played by random, a weak player, Elo −",
                 "40 games of each variant: ", "milton_bradley", "corner_escape", "greedy",
                 "40 games per variant and player show only differences between two shares above about",
                 "Best of two: ", "Best first: most games decided, sides even, skill counts.",
                 "percentages may be off by 15 points"):  # fmt: skip
        assert part in words(ran.out)
    assert ran.out.count("\n* ") <= 3
    assert "Score of the stronger player is above 50 % in every variant: " in (folder / REPORT).read_text()
    assert str(Path("here") / REPORT) in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80
    assert "…" not in ran.out
    assert {file.name for file in folder.iterdir()} == {CONFIG, JOURNAL, LOCK, GAMES_PAGE, *FILES}


def test_games_worth_a_look_can_be_stepped_through(run: Run, tmp_path: Path) -> None:
    """The shortest, the longest, a typical and the most dramatic one, of the run that is in the folder."""
    ran = run(*SMALL, "--out", tmp_path)
    assert f"games to look at: {tmp_path / GAMES_PAGE}" in ran.out
    data = data_of((tmp_path / GAMES_PAGE).read_text(encoding="utf-8"))
    labels = [game["label"].partition(":")[0] for game in data["games"]]
    assert set(labels) <= {"shortest", "typical length", "longest", "cut at max_plies", "most dramatic"}
    assert len(labels) == len(set(labels)) >= 2
    links = re.findall(r'href="games.html#(\d+)">([a-z_ ]+)</a>', (tmp_path / REPORT).read_text(encoding="utf-8"))
    assert {int(number) for number, _ in links} == set(range(1, len(labels) + 1))
    for number, reason in links:
        game = data["games"][int(number) - 1]
        assert f"<td>{len(game['moves'])}<td>" in (tmp_path / REPORT).read_text(encoding="utf-8")
        assert reason in labels
    lengths = {game["label"].partition(":")[0]: len(game["moves"]) for game in data["games"]}
    assert lengths.get("shortest", 0) <= min(lengths.values())


def imagined(plan: ComparisonPlan) -> Comparison:
    """A comparison whose figures have many digits."""
    events = dict.fromkeys(plan.game.evaluation.EVENTS, 1000)
    numbers = {one.key: 0.0 if one.kind.coded or one.kind.unit == "%" else 1234.5 for one in plan.measures}
    played = [
        Played(
            spec, (0.0,) * len(spec.players), "max_plies", True, 300 + 9 * k, 1555, 40, k, events,
            digest=k,
            numbers={**numbers, "plies": 300 + 9 * k, "branching": 123.45, "lead_changes": 2.5, "first_seat": 0.5},
        )
        for series in plan.plan.series
        for k, spec in enumerate(series.specs())
    ]  # fmt: skip
    return Comparison(plan, played)


@pytest.mark.parametrize("name", PRINTED_GAMES)
def test_the_summary_of_every_game_fits_a_terminal(name: str) -> None:
    plan = plan_comparison(name, None, ["mcts:1000", "mcts:2000"], ("mcts:100", "mcts:10000"), 4, 0, {})
    summary = comparison_summary(imagined(plan))
    text = summary.text()
    assert max(map(len, text.splitlines())) <= 80
    assert len(text.splitlines()) <= 24
    assert "…" not in text
    shown = sum(f"\n{variant.name} " in text for variant in plan.game.variants)
    left = len(plan.game.variants) - shown
    assert shown >= 8 or not left
    assert (f"{left} more in the report." in text) == bool(left)
    assert "Also played, and in the report: mcts:2000." in words(text)
    svg = ElementTree.fromstring(summary.svg())
    written = {element.text for element in svg.iter() if element.tag.endswith("text")}
    assert {variant.name for variant in plan.game.variants} <= written


@pytest.mark.parametrize(
    ("players", "skill", "told"),
    [
        (["mcts:5"], ("mcts:2", "mcts:20"), "Played by mcts:5, a weak player."),
        (["random", "champion:2"], None, "Played by random, a weak player, Elo −"),
        (["champion:2", "mcts:5"], ("mcts:2", "mcts:20"), "Played by champion:2, Elo +"),
        (["mcts:1000"], None, "Played by mcts:1000."),
        ([], ("mcts:2", "mcts:20"), "Played by mcts:20 against mcts:2, weak players."),
        ([], ("greedy", "mcts:20"), "Played by mcts:20 against greedy."),
        ({"random": lambda observation, mask: mask.argmax(axis=-1)}, None, "Played by random."),
    ],
)
def test_it_is_said_who_played_and_whether_that_is_weak(players: Any, skill: Any, told: str) -> None:
    plan = plan_comparison("checkers-v0", ["american"], players, skill, 4, 0, {})
    result = imagined(plan)
    assert "Checkers: 1 variant, seed 0" in str(result).splitlines()
    assert any(line.startswith(told) for line in str(result).splitlines())
    page = report_html(result)
    assert f"<p>{told}" in page
    assert page.index(told) < page.index("<figure")


def test_labels_that_differ_are_cut_so_that_they_still_do() -> None:
    labels = [f"{number}: capture=relocate, geometry=line, repetition={number % 2}, touch_move={end}"
              for number, end in ((1, True), (1, False), (3, True))]  # fmt: skip
    for room in (70, 40, 20, 12):
        cut = shortened(labels, room)
        assert len(set(cut)) == 3
        assert max(map(len, cut)) <= room
    assert shortened(labels, 200) == labels
    assert shortened(["short", "a" * 30, "a" * 30], 10) == ["short", "aaaaaaaaa…", "aaaaaaaaa…"]
    assert shortened(["the first of them", "another one"], 12) == ["the first o…", "another one"]
    assert len(shortened(["a" * 30 + "b" + "c" * 30, "a" * 61], 9)) == 2


def test_a_note_is_printed_before_the_bar_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bar that is drawn meanwhile would stand in the middle of its lines."""
    told: list[str] = []
    start = Progress.start
    monkeypatch.setattr(Progress, "start", lambda bar: (told.append("bar"), start(bar)))
    plan = plan_comparison("pig-v0", ["pig"], ["random"], None, 4, 0, {})
    play_comparison(plan, Threads(1), None, progress=True, on_opened=lambda: told.append("note"))
    assert told == ["note", "bar"]


def test_headings_and_titles_are_whole() -> None:
    """However many options and however narrow the table: no word is broken, no line too long, no label there twice."""
    options = {"goal": [20, 21], "snake_eyes": None, "bank": None, "max_plies": [200, 300], "fine": [0.0, 1.0]}
    few: dict[str, Any] = {"player": "random", "games": 4, "finalists": 8, "final": 4, "workers": Threads(1)}
    result = explore("pig-v0", options, ["plies:min", "first_seat:45..55", "turns:max"], **few)
    text = str(result)
    assert max(map(len, text.splitlines())) <= 80
    assert all(word in text.replace("_\n", "_") for word in ("goal", "bank", "fine"))
    above = text.split("─")[0]
    for word in ("snake_", "eyes", "max_", "plies"):
        assert re.search(rf"(?<!\S){word}(?!\S)", above)
    svg = ElementTree.fromstring(result.summary_plot())
    written = [str(element.text) for element in svg.iter() if element.tag.endswith("text")]
    named = [text.partition(": ")[2] for text in written if re.match(r"\*?\d+: ", text)]
    assert len(named) == len(set(named)) == 8
    plan = plan_comparison("agon-v0", ["ring"], ["random"], None, 4, 0, {}, measures=["irreversible"])
    title, headings, *_ = str(imagined(plan)).partition("(95 %).\n")[2].splitlines()
    assert title == "Agon (Queen's Guard): 1 variant, seed 0"
    assert headings.split() == ["Irreversible"]


@pytest.mark.parametrize("letters", range(4, 40, 3))
def test_tables_are_as_wide_as_the_terminal_and_cut_nothing(letters: int) -> None:
    names = [Column("no.", ["*1", "20"])]
    columns = [Column(f"h{k}" * 3, [f"{k}" * letters, "x"]) for k in range(9)]
    text = text_of(tables("A title", names, columns))
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
    for column in columns:
        assert all(cell in text for cell in (column.heading, *column.cells))
    assert text.count("*1") == text.count("no.") == math.ceil(9 / ((80 + 2 - 5) // (max(letters, 6) + 2)))


def test_an_exploration_says_it_too_under_its_verdict() -> None:
    result = explore("pig-v0", {"goal": [6, 9]}, ["plies:min"], games=4, finalists=2, final=4, workers=Threads(1))
    lines = str(result).splitlines()
    assert lines[0].startswith("Best of 2 combinations: no. ")
    assert any(line.startswith("Played by mcts:5, a weak player. 4 new games of each finalist: ") for line in lines)
    assert "Pig: 2 finalists of 2 combinations, seed 0" in lines


def test_bars_hold_their_intervals_and_begin_where_no_side_is_favoured(folder: Path) -> None:
    svg = (folder / PLOTS / SUMMARY).read_text(encoding="utf-8")

    def lines(name: str) -> list[tuple[float, float, float]]:
        """Where each line of a class begins and ends, and its height."""
        paths = "".join(re.findall(rf'class="{name}[^"]*" d="([^"]+)"', svg))
        found = re.findall(r"M([\d.]+) ([\d.]+)([Hh])([\d.]+)", paths)
        return [(float(x), float(to) + (how == "h") * float(x), float(y)) for x, y, how, to in found]

    references = "".join(re.findall(r'class="reference" d="([^"]+)"', svg))
    evens = [(float(x), float(y) + 5) for x, y in re.findall(r"M([\d.]+) ([\d.]+)v10", references)]
    tracks, bars, whiskers = lines("track"), lines("bar"), lines("whisker")
    assert len(tracks) == len(bars) == len(whiskers) == 2 * 5
    for (left, right, height), (start, end, _), (low, high, _) in zip(tracks, bars, whiskers):
        assert left <= start <= end <= right + 0.1
        even = [x for x, y in evens if left < x < right and y == height]
        from_end = end if even and start < even[0] - 0.1 else start
        assert from_end == pytest.approx(even[0] if even else left, abs=0.1)
        value = start if from_end == end else end
        assert low <= value + 0.1
        assert value <= high + 0.1
    assert len(evens) == 2 * 2  # fair, skill


def test_measures_that_are_asked_for_are_those_of_the_summary() -> None:
    """With long names, and a skill trace: no line is too long, and every figure stands in full."""
    variants = [{"variant": "classic", "name": "as they played it in the club by the river"}, "classic:touch_move=true"]
    wanted = ["plies", "turns", "drama", "Skill trace"]
    plan = plan_comparison(
        "agon-v0", variants, ["random", "greedy"], ("random", "greedy"), 4, 0, {}, "auto", wanted, ("mcts:1000", 7)
    )
    text = str(imagined(plan))
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
    assert "In the order given." in text
    for heading in ("length", "Turns", "Drama"):
        assert heading in text.partition("─")[0]
    assert text.count("≥ 314") == 2  # the mean of 300 to 327 plies, under two variants
    assert "mcts:128000" in text
    assert "  touch_move=True" in text


def test_from_repeats_a_run_to_the_byte(run: Run, folder: Path, tmp_path: Path) -> None:
    ran = run("compare", "--from", folder / CONFIG, "--out", "again", "--threads", 1)
    assert (ran.status, ran.err) == (0, "")
    for name in (CONFIG, RESULTS, TESTS, REPORT):
        assert (tmp_path / "again" / name).read_bytes() == (folder / name).read_bytes()


def test_a_stopped_run_is_resumed(run: Run, folder: Path) -> None:
    lines = (folder / JOURNAL).read_bytes().splitlines(keepends=True)
    results = (folder / RESULTS).read_bytes()
    (folder / JOURNAL).write_bytes(b"".join(lines[:31]) + lines[31][:20])
    (folder / RESULTS).unlink()
    assert run("compare", "--from", folder / CONFIG).status == 0
    assert (folder / RESULTS).read_bytes() == results
    assert (folder / JOURNAL).read_bytes().startswith(b"".join(lines[:31]))
    assert len(journal(folder)) == 4 * GAMES


def test_a_skill_trace_has_five_doublings_unless_told_otherwise() -> None:
    assert _doublings("mcts:10") == ("mcts:10", 5)
    assert _doublings("mcts:10,7") == ("mcts:10", 7)


def test_folders_of_their_own(run: Run, tmp_path: Path) -> None:
    ask = ("compare", "pig", *PLAYERS, "--games", 4)
    for _ in range(2):
        assert run(*ask).status == 0
        assert [file.name for file in tmp_path.iterdir()] == ["compare-pig"]
    assert "compare-pig-2" in run(*ask, "--seed", 1).out
    assert (tmp_path / "compare-pig-2" / REPORT).is_file()


def test_a_goal_orders_the_variants(run: Run, folder: Path) -> None:
    """In the summary alone: the games and tables stay as they are."""
    plies = {row["variant"]: float(row["estimate"]) for row in read_csv(folder / RESULTS) if row["measure"] == "plies"}
    before = (folder / RESULTS).read_bytes()
    for goal, first in (("short", min(plies, key=plies.__getitem__)), ("long", max(plies, key=plies.__getitem__))):
        out = run(*SMALL, "--rank", goal, "--out", "here").out
        assert f"Best of two by {goal}: {first} — " in words(out)
        assert f"Best first: {goal} games." in out
        assert min(plies, key=lambda name: out.index(f"\n{name}")) == first
    assert (folder / RESULTS).read_bytes() == before


def test_options_hold_for_every_variant(run: Run, tmp_path: Path) -> None:
    assert run(*ASK, "--games", 4, "-o", "max_plies=6", "--out", "cut").status == 0
    rows = read_csv(tmp_path / "cut" / RESULTS)
    assert {float(row["estimate"]) for row in rows if row["measure"] == "plies"} == {6}
    assert {float(row["estimate"]) for row in rows if row["measure"] == "truncated"} == {100}


def wrong_commands() -> Iterator[tuple[tuple[object, ...], tuple[str, ...]]]:
    """What is asked, and what the line must name."""
    yield (), ("GAME", "--from")
    yield ("chess",), ("chess", "agon")
    yield ("pig", "--variants", "pig,hog"), ("'hog'", "'strict'")
    yield ("pig", "--variants", "pig,pig"), ("'pig'", "each once")
    yield ("pig", "--players", "bishop"), ("'bishop'", "'greedy'")
    yield ("pig", "--players", "mcts:0"), ("mcts:0",)
    yield ("pig", "--skill", "greedy"), ("'greedy'", "WEAK,STRONG")
    yield ("pig", "--skill", "greedy,greedy"), ("skill", "a name of its own")
    yield ("pig", "--trace", "mcts:2,x"), ("PLAYER,DOUBLINGS", "'mcts:2,x'")
    yield ("pig", "--trace", "greedy,3"), ("'greedy'", "no number")
    yield ("pig", "--measures", "beauty"), ("'beauty'", "'plies'", "'Who wins'")
    yield ("pig", "--variants", "none.toml"), ("none.toml", "No such file")
    yield ("pig", "--games", "5"), ("even number", "5")
    yield ("pig", "--games", "0"), ("0",)
    yield ("pig", "-o", "goal=x"), ("goal", "'x'")
    yield ("--from", "nowhere.json"), ("nowhere.json", "No such file")
    yield ("--from", "list.json"), ("list.json", "Expected `object`")
    yield ("pig", "--from", "list.json"), ("--from", "GAME")
    yield ("--from", "list.json", "--seed", "3"), ("--from", "--seed")
    yield ("pig", "--rank", "beauty"), ("'beauty'", "'decided'", "'choice'")
    yield ("pig", "--rank", "skill", "--skill", "none"), ("'skill'", "'fair'")
    yield ("pig", "--out", "foreign"), ("foreign", "letter.txt")
    yield ("pig", "--out", "letter"), ("letter", "exists")


@pytest.mark.parametrize(("arguments", "parts"), list(wrong_commands()))
def test_what_compare_refuses(run: Run, tmp_path: Path, arguments: tuple[object, ...], parts: tuple[str, ...]) -> None:
    (tmp_path / "list.json").write_text("[]")
    (tmp_path / "letter").write_text("Dear")
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "letter.txt").write_text("Dear")
    before = sorted(file.name for file in tmp_path.rglob("*"))
    ran = run("compare", *arguments)
    check_error(ran, *parts)
    assert ran.out == ""
    assert sorted(file.name for file in tmp_path.rglob("*")) == before


def test_a_config_of_another_edition_is_named(run: Run, folder: Path) -> None:
    config = json.loads((folder / CONFIG).read_text())
    (folder / CONFIG).write_text(json.dumps({**config, "rules": "0" * 16}))
    ran = run("compare", "--from", folder / CONFIG, "--out", "new")
    assert ran.status == 0
    assert "rules " + "0" * 16 in ran.err
    assert ran.err.count("\n") == 1
    ran = run("compare", "--from", folder / CONFIG)
    assert ran.status == 2
    assert "rules" in ran.err.splitlines()[-1]


def test_the_default_players_are_players_of_every_game() -> None:
    defaults = {option.name: option.default for option in compare.params}
    weaker, stronger = str(defaults["skill"]).split(",")
    for name in PRINTED_GAMES:
        plan = plan_comparison(name, None, None, (weaker, stronger), int(str(defaults["games"])), 0, {})
        assert isinstance(plan, ComparisonPlan)
