"""Checkpoints of training runs: one file, written whole or not at all, from which a run resumes exactly.

``numpy.load`` reads the file: it has the arrays of the learner, and ``run``, the rest as JSON in UTF-8. Nothing in a
file is executed, and all of it is checked before use: the JSON by the types below; types, sizes and ranges of the
arrays by the learner.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from parlour.learn.learner import NamedArrays
from parlour.learn.strength import Measured, Seconds
from parlour.rulebook.options import Value
from parlour.support.files import read_file, write_file
from parlour.support.typed_json import Count, Struct, decode_json

MAX_BYTES = 4 << 30
RUN = "run"


class SavedTraining(Struct, frozen=True):
    """The plan of a run: see `parlour.learn.run.TrainingPlan`."""

    game: str
    variants: list[str]
    options: dict[str, Value]
    method: str
    hidden: int | None
    seed: int
    start: str | None = None
    against: dict[str, dict[str, str]] | None = None  # the names of fixed players, and what identifies each
    league: bool = False  # whether the learner plays against itself, too
    rules: str | None = None  # `Game.digest`; version 0.3.0 did not write it


class SavedRun(Struct, frozen=True):
    """The contents of a checkpoint besides its arrays: see `parlour.learn.run.TrainingRun`."""

    plan: SavedTraining
    rounds: Count
    seconds: Seconds
    curve: list[Measured]


def write_checkpoint(path: Path, run: SavedRun, arrays: NamedArrays) -> None:
    """Writes a checkpoint. OSError if it can't be written."""
    content = io.BytesIO()
    text = np.frombuffer(msgspec.json.encode(run), np.uint8)
    np.savez(content, **{RUN: text}, **arrays)  # type: ignore[arg-type]
    write_file(path, content.getvalue())


def read_checkpoint(path: Path) -> tuple[SavedRun, dict[str, NDArray[Any]]]:
    """The arguments of `write_checkpoint`; the arrays are not checked yet. ValueError, which names the file and the
    entry, for a file that is not a checkpoint; OSError for one that can't be read."""
    content = read_file(path, MAX_BYTES, follow_links=False)
    try:
        arrays = _arrays_in(content)
        text = arrays.pop(RUN).tobytes()
    except Exception as error:  # NumPy and zipfile raise a dozen types of errors for damaged files
        raise ValueError(f"{path}: not a checkpoint, or damaged ({type(error).__name__}: {error})") from None
    return decode_json(text, SavedRun, f"{path}: {RUN}"), arrays


def _arrays_in(content: bytes) -> dict[str, NDArray[Any]]:
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        if any(part.compress_type != zipfile.ZIP_STORED for part in parts.infolist()):
            raise ValueError("its arrays are compressed, and might unpack to any size")
    with np.load(io.BytesIO(content), allow_pickle=False) as loaded:
        return {name: loaded[name] for name in loaded.files}
