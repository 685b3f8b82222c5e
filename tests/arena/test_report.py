"""What `parlour compare` writes: from games to figures, page and plots, and back."""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy import stats

from parlour.arena import Threads
from parlour.arena.reporting.games import GAMES_PAGE
from parlour.arena.reporting.plots import MAX_TICKS, ticks
from parlour.arena.reporting.report import (
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
from parlour.arena.studies import play_comparison
from parlour.arena.study.plans import plan_comparison
from parlour.interfaces.aec import GameEnv
from parlour.interfaces.registry import find
from parlour.interfaces.rendering import rasterise
from parlour.records.page import without_title
from tests.arena.small_comparison import GAMES, journal, read_csv
from tests.support.cases import PRINTED_GAMES
from tests.support.pages import Page

pytestmark = pytest.mark.usefixtures("_in_a_folder_of_its_own")


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
