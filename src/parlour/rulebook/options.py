"""Options of a game, each with its values, default and meaning, and variants: named sets of option values.

An option turns a given value into a valid one (or a ``ValueError`` that says what is valid). A rule kernel sees it as a
number in the game's variant record.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

import numpy as np

from parlour.rulebook.word_records import in_words
from parlour.support.arguments import MAX_AMOUNT, is_number, is_whole, shown
from parlour.support.errors import listing, near_miss

Value: TypeAlias = str | bool | int | float
T = TypeVar("T")
LARGEST_COUNT = 2**31 - 1


@dataclass(frozen=True)
class Choice:
    """One of several words; the first is the default. The rules see its index in the list."""

    name: str
    values: tuple[str, ...]
    meaning: str
    dtype = np.int8

    @property
    def default(self) -> str:
        """The first value."""
        return self.values[0]

    @property
    def valid(self) -> str:
        """What may be given, in words."""
        return listing(self.values)

    def read(self, value: object) -> str:
        """``value`` if it is one of the words; ValueError otherwise."""
        if not isinstance(value, str) or value not in self.values:
            raise refusal(self, value)
        return value

    def parse(self, text: str) -> object:
        """The value that a text names."""
        return text

    def number(self, value: Value) -> int:
        """What the rules see for ``value``."""
        return self.values.index(str(value))


@dataclass(frozen=True)
class Flag:
    """True or False; the rules see 1 or 0."""

    name: str
    meaning: str
    default: bool = False
    valid = "True and False"
    dtype = np.int8

    def read(self, value: object) -> bool:
        """``value`` if it is a bool; ValueError otherwise."""
        if not isinstance(value, (bool, np.bool_)):
            raise refusal(self, value)
        return bool(value)

    def parse(self, text: str) -> object:
        """The value that a text names."""
        return {"true": True, "false": False}.get(text.lower(), text)


@dataclass(frozen=True)
class Count:
    """A whole number from ``minimum`` to ``maximum``, or 0 if ``or_zero``; a bool is not accepted."""

    name: str
    default: int
    meaning: str
    minimum: int = 0
    maximum: int = LARGEST_COUNT
    or_zero: bool = False
    dtype = np.int32

    @property
    def valid(self) -> str:
        """What may be given, in words."""
        return f"{'0 and ' if self.or_zero else ''}the whole numbers from {self.minimum} to {self.maximum}"

    def read(self, value: object) -> int:
        """``value`` as int if it is in range; ValueError otherwise."""
        if not is_whole(value):
            raise refusal(self, value)
        count = int(value)
        if not (self.minimum <= count <= self.maximum or (self.or_zero and count == 0)):
            raise refusal(self, value)
        return count

    def parse(self, text: str) -> object:
        """The value that a text names."""
        try:
            return int(text)
        except ValueError:
            return text


@dataclass(frozen=True)
class Amount:
    """A reward from 0 to `MAX_AMOUNT`."""

    name: str
    default: float
    meaning: str
    valid = f"the numbers from 0 to {MAX_AMOUNT:g}"
    dtype = np.float64

    def read(self, value: object) -> float:
        """``value`` as float if it is in range; ValueError otherwise."""
        if not is_number(value) or not 0 <= value <= MAX_AMOUNT:
            raise refusal(self, value)
        return float(value)

    def parse(self, text: str) -> object:
        """The value that a text names."""
        try:
            return float(text)
        except ValueError:
            return text


Option: TypeAlias = "Choice | Flag | Count | Amount"


class WithoutEffect(ValueError):
    """An option value that changes nothing beside the value of another option. Where combinations of values are made
    rather than given by a person, such as by ``explore``, the option is left out instead.

    Attributes:
        option: the name of the option without effect.
        reason: why, in words.
    """

    def __init__(self, values: Mapping[str, Value], option: str, beside: str, advice: str = "leave it out") -> None:
        """``values``: all option values; ``beside``: the option whose value leaves ``option`` without effect."""
        super().__init__(values, option, beside, advice)
        self.option, self._beside, self._advice = option, beside, advice
        self._setting, self._because = f"{option}={values[option]!r}", f"{beside}={values[beside]!r}"
        self.reason = f"{option} has no effect with {self._because}"

    def __str__(self) -> str:
        return (
            f"options {self.option!r} and {self._beside!r} contradict each other: {self._setting} has no effect with "
            f"{self._because}; {self._advice}"
        )


def refusal(option: Option, value: object) -> ValueError:
    """The error for a value that ``option`` does not take."""
    return ValueError(f"option {option.name!r}: {shown(value)} is not valid; valid: {option.valid}")


def max_plies(default: int) -> Count:
    """The option `max_plies` (docs/common_rules.md) with a game's own default."""
    return Count("max_plies", default, "plies after which an undecided game is truncated; 0 = no limit")


