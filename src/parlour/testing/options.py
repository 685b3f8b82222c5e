"""A check of options: all valid combinations of values can be played."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.engine.game import Game
from parlour.rulebook.options import Amount, Choice, Count, Flag
from parlour.testing.comparing import require, require_same
from parlour.testing.subject import Subject, random_action

TRIED, PLIES = 25, 25
WIDE = 40
"""Counts are tried from their minimum up to this number above it."""


def check_options(subject: Subject) -> None:
    """Option values drawn at random either give a game that can be played, or are refused with an error that names one
    of the options."""
    rng = np.random.default_rng(0)
    for _ in range(TRIED):
        values = _draw(subject.game, rng)
        try:
            env = subject.make(**values)
        except ValueError as error:
            named = any(name in str(error) for name in values)
            require(named, f"{values} is refused without naming one of the options: {error}")
            continue
        subject.watch(env, 0)
        require_same(
            f"the values of an environment made with {values}", {name: env.values[name] for name in values}, values
        )
        env.reset(seed=0)
        for _ in range(PLIES):
            if env.is_over():
                break
            env.step(random_action(env, rng))
        text = env.position()
        env.reset(options={"position": text})
        require_same(f"the position read from its text under {values}", env.position(), text)
        subject.watch(None)


def _draw(game: Game, rng: np.random.Generator) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for option in game.options:
        if rng.random() < 0.5:
            continue
        if isinstance(option, Choice):
            values[option.name] = str(rng.choice(option.values))
        elif isinstance(option, Flag):
            values[option.name] = bool(rng.integers(2))
        elif isinstance(option, Count):
            highest = min(option.maximum, option.minimum + WIDE)
            zero = option.or_zero and rng.random() < 0.2
            values[option.name] = 0 if zero else int(rng.integers(option.minimum, highest + 1))
        elif isinstance(option, Amount):
            values[option.name] = float(np.round(rng.random(), 3))
    return values
