"""``parlour match`` and ``parlour tournament``: what they print, keep, refuse, and say when they are interrupted."""

from __future__ import annotations

import io
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console

from parlour.arena import match
from parlour.arena.matches.contests import standings
from parlour.arena.matches.tally import Score
from parlour.arena.reporting.terminal import standings_tables
from parlour.arena.runs.journal import Folder
from parlour.arena.setting.plans import Played
from parlour.arena.statistics import elo, score
from tests.support.command_line import Ran, Run, check_error
from tests.support.pages import labels_of

SWORDS = "swords_and_shields"
QUICK = ("match", SWORDS, "greedy", "random", "--games", 12, "--seed", 4)
DICE = ("match", "acey_ducey", "greedy", "random", "--games", 12, "--seed", 4)
"""With dice, whose luck is taken out of the score."""


def test_a_match(run: Run) -> None:
    ran = run(*DICE)
    made = match("acey_ducey-v0", "greedy", "random", games=12, seed=4)
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "Acey Ducey, parker: 12 games from the start of the game, seed 4"
    assert lines[1] == f"greedy won {made.wins}, drew {made.draws}, lost {made.losses} against random"
    assert f"score {made.score.value:.3f} (95 %: {made.score.low:.3f} to {made.score.high:.3f})" in lines[2]
    assert lines[3].startswith(f"adjusted for luck (champion): score {made.adjusted.value:.3f} [")
    assert lines[4] == "pairs with 0, ½, 1, 1½, 2 points: " + ", ".join(map(str, made.pentanomial))
    assert "seat of Red" in lines[6]


def test_games_that_were_cut_are_told(run: Run) -> None:
    ran = run(*QUICK, "-o", "max_plies=2")
    assert "drew 12 (12 truncated)" in ran.out


def test_the_same_again_from_its_folder(run: Run, tmp_path: Path) -> None:
    first = run(*QUICK, "--out", tmp_path, "--threads", 1)
    journal = (tmp_path / "journal.jsonl").read_bytes()
    again = run(*QUICK, "--out", tmp_path, "--threads", 2)
    assert again == first
    assert (tmp_path / "journal.jsonl").read_bytes() == journal
    assert results(first) == run(*QUICK).out
    assert first.out.splitlines()[-1] == f"games to look at: {tmp_path / 'games.html'}"
    labels = labels_of((tmp_path / "games.html").read_text(encoding="utf-8"))
    assert sum(label.startswith("shortest") for label in labels) == 1


def results(ran: Ran) -> str:
    """What a command has printed, except for the page of games that a folder gets."""
    return "".join(line for line in ran.out.splitlines(True) if not line.startswith("games to look at"))


def test_a_tournament(run: Run) -> None:
    ran = run("tournament", SWORDS, "random", "greedy", "mcts:3", "--games", 6)
    assert (ran.status, ran.err) == (0, "")
    assert "6 games a pairing" in ran.out
    rated, scored = ran.out.split("Score in %")
    placed = [line.split()[:2] for line in rated.splitlines()[1:] if line.strip()[:1].isdigit()]
    assert sorted(name for _, name in placed) == ["greedy", "mcts:3", "random"]
    assert [place for place, _ in placed] == ["1", "2", "3"]
    assert all(name in scored for _, name in placed)


@pytest.mark.parametrize("count", [2, 6, 14])
def test_the_tables_of_a_tournament_fit_eighty_columns(count: int) -> None:
    """With every figure in full, however many players there are."""
    names = [f"value:folder_of_networks/agon_{k}.npz:4" for k in range(count)]
    made = score([1.0] * 20)
    played = [
        Score(first, second, 40, 40, 0, 0, 0, made, elo(made), (made, made))
        for first, second in itertools.combinations(names, 2)
    ]
    screen = Console(width=80, file=io.StringIO())
    for grid in standings_tables(standings(played), screen.width):
        screen.print(grid)
    text = screen.file.getvalue()  # type: ignore[attr-defined]
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
    assert text.count("100.0") == text.count(" 0.0") == len(played)


