"""A game's options in words, for people who set up a game."""

from __future__ import annotations

from collections.abc import Mapping

from parlour.engine.game import Game
from parlour.rulebook.clauses import OptionWords
from parlour.rulebook.options import Choice, Flag, Option, Value

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
    """An option's label and the words for its values; where the game tells none, its name and its values themselves."""
    words = game.guide.OPTIONS.get(option.name) or COMMON.get(option.name)
    if words is not None:
        return words
    own = {value: value for value in option.values} if isinstance(option, Choice) else {}
    return OptionWords(option.name.replace("_", " "), FLAGS if isinstance(option, Flag) else own)


def value_words(words: OptionWords, value: Value) -> str:
    """What a value of an option is called."""
    return words.values.get(str(value), str(value))


def own_words(game: Game, values: Mapping[str, Value], overrides: Mapping[str, Value]) -> list[str]:
    """What differs from a variant, an option a line. ``values``: those of the variant."""
    found = {option.name: option_words(game, option) for option in game.options}
    return [
        f"{found[name].label}: {value_words(found[name], value)}"
        for name, value in overrides.items()
        if values.get(name) != value
    ]
