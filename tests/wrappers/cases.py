"""Every wrapper of AEC environments that the shared tests run over, each as a function of the environment."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from parlour.wrappers.history_planes import HistoryPlanes
from parlour.wrappers.record_games import RecordGames
from parlour.wrappers.variant_selector import VariantSelector
from parlour.wrappers.win_warning import WinWarning

WRAPPERS: dict[str, Callable[[Any], Any]] = {
    "HistoryPlanes": lambda env: HistoryPlanes(env, 3),
    "VariantSelector": VariantSelector,
    "VariantSelector with planes": lambda env: VariantSelector(env, planes="options"),
    "RecordGames": lambda env: RecordGames(env, os.devnull),
    "WinWarning": WinWarning,
    "WinWarning with planes": lambda env: WinWarning(env, planes=True),
}
