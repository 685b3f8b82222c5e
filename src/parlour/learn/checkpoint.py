"""Checkpoints of training runs: one file, written whole or not at all, from which a run resumes exactly.

``numpy.load`` reads the file: it has the arrays of the learner, and ``run``, the rest as JSON in UTF-8.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.files import read_file, write_file

MAX_BYTES = 4 << 30
RUN = "run"


def write_checkpoint(path: Path, run: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Writes a checkpoint. ``run``: a JSON object. OSError if it can't be written."""
    content = io.BytesIO()
    text = np.frombuffer(json.dumps(run).encode(), np.uint8)
    np.savez(content, **{RUN: text}, **arrays)  # type: ignore[arg-type]
    write_file(path, content.getvalue())


def read_checkpoint(path: Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The arguments of `write_checkpoint`. No code in the file is run. ValueError for a file that is not a checkpoint,
    OSError for one that can't be read."""
    try:
        with np.load(io.BytesIO(read_file(path, MAX_BYTES)), allow_pickle=False) as content:
            arrays = {name: content[name] for name in content.files}
        run = json.loads(arrays.pop(RUN).tobytes().decode())
        if not isinstance(run, dict):
            raise ValueError("no object")
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(f"{path} is not a checkpoint, or is damaged ({error}); delete it to start over") from None
    return run, arrays
