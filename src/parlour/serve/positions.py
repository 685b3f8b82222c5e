"""The positions of a game that is being played: any of them, without an environment in memory for each."""

from __future__ import annotations

from collections.abc import Iterator

from parlour.interfaces.aec import GameEnv

EVERY = 128
"""One position in so many is kept as an environment, which takes 5 to 15 KiB. The others are played from there: in some
two milliseconds at most, compiled."""


class Positions:
    """The positions of a game, the start first. Nothing else may change the environments that are given to it; those
    that it gives are new ones."""

    def __init__(self, start: GameEnv) -> None:
        self.actions: list[int] = []
        self._environments = [start.clone()]

    def __len__(self) -> int:
        return len(self.actions) + 1

    def __getitem__(self, ply: int) -> GameEnv:
        """The position after ``ply`` plies; −1 is the last. IndexError if there is none."""
        number = range(len(self))[ply]
        env = self._environments[number // EVERY].clone()
        for action in self.actions[number - number % EVERY : number]:
            env.step(action)
        return env

    def __reversed__(self) -> Iterator[GameEnv]:
        """All positions, the last one first. Each ply is played once."""
        for first in reversed(range(0, len(self), EVERY)):
            part = [self[first]]
            for action in self.actions[first : min(first + EVERY, len(self)) - 1]:
                env = part[-1].clone()
                env.step(action)
                part.append(env)
            yield from reversed(part)

    def append(self, action: int, env: GameEnv) -> None:
        """Adds the position ``env``, to which ``action`` has led."""
        self.actions.append(action)
        if len(self.actions) % EVERY == 0:
            self._environments.append(env.clone())

    def cut(self, plies: int) -> None:
        """Drops all positions after ``plies`` plies."""
        del self.actions[plies:], self._environments[plies // EVERY + 1 :]

    def copy(self) -> Positions:
        """The same positions, to which others can be added."""
        twin = Positions.__new__(Positions)
        twin.actions, twin._environments = self.actions.copy(), self._environments.copy()
        return twin
