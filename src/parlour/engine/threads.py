"""Threads that share the rows of a batch: each runs compiled code, which holds no lock of the interpreter's.

An interruption (Ctrl-C) may come between any two instructions of the calling thread. So nothing here depends on a
``finally`` that runs to its end: whatever was left behind, the next call finds it and waits for it: see
`WorkerPool.await_helpers`.
"""

from __future__ import annotations

import itertools
import os
import sys
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial, wraps
from queue import Empty, SimpleQueue
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from parlour.engine import spin
from parlour.engine.arrays import Arrays, Finals, SelfPlay
from parlour.engine.pace import Pace
from parlour.rulebook.compiling import COMPILED, plain

NO_STAY = -1
"""The state of the board of a closed pool: helpers that see it leave at once."""
FEW_ROWS = 64
"""With fewer rows per thread, the calling thread does all the work."""
Method = TypeVar("Method", bound=Callable[..., Any])

ROWS_A_CALL = 4096
"""How many rows a compiled call takes at most: if a row takes up to 0.1 ms, the call returns, and can be interrupted,
within half a second."""


class WorkerPool:
    """The threads of one batch: the calling one and, with ``threads`` above 1, helpers.

    `run` takes any compiled call and hands it out through queues: a thread must be woken, which takes tens of
    microseconds. `step` and `sample`, which are called again and again, are handed out in compiled code, where helpers
    look for them for a while before they go to sleep: see `parlour.engine.spin`. Where help takes longer than it gains,
    the calling thread works alone: see `parlour.engine.pace`.

    Helpers are started when first needed, again after a fork, and end with the pool. One thread at a time may call.
    """

    def __init__(self, threads: int, rows: int, stands_by: bool = False) -> None:
        """``threads``: at least 1. ``rows``: N. ``stands_by``: whether helpers look for `step` and `sample`; otherwise
        these are handed out as `run` does it, and need no code of their own."""
        self.threads, self.rows, self._stands_by = threads, rows, stands_by and COMPILED
        self._task: _Task | None = None
        self._helpers: _Helpers | None = None
        self._shares = shares(rows, 1)
        self._paces: dict[Any, Pace] = {}

    def run(self, call: Callable[..., Any], *arguments: Any) -> list[Any]:
        """Calls ``call(low, high, *arguments)`` for shares of the rows, at the same time; it must not touch any other
        rows. Returns what the calls have returned, in the order of the rows.

        Raises what a call has raised, when all have ended.
        """
        if self.threads == 1:
            return self.alone(call, *arguments)
        self.await_helpers()
        pace = self._pace(call)
        helped, began = pace.begin()
        task = _Task(call, arguments, shares(self.rows, self.threads * spin.PIECES) if helped else self._shares)
        if helped:
            helpers = self._present()
            helpers.call_off()
            self._task = task
            try:
                helpers.hand_out(task)
                task.work()
            finally:
                self.await_helpers()
        else:
            task.work()
        pace.end(helped, began)
        if task.errors:
            raise task.errors[0]
        return task.results

    def alone(self, call: Callable[..., Any], *arguments: Any) -> list[Any]:
        """`run` by the calling thread alone, for short calls."""
        self.await_helpers()
        return [call(low, high, *arguments) for low, high in self._shares]

    def step(self, kernels: Any, actions: NDArray[np.int64], autoreset: int, arrays: Arrays, finals: Finals) -> int:
        """``step_rows`` of ``kernels``, the game's template `step`, for all rows. Returns the longest ``seen``.

        With helpers that stand by, or none, an interruption comes before all of it or after all of it.
        """
        if self.threads == 1:
            return kernels.step_rows(0, self.rows, actions, autoreset, arrays, finals)
        if not self._stands_by:
            return max(self.run(kernels.step_rows, actions, autoreset, arrays, finals))
        self.await_helpers()
        pace = self._pace(kernels.lead_step)
        helped, began = pace.begin()
        if helped:
            helpers = self._present()
            buffers = helpers.buffers
            buffers.actions[:] = actions
            stay = helpers.call_up(kernels.help_out, arrays, finals)
            longest = kernels.lead_step(autoreset, stay, buffers, arrays, finals)
            if longest < 0:
                helpers.await_done()
                longest = int(buffers.answers.max())
        else:
            longest = kernels.step_rows(0, self.rows, actions, autoreset, arrays, finals)
        pace.end(helped, began)
        return longest

    def sample(self, kernels: Any, actions: NDArray[np.int64], arrays: Arrays, finals: Finals) -> None:
        """``sample_rows`` of ``kernels``, the game's template `step`, for all rows, into ``actions`` (N,)."""
        if self.threads == 1 or not self._stands_by:
            self.run(kernels.sample_rows, arrays.legal_bits, arrays.counts, arrays.player_rng, actions)
            return
        self.await_helpers()
        pace = self._pace(kernels.lead_sample)
        helped, began = pace.begin()
        if helped:
            helpers = self._present()
            stay = helpers.call_up(*(helpers.present_stay(arrays) or (kernels.help_out, arrays, finals)))
            kernels.lead_sample(stay, helpers.buffers, arrays.legal_bits, arrays.counts, arrays.player_rng)
            helpers.await_done()
            actions[:] = helpers.buffers.sampled
        else:
            kernels.sample_rows(0, self.rows, arrays.legal_bits, arrays.counts, arrays.player_rng, actions)
        pace.end(helped, began)

    def advance(self, kernels: Any, play: SelfPlay, count: int, arrays: Arrays) -> tuple[int, int]:
        """``advance_rows`` of ``kernels``, the game's template `self_play`, for the first ``count`` of
        ``play.row_ids``. Returns how many wait, and the longest ``seen``."""
        if not self._stands_by or count < FEW_ROWS * self.threads or self.threads == 1:
            self.await_helpers()
            return divmod(kernels.advance_rows(0, count, play, arrays), 1 << 32)
        self.await_helpers()
        pace = self._pace(kernels.lead_advance)
        helped, began = pace.begin()
        if helped:
            helpers = self._present()
            answers = helpers.buffers.answers
            stay = helpers.call_up(kernels.help_out, play, arrays)
            kernels.lead_advance(stay, count, helpers.buffers, play, arrays)
            helpers.await_done()
            found = int((answers >> 32).sum()), int((answers & 0xFFFFFFFF).max())
        else:
            found = divmod(kernels.advance_rows(0, count, play, arrays), 1 << 32)
        pace.end(helped, began, count)
        return found

    def await_helpers(self) -> None:
        """Waits for helpers that still work for an interrupted call. Must be called before the rows are touched."""
        if self._task is not None:
            self._task.close()
            self._task = None
        if self._helpers is not None:
            self._helpers.await_done()

    def _pace(self, call: Any) -> Pace:
        pace = self._paces.get(call)
        if pace is None:
            pace = self._paces[call] = Pace()
        return pace

    def _present(self) -> _Helpers:
        """The helpers of this process."""
        if self._helpers is None or self._helpers.process != os.getpid():
            self._helpers = _Helpers(self.threads, self.rows)
        return self._helpers


