"""The command `parlour compare`: what it prints, resumes and refuses."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.progress import Progress

from parlour.arena import Threads
from parlour.arena.reporting.games import GAMES_PAGE
from parlour.arena.reporting.report import FILES, REPORT, RESULTS, TESTS
from parlour.arena.runs.journal import CONFIG, JOURNAL
from parlour.arena.studies import play_comparison
from parlour.arena.study.plans import ComparisonPlan, plan_comparison
from parlour.cli.compare import _doublings, compare, rough_time
from parlour.support.locks import LOCK
from tests.arena.small_comparison import ASK, PLAYERS, SMALL, read_csv
from tests.support.cases import PRINTED_GAMES
from tests.support.command_line import Run, check_error, words
from tests.support.pages import data_of

pytestmark = pytest.mark.usefixtures("_in_a_folder_of_its_own")


@pytest.mark.parametrize(("seconds", "text"), [(1, "1 min"), (7000, "117 min"), (86400, "24 hours")])
def test_a_long_time_is_in_hours(seconds: float, text: str) -> None:
    assert rough_time(seconds) == text


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


@pytest.mark.parametrize(("measures", "of_shares"), [("plies,skill", True), ("plies", False)])
def test_nothing_is_said_of_shares_where_none_is_tested(
    run: Run, tmp_path: Path, measures: str, of_shares: bool
) -> None:
    out = words(run("compare", "pig", *PLAYERS, "--games", 4, "--out", tmp_path, "--measures", measures).out)
    page = (tmp_path / REPORT).read_text(encoding="utf-8")
    assert ("between two shares" in out) == ("between two shares" in page) == of_shares
    assert ("to show smaller differences" in out) == of_shares


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


def test_a_note_is_printed_before_the_bar_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bar that is drawn meanwhile would stand in the middle of its lines."""
    told: list[str] = []
    start = Progress.start
    monkeypatch.setattr(Progress, "start", lambda bar: (told.append("bar"), start(bar)))
    plan = plan_comparison("pig-v0", ["pig"], ["random"], None, 4, 0, {})
    play_comparison(plan, Threads(1), None, progress=True, on_opened=lambda: told.append("note"))
    assert told == ["note", "bar"]


def test_from_repeats_a_run_to_the_byte(run: Run, folder: Path, tmp_path: Path) -> None:
    ran = run("compare", "--from", folder / CONFIG, "--out", "again", "--threads", 1)
    assert (ran.status, ran.err) == (0, "")
    for name in (CONFIG, RESULTS, TESTS, REPORT):
        assert (tmp_path / "again" / name).read_bytes() == (folder / name).read_bytes()


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
    yield ("pig", "--skill", "greedy"), ("'greedy'", "WEAK,STRONG")
    yield ("pig", "--trace", "mcts:2,x"), ("PLAYER,DOUBLINGS", "'mcts:2,x'")
    yield ("pig", "--measures", "beauty"), ("'beauty'", "'plies'", "'Who wins'")
    yield ("pig", "--variants", "none.toml"), ("none.toml", "No such file")
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
