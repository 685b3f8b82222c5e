"""Threads that share the rows of a batch. Each runs compiled code, which does not hold the interpreter's lock (GIL).

An interruption (Ctrl-C) may come between any two bytecode instructions of the calling thread, and may even cut short a
``finally`` block. So each call first finishes what an interrupted call has left: see `WorkerPool.await_helpers`.
"""

from __future__ import annotations

import _thread
import os
import sys
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import wraps
from itertools import starmap
from queue import Empty, SimpleQueue
from typing import Any, TypeVar, cast

PIECES = 2
"""`WorkerPool.run` divides the rows into this many pieces per thread. Rows may take unequal times, so a free thread
takes the next piece. `WorkerPool.whole` makes one piece per thread, so that most rows stay in the cache of one
processor."""
MIN_ROWS_PER_THREAD = 64
"""With fewer rows per thread, `WorkerPool.whole` works in the calling thread alone."""
SHARED_FROM = 0.0002
"""Seconds: calls that take less in one thread are not shared, since it takes up to 0.1 ms to wake another one."""
TRY_EVERY = 100
"""One call in this many is made the other way, shared or not, to measure which is faster. A shared call moves rows
between the caches of processors, and the operating system may stop a helper in the middle of a piece: on a busy machine
two threads were five times as slow as one."""
WEIGHT = 0.2
"""The weight of the latest call in a mean time (`mean_time`)."""
MAX_ROWS_PER_CALL = 4096
"""The most rows in one compiled call of `WorkerPool.run`, which can only be interrupted between its calls."""
Method = TypeVar("Method", bound=Callable[..., Any])


