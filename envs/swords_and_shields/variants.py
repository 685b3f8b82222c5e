"""Options and variants of Swords & Shields (the README; Milton Bradley is the printed sheet)."""

from __future__ import annotations

from parlour.rulebook.options import REPEATS, Choice, Variant, max_plies, repetition

THRONE_HOSTILE = Choice(
    "throne_hostile",
    ("chief", "all"),
    "which pieces e5 helps to capture: only the Chief beside it, or, when empty, every piece beside it",
)
CHIEF_BESIDE_THRONE = Choice(
    "chief_beside_throne",
    ("one", "three"),
    "swords that capture the Chief on a circled dot: one opposite e5 (or two across), or three round him",
)
ESCAPE = Choice("escape", ("edge", "corner"), "where the Chief escapes: on any edge dot, or only in the four corners")

OPTIONS = (THRONE_HOSTILE, CHIEF_BESIDE_THRONE, ESCAPE, repetition(3), REPEATS, max_plies(400))

VARIANTS = (
    Variant("milton_bradley", "the printed rules of 1970"),
    Variant(
        "tablut",
        "Linnaeus's Tablut as commonly reconstructed: e5 hostile to all, the Chief beside it taken by three",
        {"throne_hostile": "all", "chief_beside_throne": "three"},
    ),
    Variant("corner_escape", "the Chief must reach a corner", {"escape": "corner"}),
)
