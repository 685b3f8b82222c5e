"""The inputs of a small value network: numbers of a position, and units that are on if a number reaches a threshold.

The numbers are what the game's own kernel ``features`` writes (`parlour.rulebook.protocol.Evaluation`), or else the
observation planes. Thresholds (1 or more, 2 or more, …) instead of the numbers themselves are after Tesauro, *Practical
Issues in Temporal Difference Learning*, Machine Learning 8, 1992. `play_digest` tells whether rules and numbers are
still those for which a network was trained.

Axis letters: D numbers, F units, C planes, H × W board, K positions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.arrays import SAME_STEP
from parlour.engine.game import Game
from parlour.engine.games import Games
from parlour.engine.kernels.network_value import write_rows
from parlour.engine.seeds import seed_words
from parlour.engine.variant_mix import Entry, VariantMix, single
from parlour.rulebook.options import Value
from parlour.rulebook.planes import PLIES_LEFT_PLANES
from parlour.rulebook.protocol import Feature, Layout
from parlour.rulebook.state_records import as_words

FEATURES, PLANES = "features", "planes"
SOURCES = (FEATURES, PLANES)
"""Where the numbers come from."""
MAX_UNITS = 1 << 15
"""The limit by which sums of all weights fit in int32: see `parlour.players.value.quantised`."""
THRESHOLDS = (1, 2, 3, 4, 6, 8, 11, 15, 20, 28, 40, 56, 80, 112)
"""The default thresholds, up to the largest value of a number."""
HIGHEST = 127
"""The highest number."""
SAMPLE_GAMES, SAMPLE_PLIES = 128, 96
"""Random play that finds the planes that are constant."""
DIGEST_GAMES, DIGEST_PLIES = 16, 64
"""Random play in each variant that tells whether the rules are still the same."""


def source_of(game: Game) -> str:
    """Where the game's numbers come from: one of `SOURCES`."""
    return FEATURES if hasattr(game.evaluation, "features") else PLANES


def count_numbers(game: Game, layout: Layout) -> int:
    """D"""
    if source_of(game) == FEATURES:
        return sum(feature.count for feature in game.evaluation.FEATURES)
    return len(layout.planes) * layout.height * layout.width


def numbers_before_throw(game: Game, layout: Layout) -> NDArray[np.bool_]:
    """(D,): which numbers are read when a throw is due: all planes but those that show the throw before."""
    if source_of(game) == FEATURES:
        return np.ones(count_numbers(game, layout), np.bool_)
    return np.repeat([plane.kind != "dice" for plane in layout.planes], layout.height * layout.width)


def default_units(game: Game, variant_mix: VariantMix) -> NDArray[np.int32]:
    """The units of a new network, (F, 2): the number that each belongs to, and its threshold.

    Planes with the plies left before `max_plies` are left out, and planes that never change. Of a plane with the same
    number in all cells one number is taken. Random play finds both kinds.
    """
    if source_of(game) == FEATURES:
        return feature_units(game.evaluation.FEATURES)
    layout = variant_mix.layout
    size = layout.height * layout.width
    units: list[tuple[int, int]] = []
    seen = _random_positions(game, variant_mix).reshape(-1, len(layout.planes), size)
    for c, plane in enumerate(layout.planes):
        cells_seen = seen[:, c]
        uniform, still = (cells_seen == cells_seen[:, :1]).all(), (cells_seen == cells_seen[:1]).all()
        if plane in PLIES_LEFT_PLANES or (still and cells_seen.any()):
            continue
        cells = range(c * size, c * size + (1 if uniform and cells_seen.any() else size))
        units += [(cell, threshold) for cell in cells for threshold in _thresholds(plane.high)]
    return np.array(units, np.int32).reshape(-1, 2)


def first_units(units: NDArray[np.int32], count: int) -> NDArray[np.int32]:
    """int32 (D + 1,): the place of the first unit of each of ``count`` numbers, and the place after the last."""
    return np.searchsorted(units[:, 0], np.arange(count + 1)).astype(np.int32)


def units_on(units: NDArray[np.int32], count: int) -> NDArray[np.int32]:
    """int32 (D, 128): the place after the last unit that is on where one of ``count`` numbers is 0, 1, … 127."""
    order, values = units.astype(np.int64) @ (HIGHEST + 1, 1), np.arange(count * (HIGHEST + 1))
    return np.searchsorted(order, values, side="right").reshape(count, -1).astype(np.int32)


