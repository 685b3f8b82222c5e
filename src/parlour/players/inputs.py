"""What a network is given to see, by name: the planes of a game as they are, counts as steps, or the game's features.

* ``"planes"``: the observation itself, int8 (C, H, W).
* ``"thermometer"``: float32 (T, H, W), from 0 to 1. A plane of counts for which the game names steps
  (`parlour.rulebook.protocol.Plane.steps`) becomes a plane for each step, 1 where the number is at least that, and, if
  it can be higher than the last step, a plane of what is above it, divided by the most that this can be. Every other
  plane is scaled from its bounds to 0 to 1.
* ``"thermometer:int8"``: the same T planes as int8, a quarter of the memory. Nothing is scaled: what is above the last
  step stays a count, and every other plane stays as it is.
* ``"features"``: float32 (F,), 0 or 1: what the small value networks of a game with features see
  (`parlour.rulebook.protocol.Evaluation.features`), a number for each threshold of each feature, 1 if it is reached.

Axis letters: N games, M of them, C planes, T planes made of them, H × W board, F numbers.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from parlour.engine.game import Game
from parlour.engine.games import Games
from parlour.interfaces import registry
from parlour.interfaces.spaces import observation_space
from parlour.players.value.inputs import active_units, feature_units, numbers_of
from parlour.rulebook.compiling import kernel
from parlour.rulebook.protocol import Layout, Plane
from parlour.support.arguments import one_of
from parlour.support.errors import listing

PLANES, THERMOMETER, THERMOMETER_INT8, FEATURES = "planes", "thermometer", "thermometer:int8", "features"
INPUTS = (PLANES, THERMOMETER, THERMOMETER_INT8, FEATURES)
DTYPES = ("float32", "int8")
BYTES = np.arange(256, dtype=np.uint8).view(np.int8).astype(np.int64)
"""[byte]: the number that it is as int8."""


@kernel
def look_up(table: Any, sources: Any, seen: Any, features: Any) -> None:
    """``features[n, t, k]`` becomes what ``table`` (T, 256) has for plane t and the byte that ``seen`` (uint8
    (N, C, H · W)) has in its source."""
    for n in range(len(features)):
        for t in range(len(sources)):
            for k in range(features.shape[2]):
                features[n, t, k] = table[t, seen[n, sources[t], k]]


class PlaneTable(NamedTuple):
    """Planes made of a game's planes, cell by cell."""

    planes: tuple[Plane, ...]
    """T of them"""
    sources: NDArray[np.int64]
    """(T,): which plane each is made of"""
    table: NDArray[Any]
    """(T, 256), float32 or int8: what it shows for each byte of its source"""

    def __call__(self, observation: NDArray[np.int8]) -> NDArray[Any]:
        """int8 (…, C, H, W) as float32 or int8 (…, T, H, W), a new array."""
        *rows, channels, height, width = observation.shape
        features = np.empty((*rows, len(self.planes), height, width), self.table.dtype)
        seen = np.ascontiguousarray(observation).view(np.uint8).reshape(-1, channels, height * width)
        look_up(self.table, self.sources, seen, features.reshape(len(seen), len(self.planes), height * width))
        return features

    def space(self, height: int, width: int) -> spaces.Box:
        """The space of what it gives: (T, H, W)."""
        bounds = (np.array([getattr(plane, end) for plane in self.planes]) for end in ("low", "high"))
        shape, kind = (len(self.planes), height, width), self.table.dtype.type
        low, high = (np.broadcast_to(bound[:, None, None], shape).astype(kind) for bound in bounds)
        return spaces.Box(low, high, dtype=kind)


@lru_cache(64)
def thermometer(planes: tuple[Plane, ...], dtype: str = "float32") -> PlaneTable:
    """How ``planes`` become others: see this module's docstring. ``dtype``: one of `DTYPES`."""
    made = [(c, *part) for c, plane in enumerate(planes) for part in _parts(plane, dtype == "float32")]
    return PlaneTable(
        tuple(plane for _, plane, _ in made),
        np.array([c for c, _, _ in made], np.int64),
        np.array([shown for _, _, shown in made], dtype),
    )


