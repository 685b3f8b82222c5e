"""The space of an exploration: all combinations of option values that a game allows, or each option alone.

Where a value has no effect beside others, as an option of relocating has none where pieces are removed, combinations
that differ in such values alone are the same rules. They are one combination here: it is played once, without the
options that have no effect, and counted for all of them.

"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from parlour.arena.setting.rulesets import Ruleset, resolve_with_effect
from parlour.engine.game import Game
from parlour.rulebook.options import Choice, Flag, Option, Value
from parlour.support.errors import listing

MAX_COMBINATIONS = 4096
COMMON_VALUES: Mapping[str, tuple[Value, ...]] = {"repetition": (0, 3)}
"""The values to try for options that all games share, if the user names none."""
NO_EFFECT = "–"
FORM = "names of options separated by commas, each optionally with values, as in geometry,repetition=0/3"


@dataclass(frozen=True)
class Space:
    """Combinations of option values.

    Attributes:
        base: the variant from which all other option values are taken.
        fixed: option values that are the same in all combinations.
        options: the options that vary, each with its values.
        each: whether one option at a time is changed, not all in combination.
        rulesets: the combinations that the game allows, each once: the ``overrides`` are those that have an effect.
        left_out: for combinations that the game refuses: the reasons, each with the number of combinations.
        same: why combinations are the same rules as others, each reason with the number of combinations.
        unplayed: values that are in no combination that is played, such as ``capture=bloody``, each with a reason.
    """

    game: Game
    base: str
    fixed: Mapping[str, Value]
    options: Mapping[str, tuple[Value, ...]]
    rulesets: tuple[Ruleset, ...]
    left_out: Mapping[str, int]
    same: Mapping[str, int] = field(default_factory=dict)
    unplayed: Mapping[str, str] = field(default_factory=dict)
    each: bool = False

    def settings(self, ruleset: Ruleset) -> tuple[Value, ...]:
        """The values of the options that vary, in their order."""
        return tuple(ruleset.values[name] for name in self.options)

    def changed(self, ruleset: Ruleset) -> dict[str, Value]:
        """The options that vary and have another value than in the variant, and an effect."""
        before = self.values_before
        return {name: ruleset.values[name] for name in self.options if ruleset.values[name] != before[name]}

    def change(self, ruleset: Ruleset) -> str:
        """`changed` in words: ``capture=bloody``; empty for the variant as it is."""
        return ", ".join(f"{name}={value}" for name, value in self.changed(ruleset).items())

    def shown(self, ruleset: Ruleset) -> tuple[str, ...]:
        """The values of the options that vary, in words; ``–`` for one that has no effect here."""
        return tuple(str(ruleset.overrides.get(name, NO_EFFECT)) for name in self.options)

    @cached_property
    def indices(self) -> dict[tuple[Value, ...], int]:
        """The index in `rulesets` of each combination of values of the options that vary; of one that stands for
        several, at each of them."""
        return {
            settings: k
            for k, ruleset in enumerate(self.rulesets)
            for settings in itertools.product(
                *((ruleset.overrides[name],) if name in ruleset.overrides else values
                  for name, values in self.options.items())
            )
        }  # fmt: skip

    @property
    def warnings(self) -> list[str]:
        """Sentences about values that were named and are never played."""
        return [f"{value} is never played: {reason}." for value, reason in self.unplayed.items()]

    @cached_property
    def values_before(self) -> Mapping[str, Value]:
        """All option values of the variant itself, but for `fixed` options."""
        return self.game.resolve(self.base, dict(self.fixed))[1]

    @property
    def unchanged(self) -> int | None:
        """The index of the combination that is the variant itself, but for `fixed` options; None if there is none."""
        return next((k for k, ruleset in enumerate(self.rulesets) if ruleset.values == self.values_before), None)

    def variant_of(self, ruleset: Ruleset) -> str:
        """The game's named variant with the same option values, not counting `fixed` options; empty if none."""
        for variant in self.game.variants:
            _, values = self.game.resolve(variant.name, {})
            if all(values[name] == ruleset.values[name] for name in values if name not in self.fixed):
                return variant.name
        return ""


