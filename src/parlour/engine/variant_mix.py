"""Which variants are played: one, or several of which each new game draws one.

Axis letters: K variants, E planes that show which one is played, C planes, H × W board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from parlour.engine.game import Game
from parlour.rulebook.options import Value
from parlour.rulebook.protocol import Layout, Plane
from parlour.rulebook.state_records import as_record, records
from parlour.support.arguments import is_number, is_whole, one_of, shown
from parlour.support.errors import listing

VariantLike: TypeAlias = "str | Mapping[str, object] | None"
"""One variant as users write it: a name, None for the game's first, or a mapping of option values, with the variant
that they are based on under ``"variant"``."""

PLANE_KINDS = ("variant", "options")


@dataclass(frozen=True)
class Entry:
    """One variant to choose: its label, the game's variant behind it, and the value of every option."""

    label: str
    variant: str
    values: dict[str, Value]


@dataclass(frozen=True)
class VariantMix:
    """K variants of a game with the same spaces, and the probability of each for a new game."""

    game: Game
    entries: tuple[Entry, ...]
    cumulative: NDArray[np.float64]
    """(K,): cumulative probabilities of the variants"""
    planes_kind: str | None = None
    """Which planes show the variant: see `VariantMix.variant_planes`."""

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        """A mix pickled by a version with fewer options has the defaults of those added since. ValueError for an option
        or a value that the game no longer knows."""
        self.__dict__.update(attributes)
        for name in ("records", "layout"):
            self.__dict__.pop(name, None)
        self.__dict__["entries"] = tuple(
            replace(entry, values=self._current_values(entry.values)) for entry in self.entries
        )

    def _current_values(self, values: Mapping[str, Value]) -> dict[str, Value]:
        options = {option.name: option for option in self.game.options}
        gone = [name for name in values if name not in options]
        if gone:
            raise ValueError(f"{self.game.id} no longer has the option {gone[0]!r}; options: {listing([*options])}")
        defaults = {name: option.default for name, option in options.items()}
        return defaults | {name: options[name].read(value) for name, value in values.items()}

    @cached_property
    def labels(self) -> list[str]:
        """The names of the variants, in the order of their numbers."""
        return [entry.label for entry in self.entries]

    @cached_property
    def records(self) -> NDArray[Any]:
        """The variants as the rules read them: (K,) records."""
        rows = records(len(self.entries), self.game.variant_dtype)
        for k, entry in enumerate(self.entries):
            self.game.fill_variant(as_record(rows, k), entry.values)
        return rows

    @property
    def content(self) -> tuple[object, ...]:
        """Equal for mixes of the same game with the same option values; the variants' names may differ."""
        return self.game.id, [entry.values for entry in self.entries], self.planes_kind

    @property
    def counts_positions(self) -> bool:
        """Whether any of the variants counts repetitions."""
        return any(entry.values.get("repetition") for entry in self.entries)

    @property
    def forbids_repeats(self) -> bool:
        """Whether any of the variants forbids them."""
        return any(entry.values.get("repeats") == "forbidden" for entry in self.entries)

    @property
    def differing(self) -> list[str]:
        """The options whose value is not the same in all variants."""
        first = self.entries[0].values
        return [name for name in first if any(entry.values[name] != first[name] for entry in self.entries)]

    @cached_property
    def variant_planes(self) -> NDArray[np.int8]:
        """int8 (K, E): what fills the planes that show the variant, after the game's own.

        ``"variant"``: a plane for each variant, 1 in that of the one played. ``"options"``: a plane for each option
        that differs among them, holding the place of its value among those that occur, in the order of the variants.
        """
        if self.planes_kind == "variant":
            return np.eye(len(self.entries), dtype=np.int8)
        columns = self._places() if self.planes_kind == "options" else []
        return np.array(columns, np.int8).reshape(len(columns), len(self.entries)).T.copy()

    def _places(self) -> list[list[int]]:
        places = []
        for name in self.differing:
            values = [entry.values[name] for entry in self.entries]
            order = list(dict.fromkeys(values))
            places.append([order.index(value) for value in values])
        return places

    @cached_property
    def layout(self) -> Layout:
        """The sizes of the game, with the planes that show the variant last."""
        layout, shown = self.game.layout(self.entries[0].values), []
        if self.planes_kind == "variant":
            shown = [Plane(f"variant: {label}") for label in self.labels]
        elif self.planes_kind == "options":
            shown = [Plane(f"option: {name}", 0, max(places)) for name, places in zip(self.differing, self._places())]
        return replace(layout, planes=(*layout.planes, *shown))

    def number(self, choice: object) -> int:
        """The index of a variant, from its label or its index. ValueError for anything else."""
        if isinstance(choice, str) and choice in self.labels:
            return self.labels.index(choice)
        if is_whole(choice) and 0 <= choice < len(self.entries):
            return int(choice)
        raise ValueError(f"variant {shown(choice)} is not among those that are played: {listing(self.labels)}")

    def weighted(self, weights: object) -> VariantMix:
        """The same variants with other probabilities; ValueError unless ``weights`` are K finite numbers from 0 up, not
        all 0."""
        return replace(self, cumulative=read_cumulative(weights, len(self.entries)))


