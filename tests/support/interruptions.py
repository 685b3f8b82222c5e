"""Interruptions (Ctrl-C) at every moment of a batch's calls: a program of its own, since what goes wrong here hangs.

python -m tests.support.interruptions THREADS EVERY SHIFT [RANDOM]

At the bytecode instructions of number SHIFT, SHIFT + EVERY … of `sample_actions`, `step` and `reset`, functions that
they call included, KeyboardInterrupt is raised. Then at RANDOM random moments, by a signal. After each of them the
batch must be where it was or where it would have been, or say that it must be reset; in the end no thread may be left.
"""

from __future__ import annotations

import faulthandler
import gc
import signal
import sys
import time
from collections.abc import Callable
from random import Random
from types import FrameType
from typing import Any

import parlour
from parlour.engine import threads as helpers
from parlour.interfaces.batch import Batch

SECONDS = 300
"""After so long, a call counts as hanging."""
GAMES = 40


def interrupted(call: Callable[[], Any], at: int) -> tuple[bool, int]:
    """Whether ``call()`` was interrupted at its instruction number ``at``, and at how many it could have been."""
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        if event == "opcode":
            count += 1
            if count == at:
                raise KeyboardInterrupt
        return trace

    sys.settrace(trace)
    try:
        call()
    except KeyboardInterrupt:
        return True, count
    finally:
        sys.settrace(None)
    return False, count


class Beside:
    """A batch with threads and its twin without, which is never interrupted."""

    def __init__(self, threads: int) -> None:
        self.batch, self.twin = (
            parlour.make_batch("pig-v0", GAMES, seed=5, threads=count, max_plies=60) for count in (threads, 1)
        )
        self.batch.reset()
        self.twin.reset()
        self.actions = self.twin.sample_actions().copy()
        self.batch.sample_actions()
        for _ in range(5):
            self.step(lambda call: bool(call()) and False)
            self.sample(lambda call: bool(len(call())) and False)

    def content(self, batch: Batch) -> list[bytes]:
        """All that decides how the games go on."""
        games = batch.games
        return [array.tobytes() for array in (games.states, games.dice_rng, games.player_rng, games.legal_bits)]

    def step(self, interrupt: Callable[[Callable[[], Any]], bool]) -> None:
        """One step of both. ``interrupt(call)`` calls, and says whether it was interrupted."""
        before = self.content(self.batch)
        self.twin.step(self.actions)
        if interrupt(lambda: self.batch.step(self.actions)):
            self.batch.games._pool.await_helpers()
            if self.content(self.batch) == before:
                self.batch.step(self.actions)
        assert self.content(self.batch) == self.content(self.twin)

    def sample(self, interrupt: Callable[[Callable[[], Any]], bool]) -> None:
        """One `sample_actions` of both."""
        before = self.content(self.batch)
        self.actions = self.twin.sample_actions().copy()
        if interrupt(self.batch.sample_actions):
            self.batch.games._pool.await_helpers()
            if self.content(self.batch) == before:
                assert (self.batch.sample_actions() == self.actions).all()
        assert self.content(self.batch) == self.content(self.twin)

    def reset(self, interrupt: Callable[[Callable[[], Any]], bool]) -> None:
        """One `reset` of both: a step after an interruption either says that there is none, or plays on."""
        self.twin.reset(seed=7)
        if interrupt(lambda: self.batch.reset(seed=7)):
            try:
                self.batch.step(self.batch.sample_actions())
            except AssertionError as error:
                assert "reset() needs to be called" in str(error)
            self.batch.reset(seed=7)
        assert self.content(self.batch) == self.content(self.twin)
        self.actions = self.twin.sample_actions().copy()
        assert (self.batch.sample_actions() == self.actions).all()


def at_every_instruction(beside: Beside, every: int, shift: int) -> int:
    """How many interruptions there were."""
    done = 0
    for name in ("sample", "step", "reset"):
        at, going = shift, True
        while going:

            def interrupt(call: Callable[[], Any], at: int = at) -> bool:
                nonlocal going
                going, _ = interrupted(call, at)
                return going

            getattr(beside, name)(interrupt)
            done += going
            at += every
            if name != "reset":  # the calls between, undisturbed
                beside.sample(lambda call: call() is None)
                beside.step(lambda call: call() is None)
                beside.sample(lambda call: call() is None)
    return done


def at_random(beside: Beside, count: int) -> int:
    """How many of ``count`` interruptions came in the middle of a call."""
    generator, done, armed = Random(1), 0, False

    def interrupt(call: Callable[[], Any]) -> bool:
        nonlocal done, armed
        signal.setitimer(signal.ITIMER_REAL, generator.uniform(1e-6, 2e-4))
        try:
            armed = True
            call()
            armed = False
        except KeyboardInterrupt:
            done += 1
            return True
        return False

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal armed
        if armed:
            armed = False
            raise KeyboardInterrupt

    signal.signal(signal.SIGALRM, stop)
    for _ in range(count):
        beside.step(interrupt)
        beside.sample(interrupt)
    return done


def running() -> set[int]:
    """The numbers of the threads that run Python code."""
    return set(sys._current_frames())


def main(threads: int, every: int, shift: int, count: int = 0) -> None:
    """Prints how many interruptions there were."""
    parlour.register("tests.toy_games.pig")
    helpers.MIN_ROWS_PER_THREAD = 0
    helpers._Pace.to_be_shared = lambda pace, rows: True  # help always, however short a call is
    before = running()
    faulthandler.dump_traceback_later(SECONDS, exit=True)
    beside = Beside(threads)
    planned = at_every_instruction(beside, every, shift)
    random = at_random(beside, count) if count else 0
    del beside
    gc.collect()
    deadline = time.monotonic() + 10
    while running() - before:
        assert time.monotonic() < deadline, running() - before
        time.sleep(0.01)
    print(planned, random)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
