"""Single rows of N games side by side, for the templates that play them. The arrays are described in
`parlour.engine.arrays.Arrays`. What plays whole batches is in `parlour.engine.step`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.engine.arrays import Arrays
from parlour.rulebook.chance import pick
from parlour.rulebook.masks import pack_legal, random_allowed
from parlour.rulebook.planes import fill
from parlour.rulebook.protocol import Rules

rules: Rules
ply: Any
repeats: Any
kernel: Callable[[Any], Any]


@kernel
def find_legal(i: int, arrays: Arrays) -> None:
    """Writes the mask of row i, as bytes and as bits, and how many actions it allows."""
    repeats.legal(arrays.states[i], arrays.variants[i], arrays.history[i], arrays.masks[i], arrays.words[i])
    arrays.counts[i] = pack_legal(arrays.words[i], arrays.legal_bits[i])


@kernel
def observe(i: int, seat: int, arrays: Arrays, planes: Any, m: int) -> None:
    """What ``seat`` sees of row i, into row m of ``planes``: the game's own planes and those that tell the variant."""
    rules.observe(arrays.states[i], arrays.variants[i], seat, planes[m])
    variant_planes = arrays.variant_planes.shape[1]
    if variant_planes:
        own = planes.shape[1] // arrays.plane_size - variant_planes
        for e in range(variant_planes):
            fill(planes[m], own + e, arrays.plane_size, arrays.variant_planes[arrays.variant_index[i], e])


@kernel
def choose_variant(i: int, arrays: Arrays) -> None:
    """Draws the variant of row i's next game."""
    if arrays.variant_records.shape[0] > 1:
        set_variant(i, pick(arrays.variant_rng[i], arrays.cumulative), arrays)


@kernel
def set_variant(i: int, k: int, arrays: Arrays) -> None:
    """Sets the k-th variant in row i."""
    arrays.variant_index[i] = k
    arrays.variants[i] = arrays.variant_records[k]


@kernel
def begin_row(i: int, arrays: Arrays, faces: Any) -> None:
    """Begins a new game in row i. Its opening has no rewards, so those of the last ply remain."""
    ply.begin(
        arrays.states[i], arrays.variants[i], arrays.dice_rng[i], arrays.forced_dice, faces, arrays.history[i],
        arrays.rewards[i]
    )  # fmt: skip


@kernel
def play_row(i: int, action: int, arrays: Arrays, faces: Any) -> None:
    """`play` in row i."""
    ply.play(
        arrays.states[i], arrays.variants[i], action, arrays.dice_rng[i], arrays.forced_dice, faces, arrays.history[i],
        arrays.rewards[i]
    )  # fmt: skip


@kernel
def random_action(i: int, legal_bits: Any, counts: Any, player_rng: Any) -> int:
    """A legal action of row i, uniformly at random; −1 if there is none."""
    return random_allowed(legal_bits[i], counts[i], player_rng[i])
