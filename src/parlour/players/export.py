"""Writing networks as policy files, for the player ``policy:FILE``."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from parlour.players.inputs import INPUTS, PLANES, inputs_shape
from parlour.players.onnx import GAME_KEY, INPUTS_KEY, OBSERVATION, VARIANT_KEY
from parlour.support.arguments import one_of, shown
from parlour.support.files import replacing

if TYPE_CHECKING:
    import torch


NEEDED = ("torch", "onnx", "onnxscript")


def check_export() -> None:
    """Call this before a training whose end is `export_torch`. ImportError if a package is missing that this needs."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise ImportError(f"a policy file needs {', '.join(missing)}: python -m pip install 'parlour[learn]'")


def export_torch(
    network: torch.nn.Module,
    file: str | os.PathLike[str],
    game: str,
    variant: str | None = None,
    outputs: Sequence[str] = ("logits",),
    inputs: str = PLANES,
) -> None:
    """Writes a PyTorch network as a policy file. Needs ``torch``, ``onnx`` and ``onnxscript`` (`parlour[learn]`).

    ``network``: from planes float32 (N, C, H, W) to logits float32 (N, A), followed by the other ``outputs``, such as
    ``"value"``; it is put into evaluation mode. Or the ``policy`` of a model of stable-baselines3 or sb3-contrib (PPO,
    A2C, MaskablePPO, DQN), whose logits (DQN: values of actions) are written, and with ``outputs=("logits", "value")``
    its value. ``game``: an id or a name; ``variant``: the variant under which it was trained, None for the game's
    default. ``inputs``: what it sees instead of the planes, always as float32: ``"thermometer"``,
    ``"thermometer:int8"`` or ``"features"`` (`parlour.players.inputs`). ValueError for an unknown game, variant or
    ``inputs``, for a game without features, and for a policy that sees something else; ImportError if a package is
    missing.
    """
    check_export()
    import torch

    from parlour.interfaces.registry import find

    known = find(game)
    layout = known.layout(known.resolve(variant, {})[1])
    shapes = {OBSERVATION: inputs_shape(inputs, known, layout)}
    if not isinstance(network, torch.nn.Module):
        raise ValueError(f"{shown(network)} is no PyTorch module; of a model of stable-baselines3 it is model.policy")
    if hasattr(network, "observation_space"):
        from parlour.players.stable_baselines import as_network

        network, shapes = as_network(network, shapes, layout.actions, outputs)
    device = next((part.device for part in network.parameters()), torch.device("cpu"))
    rows = {0: torch.export.Dim("N")}
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)  # it warns that torchvision is missing
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of torch to itself
        warnings.filterwarnings("ignore", ".*axis name")  # that two inputs have the same N
        torch.onnx.export(
            network.eval(),
            tuple(torch.zeros(2, *shape, device=device) for shape in shapes.values()),
            file,
            input_names=list(shapes),
            output_names=list(outputs),
            dynamic_shapes=(rows,) * len(shapes),
            external_data=False,
            verbose=False,
        )
    stamp(file, game, variant, inputs)


def stamp(path: str | os.PathLike[str], game: str, variant: str | None = None, inputs: str | None = None) -> None:
    """Writes into the ONNX model at ``path`` (with the package ``onnx``) the ``game`` (an id or a name) that it plays,
    the variant under which it was trained, and the ``inputs`` that it sees (`parlour.players.inputs`; a model that
    names none sees planes). What is None is left as it is. ValueError for an unknown game, variant or ``inputs``."""
    import onnx

    from parlour.interfaces.registry import find

    known = find(game)
    added = {GAME_KEY: known.id}
    if variant is not None:
        added[VARIANT_KEY] = known.resolve(variant, {})[0].name
    if inputs is not None:
        added[INPUTS_KEY] = one_of("inputs", inputs, INPUTS)
    model = onnx.load(os.fspath(path), load_external_data=False)  # weights in files beside it stay there
    earlier = {entry.key: entry.value for entry in model.metadata_props}
    onnx.helper.set_model_props(model, {**earlier, **added})
    with replacing(Path(path)) as fresh:
        onnx.save(model, str(fresh))
