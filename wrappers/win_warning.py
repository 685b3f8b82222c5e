"""`WinWarning`: tells the seat to act whether it, or the other seat, is about to win."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from parlour.wrappers.base import ObservationWrapper, bottom_of
from pettingzoo import AECEnv

from parlour.kernels.compiling import records

OWN, OTHER = 1, 2
"""The bits of what ``engine.warn`` finds."""


class WinWarning(ObservationWrapper):
    """Warns the seat to act. The rules of Swords & Shields: "a player should be warned by his opponent when his next
    move could win".

    * observation: unchanged, or with ``planes`` int8 (C + 2, H, W): the same two numbers as constant planes, the last.
    * action, reward: unchanged.
    * info: ``"can_win"``, 1 if the seat to act can win with this ply; ``"threatened"``, 1 if the seat that comes next
      could win with its first ply did this turn change nothing. Else they are 0, as they are off turn and after the
      end.

    To win is to end the game by its rules and to be paid more for that ply than any other seat. A turn of several plies
    is looked at ply by ply: a capture that only a later ply of the turn brings about is no win with this one, and in
    the midst of a turn nobody is threatened. Nobody is in a game with dice, where it hangs on a throw not made yet; nor
    does a ply win there whose result a throw decides.
    """

    def __init__(self, env: AECEnv[str, Any, Any], planes: bool = False) -> None:
        """
        Args:
            env: an environment of `parlour.make`, in wrappers or not.
            planes: whether the warnings are planes of the observation as well, which must then have an
                ``"observation"`` of int8 (C, H, W).

        Raises:
            ValueError: for an environment or observation that is none of these.
        """
        if not isinstance(planes, (bool, np.bool_)):
            raise ValueError(f"planes must be True or False, not {planes!r}")
        self.planes = bool(planes)
        self._table = bottom_of(env).table
        super().__init__(env)
        self._scratch = self._make_scratch()
        self._news: int | None = None

    def _make_scratch(self) -> tuple[Any, ...]:
        """Two states, a mask as bytes and as words, and rewards."""
        words = np.zeros(self._table.words.shape[1], np.uint64)
        states = records(2, self._table.game.rules.STATE)
        return states, words.view(np.int8), words, np.zeros(self._table.layout.seats, np.float32)

    def __getstate__(self) -> dict[str, Any]:
        """Everything but what is scratch."""
        return {name: value for name, value in self.__dict__.items() if name != "_scratch"}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """The opposite of ``__getstate__``."""
        self.__dict__.update(kept)
        self._scratch = self._make_scratch()

    def news(self) -> int:
        """What the seat to act should know: `OWN` if it can win, plus `OTHER` if it is threatened. Looked for once a
        ply, and only if someone asks."""
        if self._news is None:
            table = self._table
            over = self.env.terminations[self.env.agent_selection]  # an illegal move, of which the rules don't know
            self._news = 0 if over else table.engine.warn(
                table.states, table.variants, table.masks, table.words, *self._scratch
            )  # fmt: skip
        return self._news

    def _warnings(self, agent: str) -> dict[str, int]:
        news = self.news() if agent == self.env.agent_selection else 0
        return {"can_win": news & OWN, "threatened": news >> 1}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """See `GameEnv.reset`."""
        self.env.reset(seed, options)
        self._news = None

    def step(self, action: int | None) -> None:
        """See `GameEnv.step`."""
        self.env.step(action)
        self._news = None

    @property
    def infos(self) -> dict[str, dict[str, Any]]:  # type: ignore[override]
        """Those beneath, and the warnings."""
        return {agent: {**info, **self._warnings(agent)} for agent, info in self.env.infos.items()}

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """See `pettingzoo.AECEnv.last`."""
        observation, reward, terminated, truncated, info = self.env.last(observe)
        news = self._news if self._news is not None else self.news()
        if observe and self.planes:
            observation = self.see(observation, self.env.agent_selection)
        info = {**info, "can_win": news & OWN, "threatened": news >> 1}
        return observation, reward, terminated, truncated, info  # type: ignore[return-value]

    def seen_space(self, space: spaces.Space[Any]) -> spaces.Space[Any]:
        """With two planes more."""
        if not self.planes:
            return space
        own = space["observation"] if isinstance(space, spaces.Dict) and "observation" in space.spaces else None
        if not isinstance(own, spaces.Box) or len(own.shape) != 3 or own.dtype != np.int8:
            raise ValueError(f"planes are for observations with an 'observation' of int8 (C, H, W), not {space}")
        assert isinstance(space, spaces.Dict)
        blank = np.zeros((2, *own.shape[1:]), np.int8)
        told = spaces.Box(np.concatenate([own.low, blank]), np.concatenate([own.high, blank + 1]), dtype=np.int8)
        return spaces.Dict({**space.spaces, "observation": told})

    def see(self, observation: Any, agent: str) -> Any:
        """With the warnings as planes."""
        if self.planes:
            own = observation["observation"]
            warned = np.zeros((own.shape[0] + 2, *own.shape[1:]), np.int8)
            warned[:-2] = own
            if agent == self.env.agent_selection:
                news = self.news()
                warned[-2], warned[-1] = news & OWN, news >> 1
            observation["observation"] = warned
        return observation
