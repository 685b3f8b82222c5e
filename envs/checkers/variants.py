"""Options and variants of Checkers (the README)."""

from __future__ import annotations

from dataclasses import replace

from parlour.rulebook.options import REPEATS, Choice, Count, Value, Variant, max_plies, repetition

DRAW_RULE = Choice(
    "draw_rule",
    ("wcdf", "openspiel", "none"),
    "which count draws: 80 turns without a capture or a man's move, 40 actions without a capture, or none",
)

WITHOUT_WCDF: dict[str, Value] = {"repetition": 0, "max_plies": 1000}
"""The default limits under the other draw rules."""


def hanging(limit: Count) -> Count:
    """The option, with a note in its description that the default depends on `draw_rule`."""
    other = WITHOUT_WCDF[limit.name]
    return replace(limit, meaning=f"{limit.meaning}; {other} by default unless draw_rule is 'wcdf'")


OPTIONS = (DRAW_RULE, hanging(repetition(3)), REPEATS, hanging(max_plies(0)))

VARIANTS = (
    Variant("american", "the rules of the World Checkers/Draughts Federation"),
    Variant("openspiel", "OpenSpiel's game checkers, to be stepped beside it", {"draw_rule": "openspiel"}),
)


def resolve_dependent(values: dict[str, Value], explicit: frozenset[str]) -> None:
    """The defaults of `repetition` and `max_plies` depend on `draw_rule`; a value that is given is always used."""
    if values["draw_rule"] != "wcdf":
        values.update({name: value for name, value in WITHOUT_WCDF.items() if name not in explicit})
