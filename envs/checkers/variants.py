"""Options and variants of Checkers (RULES.md, section 5)."""

from __future__ import annotations

from parlour.options import Choice, Value, Variant, max_plies, repetition

DRAW_RULE = Choice(
    "draw_rule",
    ("wcdf", "openspiel", "none"),
    "which count draws: 80 turns without a capture or a man's move, 40 actions without a capture, or none",
)

OPTIONS = (DRAW_RULE, repetition(3), max_plies(0))

VARIANTS = (
    Variant("american", "the rules of the World Checkers/Draughts Federation"),
    Variant("openspiel", "OpenSpiel's game checkers, to be stepped beside it", {"draw_rule": "openspiel"}),
)

WITHOUT_WCDF: dict[str, Value] = {"repetition": 0, "max_plies": 1000}
"""What the limits are, unless given, under the other draw rules."""


def settle(values: dict[str, Value], explicit: frozenset[str]) -> None:
    """The defaults of `repetition` and `max_plies` hang on `draw_rule`; a given value holds under any."""
    if values["draw_rule"] != "wcdf":
        values.update({name: value for name, value in WITHOUT_WCDF.items() if name not in explicit})
