"""The variants as option values, typed from the rules, and a pairwise cover of the options, for the referee."""

from __future__ import annotations

from typing import Any

VARIANT_OPTIONS: dict[str, dict[str, Any]] = {
    "parker": {},
    "all_tables": {"ducey_points": "all"},
    "backgammon_discipline": {"must_use_both": True},
    "plain_dice": {"dice": "plain"},
}

CHOICES: dict[str, tuple[Any, Any]] = {
    "ducey_points": ("tables", "all"),
    "entering": ("individual", "joint"),
    "must_use_both": (False, True),
    "bear_off_first": (False, True),
    "bear_off_from": ("at_once", "next_turn"),
    "dog_house_penalty": (0.0, 0.25),
    "dice": ("acey_ducey", "plain"),
}

PAIRWISE: list[dict[str, Any]] = [
    {name: values[bin(row & column).count("1") % 2] for column, (name, values) in enumerate(CHOICES.items(), 1)}
    for row in range(8)
]
"""Eight combinations in which any two options take all four pairs of values (the orthogonal array of strength 2)."""
