"""Games that have begun."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import parlour
from parlour.engine.games import Games
from parlour.interfaces.batch import Batch
from parlour.interfaces.registry import find
from parlour.players import GamesView
from parlour.rulebook.protocol import Layout


def begun(
    game: str, seed: Any = 0, *, position: object = None, throws: Any = None, plies: int = 0, **options: Any
) -> Any:
    """A `GameEnv` after its reset, from a ``position`` and with ``throws`` to come, if they are given; and after that
    number of random plies."""
    env = parlour.make(game, **options).unwrapped
    env.reset(seed=seed, options={"position": position, "dice": throws})
    actions = np.zeros(1, np.int64)
    for _ in range(plies):
        env.games.observe()
        env.games.sample(actions)
        env.step(int(actions[0]))
    return env


def batch_of(game: str, num_games: int, *, position: object = None, plies: int = 0, **options: Any) -> Batch:
    """A batch after its reset, from a ``position`` or a list of them, if given; and after that number of random
    plies."""
    batch = parlour.make_batch(game, num_games, **options)
    batch.reset(options={"position": position})
    for _ in range(plies):
        batch.step(batch.sample_actions())
    return batch


def layout_of(game: str, **options: Any) -> Layout:
    """The sizes of a game's first variant."""
    known = find(game)
    return known.layout(known.resolve(None, options)[1])


def chosen(player: Any, games: Games, rows: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
    """The actions of a player in these rows (None: all), −7 in the others."""
    actions = np.full(games.num_games, -7)
    games.observe()
    player.choose(GamesView(games), np.ones(games.num_games, np.bool_) if rows is None else rows, actions)
    return actions
