"""Handing work to threads within compiled code: waking a sleeping thread takes as long as stepping hundreds of games.

Each helper thread has a number in ``posts`` (int64, one a helper): what it is to do. The leader posts a job; the helper
claims it by `BUSY`, does its share and puts `IDLE` back. A job that no one has claimed when the leader has done its own
share, the leader takes back and does itself: a helper without a processor holds nobody up. A helper that has waited for
a while goes to sleep, which it shows by `ASLEEP`; the leader must then wake it by other means. Numbers are read and
written atomically, in the order of the program.
"""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.extending import intrinsic

from parlour.rulebook.compiling import kernel

ASLEEP, IDLE, LEAVE, BUSY, CHECK, STEP, SAMPLE = 0, 1, 2, 3, 4, 5, 6
"""What a helper thread does, or is to do: see `relay`."""

PATIENCE = 300_000
"""Looks at an unchanged number, some hundred microseconds, before a waiting thread gives way."""


def _place(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    return builder.gep(data, [index])


@intrinsic
def read(context: Any, posts: Any, k: Any) -> Any:
    """``posts[k]``"""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _place(target, builder, signature.args[0], *arguments)
        return builder.load_atomic(place, "seq_cst", 8)

    return types.int64(posts, types.int64), generate


@intrinsic
def write(context: Any, posts: Any, k: Any, number: Any) -> Any:
    """``posts[k] = number``"""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, index, value = arguments
        builder.store_atomic(value, _place(target, builder, signature.args[0], array, index), "seq_cst", 8)
        return target.get_dummy_value()

    return types.void(posts, types.int64, types.int64), generate


@intrinsic
def replace(context: Any, posts: Any, k: Any, expected: Any, number: Any) -> Any:
    """``posts[k] = number`` if it is ``expected``; whether it was."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, index, before, value = arguments
        place = _place(target, builder, signature.args[0], array, index)
        return builder.extract_value(builder.cmpxchg(place, before, value, "seq_cst", "seq_cst"), 1)

    return types.boolean(posts, types.int64, types.int64, types.int64), generate


@kernel
def post(posts: Any, k: int, job: int) -> bool:
    """Posts a job to helper k, which has none. Returns whether it is awake; a sleeping one must be woken to find it."""
    if replace(posts, k, IDLE, job):
        return True
    write(posts, k, job)
    return False


@kernel
def call_out(posts: Any, k: int) -> None:
    """Has helper k, which has no job, leave its stay if it is awake."""
    replace(posts, k, IDLE, LEAVE)


@kernel
def await_job(posts: Any, k: int) -> int:
    """Claims the job posted to helper k and returns it; or returns `LEAVE`; or `ASLEEP` if nothing has come for a
    while: the helper then counts as asleep."""
    looks = 0
    while True:
        job = read(posts, k)
        if job == LEAVE or (job > BUSY and replace(posts, k, job, BUSY)):
            return job
        looks += 1
        if looks > PATIENCE and replace(posts, k, IDLE, ASLEEP):
            return ASLEEP


@kernel
def take_back(posts: Any, k: int, job: int) -> bool:
    """Takes a job back from helper k; whether it had not been claimed."""
    return replace(posts, k, job, IDLE)


@kernel
def await_helpers(posts: Any) -> bool:
    """Waits until no helper has a job left. Returns False if that takes long, to be called again."""
    return _await_at_most(posts, IDLE)


@kernel
def await_sleep(posts: Any) -> bool:
    """Waits until every helper that was called out has left. Returns False if that takes long, to be called again."""
    return _await_at_most(posts, ASLEEP)


@kernel
def _await_at_most(posts: Any, most: int) -> bool:
    looks = 0
    k = 0
    while k < posts.shape[0]:
        if read(posts, k) <= most:
            k += 1
            continue
        looks += 1
        if looks > PATIENCE:
            return False
    return True
