"""Decides, by timing calls, whether helper threads are used.

The operating system may take the processor from a helper in the middle of its work. The calling thread then waits some
milliseconds for it. On a busy machine, two threads were half as fast as one.
"""

from __future__ import annotations

import time
from statistics import median

SAMPLES = 3
"""How many calls without helpers are timed first. Calls with helpers are compared with their median."""
SAMPLE_EVERY = 256
"""Later, one call in this many runs without helpers and is timed again."""
PAYS_BELOW = 0.95
"""Helpers pay off if a call takes less than this share of the time without them."""
MAX_LOSS = 0.005
"""Seconds that helpers may cost before the calling thread works alone for a while."""
FIRST_REST, LONGEST_REST = 0.25, 4.0
"""Seconds that the calling thread works alone, at first and at most. They double each time that helpers cost time
again."""


class Pace:
    """Compares the times of calls with and without helpers, and decides whether the next call uses them.

    Time lost by helpers is added up, and time saved is subtracted. When the sum exceeds `MAX_LOSS`, helpers rest for a
    while; then they are tried again. This affects only how long calls take, never their results.
    """

    def __init__(self) -> None:
        """No call has been timed yet."""
        self._samples: list[float] = []
        self._alone = 0.0  # seconds of a call without helpers, per unit of work
        self._calls = 0  # since the latest rest
        self._lost = 0.0  # seconds that helpers have cost, less those that they have saved
        self._rest, self._until = FIRST_REST, 0.0  # seconds of the next rest; when the present rest ends
        self._tried = False  # whether any call has had helpers

    def begin(self) -> tuple[bool, float]:
        """Returns whether the call that begins now uses helpers, and the time. Pass both to `end`."""
        now = time.perf_counter()
        if now < self._until:
            return False, now
        self._calls += 1
        return self._calls > SAMPLES + 1 and self._calls % SAMPLE_EVERY > 0, now

    def end(self, helped: bool, began: float, work: int = 1) -> None:
        """Records a call that has just ended. ``work``: how much it did, if calls differ in that (e.g. rows)."""
        now = time.perf_counter()
        if helped and self._tried:
            self._lost = max(self._lost + (now - began) - PAYS_BELOW * self._alone * work, -MAX_LOSS)
            if self._lost > MAX_LOSS:
                self._until, self._calls, self._lost = now + self._rest, 0, 0.0
                self._rest = min(2 * self._rest, LONGEST_REST)
            elif self._lost == -MAX_LOSS:
                self._rest = FIRST_REST
        elif helped:
            self._tried = True  # the first call is not counted, since it may have included compiling
        elif self._calls > 1 and began >= self._until:  # here too the first call is not counted
            self._samples = [*self._samples[1 - SAMPLES :], (now - began) / work]
            self._alone = median(self._samples)
