"""The subject of a check, which is a game under one variant; and the error of a failed check."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from parlour.engine.game import Game
from parlour.interfaces.aec import GameEnv
from parlour.interfaces.batch import Batch
from parlour.interfaces.mistakes import place_of, problem_of
from parlour.interfaces.registry import make_batch
from parlour.testing.comparing import require

Invariant: TypeAlias = Callable[[GameEnv], None]
"""Raises AssertionError if something is violated that must always hold in this game."""
MAX_PLIES = 3000
"""Random games are stopped after this number of plies, in case a game has no limit of its own."""


class CheckFailed(AssertionError):
    """A game has failed a check.

    Attributes:
        check: the name of the check.
        game, variant: the id of the game and the variant that were checked.
        seed: the seed of the game that was being played; None if none was.
        position: the text of the position that was checked; empty if there was none.
        problem: what is wrong.
        place: the innermost line of the game's own files that it comes from, such as ``my_game/rules.py, line 44:
            state.to_act = 1 - saet``, with which the message begins; empty if it comes from none.
    """

    def __init__(
        self, check: str, game: str, variant: str, seed: int | None, position: str, problem: str, place: str = ""
    ) -> None:
        self.check, self.game, self.variant = check, game, variant
        self.seed, self.position, self.problem, self.place = seed, position, problem, place
        where = [f"{game}, variant {variant!r}, check {check!r}"]
        where += [f"seed {seed}"] if seed is not None else []
        where += [f"position {position!r}"] if position else []
        super().__init__("\n".join(filter(None, [place, f"{', '.join(where)}: {problem}"])))
        self._arguments = (check, game, variant, seed, position, problem, place)

    def __reduce__(self) -> tuple[Any, ...]:
        """Makes the error picklable, so that it can cross process boundaries."""
        return type(self), self._arguments


@dataclass
class Subject:
    """A game under one variant, which checks play.

    Attributes:
        game: which game.
        variant: the variant's name.
        invariant: a function that checks what must hold at every ply of this game, or None.
        games: how many random games a check plays.
        seed: the seed of the game that is being played, or None.
    """

    game: Game
    variant: str
    invariant: Invariant | None = None
    games: int = 10
    seed: int | None = field(default=None, init=False)
    _env: GameEnv | None = field(default=None, init=False)

    def make(self, **options: Any) -> GameEnv:
        """An environment of the variant, with ``illegal_move="raise"``."""
        return GameEnv(self.game, self.variant, options, None, "raise")

    def make_batch(self, num_games: int, **options: Any) -> Batch:
        """A batch of the variant."""
        return make_batch(self.game.id, num_games, variant=self.variant, **options)

    def watch(self, env: GameEnv | None, seed: int | None = None) -> None:
        """From now on failures contain the position of this environment and the seed."""
        self._env, self.seed = env, seed

    def play(self, seed: int, plies: int = MAX_PLIES, **options: Any) -> Iterator[GameEnv]:
        """Plays a random game. Yields its environment (always the same object) before the first ply and after each one,
        until the end or for the number of ``plies``."""
        env = self.make(**options)
        self.watch(env, seed)
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        yield env
        while not env.is_over() and env.games.states["plies"][0] < plies:
            env.step(random_action(env, rng))
            yield env

    def failure(self, check: str, error: Exception) -> CheckFailed:
        """A CheckFailed for an exception, with the seed and the position in which it happened."""
        try:
            position = self._env.position() if self._env is not None else ""
        except Exception as another:  # any exception of the game's own notation
            position = f"(can't be written: {another!r})"
        place, problem = place_of(error, self.game.folder), f"{self._outside()}{problem_of(error)}"
        return CheckFailed(check, self.game.id, self.variant, self.seed, position, problem, place)

    def _outside(self) -> str:
        """Which of the fields that all states have is out of its range in the environment that is watched; empty if
        none is."""
        if self._env is None:
            return ""
        state = self._env.games.states[0]
        ranges = {"to_act": len(self._env.possible_agents), "end": len(self.game.rules.ENDS)}
        outside = [
            f"state.{name} is {state[name]}, not 0 to {n - 1}: "
            for name, n in ranges.items()
            if not 0 <= state[name] < n
        ]
        return "".join(outside)


def random_action(env: GameEnv, rng: np.random.Generator) -> int:
    """A legal action, uniformly at random. AssertionError if there is none, and for a mask of other numbers than 0 and
    1, with which compiled players don't end."""
    mask = env.observe(env.agent_selection)["action_mask"]
    require(np.isin(mask, (0, 1)).all(), f"legal() writes {sorted(set(mask.tolist()))} into the mask, not 0 and 1")
    require(mask.any(), "legal() allows no action, and the game is not over")
    return int(rng.choice(np.flatnonzero(mask)))
