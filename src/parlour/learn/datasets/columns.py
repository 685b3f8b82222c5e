"""A data set: what was played, and arrays over K plies. The plies of a game are adjacent, in the order of play.

Axis letters: K plies, C planes, H × W board, F features, A actions, P seats.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.arena.setting.openings import NONE
from parlour.engine.game import Game
from parlour.players.inputs import inputs_space
from parlour.rulebook.options import Value


@dataclass(frozen=True)
class Config:
    """What was played.

    Attributes:
        options: the value of every option.
        inputs: what is seen of a position (`parlour.players.inputs`).
        games: how many were played, including duplicates, which are left out.
        player: by name; empty for recorded games.
        identity: what identifies the player beside its name, such as the SHA-256 of its network; for recorded games,
            the SHA-256 of their file.
        noise: the share of random plies.
        openings: ``"none"``, ``"random:PLIES"``, or positions.
    """

    game: str
    variant: str
    options: Mapping[str, Value]
    inputs: str
    games: int
    player: str = ""
    identity: Mapping[str, str] = field(default_factory=dict)
    noise: float = 0.0
    seed: int = 0
    openings: str | Sequence[str] = NONE


@dataclass(frozen=True, eq=False)
class Columns:
    """What was seen and done in K plies.

    Attributes:
        observation: (K, C, H, W), what the seat to act sees: int8, or as `parlour.players.inputs` says of other inputs;
            (K, F) of features.
        action_mask: bool (K, A), which actions are legal.
        action: int64 (K,), what the player chose: the label to learn, also where a random ply was played instead.
        played: int64 (K,), what was played: ``action``, or now and then a random ply.
        value: float32 (K,), the sum of rewards that the seat to act can expect from here on, by the player; NaN where
            it does not say.
        returns: float32 (K,), the sum of rewards that the seat to act got from here to the end of the game.
        seat: int8 (K,), the seat to act.
        game: int64 (K,), the number of the game, ascending.
        truncated: bool (K,), whether the game was cut off (`max_plies`), so that it has no result.
    """

    observation: NDArray[Any]
    action_mask: NDArray[np.bool_]
    action: NDArray[np.int64]
    played: NDArray[np.int64]
    value: NDArray[np.float32]
    returns: NDArray[np.float32]
    seat: NDArray[np.int8]
    game: NDArray[np.int64]
    truncated: NDArray[np.bool_]

    def __len__(self) -> int:
        """K."""
        return len(self.game)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays by their names."""
        return {name: getattr(self, name) for name in COLUMNS}

    def at(self, plies: Any) -> Columns:
        """The plies at an index: numbers, a mask or a slice."""
        return Columns(**{name: array[plies] for name, array in self.arrays().items()})

    def bounds(self) -> list[tuple[int, int]]:
        """Where each game begins and ends."""
        new = np.flatnonzero(np.diff(self.game)) + 1
        return list(pairwise([0, *new.tolist(), len(self)])) if len(self) else []

    def episodes(self) -> Iterator[NDArray[np.int64]]:
        """For each seat of each game, the numbers (T,) of its plies, in order."""
        for low, high in self.bounds():
            seats = self.seat[low:high]
            for seat in np.unique(seats):
                yield low + np.flatnonzero(seats == seat)


COLUMNS = [column.name for column in fields(Columns)]


def joined(parts: Sequence[Columns]) -> Columns:
    """One or more parts as one, in this order."""
    return Columns(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in COLUMNS})


def column_types(
    game: Game, values: Mapping[str, Value], inputs: str
) -> dict[str, tuple[np.dtype[Any], tuple[int, ...]]]:
    """The dtype of each column, and its shape after the axis K. ValueError for inputs that the game lacks."""
    layout = game.layout(values)
    seen = inputs_space(inputs, game, layout)
    kinds: dict[str, Any] = {"value": np.float32, "returns": np.float32, "seat": np.int8, "truncated": np.bool_}
    plain = {name: (np.dtype(kinds.get(name, np.int64)), ()) for name in COLUMNS}
    assert seen.dtype is not None
    return {**plain, "observation": (seen.dtype, seen.shape), "action_mask": (np.dtype(bool), (layout.actions,))}


def returns_to_go(rewards: NDArray[np.float64], seats: NDArray[np.int8]) -> NDArray[np.float32]:
    """The return of the seat to act from each ply of a game to its end: (T,). ``rewards``: (T, P), of each ply;
    ``seats``: (T,), the seats to act."""
    sums = rewards[::-1].cumsum(axis=0)[::-1]
    return sums[np.arange(len(seats)), seats].astype(np.float32)


class Distinct:
    """Removes games with the same observations and the same plies as an earlier game."""

    def __init__(self) -> None:
        self._seen: set[bytes] = set()

    def __call__(self, columns: Columns) -> Columns:
        """The columns without duplicate games."""
        new = np.ones(len(columns), np.bool_)
        for low, high in columns.bounds():
            digest = hashlib.blake2b(columns.observation[low:high].tobytes(), digest_size=16)
            digest.update(columns.played[low:high].tobytes())
            new[low:high] = digest.digest() not in self._seen
            self._seen.add(digest.digest())
        return columns if new.all() else columns.at(new)
