"""Threads that share the rows of a table: each runs compiled code, which holds no lock of the interpreter's."""

from __future__ import annotations

import itertools
import os
import threading
import time
import weakref
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

import numpy as np


class Crew:
    """Runs compiled calls on shares of the rows, one share a thread, the calling thread being one of them.

    A call takes ``(low, high, *arguments)`` and must not touch any other rows. Threads are started when first needed,
    anew after a fork, and end with the crew.

    There are two ways to hand out work. `run` takes any call, through a queue: a thread must be woken, which takes tens
    of microseconds. `relay` takes the calls of one `stay` again and again: while it lasts, helpers wait inside compiled
    code and begin at once (see `parlour.engine.spin`); a helper that is kept waiting goes back to its queue.
    """

    def __init__(self, threads: int, rows: int) -> None:
        """``threads``: at least 1. ``rows``: how many there are to share."""
        self.threads = threads
        bounds = [rows * k // threads for k in range(threads + 1)]
        self._own, *self._others = itertools.pairwise(bounds)  # (low, high) of each thread, the calling one's first
        self._process = 0
        self._inboxes: list[SimpleQueue[Any]] = []
        self._posts = np.zeros(threads - 1, np.int64)
        self._stay: tuple[Any, ...] = ()

    def run(self, call: Callable[..., Any], *arguments: Any) -> list[Any]:
        """Calls ``call`` for every share of the rows, at the same time, and returns what the calls have returned, in
        the order of the rows.

        Raises what a call has raised, when all have ended.
        """
        if self.threads == 1:
            return [call(*self._own, *arguments)]
        self._gather()
        outboxes: list[SimpleQueue[Any]] = [SimpleQueue() for _ in self._inboxes]
        for inbox, outbox, share in zip(self._inboxes, outboxes, self._others):
            inbox.put((call, outbox, *share, *arguments))
        try:
            results = [call(*self._own, *arguments)]
        finally:
            answers = [outbox.get() for outbox in outboxes]
        for answer in answers:
            if isinstance(answer, BaseException):
                raise answer
        return results + answers

    def relay(
        self,
        job: int,
        call: Callable[..., Any],
        arguments: tuple[Any, ...],
        serve: Callable[..., Any],
        stay: tuple[Any, ...],
    ) -> list[Any]:
        """Has every helper do ``job`` for its share. Returns what ``call`` returns for each share that the calling
        thread does: its own, and those that no helper has begun by then; None for the others.

        ``serve(low, high, posts, k, *stay)`` is the compiled call in which helper k waits and does jobs; ``stay`` is
        what they need: another tuple ends the stay and begins another.
        """
        from parlour.engine import spin as relay

        if self._stay is not stay or self._process != os.getpid():
            self._gather()
            self._stay = stay
        for k, share in enumerate(self._others):
            if not relay.post(self._posts, k, job):
                self._inboxes[k].put((serve, None, *share, self._posts, k, *stay))
        try:
            results = [call(*self._own, *arguments)]
            for k, share in enumerate(self._others):
                results.append(call(*share, *arguments) if relay.take_back(self._posts, k, job) else None)
        except (
            BaseException
        ):  # Ctrl-C above all: no helper may begin later, when the arrays are in use for something else
            for k in range(len(self._others)):
                relay.take_back(self._posts, k, job)
            raise
        finally:
            while not relay.await_helpers(self._posts):
                time.sleep(0)  # more threads than processors: let the others run
        return results

    def _gather(self) -> None:
        """Every helper at its queue: started if need be, and called out of a stay."""
        if self._process != os.getpid():
            self._process = os.getpid()
            self._inboxes = [SimpleQueue() for _ in range(self.threads - 1)]
            self._posts = np.zeros(self.threads - 1, np.int64)
            self._stay = ()
            for inbox in self._inboxes:
                threading.Thread(target=_work, args=(inbox,), name="parlour", daemon=True).start()
            weakref.finalize(self, _dismiss, self._inboxes)
        if self._stay:
            from parlour.engine import spin as relay

            self._stay = ()
            for k in range(self.threads - 1):
                relay.call_out(self._posts, k)
            while not relay.await_sleep(self._posts):
                time.sleep(0)


def _work(inbox: SimpleQueue[Any]) -> None:
    """A thread's life: task after task until None comes."""
    while (task := inbox.get()) is not None:
        call, outbox, *arguments = task
        answer: Any
        try:
            answer = call(*arguments)
        except BaseException as error:
            answer = error
        if outbox is not None:
            outbox.put(answer)
        task = call = outbox = arguments = answer = None  # keep nothing alive while waiting


def _dismiss(inboxes: list[SimpleQueue[Any]]) -> None:
    for inbox in inboxes:
        inbox.put(None)
