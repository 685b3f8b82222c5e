"""The space of an exploration: all combinations of option values that a game allows."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from parlour.arena.rulesets import Ruleset
from parlour.engine.game import Game
from parlour.rulebook.options import Choice, Flag, Option, Value
from parlour.support.errors import listing

MAX_COMBINATIONS = 4096
COMMON_VALUES: Mapping[str, tuple[Value, ...]] = {"repetition": (0, 3)}
"""The values to try for options that all games share, if the user names none."""
FORM = "names of options separated by commas, each optionally with values, as in geometry,repetition=0/3"


@dataclass(frozen=True)
class Space:
    """Combinations of option values.

    Attributes:
        base: the variant from which all other option values are taken.
        fixed: option values that are the same in all combinations.
        options: the options that vary, each with its values.
        rulesets: the combinations that the game allows.
        left_out: for combinations that the game refuses: the reasons, each with the number of combinations.
    """

    game: Game
    base: str
    fixed: Mapping[str, Value]
    options: Mapping[str, tuple[Value, ...]]
    rulesets: tuple[Ruleset, ...]
    left_out: Mapping[str, int]

    def settings(self, ruleset: Ruleset) -> tuple[Value, ...]:
        """The values of the options that vary, in their order."""
        return tuple(ruleset.values[name] for name in self.options)

    @cached_property
    def indices(self) -> dict[tuple[Value, ...], int]:
        """The index of each combination in `rulesets`, by its `settings`."""
        return {self.settings(ruleset): k for k, ruleset in enumerate(self.rulesets)}

    @cached_property
    def settings_before(self) -> tuple[Value, ...]:
        """The variant's own values of the options that vary."""
        _, values = self.game.resolve(self.base, dict(self.fixed))
        return tuple(values[name] for name in self.options)

    @property
    def unchanged(self) -> int | None:
        """The index of the combination that is the variant itself, but for `fixed` options; None if there is none."""
        return self.indices.get(self.settings_before)

    def changes(self, ruleset: Ruleset) -> int:
        """How many of the options that vary have another value than in the variant."""
        return sum(one != other for one, other in zip(self.settings(ruleset), self.settings_before))

    def variant_of(self, ruleset: Ruleset) -> str:
        """The game's named variant with the same option values, not counting `fixed` options; empty if none."""
        for variant in self.game.variants:
            _, values = self.game.resolve(variant.name, {})
            if all(values[name] == ruleset.values[name] for name in values if name not in self.fixed):
                return variant.name
        return ""


def read_space(
    game: Game, base: str | None, fixed: Mapping[str, object], options: Mapping[str, Sequence[object] | None]
) -> Space:
    """All combinations of option values that a game allows.

    Args:
        base: the variant from which all other option values are taken; None for the game's first.
        fixed: option values that replace those of the variant in all combinations.
        options: the options that vary, each with its values. None instead of values means: all values of a choice or a
            flag; the values that occur in the game's variants of a number; 0 and 3 of ``repetition``.

    Raises:
        ValueError: for unknown options or values, more than 4096 combinations, or fewer than two.
    """
    variant, _ = game.resolve(base, fixed)
    by_name: dict[str, Option] = {option.name: option for option in game.options}
    values: dict[str, tuple[Value, ...]] = {}
    for name, wanted in options.items():
        if name not in by_name:
            raise ValueError(f"{game.id} has no option {name!r}; options: {listing(list(by_name))}")
        if name in fixed:
            raise ValueError(f"option {name!r} can't be both fixed and varied")
        read = _all_values(game, by_name[name]) if wanted is None else tuple(by_name[name].read(one) for one in wanted)
        values[name] = tuple(dict.fromkeys(read))
        if len(values[name]) < 2:
            raise ValueError(f"option {name!r} needs two values or more to vary, not {listing(list(read))}")
    count = 1
    for several in values.values():
        count *= len(several)
    if not 2 <= count <= MAX_COMBINATIONS:
        raise ValueError(f"2 to {MAX_COMBINATIONS} combinations of option values can be explored, not {count}")
    rulesets, left_out = _combinations(game, variant.name, fixed, values)
    if len(rulesets) < 2:
        raise ValueError(
            f"only {len(rulesets)} of {count} combinations {'is' if len(rulesets) == 1 else 'are'} allowed; "
            f"reason: {next(iter(left_out))}"
        )
    seats = {ruleset.seats for ruleset in rulesets}
    if len(seats) > 1:
        raise ValueError(f"combinations with different numbers of seats can't be compared: {sorted(seats)}")
    return Space(game, variant.name, {name: rulesets[0].values[name] for name in fixed}, values, rulesets, left_out)


def parse_options(game: Game, text: str) -> dict[str, Sequence[object] | None]:
    """The options to vary, for `read_space`, in a text of the command line: `FORM`. ValueError for any other text."""
    by_name: dict[str, Option] = {option.name: option for option in game.options}
    varied: dict[str, Sequence[object] | None] = {}
    for part in text.split(","):
        name, equals, values = part.partition("=")
        if name not in by_name:
            raise ValueError(f"{game.id} has no option {name!r}; options: {listing(list(by_name))}; valid: {FORM}")
        if name in varied:
            raise ValueError(f"the option {name!r} is given twice")
        varied[name] = [by_name[name].parse(value) for value in values.split("/")] if equals else None
    return varied


def _all_values(game: Game, option: Option) -> tuple[Value, ...]:
    if isinstance(option, Choice):
        return option.values
    if isinstance(option, Flag):
        return False, True
    if option.name in COMMON_VALUES:
        return COMMON_VALUES[option.name]
    in_variants = dict.fromkeys(game.resolve(variant.name, {})[1][option.name] for variant in game.variants)
    if len(in_variants) < 2:
        raise ValueError(f"option {option.name!r} is a number; name the values to try, as in {option.name}=1/2/3")
    return tuple(in_variants)


def _combinations(
    game: Game, variant: str, fixed: Mapping[str, object], options: Mapping[str, Sequence[Value]]
) -> tuple[tuple[Ruleset, ...], Counter[str]]:
    """The combinations that the game allows; and the reasons why it refuses others, each with a count."""
    rulesets: list[Ruleset] = []
    left_out: Counter[str] = Counter()
    for combination in itertools.product(*options.values()):
        varied = dict(zip(options, combination))
        try:
            _, values = game.resolve(variant, {**fixed, **varied})
        except ValueError as error:
            left_out[str(error)] += 1
            continue
        label = "+".join(f"{name}={value}" for name, value in varied.items())
        own = {name: values[name] for name in (*fixed, *varied)}
        rulesets.append(Ruleset(label, variant, own, values, game.layout(values).seats))
    return tuple(rulesets), left_out
