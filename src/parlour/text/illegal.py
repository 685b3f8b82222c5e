"""What follows an illegal reply: the rules, and the texts that name them."""

from __future__ import annotations

from dataclasses import dataclass

from parlour.support.arguments import MAX_AMOUNT, shown

FORMS = "'retry:2' (any number from 0 up), 'penalty:0.1' (any number from 0 up), 'forfeit' or 'random'"
MOST_IN_A_ROW = 100
"""So many illegal replies at one ply forfeit the game whatever the rule, so that no game goes on without end."""


@dataclass(frozen=True)
class IllegalRule:
    """What follows an illegal reply.

    Attributes:
        tries: how many illegal replies a seat may give at one ply; the next one forfeits the game.
        penalty: what each of them takes from the seat's reward.
        plays_random: whether a legal move is drawn in its place.
    """

    tries: int = 0
    penalty: float = 0.0
    plays_random: bool = False


def read_illegal(text: object) -> IllegalRule:
    """The rule that a text names. ValueError for any other text."""
    kind, colon, number = text.partition(":") if isinstance(text, str) else ("", "", "")
    if kind == "retry" and number.isdecimal() and len(number) <= 4:
        return IllegalRule(min(int(number), MOST_IN_A_ROW - 1))
    if kind == "penalty" and colon:
        try:
            penalty = float(number)
        except ValueError:
            penalty = -1.0
        if 0 <= penalty <= MAX_AMOUNT:
            return IllegalRule(MOST_IN_A_ROW - 1, penalty)
    if text == "forfeit":
        return IllegalRule()
    if text == "random":
        return IllegalRule(plays_random=True)
    raise ValueError(f"illegal={shown(text)} is not valid; valid: {FORMS}")