def repetition(default: int) -> Count:
    """The option `repetition` (docs/common_rules.md) with a game's own default; only for games without dice."""
    return Count(
        "repetition", default, "the occurrence of a position that ends the game; 0 = off", minimum=2, or_zero=True
    )


REPEATS = Choice(
    "repeats",
    ("draw", "loses", "forbidden"),
    "what the occurrence that `repetition` counts means: a draw; a loss for the seat whose turn brought it about; or "
    "no legal ply leads there (with repetition=2: positional superko)",
)
"""The option `repeats` (docs/common_rules.md), for games with the option `repetition`."""
DRAW, LOSES, FORBIDDEN = range(len(REPEATS.values))


def ends_by_repetition(values: Mapping[str, Value]) -> bool:
    """Whether a game with these option values can end by repetition."""
    return bool(values.get("repetition")) and values.get("repeats") != "forbidden"


def check_repeats(values: Mapping[str, Value]) -> None:
    """`WithoutEffect` for a value of `repeats` where no repetition counts."""
    if values.get("repeats", "draw") != "draw" and not values["repetition"]:
        raise WithoutEffect(values, "repeats", "repetition", "give repetition=2 or more")


@dataclass(frozen=True)
class Variant:
    """A named set of option values; the other options have their defaults."""

    name: str
    meaning: str
    values: Mapping[str, Value] = field(default_factory=dict)


ResolveDependent: TypeAlias = Callable[[dict[str, Value], frozenset[str]], None]
"""A game's own last word on its option values: (all values, to be changed in place; the names given explicitly). It
fills in defaults that depend on other options. It raises `WithoutEffect` for a value that was given and changes
nothing beside another, and ValueError for any other combination that makes no sense."""


def always(value: T) -> Callable[[Mapping[str, Any]], T]:
    """A function of option values that gives the same under all: for ``layout`` and ``symmetries``."""
    return lambda values: value


def parse_setting(game: str, options: Sequence[Option], text: str) -> tuple[Option, str | None]:
    """The option that a text ``NAME=VALUE`` names, and the value as it stands there; None without ``=``. ValueError for
    a name that is no option of the game."""
    name, equals, value = text.partition("=")
    for option in options:
        if option.name == name:
            return option, value if equals else None
    raise unknown_option(game, options, name)


def unknown_option(game: str, options: Sequence[Option], name: str) -> ValueError:
    """The error for a name that is no option of the game."""
    known = [option.name for option in options]
    return ValueError(f"{game} has no option {name!r:.80}; options: {listing(known)}{near_miss(name, known)}")


def option_line(option: Option) -> str:
    """An option in one line: its values, default and meaning."""
    return f"{option.valid} (default {option.default!r}): {option.meaning}"


def resolve(
    game: str,
    options: Sequence[Option],
    variants: Sequence[Variant],
    resolve_dependent: ResolveDependent,
    variant: object,
    overrides: Mapping[str, object],
) -> tuple[Variant, dict[str, Value]]:
    """The variant, and the value of every option: those of the variant, overridden by the given ones.

    ``variant`` None is the first variant. Raises ValueError for an unknown variant, option or value, naming it and what
    would be valid.
    """
    known = {option.name: option for option in options}
    named = {choice.name: choice for choice in variants}
    chosen = named.get(variant) if isinstance(variant, str) else None if variant is not None else variants[0]
    if chosen is None:
        near = near_miss(variant, named)
        raise ValueError(f"{game} has no variant {variant!r:.80}; variants: {listing(list(named))}{near}")
    given = {**chosen.values, **overrides}
    unknown = [name for name in given if name not in known]
    if unknown:
        raise unknown_option(game, options, unknown[0])
    values: dict[str, Value] = {name: option.default for name, option in known.items()}
    values.update({name: known[name].read(value) for name, value in given.items()})
    resolve_dependent(values, frozenset(overrides))
    check_repeats(values)
    return chosen, values


COMMON_OPTIONS: list[tuple[Any, ...]] = [
    ("max_plies", np.int32),
    ("repetition", np.int32),
    ("actions", np.int32),  # A
    ("repeats", np.int8),
]
"""The fields of every variant record, even if a game has no such option."""


def variant_dtype(options: Sequence[Option]) -> np.dtype[Any]:
    """The variant record of a game: `COMMON_OPTIONS`, at the same places in every game, and a field for each other
    option; whole 64-bit words."""
    common = [name for name, _ in COMMON_OPTIONS]
    return in_words(COMMON_OPTIONS + [(option.name, option.dtype) for option in options if option.name not in common])


def fill(record: Any, options: Sequence[Option], values: Mapping[str, Value]) -> None:
    """Writes option values into a variant record as the numbers that the rules see."""
    for option in options:
        value = values[option.name]
        record[option.name] = option.number(value) if isinstance(option, Choice) else value
