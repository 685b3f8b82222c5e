"""Texts of positions: the words that all games write in the same way, around each game's own part.

A game's ``notation.py`` is a `Notation`. In a game without dice a text is the game's own part, then ``key=value``
words in one fixed order: the game's own keys, ``plies``, ``seen`` (the keys of earlier positions that could come
again, under `repetition`), ``end``. Words with their default value are not written.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parlour.rulebook.options import FORBIDDEN, LARGEST_COUNT
from parlour.rulebook.protocol import MAX_PLIES, REPETITION, RUNNING, Notation, Record
from parlour.support.errors import listing as listing  # notations say what is valid with it
from parlour.support.errors import shortened

Words = dict[str, str]
NO_FORMS: dict[str, Any] = {}
COUNT, KEYS = re.compile("0|[1-9][0-9]{0,9}"), re.compile("[0-9a-f]{16}(,[0-9a-f]{16})*")
RUN, EMPTY = re.compile("[0-9]+"), re.compile(r"\.+")


class PositionForm(NamedTuple):
    """A form in which other programs write positions of a game, in ``FORMS`` of its ``notation.py``, by its name."""

    matches: Callable[[str], bool]
    """Whether a text is of this form, well or badly written"""
    read: Callable[[str, Record, Record], str]
    """Sets a state of zeros from a text, under a variant: before a throw (its dice are due) where the text has none.
    Returns, in words, what the text says and the game does not know; empty if there is nothing. ValueError if it is
    malformed or impossible"""
    write: Callable[[Record, Record], str]
    """The text of a state; ValueError for one that the form can't hold"""


def forms_of(notation: Any) -> Mapping[str, PositionForm]:
    """The forms of other programs that a game's positions may have."""
    return getattr(notation, "FORMS", NO_FORMS)


def form_of(notation: Any, text: object) -> PositionForm | None:
    """The form of another program that a text has; None for a text of our own."""
    if not isinstance(text, str):
        return None
    return next((form for form in forms_of(notation).values() if form.matches(text)), None)


def fixed_names(
    names: Sequence[str | None],
) -> tuple[Callable[[int, Record], str | None], Callable[[str, Record], int | None]]:
    """``move_name`` and ``parse_move`` of a `Notation` where the name of each action (None: it is never legal) is the
    same in all positions."""
    actions = {name: action for action, name in enumerate(names) if name is not None}
    return lambda action, state: names[action], lambda text, state: actions.get(text)


def write_position(notation: Notation, rules: Any, state: Record, variant: Record, seen: NDArray[np.uint64]) -> str:
    """The text of a position. ``seen`` (K,): keys at ends of turns; the present one, if it is there, is the last."""
    words = [notation.write(state, variant)]
    if not notation.DICE_TEXT:
        if state.plies:
            words.append(f"plies={state.plies}")
        earlier = seen[: max(int(state.seen) - int(state.turn_over), 0)]
        if len(earlier):
            words.append("seen=" + ",".join(f"{int(key):016x}" for key in earlier))
    if state.end != RUNNING:
        words.append(f"end={rules.ENDS[state.end]}")
    return " ".join(words)


def read_position(notation: Notation, rules: Any, text: object, state: Record, variant: Record) -> list[int]:
    """Sets ``state`` (all zeros before) from a text and returns its ``seen`` keys, without the present position's.

    Raises ValueError that names the text and what is wrong with it; ``state`` must then be discarded.
    """
    if not isinstance(text, str):
        raise ValueError(f"a position is a text, not {text!r}")
    form = form_of(notation, text)
    try:
        if form is not None:
            return _read_form(form, notation, text, state, variant)
        return _read(notation, rules, text, state, variant)
    except ValueError as error:
        shown = text if len(text) <= 200 else text[:200] + "…"
        raise ValueError(f"position {shown!r}: {shortened(str(error))}") from None


def _read_form(form: PositionForm, notation: Notation, text: str, state: Record, variant: Record) -> list[int]:
    """The same for a text of another program; it is the beginning of a game."""
    state.last_action = state.last_seat = -1
    state.turn_over = 1
    unknown = form.read(text, state, variant)
    notation.check(state, variant)
    if unknown:
        message = f"position {text!r}: it also tells {unknown}, which this game does not know"
        warnings.warn(shortened(message), stacklevel=2)
    return []


def _read(notation: Notation, rules: Any, text: str, state: Record, variant: Record) -> list[int]:
    keys = ["end"] if notation.DICE_TEXT else ["plies", "seen", "end"]
    own_text, words = split_words(text, keys)
    state.last_action = state.last_seat = -1
    state.turn_over = 1
    state.plies = read_count("plies", words.get("plies", "0"))
    end = words.get("end", "")
    if "end" in words and end not in rules.ENDS[1:]:
        raise ValueError(f"end={end!r} is no ending; endings: {listing(rules.ENDS[1:])}")
    state.end = rules.ENDS.index(end)
    if state.end == MAX_PLIES and not variant.max_plies:
        raise ValueError("end=max_plies, but the option max_plies is 0 (no limit)")
    if state.end == REPETITION and (not variant.repetition or variant.repeats == FORBIDDEN):
        off = "repeats is 'forbidden'" if variant.repetition else "repetition is 0 (off)"
        raise ValueError(f"end=repetition, but the option {off}")
    notation.read(own_text, state, variant)
    notation.check(state, variant)
    limit = int(variant.max_plies)
    if state.end == RUNNING and 0 < limit <= state.plies:
        raise ValueError(f"{state.plies} plies, with max_plies={limit}, need end=max_plies")
    if 0 < limit < state.plies or (state.end == MAX_PLIES and state.plies not in (0, limit)):
        raise ValueError(f"no game with max_plies={limit} ends after {state.plies} plies with end={end}")
    earlier = read_keys(words.get("seen"))
    return _count_seen(rules, state, variant, earlier) if variant.repetition else []