def shares(rows: int, least: int) -> list[tuple[int, int]]:
    """``rows`` rows in ``least`` shares or more, (low, high) each, none of them empty or of more than `ROWS_A_CALL`."""
    count = min(max(least, -(-rows // ROWS_A_CALL)), rows)
    return [(rows * k // count, rows * (k + 1) // count) for k in range(count)]


class _Helpers:
    """The helper threads of a pool, numbered from 1, with their queues and their board.

    A thread knows its queue alone, so that it outlives neither the pool nor an interruption at whatever moment.
    """

    def __init__(self, threads: int, rows: int) -> None:
        self.process = os.getpid()
        board = np.zeros((threads + 2) * spin.LINE, np.int64)
        self.buffers = spin.StepBuffers(
            board, np.zeros(rows, np.int64), np.zeros(rows, np.int64), np.zeros(threads * spin.PIECES, np.int64)
        )
        self._words = board.data  # a memoryview: quicker to read from Python
        self._awake = [plain(spin.awake)(k) for k in range(1, threads)]
        self._pieces = threads * spin.PIECES
        plain(spin.clear)(board)
        self._stay_for: tuple[Any, ...] = ()
        self._queues: list[SimpleQueue[Any]] = [SimpleQueue() for _ in self._awake]
        self._threads = [threading.Thread() for _ in self._awake]
        weakref.finalize(self, _dismiss, self._queues, self._words)

    def hand_out(self, task: _Task) -> None:
        """Every helper takes part in the task when it gets to it."""
        for k in range(len(self._queues)):
            self._put(k, task.help)

    def call_up(self, help_out: Callable[..., None], *arguments: Any) -> int:
        """Wakes every helper that is asleep, to go to the board and take part in jobs by ``help_out(k, stay, buffers,
        *arguments)``, with these very arguments. Returns ``stay``."""
        words = self._words
        wanted = (help_out, *arguments)
        if len(wanted) != len(self._stay_for) or any(a is not b for a, b in zip(wanted, self._stay_for)):
            self.call_off()
            help_out(1, NO_STAY, self.buffers, *arguments)  # compiled here: a helper must not at the interpreter's exit
            self._stay_for = wanted
        stay = words[spin.STAY]
        for k, place in enumerate(self._awake):
            if not words[place] and self._queues[k].empty():
                self._put(k, partial(help_out, k + 1, stay, self.buffers, *arguments))
        return stay

    def present_stay(self, arrays: Arrays) -> tuple[Any, ...]:
        """What `call_up` was given last, if it was for these arrays: any of them can sample."""
        return self._stay_for if any(argument is arrays for argument in self._stay_for) else ()

    def call_off(self) -> None:
        """Every helper leaves the board as soon as it has no piece of a job."""
        self._stay_for = ()
        self._words[spin.STAY] += 1

    def await_done(self) -> None:
        """Waits until the last job is done."""
        while self._words[spin.DONE] != self._pieces:
            if not spin.await_done(self.buffers.board):
                time.sleep(0)  # more threads than processors: let the others run

    def _put(self, k: int, task: Callable[[], None]) -> None:
        if not self._threads[k].is_alive():
            self._threads[k] = threading.Thread(target=_work, args=(self._queues[k],), name="parlour", daemon=True)
            self._threads[k].start()
        self._queues[k].put(task)


class _Task:
    """A call for shares of the rows, which each thread takes one after another."""

    def __init__(self, call: Callable[..., Any], arguments: Sequence[Any], taken: Sequence[tuple[int, int]]) -> None:
        self._call, self._arguments, self._shares = call, arguments, taken
        self._numbers = itertools.count()
        self._closed = False
        self._inside: set[int] = set()
        self._left: SimpleQueue[None] = SimpleQueue()
        self.results: list[Any] = [None] * len(taken)
        self.errors: list[BaseException] = []

    def work(self) -> None:
        """Calls for one share after another, until all are taken or the task is closed."""
        while not self._closed and (number := next(self._numbers)) < len(self._shares):
            self.results[number] = self._call(*self._shares[number], *self._arguments)

    def help(self) -> None:
        """A helper's part. It counts as inside before it looks whether the task is closed."""
        me = threading.get_ident()
        self._inside.add(me)
        try:
            self.work()
        except BaseException as error:
            self.errors.append(error)
        self._inside.discard(me)
        self._left.put(None)

    def close(self) -> None:
        """Closes the task, and waits for the helpers inside."""
        self._closed = True
        while self._inside:
            with suppress(Empty):
                self._left.get(timeout=0.05)


def _work(queue: SimpleQueue[Any]) -> None:
    """A helper's life: one task after another until None comes, which it leaves for a twin, should there be one (where
    an interruption hid that it had been started)."""
    while (task := queue.get()) is not None:
        task()
        task = None  # keep nothing alive while waiting
    queue.put(None)


def _dismiss(queues: list[SimpleQueue[Any]], words: memoryview) -> None:
    words[spin.STAY] = NO_STAY
    for queue in queues:
        queue.put(None)


def one_thread(method: Method) -> Method:
    """Makes a method refuse, by RuntimeError, to be called while another thread is in such a method of the same object.

    The object has a dict ``_users`` for it. Such methods don't call one another.
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
    """RuntimeError, unless the thread that was last seen in a method of ``used`` is in none, an interruption having
    kept it from saying that it had left."""
    frame = sys._current_frames().get(user)
    while frame is not None:
        if frame.f_code.co_name == "call" and frame.f_code.co_filename == __file__ and frame.f_locals["self"] is used:
            name = next((thread.name for thread in threading.enumerate() if thread.ident == user), None)
            if name is None:
                return  # it has ended meanwhile, so nobody is in the way
            raise RuntimeError(
                f"this {type(used).__name__} is in use by the thread {name!r}: one thread at a time may call it. Make "
                "one for each thread, or share it under a lock."
            )
        frame = frame.f_back
