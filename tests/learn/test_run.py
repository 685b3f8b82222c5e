"""``parlour train`` and the runs behind it: any registered game, stopped and killed at any moment, errors in a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parlour.cli import commands
from parlour.learn import run as learn_run
from parlour.learn.checkpoint import read_checkpoint, write_checkpoint
from parlour.learn.methods import depth_for, length_for, new_method, random_games, value_scale
from parlour.learn.run import CHECKPOINT, TrainingRun, plan_run
from parlour.learn.strength import Strength
from parlour.registry import find
from parlour.value import load, new_network
from parlour.value.files import read_card
from parlour.value.network import variant_mix_of
from tests.support.command_line import Run, check_error
from tests.support.faults import run_and_kill
from tests.value.networks import network_for

PIG = ("--import", "tests.toy_games.pig", "train", "pig", "--hidden", 8)
ROUNDS = 12
PROGRAM = """
import parlour.cli
import parlour.learn.run
parlour.learn.run.SAVE_SECONDS = 0.0
print("ready", flush=True)
parlour.cli.main()
"""


@pytest.fixture(autouse=True)
def _few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.learn.strength.GAMES", 8)


def weights_in(folder: Path, name: str = "pig") -> list[Any]:
    """Those of the network that a run has left."""
    return [array.tobytes() for array in load(folder / f"{name}.value").weights]


@pytest.mark.parametrize(
    ("game", "variant", "method"),
    [
        ("acey_ducey-v0", "all", "td"),
        ("crown_and_anchor-v0", "all", "td"),
        ("pig-v0", "all", "td"),
        ("checkers-v0", "all", "generations"),
        ("swords_and_shields-v0", "all", "generations"),
        ("swords_and_shields-v0", None, "generations"),
        ("agon-v0", "all", "td"),
        ("agon-v0", "bloody_queen", "td"),
    ],
)
def test_dice_seats_and_length_choose_the_method(game: str, variant: str | None, method: str) -> None:
    """Random games of Agon are long."""
    assert plan_run(find(game), variant, {}, None, None, 0).method == method
    assert plan_run(find(game), variant, {}, "td", None, 0).method == "td"


def test_a_game_of_ones_own_is_learnt(run: Run, tmp_path: Path) -> None:
    """Dice, three seats: one command, and the file it leaves is a player."""
    ran = run(*PIG, "--variant", "all", "--rounds", 3, "--out", tmp_path)
    assert ran.status == 0, ran.err
    assert f"wrote {tmp_path / 'pig.value'}" in ran.out
    assert "Elo" in ran.err
    network = load(tmp_path / "pig.value", find("pig"))
    assert [entry.label for entry in network.variants] == ["pig", "strict"]
    card = read_card(tmp_path / "pig.value")
    assert card["method"] == "td"
    assert card["rounds"] == "3"
    assert card["variants"] == "pig, strict"
    (point,) = json.loads((tmp_path / "curve.json").read_text())
    assert point["elo"].keys() == {"random", "greedy"}
    assert (
        run("--import", "tests.toy_games.pig", "match", "pig", f"value:{tmp_path / 'pig.value'}", "random").status == 0
    )


def test_the_number_of_threads_changes_nothing(run: Run, tmp_path: Path) -> None:
    for threads in (1, 2):
        run(*PIG, "--rounds", 2, "--threads", threads, "--out", tmp_path / str(threads))
    assert weights_in(tmp_path / "1") == weights_in(tmp_path / "2")


def test_a_run_goes_on_where_it_stopped(run: Run, tmp_path: Path) -> None:
    run(*PIG, "--rounds", 4, "--out", tmp_path / "whole")
    run(*PIG, "--rounds", 2, "--out", tmp_path / "parts")
    ran = run(*PIG, "--rounds", 4, "--out", tmp_path / "parts")
    assert "resuming after 2 rounds" in ran.out
    assert weights_in(tmp_path / "parts") == weights_in(tmp_path / "whole")
    # nothing is left to do
    before = (tmp_path / "parts" / CHECKPOINT).read_bytes()
    assert run(*PIG, "--rounds", 4, "--out", tmp_path / "parts").status == 0
    assert (tmp_path / "parts" / CHECKPOINT).read_bytes() == before


@pytest.mark.parametrize("kills", [2, pytest.param(40, marks=pytest.mark.long)])
def test_a_killed_run_ends_as_one_that_was_not(kills: int, run: Run, tmp_path: Path) -> None:
    arguments = [*map(str, PIG), "--rounds", str(ROUNDS), "--out"]
    run(*arguments, tmp_path / "undisturbed")
    found = set()
    for kill in range(kills):
        run_and_kill(PROGRAM, *arguments, tmp_path / "killed", delay=0.3 + 0.1737 * (kill % 9))
        if (tmp_path / "killed" / CHECKPOINT).exists():
            kept, _ = read_checkpoint(tmp_path / "killed" / CHECKPOINT)
            found.add(kept["rounds"])
            if kept["rounds"] == ROUNDS:
                (tmp_path / "killed" / CHECKPOINT).unlink()
    run(*arguments, tmp_path / "killed")
    assert weights_in(tmp_path / "killed") == weights_in(tmp_path / "undisturbed")
    assert kills < 10 or len(found) > 2


def test_strength_is_measured_ever_more_seldom(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """After the first seconds, at twice the time and again, and at the end."""
    plan = plan_run(find("pig"), None, {}, None, 8, 0)
    run = TrainingRun(plan, tmp_path)
    clock = iter(range(1000))
    monkeypatch.setattr(learn_run.time, "process_time", lambda: float(next(clock)))  # a round takes a second
    monkeypatch.setattr(learn_run, "measure", lambda *args: [Strength("random", 8, 6.0)])
    monkeypatch.setattr(learn_run, "FIRST_MEASURED", 2.0)
    run.learn(seconds=11.0, rounds=None)
    assert [one.seconds for one in run.curve] == [2.0, 4.0, 8.0, 11.0]
    again = TrainingRun(plan, tmp_path)
    assert again.resumed
    assert again.curve == run.curve
    assert again.seconds == 11.0


def test_what_can_be_paid_scales_values() -> None:
    assert value_scale(random_games(variant_mix_of(network_for("checkers-v0")))) == 1
    assert value_scale(random_games(variant_mix_of(network_for("acey_ducey-v0")))) == 1
    fined = new_method(find("pig"), ["pig"], {"fine": 5.0}, "td", 8, 0, 1)
    assert fined.network.scale > 5


def test_the_more_actions_the_less_deep_is_self_play() -> None:
    """In random play Checkers has 5 legal plies on average, Swords & Shields 69."""
    assert depth_for(random_games(variant_mix_of(network_for("checkers-v0")))) == 4
    assert depth_for(random_games(variant_mix_of(new_network(find("swords_and_shields-v0"), "all", 8)))) == 2


@pytest.mark.parametrize(("limit", "low", "high"), [(0, 120, 180), (400, 120, 180), (100, 90, 90)])
def test_self_play_is_cut_off_below_the_limit_of_the_game(limit: int, low: int, high: int) -> None:
    """Random games of Checkers have 72 plies on average, and twice as many are less than nine tenths of 400."""
    variant_mix = variant_mix_of(new_network(find("checkers-v0"), None, 8, overrides={"max_plies": limit}))
    assert low <= length_for(random_games(variant_mix), variant_mix) <= high


def test_elo_of_a_clean_score_is_finite() -> None:
    assert Strength("random", 100, 50).elo == 0
    assert 800 < Strength("random", 100, 100).elo < 1000
    assert Strength("random", 100, 0).elo == pytest.approx(-Strength("random", 100, 100).elo)


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (("train", "chess"), ["chess"]),
        (("train", "checkers", "--variant", "nordic"), ["nordic", "american"]),
        (("train", "acey_ducey", "--method", "generations"), ["acey_ducey-v0", "valid: td"]),
        (("train", "checkers", "--method", "ppo"), ["ppo", "td", "generations"]),
        (("train", "checkers", "--minutes", "0"), ["minutes"]),
        (("train", "checkers", "--minutes", "1", "--rounds", "2"), ["--minutes and --rounds"]),
        (("train", "checkers", "-o", "colour=red"), ["colour"]),
    ],
)
def test_errors_are_one_line(arguments: tuple[str, ...], parts: list[str], run: Run, tmp_path: Path) -> None:
    check_error(run(*arguments, "--out", tmp_path / "run"), *parts)


def test_a_folder_of_another_run_is_refused(run: Run, tmp_path: Path) -> None:
    run(*PIG, "--rounds", 1, "--out", tmp_path)
    before = (tmp_path / CHECKPOINT).read_bytes()
    check_error(run(*PIG, "--rounds", 1, "--seed", 3, "--out", tmp_path), tmp_path, "seed 0, not 3")
    check_error(run(*PIG, "--variant", "all", "--rounds", 1, "--out", tmp_path), "variants ['pig'], not")
    assert (tmp_path / CHECKPOINT).read_bytes() == before


def test_a_damaged_checkpoint_is_refused(run: Run, tmp_path: Path) -> None:
    run(*PIG, "--rounds", 1, "--out", tmp_path)
    path = tmp_path / CHECKPOINT
    whole = path.read_bytes()
    plan, arrays = read_checkpoint(path)
    for content in (b"", whole[: len(whole) // 2], b"PK" + whole[:50]):
        path.write_bytes(content)
        check_error(run(*PIG, "--rounds", 2, "--out", tmp_path), path, "delete it")
    write_checkpoint(path, {"plan": 3}, arrays)
    check_error(run(*PIG, "--rounds", 2, "--out", tmp_path), path, "delete it")
    write_checkpoint(path, plan, {name: array for name, array in arrays.items() if name != "weights"})
    check_error(run(*PIG, "--rounds", 2, "--out", tmp_path), path, "no 'weights'", "delete it")
    np.savez(path, run=np.array([{"a": 1}], object), allow_pickle=True)  # never unpickled
    check_error(run(*PIG, "--rounds", 2, "--out", tmp_path), path, "delete it")


@pytest.mark.long
@pytest.mark.parametrize("game", ["examples.games.tic_tac_toe", "tests.toy_games.reversi"])
def test_board_games_of_ones_own_are_learnt(game: str, tmp_path: Path) -> None:
    """Two seats without dice: after a few generations stronger than random play."""
    name = game.rpartition(".")[2]
    commands.main(
        ["--import", game, "train", name, "--variant", "all", "--rounds", "3", "--out", str(tmp_path)],
        standalone_mode=False,
    )
    (point,) = json.loads((tmp_path / "curve.json").read_text())
    assert point["elo"]["random"] > 50
