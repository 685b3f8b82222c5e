"""Options and variants."""

from __future__ import annotations

from parlour.rulebook.options import Count, Flag, Variant, max_plies

MIN_LENGTH, MAX_LENGTH = 6, 16
OPTIONS = (
    Count("length", 12, "squares of the track", minimum=MIN_LENGTH, maximum=MAX_LENGTH),
    Flag("exact", "whether a man comes home by exactly the number that it needs, not by a larger one", True),
    max_plies(400),
)
VARIANTS = (
    Variant("starter", "a man comes home by exactly the number that it needs"),
    Variant("loose", "a man comes home by a larger number, too", {"exact": False}),
)
