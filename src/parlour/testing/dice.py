"""Checks of dice: which throws are due, and what they do."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from itertools import product
from typing import Any

import numpy as np

from parlour.rulebook.chance import multiset
from parlour.rulebook.protocol import RUNNING, Layout
from parlour.rulebook.state_records import copied
from parlour.testing.comparing import name_of, require, require_same, require_same_arrays
from parlour.testing.subject import Subject, random_action

PLIES, PAIRS, MOST_THROWS = 40, 4, 100

Throws = list[list[tuple[int, ...]]]


def check_dice(subject: Subject) -> None:
    """No more dice are due than there are; throws that are the same by ``THROW_KEY`` do the same; no throw leaves the
    position as it was, to be made again; and a seat that may throw again is still in its turn."""
    game = subject.game
    alike = [_alike(game.rules, due) for due in range(len(game.rules.DICE) + 1)]
    for seed in range(subject.games if game.rules.DICE else 0):
        rng = np.random.default_rng(seed)
        for env in subject.play(seed, PLIES):
            if env.is_over():
                break
            states, layout = copied(env.games.states), env.games.layout
            seat, action = int(states["to_act"][0]), random_action(env, rng)
            game.rules.apply(states[0], env.games.variants[0], action, np.zeros(layout.seats))
            throws_on = states["to_act"][0] == seat and game.rules.dice_due(states[0], env.games.variants[0]) > 0
            require(
                not (throws_on and states["end"][0] == RUNNING and states["turn_over"][0]),
                f"after {name_of(env, action)} the same seat is to throw, and apply() sets turn_over to 1; it stays 0 "
                "until the turn ends, and if the throw ends it, throw() sets it to 1",
            )
            _make_throws(game.rules, states, env.games.variants[0], alike, rng, layout)


def _alike(rules: Any, due: int) -> Throws:
    """All throws of so many dice, those together that are the same by ``THROW_KEY``."""
    throws: dict[Hashable, list[tuple[int, ...]]] = defaultdict(list)
    for faces in product(*(die.faces for die in rules.DICE[:due])):
        throws[getattr(rules, "THROW_KEY", multiset)(faces)].append(faces)
    return list(throws.values())


def _make_throws(rules: Any, states: Any, variant: Any, alike: list[Throws], rng: Any, layout: Layout) -> None:
    """Makes throws until none is due, and before each tries pairs of those that must do the same."""
    for _ in range(MOST_THROWS):
        due = int(rules.dice_due(states[0], variant)) if states["end"][0] == RUNNING else 0
        require(0 <= due < len(alike), f"dice_due() is {due} in a game with {len(alike) - 1} DICE")
        if due == 0:
            return
        after = states
        for _ in range(PAIRS):
            throws = alike[due][rng.integers(len(alike[due]))]
            first, other = (throws[k] for k in rng.integers(len(throws), size=2))
            after, paid = _after(rules, states, variant, first, layout.seats)
            twin, paid_twin = _after(rules, states, variant, other, layout.seats)
            what = f"the throw {other}, which is {first} by THROW_KEY: "
            require_same_arrays(f"{what}rewards", paid_twin, paid)
            shown, expected = _seen(rules, twin, variant, layout), _seen(rules, after, variant, layout)
            for part, seen in shown.items():
                require_same(f"{what}{part}", seen, expected[part])
            same = all(np.array_equal(states[name], after[name]) for name in states.dtype.names if name != "dice")
            require(
                not same or not rules.dice_due(after[0], variant),
                f"the throw {first} leaves the position as it was, and is to be made again; searches look at a few "
                "throws in a row, so their values would be wrong: leave such outcomes out of the die, by its weights",
            )
        states = after


def _after(rules: Any, states: Any, variant: Any, faces: tuple[int, ...], seats: int) -> tuple[Any, Any]:
    """The state after a throw, and what it pays."""
    after, rewards = copied(states), np.zeros(seats)
    rules.throw(after[0], variant, np.array(faces, np.int8), rewards)
    return after, rewards


def _seen(rules: Any, states: Any, variant: Any, layout: Layout) -> dict[str, Any]:
    """What seats can tell of a position: all but the planes that show dice, and how the state keeps them."""
    state, words = states[0], np.zeros(-(-layout.actions // 8), np.uint64)
    running = state["end"] == RUNNING
    seen = {"the end": int(state["end"]), "dice_due()": int(rules.dice_due(state, variant)) if running else 0}
    if running and not seen["dice_due()"]:
        rules.legal(state, variant, words.view(np.int8), words)
        seen |= {"the seat to act": int(state["to_act"]), "the mask": words.view(np.int8).tolist()}
    planes = np.zeros(layout.shape, np.int8)
    rules.observe(state, variant, int(state["to_act"]), planes.reshape(-1))
    return seen | {
        f"plane {c} ({plane.meaning!r})": planes[c].tolist()
        for c, plane in enumerate(layout.planes)
        if plane.kind != "dice"
    }
