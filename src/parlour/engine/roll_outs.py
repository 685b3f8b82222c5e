"""Random or greedy games from each row of a batch, played to their end: `roll_outs`.

Axis letters: N games, M of them, K roll-outs of each, P seats.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from parlour.engine.arrays import RollOuts
from parlour.engine.games import Games
from parlour.engine.kernels.roll_out import play_out_rows
from parlour.rulebook.state_records import as_words, records

POLICIES = ("random", "greedy")


class Returns(NamedTuple):
    """The results of K games from each of M rows; zeros for a row that is over."""

    returns: NDArray[np.float32]
    """float32 (M, K, P): the sum of each seat's rewards"""
    plies: NDArray[np.int64]
    """int64 (M, K)"""
    truncated: NDArray[np.bool_]
    """bool (M, K): whether `max_plies` ended the game"""


def roll_outs(games: Games, row_ids: NDArray[np.int64], count: int, policy: str) -> Returns:
    """Plays ``count`` games from each of ``row_ids`` (M,), all different, by one of `POLICIES`. Chance and choices come
    from the rows' own streams for players; the rows don't change. Each compiled call takes some hundredths of a second,
    so that Ctrl-C works."""
    n, seats = games.num_games, games.layout.seats
    places = np.full(n, -1)
    places[row_ids] = np.arange(len(row_ids))
    places[games.states["end"] != 0] = -1
    shape, masks = (len(row_ids), count), np.zeros_like(games.masks)
    work = RollOuts(
        places=places,
        states=as_words(records(n, games.game.rules.STATE)),
        after=as_words(records(n, games.game.rules.STATE)),
        variants=as_words(records(n, games.game.variant_dtype)),
        masks=masks,
        words=masks.view(np.uint64),
        rewards=np.zeros((n, seats)),
        done=np.zeros(n, np.int64),
        begun=np.zeros(n, np.bool_),
        returns=np.zeros((*shape, seats), np.float32),
        plies=np.zeros(shape, np.int64),
        truncated=np.zeros(shape, np.bool_),
    )
    unused = ("play_at_random",) if policy == "greedy" else ("greedy_score", "apply", "legal", "play_ply")
    while any(games.run_rules(play_out_rows, policy == "greedy", games.arrays, work, without=unused)):
        pass
    return Returns(work.returns, work.plies, work.truncated)
