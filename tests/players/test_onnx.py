"""``policy:FILE``: a network plays as its logits say, whatever is played beside it; files that do not fit are named."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper
from scipy.stats import chisquare

import parlour
from parlour.arena import Threads
from parlour.arena.matches.contests import plan_contest, play_contest
from parlour.cli import main
from parlour.engine.games import Games
from parlour.interfaces.registry import find
from parlour.players import GamesView, parse_player, parse_players
from parlour.players.export import stamp
from parlour.players.identity import identity_of
from parlour.players.onnx import GAME_KEY, VARIANT_KEY, OnnxPlayer
from parlour.players.simulate import game_seeds, play_games
from parlour.records import record_game, replay
from tests.support.faults import EVERY_BYTE, damaged
from tests.support.games import batch_of, chosen, layout_of
from tests.support.networks import constant_network, linear_network, tensor, write_model

SWORDS = "swords_and_shields-v0"


def random_network(path: Path, game: str, **form: Any) -> tuple[str, NDArray[np.float32]]:
    """A linear network for a game, and its weights: whole numbers, so that sums are exact in any order."""
    layout = layout_of(game)
    size = int(np.prod(layout.shape)), layout.actions
    weights = np.random.default_rng(7).integers(-4, 5, size).astype(np.float32)
    return linear_network(path, layout.shape, weights, **form), weights


def middle(game: str, rows: int, seed: int = 3, plies: int = 6) -> Games:
    """Games that have gone on for some plies."""
    return batch_of(game, rows, seed=seed, plies=plies).games


# --- what it plays ---


@pytest.mark.parametrize("game", ["acey_ducey-v0", "checkers-v0"])
@pytest.mark.parametrize(
    "form",
    [
        {},
        {"kind": TensorProto.FLOAT},
        {"mask": TensorProto.INT8},
        {"kind": TensorProto.FLOAT, "mask": TensorProto.BOOL},
        {"mask": TensorProto.FLOAT},
    ],
)
def test_plays_the_legal_action_of_the_highest_logit(game: str, form: dict[str, Any], tmp_path: Path) -> None:
    file, weights = random_network(tmp_path / "net.onnx", game, **form)
    games = middle(game, 40, plies=25)
    played = chosen(parse_player(f"policy:{file}", find(game)), games)
    flat = games.observation.reshape(40, -1).astype(np.float32)
    logits = np.where(games.action_mask == 1, flat @ weights, -np.inf)
    assert played.tolist() == logits.argmax(axis=1).tolist()
    assert (played != np.argmax(flat @ weights, axis=1)).any(), "no illegal action was ever the likeliest"


def test_writes_the_rows_asked_for_alone_and_draws_from_their_streams(tmp_path: Path) -> None:
    file, _ = random_network(tmp_path / "net.onnx", SWORDS)
    games = middle(SWORDS, 6)
    rows = np.arange(6) % 2 == 0
    before = games.player_rng["counter"].copy()
    likeliest = chosen(parse_player(f"policy:{file}"), games, rows)
    assert (games.player_rng["counter"] == before).all()
    drawn = chosen(parse_player(f"policy:{file}:sample"), games, rows)
    assert ((games.player_rng["counter"] != before) == rows).all()
    for actions in (likeliest, drawn):
        assert (actions[~rows] == -7).all()
        assert (games.action_mask[rows.nonzero()[0], actions[rows]] == 1).all()


def test_of_equals_the_first_is_played(tmp_path: Path) -> None:
    layout = layout_of(SWORDS)
    file = constant_network(tmp_path / "net.onnx", layout.shape, [2.5] * layout.actions)
    games = middle(SWORDS, 4)
    assert chosen(parse_player(f"policy:{file}"), games).tolist() == games.action_mask.argmax(axis=1).tolist()


def test_sampling_draws_by_the_softmax_over_the_legal_actions(tmp_path: Path) -> None:
    """3,000 draws in one position fit the softmax: χ² refuses right draws once in 10⁶. `consider` gives the same
    probabilities."""
    layout = layout_of(SWORDS)
    logits = np.random.default_rng(1).normal(size=layout.actions)
    file = constant_network(tmp_path / "net.onnx", layout.shape, logits.tolist())
    games = middle(SWORDS, 3000, plies=0)
    assert (games.action_mask == games.action_mask[0]).all()
    player = OnnxPlayer(file, sampling=True)
    drawn = chosen(player, games)
    legal = np.flatnonzero(games.action_mask[0])
    expected = np.exp(logits[legal]) / np.exp(logits[legal]).sum()
    assert player.consider(GamesView(games)).probabilities[legal] == pytest.approx(expected)
    counts = np.bincount(drawn, minlength=layout.actions)[legal]
    assert counts.sum() == len(drawn)  # no other is drawn
    assert chisquare(counts, expected * len(drawn)).pvalue > 1e-6


def test_sampling_never_takes_what_is_as_good_as_impossible(tmp_path: Path) -> None:
    """Logits beyond what exp can hold, and −∞ for all actions but one legal one."""
    games = middle(SWORDS, 4, plies=0)
    layout, legal = games.layout, np.flatnonzero(games.action_mask[0])
    for high, low in ((3e38, -3e38), (-1000.0, -np.inf), (0.0, -np.inf)):
        logits = np.full(layout.actions, low)
        logits[legal[3]] = high
        file = constant_network(tmp_path / "net.onnx", layout.shape, logits.tolist())
        for player in (f"policy:{file}", f"policy:{file}:sample"):
            assert (chosen(parse_player(player), games) == legal[3]).all()


# --- everywhere the same ---


@pytest.mark.parametrize("sample", ["", ":sample"])
def test_games_are_the_same_on_any_number_of_rows_and_threads(
    sample: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Weights that are no round numbers, so that another order of adding them up would show. The file's path holds a
    colon and spaces."""
    layout = layout_of(SWORDS)
    weights = np.random.default_rng(3).normal(size=(int(np.prod(layout.shape)), layout.actions))
    file = linear_network(tmp_path / "a: net.onnx", layout.shape, weights.astype(np.float32) / 4)
    game = find(SWORDS)
    values = game.resolve(None, {"max_plies": 60})[1]
    players = parse_players(f"policy:{file}{sample},random", 2, game)
    assert players[0].name == f"policy:{file}{sample}"
    seeds = game_seeds(2, 23)
    runs = []
    for most, threads in ((512, 1), (5, 2), (1, 1)):
        monkeypatch.setattr("parlour.players.simulate.MAX_ROWS", most)
        runs.append(play_games(game, values, players, seeds, threads))
    for other in runs[1:]:
        assert other.plies.tolist() == runs[0].plies.tolist()
        assert other.choices.tolist() == runs[0].choices.tolist()
        assert other.returns.tolist() == runs[0].returns.tolist()
    env = parlour.make(SWORDS, illegal_move="raise", max_plies=60)
    record = record_game(env, players, seeds[4])
    assert len(record.moves) == runs[0].plies[4]
    assert record.players == [f"policy:{file}{sample}", "random"]
    assert sum(1 for _ in replay(record, "here")) == len(record.moves) + 1


