"""Value networks for tests: random ones, of games that compile quickly."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parlour.interfaces.batch import Batch
from parlour.interfaces.registry import find
from parlour.players.value import ValueNetwork, new_network, save
from parlour.players.value.files import DIGEST_BYTES, FIRST_LINE
from tests.support.games import batch_of

LONG = pytest.param("acey_ducey-v0", marks=pytest.mark.long)
"""Its kernels take longest to compile."""
GAMES = {
    "checkers-v0": {},
    "pig-v0": {"players": 3},  # dice, three seats
    "acey_ducey-v0": {},  # dice, input numbers of its own
    "backgammon-v0": {"setup": "hyper", "max_plies": 60},  # pays more than 1
}


def network_for(game: str, hidden: int = 16, variants: Any = None, outputs: int = 1) -> ValueNetwork:
    """A random network for a game of `GAMES` with its options there. With three outputs its scale is 2.5."""
    scale = 1.0 if outputs == 1 else 2.5
    return new_network(find(game), variants, hidden, scale, 5, GAMES[game], outputs)


def saved(folder: Path, game: str) -> Path:
    """The file of one."""
    path = folder / "net.value"
    save(network_for(game), path)
    return path


def changed(path: Path, change: Callable[[dict[str, Any]], None] = lambda header: None, rest: Any = None) -> Path:
    """The file with another header, or other numbers behind it, and a digest that fits."""
    line, _, numbers = path.read_bytes()[len(FIRST_LINE) : -DIGEST_BYTES].partition(b"\n")
    header = json.loads(line)
    change(header)
    content = FIRST_LINE + json.dumps(header).encode() + b"\n" + (numbers if rest is None else rest(numbers))
    path.write_bytes(content + hashlib.sha256(content).digest())
    return path


def middle(game: str, rows: int = 12, plies: int = 40) -> Batch:
    """Games a random number of plies from their start; those that end begin again."""
    return batch_of(game, rows, plies=plies, seed=3, **GAMES[game])


def lookers(batch: Batch) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The seat to act in each row."""
    return batch.games.states["to_act"].astype(np.int64)
