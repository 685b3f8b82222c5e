"""Every wrapper of AEC environments that the shared tests run over, each as a function of the environment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.wrappers.history_planes import HistoryPlanes

WRAPPERS: dict[str, Callable[[Any], Any]] = {
    "HistoryPlanes": lambda env: HistoryPlanes(env, 3),
}
