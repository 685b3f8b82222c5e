"""Fixed players for tests, by name: ``python:tests.learn.fixed:first_free``."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def first_free(observation: Any, action_mask: NDArray[np.int8]) -> NDArray[np.int64]:
    """The first legal action."""
    return action_mask.argmax(axis=1)


first_free.version = "1"  # type: ignore[attr-defined]
