"""A game's options in words, for people who set up a game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from parlour.engine.game import Game
from parlour.rulebook.options import Choice, Flag, Option, Value
from parlour.support.errors import listing


@dataclass(frozen=True)
class OptionWords:
    """What people are shown of an option, instead of its name.

    Attributes:
        label: what it is about, in a few words.
        values: what each value means, in a few words, by the value as text (``"relocate"``, ``"True"``); empty for
            numbers.
    """

    label: str
    values: Mapping[str, str] = field(default_factory=dict)


TABLE = re.compile(r"^\| option \| values \| in words \|.*\n\|[-|]+\|\n((?:\|.*\n?)+)", re.MULTILINE)
ROW = re.compile(r"\| `([^`]+)` \| [^|]+ \| ([^|]+) \|", re.MULTILINE)
COMMON = {
    "repetition": OptionWords("How often a position must occur to count (0: repeating is free)"),
    "repeats": OptionWords(
        "That occurrence of a position",
        {"draw": "draws the game", "loses": "loses for who brought it about", "forbidden": "is not allowed"},
    ),
    "max_plies": OptionWords("The game stops after so many plies (0: never)"),
}
"""Options that many games have."""
FLAGS = {"True": "yes", "False": "no"}


def option_words(game: Game, option: Option) -> OptionWords:
    """An option's label and the words for its values; where its README has none, its name and its values."""
    words = words_of(game).get(option.name) or COMMON.get(option.name)
    if words is not None:
        return words
    same = {value: value for value in option.values} if isinstance(option, Choice) else {}
    return OptionWords(option.name.replace("_", " "), FLAGS if isinstance(option, Flag) else same)


@cache
def words_of(game: Game) -> dict[str, OptionWords]:
    """The words of options that the game's README has: see `parlour.rulebook.clauses`. ValueError for an option that
    the game does not have, or another number of words than it has values."""
    options, words = {option.name: option for option in game.options}, {}
    table = TABLE.search(game.readme)
    for name, text in ROW.findall(table[1]) if table else ():
        option = options.get(name)
        if option is None:
            raise ValueError(f"README.md: the table of options has {name!r}, which is no option of the game")
        label, _, rest = text.partition(": ")
        values = option.values if isinstance(option, Choice) else tuple(FLAGS) if isinstance(option, Flag) else ()
        texts = rest.split("; ") if rest else []
        if len(texts) != len(values):
            raise ValueError(f"README.md: {text!r} must have words for the values of {name!r}: {listing(values)}")
        words[name] = OptionWords(label, dict(zip(values, texts)))
    return words


def value_words(words: OptionWords, value: Value) -> str:
    """What a value of an option is called."""
    return words.values.get(str(value), str(value))


def own_words(game: Game, values: Mapping[str, Value], overrides: Mapping[str, Value]) -> list[str]:
    """What differs from a variant, an option a line. ``values``: those of the variant."""
    words = {option.name: option_words(game, option) for option in game.options}
    return [
        f"{words[name].label}: {value_words(words[name], value)}"
        for name, value in overrides.items()
        if values.get(name) != value
    ]
