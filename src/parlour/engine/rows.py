"""Single rows of `Games`: set to positions that are given as text, and to copies of other rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parlour.engine.arrays import STREAMS
from parlour.engine.forced_dice import copy_forced_dice
from parlour.engine.games import Games
from parlour.engine.repetition import FILTER_WORDS, note
from parlour.rulebook.positions import form_of, read_position
from parlour.rulebook.state_records import as_bytes, as_record


class Loaded(NamedTuple):
    """M states that `read_positions` has read from texts, for `load_positions`."""

    row_ids: NDArray[np.int64]
    """(M,): the rows for which they were read"""
    states: NDArray[Any]
    """(M,) records"""
    earlier: list[list[int]]
    """for each state, the keys of earlier positions that could occur again"""
    from_elsewhere: bool = False
    """whether any is written as another program does, so that a throw may still be due"""


def read_positions(
    games: Games,
    texts: Sequence[object],
    row_ids: NDArray[np.int64] | None = None,
    variant_index: NDArray[np.int64] | None = None,
) -> Loaded:
    """The states that texts describe, one per row, for `load_positions`. Nothing is changed.

    Args:
        games: N games.
        texts: M texts of positions.
        row_ids: int64 (M,), the rows that the texts are for; None: all.
        variant_index: int64 (N,), the variants under which they are read; None: the present variants of the rows.

    Raises:
        ValueError: for a text that is not valid.
    """
    row_ids = np.arange(games.num_games) if row_ids is None else row_ids
    notation, rules = games.game.notation, games.game.rules
    states = np.zeros(len(row_ids), rules.STATE)
    numbers = games.variant_index if variant_index is None else variant_index
    earlier = [
        read_position(notation, rules, text, as_record(states, m), as_record(games.variant_records, int(numbers[row])))
        for m, (row, text) in enumerate(zip(row_ids, texts))
    ]
    return Loaded(row_ids, states, earlier, any(form_of(notation, text) is not None for text in texts))


def load_positions(games: Games, loaded: Loaded) -> None:
    """Sets rows to the positions that `read_positions` has read for them."""
    row_ids, states, earlier = loaded[:3]
    games.await_helpers()
    games.make_room_for(max(map(len, earlier), default=0) + 1)
    as_bytes(games.states)[row_ids] = as_bytes(states)
    for row, keys in zip(row_ids, earlier):
        if games.states["seen"][row]:
            present = games.game.rules.position_key(as_record(games.states, row))
            for count, key in enumerate([*keys, int(present)]):
                note(games.history[row], count, np.uint64(key))
    games.rewards[row_ids] = 0
    if loaded.from_elsewhere:
        games.make_throws(row_ids)
    games.observe(row_ids)


def copy_rows(
    source: Games, from_rows: NDArray[np.int64], games: Games, to_rows: NDArray[np.int64], streams: bool = True
) -> None:
    """Sets ``to_rows`` (M,) of ``games``, all different, to copies of ``from_rows`` (M,) of ``source``: states,
    variants, history and observations; with ``streams`` also the random streams. Both games have equal variants."""
    games.await_helpers()
    seen = int(source.states["seen"][from_rows].max(initial=0))
    games.make_room_for(seen)
    used = FILTER_WORDS + seen if seen else 0
    games.history[to_rows, :used] = source.history[from_rows, :used]
    for name in ("states", "variants", *(STREAMS if streams else ())):
        mine, others = as_bytes(getattr(games, name)), as_bytes(getattr(source, name))
        mine[to_rows] = others[from_rows]
    if streams and source is not games:
        copy_forced_dice(source, from_rows, games, to_rows)
    for name in ("variant_index", "rewards"):
        getattr(games, name)[to_rows] = getattr(source, name)[from_rows]
    games.observe(to_rows)
