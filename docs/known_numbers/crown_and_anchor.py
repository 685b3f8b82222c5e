"""What Crown and Anchor is worth, exactly: bets, the bank, the first Banker, a whole cloth of stakes.

``python -m docs.known_numbers.crown_and_anchor`` prints the tables that stand in the game's README. Everything
is a `fractions.Fraction`, counted over the 216 equally likely throws or summed as a geometric series.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from parlour.envs.crown_and_anchor import notation, rules
from parlour.envs.crown_and_anchor.variants import OPTIONS, PAYOUT, PLAYERS, VARIANTS
from parlour.rulebook.positions import read_position
from parlour.rulebook.state_records import as_record, records, variant_record

THROWS = tuple(product(range(rules.DESIGNS), repeat=rules.THROWN))
"""The 216 equally likely throws."""

EXAMPLE = "chips 20 20 20 20 | banker 0 | throws 0 | bets 1:crown*5 2:crown*1 3:heart*3 | player_0 | dice - | 3"
"""A cloth for the tables: player_0 banks."""


def match_chances() -> tuple[Fraction, ...]:
    """[m]: the chance that m dice (0 to 3) show the design of a bet."""
    counts = Counter(throw.count(rules.CROWN) for throw in THROWS)
    return tuple(Fraction(counts[shown], len(THROWS)) for shown in range(rules.THROWN + 1))


def gain_per_chip(payout: str, shown: int) -> int:
    """What a staked chip gains when ``shown`` dice show its design, under an unlimited bank: the README.

    ``payout``: ``net`` or ``gross``; ValueError for anything else.
    """
    PAYOUT.read(payout)
    if shown == 0:
        return -1
    return shown if payout == "net" else shown - 1


def bet_return(payout: str) -> Fraction:
    """The expected gain of a bet, per chip."""
    return sum((chance * gain_per_chip(payout, shown) for shown, chance in enumerate(match_chances())), Fraction())


def bet_variance(payout: str) -> Fraction:
    """The variance of a bet's gain, per chip (for a stake of s chips, s² times as much)."""
    squares = (chance * gain_per_chip(payout, shown) ** 2 for shown, chance in enumerate(match_chances()))
    return sum(squares, Fraction()) - bet_return(payout) ** 2


def bank_tenure() -> Fraction:
    """How many throws a Banker of an unlimited bank makes on average: one over the chance of a triple."""
    triples = sum(len(set(throw)) == 1 for throw in THROWS)
    return 1 / Fraction(triples, len(THROWS))


def first_banker_chances(players: int) -> tuple[Fraction, ...]:
    """[seat]: the chance to be the first Banker, where the seats throw one die in turn until a crown comes.

    Seat k throws the first crown in round r with (5/6)^(k + r·players) / 6; summed over r = 0, 1, 2, …
    ``players``: 2 to 12; ValueError for anything else.
    """
    PLAYERS.read(players)
    crown = Fraction(1, rules.DESIGNS)
    other = 1 - crown
    return tuple(crown * other**seat / (1 - other**players) for seat in range(players))


def expected_changes(position: str, **options: Any) -> tuple[Fraction, ...]:
    """[seat]: the expected change in chips, if the Banker threw now, with the stakes of a position's text.

    ``options`` are those of `parlour.make`; the rule kernels themselves settle the 216 throws, so that this holds for a
    limited bank too. Raises ValueError for a bad text or option.
    """
    variant = variant_record(OPTIONS, VARIANTS, **options)
    before = as_record(records(1, rules.STATE), 0)
    read_position(notation, rules, position, before, variant)
    players = int(variant.players)
    rewards, sums = np.zeros(players), np.zeros(players, np.int64)
    for throw in THROWS:
        after = before.copy()
        rules.throw(after, variant, np.array(throw, np.int8), rewards)
        sums += after.chips[:players] - before.chips[:players]
    return tuple(Fraction(int(change), len(THROWS)) for change in sums)


# --- tables ---


def tables(players: int = PLAYERS.default) -> str:
    """The tables of the README, for ``players`` seats, as Markdown."""
    payouts = PAYOUT.values
    matches = _table(
        ("dice that show the design", "chance", *payouts),
        [
            (str(shown), f"{chance.numerator * len(THROWS) // chance.denominator}/{len(THROWS)}",
             *(_exact(Fraction(gain_per_chip(payout, shown))) for payout in payouts))
            for shown, chance in enumerate(match_chances())
        ],
    )  # fmt: skip
    worth = _table(
        ("per chip staked", *payouts),
        [
            ("expected gain", *(_exact(bet_return(payout)) for payout in payouts)),
            ("variance", *(_exact(bet_variance(payout)) for payout in payouts)),
        ],
    )
    first = _table(
        ("seat", "chance to be the first Banker"),
        [(f"`player_{seat}`", _exact(chance)) for seat, chance in enumerate(first_banker_chances(players))],
    )
    changes = zip(*(expected_changes(EXAMPLE, payout=payout) for payout in payouts))
    cloth = _table(
        ("expected change", *payouts),
        [(f"`player_{seat}`", *(_exact(change) for change in each)) for seat, each in enumerate(changes)],
    )
    return "\n\n".join(
        (
            "A bet by the dice that match it, in chips for each chip staked:",
            matches,
            worth,
            f"The bank of an unlimited Banker lasts {bank_tenure()} throws on average. With {players} seats:",
            first,
            f"What a throw brings on average, here from\n`{EXAMPLE}`:",
            cloth,
        )
    )


def _exact(value: Fraction) -> str:
    """``−17/216 (−0.0787)``"""
    decimal = f" ({float(value):.4f})" if value.denominator > 1 else ""
    return f"{value}{decimal}".replace("-", "−")


def _table(heading: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (heading, ("---",) * len(heading), *rows))


if __name__ == "__main__":
    print(tables())
