"""Slow, plain referees written from the rules alone, to hold the fast kernels against."""

from __future__ import annotations


def check_count(option: str, value: object, possible: str, forbidden: tuple[int, ...] = ()) -> None:
    """Refuse what is no count ("booleans are not counts"), is negative or is forbidden."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0 or value in forbidden:
        raise ValueError(f"{option} must be {possible}, not {value!r}")


def check_repeats(repeats: object, repetition: int) -> None:
    """`repeats` (`draw` (default) | `loses` | `forbidden`), only together with `repetition` = n."""
    if repeats not in ("draw", "loses", "forbidden") or (repeats != "draw" and not repetition):
        raise ValueError(f"repeats must be draw, loses or forbidden, not {repeats!r} with repetition {repetition}")
