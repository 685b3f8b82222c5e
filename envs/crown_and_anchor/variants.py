"""Options and variants of Crown and Anchor (the README; Parker is the printed sheet)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from parlour.rulebook.options import Choice, Count, Flag, Value, Variant, max_plies

PLAYERS = Count("players", 4, "seats at the table, the Banker's among them", minimum=2, maximum=12)
MAX_STAKE = Count("max_stake", 5, "the most chips that a seat may have on one design", minimum=1, maximum=5461)
"""At most 5461, so that an action's number fits the state record."""
START_CHIPS = Count("start_chips", 20, "chips with which every seat begins", minimum=1)
ROUNDS = Count("rounds", 100, "throws of the Banker after which the game ends", minimum=1)
BETS = Choice("bets", ("one", "many"), "whether a seat bets on one design a round, or on as many as it likes")
SIT_OUT = Flag("sit_out", "whether a seat may place nothing in a round")
PAYOUT = Choice(
    "payout", ("net", "gross"), "whether a stake that is paid m-fold is kept besides, or is among the m-fold"
)
BANK = Choice(
    "bank", ("unlimited", "limited"), "whether the Banker owes what it can't pay, or pays as far as its chips go"
)

OPTIONS = (PLAYERS, MAX_STAKE, START_CHIPS, ROUNDS, BETS, SIT_OUT, PAYOUT, BANK, max_plies(0))

VARIANTS = (
    Variant("parker", "the printed rules of 1945, a bet a round"),
    Variant("many_bets", "several bets a round", {"bets": "many"}),
    Variant("gross", "the stake is among what is paid", {"payout": "gross"}),
    Variant("limited_bank", "the Banker pays as far as its chips go", {"bank": "limited"}),
)

LOSS = {"net": Fraction(17, 216), "gross": Fraction(1, 2)}
"""[payout]: what a bet loses on average, per chip."""


def unrated(values: Mapping[str, Value]) -> str:
    """Why players have no ratings, and what a bet loses under these option values."""
    loss = LOSS[str(values["payout"])]
    return (
        f"who wins is chance; what play decides is how much is staked, of which a bet loses {loss} ({float(loss):.4f})"
    )
