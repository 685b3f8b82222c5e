"""Races: who has less way to go. What games share whose men run to a goal."""

from __future__ import annotations

from parlour.rulebook.compiling import kernel


@kernel
def lead(to_go: int, others: int) -> float:
    """A potential from −1 to 1 of a seat that has ``to_go`` pips to go, the other seat ``others``."""
    return (others - to_go) / max(to_go + others, 1)


@kernel
def lead_bounds(to_go: int, others: int, run: int, thrown_back: int) -> tuple[float, float, float]:
    """The lowest and the highest `lead` after each seat has run at most ``run`` pips and been thrown back by at most
    ``thrown_back``; and 1.0 if a seat may have reached the goal, else 0.0."""
    least_own, least_others = max(to_go - run, 0), max(others - run, 0)
    most_own, most_others = to_go + thrown_back, others + thrown_back
    low, high = lead(most_own, least_others), lead(least_own, most_others)
    return low, high, 1.0 if least_own == 0 or least_others == 0 else 0.0
