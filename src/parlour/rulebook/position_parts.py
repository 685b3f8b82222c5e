"""Texts of positions in parts, with bars between: ``light 4 8 | dark 5 | hand 4 6 | light | dice 0 0 1 1 | 41``.

A game lists its parts. They are split and counted here, and those that many games have are written and read here too;
an error quotes the part and says what would be valid.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import NamedTuple

from parlour.rulebook.positions import read_count
from parlour.rulebook.protocol import FIRST_OWN_END, RUNNING, Record
from parlour.support.errors import listing

Writer = Callable[[Record, Record], str]
Reader = Callable[[str, Record, Record], None]
OfVariant = int | Callable[[Record], int]
"""A number, or what tells it by the variant."""


class Part(NamedTuple):
    """A part of a text."""

    write: Writer
    """Its text, from state and variant."""
    read: Reader
    """Sets the state from its text, under a variant, when all parts before it have been read. Raises ValueError."""
    optional: bool = False
    """Whether it may be missing, at the end of a text. It is not written if it is empty, and read as empty."""


def of_parts(parts: Sequence[Part], form: str, clear: Callable[[Record], None] | None = None) -> tuple[Writer, Reader]:
    """``write`` and ``read`` of a `Notation`. ``form``: an example; ``clear``: what is done to a state of zeros
    before it is read."""
    least = sum(not part.optional for part in parts)

    def write(state: Record, variant: Record) -> str:
        texts = [part.write(state, variant) for part in parts]
        return " | ".join(text for text, part in zip(texts, parts) if text or not part.optional)

    def read(text: str, state: Record, variant: Record) -> None:
        texts = f" {text}".split(" | ")  # the first part may be empty
        texts[0] = texts[0][1:]
        if not least <= len(texts) <= len(parts):
            some = f"{least}" if least == len(parts) else f"{least} or {len(parts)}"
            raise ValueError(f"it has {len(texts)} parts with bars between, not {some} as in {form!r}")
        if clear is not None:
            clear(state)
        for part, words in zip_longest(parts, texts, fillvalue=""):
            part.read(words, state, variant)  # type: ignore[union-attr]

    return write, read


def numbers(
    word: str, field: str, most: OfVariant, least: int = 0, count: OfVariant = 2, what: str = "numbers"
) -> Part:
    """``hand 4 6``: as many numbers of an array of the state, each from ``least`` to ``most``. What is behind them in
    the array, such as dice that are not thrown, is ``least`` − 1. ``what``: what they are, for the error."""

    def write(state: Record, variant: Record) -> str:
        return " ".join([word, *map(str, state[field].tolist()[: _of(count, variant)])])

    def read(text: str, state: Record, variant: Record) -> None:
        some = _of(count, variant)
        state[field][:] = least - 1
        state[field][:some] = read_numbers(text, word, least, _of(most, variant), some, what)

    return Part(write, read)


def one_of(field: str, words: Sequence[str], meaning: str) -> Part:
    """A word that stands for its number in ``words``; ``meaning``: what it is, for the error."""

    def read(text: str, state: Record, variant: Record) -> None:
        if text not in words:
            raise ValueError(f"{text!r} is no {meaning}; valid: {listing(words)}")
        state[field] = words.index(text)

    return Part(lambda state, variant: words[int(state[field])], read)


def seat_to_act(names: Sequence[str]) -> Part:
    """The seat to act, by the name or letter of each seat."""
    return one_of("to_act", names, "seat to act")


def _read_plies(text: str, state: Record, variant: Record) -> None:
    state.plies = read_count("plies", text)


PLIES = Part(lambda state, variant: str(state.plies), _read_plies)
"""The plies played."""


def read_numbers(
    text: str, word: str, least: int, most: int, count: int | None = None, what: str = "numbers"
) -> list[int]:
    """The numbers behind a word: ``count`` of them, or any in ascending order, each once. Raises ValueError."""
    first, *digits = text.split(" ")
    valid = {str(number): number for number in range(least, most + 1)}
    if first != word or count not in (None, len(digits)) or not valid.keys() >= set(digits):
        some = what if count is None else f"one of the {what}" if count == 1 else f"{count} {what}"
        raise ValueError(f"{text!r} is not {word!r} and {some} from {least} to {most}, one space before each")
    numbers = [valid[number] for number in digits]
    if count is None and numbers != sorted(set(numbers)):
        raise ValueError(f"{text!r}: {what} stand in ascending order, each once")
    return numbers


def _of(number: OfVariant, variant: Record) -> int:
    return int(number if isinstance(number, int) else number(variant))


# --- what a text of a race may show ---


def check_men(totals: Sequence[int], men: int, names: Sequence[str]) -> None:
    """ValueError for a seat that does not have all its ``men``."""
    for name, total in zip(names, totals):
        if total != men:
            raise ValueError(f"{name} has {total} men in all; each seat has {men}")


def check_borne_off(
    state: Record, men: int, names: Sequence[str], ends: Sequence[str], won: Callable[[int], int]
) -> None:
    """ValueError unless the game has ended by bearing off if, and only if, one seat has all its ``men`` off.

    ``ends``: names of the ends; ``won(seat)``: which of them it is if that seat has won.
    """
    finished = [seat for seat in range(2) if state.off[seat] == men]
    if len(finished) == 2:
        raise ValueError("both seats have borne off all men")
    given = ends[int(state.end)]
    if not finished and state.end >= FIRST_OWN_END:
        raise ValueError(f"end={given}, but no seat has borne off all men")
    for seat in finished:
        end = ends[won(seat)]
        if state.end == RUNNING:
            raise ValueError(f"{names[seat]} has borne off all men without end={end}")
        if given != end:
            raise ValueError(f"end={given}, but {names[seat]} has won; the end is {end}")
