"""Policy files that name their inputs: they play as a network behind the wrapper of that name would."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto

import parlour
from parlour.interfaces.registry import find
from parlour.players import parse_player
from parlour.players.export import stamp
from parlour.players.inputs import INPUTS
from parlour.players.onnx import INPUTS_KEY
from parlour.wrappers import BatchFeatures, BatchThermometer
from tests.support.games import batch_of
from tests.support.networks import linear_network, tensor

ACEY = "acey_ducey-v0"
WRAPPED: dict[str, Callable[[Any], Any]] = {
    "planes": lambda batch: batch,
    "thermometer": BatchThermometer,
    "thermometer:int8": lambda batch: BatchThermometer(batch, "int8"),
    "features": BatchFeatures,
}
each_input = pytest.mark.parametrize("inputs", INPUTS)


def wrapped(inputs: str) -> Any:
    return WRAPPED[inputs](parlour.make_batch(ACEY, 32, seed=1))


def network_for(path: Path, inputs: str, kind: int = TensorProto.FLOAT) -> tuple[str, Any]:
    """A linear network for ``inputs``, and its weights: eighths, so that its sums don't depend on their order."""
    shape = wrapped(inputs).single_observation_space["observation"].shape
    weights = np.random.default_rng(3).integers(-64, 65, (int(np.prod(shape)), 182)).astype(np.float32) / 8
    file = linear_network(path, shape, weights, kind=kind)
    stamp(file, ACEY, inputs=inputs)
    return file, weights


@each_input
def test_a_policy_file_sees_what_the_wrapper_of_its_inputs_shows(inputs: str, tmp_path: Path) -> None:
    file, weights = network_for(tmp_path / "net.onnx", inputs)
    player, batch = parse_player(f"policy:{file}", find(ACEY)), wrapped(inputs)
    seen, _ = batch.reset()
    for _ in range(12):
        logits = seen["observation"].reshape(32, -1).astype(np.float64) @ weights
        played = batch.ask(player)
        legal = np.where(seen["action_mask"] == 1, logits, -np.inf)
        best = np.take_along_axis(legal, played[:, None], 1)[:, 0]
        assert (best >= legal.max(axis=1) - 1e-3).all()  # the network itself adds up in float32
        seen, *_ = batch.step(played)


@pytest.mark.parametrize("inputs", ["planes", "thermometer:int8", "features"])
def test_a_file_may_take_whole_numbers_as_int8(inputs: str, tmp_path: Path) -> None:
    files = [network_for(tmp_path / f"{k}.onnx", inputs, k)[0] for k in (TensorProto.INT8, TensorProto.FLOAT)]
    batch = wrapped(inputs)
    batch.reset()
    first, second = (batch.ask(parse_player(f"policy:{file}")) for file in files)
    assert first.tolist() == second.tolist()


def with_values(file: str) -> str:
    """The same network, whose value is the highest number that it sees of a position."""
    model = onnx.load(file)
    model.graph.node[-1].CopyFrom(onnx.helper.make_node("ReduceMax", ["flat"], ["value"], axes=[1], keepdims=0))
    model.graph.output[-1].CopyFrom(tensor("value", shape=["N"]))
    onnx.save(model, file)
    return file


def test_a_search_takes_a_file_that_sees_steps(tmp_path: Path) -> None:
    file = with_values(network_for(tmp_path / "net.onnx", "thermometer")[0])
    batch = batch_of(ACEY, 2, seed=1)
    batch.step(batch.ask(parse_player(f"az:{file}:4")))


def test_a_search_has_no_features(tmp_path: Path) -> None:
    file = with_values(network_for(tmp_path / "net.onnx", "features")[0])
    message = (
        "sees features, and a search has only planes; valid inputs: 'planes', 'thermometer' and 'thermometer:int8'"
    )
    with pytest.raises(ValueError, match=message):
        parse_player(f"az:{file}:4")


def test_what_does_not_fit_is_named_with_what_would(tmp_path: Path) -> None:
    file, _ = network_for(tmp_path / "net.onnx", "thermometer")
    batch = batch_of("agon-v0", 1)
    with pytest.raises(ValueError, match="is made for 'acey_ducey-v0', not for 'agon-v0'"):
        batch.ask(parse_player(f"policy:{file}"))
    stamp(file, ACEY, inputs="planes")
    batch = batch_of(ACEY, 1)
    with pytest.raises(ValueError, match=r"has the shape \(N, 46, 1, 24\); .* needs \(N, 22, 1, 24\)"):
        batch.ask(parse_player(f"policy:{file}"))
    stamp(file, ACEY, inputs="features")
    with pytest.raises(ValueError, match=r"is tensor\(float\) .*; valid: .* with 2 axes, the first left open"):
        parse_player(f"policy:{file}")
    with pytest.raises(ValueError, match="inputs 'counts' is not valid; valid: 'planes', 'thermometer'"):
        stamp(file, ACEY, inputs="counts")
    whole, _ = network_for(tmp_path / "whole.onnx", "thermometer:int8", TensorProto.INT8)
    stamp(whole, ACEY, inputs="thermometer")  # whose numbers int8 can't hold
    with pytest.raises(ValueError, match=r"is tensor\(int8\) .*; valid: tensor\(float\) with 4 axes"):
        parse_player(f"policy:{whole}")


def test_inputs_that_are_not_known_are_refused_with_those_that_are(tmp_path: Path) -> None:
    file, _ = network_for(tmp_path / "net.onnx", "planes")
    model = onnx.load(file)
    onnx.helper.set_model_props(model, {INPUTS_KEY: "counts"})
    onnx.save(model, file)
    with pytest.raises(
        ValueError, match="has the inputs 'counts', which are not known; valid: 'planes', 'thermometer'"
    ):
        parse_player(f"policy:{file}")


def test_stamping_a_file_again_leaves_its_inputs(tmp_path: Path) -> None:
    file, _ = network_for(tmp_path / "net.onnx", "features")
    stamp(file, ACEY)
    assert {entry.key: entry.value for entry in onnx.load(file).metadata_props}[INPUTS_KEY] == "features"


def test_features_of_a_game_that_has_none(tmp_path: Path) -> None:
    file = linear_network(tmp_path / "net.onnx", (3,), np.zeros((3, 4), np.float32), kind=TensorProto.FLOAT)
    stamp(file, "checkers-v0", inputs="features")
    batch = batch_of("checkers-v0", 1)
    with pytest.raises(ValueError, match="checkers-v0 has no features of its own; games that have: "):
        batch.ask(parse_player(f"policy:{file}"))


@each_input
def test_a_torch_network_is_exported_with_its_inputs(inputs: str, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    pytest.importorskip("onnxscript", reason="onnxscript is not installed")
    batch = wrapped(inputs)
    seen, _ = batch.reset()
    size = int(np.prod(batch.single_observation_space["observation"].shape))
    network = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(size, 182))
    file = tmp_path / "net.onnx"
    parlour.players.export_torch(network, file, ACEY, inputs=inputs)
    with torch.inference_mode():
        logits = network(torch.as_tensor(seen["observation"]).float()).numpy()
    played = batch.ask(parse_player(f"policy:{file}"))
    assert played.tolist() == np.where(seen["action_mask"] == 1, logits, -np.inf).argmax(axis=1).tolist()
