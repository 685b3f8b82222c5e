"""Options and variants."""

from __future__ import annotations

from parlour.rulebook.options import Choice, Variant, max_plies

LINE = Choice("line", ("wins", "loses"), "whether the seat with three in a line wins or loses")
OPTIONS = (LINE, max_plies(0))
VARIANTS = (
    Variant("usual", "three in a line win"),
    Variant("misere", "three in a line lose", {"line": "loses"}),
)