# --- what a file tells of itself ---


def test_a_stamped_file_plays_its_own_game_alone(tmp_path: Path) -> None:
    file, _ = random_network(tmp_path / "net.onnx", SWORDS)
    stamp(file, "agon", "ring")
    stamp(file, "swords_and_shields")
    assert {entry.key: entry.value for entry in onnx.load(file).metadata_props} == {
        GAME_KEY: SWORDS,
        VARIANT_KEY: "ring",
    }
    assert chosen(parse_player(f"policy:{file}", find(SWORDS)), middle(SWORDS, 1)).shape == (1,)
    problem = f"{file}.*made for 'swords_and_shields-v0', not for 'checkers-v0'"
    with pytest.raises(ValueError, match=problem):
        parse_player(f"policy:{file}", find("checkers-v0"))
    unbound = parse_player(f"policy:{file}")
    with pytest.raises(ValueError, match=problem):
        chosen(unbound, middle("checkers-v0", 1))


def test_stamps_for_what_there_is_not_are_refused(tmp_path: Path) -> None:
    file, _ = random_network(tmp_path / "net.onnx", SWORDS)
    whole = Path(file).read_bytes()
    for game, variant, problem in (("ludo", None, "'ludo'"), (SWORDS, "ring", "'ring'")):
        with pytest.raises(ValueError, match=problem):
            stamp(file, game, variant)
    assert Path(file).read_bytes() == whole


