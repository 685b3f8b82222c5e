"""Small value networks: one hidden layer on sparse inputs, quick enough to value each position of a search.

A network sees a position from the view of one seat and gives the sum of rewards that this seat can expect from there
on. With two seats it is always asked for the seat to act (the seat that throws next, if a throw is due), with more for
each seat. Units that are on or off (`parlour.players.value.inputs`) feed U hidden units, `max(0, sum + bias)`; each
head, one per variant and seat, makes O numbers of them, the logits of its outputs.

With one output the value is ``scale · tanh(logit / 2)``. So with ``scale`` 1 the probability of winning a game without
draws is the logistic function of the logit.

A network of a game between two seats that pays more than 1, such as Backgammon with gammons, can have three outputs
(Tesauro's TD-Gammon has four): what is won or lost up to 1, what is won beyond it, and what is lost beyond it, as
shares of what is possible. With the logistic functions w, m and l of their logits, the value is ``(2 w − 1) + (scale −
1) · (m − l)``; in Backgammon w is the probability of winning.

Axis letters: V variants, P seats, D input numbers, F units, U hidden units, O outputs, K positions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.game import Game
from parlour.engine.variant_mix import Entry, VariantLike, VariantMix, read_variants
from parlour.players.value.inputs import MAX_UNITS, active_units, count_numbers, default_units, play_digest, source_of
from parlour.rulebook.chance import checked_seed
from parlour.rulebook.options import Value
from parlour.rulebook.protocol import Layout
from parlour.support.arguments import is_whole, real_number, shown, whole_number
from parlour.support.errors import listing

MAX_HIDDEN, MAX_SCALE = 1024, 1e9
ON_AT_ONCE = 25
"""About how many units are on at once: the initial weights are divided by its square root."""
INDIFFERENT = ("max_plies", "repetition", "repeats")
"""Options that all games share and that networks ignore: they don't make another variant."""


@dataclass(frozen=True, eq=False)
class ValueNetwork:
    """A value network, its game and its variants. It is immutable; training makes new ones with `with_weights`."""

    game: Game
    variants: tuple[Entry, ...]
    """V of them: label, name, option values"""
    units: NDArray[np.int32]
    """(F, 2): the input number of each unit, ascending, and its threshold, ascending too"""
    hidden: NDArray[np.float32]
    """(F, U)"""
    hidden_bias: NDArray[np.float32]
    """(V · P, U): by head; the head of seat p in variant v is v · P + p"""
    output: NDArray[np.float32]
    """(V · P · O, U): the outputs of a head are rows one after another"""
    output_bias: NDArray[np.float32]
    """(V · P · O,)"""
    scale: float
    """the highest value: what a seat can be paid at most, 1 where a win pays 1"""
    digest: str
    """of the rules, see `parlour.players.value.inputs.play_digest`"""
    learnt: int = 0
    """how many positions it has learnt from, if that is known"""

    @cached_property
    def layout(self) -> Layout:
        """The sizes of the game, the same for all variants."""
        return self.game.layout(self.variants[0].values)

    @property
    def seats(self) -> int:
        """P"""
        return self.layout.seats

    @property
    def outputs(self) -> int:
        """O: 1 or 3"""
        return len(self.output) // len(self.hidden_bias)

    @property
    def source(self) -> str:
        """Where the input numbers come from: one of `parlour.players.value.inputs.SOURCES`."""
        return source_of(self.game)

    @cached_property
    def number_count(self) -> int:
        """D"""
        return count_numbers(self.game, self.layout)

    @property
    def weights(self) -> tuple[NDArray[np.float32], ...]:
        """``hidden``, ``hidden_bias``, ``output``, ``output_bias``"""
        return self.hidden, self.hidden_bias, self.output, self.output_bias

    def with_weights(self, *weights: Any) -> ValueNetwork:
        """The same network with other weights, in the order of `weights`: arrays, or tensors on the CPU. ValueError
        unless their shapes are the same, and all numbers finite."""
        names = ("hidden", "hidden_bias", "output", "output_bias")
        arrays: dict[str, Any] = {name: np.array(array, np.float32) for name, array in zip(names, weights, strict=True)}
        for name, array in arrays.items():
            shape = getattr(self, name).shape
            if array.shape != shape:
                raise ValueError(f"{name} must be of shape {shape}, not {array.shape}")
            if not np.isfinite(array).all():
                raise ValueError(f"{name} has weights that are not finite")
        return replace(self, **arrays)

    def of_variants(self, entries: Sequence[Entry]) -> ValueNetwork:
        """The same network for some of its variants alone. ValueError as in `variant_heads`."""
        heads = (self.variant_heads(entries, self.game)[:, None] + np.arange(self.seats)).ravel()
        rows = _output_rows(heads, self.outputs).ravel()
        return replace(
            self, variants=tuple(entries), hidden_bias=self.hidden_bias[heads], output=self.output[rows],
            output_bias=self.output_bias[rows], digest=play_digest(self.game, entries),
        )  # fmt: skip

    def logits(self, numbers: NDArray[np.int8], heads: NDArray[np.int64]) -> NDArray[np.float32]:
        """The logits (K, O) of ``numbers`` (K, D) from the heads ``heads`` (K,), in plain NumPy."""
        sums: Any = active_units(self.units, numbers).astype(np.float32) @ self.hidden + self.hidden_bias[heads]
        rows = _output_rows(heads, self.outputs)
        return np.einsum("ku,kou->ko", np.maximum(sums, 0), self.output[rows]) + self.output_bias[rows]

    def values(self, numbers: NDArray[np.int8], heads: NDArray[np.int64]) -> NDArray[np.float32]:
        """The values (K,) of ``numbers`` (K, D), from −scale to scale: see the module."""
        halves: Any = np.tanh(self.logits(numbers, heads) / 2)  # 2 w − 1 for the logistic function w
        if self.outputs == 1:
            return self.scale * halves[:, 0]
        return halves[:, 0] + 0.5 * (self.scale - 1) * (halves[:, 1] - halves[:, 2])

    def variant_heads(self, entries: Sequence[Entry], game: Game) -> NDArray[np.int64]:
        """The head of seat 0 in each of K variants of a game: (K,). ValueError if the network is for another game, or
        for none of the variants."""
        if game.id != self.game.id:
            raise ValueError(f"the value network is for {self.game.id!r}, not for {game.id!r}")
        trained = [_compared(entry.values) for entry in self.variants]
        heads, alike = [], getattr(game.evaluation, "network_values", dict)
        for entry in entries:
            compared = _compared(entry.values)
            if compared not in trained:
                compared = _compared(alike(entry.values))
            if compared not in trained:
                raise ValueError(self._unknown(entry))
            heads.append(trained.index(compared) * self.seats)
        return np.array(heads, np.int64)

    def _unknown(self, entry: Entry) -> str:
        """What to say of a variant that the network does not play, and what to do."""
        variant, others = self.game.nearest_variant(entry.values)
        label = entry.label or " with ".join(filter(None, [variant, ", ".join(f"{k}={v}" for k, v in others.items())]))
        options = "".join(f" -o {name}={value}" for name, value in others.items())
        return (
            f"the value network for {self.game.id} plays {listing([known.label for known in self.variants])}, and "
            f"{label!r} is not one of them; to have one that is, run 'parlour train {self.game.name} --variant "
            f"{variant}{options}' and name its file as value:FILE"
        )


