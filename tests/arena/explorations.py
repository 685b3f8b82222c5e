"""An exploration of Pig for tests."""

from __future__ import annotations

from typing import Any

from parlour.arena.study.plans import ExplorationPlan, plan_exploration

PIG = {"goal": [6, 12, 24], "snake_eyes": None}
GOALS = ["plies:min", "skill:max"]


def plan_of(**change: Any) -> ExplorationPlan:
    """An exploration of Pig."""
    asked: dict[str, Any] = {
        "game": "pig-v0", "explored": PIG, "goals": GOALS, "variant": None, "options": {}, "player": "random",
        "skill": ("random", "greedy"), "games": 4, "finalists": 2, "final": 6, "seed": 5, **change,
    }  # fmt: skip
    return plan_exploration(**asked)


ASK: dict[str, Any] = {
    "player": "random", "skill": ("random", "greedy"), "games": 10, "finalists": 2, "final": 20, "seed": 5,
}  # fmt: skip
