"""Numbers with a sign, as people write them."""

from __future__ import annotations


def signed(value: float, digits: int) -> str:
    """A number with its sign and this many decimals: ``+0.50``, ``−0.06`` with a true minus, ``0.00`` for what rounds
    to nothing."""
    text = f"{value:+.{digits}f}"
    return text.replace("-", "−") if float(text) else text[1:]
