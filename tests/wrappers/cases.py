"""Every wrapper that the shared tests run over, each as a function of the environment, or of the batch."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from parlour.interfaces.registry import find
from parlour.wrappers import (
    BatchDiscountedWin,
    BatchEventReward,
    BatchFeatures,
    BatchPotentialShaping,
    BatchThermometer,
    DiscountedWin,
    EventReward,
    Features,
    FlatFloat32,
    HistoryPlanes,
    MaskInInfo,
    ObservationsKey,
    PotentialShaping,
    RecordGames,
    SplitDice,
    Symmetry,
    Thermometer,
    VariantSelector,
)


def every_event(env: Any) -> dict[str, float]:
    """An amount for each event of the game; none for what is no game."""
    game = getattr(env, "game", None)
    return {} if game is None else {event: 0.1 * (k + 1) for k, event in enumerate(game.evaluation.EVENTS)}


WRAPPERS: dict[str, Callable[[Any], Any]] = {
    "DiscountedWin": lambda env: DiscountedWin(env, 0.99),
    "EventReward": lambda env: EventReward(env, every_event(env), zero_sum=True),
    "Features": Features,
    "FlatFloat32 to −1 … 1": lambda env: FlatFloat32(env, scale=True),
    "FlatFloat32": FlatFloat32,
    "HistoryPlanes": lambda env: HistoryPlanes(env, 3),
    "MaskInInfo": MaskInInfo,
    "ObservationsKey of FlatFloat32": lambda env: ObservationsKey(FlatFloat32(env)),
    "ObservationsKey": ObservationsKey,
    "PotentialShaping": lambda env: PotentialShaping(env, 0.98, anneal=3),
    "SplitDice": SplitDice,
    "Symmetry": Symmetry,
    "Thermometer": Thermometer,
    "Thermometer of int8": lambda env: Thermometer(env, dtype="int8"),
    "VariantSelector": VariantSelector,
    "VariantSelector with planes": lambda env: VariantSelector(env, planes="options"),
    "RecordGames": lambda env: RecordGames(env, os.devnull),
}

BATCH_WRAPPERS: dict[str, Callable[[Any], Any]] = {
    "BatchDiscountedWin": lambda batch: BatchDiscountedWin(batch, 0.99),
    "BatchEventReward": lambda batch: BatchEventReward(batch, every_event(batch), zero_sum=True),
    "BatchFeatures": BatchFeatures,
    "BatchPotentialShaping": lambda batch: BatchPotentialShaping(batch, 0.98, anneal=3),
    "BatchThermometer": BatchThermometer,
    "BatchThermometer of int8": lambda batch: BatchThermometer(batch, dtype="int8"),
}


def works_on(name: str, game: str) -> bool:
    """Whether the wrapper is for that game: every one is, except for symmetries and features where there are none."""
    needed = {"Symmetry": find(game).has_symmetries, "Features": hasattr(find(game).evaluation, "features")}
    return needed.get(name, True)


def random_plies(env: Any, plies: int, seed: int = 0) -> Iterator[Any]:
    """What the seats to act see in random play, game after game, of an environment that shows its mask."""
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    for _ in range(plies):
        seen, _, terminated, truncated, _ = env.last()
        yield seen
        if terminated or truncated:
            env.reset()
        else:
            env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))


def first_legal(observation: Any, mask: Any) -> Any:
    return mask.argmax(axis=1)


def by_what_it_sees(observation: Any, mask: Any) -> Any:
    """A legal action that depends on every number of a row's observation and mask."""
    numbers = observation.reshape(len(mask), -1).astype(np.int64)
    point = (numbers * np.arange(1, numbers.shape[1] + 1)).sum(axis=1)
    return np.array([np.flatnonzero(row)[at % row.sum()] for row, at in zip(mask.astype(np.int64), point)])
