"""Training curves for TensorBoard, if it is installed; PyTorch is not needed."""

from __future__ import annotations

import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

FOLDER = "tensorboard"


class Curves:
    """Writes numbers over steps; does nothing if TensorBoard is not installed."""

    def __init__(self, folder: Path) -> None:
        self._writer: Any = None
        if find_spec("tensorboard") is not None:
            from tensorboard.summary.writer.event_file_writer import EventFileWriter

            self._writer = EventFileWriter(str(folder / FOLDER))

    def add(self, step: int, **numbers: float) -> None:
        """Adds numbers at a step."""
        if self._writer is not None:
            from tensorboard.compat.proto.event_pb2 import Event
            from tensorboard.compat.proto.summary_pb2 import Summary

            values = [Summary.Value(tag=name, simple_value=number) for name, number in numbers.items()]
            self._writer.add_event(Event(wall_time=time.time(), step=step, summary=Summary(value=values)))

    def close(self) -> None:
        """Writes what is buffered and closes the file."""
        if self._writer is not None:
            self._writer.close()
