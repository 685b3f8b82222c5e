"""What an exploration looks for: the space of option values that a game allows, goals for measures, and the Pareto
front.

An option may have no effect under the values of others: how captured pieces are put back has none where they are
removed. Combinations that differ only in such options are the same rules. Here they are one combination, which is
played once, without the options that have no effect, and counts for all of them.

Axis letters: K candidates, G goals. ``misses`` (K, G) is how far each candidate is from each goal; lower is better. A
candidate dominates another if it is worse in no goal and better in at least one.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from parlour.arena.measures import Measure, mean_of, measures_of
from parlour.arena.measures.of_atlas import OF_ATLAS
from parlour.arena.measures.registry import TRACE
from parlour.arena.setting.rulesets import Ruleset, resolve_with_effect
from parlour.engine.game import Game
from parlour.rulebook.options import Choice, Flag, Option, Value, parse_setting, unknown_option
from parlour.support.errors import listing

MAX_COMBINATIONS = 4096
COMMON_VALUES: Mapping[str, tuple[Value, ...]] = {"repetition": (0, 3)}
"""The values to try for options that all games share, if the user names none."""
NO_EFFECT = "–"
MIN, MAX = "min", "max"
NUMBER = r"-?\d+(?:\.\d+)?"
VARIANT = "variant"
RANGE = re.compile(rf"({NUMBER}|{VARIANT})?\.\.({NUMBER}|{VARIANT})?(%)?")
GOALS_FORM = (
    "MEASURE:min, MEASURE:max, or MEASURE:LOW..HIGH in the measure's unit, where 'variant' stands for what the variant "
    "has without a change; several are separated by commas"
)
CHANGES = Measure(
    "changes", "Changed options", "options whose value is not that of the variant", mean_of("", 0, low=0),
    lambda game: None, traced=False,
)  # fmt: skip
"""Of a combination, not of a game: `parlour.arena.studies` fills it in."""
RESAMPLES = 1000


@dataclass(frozen=True)
class Space:
    """Combinations of option values.

    Attributes:
        base: the variant from which all other option values are taken.
        fixed: option values that are the same in all combinations.
        options: the options that vary, each with its values.
        each: whether one option at a time is changed, not all in combination.
        rulesets: the combinations that the game allows, each once: the ``overrides`` are those that have an effect.
        left_out: why the game refuses combinations: each reason with the number of combinations.
        same: why combinations are the same rules as others: each reason with the number of combinations.
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

    def changed(self, ruleset: Ruleset) -> dict[str, Value]:
        """The options that vary and whose value differs from that of the variant."""
        variant = self.variant_values
        return {name: ruleset.values[name] for name in self.options if ruleset.values[name] != variant[name]}

    def change(self, ruleset: Ruleset) -> str:
        """`changed` in words: ``capture=bloody``; empty for the variant as it is."""
        return ", ".join(f"{name}={value}" for name, value in self.changed(ruleset).items())

    def shown(self, ruleset: Ruleset) -> tuple[str, ...]:
        """The values of the options that vary, in words; ``–`` for one that has no effect here."""
        return tuple(str(ruleset.overrides.get(name, NO_EFFECT)) for name in self.options)

    @cached_property
    def indices(self) -> dict[tuple[Value, ...], int]:
        """The index in `rulesets` of each combination of values of the options that vary. A ruleset that stands for
        several combinations has an entry for each."""
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
    def variant_values(self) -> Mapping[str, Value]:
        """All option values of the variant itself, with those in `fixed`."""
        return self.game.resolve(self.base, dict(self.fixed))[1]

    @property
    def unchanged(self) -> int | None:
        """The index of the combination that is the variant itself, with `fixed` values; None if there is none."""
        return next((k for k, ruleset in enumerate(self.rulesets) if ruleset.values == self.variant_values), None)

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
            raise unknown_option(game.id, game.options, name)
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
    """The end of a message about too many combinations: what could be explored instead."""
    if _product(values) <= MAX_COMBINATIONS:
        return ""
    varied, left_out = dict(values), []
    while _product(varied) > MAX_COMBINATIONS:
        left_out.append(max(varied, key=lambda name: len(varied[name])))
        del varied[left_out[-1]]
    alone = 1 + sum(len(several) - 1 for several in values.values())
    fewer = f"; without {listing(left_out)} it would be {_product(varied)}" if varied else ""
    return f"{fewer}; each option alone (--each, in Python each=True) would be {alone}"