def single(game: Game, values: Mapping[str, Value], label: str = "", variant: str = "") -> VariantMix:
    """A mix of a single variant."""
    return VariantMix(game, (Entry(label, variant, dict(values)),), np.ones(1))


def read_variant(game: Game, variant: object, overrides: Mapping[str, object]) -> VariantMix:
    """A single variant as users give it (see `VariantLike`). ValueError for anything else, or for several."""
    if variant is not None and not isinstance(variant, (str, Mapping)):
        raise ValueError(
            f"variant {shown(variant)} is not valid; valid: one name, or a mapping of option values. "
            f"{game.id} has the variants {listing([known.name for known in game.variants])}"
        )
    return read_variants(game, variant, overrides)


def read_variants(
    game: Game,
    variants: VariantLike | Sequence[VariantLike],
    overrides: Mapping[str, object],
    weights: object = None,
    planes_kind: str | None = None,
) -> VariantMix:
    """Reads a variant, or several, as users give them.

    Args:
        variants: one variant, or several in a list or tuple: see `VariantLike`.
        overrides: option values on top of each variant; those in a mapping are on top of these.
        weights: one number per variant; a variant's probability is proportional to it. None: all the same.
        planes_kind: ``"variant"``, ``"options"`` or None: see `VariantMix.variant_planes`.

    Raises:
        ValueError: for an unknown variant, option or value, a variant named twice, variants whose spaces differ, or
            invalid weights.
    """
    choices: list[VariantLike] = (
        list(variants) if isinstance(variants, (list, tuple)) else [cast("VariantLike", variants)]
    )
    if not choices:
        raise ValueError("a list of variants must name at least one")
    if planes_kind is not None:
        one_of("variant_planes", planes_kind, PLANE_KINDS, or_none=True)
    entries = tuple(_entry(game, choice, overrides) for choice in choices)
    labels = [entry.label for entry in entries]
    for label in labels:
        if labels.count(label) > 1:
            raise ValueError(f"variant {label!r} is named twice")
    layouts = [game.layout(entry.values) for entry in entries]
    for entry, layout in zip(entries, layouts):
        if layout != layouts[0]:
            raise ValueError(
                f"variants {labels[0]!r} and {entry.label!r} have different spaces, so no one env plays both"
            )
    if len(entries) > 127:
        raise ValueError(f"{len(entries)} variants are too many; at most 127")
    return VariantMix(game, entries, read_cumulative(weights, len(entries)), planes_kind)


def _entry(game: Game, choice: VariantLike, overrides: Mapping[str, object]) -> Entry:
    if isinstance(choice, Mapping):
        chosen = {str(name): value for name, value in choice.items() if name != "variant"}
        variant, values = game.resolve(choice.get("variant"), {**overrides, **chosen})
        label = " ".join([variant.name, *(f"{name}={value}" for name, value in chosen.items())])
        return Entry(label, variant.name, values)
    variant, values = game.resolve(choice, overrides)
    return Entry(variant.name, variant.name, values)


def read_cumulative(weights: object, count: int) -> NDArray[np.float64]:
    """Weights as cumulative probabilities; ValueError unless they are ``count`` finite numbers from 0 up, not all 0."""
    several = isinstance(weights, (list, tuple)) or (isinstance(weights, np.ndarray) and weights.ndim == 1)
    numbers = [1] * count if weights is None else list(weights) if several else []  # type: ignore[call-overload]
    fit = len(numbers) == count and all(is_number(weight) and weight >= 0 for weight in numbers)
    if not fit or not any(numbers):
        raise ValueError(f"weights must be {count} finite numbers from 0 up, not all 0; not {shown(weights)}")
    shares = np.array(numbers, np.float64)
    exponent = np.frexp(shares.max())[1]
    cumulative = np.cumsum(np.ldexp(shares, -exponent))  # scaled by a power of two, exactly, so that no sum overflows
    cumulative /= cumulative[-1]
    cumulative[np.flatnonzero(shares)[-1] :] = 1  # so that rounding never selects a variant without weight
    return cumulative
