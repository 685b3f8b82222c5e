"""Records that were named when the server was started: files of games and folders of runs."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from parlour.arena.replays import is_run, read_run
from parlour.records import GameRecord, read_records
from parlour.serve.settings import MAX_RECORDS


def records_of(path: Path) -> list[GameRecord]:
    """The first games of a file or of a run's folder. ValueError or OSError as reading raises them."""
    if is_run(path):
        return [record for _, record in islice(read_run(path), MAX_RECORDS)]
    return read_records(path)[:MAX_RECORDS]