WRONG = {
    "against itself": (("match", SWORDS, "random", "random"), ("'random' against itself",)),
    "twice": (("tournament", SWORDS, "random", "greedy", "random"), ("'random' is named twice",)),
    "two kinds of workers": ((*QUICK, "--ray", "--threads", 2), ("--threads and --ray",)),
}


@pytest.mark.parametrize("name", WRONG)
def test_an_error_is_one_line(run: Run, name: str) -> None:
    arguments, parts = WRONG[name]
    check_error(run(*arguments), *parts)


def test_every_game_of_a_folder_can_be_shown(run: Run, tmp_path: Path) -> None:
    run(*DICE, "--out", tmp_path, "-o", "max_plies=30")
    ran = run("replay", tmp_path, "--quiet")
    assert (ran.status, ran.out.count("verified, acey_ducey-v0 parker, 30 plies, max_plies")) == (0, 12)
    shown = run("replay", tmp_path, "--game", 5)
    assert shown.out.count("verified") == 1
    assert "line 5: verified" in shown.out
    assert "ply 30: " in shown.out
    assert run("replay", tmp_path, "--game", 5, "--out", tmp_path.with_suffix(".jsonl")).status == 0
    again = run("replay", tmp_path.with_suffix(".jsonl"), "--quiet")
    assert again.status == 0
    record = json.loads(tmp_path.with_suffix(".jsonl").read_text())
    row = json.loads((tmp_path / "journal.jsonl").read_text().splitlines()[4])
    for name in ("seed", "players", "returns", "end", "variant"):
        assert record[name] == row[name]
    check_error(run("replay", tmp_path, "--game", 13), "has 12 games; there is no game 13")


def test_folders_that_are_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("")
    check_error(run(*QUICK, "--out", tmp_path / "mine"), "thesis.tex", tmp_path / "mine")
    check_error(run(*QUICK, "--out", tmp_path / "mine" / "thesis.tex"), "thesis.tex")
    run(*QUICK, "--out", tmp_path / "run")
    check_error(run(*QUICK[:-1], 5, "--out", tmp_path / "run"), "seed 4, not 5")
    (tmp_path / "run" / "journal.jsonl").write_bytes(b"{}\n")
    check_error(run(*QUICK, "--out", tmp_path / "run"), "journal.jsonl, line 1")


HEEDING = """
import signal
from parlour.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
main()
"""
"""The command, Ctrl-C at work: a background job of a shell, as these tests may be, hands on that it is ignored."""


def start(folder: Path, games: int) -> subprocess.Popen[str]:
    """A match in a process of its own, some games of which are finished."""
    command = [sys.executable, "-c", HEEDING, "match", SWORDS, "greedy", "random", "--games", str(games)]
    quiet = {**os.environ, "PYTHONWARNINGS": "ignore"}  # an old pygame warns of pkg_resources
    process = subprocess.Popen([*command, "--out", str(folder)], stderr=subprocess.PIPE, text=True, env=quiet)
    journal, end = folder / "journal.jsonl", time.monotonic() + 120
    while not (journal.exists() and journal.stat().st_size) and time.monotonic() < end:
        time.sleep(0.01)
    return process


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(tmp_path: Path) -> None:
    process = start(tmp_path, 100_000)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    kept = len((tmp_path / "journal.jsonl").read_text().splitlines())
    assert kept > 0
    assert err == f"\nparlour: interrupted; {kept} of 100000 games are kept in {tmp_path}; rerun to resume\n"


def test_a_game_that_is_written_counts_when_ctrl_c_comes_at_once(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = Folder.append

    def append_and_stop(folder: Folder, games: list[Played]) -> None:
        append(folder, games)
        raise KeyboardInterrupt

    monkeypatch.setattr(Folder, "append", append_and_stop)
    ran = run(*QUICK, "--out", tmp_path)
    kept = len((tmp_path / "journal.jsonl").read_text().splitlines())
    assert kept > 0
    assert (ran.status, ran.out) == (130, "")
    assert f"; {kept} of 12 games are kept in {tmp_path};" in ran.err
