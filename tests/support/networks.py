"""Tiny networks as ONNX files, made without any library for training."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

OPSET, IR_VERSION = 17, 9
"""Old enough for every onnxruntime that the package allows."""


def write_model(path: Path, inputs: Sequence[Any], nodes: Sequence[Any], outputs: Sequence[Any], **numbers: Any) -> str:
    """A model of these tensors and nodes, ``numbers`` being its constants. Returns the path as text."""
    constants = [numpy_helper.from_array(np.asarray(value), name) for name, value in numbers.items()]
    graph = helper.make_graph(list(nodes), "network", list(inputs), list(outputs), constants)
    opset = helper.make_opsetid("", OPSET)
    onnx.save(helper.make_model(graph, opset_imports=[opset], ir_version=IR_VERSION), str(path))
    return str(path)


def tensor(name: str, kind: int = TensorProto.FLOAT, shape: Sequence[Any] | None = None) -> Any:
    """An input or output."""
    return helper.make_tensor_value_info(name, kind, shape)


def linear_network(
    path: Path,
    shape: Sequence[int],
    weights: NDArray[np.float32],
    *,
    kind: int = TensorProto.INT8,
    mask: int | None = None,
    value_weights: NDArray[np.float32] | None = None,
) -> str:
    """``logits`` = the planes (``shape``: C, H, W), flattened, times ``weights`` (C · H · W, A); and a ``value``, the
    hyperbolic tangent of the planes times ``value_weights`` (C · H · W,) or (C · H · W, P); None: their sum.

    ``kind``: the type of ``observation``. ``mask``: the type of an input ``action_mask``, to which the network adds the
    logits; None: it has none.
    """
    actions = weights.shape[1]
    inputs = [tensor("observation", kind, ["N", *shape])]
    nodes = [
        helper.make_node("Cast", ["observation"], ["numbers"], to=TensorProto.FLOAT),
        helper.make_node("Flatten", ["numbers"], ["flat"]),
        helper.make_node("MatMul", ["flat", "weights"], ["logits" if mask is None else "raw"]),
    ]
    constants = {"weights": weights.astype(np.float32)}
    if value_weights is None:
        nodes.append(helper.make_node("ReduceSum", ["flat"], ["value"]))
    else:
        constants["value_weights"] = value_weights
        nodes.append(helper.make_node("MatMul", ["flat", "value_weights"], ["sum"]))
        nodes.append(helper.make_node("Tanh", ["sum"], ["value"]))
    if mask is not None:
        inputs.append(tensor("action_mask", mask, ["N", actions]))
        nodes.append(helper.make_node("Cast", ["action_mask"], ["allowed"], to=TensorProto.FLOAT))
        nodes.append(helper.make_node("Add", ["raw", "allowed"], ["logits"]))
    outputs = [tensor("logits", shape=["N", actions]), tensor("value")]
    return write_model(path, inputs, nodes, outputs, **constants)


def constant_network(path: Path, shape: Sequence[int], logits: Sequence[float]) -> str:
    """The same ``logits`` (A,) whatever it sees."""
    nodes = [
        helper.make_node("Cast", ["observation"], ["numbers"], to=TensorProto.FLOAT),
        helper.make_node("Flatten", ["numbers"], ["flat"]),
        helper.make_node("MatMul", ["flat", "nothing"], ["zeros"]),
        helper.make_node("Add", ["zeros", "logits_of_all"], ["logits"]),
    ]
    nothing = np.zeros((int(np.prod(shape)), len(logits)), np.float32)
    return write_model(
        path,
        [tensor("observation", TensorProto.INT8, ["N", *shape])],
        nodes,
        [tensor("logits", shape=["N", len(logits)])],
        nothing=nothing,
        logits_of_all=np.array(logits, np.float32),
    )
