"""What a check looks at: a game under one variant; and how it says what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from parlour.aec import GameEnv
from parlour.batch import Batch
from parlour.engine.game import Game
from parlour.registry import make_batch

Invariant: TypeAlias = Callable[[GameEnv], None]
"""Raises AssertionError where something does not hold that always must in this game."""
MAX_PLIES = 3000
"""Random games are given up here, should a game have no limit of its own."""


class CheckFailed(AssertionError):
    """A check found that a game does something wrong.

    Attributes:
        check: its name.
        game, variant: what was checked.
        seed: of the game that was being played; None where none was.
        position: the text of the position that was looked at; empty where there was none.
        problem: what is wrong.
    """

    def __init__(self, check: str, game: str, variant: str, seed: int | None, position: str, problem: str) -> None:
        """See the class."""
        self.check, self.game, self.variant = check, game, variant
        self.seed, self.position, self.problem = seed, position, problem
        where = [f"{game}, variant {variant!r}, check {check!r}"]
        where += [f"seed {seed}"] if seed is not None else []
        where += [f"position {position!r}"] if position else []
        super().__init__(f"{', '.join(where)}: {problem}")
        self._arguments = (check, game, variant, seed, position, problem)

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors cross process boundaries whole."""
        return type(self), self._arguments


@dataclass
class Subject:
    """A game under one variant, while checks play it.

    Attributes:
        game: which game.
        variant: the variant's name.
        invariant: what must hold at every ply, beside what must in every game.
        games: how many random games a check plays.
        seed: of the game that is being played.
    """

    game: Game
    variant: str
    invariant: Invariant | None = None
    games: int = 10
    seed: int | None = field(default=None, init=False)
    _env: GameEnv | None = field(default=None, init=False)

    def make(self, **options: Any) -> GameEnv:
        """An environment that refuses illegal actions."""
        return GameEnv(self.game, self.variant, options, None, "raise")

    def make_batch(self, num_games: int, **options: Any) -> Batch:
        """A batch of the same variant."""
        return make_batch(self.game.id, num_games, variant=self.variant, **options)

    def watch(self, env: GameEnv | None, seed: int | None = None) -> None:
        """From now on a failure tells this environment's position, and the seed."""
        self._env, self.seed = env, seed

    def play(self, seed: int, plies: int = MAX_PLIES, **options: Any) -> Iterator[GameEnv]:
        """One environment, before the first ply of a random game and after each, to the end or after so many plies."""
        env = self.make(**options)
        self.watch(env, seed)
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        yield env
        while not env.is_over() and env.games.states["plies"][0] < plies:
            env.step(random_action(env, rng))
            yield env

    def failure(self, check: str, error: Exception) -> CheckFailed:
        """The error with what is known of where it happened."""
        try:
            position = self._env.position() if self._env is not None else ""
        except Exception as trouble:  # whatever a game's own notation raises
            position = f"(can't be written: {trouble!r})"
        problem = str(error) if isinstance(error, AssertionError) else f"{type(error).__name__}: {error}"
        return CheckFailed(check, self.game.id, self.variant, self.seed, position, problem or "an assertion failed")


def random_action(env: GameEnv, rng: np.random.Generator) -> int:
    """A legal action, uniformly at random."""
    return int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])))
