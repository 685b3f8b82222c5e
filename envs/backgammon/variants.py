"""Options and variants of Backgammon (README.md names their sources)."""

from __future__ import annotations

from parlour.rulebook.options import Choice, Variant, max_plies

SETUP = Choice("setup", ("standard", "nackgammon", "hyper"), "the men and where they start")
GAMMONS = Choice(
    "gammons",
    ("counted", "single"),
    "whether a gammon pays twice and a backgammon three times what a single game pays, or every win the same",
)
OPENING = Choice(
    "opening",
    ("single_die", "throw"),
    "who throws the higher single die begins with both of these numbers, or throws both dice anew",
)

OPTIONS = (SETUP, GAMMONS, OPENING, max_plies(4000))

VARIANTS = (
    Variant("standard", "the game as it is played everywhere"),
    Variant("nackgammon", "Nack Ballard's set-up, with four men far back", {"setup": "nackgammon"}),
    Variant("hyper", "hypergammon: three men a side, every win alike", {"setup": "hyper", "gammons": "single"}),
)
