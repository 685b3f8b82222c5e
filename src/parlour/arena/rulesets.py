"""Rulesets: the variants that are played, each a named variant of the game with option values of one's own on top.

A ruleset is written ``classic``, or ``classic:touch_move=true+repetition=3``; in Python also as a mapping of option
values, ``{"variant": "classic", "touch_move": True}``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from parlour.engine.game import Game
from parlour.errors import listing
from parlour.rulebook.options import Value

RulesetLike: TypeAlias = "str | Mapping[str, object]"
"""A variant's name, a text such as ``classic:touch_move=true``, or a mapping with the variant under ``"variant"``."""
FORM = "a variant's name, or VARIANT:OPTION=VALUE, with + between several options"


@dataclass(frozen=True)
class Ruleset:
    """A variant with the value of every option.

    Attributes:
        label: what it is called, such as ``classic:touch_move=True``.
        variant: the name of the variant that it is based on.
        overrides: the option values that were given on top of the variant.
        values: the value of every option.
        seats: P.
    """

    label: str
    variant: str
    overrides: Mapping[str, Value]
    values: Mapping[str, Value] = field(hash=False)
    seats: int

    def __hash__(self) -> int:
        """By its label, which is unique within a run."""
        return hash(self.label)


def read_ruleset(game: Game, ruleset: RulesetLike, overrides: Mapping[str, object]) -> Ruleset:
    """The ruleset that a text or a mapping stands for.

    Args:
        game: which game.
        ruleset: see `RulesetLike`.
        overrides: option values for all rulesets of the run; those of the ruleset itself come on top of them.

    Raises:
        ValueError: for an unknown variant, option or value.
    """
    own: dict[str, object]
    if isinstance(ruleset, str):
        name, colon, rest = ruleset.partition(":")
        own = _parse_own(game, ruleset, rest) if colon else {}
    elif isinstance(ruleset, Mapping):
        own = {str(option): value for option, value in ruleset.items() if option != "variant"}
        name = str(ruleset.get("variant", game.variants[0].name))
    else:
        raise ValueError(f"variant {ruleset!r} is not valid; valid: {FORM}")
    variant, values = game.resolve(name, {**overrides, **own})
    known = {option: values[option] for option in own}
    label = variant.name + (":" + "+".join(f"{option}={value}" for option, value in known.items()) if known else "")
    given = {option: values[option] for option in {**overrides, **own}}
    return Ruleset(label, variant.name, given, values, game.layout(values).seats)


def read_rulesets(game: Game, rulesets: Sequence[RulesetLike], overrides: Mapping[str, object]) -> list[Ruleset]:
    """Several rulesets of one run. ValueError as `read_ruleset`, or where two have the same label."""
    read = [read_ruleset(game, ruleset, overrides) for ruleset in rulesets]
    labels = [ruleset.label for ruleset in read]
    if not read or len(set(labels)) < len(labels):
        raise ValueError(f"variants {listing(labels)} are not valid; name one or more, each once")
    return read


def _parse_own(game: Game, text: str, rest: str) -> dict[str, object]:
    known: dict[str, Any] = {option.name: option for option in game.options}
    own: dict[str, object] = {}
    for part in rest.split("+"):
        name, equals, value = part.partition("=")
        if not equals:
            raise ValueError(f"variant {text!r} is not valid; valid: {FORM}")
        if name not in known:
            raise ValueError(f"variant {text!r}: {game.id} has no option {name!r}; options: {listing(list(known))}")
        if name in own:
            raise ValueError(f"variant {text!r}: the option {name!r} is given twice")
        own[name] = known[name].parse(value)
    return own