def read_space(
    game: Game,
    base: str | None,
    fixed: Mapping[str, object],
    options: Mapping[str, Sequence[object] | None],
    each: bool = False,
) -> Space:
    """All combinations of option values that a game allows.

    Args:
        base: the variant from which all other option values are taken; None for the game's first.
        fixed: option values that replace those of the variant in all combinations.
        options: the options that vary, each with its values. None instead of values means: all values of a choice or a
            flag; the values that occur in the game's variants of a number; 0 and 3 of ``repetition``.
        each: the variant itself, and every option changed alone, instead of all combinations.

    Raises:
        ValueError: for unknown options or values, more than 4096 combinations, or fewer than two.
    """
    variant, resolved = game.resolve(base, fixed)
    by_name: dict[str, Option] = {option.name: option for option in game.options}
    values: dict[str, tuple[Value, ...]] = {}
    for name, wanted in options.items():
        if name not in by_name:
            raise ValueError(f"{game.id} has no option {name!r}; options: {listing(list(by_name))}")
        if name in fixed:
            raise ValueError(f"option {name!r} can't be both fixed and varied")
        read = _all_values(game, by_name[name]) if wanted is None else tuple(by_name[name].read(one) for one in wanted)
        values[name] = tuple(dict.fromkeys((resolved[name], *read) if each else read))
        if len(values[name]) < 2:
            raise ValueError(f"option {name!r} needs two values or more to vary, not {listing(list(read))}")
    count = 1 + sum(len(several) - 1 for several in values.values()) if each else _product(values)
    if not 2 <= count <= MAX_COMBINATIONS:
        raise ValueError(
            f"2 to {MAX_COMBINATIONS} combinations of option values can be explored, not {count}{_feasible(values)}"
        )
    constant = {name: by_name[name].read(value) for name, value in fixed.items()}
    space = _combinations(Space(game, variant.name, constant, values, (), {}, each=each))
    if len(space.rulesets) < 2:
        raise ValueError(
            f"all {count} combinations are the same rules or refused; reason: {next(iter(space.unplayed.values()))}"
        )
    seats = {ruleset.seats for ruleset in space.rulesets}
    if len(seats) > 1:
        raise ValueError(f"combinations with different numbers of seats can't be compared: {sorted(seats)}")
    return space


def _product(values: Mapping[str, Sequence[Value]]) -> int:
    """The number of combinations."""
    return math.prod(len(several) for several in values.values())


def _feasible(values: Mapping[str, Sequence[Value]]) -> str:
    """What could be explored instead of too many combinations, as the end of a message."""
    if _product(values) <= MAX_COMBINATIONS:
        return ""
    kept, left_out = dict(values), []
    while _product(kept) > MAX_COMBINATIONS:
        left_out.append(max(kept, key=lambda name: len(kept[name])))
        del kept[left_out[-1]]
    alone = 1 + sum(len(several) - 1 for several in values.values())
    fewer = f"; without {listing(left_out)} it would be {_product(kept)}" if kept else ""
    return f"{fewer}; each option alone (--each, in Python each=True) would be {alone}"


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


def _settings(space: Space) -> Iterator[dict[str, Value]]:
    """The values of the options that vary, for every combination: all, or the variant's own with one changed."""
    if not space.each:
        yield from (dict(zip(space.options, own)) for own in itertools.product(*space.options.values()))
        return
    before = {name: space.values_before[name] for name in space.options}
    yield before
    for name, values in space.options.items():
        yield from ({**before, name: value} for value in values if value != before[name])


def _combinations(space: Space) -> Space:
    """The space with its combinations, each of the same rules once, and with the reasons for all others."""
    by_rules: dict[tuple[Value, ...], Ruleset] = {}
    left_out, same = Counter[str](), Counter[str]()
    reasons: dict[tuple[str, Value], str] = {}  # by option and value, why a combination with it is not played
    for varied in _settings(space):
        try:
            given, values, without = resolve_with_effect(space.game, space.base, {**space.fixed, **varied})
        except ValueError as error:
            left_out[str(error)] += 1
            for setting in varied.items():
                reasons.setdefault(setting, str(error))
            continue
        for cause in without:
            if not space.each:  # else the combination stands for itself alone
                same[cause.reason] += 1
            if cause.option in varied:
                reasons.setdefault((cause.option, varied[cause.option]), str(cause))
        rules, own = tuple(values.values()), {name: values[name] for name in given}
        if rules not in by_rules or len(own) < len(by_rules[rules].overrides):
            label = "+".join(f"{name}={value}" for name, value in own.items() if name in varied) or space.base
            by_rules[rules] = Ruleset(label, space.base, own, values, space.game.layout(values).seats)
    played = {setting for ruleset in by_rules.values() for setting in ruleset.overrides.items()}
    unplayed = {f"{name}={value}": why for (name, value), why in reasons.items() if (name, value) not in played}
    return replace(space, rulesets=tuple(by_rules.values()), left_out=left_out, same=same, unplayed=unplayed)
