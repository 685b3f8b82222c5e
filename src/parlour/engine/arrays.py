"""The arrays of N games side by side, which the compiled calls work on.

Axis letters: see `parlour.rulebook.protocol`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from parlour.engine.bundles import bundle

DISABLED, NEXT_STEP, SAME_STEP = 0, 1, 2
"""What a game that has ended does: see `gymnasium.vector.AutoresetMode`."""


OUTSIDE, RANDOM, GREEDY, FUNCTION = 0, 1, 2, 3
"""Who plays the other seats of a row in `self_play.advance_rows`: the caller, compiled code (`RANDOM`, `GREEDY`), or
the caller unless only one action is legal (`FUNCTION`)."""
HALTED, ASKING, UNFINISHED = 0, 1, 2
"""Why a row has stopped. `HALTED`: the learner is to act, or the game is over for it. `ASKING`: the caller must choose
for another seat. `UNFINISHED`: the call is at its limit, or the history is full; call `self_play.advance_rows`
again."""

STREAMS = ("dice_rng", "player_rng", "variant_rng")
OUTPUTS = ("variant_index", "rewards", "terminated", "truncated", "to_act", "masks", "legal_bits", "counts", "planes")
"""The arrays of a row other than its state, variant, streams and history."""


@bundle
class Arrays(NamedTuple):
    """The arrays of N games side by side, a row a game. A₈ is A rounded up to a multiple of 8, A₆₄ to one of 64.

    ``terminated``, ``truncated``, ``to_act``, ``masks`` and ``planes`` are for callers, who may write into them. The
    engine, players and wrappers read ``states`` and ``legal_bits`` instead (`Games.look`, `Games.legal_in`).
    """

    states: Any
    """N states: uint64 (N, state size / 8), see `parlour.engine.calls.state_at`; in the interpreter records"""
    variants: Any
    """(N,) option values, in the same form"""
    dice_rng: Any
    """(N,) `chance.STREAM` records, for the dice"""
    player_rng: Any
    """(N,) `chance.STREAM` records, for the players' random choices"""
    forced_dice: Any
    """int8 (G, dice + 1): forced throws: faces, then the number of dice; ``dice_rng`` says which belong to a row"""
    history: Any
    """uint64 (N, K): the keys of positions that could occur again, after a filter: see `parlour.engine.repetition`"""
    rewards: Any
    """float64 (N, P), of the latest ply"""
    terminated: Any
    """bool (N,)"""
    truncated: Any
    """bool (N,)"""
    to_act: Any
    """int8 (N,): the seat to act"""
    masks: Any
    """int8 (N, A₈): the action mask"""
    words: Any
    """uint64 (N, A₈ / 8): the same bytes"""
    legal_bits: Any
    """uint64 (N, A₆₄ / 64): the same mask with one bit per action, which the engine reads"""
    counts: Any
    """int64 (N,): how many actions are legal"""
    planes: Any
    """int8 (N, C · H · W): the observation; its last E planes show the variant"""
    variant_records: Any
    """(K,) option values: the variants of which new games draw one"""
    cumulative: Any
    """float64 (K,): cumulative variant probabilities"""
    variant_rng: Any
    """(N,) `chance.STREAM` records, for choosing a variant"""
    variant_index: Any
    """int64 (N,): the index of the row's variant in ``variant_records``"""
    variant_planes: Any
    """int8 (K, E): the values of the E variant planes"""
    plane_size: int
    """H · W"""


@bundle
class Finals(NamedTuple):
    """The last positions of games that ended and began again in the same step."""

    to_act: Any
    """int8 (N,): the observing seat at the end"""
    planes: Any
    """int8 (N, C · H · W), or (0, …) before the first such step: what it sees"""
    potentials: Any
    """float32 (N, P), or (0, P) if they are not asked for"""
    before: Any
    """(N,) states before the last ply, from which its events are counted, or (0,)"""
    events: Any
    """int64 (N, E) of the last ply, or (0, E) if they are not asked for"""


@bundle
class SelfPlayArrays(NamedTuple):
    """What self-play in N rows needs beside `Arrays`."""

    row_ids: Any
    """int64 (N,): the first M are the rows to play on"""
    actions: Any
    """int64 (N,): the action with which a row begins, −1 for none"""
    waits: Any
    """int8 (N,): for each of the M rows, `HALTED`, `ASKING` or `UNFINISHED`"""
    learners: Any
    """int8 (N,): the seat that learns"""
    opponents: Any
    """int8 (N,): who plays the other seats: `OUTSIDE`, `RANDOM`, `GREEDY` or `FUNCTION`"""
    totals: Any
    """float64 (N, P): the rewards since the caller set them to 0"""
    after: Any
    """(N,) states: scratch"""
    scratch: Any
    """float64 (N, P): scratch"""