class WorkerPool:
    """The threads of one batch: the calling thread and, if ``threads`` is above 1, helpers.

    A call is shared if it takes long enough in one thread and is faster shared. Helpers start when they are first
    needed, and again after a fork; they end with the pool. Only one thread at a time may call the pool.
    """

    def __init__(self, threads: int, rows: int) -> None:
        """``threads``: at least 1. ``rows``: N."""
        self.threads, self.rows = threads, rows
        self._job: _Job | None = None
        self._paces: dict[Any, _Pace] = {}  # of each call
        self._helpers: _Helpers | None = None

    def run(self, call: Callable[..., Any], *arguments: Any) -> list[Any]:
        """Calls ``call(low, high, *arguments)`` for pieces of the rows, in parallel. A call must touch only its own
        rows, ``low`` to ``high``. Returns the calls' results, in any order. It can be interrupted after some rows.

        If a call raises, the first exception is raised again when all calls have ended.
        """
        parts = pieces(0, self.rows, -(-self.rows // MAX_ROWS_PER_CALL))
        return [result for low, high in parts for result in self._run_pieces(call, low, high, PIECES, arguments)]

    def whole(self, call: Callable[..., Any], rows: int, *arguments: Any) -> list[Any]:
        """Like `run`, for the first ``rows`` rows, and for calls that take less than a microsecond a row. An
        interruption comes before all of them or after: the next call first does what is left undone."""
        if rows < self.threads * MIN_ROWS_PER_THREAD:
            self.await_helpers()
            return [call(0, rows, *arguments)]
        return self._run_pieces(call, 0, rows, 1, arguments)

    def _run_pieces(
        self, call: Callable[..., Any], low: int, high: int, pieces_each: int, arguments: tuple[Any, ...]
    ) -> list[Any]:
        self.await_helpers()
        if self.threads == 1:
            return [call(low, high, *arguments)]
        pace = self._paces.get(call)
        if pace is None:
            pace = self._paces[call] = _Pace()
        rows, began = max(high - low, 1), time.perf_counter()
        if not pace.to_be_shared(rows):
            result = call(low, high, *arguments)
            pace.alone = mean_time(pace.alone, (time.perf_counter() - began) / rows)
            return [result]
        parts = pieces(low, high, self.threads * pieces_each)
        job = self._job = _Job(call, [(*part, *arguments) for part in parts])
        try:
            self._running_helpers().hand_out(job)
            job.work()
        finally:
            self.await_helpers()
        if job.errors:
            raise job.errors[0]
        pace.shared = mean_time(pace.shared, (time.perf_counter() - began) / rows)
        return job.results

    def await_helpers(self) -> None:
        """Finishes the job of an interrupted call. Every access to the rows must call this first."""
        if self._job is not None:
            self._job.finish()
            self._job = None

    def _running_helpers(self) -> _Helpers:
        """The helpers; they are made anew in another process, where a fork has left none."""
        if self._helpers is None or self._helpers.process != os.getpid():
            self._helpers = _Helpers(self.threads - 1)
        return self._helpers


def pieces(low: int, high: int, count: int) -> list[tuple[int, int]]:
    """Divides the rows ``low`` to ``high`` into ``count`` pieces, or fewer if there are fewer rows."""
    rows, count = high - low, min(count, high - low)
    return [(low + rows * k // count, low + rows * (k + 1) // count) for k in range(count)]


class _Pace:
    """How long a call takes in one thread and shared among all, in seconds per row; 0 if not measured yet."""

    def __init__(self) -> None:
        self.alone, self.shared, self.calls = 0.0, 0.0, 0

    def to_be_shared(self, rows: int) -> bool:
        """Whether to share the next call, which has this number of rows."""
        if self.alone * rows < SHARED_FROM:
            return False
        self.calls += 1
        return (self.shared <= self.alone) != (self.calls % TRY_EVERY == 0)


def mean_time(mean: float, last: float) -> float:
    """The mean time of calls with the last one. A slow call counts as twice the mean at most. A time below half of the
    mean becomes the mean, since the first call also compiles."""
    return last if last < mean / 2 or mean == 0 else mean + WEIGHT * (min(last, 2 * mean) - mean)


class _Helpers:
    """Threads that work on jobs from a queue. A thread holds a reference to the queue only, so it ends with the pool.

    They are started by ``_thread``, in one call that cannot be interrupted. `threading.Thread.start` waits under a lock
    for the new thread: an interruption there can leave the lock locked, and the thread waits for it for ever.
    `concurrent.futures.ThreadPoolExecutor` has locks too, shared by all pools.
    """

    def __init__(self, count: int) -> None:
        self.process = os.getpid()
        self._count = self._missing = count
        self._queue: SimpleQueue[_Job | None] = SimpleQueue()
        weakref.finalize(self, self._queue.put, None)

    def hand_out(self, job: _Job) -> None:
        """Lets every thread take part in a job."""
        while self._missing:
            _thread.start_new_thread(_help, (self._queue,))
            self._missing -= 1  # an interruption before this line means one thread more, which does no harm
        for _ in range(self._count):
            self._queue.put(job)


def _help(queue: SimpleQueue[_Job | None]) -> None:
    """The loop of a thread: one job after another, until it gets None, which it puts back for the others."""
    while (job := queue.get()) is not None:
        job.help()
        job = None  # don't keep its arrays alive while waiting
    queue.put(None)


class _Job:
    """One call for many pieces of rows: each thread takes one piece after another."""

    def __init__(self, call: Callable[..., Any], each: Sequence[tuple[Any, ...]]) -> None:
        """``each``: the arguments for every piece."""
        self._call, self._each = call, iter(each)
        self._inside: set[int] = set()
        self._left: SimpleQueue[None] = SimpleQueue()
        self.results: list[Any] = []
        self.errors: list[BaseException] = []

    def work(self) -> None:
        """Calls for one piece after another until all are taken. The loop over them has no bytecode, so that an
        interruption comes before it or after it."""
        results = list(starmap(self._call, self._each))
        self.results += results

    def help(self) -> None:
        """A helper's part of the job. The helper is counted as inside before it takes a piece."""
        me = threading.get_ident()
        self._inside.add(me)
        try:
            self.work()
        except BaseException as error:
            self.errors.append(error)
        self._inside.discard(me)
        self._left.put(None)

    def finish(self) -> None:
        """Does what nobody has taken, and waits for the helpers that still work."""
        self.work()
        while self._inside:
            with suppress(Empty):
                self._left.get(timeout=0.05)


def one_thread(method: Method) -> Method:
    """A decorator for methods. A call raises RuntimeError while another thread is inside a decorated method of the same
    object.

    The object must have a dict ``_users``. Decorated methods must not call one another.
    """

    @wraps(method)
    def call(self: Any, *arguments: Any, **options: Any) -> Any:
        me = threading.get_ident()
        user = self._users.setdefault("thread", me)
        if user != me:
            _refuse(self, user)
            self._users["thread"] = me
        try:
            return method(self, *arguments, **options)
        finally:
            self._users.clear()

    return cast(Method, call)


def _refuse(used: Any, user: int) -> None:
    """Raises RuntimeError if the thread ``user`` really is inside a decorated method of ``used``. It may not be: an
    interruption can end a method before it removes its thread from ``_users``."""
    frame = sys._current_frames().get(user)
    while frame is not None:
        if frame.f_code.co_name == "call" and frame.f_code.co_filename == __file__ and frame.f_locals["self"] is used:
            name = next((thread.name for thread in threading.enumerate() if thread.ident == user), None)
            if name is None:
                return  # the thread has ended meanwhile
            raise RuntimeError(
                f"this {type(used).__name__} is in use by the thread {name!r}: one thread at a time may call it. Make "
                "one for each thread, or share it under a lock."
            )
        frame = frame.f_back
