"""``parlour train`` and the runs behind it: any registered game, stopped and killed at any moment, errors in a line."""

from __future__ import annotations

import gzip
import json
import os
import re
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.cli import commands
from parlour.cli.train import curves_of
from parlour.engine.game import Game
from parlour.interfaces.registry import find
from parlour.learn import run as learn_run
from parlour.learn.checkpoint import read_checkpoint, write_checkpoint
from parlour.learn.methods import depth_for, length_for, prepare, random_games, value_scale
from parlour.learn.run import CHECKPOINT, TrainingRun, plan_run
from parlour.learn.settings import GenerationsSettings
from parlour.learn.strength import Measured, Strength, openings_for
from parlour.players.value import load, new_network
from parlour.players.value.files import read_card
from parlour.players.value.network import variant_mix_of
from parlour.support.locks import LOCK
from tests.players.value.networks import network_for
from tests.support.command_line import Run, check_error
from tests.support.faults import run_and_kill, tree

PIG = ("--import", "tests.toy_games.pig", "train", "pig", "--hidden", 8)
LINES = ("--import", "examples.games.tic_tac_toe", "train", "tic_tac_toe", "--hidden", 8)
OLD_RUN = (*PIG[:-1], 4)
OLD = Path(__file__).parents[1] / "golden" / "checkpoints"
"""Checkpoints that earlier versions have written: of TD 0.3.0, of generations 0.2.0."""
ROUNDS = 12
PROGRAM = """
import functools
import time
import parlour.cli
import parlour.learn.methods as methods
import parlour.learn.run as run
methods.GenerationsSettings = functools.partial(methods.GenerationsSettings, positions=600)
run.SAVE_SECONDS, usual = 0.0, run.TrainingRun.save
def save(self):
    usual(self)
    print("ready", flush=True)
    time.sleep(0.03)
run.TrainingRun.save = save
parlour.cli.main()
"""
"""Saves after each round, and then waits a little, so that kills come after different rounds."""


@pytest.fixture(autouse=True)
def _few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.learn.strength.GAMES", 8)


def test_the_curve_is_drawn_in_the_terminal() -> None:
    """A bar for each measurement, the lowest for no point and the highest for all; one measurement is no curve."""
    points = (0, 12, 24, 36, 48)
    curve = [Measured(k, k, [Strength("greedy", 48, won), Strength("random", 48, 48)]) for k, won in enumerate(points)]
    last = Strength("greedy", 48, 48, (0, 0, 0, 0, 24))
    least = f"{100 * last.score.low:.0f} to 100"
    curve[-1].strengths[0] = last
    assert curves_of(curve) == [
        f"score against greedy  ▁▂▄▆█  100 % ({least})",
        "score against random  █████  100 % (0.0 to 100)",  # the pairs are not known
    ]
    assert curves_of(curve[:1]) == []
    (greedy, _) = curves_of(curve * 20)
    assert len(greedy) <= 80


@pytest.mark.parametrize(
    ("pairs", "verdict"),
    [
        ((0, 0, 0, 0, 24), "stronger than champion"),
        ((1, 2, 10, 5, 6), "not shown to be above or below champion"),
        ((20, 3, 1, 0, 0), "weaker than champion"),
    ],
)
def test_a_verdict_says_what_the_games_show(pairs: tuple[int, ...], verdict: str) -> None:
    points = sum(k * count / 2 for k, count in enumerate(pairs))
    told = Strength("champion", 48, points, pairs).verdict
    assert told.startswith(f"{verdict}: ")
    assert told.count("champion") == 1


def weights_in(folder: Path, name: str = "pig") -> list[Any]:
    """Those of the network that a run has left."""
    return [array.tobytes() for array in load(folder / f"{name}.value").weights]