# --- what is no policy ---

FLOAT, INT8 = TensorProto.FLOAT, TensorProto.INT8
SEEN = tensor("observation", INT8, ["N", 10, 9, 9])
OUT = tensor("logits", shape=["N", 4])


def passing(source: str, to: int = FLOAT) -> list[Any]:
    """From an input of any shape to ``logits``."""
    return [helper.make_node("Cast", [source], ["same"], to=to), helper.make_node("Flatten", ["same"], ["logits"])]


def model(seen: Any = SEEN, nodes: Any = None, out: Any = OUT, *more: Any) -> Callable[[Path], Any]:
    """Writes a model that is as it must be but for what is given."""
    return lambda path: write_model(path, [seen, *more], nodes or passing("observation"), [out])


MODELS: dict[str, tuple[Callable[[Path], Any], list[str]]] = {
    "no such file": (lambda path: None, ["there is no policy file"]),
    "no model": (lambda path: path.write_bytes(b"network" * 50), ["not an ONNX model"]),
    "nothing": (lambda path: path.write_bytes(b""), ["not an ONNX model"]),
    "a folder": (lambda path: path.mkdir(), ["there is no policy file"]),
    "another input": (
        model(SEEN, None, OUT, tensor("dice", FLOAT, ["N", 2])),
        ["input 'dice'", "observation, action_mask"],
    ),
    "no observation": (
        model(tensor("action_mask", FLOAT, ["N", 4]), passing("action_mask")),
        ["no input 'observation'", "action_mask"],
    ),
    "no logits": (
        model(nodes=[helper.make_node("Cast", ["observation"], ["policy"], to=FLOAT)], out=tensor("policy")),
        ["no output 'logits'", "policy"],
    ),
    "other planes": (
        model(tensor("observation", TensorProto.DOUBLE, ["N", 10, 9, 9])),
        ["'observation'", "double", "tensor(int8) or tensor(float)"],
    ),
    "flat planes": (model(tensor("observation", INT8, ["N", 810])), ["'observation'", "810", "4 axes"]),
    "one game alone": (
        model(tensor("observation", INT8, [1, 10, 9, 9])),
        ["'observation'", "[1, 10, 9, 9]", "first left open"],
    ),
    "whole logits": (
        model(nodes=passing("observation", INT8), out=tensor("logits", INT8, ["N", 810])),
        ["'logits'", "int8", "tensor(float)"],
    ),
}


