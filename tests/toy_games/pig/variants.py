"""Options of every kind, and a combination that is refused."""

from __future__ import annotations

from parlour.rulebook.options import Amount, Choice, Count, Flag, Value, Variant, max_plies

BANK = Choice("bank", ("points", "nothing"), "what holding is rewarded with")
OPTIONS = (
    Count("players", 3, "seats", minimum=2, maximum=12),
    Count("goal", 20, "points that win", minimum=1),
    Flag("snake_eyes", "whether two ones lose all points"),
    Amount("fine", 0.0, "reward taken for a throw with a one, and given to the next seat"),
    BANK,
    max_plies(0),
)
VARIANTS = (Variant("pig", "the usual rules"), Variant("strict", "two ones lose all points", {"snake_eyes": True}))


def resolve_dependent(values: dict[str, Value], explicit: frozenset[str]) -> None:
    """A longer game for more seats, unless told otherwise; a fine makes no sense without rewards for banking."""
    if "goal" not in explicit and int(values["players"]) > 4:
        values["goal"] = 10
    if "fine" in explicit and values["fine"] and values["bank"] == "nothing":
        raise ValueError("fine has no effect with bank=nothing")
