"""Options and variants."""

from __future__ import annotations

from parlour.rulebook.options import Choice, Variant, max_plies

LINE = Choice("line", ("wins", "loses"), "what three in a line mean for who makes them")
OPTIONS = (LINE, max_plies(0))
VARIANTS = (
    Variant("usual", "three in a line win"),
    Variant("misere", "three in a line lose", {"line": "loses"}),
)
