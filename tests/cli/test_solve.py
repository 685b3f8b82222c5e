"""``parlour solve``, and what other commands do with its tables."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.arena import Threads, rate
from parlour.players import parse_players
from parlour.records import record_game
from parlour.support.locks import LOCK, locked
from parlour.support.signed import signed
from tests.support.command_line import Run, check_error, check_refused

pytestmark = pytest.mark.usefixtures("_plain_wide_terminal")


def test_a_table_is_made_checked_and_played_by(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "ur"
    ran = run("solve", "royal_ur", "--men", 2, "--out", folder)
    assert (ran.status, ran.err) == (0, "")
    assert "12,869 positions" in ran.out
    assert re.search(r"lower and upper bounds at most 9\.\de-10 apart", ran.out)
    assert "wins 0.5185729073 to 0.5185729078 of all games" in ran.out
    assert run("solve", "royal_ur", "-o", "men=2", "--out", folder) == ran
    assert run("solve", "--verify", folder, "--sample", 20).out == f"{folder}: 12,869 values agree with the rules\n"
    played = run("simulate", "royal_ur", "--variant", "finkel", "-o", "men=2", "--games", 60, "--exact", folder)
    found = re.findall(r"^(Light|Dark) gives away (\S+) of the exact value a choice \(95 %: (\S+) to", played.out, re.M)
    assert [name for name, _, _ in found] == ["Light", "Dark"]
    assert all(float(low) > 0.01 for _, _, low in found)
    perfect = run(
        "simulate", "royal_ur", "--variant", "finkel", "-o", "men=2", "--games", 20, "--exact", folder, "--players",
        f"exact:{folder}",
    )  # fmt: skip
    assert "Light gives away 0.00000 of the exact value a choice, in 20 games" in perfect.out


def test_a_comparison_says_what_perfect_play_gives(run: Run, tmp_path: Path) -> None:
    """With a table; without one, how to make it, where the game is small enough."""
    table, out = tmp_path / "table", tmp_path / "out"
    assert run("solve", "royal_ur", "-o", "men=1", "--out", table).status == 0
    asked = ("compare", "royal_ur", "--variants", "finkel:men=1", "--players", "greedy", "--games", 4, "--out", out)
    ran = run(*asked, "--exact", table)
    assert ran.status == 0
    assert "* By perfect play the seat that begins scores 53.0 % in finkel:men=1 (exact)." in ran.out
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "<th>Regret" in page
    assert "parlour solve" not in ran.out
    ran = run(*asked[:-1], tmp_path / "other")
    command = "parlour solve royal_ur --variant finkel --option men=1 --out FOLDER (217 positions)"
    assert command in " ".join(ran.out.split())
    assert "min more" in ran.out


def test_a_replay_shows_exact_values(run: Run, tmp_path: Path) -> None:
    """Beside each ply of a solved position, as text and on the page; elsewhere nothing."""
    table, file, page = tmp_path / "ur", tmp_path / "game.jsonl", tmp_path / "game.html"
    run("solve", "royal_ur", "--men", 1, "--out", table)
    record = record_game(parlour.make("royal_ur-v0", men=1).unwrapped, parse_players("random", 2), 0)
    record.append_to(file)
    shown = run("replay", file, "--exact", table)
    assert shown.status == 0
    assert len(re.findall(r"^value [+−]?[01]\.\d{6} for (?:Light|Dark); best: ", shown.out, re.M)) == len(record.moves)
    assert "\nvalue" not in run("replay", file).out
    solution, env = parlour.Solution.load(table), parlour.make("royal_ur-v0", men=1).unwrapped
    env.reset(seed=0)
    assert f"value {signed(np.mean(solution.value(env)), 6)} for Light" in shown.out
    assert run("replay", file, "--exact", table, "--out", page).status == 0
    assert '"value":' in page.read_text()
    check_refused(run("replay", file, "--exact", tmp_path), "has no table of exact values")


def test_a_rating_tells_what_the_player_gives_away(tmp_path: Path) -> None:
    """Of the rated player alone, in the games against all rungs."""
    parlour.solve("acey_ducey-v0", men=1, out=tmp_path)
    games: list[Any] = []
    rating = rate(
        "acey_ducey-v0", {"mine": "greedy"}, within=400, games=132, exact=tmp_path, workers=Threads(1), progress=False,
        on_played=games.extend,
    )  # fmt: skip
    own = [one for game in games for one in game.regrets if game.spec.players[one.seat] == "mine"]
    total, *_ = rating.regrets
    assert {one.player for one in rating.regrets} == {"mine"}
    assert 0 < total.choices == len(own) < sum(len(game.regrets) for game in games)
    assert total.regret.value == pytest.approx(np.mean([one.lost for one in own]), abs=1e-9)  # with one man: 0
    assert f"mine gives away of the exact value a choice: {total.regret.value:.5f}" in str(rating)


def test_a_match_by_a_table(run: Run, tmp_path: Path) -> None:
    run("solve", "royal_ur", "--men", 2, "--out", tmp_path / "finkel")
    ran = run("match", "royal_ur", "greedy", "random", "-o", "men=2", "--games", 4, "--exact", tmp_path / "{variant}")
    found = re.findall(r"^(greedy|random) gives away of the exact value a choice: (0\.\d{5}) \(95 %: ", ran.out, re.M)
    assert [name for name, _ in found] == ["greedy", "random"]
    assert all(float(value) > 0 for _, value in found)
    assert re.search(r"^  2 and 2 men left: 0\.\d{5} .*, \d+ choices$", ran.out, re.M)


def test_endings_are_counted(run: Run, tmp_path: Path) -> None:
    ran = run("solve", "checkers", "--pieces", 2, "--out", tmp_path / "table")
    assert ran.status == 0
    assert "for the seat to act 716 won, 402 lost, 2,370 drawn" in ran.out
    assert "the longest ending takes 13 turns: " in ran.out
    assert "the start" not in ran.out


def test_a_folder_that_another_process_solves_in_is_refused(run: Run, tmp_path: Path) -> None:
    solve = ["solve", "checkers", "--pieces", 2, "--out", tmp_path]
    with locked(tmp_path):
        check_error(run(*solve), tmp_path, f"another run (process {os.getpid()} on ")
        assert [path.name for path in tmp_path.iterdir()] == [LOCK]
    assert run(*solve).status == 0
    with locked(tmp_path):
        assert run(*solve).status == 0  # nothing is left to be written


def test_what_solve_refuses(run: Run, tmp_path: Path) -> None:
    check_refused(run("solve"), "give a GAME and --out FOLDER, or --verify FOLDER")
    check_refused(run("solve", "royal_ur"), "give a GAME and --out FOLDER")
    check_refused(
        run("solve", "crown_and_anchor", "--out", tmp_path / "a"),
        "crown_and_anchor-v0 can't be solved: it has no endings.py",
    )
    check_refused(run("solve", "checkers", "--pieces", 9, "--out", tmp_path / "a"), "option 'pieces': 9 is not valid")
    check_refused(run("solve", "checkers", "--men", 2, "--out", tmp_path / "a"), "checkers-v0 has no option 'men'")
    check_refused(run("solve", "--verify", tmp_path), tmp_path, "has no table of exact values")
    check_refused(run("match", "checkers", f"exact:{tmp_path}", "greedy"), "has no table of exact values")
    assert not list(tmp_path.iterdir())