def parse_options(game: Game, text: str) -> dict[str, Sequence[object] | None]:
    """The options to vary, for `read_space`: names separated by commas, each optionally with values, as in
    ``geometry,repetition=0/3``. ValueError for any other text."""
    varied: dict[str, Sequence[object] | None] = {}
    for part in text.split(","):
        option, values = parse_setting(game.id, game.options, part)
        if option.name in varied:
            raise ValueError(f"the option {option.name!r} is given twice")
        varied[option.name] = None if values is None else [option.parse(value) for value in values.split("/")]
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
        yield from (dict(zip(space.options, values)) for values in itertools.product(*space.options.values()))
        return
    variant = {name: space.variant_values[name] for name in space.options}
    yield variant
    for name, values in space.options.items():
        yield from ({**variant, name: value} for value in values if value != variant[name])


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
        rules, overrides = tuple(values.values()), {name: values[name] for name in given}
        if rules not in by_rules or len(overrides) < len(by_rules[rules].overrides):
            label = "+".join(f"{name}={value}" for name, value in overrides.items() if name in varied) or space.base
            by_rules[rules] = Ruleset(label, space.base, overrides, values, space.game.layout(values).seats)
    played = {setting for ruleset in by_rules.values() for setting in ruleset.overrides.items()}
    unplayed = {f"{name}={value}": why for (name, value), why in reasons.items() if (name, value) not in played}
    return replace(space, rulesets=tuple(by_rules.values()), left_out=left_out, same=same, unplayed=unplayed)


