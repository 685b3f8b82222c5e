"""Players that are trained networks: ``policy:FILE``, an ONNX model run by onnxruntime (the extra ``onnx``). The player
``az:FILE:400`` (`parlour.players.network_player`) searches with the same files.

The file is an ONNX model with

* an input ``observation``, int8 or float32 (N, C, H, W) with N left open: a game's own planes, unscaled, or what the
  metadata ``parlour.inputs`` names (`parlour.players.inputs`): ``thermometer``, float32 (N, T, H, W);
  ``thermometer:int8``, int8 or float32 (N, T, H, W); ``features``, int8 or float32 (N, F);
* optionally an input ``action_mask``, int8, bool or float32 (N, A): 1 where an action is legal;
* an output ``logits``, float32 (N, A): the higher, the likelier. Values for illegal actions are ignored, and so are
  further outputs;
* for ``az:FILE`` an output ``value``, float32 (N,), (N, 1) or (N, P): see `players.search.network_search.Evaluate`;
* optionally the metadata ``parlour.game`` (an id such as ``agon-v0``), which is checked, and ``parlour.variant``, which
  is for information only: `stamp` writes them all.

Axis letters: N games, M of them in which the player is to act, C planes, T planes made of them, H × W board, F numbers,
A actions, P seats.
"""

from __future__ import annotations

import io
import re
import threading
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.analysis import Analysis, drawn, in_proportion, only
from parlour.engine.game import Game
from parlour.engine.view import GamesView, games_of
from parlour.players.inputs import (
    FEATURES,
    INPUTS,
    PLANES,
    THERMOMETER,
    THERMOMETER_INT8,
    inputs_of,
    inputs_shape,
    thermometer_of,
)
from parlour.players.kind import NotInForm, PlayerKind
from parlour.support.arguments import shown
from parlour.support.errors import listing
from parlour.support.files import sha256_of
from parlour.support.paths import Paths

OBSERVATION, ACTION_MASK, LOGITS, VALUE = "observation", "action_mask", "logits", "value"
GAME_KEY, VARIANT_KEY, INPUTS_KEY = "parlour.game", "parlour.variant", "parlour.inputs"
LOADING = threading.Lock()
"""One thread at a time reads a model: everything that the process prints meanwhile is suppressed."""
SAMPLE = ":sample"
TYPES: dict[str, Any] = {"tensor(int8)": np.int8, "tensor(float)": np.float32, "tensor(bool)": np.bool_}
"""Element types as onnxruntime calls them."""
OBSERVATIONS = {
    PLANES: (("tensor(int8)", "tensor(float)"), (4,)),
    THERMOMETER: (("tensor(float)",), (4,)),
    THERMOMETER_INT8: (("tensor(int8)", "tensor(float)"), (4,)),
    FEATURES: (("tensor(int8)", "tensor(float)"), (2,)),
}
"""What the input ``observation`` may be, by the inputs that the file names: its types, and its numbers of axes."""
VALID = {
    ACTION_MASK: (("tensor(int8)", "tensor(bool)", "tensor(float)"), (2,)),
    LOGITS: (("tensor(float)",), (2,)),
    VALUE: (("tensor(float)",), (1, 2)),
}
"""What each other tensor may be, likewise."""
EXTERNAL_DATA = re.compile(rb"\x0a\x08location\x12([\x01-\x7f])(.{1,127})", re.DOTALL)
"""Where a model names a file that holds its weights: the entry ``location`` of ``TensorProto.external_data``, as
Protocol Buffers write it, with the length of the name before the name."""