def numbers_of(games: Games, row_ids: NDArray[np.int64], seats: NDArray[Any]) -> NDArray[np.int8]:
    """What a network sees of the rows ``row_ids`` (K,) from the view of ``seats`` (K,): int8 (K, D)."""
    layout = games.game.layout(games.variant_mix.entries[0].values)
    count, words = len(row_ids), byte_words(numbers_before_throw(games.game, layout))
    numbers = np.zeros((count, len(words) * 8), np.int8)
    write_rows(
        0, count, games.functions_for(write_rows), as_words(games.states[row_ids]), as_words(games.variants[row_ids]),
        seats.astype(np.int64), words, numbers, numbers.view(np.uint64),
    )  # fmt: skip
    return numbers[:, : count_numbers(games.game, layout)]


def byte_words(mask: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """(D,) as words, eight bytes of ones or zeros in each, zeros after the last: uint64 (D₈ / 8,)."""
    padded = np.zeros(-(-len(mask) // 8) * 8, np.uint8)
    padded[: len(mask)] = np.where(mask, 255, 0)
    return padded.view(np.uint64)


def active_units(units: NDArray[np.int32], numbers: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Which units are on: bool (K, F), for ``numbers`` (K, D) or (K, D₈)."""
    return numbers[:, units[:, 0]] >= units[:, 1]


def padded(active: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The places of the units that are on, (K, M), F after the last: as ``torch.nn.EmbeddingBag`` takes them with
    ``padding_idx=F``. M: the most that are on at once."""
    count = active.sum(axis=1)
    order = np.argsort(~active, axis=1, kind="stable")[:, : int(count.max(initial=0))]
    return np.where(np.arange(order.shape[1]) < count[:, None], order, active.shape[1])


def feature_units(features: Sequence[Feature]) -> NDArray[np.int32]:
    """The units of features, (F, 2): the number that each belongs to, and its threshold."""
    units: list[tuple[int, int]] = []
    first = 0
    for feature in features:
        thresholds = feature.thresholds or _thresholds(feature.high)
        units += [(first + k, threshold) for k in range(feature.count) for threshold in thresholds]
        first += feature.count
    return np.array(units, np.int32).reshape(-1, 2)


def _thresholds(high: int) -> tuple[int, ...]:
    """The default thresholds of a number up to ``high``."""
    return tuple(threshold for threshold in THRESHOLDS if threshold <= high)


def _random_positions(game: Game, variant_mix: VariantMix) -> NDArray[np.int8]:
    """Planes (K, C · H · W) of positions of random play in all variants: with two seats from the view of the seat to
    act, with more from that of each seat in turn."""
    games = Games(game, variant_mix, SAMPLE_GAMES)
    games.begin(seed_words(range(SAMPLE_GAMES)), None, np.arange(SAMPLE_GAMES) % len(variant_mix.entries))
    actions, numbers, seats = np.zeros(SAMPLE_GAMES, np.int64), [], variant_mix.layout.seats
    for ply in range(SAMPLE_PLIES):
        if ply % 4 == 0:
            lookers = games.states["to_act"] + (0 if seats == 2 else ply // 4)
            numbers.append(numbers_of(games, np.arange(SAMPLE_GAMES), lookers % seats))
        games.sample(actions)
        games.step(actions, SAME_STEP)
    return np.concatenate(numbers)


def play_digest(game: Game, variants: Sequence[Entry]) -> str:
    """Sixteen hex digits of random play in all variants: who acts, what is legal, the rewards, and what a network sees.
    They stay the same as long as the rules and the input numbers do, whatever their code looks like."""
    return _play_digest(game, tuple(tuple(sorted(entry.values.items())) for entry in variants))


@lru_cache(1024)
def _play_digest(game: Game, option_values: tuple[tuple[tuple[str, Value], ...], ...]) -> str:
    """`play_digest`, once for each game: a tournament reads a network for every batch of games."""
    digest = hashlib.sha256()
    for values in option_values:
        games = Games(game, single(game, dict(values)), DIGEST_GAMES)
        games.begin(seed_words(range(DIGEST_GAMES)))
        actions = np.zeros(DIGEST_GAMES, np.int64)
        for _ in range(DIGEST_PLIES):
            games.sample(actions)
            games.step(actions, SAME_STEP)
            seats = games.states["to_act"]
            numbers = numbers_of(games, np.arange(DIGEST_GAMES), seats)
            for array in (seats, games.action_mask, games.rewards, games.truncated, numbers):
                digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:16]
