"""Checks of ``endings.py``: positions as numbers."""

from __future__ import annotations

import numpy as np

from parlour.engine.kernels import solving
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
    env, endings = subject.make(), subject.game.endings
    layout, variants = env.games.layout, env.games.variants
    words, rules = env.games.arrays.variants, env.games.functions_for(solving.expand)
    for kernel in (solving.placed, solving.number_of):  # compiled for this game before they are called
        env.games.functions_for(kernel)
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
            if solving.placed(rules, number, index, words, walk) == HOLE:
                continue
            counted = tuple(map(int, solving.number_of(rules, walk.states, words)))
            require_same(f"the tier and number of {where}", counted, (number, index))
            end, _ = solving.expand(rules, number, tier.size, index, index + 1, dice, words, walk, graph)
            require(end >= 0, f"{PROBLEMS.get(end)} ({where})")