class OnnxModel:
    """A network in an ONNX file, which has been checked: this module's docstring says what it must be.

    It never changes, so threads may share it. It runs on one thread, so its output for a row does not depend on the
    other rows.

    Attributes:
        inputs: what it sees of a game, one of `parlour.players.inputs.INPUTS`.
    """

    def __init__(self, file: str, outputs: tuple[str, ...] = (LOGITS,), game: Game | None = None) -> None:
        """
        Args:
            file: the model's path.
            outputs: the names of the outputs to compute.
            game: the game that it is to play, if known.

        Raises:
            ValueError: if onnxruntime is missing, or the file is no such model or made for another game.
        """
        self.file, self.outputs = file, outputs
        self._session, self.identity = _open(file)
        try:
            metadata = self._session.get_modelmeta().custom_metadata_map
            self._made_for, self.inputs = metadata.get(GAME_KEY), metadata.get(INPUTS_KEY, PLANES)
            self._inputs = {tensor.name: tensor for tensor in self._session.get_inputs()}
            self._check_model()
        except UnicodeDecodeError as error:
            raise ValueError(f"policy file {file!r} has a name that is not UTF-8 text: {error}") from None
        if game is not None:
            self._check_game(game.id)

    def check_view(self, view: GamesView) -> None:
        """ValueError if the model is not for the game of ``view`` and its spaces."""
        self._check_game(view.game_id)
        for name, tensor in self._inputs.items():
            has = tensor.shape[1:]
            if any(isinstance(size, int) and size != due for size, due in zip(has, self._shape(view, name))):
                raise ValueError(self._mismatch(view, name, tensor.shape))

    def run_rows(self, view: GamesView, row_ids: NDArray[np.int64]) -> list[NDArray[np.float32]]:
        """`run` for the rows ``row_ids`` (M,), whatever the inputs are."""
        games = games_of(view)
        seen = inputs_of(self.inputs, games, row_ids, games.states["to_act"][row_ids], games.look(row_ids))
        return self._run(view, seen, games.legal_in(row_ids))

    def run(self, view: GamesView, observation: NDArray[np.int8], mask: NDArray[np.int8]) -> list[NDArray[np.float32]]:
        """The network's ``outputs`` for observations (M, C, H, W) and masks (M, A) of positions of one game; the logits
        have the shape (M, A). Its inputs must be made of planes, not features. ValueError if it can't be run or the
        logits don't fit."""
        if self.inputs != PLANES:
            observation = thermometer_of(self.inputs, games_of(view).layout)(observation)
        return self._run(view, observation, mask)

    def _run(self, view: GamesView, observation: NDArray[Any], mask: NDArray[np.int8]) -> list[NDArray[np.float32]]:
        seen = {OBSERVATION: observation, ACTION_MASK: mask}
        feed = {name: seen[name].astype(TYPES[tensor.type]) for name, tensor in self._inputs.items()}
        try:
            outputs: list[NDArray[np.float32]] = self._session.run(list(self.outputs), feed)
        except Exception as error:  # onnxruntime's errors have no base class of their own
            raise ValueError(f"policy file {self.file!r} can't be run: {_one_line(error)}") from None
        logits = outputs[self.outputs.index(LOGITS)]
        if logits.shape != mask.shape:
            raise ValueError(self._mismatch(view, LOGITS, logits.shape))
        return outputs

    def _check_model(self) -> None:
        if self.inputs not in INPUTS:
            raise ValueError(
                f"policy file {self.file!r} has the inputs {shown(self.inputs)}, which are not known; valid: "
                f"{listing(INPUTS)}"
            )
        outputs = {tensor.name: tensor for tensor in self._session.get_outputs()}
        for name in self._inputs:
            if name not in (OBSERVATION, ACTION_MASK):
                raise ValueError(
                    f"policy file {self.file!r} has an input {name!r}; valid: {OBSERVATION}, {ACTION_MASK}"
                )
        needed = [("input", OBSERVATION, self._inputs), *(("output", name, outputs) for name in self.outputs)]
        for kind, name, tensors in needed:
            if name not in tensors:
                has = ", ".join(tensors) or "none"
                raise ValueError(f"policy file {self.file!r} has no {kind} {name!r}, but {has}")
        for name, tensor in {**self._inputs, **{name: outputs[name] for name in self.outputs}}.items():
            types, axes = OBSERVATIONS[self.inputs] if name == OBSERVATION else VALID[name]
            # A shape that the model does not state is known only after running it.
            shape = tensor.shape or [None] * axes[0]
            if tensor.type not in types or len(shape) not in axes or isinstance(shape[0], int):
                raise ValueError(
                    f"policy file {self.file!r}: {name!r} is {tensor.type} {tensor.shape}; valid: {' or '.join(types)} "
                    f"with {' or '.join(map(str, axes))} axes, the first left open"
                )

    def _check_game(self, game_id: str) -> None:
        if self._made_for not in (None, game_id):
            raise ValueError(f"policy file {self.file!r} is made for {self._made_for!r}, not for {game_id!r}")

    def _shape(self, view: GamesView, name: str) -> tuple[int, ...]:
        """That of a tensor for one position. ValueError for features that the game lacks."""
        if name != OBSERVATION:
            return (view.num_actions,)
        games = games_of(view)
        return inputs_shape(self.inputs, games.game, games.layout)

    def _mismatch(self, view: GamesView, name: str, has: Any) -> str:
        shape, need = (", ".join(map(str, sizes)) for sizes in (has, ("N", *self._shape(view, name))))
        here = f"{view.game_id} as it is played here needs ({need})"
        return f"policy file {self.file!r}: {name!r} has the shape ({shape}); {here}"