def new_network(
    game: Game,
    variants: VariantLike | Sequence[VariantLike] = None,
    hidden: int = 64,
    scale: float = 1.0,
    seed: int = 0,
    overrides: Mapping[str, object] | None = None,
    outputs: int = 1,
) -> ValueNetwork:
    """A network with random weights, whose values are all about 0.

    Args:
        game: the game.
        variants: one variant or several, as `parlour.make_batch` takes them; ``"all"``: all that the game names.
        hidden: U, from 1 to 1,024.
        scale: the highest value, above 0.
        seed: the random seed of the weights.
        overrides: option values on top of each variant.
        outputs: O: 1, or 3 for a game between two seats whose ``scale`` is above 1.

    Raises:
        ValueError: for invalid arguments, variants whose sizes differ, or a game with too many inputs.
    """
    whole_number("hidden", hidden, 1, MAX_HIDDEN)
    scale = real_number("scale", scale, 0, MAX_SCALE, above=True)
    if variants == "all":
        variants = [variant.name for variant in game.variants]
    variant_mix = read_variants(game, variants, overrides or {})
    units = default_units(game, variant_mix)
    if not len(units):
        options = "".join(f" -o {name}={value}" for name, value in (overrides or {}).items())
        raise ValueError(
            f"there is nothing to learn in {game.id} ({listing(variant_mix.labels)}{options}): in random games no "
            "plane ever changes"
        )
    if len(units) > MAX_UNITS:
        raise ValueError(f"a value network of {game.id} would have {len(units)} inputs; valid: 1 to {MAX_UNITS}")
    check_outputs(outputs, variant_mix.layout.seats, scale)
    rng, heads = np.random.default_rng(checked_seed(seed)), len(variant_mix.entries) * variant_mix.layout.seats
    output = rng.normal(0, 0.5 / np.sqrt(hidden), (outputs, hidden))
    return ValueNetwork(
        game, variant_mix.entries, units,
        rng.normal(0, 1 / np.sqrt(ON_AT_ONCE), (len(units), hidden)).astype(np.float32),
        np.zeros((heads, hidden), np.float32), np.tile(output, (heads, 1)).astype(np.float32),
        np.zeros(heads * outputs, np.float32), scale, play_digest(game, variant_mix.entries),
    )  # fmt: skip


def check_outputs(outputs: object, seats: int, scale: float) -> None:
    """ValueError unless a network between so many seats, with this ``scale``, can have so many outputs."""
    possible = (1, 3) if seats == 2 and scale > 1 else (1,)
    if not (is_whole(outputs) and outputs in possible):
        raise ValueError(
            f"outputs must be {' or '.join(map(str, possible))} for {seats} seats and the scale {scale:g}, not "
            f"{shown(outputs)}"
        )


def _output_rows(heads: NDArray[np.int64], outputs: int) -> NDArray[np.int64]:
    """The rows of the outputs of heads (K,): (K, O)."""
    return heads[:, None] * outputs + np.arange(outputs)


def variant_mix_of(network: ValueNetwork) -> VariantMix:
    """The variants of a network with equal probabilities."""
    count = len(network.variants)
    return VariantMix(network.game, network.variants, np.arange(1, count + 1) / count)


def _compared(values: Mapping[str, Value]) -> dict[str, Value]:
    """The option values that must be equal in two variants."""
    return {name: value for name, value in values.items() if name not in INDIFFERENT}
