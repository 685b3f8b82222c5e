"""Options and variants."""

from __future__ import annotations

from parlour.rulebook.options import Count, Flag, Variant, max_plies

MAX_PILE = 100
OPTIONS = (
    Count("pile", 21, "counters in the pile at the start", minimum=1, maximum=MAX_PILE),
    Flag("last_loses", "whether the seat that takes the last counter loses"),
    max_plies(0),
)
VARIANTS = (
    Variant("starter", "the seat that takes the last counter wins"),
    Variant("misere", "the seat that takes the last counter loses", {"last_loses": True}),
)
