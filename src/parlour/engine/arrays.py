"""The arrays of N games side by side, which the compiled calls work on.

Axis letters: see `parlour.rulebook.protocol`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

DISABLED, NEXT_STEP, SAME_STEP = 0, 1, 2
"""What a game that has ended does: see `gymnasium.vector.AutoresetMode`."""


OUTSIDE, RANDOM, GREEDY = 0, 1, 2
"""Who plays the other seats of a row in `self_play.advance_rows`: the caller, or a player that plays right there."""


class Columns(NamedTuple):
    """The arrays of N games side by side, a row a game. A₈ is A rounded up to a multiple of 8, A₆₄ to one of 64.

    ``terminated``, ``truncated``, ``to_act``, ``masks`` and ``planes`` are what callers are shown: nothing is ever read
    from them here, so that it does not matter what callers write into them.
    """

    states: Any
    """(N,) records of the game's ``STATE``"""
    variants: Any
    """(N,) records of its option values"""
    streams: Any
    """(N,) `chance.STREAM` records, for the dice"""
    samplers: Any
    """the same for the players' choices"""
    given: Any
    """int8 (G, dice + 1): throws given from outside, for all rows, each with its number of dice last"""
    history: Any
    """uint64 (N, K): the keys of positions that could come again"""
    rewards: Any
    """float64 (N, P), of the latest ply"""
    terminated: Any
    """bool (N,)"""
    truncated: Any
    """bool (N,)"""
    to_act: Any
    """int8 (N,): the seat to act"""
    masks: Any
    """int8 (N, A₈): its action mask"""
    words: Any
    """uint64 (N, A₈ / 8): the same bytes"""
    legal_bits: Any
    """uint64 (N, A₆₄ / 64): the same mask with a bit an action. Callers are shown ``masks``, and may write into
    them; the engine goes by these."""
    counts: Any
    """int64 (N,): how many actions it allows"""
    planes: Any
    """int8 (N, C · H · W): what it sees, with E more planes where the rows tell their variant"""
    menu: Any
    """(K,) records of option values, among which a new game of any row chooses"""
    odds: Any
    """float64 (K,): with what probability it takes one of the first k + 1"""
    selectors: Any
    """(N,) `chance.STREAM` records, for that choice"""
    chosen: Any
    """int64 (N,): the place in the menu of the row's variant"""
    badges: Any
    """int8 (K, E): the numbers that fill the E planes which tell the variant"""
    plane_size: int
    """H · W"""


class Finals(NamedTuple):
    """What is kept of the games that ended and began anew in the same step."""

    to_act: Any
    """int8 (N,): the seat that looks at the end"""
    planes: Any
    """int8 (N, C · H · W), or (0, …) before the first such step: what it sees"""
    potentials: Any
    """float32 (N, P) of the end, or (0, P) where nobody asked for them"""
    before: Any
    """(N,) states before the ply, or (0,): what the events of the last ply are counted from"""
    events: Any
    """int64 (N, E) of the last ply, or (0, E) where nobody asked for them"""