@pytest.mark.parametrize(
    ("known", "variant", "method"),
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
def test_dice_seats_and_length_choose_the_method(known: str, variant: str | None, method: str) -> None:
    """Random games of Agon are long."""
    assert plan_run(find(known), variant, {}, None, None, 0).method == method
    assert plan_run(find(known), variant, {}, "td", None, 0).method == "td"


def test_a_game_of_ones_own_is_learnt(run: Run, tmp_path: Path) -> None:
    """Dice, three seats: one command, and the file it leaves is a player."""
    ran = run(*PIG, "--variant", "all", "--rounds", 3, "--out", tmp_path)
    assert ran.status == 0, ran.err
    assert f"wrote {tmp_path / 'pig.value'}" in ran.out
    assert f"copy {tmp_path / 'pig.value'} to {find('pig').folder / 'champion.value'}\n" in ran.out
    assert "Elo" in ran.err
    network = load(tmp_path / "pig.value", find("pig"))
    assert [entry.label for entry in network.variants] == ["pig", "strict"]
    card = read_card(tmp_path / "pig.value")
    assert card["method"] == "td"
    assert card["rounds"] == "3"
    assert card["variants"] == "pig, strict"
    *_, point = json.loads((tmp_path / "curve.json").read_text())  # on a slow machine there are some before the end
    assert point["strengths"].keys() == {"random", "greedy"}
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


@pytest.mark.parametrize("name", ["curve.json", "pig.value"])
def test_what_a_finished_run_has_left_is_made_anew(name: str, run: Run, tmp_path: Path) -> None:
    """From the checkpoint, if it was edited, damaged or deleted."""
    run(*PIG, "--rounds", 1, "--out", tmp_path)
    file = tmp_path / name
    before = file.read_bytes()
    for content in (before.replace(b"1", b"2"), before[:-9], b"", b"[]", None):
        file.unlink() if content is None else file.write_bytes(content)
        assert run(*PIG, "--rounds", 1, "--out", tmp_path).status == 0
        assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("game", "kills"),
    [
        (PIG, 2),
        pytest.param(PIG, 40, marks=pytest.mark.long),
        pytest.param(LINES, 20, marks=pytest.mark.long),
    ],
    ids=["td-2", "td-40", "generations-20"],
)
def test_a_killed_run_ends_as_one_that_was_not(
    game: tuple[object, ...], kills: int, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = partial(GenerationsSettings, positions=600)
    monkeypatch.setattr("parlour.learn.methods.GenerationsSettings", small)
    arguments = [*map(str, game), "--rounds", str(ROUNDS), "--out"]
    run(*arguments, tmp_path / "undisturbed")
    found = set()
    for kill in range(kills):
        run_and_kill(PROGRAM, *arguments, tmp_path / "killed", delay=0.01 + 0.0437 * (kill % 9), line="ready")
        if (tmp_path / "killed" / CHECKPOINT).exists():
            kept, _ = read_checkpoint(tmp_path / "killed" / CHECKPOINT)
            found.add(kept.rounds)
            if kept.rounds == ROUNDS:
                (tmp_path / "killed" / CHECKPOINT).unlink()
    run(*arguments, tmp_path / "killed")
    name = str(game[3])
    assert weights_in(tmp_path / "killed", name) == weights_in(tmp_path / "undisturbed", name)
    assert kills < 10 or len(found) > 2


def test_strength_is_measured_ever_more_seldom(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """After the first seconds, at twice the time and again, and at the end."""
    plan = plan_run(find("pig"), None, {}, None, 8, 0)
    clock = iter(range(1000))
    monkeypatch.setattr(learn_run.time, "process_time", lambda: float(next(clock)))  # a round takes a second
    monkeypatch.setattr(learn_run, "measure", lambda *args: [Strength("random", 8, 6.0)])
    monkeypatch.setattr(learn_run, "FIRST_MEASURED", 2.0)
    with TrainingRun(plan, tmp_path) as run:
        run.learn(seconds=11.0, rounds=None)
    assert [one.seconds for one in run.curve] == [2.0, 4.0, 8.0, 11.0]
    with TrainingRun(plan, tmp_path) as again:
        assert again.resumed
        assert again.curve == run.curve
        assert again.seconds == 11.0


def test_a_second_run_in_the_folder_is_refused(run: Run, tmp_path: Path) -> None:
    """It says who is there, and changes nothing; when the first has ended, the folder is free."""
    with TrainingRun(plan_run(find("pig"), None, {}, None, 8, 0), tmp_path) as first:
        first.learn(seconds=None, rounds=1)
        before = tree(tmp_path)
        check_error(run(*PIG, "--rounds", 2, "--seed", 3, "--out", tmp_path), tmp_path, f"process {os.getpid()} on")
        # Older versions of filelock empty the file when they try (`parlour.support.locks`).
        assert {**tree(tmp_path), LOCK: before[LOCK]} == before
    assert run(*PIG, "--rounds", 2, "--out", tmp_path).status == 0


def test_what_can_be_paid_scales_values() -> None:
    assert value_scale(random_games(variant_mix_of(network_for("checkers-v0")))) == 1
    assert value_scale(random_games(variant_mix_of(network_for("acey_ducey-v0")))) == 1
    assert value_scale(prepare(find("pig"), ["pig"], {"fine": 5.0}).played) > 5


def test_the_more_actions_the_less_deep_is_self_play() -> None:
    """In random play Checkers has 5 legal plies on average, Swords & Shields 69."""
    assert depth_for(random_games(variant_mix_of(network_for("checkers-v0")))) == 4
    assert depth_for(random_games(variant_mix_of(new_network(find("swords_and_shields-v0"), "all", 8)))) == 2


@pytest.mark.parametrize(("limit", "low", "high"), [(0, 120, 180), (400, 120, 180), (100, 90, 90)])
def test_self_play_is_cut_off_below_the_limit_of_the_game(limit: int, low: int, high: int) -> None:
    """Random games of Checkers have 72 plies on average, and twice as many are less than nine tenths of 400."""
    variant_mix = variant_mix_of(new_network(find("checkers-v0"), None, 8, overrides={"max_plies": limit}))
    assert low <= length_for(random_games(variant_mix), variant_mix) <= high


def test_strength_in_words_has_intervals_and_no_elo_of_a_clean_score() -> None:
    won, lost = Strength("greedy", 48, 48, (0, 0, 0, 0, 24)), Strength("greedy", 48, 0, (24, 0, 0, 0, 0))
    assert str(won) == "all 48 won against greedy (Elo 284 and more)"
    assert str(lost) == "all 48 lost against greedy (Elo −284 and less)"
    assert str(Strength("greedy", 48, 44, (0, 0, 4, 0, 20))) == "44 of 48 against greedy (Elo +417 [192 to 590])"
    assert won.as_json()["elo"] == [None, 284.1, None]
    assert Strength("greedy", 8, 4.0).as_json()["score"] == [0.5, 0, 1]  # of a curve of version 0.2.0


@pytest.mark.parametrize(
    ("game", "openings"),
    [("tests.toy_games.reversi", "auto"), ("examples.games.tic_tac_toe", "random:4"), ("tests.toy_games.pig", "auto")],
)
def test_random_openings_fit_the_game(game: str, openings: str) -> None:
    """In a short game they are shorter than its games."""
    parlour.register(game)
    found = find(game.rpartition(".")[2])
    prepared = prepare(found, [variant.name for variant in found.variants], {})
    assert openings_for(prepared) == openings
    if openings == "random:4":
        assert min(one.plies.min() for one in prepared.played) > 4


def test_each_measurement_plays_the_same_games(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked = []
    monkeypatch.setattr(learn_run, "measure", lambda *args: asked.append(args[2:]) or [Strength("random", 8, 6.0)])
    monkeypatch.setattr(learn_run, "FIRST_MEASURED", 0.0)
    with TrainingRun(plan_run(find("pig"), None, {}, None, 8, 3), tmp_path) as run:
        run.learn(seconds=None, rounds=3)
    assert len(asked) > 1
    assert set(asked) == {(("random", "greedy"), 3)}


def test_the_end_is_a_verdict_and_a_player_of_the_depth_that_suits(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parlour.learn.methods.GenerationsSettings", partial(GenerationsSettings, positions=200))
    ran = run("train", "checkers", "--hidden", 8, "--rounds", 1, "--out", tmp_path)
    player = f"value:{tmp_path / 'checkers.value'}:4"
    told = "verdict: (weaker than|not shown to be above or below) champion: "
    assert re.search(rf"{told}([\d.]+ of 8|all 8 lost) \(Elo ", ran.out)
    assert ran.out.endswith(f"to play: parlour play checkers --against {player}\n")
    again = run("train", "checkers", "--hidden", 8, "--rounds", 1, "--out", tmp_path)  # nothing has been learnt
    assert "champion" not in again.out


def test_a_run_begins_with_a_file_and_says_so(run: Run, tmp_path: Path) -> None:
    """The learning rate goes on from where the file left off."""
    run(*PIG, "--rounds", 3, "--out", tmp_path / "first")
    file = tmp_path / "first" / "pig.value"
    learnt = int(read_card(file)["positions"])
    ran = run(*PIG[:-2], "--from", file, "--rounds", 1, "--seed", 5, "--out", tmp_path / "second")
    assert f"a network that has learnt from {learnt:,} positions" in ran.out
    second = tmp_path / "second" / "pig.value"
    assert int(read_card(second)["positions"]) > learnt
    assert load(second).hidden.shape[1] == 8
    before, after = load(file).hidden, load(second).hidden
    assert 0 < np.abs(after - before).mean() < 0.1 * np.abs(before).mean()
    assert run(*PIG[:-2], "--from", file, "--rounds", 2, "--seed", 5, "--out", tmp_path / "second").status == 0
    check_error(run(*PIG, "--rounds", 2, "--seed", 5, "--out", tmp_path / "second"), "start", "give another folder")


def test_a_file_to_begin_with_must_play_the_variants(run: Run, tmp_path: Path) -> None:
    """All that are learnt, which may be some of those that it plays."""
    run(*PIG, "--variant", "all", "--rounds", 1, "--out", tmp_path / "first")
    start = ("--from", tmp_path / "first" / "pig.value", "--rounds", 1, "--out", tmp_path / "second")
    one = tmp_path / "one"
    assert run(*PIG, "--variant", "strict", *start[:4], "--out", one).status == 0
    assert [entry.label for entry in load(one / "pig.value").variants] == ["strict"]
    of_one = ("--from", one / "pig.value", *start[2:])
    check_error(run(*PIG, "--variant", "all", *of_one), "plays 'strict', and 'pig' is not one of them")
    check_error(run(*PIG[:-2], "--hidden", 16, *start), "has 8 hidden units, not 16")
    check_error(run("train", "checkers", *start), "pig-v0", "checkers-v0")
    assert run(*PIG[:-2], *start).status == 0
    assert [one.label for one in load(tmp_path / "second" / "pig.value").variants] == ["pig", "strict"]


def test_an_interruption_saves_whole_rounds(tmp_path: Path) -> None:
    """In the middle of the third round: the file has two, and goes on as if there had been no interruption."""
    plan = plan_run(find("pig"), None, {}, None, 8, 0)
    with TrainingRun(plan, tmp_path / "broken") as broken:
        usual, rounds = broken.method.learn, iter(range(1000))

        def learn(positions: Any) -> float:
            loss = usual(positions)
            if next(rounds) == 2:
                raise KeyboardInterrupt
            return loss

        broken.method.learn = learn
        with pytest.raises(KeyboardInterrupt):
            broken.learn(seconds=None, rounds=4)
        assert broken.rounds == 2
    for folder in ("broken", "whole"):
        with TrainingRun(plan, tmp_path / folder) as run:
            assert run.rounds == (2 if folder == "broken" else 0)
            run.learn(seconds=None, rounds=4)
    assert weights_in(tmp_path / "broken") == weights_in(tmp_path / "whole")


def test_the_command_says_what_an_interruption_left(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*args: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(learn_run, "measure", interrupt)
    ran = run(*PIG, "--rounds", 2, "--out", tmp_path)
    assert ran.status == 130
    assert f"2 rounds are saved in {tmp_path}" in ran.err
    assert read_checkpoint(tmp_path / CHECKPOINT)[0].rounds == 2


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


def test_a_run_under_other_rules_is_refused(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would go on from a network that has learnt another game, and say of it that it is of this one."""
    run(*PIG, "--rounds", 1, "--out", tmp_path)
    before = tree(tmp_path)
    monkeypatch.setattr(Game, "digest", "of other rules")
    check_error(run(*PIG, "--rounds", 2, "--out", tmp_path), tmp_path, "not 'of other rules'", "delete checkpoint.npz")
    assert tree(tmp_path) == before


def test_a_damaged_checkpoint_is_refused(run: Run, tmp_path: Path) -> None:
    run(*PIG, "--rounds", 1, "--out", tmp_path)
    path = tmp_path / CHECKPOINT
    whole = path.read_bytes()
    plan, arrays = read_checkpoint(path)
    for content in (b"", whole[: len(whole) // 2], b"PK" + whole[:50]):
        path.write_bytes(content)
        check_error(run(*PIG, "--rounds", 2, "--out", tmp_path), path, "delete checkpoint.npz")
    write_checkpoint(path, plan, {name: array for name, array in arrays.items() if name != "weights"})
    check_error(run(*PIG, "--rounds", 2, "--out", tmp_path), path, "no 'weights'", "delete checkpoint.npz")
    np.savez(path, run=np.array([{"a": 1}], object), allow_pickle=True)  # never unpickled
    check_error(run(*PIG, "--rounds", 2, "--out", tmp_path), path, "delete checkpoint.npz")


def test_a_checkpoint_is_a_plain_file_of_plain_arrays(run: Run, tmp_path: Path) -> None:
    """No pipe is waited for, no link is followed, and no few bytes unpack to gigabytes."""
    run(*PIG, "--rounds", 1, "--out", tmp_path / "run")
    path, other = tmp_path / "run" / CHECKPOINT, tmp_path / "other.npz"
    path.rename(other)
    with np.load(other) as content:
        np.savez_compressed(path, **dict(content))
    check_error(run(*PIG, "--rounds", 2, "--out", path.parent), path, "compressed")
    for make in (lambda: os.mkfifo(path), lambda: path.symlink_to(other)):
        path.unlink()
        make()
        check_error(run(*PIG, "--rounds", 2, "--out", path.parent), path, "plain file")


@pytest.mark.parametrize(
    ("entry", "value", "message"),
    [
        ("rounds", -1, "rounds: Expected `int` >= 0"),
        ("seconds", 1e300, "seconds: Expected `float` <= "),
        ("curve", [[1.0, 2, [["random", 8, 9.0]]]], "curve[0][2][0]: 9.0 points in 8 games"),
    ],
)
def test_the_text_of_a_checkpoint_is_checked(entry: str, value: Any, message: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / CHECKPOINT).write_bytes(gzip.decompress((OLD / "td.npz.gz").read_bytes()))
    with np.load(tmp_path / CHECKPOINT) as content:
        arrays = dict(content)
    text = json.dumps({**json.loads(arrays["run"].tobytes()), entry: value}).encode()
    np.savez(tmp_path / CHECKPOINT, **{**arrays, "run": np.frombuffer(text, np.uint8)})
    check_error(run(*OLD_RUN, "--rounds", 3, "--out", tmp_path), tmp_path / CHECKPOINT, message)


def test_a_checkpoint_of_version_0_3_0_is_resumed_exactly(run: Run, tmp_path: Path) -> None:
    (tmp_path / CHECKPOINT).write_bytes(gzip.decompress((OLD / "td.npz.gz").read_bytes()))
    ran = run(*OLD_RUN, "--rounds", 3, "--out", tmp_path)
    assert "resuming after 2 rounds" in ran.out
    run(*OLD_RUN, "--rounds", 3, "--out", tmp_path / "whole")
    assert weights_in(tmp_path) == weights_in(tmp_path / "whole")


def test_generations_of_an_earlier_version_are_resumed(tmp_path: Path) -> None:
    (tmp_path / CHECKPOINT).write_bytes(gzip.decompress((OLD / "generations.npz.gz").read_bytes()))
    with TrainingRun(plan_run(find("checkers"), None, {}, None, 4, 0), tmp_path) as resumed:
        assert (resumed.rounds, resumed.method.games, len(resumed.curve)) == (2, 64, 1)


@pytest.mark.long
@pytest.mark.parametrize("game", ["examples.games.tic_tac_toe", "tests.toy_games.reversi"])
def test_board_games_of_ones_own_are_learnt(game: str, tmp_path: Path) -> None:
    """Two seats without dice: after a few generations stronger than random play."""
    name = game.rpartition(".")[2]
    commands.main(
        ["--import", game, "train", name, "--variant", "all", "--rounds", "3", "--out", str(tmp_path)],
        standalone_mode=False,
    )
    *_, point = json.loads((tmp_path / "curve.json").read_text())  # on a slow machine there are some before the end
    assert point["strengths"]["random"]["elo"][0] is None or point["strengths"]["random"]["elo"][0] > 50
