"""Checks of potentials and events, which an ``evaluation.py`` defines."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from parlour.interfaces.batch import Batch
from parlour.testing.comparing import require
from parlour.testing.subject import Subject

ROWS, STEPS, LIMIT = 24, 130, 80
ROW = np.zeros(1, np.int64)
FAR = np.array([[1e9, -1e9]])
"""Values of both seats that are out of reach in every game"""


def _random_play(subject: Subject, seed: int) -> Iterator[Batch]:
    """Yields a batch of random games after its reset and after each step."""
    batch = subject.make_batch(ROWS, seed=seed, autoreset="next_step", max_plies=LIMIT)
    batch.reset()
    yield batch
    for _ in range(STEPS):
        batch.step(batch.sample_actions())
        yield batch


def check_potential(subject: Subject) -> None:
    """Potentials are from −1 to 1, add up to 0 over all seats, are 0 after a result, and are not always the same."""
    if not subject.game.has_potential:
        return
    seen = []
    for batch in _random_play(subject, 6):
        values = np.full((ROWS, batch.num_seats), np.nan, np.float32)
        batch.games.potentials(values)
        for wrong, problem in (
            (~np.isfinite(values).all(axis=1), "are not finite"),
            ((np.abs(values) > 1).any(axis=1), "are not from −1 to 1"),
            (np.abs(values.sum(axis=1)) > 1e-5, "do not add up to 0"),
            (values.any(axis=1) & batch.games.terminated, "are not 0 after a result"),
        ):
            if wrong.any():
                row = int(wrong.argmax())
                raise AssertionError(f"the potentials {values[row].tolist()} of {batch.position(row)!r} {problem}")
        seen.append(values)
    count = np.unique(np.concatenate(seen).round(4)).size
    require(count > 2, f"there are only {count} different potentials in {ROWS * STEPS} positions")


def check_most_to_win(subject: Subject) -> None:
    """What a seat wins in random play is never more than it could still win, in any position on the way."""
    if not hasattr(subject.game.evaluation, "most_to_win"):
        return
    for seed in range(subject.games):
        won, seen = 0.0, []
        for env in subject.play(seed):
            won += env.rewards[env.possible_agents[0]]
            if not env.is_over():
                most, least = (float(env.games.within_reach(ROW, sign * FAR)[0, 0]) for sign in (1, -1))
                seen.append((env.position(), won, least, most))
        for position, before, least, most in seen:
            require(
                least <= won - before <= most,
                f"the first seat wins {won - before:g} after {position!r}, where it could win {least:g} to {most:g}",
            )


def check_events(subject: Subject) -> None:
    """Counts of events are not negative, no event occurs before the first ply, and some occur in random play."""
    names = subject.game.evaluation.EVENTS
    if not names:
        return
    counts, total = np.zeros((ROWS, len(names)), np.int64), np.zeros(len(names), np.int64)
    before = None
    for batch in _random_play(subject, 7):
        if before is not None:
            counts[:] = -1
            batch.games.events(before, counts)
            require((counts >= 0).all(), "a count of events is negative")
            require(not counts[batch.games.states["plies"] == 0].any(), "an event happened before the first ply")
            total += counts.sum(axis=0)
        before = batch.games.states.copy()
    require(total.any(), f"none of the events {', '.join(names)} ever happened in {ROWS * STEPS} plies")
