"""Options and variants."""

from __future__ import annotations

from parlour.rulebook.options import Choice, Variant, max_plies

DISCS = Choice("discs", ("more", "fewer"), "whether more or fewer discs win")
OPTIONS = (DISCS, max_plies(0))
VARIANTS = (
    Variant("othello", "who has more discs at the end wins"),
    Variant("anti", "who has fewer discs at the end wins", {"discs": "fewer"}),
)
