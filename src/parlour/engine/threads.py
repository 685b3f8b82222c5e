"""Threads that share the rows of a batch. Each runs compiled code, which does not hold the interpreter's lock (GIL).

An interruption (Ctrl-C) may come between any two bytecode instructions of the calling thread, and may even cut short a
``finally`` block. So each call first waits for helpers that an interrupted call has left at work: see
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

CLOSED = -1
"""The generation on the board of a closed pool: helpers that read it leave at once."""
MIN_ROWS_PER_THREAD = 64
"""With fewer rows per thread, the calling thread does all the work."""
MAX_ROWS_PER_CALL = 4096
"""The most rows in one compiled call. If a row takes 0.1 ms, the call returns within half a second, and can then be
interrupted."""
Method = TypeVar("Method", bound=Callable[..., Any])


class WorkerPool:
    """The threads of one batch: the calling thread and, if ``threads`` is above 1, helpers.

    `run` shares any compiled call through queues. That wakes a thread, which takes tens of microseconds. `step`,
    `sample` and `advance` are called again and again, so helpers wait for them in compiled code for a while before they
    go to sleep: see `parlour.engine.spin`. While help costs more time than it saves, the calling thread works alone:
    see `parlour.engine.pace`.

    Helpers start when they are first needed, and again after a fork; they end with the pool. Only one thread at a time
    may call the pool.
    """

    def __init__(self, threads: int, rows: int, spinning: bool = False) -> None:
        """``threads``: at least 1. ``rows``: N. ``spinning``: whether helpers wait in compiled code for `step`,
        `sample` and `advance`. Without it, steps and samples are shared as in `run`, and `advance` is not shared; no
        extra code is compiled then."""
        self.threads, self.rows, self._spinning = threads, rows, spinning and COMPILED
        self._task: _Task | None = None
        self._helpers: _Helpers | None = None
        self._shares = shares(rows, 1)
        self._paces: dict[Any, Pace] = {}

    def run(self, call: Callable[..., Any], *arguments: Any) -> list[Any]:
        """Calls ``call(low, high, *arguments)`` for shares of the rows, in parallel. A call must touch only its own
        rows, ``low`` to ``high``. Returns the calls' results in the order of the rows.

        If a call raises, the first exception is raised again when all calls have ended.
        """
        if self.threads == 1:
            return self.alone(call, *arguments)
        self.await_helpers()
        pace = self._pace(call)
        helped, began = pace.begin()
        task = _Task(call, arguments, shares(self.rows, self.threads * spin.PIECES) if helped else self._shares)
        if helped:
            helpers = self._running_helpers()
            helpers.stop_spinning()
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
        """Like `run`, but in the calling thread alone: for short calls."""
        self.await_helpers()
        return [call(low, high, *arguments) for low, high in self._shares]

    def step(self, kernels: Any, actions: NDArray[np.int64], autoreset: int, arrays: Arrays, finals: Finals) -> int:
        """Steps all rows by ``step_rows`` of ``kernels``, the game's template `step`. Returns the highest ``seen``.

        With spinning helpers, or without helpers, an interruption comes before the whole step or after it.
        """
        if self.threads == 1:
            return kernels.step_rows(0, self.rows, actions, autoreset, arrays, finals)
        if not self._spinning:
            return max(self.run(kernels.step_rows, actions, autoreset, arrays, finals))
        self.await_helpers()
        pace = self._pace(kernels.lead_step)
        helped, began = pace.begin()
        if helped:
            helpers = self._running_helpers()
            buffers = helpers.buffers
            buffers.actions[:] = actions
            generation = helpers.wake(kernels.help_out, arrays, finals)
            longest = kernels.lead_step(autoreset, generation, buffers, arrays, finals)
            if longest < 0:
                helpers.await_done()
                longest = int(buffers.answers.max())
        else:
            longest = kernels.step_rows(0, self.rows, actions, autoreset, arrays, finals)
        pace.end(helped, began)
        return longest

    def sample(self, kernels: Any, actions: NDArray[np.int64], arrays: Arrays, finals: Finals) -> None:
        """Samples legal actions for all rows into ``actions`` (N,), by ``sample_rows`` of ``kernels``, the game's
        template `step`."""
        if self.threads == 1 or not self._spinning:
            self.run(kernels.sample_rows, arrays.legal_bits, arrays.counts, arrays.player_rng, actions)
            return
        self.await_helpers()
        pace = self._pace(kernels.lead_sample)
        helped, began = pace.begin()
        if helped:
            helpers = self._running_helpers()
            generation = helpers.wake(*(helpers.current_call(arrays) or (kernels.help_out, arrays, finals)))
            kernels.lead_sample(generation, helpers.buffers, arrays.legal_bits, arrays.counts, arrays.player_rng)
            helpers.await_done()
            actions[:] = helpers.buffers.sampled
        else:
            kernels.sample_rows(0, self.rows, arrays.legal_bits, arrays.counts, arrays.player_rng, actions)
        pace.end(helped, began)

    def advance(self, kernels: Any, play: SelfPlay, count: int, arrays: Arrays) -> tuple[int, int]:
        """Advances the first ``count`` rows of ``play.row_ids``, by ``advance_rows`` of ``kernels``, the game's
        template `self_play`. Returns how many rows wait for a player, and the highest ``seen``."""
        if not self._spinning or count < MIN_ROWS_PER_THREAD * self.threads or self.threads == 1:
            self.await_helpers()
            return divmod(kernels.advance_rows(0, count, play, arrays), 1 << 32)
        self.await_helpers()
        pace = self._pace(kernels.lead_advance)
        helped, began = pace.begin()
        if helped:
            helpers = self._running_helpers()
            answers = helpers.buffers.answers
            generation = helpers.wake(kernels.help_out, play, arrays)
            kernels.lead_advance(generation, count, helpers.buffers, play, arrays)
            helpers.await_done()
            found = int((answers >> 32).sum()), int((answers & 0xFFFFFFFF).max())
        else:
            found = divmod(kernels.advance_rows(0, count, play, arrays), 1 << 32)
        pace.end(helped, began, count)
        return found

    def await_helpers(self) -> None:
        """Waits for helpers that still work for an interrupted call. Every access to the rows must call this first."""
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

    def _running_helpers(self) -> _Helpers:
        """The helpers; they are started if this process has none yet."""
        if self._helpers is None or self._helpers.process != os.getpid():
            self._helpers = _Helpers(self.threads, self.rows)
        return self._helpers


def shares(rows: int, least: int) -> list[tuple[int, int]]:
    """Divides ``rows`` rows into shares (low, high): ``least`` of them, or more if a share would exceed
    `MAX_ROWS_PER_CALL`, or fewer if there are fewer rows."""
    count = min(max(least, -(-rows // MAX_ROWS_PER_CALL)), rows)
    return [(rows * k // count, rows * (k + 1) // count) for k in range(count)]


class _Helpers:
    """The helper threads of a pool, numbered from 1, with their queues and their board.

    A thread holds a reference to its queue only. So it ends with the pool, even after an interruption.
    """

    def __init__(self, threads: int, rows: int) -> None:
        self.process = os.getpid()
        board = np.zeros((threads + 2) * spin.LINE, np.int64)
        self.buffers = spin.StepBuffers(
            board, np.zeros(rows, np.int64), np.zeros(rows, np.int64), np.zeros(threads * spin.PIECES, np.int64)
        )
        self._words = board.data  # a memoryview: faster to read from Python than an array
        self._awake = [plain(spin.awake)(k) for k in range(1, threads)]
        self._pieces = threads * spin.PIECES
        plain(spin.clear)(board)
        self._board_call: tuple[Any, ...] = ()
        self._queues: list[SimpleQueue[Any]] = [SimpleQueue() for _ in self._awake]
        self._threads = [threading.Thread() for _ in self._awake]
        weakref.finalize(self, _dismiss, self._queues, self._words)

    def hand_out(self, task: _Task) -> None:
        """Puts a task into the queue of every helper."""
        for k in range(len(self._queues)):
            self._put(k, task.help)

    def wake(self, help_out: Callable[..., None], *arguments: Any) -> int:
        """Wakes every helper that sleeps. Helper k then calls ``help_out(k, generation, buffers, *arguments)``, which
        watches the board and takes part in jobs. Helpers that work with other arguments leave the board first. Returns
        ``generation``."""
        words = self._words
        wanted = (help_out, *arguments)
        if len(wanted) != len(self._board_call) or any(a is not b for a, b in zip(wanted, self._board_call)):
            self.stop_spinning()
            help_out(1, CLOSED, self.buffers, *arguments)  # compiles: a helper must not do so at the interpreter's exit
            self._board_call = wanted
        generation = words[spin.GENERATION]
        for k, place in enumerate(self._awake):
            if not words[place] and self._queues[k].empty():
                self._put(k, partial(help_out, k + 1, generation, self.buffers, *arguments))
        return generation

    def current_call(self, arrays: Arrays) -> tuple[Any, ...]:
        """The arguments of the last `wake`, if they include these arrays; else (). All ``help_out`` kernels can
        sample."""
        return self._board_call if any(argument is arrays for argument in self._board_call) else ()

    def stop_spinning(self) -> None:
        """Makes every helper leave the board, as soon as it has finished its piece."""
        self._board_call = ()
        self._words[spin.GENERATION] += 1

    def await_done(self) -> None:
        """Waits until the last job on the board is done."""
        while self._words[spin.DONE] != self._pieces:
            if not spin.await_done(self.buffers.board):
                time.sleep(0)  # more threads than processors: let the others run

    def _put(self, k: int, task: Callable[[], None]) -> None:
        if not self._threads[k].is_alive():
            self._threads[k] = threading.Thread(target=_work, args=(self._queues[k],), name="parlour", daemon=True)
            self._threads[k].start()
        self._queues[k].put(task)


class _Task:
    """One call of `WorkerPool.run`: each thread takes one share of the rows after another."""

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
        """A helper's part. It is counted as inside before it checks whether the task is closed."""
        me = threading.get_ident()
        self._inside.add(me)
        try:
            self.work()
        except BaseException as error:
            self.errors.append(error)
        self._inside.discard(me)
        self._left.put(None)

    def close(self) -> None:
        """Closes the task and waits for the helpers that still work on it."""
        self._closed = True
        while self._inside:
            with suppress(Empty):
                self._left.get(timeout=0.05)


def _work(queue: SimpleQueue[Any]) -> None:
    """What a helper thread runs: one task after another, until it gets None. It puts None back, for a second thread of
    the same queue: an interruption right after a thread's start can make the pool start another one."""
    while (task := queue.get()) is not None:
        task()
        task = None  # don't keep it alive while waiting
    queue.put(None)


def _dismiss(queues: list[SimpleQueue[Any]], words: memoryview) -> None:
    words[spin.GENERATION] = CLOSED
    for queue in queues:
        queue.put(None)


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
