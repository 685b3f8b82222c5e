"""Decides whether helper threads save time.

A helper that loses its processor in the middle of its work holds up the calling thread until it gets one back, some
milliseconds later: on a busy machine two threads were half as fast as one.
"""

from __future__ import annotations

import time
from statistics import median

SAMPLES = 3
"""How many calls without help are timed first; calls with help are compared with their median."""
SAMPLE_EVERY = 256
"""Later, one of this many calls runs without help and is timed again."""
GAIN = 0.95
"""Help pays if a call takes less than this share of the time without it."""
LIMIT = 0.005
"""How many seconds helpers may lose before the calling thread works alone for a while."""
FIRST_REST, LONGEST_REST = 0.25, 4.0
"""How many seconds it works alone; doubled each time that help does not pay again."""


class Pace:
    """Compares how long calls take with help and without, and says when to do without.

    Time lost by help is added up and time won is set off against it. Beyond `LIMIT`, help rests for a while and is then
    tried again. Only the time that calls take depends on it, never what they do.
    """

    def __init__(self) -> None:
        """No call has been timed yet."""
        self._samples: list[float] = []
        self._alone = 0.0  # seconds of a call without help, for each unit of work
        self._calls = 0  # since the latest rest
        self._lost = 0.0
        self._rest, self._until = FIRST_REST, 0.0
        self._tried = False

    def begin(self) -> tuple[bool, float]:
        """Whether the call that begins now is to have help, and when it begins: see `end`."""
        now = time.perf_counter()
        if now < self._until:
            return False, now
        self._calls += 1
        return self._calls > SAMPLES + 1 and self._calls % SAMPLE_EVERY > 0, now

    def end(self, helped: bool, began: float, work: int = 1) -> None:
        """Takes note of the call that is now over. ``work``: how much it did, where calls differ in that."""
        now = time.perf_counter()
        if helped and self._tried:
            self._lost = max(self._lost + (now - began) - GAIN * self._alone * work, -LIMIT)
            if self._lost > LIMIT:
                self._until, self._calls, self._lost = now + self._rest, 0, 0.0
                self._rest = min(2 * self._rest, LONGEST_REST)
            elif self._lost == -LIMIT:
                self._rest = FIRST_REST
        elif helped:
            self._tried = True  # the very first call may have been compiled, and is not counted
        elif self._calls > 1 and began >= self._until:  # likewise
            self._samples = [*self._samples[1 - SAMPLES :], (now - began) / work]
            self._alone = median(self._samples)
