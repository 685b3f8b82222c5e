"""``parlour dataset``: games of an expert in a folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import parlour
from parlour.players import parse_player
from parlour.records import record_game, write_records
from tests.support.command_line import Run, check_error, check_refused
from tests.support.faults import tree

pytestmark = pytest.mark.usefixtures("_plain_wide_terminal")
UR = ("dataset", "royal_ur", "--variant", "finkel", "-o", "men=2", "--player", "greedy", "--games", 5, "--seed", 3)


def test_a_folder_is_written_once(run: Run, tmp_path: Path) -> None:
    """Run again, it checks what there is and says the same."""
    folder = tmp_path / "data"
    ran = run(*UR, "--noise", 0.2, "--out", folder)
    data = parlour.dataset.load(folder)
    told = f"{folder}: {len(data)} positions of 5 games at royal_ur-v0, finkel, in 1 files\n"
    assert (ran.status, ran.out, ran.err) == (0, told, "")
    before = tree(folder)
    assert run(*UR, "--noise", 0.2, "--threads", 2, "--out", folder) == ran
    assert tree(folder) == before
    config = json.loads((folder / "config.json").read_text())
    told = {"player": "greedy", "noise": 0.2, "seed": 3, "games": 5, "openings": "none", "inputs": "planes"}
    assert {name: config[name] for name in told} == told
    assert config["options"]["men"] == 2
    check_refused(run(*UR, "--noise", 0.3, "--out", folder), folder, "holds a data set with noise 0.2, not 0.3")


def test_the_champion_says_which_network_it_is(run: Run, tmp_path: Path) -> None:
    assert run("dataset", "royal_ur", "--games", 1, "--inputs", "features", "--out", tmp_path / "data").status == 0
    config = parlour.dataset.load(tmp_path / "data").config
    assert config.inputs == "features"
    assert len(config.identity["sha256"]) == 64
    assert len(config.rules) == 16


def test_recorded_games_become_data(run: Run, tmp_path: Path) -> None:
    file, folder = tmp_path / "games.jsonl", tmp_path / "data"
    env = parlour.make("royal_ur-v0", men=2).unwrapped
    write_records(file, [record_game(env, [parse_player("greedy")] * 2, seed) for seed in (1, 2)])
    ran = run("dataset", "royal_ur", "--from", file, "--out", folder)
    data = parlour.dataset.load(folder)
    assert ran.out == f"{folder}: {len(data)} positions of 2 games at royal_ur-v0, {env.variant}, in 1 files\n"
    assert data.config.player == ""
    check_refused(run("dataset", "agon", "--from", file, "--out", folder), "games of royal_ur-v0, not of agon-v0")
    check_refused(
        run("dataset", "royal_ur", "--from", file, "--noise", 0.1, "--out", folder), "--noise", "not with --from"
    )


def test_errors_are_a_line(run: Run, tmp_path: Path) -> None:
    check_refused(run("dataset", "royal_ur"), "--out")
    check_refused(run(*UR, "--noise", 2, "--out", tmp_path), "--noise", "0<=x<=1")
    check_refused(run(*UR, "--player", "nobody", "--out", tmp_path), "there is no player 'nobody'")
    check_refused(run(*UR, "--openings", "random:x", "--out", tmp_path), "random:PLIES")
    check_refused(run("dataset", "royal_ur", "--from", tmp_path / "no.pdn", "--out", tmp_path), "no.pdn")
    (tmp_path / "notes.txt").touch()
    check_refused(run(*UR, "--out", tmp_path), "holds 'notes.txt' and no config.json")
    check_error(run(*UR, "--out", tmp_path / "notes.txt"), "notes.txt")