@pytest.mark.parametrize("case", list(MODELS))
def test_what_is_no_policy_is_told_when_it_is_named(
    case: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write, parts = MODELS[case]
    path = tmp_path / "net.onnx"
    write(path)
    with pytest.raises(SystemExit) as left:
        main(["simulate", SWORDS, "--players", f"policy:{path}"])
    assert left.value.code == 2
    shown = capfd.readouterr().err
    assert shown.count("\n") == 1
    for part in [str(path), *parts]:
        assert part in shown


@EVERY_BYTE
def test_a_damaged_model_is_told_in_one_error(
    cases: int | None, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Whatever byte of it is cut or flipped, onnxruntime prints nothing of its own."""
    path = tmp_path / "net.onnx"
    linear_network(path, (1, 2, 2), np.zeros((4, 3), np.float32))
    stamp(path, SWORDS)
    refused = 0
    for content in damaged(path.read_bytes(), cases):
        path.write_bytes(content)
        try:
            OnnxPlayer(str(path))
        except ValueError as error:
            assert str(path) in str(error)
            refused += 1
    assert refused > 0
    assert capfd.readouterr() == ("", "")


def test_a_network_for_other_sizes_is_told_before_it_plays(tmp_path: Path) -> None:
    """Sizes follow from the options, so they are looked at with the first games."""
    games = middle(SWORDS, 2)
    planes, height, width = games.layout.shape
    actions = games.layout.actions
    for shape, count, parts in (
        ((planes + 1, height, width), actions, ["'observation'", f"(N, {planes + 1}, {height}, {width})"]),
        ((planes, height, width), actions - 1, ["'logits'", f"(2, {actions - 1})", f"(N, {actions})"]),
    ):
        file = constant_network(tmp_path / "net.onnx", shape, [0.0] * count)
        with pytest.raises(ValueError, match="needs") as caught:
            chosen(parse_player(f"policy:{file}", find(SWORDS)), games)
        for part in [file, SWORDS, *parts]:
            assert part in str(caught.value)
    weights = np.zeros((planes * height * width, actions - 1), np.float32)
    file = linear_network(tmp_path / "net.onnx", games.layout.shape, weights, mask=INT8)
    with pytest.raises(ValueError, match=rf"'action_mask' has the shape \(N, {actions - 1}\)"):
        chosen(parse_player(f"policy:{file}"), games)


def test_a_network_that_breaks_down_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Sizes left open, so that nothing is known before it runs."""
    file = write_model(
        tmp_path / "net.onnx",
        [tensor("observation", INT8, ["N", "C", "H", "W"])],
        [
            helper.make_node("Cast", ["observation"], ["numbers"], to=FLOAT),
            helper.make_node("Flatten", ["numbers"], ["flat"]),
            helper.make_node("MatMul", ["flat", "weights"], ["logits"]),
        ],
        [tensor("logits")],
        weights=np.zeros((5, 4), np.float32),
    )
    with pytest.raises(ValueError, match="can't be run") as caught:
        chosen(parse_player(f"policy:{file}"), middle(SWORDS, 2))
    assert file in str(caught.value)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("sample", ["", ":sample"])
def test_logits_that_are_no_numbers_are_told(number: float, sample: str, tmp_path: Path) -> None:
    """NaN for one legal action; ∞ for one; −∞ for all. For illegal actions they are of no account."""
    games = middle(SWORDS, 3, plies=0)
    legal = games.action_mask[0] == 1
    broken = np.zeros(games.layout.actions)
    broken[np.flatnonzero(legal)[2 if number != -np.inf else slice(None)]] = number
    file = constant_network(tmp_path / "net.onnx", games.layout.shape, broken.tolist())
    with pytest.raises(ValueError, match="not finite") as caught:
        chosen(parse_player(f"policy:{file}{sample}"), games)
    assert games.position(0) in str(caught.value)
    file = constant_network(tmp_path / "net.onnx", games.layout.shape, np.where(legal, 0.0, number).tolist())
    assert (games.action_mask[np.arange(3), chosen(parse_player(f"policy:{file}{sample}"), games)] == 1).all()


def test_without_onnxruntime_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(ValueError, match=r"parlour\[onnx\]"):
        OnnxPlayer(str(tmp_path / "net.onnx"))


# --- what tells a file from another ---


def test_a_player_is_told_by_all_its_files(tmp_path: Path) -> None:
    layout = layout_of(SWORDS)
    file = tmp_path / "net.onnx"
    constant_network(file, layout.shape, np.linspace(0, 1, layout.actions).tolist())
    player = OnnxPlayer(str(file))
    assert player.identity == {"sha256": hashlib.sha256(file.read_bytes()).hexdigest()}
    assert identity_of(f"policy:{file}", find(SWORDS)) == player.identity
    onnx.save(onnx.load(file), file, save_as_external_data=True, location="weights.bin", size_threshold=0)
    weights = tmp_path / "weights.bin"
    found = OnnxPlayer(str(file)).identity
    assert found["sha256 of weights.bin"] == hashlib.sha256(weights.read_bytes()).hexdigest()
    weights.write_bytes(bytes(reversed(weights.read_bytes())))
    assert OnnxPlayer(str(file)).identity != found


def test_a_file_that_changes_during_a_run_is_noticed(tmp_path: Path) -> None:
    game, layout, file = find(SWORDS), layout_of(SWORDS), tmp_path / "net.onnx"
    constant_network(file, layout.shape, [0.0] * layout.actions)
    name = f"policy:{file}"
    plan = plan_contest(game, {name: name, "random": "random"}, [], 4, None, 0, {"max_plies": 9})
    constant_network(file, layout.shape, [1.0] * layout.actions)
    with pytest.raises(ValueError, match="has changed since this run was planned"):
        play_contest(plan, Threads(1), lambda games: None, None)
