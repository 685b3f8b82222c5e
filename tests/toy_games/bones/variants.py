"""How many dice a throw has."""

from __future__ import annotations

from parlour.rulebook.options import Count, Variant, max_plies

OPTIONS = (
    Count("thrown", 1, "dice that are thrown: the knucklebone, the stick, the die", minimum=1, maximum=3),
    Count("goal", 10, "points that win", minimum=1, maximum=100),
    max_plies(200),
)
VARIANTS = (
    Variant("bone", "a knucklebone"),
    Variant("stick", "and a stick", {"thrown": 2, "goal": 16}),
    Variant("three", "and a die of twenty faces", {"thrown": 3, "goal": 60}),
)
