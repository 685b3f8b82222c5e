"""The kernels that are launched on a GPU, with one thread for each of N games."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

from numba import cuda, int8

from parlour.engine.arrays import DISABLED
from parlour.engine.cuda.device_functions import DeviceFunctions
from parlour.engine.game import Game
from parlour.engine.inlined import inlined
from parlour.engine.kernels import step
from parlour.rulebook.masks import allows_in, random_allowed

THREADS = 128
"""Threads of a block"""


class Shown(NamedTuple):
    """Outputs beside those of `parlour.engine.arrays.Arrays`."""

    rewards: Any
    """float32 (N, P)"""
    ended: Any
    """bool (N,): games that ended in the latest step"""


class Launches(NamedTuple):
    """Kernels to launch over N games: ``launches.step[blocks(N), THREADS](…)``."""

    take: Any
    """``(given, actions, refused)``: copies actions (N,) of any integer type into int64 (N,). ``refused`` (int64 (2,)):
    the first row whose action was refused, N for none; then the same before this step. After a refusal, nothing is
    copied or played."""
    widen: Any
    """``(narrow, wide)``: copies uint64 (N, K) into the first columns of a wider array"""
    begin: Any
    """``(row_mask, variant_index, starts, arrays, shown)``: `parlour.engine.kernels.step.begin_rows`"""
    check: Any
    """``(actions, autoreset, arrays, refused)``: looks for the first row whose action can't be played"""
    step: Any
    """``(actions, autoreset, arrays, finals, shown, refused, longest)``: `parlour.engine.kernels.step.step_rows`;
    ``longest`` (int32 (1,)) becomes at least the longest ``seen``"""
    sample: Any
    """``(arrays, actions)``: `parlour.engine.kernels.step.sample_rows`"""


def blocks(count: int) -> int:
    """How many blocks have a thread for each of ``count`` rows."""
    return -(-count // THREADS)


@cuda.jit
def widen(narrow: Any, wide: Any) -> None:
    """See `Launches.widen`."""
    i = cuda.grid(1)
    if i < narrow.shape[0]:
        for k in range(narrow.shape[1]):
            wide[i, k] = narrow[i, k]


@cuda.jit
def take(given: Any, actions: Any, refused: Any) -> None:
    """See `Launches.take`."""
    i = cuda.grid(1)
    if i == 0:
        refused[1] = refused[0]
    if i < actions.shape[0] and refused[0] == actions.shape[0]:
        actions[i] = given[i]


@functools.cache
def launches_for(game: Game, actions: int) -> Launches:
    """The kernels of a game with this number of ``actions``. They are compiled when they are first launched."""
    functions = DeviceFunctions()
    rules, kernels = functions.of(inlined(game)), functions.of(step)
    allowed, drawn = functions.of(allows_in), functions.of(random_allowed)
    faces_of_a_throw = max(len(game.rules.DICE), 1)

    @cuda.jit
    def begin(row_mask: Any, variant_index: Any, starts: Any, arrays: Any, shown: Any) -> None:
        i = cuda.grid(1)
        if i < row_mask.shape[0] and row_mask[i]:
            faces = cuda.local.array(faces_of_a_throw, int8)
            kernels.start_streams(i, starts, arrays)
            kernels.begin_anew(rules, i, variant_index[i], arrays, faces)
            shown.ended[i] = False
            for seat in range(shown.rewards.shape[1]):
                shown.rewards[i, seat] = 0

    @cuda.jit
    def check(chosen: Any, autoreset: int, arrays: Any, refused: Any) -> None:
        i = cuda.grid(1)
        if i < chosen.shape[0] and refused[1] == chosen.shape[0]:
            action = chosen[i]
            if arrays.counts[i] == 0:
                if autoreset == DISABLED and action != -1:
                    cuda.atomic.min(refused, 0, i)
            elif action < 0 or action >= actions or not allowed(arrays.legal_bits, i, action):
                cuda.atomic.min(refused, 0, i)

    @cuda.jit
    def play(chosen: Any, autoreset: int, arrays: Any, finals: Any, shown: Any, refused: Any, longest: Any) -> None:
        i = cuda.grid(1)
        if i < chosen.shape[0] and refused[0] == chosen.shape[0]:
            faces = cuda.local.array(faces_of_a_throw, int8)
            seen = kernels.step_row(rules, i, chosen[i], autoreset, arrays, finals, faces)
            cuda.atomic.max(longest, 0, seen)
            shown.ended[i] = arrays.terminated[i] or arrays.truncated[i]
            for seat in range(shown.rewards.shape[1]):
                shown.rewards[i, seat] = arrays.rewards[i, seat]

    @cuda.jit
    def sample(arrays: Any, chosen: Any) -> None:
        i = cuda.grid(1)
        if i < chosen.shape[0]:
            chosen[i] = drawn(arrays.legal_bits[i], arrays.counts[i], arrays.player_rng[i])

    return Launches(take, widen, begin, check, play, sample)
