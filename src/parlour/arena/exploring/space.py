"""The space of rules: all combinations of the values of some options that a game allows."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from parlour.arena.rulesets import Ruleset
from parlour.engine.game import Game
from parlour.errors import listing
from parlour.rulebook.options import Choice, Flag, Option, Value

MAX_COMBINATIONS = 4096
COMMON_VALUES: Mapping[str, tuple[Value, ...]] = {"repetition": (0, 3)}
"""The values that are tried of options that all games share, where none are named."""
FORM = "names of options with commas between, each with its values if need be, as in geometry,repetition=0/3"


@dataclass(frozen=True)
class Space:
    """Combinations of option values.

    Attributes:
        game: which game.
        base: the variant that all other option values come from.
        fixed: option values that are the same in all combinations.
        options: the options that vary, each with its values.
        rulesets: the combinations that the game allows.
        left_out: why combinations contradict themselves, and how many do.
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
    def places(self) -> dict[tuple[Value, ...], int]:
        """The place of each combination among the rulesets, by its `settings`."""
        return {self.settings(ruleset): place for place, ruleset in enumerate(self.rulesets)}

    def variant_of(self, ruleset: Ruleset) -> str:
        """The game's named variant with the same option values, except for those that are `fixed`; empty if none."""
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
        game: which game.
        base: the variant that all other option values come from; None for the game's first.
        fixed: option values on top of it, the same in all combinations.
        options: the options that vary, each with its values. None for all values of an option: of words and flags all
            that there are; of numbers those of the game's variants, and of ``repetition`` 0 and 3.

    Raises:
        ValueError: for unknown options or values, more than 4096 combinations, or fewer than two.
    """
    variant, _ = game.resolve(base, fixed)
    known: dict[str, Option] = {option.name: option for option in game.options}
    values: dict[str, tuple[Value, ...]] = {}
    for name, wanted in options.items():
        if name not in known:
            raise ValueError(f"{game.id} has no option {name!r}; options: {listing(list(known))}")
        if name in fixed:
            raise ValueError(f"option {name!r} can't be both fixed and varied")
        read = _all_values(game, known[name]) if wanted is None else tuple(known[name].read(one) for one in wanted)
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
            f"all but {len(rulesets)} of {count} combinations contradict themselves: {next(iter(left_out))}"
        )
    seats = {ruleset.seats for ruleset in rulesets}
    if len(seats) > 1:
        raise ValueError(f"combinations with different numbers of seats can't be compared: {sorted(seats)}")
    return Space(game, variant.name, {name: rulesets[0].values[name] for name in fixed}, values, rulesets, left_out)


def parse_options(game: Game, text: str) -> dict[str, Sequence[object] | None]:
    """The options that a text of the command line names, for `read_space`: see `FORM`. ValueError for any other."""
    known: dict[str, Option] = {option.name: option for option in game.options}
    found: dict[str, Sequence[object] | None] = {}
    for part in text.split(","):
        name, equals, values = part.partition("=")
        if name not in known:
            raise ValueError(f"{game.id} has no option {name!r}; options: {listing(list(known))}; valid: {FORM}")
        if name in found:
            raise ValueError(f"the option {name!r} is given twice")
        found[name] = [known[name].parse(value) for value in values.split("/")] if equals else None
    return found


def _all_values(game: Game, option: Option) -> tuple[Value, ...]:
    if isinstance(option, Choice):
        return option.values
    if isinstance(option, Flag):
        return False, True
    if option.name in COMMON_VALUES:
        return COMMON_VALUES[option.name]
    found = dict.fromkeys(game.resolve(variant.name, {})[1][option.name] for variant in game.variants)
    if len(found) < 2:
        raise ValueError(f"option {option.name!r} is a number; name the values to try, as in {option.name}=1/2/3")
    return tuple(found)


def _combinations(
    game: Game, variant: str, fixed: Mapping[str, object], options: Mapping[str, Sequence[Value]]
) -> tuple[tuple[Ruleset, ...], Counter[str]]:
    """The combinations that the game allows; and why it refuses others, with their numbers."""
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