@bundle
class Traces(NamedTuple):
    """What is recorded of the games in N rows: each ply, with room for L − 1, and the last position.

    Index t of ``potentials`` and ``keys`` is the position before ply t, counted from 0.
    """

    lengths: Any
    """int64 (N,): how many plies have been played"""
    seats: Any
    """int8 (N, L): the seat that acted"""
    actions: Any
    """int32 (N, L)"""
    legal: Any
    """int32 (N, L): how many actions were legal"""
    changed: Any
    """int32 (N, L): the cells of the board that a ply changed"""
    distance: Any
    """int32 (N, L): the greatest distance between two of these, in king's steps"""
    potentials: Any
    """float32 (N, L, P): see ``scoring.potential_of``"""
    leads: Any
    """float32 (N, L, P): each potential minus the highest of the others"""
    keys: Any
    """uint64 (N, L): a hash of what the board shows"""
    events: Any
    """int32 (N, L, E): how often each event happened"""
    pictures: Any
    """int8 (N, 2, B): seat 0's observations, without variant planes, before plies of even and of odd numbers; then
    zeros up to B, a multiple of 8"""
    words: Any
    """uint64 (N, 2, B / 8): the same bytes"""
    latest: Any
    """int32 (N, H · W): for each cell of the board how many plies had been played when it changed last; 0: never"""
    before: Any
    """(N,) states: those of the last position"""
    leaders: Any
    """int64 (N,): the seat that led last; −1: nobody has led yet"""
    lead_changes: Any
    """int64 (N,): how often the lead has passed to another seat"""


@bundle
class RollOuts(NamedTuple):
    """What roll-outs need beside `Arrays`: K from each of M rows. A call may stop in the middle of one."""

    places: Any
    """int64 (N,): the index of a row among the M, −1 for none"""
    states: Any
    """(N,) states, which are played on"""
    after: Any
    """(N,) states: scratch, at the first row of a call, to try plies on"""
    variants: Any
    """(N,) option values: scratch, at the first row of a call"""
    masks: Any
    """int8 (N, A₈): scratch, likewise"""
    words: Any
    """uint64 (N, A₈ / 8): the same bytes"""
    rewards: Any
    """float64 (N, P), of the game that is played"""
    done: Any
    """int64 (N,): how many games are over"""
    begun: Any
    """bool (N,): whether another game has begun"""
    returns: Any
    """float32 (M, K, P): see `roll_outs.Returns`, as for the next two"""
    plies: Any
    """int64 (M, K)"""
    truncated: Any
    """bool (M, K)"""


@bundle
class LookaheadArrays(NamedTuple):
    """The few of `Arrays` that looking ahead needs, since passing an array takes time."""

    states: Any
    variants: Any
    history: Any
    legal_bits: Any
    variant_index: Any
    variant_planes: Any
    plane_size: int


@bundle
class Outcomes(NamedTuple):
    """What K actions or turns lead to, before any throw that follows."""

    planes: Any
    """int8 (K, C · H · W): what the seat that acted sees"""
    chance_due: Any
    """bool (K,): whether a throw follows"""
    to_act: Any
    """int8 (K,): the seat to act; if a throw follows, the seat that throws"""
    rewards: Any
    """float32 (K, P)"""
    terminated: Any
    """bool (K,)"""
    truncated: Any
    """bool (K,)"""


@bundle
class TurnTree(NamedTuple):
    """Positions within the turns of some rows: at most M, and those of a row adjacent."""

    states: Any
    """(M,) records: after a ply, before any throw"""
    words: Any
    """uint64 (M, state size / 8): the same bytes"""
    rewards: Any
    """float64 (M, P): since the start of the turn"""
    row_ids: Any
    """int64 (M,): the row"""
    parents: Any
    """int64 (M,): the position before the latest ply; −1: the start of the turn"""
    actions: Any
    """int64 (M,): that ply"""
    lengths: Any
    """int64 (M,): plies since the start of the turn"""
    due: Any
    """int8 (M,): dice that are due; −1 where the turn goes on"""
    places: Any
    """int64 (2ᵏ,), at least 2 M: a hash table: indices of positions, by the lowest bits of their hashes; scratch"""
