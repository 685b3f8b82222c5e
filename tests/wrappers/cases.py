"""Every wrapper of AEC environments that the shared tests run over, each as a function of the environment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.wrappers.discounted_win import DiscountedWin
from parlour.wrappers.event_reward import EventReward
from parlour.wrappers.history_planes import HistoryPlanes
from parlour.wrappers.potential_shaping import PotentialShaping
from parlour.wrappers.variant_selector import VariantSelector


def every_event(env: Any) -> dict[str, float]:
    """An amount for each event of the game; none for what is no game."""
    game = getattr(env, "game", None)
    return {} if game is None else {event: 0.1 * (k + 1) for k, event in enumerate(game.evaluation.EVENTS)}


WRAPPERS: dict[str, Callable[[Any], Any]] = {
    "DiscountedWin": lambda env: DiscountedWin(env, 0.99),
    "EventReward": lambda env: EventReward(env, every_event(env), zero_sum=True),
    "HistoryPlanes": lambda env: HistoryPlanes(env, 3),
    "PotentialShaping": lambda env: PotentialShaping(env, 0.98, anneal=3),
    "VariantSelector": VariantSelector,
    "VariantSelector with planes": lambda env: VariantSelector(env, planes="options"),
}
