"""Checks of ``endings.py``: positions as numbers."""

from __future__ import annotations

import numpy as np

from parlour.engine.solving_arrays import PROBLEMS, empty_graph, walk_of
from parlour.rulebook.endings import HOLE
from parlour.testing.comparing import require, require_same
from parlour.testing.subject import Subject

WHOLE, SAMPLE, EDGES = 5_000, 200, 1 << 16
"""Tiers with at most so many numbers are looked at wholly, of others a sample."""


def check_endings(subject: Subject) -> None:
    """If the game has ``endings.py``: a position has the number by which it was placed, and no turn leads from a tier
    to a later one, or to a number that its tier does not have. (Option values that are refused are left out.)"""
    if not subject.game.has_endings:
        return
    env, endings, kernels = subject.make(), subject.game.endings, subject.game.compiled.solving
    layout, variants = env.games.layout, env.games.variants
    bound = endings.LIMIT
    try:
        tiers = endings.tiers(env.values, bound.minimum if bound else 0)
    except ValueError:
        return
    if bound and bound.minimum < bound.maximum:
        more = endings.tiers(env.values, bound.minimum + 1)
        require_same("the beginning of the tiers under a higher limit", list(more[: len(tiers)]), list(tiers))
    walk, graph = walk_of(subject.game, layout.seats, layout.actions), empty_graph(1, EDGES)
    dice, rng = subject.game.dice_thrown(variants[0]), np.random.default_rng(0)
    for number, tier in enumerate(tiers):
        numbers = np.arange(tier.size) if tier.size <= WHOLE else rng.integers(0, tier.size, SAMPLE)
        for index in numbers.tolist():
            where = f"number {index} of tier {number}, {tier.name!r}"
            if kernels.placed(number, index, variants, walk) == HOLE:
                continue
            found = tuple(map(int, kernels.number_of(walk.states, variants)))
            require_same(f"the tier and number of {where}", found, (number, index))
            end, _ = kernels.expand(number, tier.size, index, index + 1, dice, variants, walk, graph)
            require(end >= 0, f"{PROBLEMS.get(end)} ({where})")
