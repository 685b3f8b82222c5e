"""Threads that share the rows of a table: each runs compiled code, which holds no lock of the interpreter's."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any


class Crew:
    """Runs a compiled call on shares of the rows, one share a thread, the calling thread being one of them.

    A call takes ``(low, high, *arguments)`` and must not touch any other rows. Threads are started when first needed,
    anew after a fork, and end with the crew.
    """

    def __init__(self, threads: int) -> None:
        """``threads``: at least 1."""
        self.threads = threads
        self._inboxes: list[SimpleQueue[Any]] = []
        self._outbox: SimpleQueue[Any] = SimpleQueue()
        self._process = 0

    def run(self, call: Callable[..., Any], rows: int, *arguments: Any) -> list[Any]:
        """Calls ``call`` for every share of ``rows`` rows, at the same time, and returns what the calls have returned.

        Raises what a call has raised, when all have ended.
        """
        if self.threads == 1:
            return [call(0, rows, *arguments)]
        if self._process != os.getpid():
            self._start()
        bounds = [rows * k // self.threads for k in range(self.threads + 1)]
        for k, inbox in enumerate(self._inboxes, 1):
            inbox.put((call, bounds[k], bounds[k + 1], arguments))
        try:
            results = [call(bounds[0], bounds[1], *arguments)]
        finally:
            others = [self._outbox.get() for _ in self._inboxes]
        for result in others:
            if isinstance(result, BaseException):
                raise result
        return results + others

    def _start(self) -> None:
        self._process = os.getpid()
        self._inboxes = [SimpleQueue() for _ in range(self.threads - 1)]
        self._outbox = SimpleQueue()
        for inbox in self._inboxes:
            threading.Thread(target=_work, args=(inbox, self._outbox), name="parlour", daemon=True).start()
        weakref.finalize(self, _dismiss, self._inboxes)


def _work(inbox: SimpleQueue[Any], outbox: SimpleQueue[Any]) -> None:
    """A thread's life: share after share until None comes."""
    while (task := inbox.get()) is not None:
        call, low, high, arguments = task
        try:
            outbox.put(call(low, high, *arguments))
        except BaseException as error:
            outbox.put(error)
        task = call = arguments = None  # nothing is kept alive while waiting


def _dismiss(inboxes: list[SimpleQueue[Any]]) -> None:
    for inbox in inboxes:
        inbox.put(None)