def _count_seen(rules: Any, state: Record, variant: Record, earlier: list[int]) -> list[int]:
    """Sets the counts that repetition needs; ``earlier``: the keys of earlier positions. In the middle of a turn (a
    game's ``read`` sets ``turn_over`` to 0) the present position is not counted; the last of the earlier ones takes its
    place."""
    if state.turn_over:
        state.seen = len(earlier) + 1
        state.occurrences = earlier.count(int(rules.position_key(state))) + 1
    else:
        state.seen = len(earlier)
        state.occurrences = max(earlier.count(earlier[-1]) if earlier else 0, 1)
    if variant.repeats == FORBIDDEN:  # it may be brought about all the same where a turn must go on
        return earlier
    most = max((earlier.count(key) for key in set(earlier)), default=0)
    if most >= variant.repetition or (state.end == RUNNING and state.occurrences >= variant.repetition):
        raise ValueError(f"seen= repeats a position as often as repetition={variant.repetition} ends the game")
    return earlier


def split_words(text: str, keys: Sequence[str]) -> tuple[str, Words]:
    """A text's own part, and its last ``key=value`` words whose keys are among ``keys``, which must come in that order.

    Raises ValueError for a repeated key or one out of order.
    """
    parts = text.split(" ")
    pairs: list[tuple[str, str]] = []
    while len(parts) > 1:
        key, equals, value = parts[-1].partition("=")
        if not equals or key not in keys:
            break
        pairs.insert(0, (key, value))
        parts.pop()
    named = [key for key, _ in pairs]
    for key in named:
        if named.count(key) > 1:
            raise ValueError(f"the word {key}= is repeated")
    order = [keys.index(key) for key in named]
    if order != sorted(order):
        raise ValueError(f"the words must come in the order {' '.join(key + '=' for key in keys)}")
    return " ".join(parts), dict(pairs)


def write_rows(letters: Sequence[str], lengths: Sequence[int]) -> str:
    """``3ss4/9/c8``: the cells of a board by rows of these lengths, the last row first, with each run of empty cells
    (``.``) as a number. ``letters``: of the cells, those of the first row first."""
    text, ends = "".join(letters), list(accumulate(lengths))
    rows = "/".join(text[end - length : end] for end, length in zip(reversed(ends), reversed(lengths)))
    return EMPTY.sub(lambda run: str(len(run[0])), rows)


def read_rows(text: str, rows: Mapping[str, int], pieces: Mapping[str, tuple[int, str]]) -> str:
    """The opposite of `write_rows`. ``rows``: the length of each, by its name, such as ``rank 1``; ``pieces``: how many
    there can be at most of each, and what they are called, by their letters. Raises ValueError."""
    given, longest = text.split("/"), max(rows.values())
    if len(given) != len(rows):
        last = [*rows][-1]
        raise ValueError(f"the board has {len(given)} rows; it needs {len(rows)}, {last} first, with / between")
    letters = ""
    for (name, length), row in zip(rows.items(), reversed(given)):
        strange = re.search(f"[^{''.join(pieces)}0-9]", row)
        if strange:
            raise ValueError(f"{name} ({row!r}) holds {strange[0]!r}; it may hold {', '.join(pieces)} and numbers")
        for run in RUN.findall(row):
            if not COUNT.fullmatch(run) or not 1 <= int(run) <= longest:
                valid = f"a number from 1 to {longest} must be, alone between pieces"
                raise ValueError(f"{name} ({row!r}) has {run!r} where {valid}")
        cells = RUN.sub(lambda run: "." * int(run[0]), row)
        if len(cells) != length:
            raise ValueError(f"{name} ({row!r}) has {len(cells)} cells; it needs {length}")
        letters += cells
    for letter, (most, what) in pieces.items():
        if letters.count(letter) > most:
            raise ValueError(f"{letters.count(letter)} {what}; at most {most} can be on the board")
    return letters


def read_count(key: str, digits: str) -> int:
    """A whole number from 0 up that fits the state record."""
    if not COUNT.fullmatch(digits) or int(digits) > LARGEST_COUNT:
        raise ValueError(f"{key}={digits!r} is no count; counts are whole numbers from 0 to {LARGEST_COUNT}")
    return int(digits)


def read_keys(text: str | None) -> list[int]:
    """The value of ``seen=``: position keys of sixteen hexadecimal digits, with commas between."""
    if text is None:
        return []
    if not KEYS.fullmatch(text):
        shown = text if len(text) <= 40 else text[:40] + "…"
        raise ValueError(f"seen={shown!r} is no list of position keys (16 hexadecimal digits each, commas between)")
    return [int(key, 16) for key in text.split(",")]


def own_words_refused(words: Sequence[str], known: Sequence[str]) -> ValueError:
    """The error for words that a game's own part of a text has no meaning for, or none where they stand."""
    strange = [word for word in words if word.partition("=")[0] + "=" not in known]
    wrong = f"{strange[0]!r} has no meaning here" if strange else f"{words[0]!r} is out of order or repeated"
    return ValueError(f"the word {wrong}; words: {listing(known)}, each once, in this order")
