"""A position and arrays of pixels for tests of pictures."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from parlour.interfaces.aec import GameEnv
from tests.support.games import begun

SWORDS = "swords_and_shields-v0"
START = "3sss3/4s4/4o4/s3o3s/ssoocooss/s3o3s/4o4/4s4/3sss3"
Pixels = NDArray[np.uint8]
Box = tuple[int, int, int, int]
"""Left, top, right, bottom; the last two are the first pixels outside."""


def at(position: str, variant: str | None = None, render_mode: str | None = None, **values: object) -> GameEnv:
    env: GameEnv = begun(SWORDS, position=position, variant=variant, render_mode=render_mode, **values)
    return env


def bounds(where: NDArray[np.bool_]) -> Box:
    assert where.any()
    rows, columns = np.flatnonzero(where.any(axis=1)), np.flatnonzero(where.any(axis=0))
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1
