"""Rulesets: the variants that a run plays. Each is a named variant of the game, with option values of your own that
replace those of the variant.

A ruleset is written ``classic`` or ``classic:touch_move=true+repetition=3``. In Python it can also be a mapping,
``{"variant": "classic", "touch_move": True}``. A TOML file can give names and notes of your own::

    [strict]
    variant = "classic"
    touch_move = true
    note = "as they played it in the club"
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from parlour.engine.game import Game
from parlour.rulebook.options import Value, WithoutEffect, parse_setting
from parlour.support.errors import listing
from parlour.support.files import read_file

RulesetLike: TypeAlias = "str | Mapping[str, object]"
"""A variant's name; a text such as ``classic:touch_move=true``; or a mapping of option values, with the variant under
``"variant"``, and optionally a name and a note of your own under ``"name"`` and ``"note"``."""
FORM = "a variant's name, or VARIANT:OPTION=VALUE, with + between several options"
ALL = "all"
NOT_OPTIONS = ("variant", "name", "note")
"""Entries of a mapping that are not options."""
MAX_LABEL = 100


@dataclass(frozen=True)
class Ruleset:
    """A variant with the value of every option.

    Attributes:
        label: its name, such as ``classic:touch_move=True``.
        variant: the name of the variant that it is based on.
        overrides: the option values that were given in addition to the variant.
        seats: P, the number of seats.
        note: a remark by its author.
    """

    label: str
    variant: str
    overrides: Mapping[str, Value]
    values: Mapping[str, Value] = field(hash=False)
    seats: int
    note: str = ""

    def __hash__(self) -> int:
        return hash(self.label)

    def as_config(self) -> dict[str, Any]:
        """As JSON for a config file; `read_ruleset` reads it back."""
        return {"name": self.label, "variant": self.variant, "note": self.note, **self.overrides}


def read_ruleset(game: Game, ruleset: RulesetLike | None, overrides: Mapping[str, object]) -> Ruleset:
    """The ruleset that a text or a mapping describes; None for the game's first variant.

    Args:
        overrides: option values for all rulesets of the run; those of the ruleset itself take precedence.

    Raises:
        ValueError: for an unknown variant, option or value.
    """
    given: dict[str, object]
    label, note = "", ""
    ruleset = game.variants[0].name if ruleset is None else ruleset
    if isinstance(ruleset, str):
        name, colon, rest = ruleset.partition(":")
        given = _parse_values(game, ruleset, rest) if colon else {}
    elif isinstance(ruleset, Mapping):
        given = {str(option): value for option, value in ruleset.items() if option not in NOT_OPTIONS}
        name = str(ruleset.get("variant", game.variants[0].name))
        label, note = str(ruleset.get("name", "")), str(ruleset.get("note", ""))
    else:
        raise ValueError(f"variant {ruleset!r} is not valid; valid: {FORM}")
    variant, values = game.resolve(name, {**overrides, **given})
    label = label or variant.name + (":" + "+".join(f"{name}={values[name]}" for name in given) if given else "")
    if not label.isprintable() or len(label) > MAX_LABEL:
        raise ValueError(f"{label!r:.120} can't be the name of a variant: at most {MAX_LABEL} printable characters")
    explicit = {option: values[option] for option in {**overrides, **given}}
    return Ruleset(label, variant.name, explicit, values, game.layout(values).seats, note)


def resolve_with_effect(
    game: Game, variant: str, overrides: Mapping[str, object]
) -> tuple[dict[str, object], dict[str, Value], list[WithoutEffect]]:
    """Leaves out option values that have no effect under the others. Returns the ``overrides`` that are left, the value
    of every option, and for each value left out the error that says why. ValueError for a combination that the game
    refuses for another reason."""
    given, reasons = dict(overrides), list[WithoutEffect]()
    while True:
        try:
            return given, game.resolve(variant, given)[1], reasons
        except WithoutEffect as error:
            if error.option not in given:
                raise
            del given[error.option]
            reasons.append(error)


def read_rulesets(game: Game, rulesets: Sequence[RulesetLike], overrides: Mapping[str, object]) -> list[Ruleset]:
    """Several rulesets of one run. ValueError as in `read_ruleset`, and if two have the same label."""
    read = [read_ruleset(game, ruleset, overrides) for ruleset in rulesets]
    labels = [ruleset.label for ruleset in read]
    if not read or len(set(labels)) < len(labels):
        raise ValueError(f"variants {listing(labels)} are not valid; name one or more, each once")
    return read


def parse_rulesets(game: Game, text: str) -> list[RulesetLike]:
    """The rulesets that a text of the command line names: ``all``, names separated by commas, or a TOML file.

    Raises:
        ValueError: for a file that is not such a TOML file.
        OSError: for a file that can't be read.
    """
    if text == ALL:
        return [variant.name for variant in game.variants]
    if not text.endswith(".toml"):
        return list(text.split(","))
    tables = read_toml(text)
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise ValueError(f"{text}: {name!r} is outside of a table; every variant is a table [name]")
        if not isinstance(table.get("note", ""), str):
            raise ValueError(f"{text}, [{name}]: note must be a text, not {table['note']!r:.80}")
    return [{**table, "name": name} for name, table in tables.items()]


def read_toml(file: str | Path) -> dict[str, Any]:
    """The content of a TOML file. ValueError, with the file, for anything else; OSError if it can't be read."""
    try:
        return dict(msgspec.toml.decode(read_file(Path(file))))
    except (UnicodeDecodeError, msgspec.DecodeError, RecursionError) as error:
        raise ValueError(f"{file}: not a TOML file ({error})") from None


def _parse_values(game: Game, text: str, rest: str) -> dict[str, object]:
    """The option values in ``rest``, the part of ``text`` after the colon."""
    values: dict[str, object] = {}
    for part in rest.split("+"):
        try:
            option, value = parse_setting(game.id, game.options, part)
        except ValueError as error:
            raise ValueError(f"variant {text!r}: {error}") from None
        if value is None:
            raise ValueError(f"variant {text!r} is not valid; valid: {FORM}")
        if option.name in values:
            raise ValueError(f"variant {text!r}: the option {option.name!r} is given twice")
        values[option.name] = option.parse(value)
    return values