@dataclass(frozen=True)
class Goal:
    """A goal: a measure and its wanted value.

    Attributes:
        measure: the measure.
        wanted: ``"min"``, ``"max"``, or a range such as ``"100..200"``, in the unit of the measure; of a measure in
            percent also with its unit, as in ``"0.5..1%"``.
        low, high: the ends of the range; infinite if the range has no such end, NaN where it says ``variant``.
    """

    measure: Measure
    wanted: str
    low: float = -math.inf
    high: float = math.inf

    @property
    def text(self) -> str:
        """The goal as on the command line; `read_goals` reads it back."""
        return f"{self.measure.key}:{self.wanted}"

    @property
    def phrase(self) -> str:
        """In words, for headings."""
        unit = f" {self.measure.kind.unit}" if self.measure.kind.unit else ""
        words = {MIN: "as low as possible", MAX: "as high as possible"}
        return words.get(self.wanted, f"within {self.wanted.removesuffix('%').replace(VARIANT, 'the variant’s')}{unit}")

    @property
    def relative(self) -> bool:
        """Whether an end of the range is the value of the variant."""
        return math.isnan(self.low) or math.isnan(self.high)

    def resolved(self, mean: float) -> Goal:
        """The goal with numbers in place of ``variant``. ``mean``: the mean of the variant's games."""
        low, high = (self.measure.kind.scale * mean if math.isnan(end) else end for end in (self.low, self.high))
        return replace(self, low=low, high=high)

    def misses(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far estimates (n,) are from the goal; lower is better, and infinite for NaN."""
        if self.wanted == MIN:
            missed = values
        elif self.wanted == MAX:
            missed = -values
        else:
            shown = self.measure.kind.scale * values
            missed = np.maximum(np.maximum(self.low - shown, shown - self.high), 0.0)
        return np.where(np.isnan(missed), math.inf, missed)


def read_goals(game: Game, rulesets: Sequence[Ruleset], texts: Sequence[str]) -> tuple[Goal, ...]:
    """The goals in texts such as ``undecided:min`` and ``plies:100..200``, for combinations of option values.

    Raises:
        ValueError: for an unknown measure, a measure that is not a mean over games or that no combination can have, a
            text of another form, a range in which the measure can't be, or one that seems to be meant in another unit.
    """
    measures = {one.key: one for one in (*measures_of(game, rulesets[0].seats), CHANGES) if not one.exact}
    goals: dict[str, Goal] = {}
    for text in texts:
        key, _, wanted = text.partition(":")
        if key not in measures and key in OF_ATLAS:
            raise ValueError(
                f"goal {text!r}: {OF_ATLAS[key].title} is no mean over single games; 'parlour atlas' measures it, of "
                "variants that you name"
            )
        if key not in measures:
            raise ValueError(f"goal {text!r}: there is no measure {key!r}; measures: {listing(list(measures))}")
        if key in goals:
            raise ValueError(f"goal {text!r}: the measure {key!r} has a goal already")
        measure = measures[key]
        if measure.kind.coded or measure.series == TRACE:
            valid = [one.key for one in measures.values() if not one.kind.coded and one.series != TRACE]
            raise ValueError(f"goal {text!r}: {key!r} is not a mean over games; valid: {listing(valid)}")
        if not any(measure.applies(game, dict(ruleset.values)) for ruleset in rulesets):
            raise ValueError(f"goal {text!r}: {game.title} can't have {measure.title} in any of these combinations")
        goals[key] = Goal(measure, wanted, *_range(text, wanted, measure))
    if not goals:
        raise ValueError(f"an exploration needs a goal; valid: {GOALS_FORM}")
    return tuple(goals.values())


def _range(text: str, wanted: str, measure: Measure) -> tuple[float, float]:
    """The ends of the range in a goal. ValueError as in `read_goals`."""
    if wanted in (MIN, MAX):
        return -math.inf, math.inf
    kind, match = measure.kind, RANGE.fullmatch(wanted)
    if match is None or match[1] is match[2] is None or (match[3] and kind.unit != "%"):
        raise ValueError(f"goal {text!r} is not valid; valid: {GOALS_FORM}")
    low, high = (
        math.nan if end == VARIANT else float(end or unbounded)
        for end, unbounded in ((match[1], -math.inf), (match[2], math.inf))
    )
    if low > high:
        raise ValueError(f"goal {text!r}: {low:g} is above {high:g}")
    ends = [end for end in (low, high) if math.isfinite(end)]
    if not all(kind.low <= end <= kind.high for end in ends):
        limits = f"{kind.low:g} to {kind.high:g}" if math.isfinite(kind.high) else f"{kind.low:g} and more"
        raise ValueError(f"goal {text!r}: {measure.title} can only be {limits} {kind.unit}".rstrip())
    if kind.unit == "%" and not match[3] and max(ends, default=100) <= 1 and any(0 < end < 1 for end in ends):
        meant = "..".join(f"{100 * float(end):g}" if end else "" for end in match.groups()[:2])
        raise ValueError(
            f"goal {text!r}: {measure.title} is measured in percent, so this is less than 1 %; probably {measure.key}:"
            f"{meant} is meant, or else say {measure.key}:{wanted}%"
        )
    return low, high


def front_of(misses: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which candidates (K,) are on the Pareto front: no other candidate dominates them."""
    no_worse = (misses[:, None, :] <= misses[None, :, :]).all(axis=2)
    better = (misses[:, None, :] < misses[None, :, :]).any(axis=2)
    return ~np.asarray((no_worse & better).any(axis=0), np.bool_)


def best(misses: NDArray[np.float64], count: int) -> list[int]:
    """The indices of the best ``count`` candidates, in ascending order. The first front is taken, then the front of the
    remaining candidates, and so on. From a front that does not fit completely, the candidates that are farthest from
    their neighbours are taken (non-dominated sorting with crowding distances: Deb, Pratap, Agarwal and Meyarivan, *A
    Fast and Elitist Multiobjective Genetic Algorithm: NSGA-II*, IEEE Transactions on Evolutionary Computation 6,
    2002)."""
    chosen: list[int] = []
    left = np.arange(len(misses))
    while len(chosen) < count and len(left):
        on_front = front_of(misses[left])
        front = left[on_front]
        if len(chosen) + len(front) > count:
            order = np.argsort(-crowding(misses[front]), kind="stable")
            front = front[order[: count - len(chosen)]]
        chosen += front.tolist()
        left = left[~on_front]
    return sorted(chosen)


def crowding(misses: NDArray[np.float64]) -> NDArray[np.float64]:
    """The crowding distance (K,) of each candidate of a front: the distance between its two neighbours, summed over
    goals, each in units of the front's extent; infinite at the ends of the front."""
    distances = np.zeros(len(misses))
    for column in misses.T:
        order = np.argsort(column, kind="stable")
        finite = column[np.isfinite(column)]
        extent = float(np.ptp(finite)) if len(finite) else 0.0
        distances[order[[0, -1]]] = np.inf
        if extent > 0 and len(order) > 2:
            with np.errstate(invalid="ignore"):
                gaps = (column[order[2:]] - column[order[:-2]]) / extent
            distances[order[1:-1]] += np.nan_to_num(gaps, nan=0.0, posinf=np.inf)
    return distances


def front_shares(goals: Sequence[Goal], numbers: Sequence[NDArray[np.float64]], seed: int) -> NDArray[np.float64]:
    """How stable the front is: the share of `RESAMPLES` bootstrap samples in which each candidate (K,) is on the front.
    A bootstrap sample is drawn from the same games with replacement (Efron, *Bootstrap Methods: Another Look at the
    Jackknife*, Annals of Statistics 7, 1979).

    Args:
        goals: G goals.
        numbers: for each goal the values (K, n) of all candidates under the same n seeds; NaN where there is nothing to
            measure. Goals that are measured on the same games use the same samples of seeds.
    """
    generator = np.random.default_rng(seed)
    weights: dict[str, NDArray[np.int64]] = {}
    misses = []
    for goal, values in zip(goals, numbers):
        count = values.shape[1]
        if goal.measure.series not in weights:
            weights[goal.measure.series] = generator.multinomial(count, np.full(count, 1 / count), RESAMPLES)
        drawn, measured = weights[goal.measure.series], ~np.isnan(values)
        with np.errstate(invalid="ignore"):
            means = (drawn @ np.where(measured, values, 0.0).T) / (drawn @ measured.T)
        misses.append(goal.misses(means))  # (samples, K)
    return np.mean([front_of(np.stack(one, axis=1)) for one in zip(*misses)], axis=0)