def _parts(plane: Plane, scaled: bool) -> list[tuple[Plane, NDArray[Any]]]:
    """The planes that one becomes, each with what it shows for each byte: (256,)."""

    def between(low: int, high: int, meaning: str) -> tuple[Plane, NDArray[Any]]:
        above, most = BYTES.clip(low, high) - low, high - low
        return Plane(meaning, 0, 1 if scaled else most, plane.kind), above / max(most, 1) if scaled else above

    if not plane.steps:
        return [between(plane.low, plane.high, plane.meaning) if scaled else (plane, BYTES)]
    made = [between(step - 1, step, f"{plane.meaning}: {step} or more") for step in plane.steps]
    last = plane.steps[-1]
    rest = [between(last, plane.high, f"{plane.meaning}: how many more than {last}")] if last < plane.high else []
    return made + rest


_units = lru_cache(64)(feature_units)


def features_of(games: Games, row_ids: NDArray[np.int64], seats: NDArray[Any]) -> NDArray[np.bool_]:
    """The features of the rows ``row_ids`` (M,), from the view of ``seats`` (M,): (M, F). ValueError as `units_of`."""
    return active_units(units_of(games.game), numbers_of(games, row_ids, seats))


def features_space(game: Game, dtype: str = "float32") -> spaces.Box:
    """F numbers, 0 or 1. ValueError as `units_of`."""
    return spaces.Box(0, 1, (len(units_of(game)),), np.dtype(dtype).type)


def units_of(game: Game) -> NDArray[np.int32]:
    """Number and threshold of each of a game's F features, (F, 2). ValueError if it has none."""
    if not hasattr(game.evaluation, "features"):
        having = [name for name in registry.games() if hasattr(registry.find(name).evaluation, "features")]
        raise ValueError(f"{game.id} has no features of its own; games that have: {listing(having)}")
    return _units(tuple(game.evaluation.FEATURES))


def thermometer_of(inputs: str, layout: Layout) -> PlaneTable:
    """What makes the planes of ``"thermometer"`` or ``"thermometer:int8"``."""
    return thermometer(layout.planes, DTYPES[inputs == THERMOMETER_INT8])


def inputs_shape(inputs: str, game: Game, layout: Layout) -> tuple[int, ...]:
    """The shape of what networks with these ``inputs`` see of a position. ValueError unless they are one of `INPUTS`,
    and for a game that lacks them."""
    if one_of("inputs", inputs, INPUTS) == FEATURES:
        return (len(units_of(game)),)
    planes = layout.planes if inputs == PLANES else thermometer_of(inputs, layout).planes
    return len(planes), layout.height, layout.width


def inputs_space(inputs: str, game: Game, layout: Layout) -> spaces.Box:
    """The space of what they see. ValueError as `inputs_shape`."""
    shape = inputs_shape(inputs, game, layout)
    if inputs == FEATURES:
        return features_space(game)
    if inputs == PLANES:
        return observation_space(layout)["observation"]  # type: ignore[return-value]
    return thermometer_of(inputs, layout).space(*shape[1:])


def inputs_of(
    inputs: str, games: Games, row_ids: NDArray[np.int64], seats: NDArray[Any], observation: NDArray[np.int8]
) -> NDArray[Any]:
    """What networks with these ``inputs`` (one of `INPUTS`) see of the rows ``row_ids`` (M,), from the view of
    ``seats`` (M,), whose planes are ``observation``, int8 (M, C, H, W). ValueError for a game that lacks them."""
    if inputs == FEATURES:
        return features_of(games, row_ids, seats).astype(np.float32)
    return observation if inputs == PLANES else thermometer_of(inputs, games.layout)(observation)