class OnnxPlayer(PlayerKind):
    """Plays the legal action with the highest logit, the first of several; or draws one from the softmax over the legal
    actions, with random numbers from the rows' own streams.

    Nothing is kept between two calls, so that batches and threads may share a player.
    """

    KIND, NAMES = "policy", {
        "policy:FILE": "the most probable legal action of a network in an ONNX file",
        "policy:FILE:sample": "a legal action drawn from its probabilities",
    }  # fmt: skip

    def __init__(self, file: str, sampling: bool = False, game: Game | None = None) -> None:
        """
        Args:
            file: the model's path.
            sampling: whether actions are drawn instead of taking the most probable one.
            game: the game that it is to play, if known.

        Raises:
            ValueError: see `OnnxModel`.
        """
        self.file, self.sampling = file, sampling
        self.name = f"policy:{file}" + (SAMPLE if sampling else "")
        self.deterministic = not sampling
        self._model = OnnxModel(file, game=game)
        self.identity = self._model.identity

    @classmethod
    def parse(cls, text: str | None, game: Game | None, paths: Paths) -> OnnxPlayer:
        """``policy:text``: the path, which may contain colons (``C:\\nets\\first.onnx``), and an optional last
        ``:sample``. In a list of players a path can't contain commas, which separate the players. See
        `parlour.players.kind.PlayerKind`."""
        file = (text or "").removesuffix(SAMPLE)
        if not file:
            raise NotInForm("a file is missing")
        return cls(paths(file), text != file, game)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles keep only the file's path."""
        return type(self), (self.file, self.sampling)

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `parlour.players.Player`. ValueError if the model does not fit the game, or gives no finite logits."""
        row_ids = row_mask.nonzero()[0]
        logits = self._legal_logits(view, row_ids)
        if self.sampling:
            actions[row_ids] = drawn(_softmax(logits), view.random_numbers(row_ids))
        else:
            actions[row_ids] = logits.argmax(axis=1)

    def consider(self, view: GamesView, row: int = 0) -> Analysis:
        """The network's own probabilities. See `parlour.players.Considering`; ValueError also as in `choose`."""
        row_ids = only(view, row).nonzero()[0]
        return in_proportion(_softmax(self._legal_logits(view, row_ids))[0])

    def _legal_logits(self, view: GamesView, row_ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """The logits of the rows ``row_ids`` (M,): (M, A), −∞ for illegal actions. ValueError: see `choose`."""
        self._model.check_view(view)
        (outputs,) = self._model.run_rows(view, row_ids)
        logits = np.where(games_of(view).legal_in(row_ids) == 1, outputs.astype(np.float64), -np.inf)
        highest = logits.max(axis=1)
        if not np.isfinite(highest).all():  # NaN and ∞ among them, or −∞ alone
            row = int(row_ids[np.isfinite(highest).argmin()])
            raise ValueError(
                f"policy file {self.file!r} gives logits that are not finite for the legal actions of "
                f"{view.position(row)!r}"
            )
        return logits


def _open(file: str) -> tuple[Any, dict[str, str]]:
    """An onnxruntime session, and the SHA-256 of each file of it. ValueError without onnxruntime or without a model."""
    try:
        import onnxruntime
    except ImportError:
        raise ValueError(
            "players that are ONNX files need onnxruntime; python -m pip install 'parlour[onnx]' installs it"
        ) from None
    if not Path(file).is_file():
        raise ValueError(f"there is no policy file {file!r}")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # its errors are raised, so they need not be printed
    try:
        before = _digests(Path(file))
        with LOADING, redirect_stdout(io.StringIO()):  # onnxruntime prints a banner for a file that it can't read
            session = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors have no base class of their own
        raise ValueError(f"policy file {file!r} is not an ONNX model that can be run: {_one_line(error)}") from None
    if _digests(Path(file)) != before:
        raise ValueError(f"policy file {file!r} changed while it was read")
    return session, before


def _digests(file: Path) -> dict[str, str]:
    """The SHA-256 of a model's file, and of the files beside it with its weights, by their names."""
    digests = {"sha256": sha256_of(file)}
    for match in EXTERNAL_DATA.finditer(file.read_bytes()):
        name = match[2][: match[1][0]].decode(errors="replace")
        if (file.parent / name).is_file():
            digests[f"sha256 of {name}"] = sha256_of(file.parent / name)
    return digests


def _one_line(error: Exception) -> str:
    """What onnxruntime says, without its own prefix ``[ONNXRuntimeError] : 2 : INVALID_ARGUMENT :``."""
    return " ".join(str(error).split()).rpartition(" : ")[2]


def _softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """The softmax over each row of logits (M, A), some of them −∞, up to a factor."""
    weights: NDArray[np.float64] = np.exp(logits - logits.max(axis=1, keepdims=True))
    return weights
