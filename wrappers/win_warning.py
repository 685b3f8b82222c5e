"""`WinWarning`: tells the seat to act whether it or the other seat can win next."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from parlour.engine.kernels.win_threats import warn
from parlour.rulebook.protocol import Plane
from parlour.rulebook.state_records import as_words, records
from parlour.support.arguments import flag
from parlour.wrappers.base import ObservationWrapper, parts_of, planes_of

OWN, OTHER = 1, 2
"""The bits of what ``win_threats.warn`` finds."""
WARNINGS = (Plane("all ones when the observing seat can win with this ply"), Plane("all ones when it is threatened"))


class WinWarning(ObservationWrapper):
    """Warns the seat to act. The rules of Swords & Shields: "a player should be warned by his opponent when his next
    move could win".

    * observation: unchanged, or with ``planes`` int8 (C + 2, H, W): the same two numbers as constant planes, the last.
    * action, reward: unchanged.
    * info: ``"can_win"``, 1 if the seat to act can win with this ply; ``"threatened"``, 1 if the next seat could win
      with its first ply if this turn changed nothing. Otherwise 0, also off turn and after the end.

    A ply wins if it ends the game by the rules and gives its seat a higher reward than any other seat. Turns of several
    plies are examined ply by ply: a win that needs a later ply of the turn does not count, and in the middle of a turn
    nobody is threatened. In games with dice nobody is threatened, because it depends on the next throw, and a ply whose
    result depends on a throw does not count as a win.
    """

    def __init__(self, env: AECEnv[str, Any, Any], planes: bool = False) -> None:
        """
        Args:
            env: an environment of `parlour.make`, in wrappers or not.
            planes: whether the warnings are planes of the observation as well, which must then have an
                ``"observation"`` of int8 (C, H, W).

        Raises:
            ValueError: for an environment or observation that is not one of these.
        """
        self._telling = flag("planes", planes)
        super().__init__(env)
        self._news: int | None = None
        self._told: list[NDArray[Any]] = []
        if planes:
            own = planes_of(env.observation_space(env.possible_agents[0]))
            ones = np.ones((1, *own.shape[1:]), own.dtype)
            self._told = [np.concatenate([ones * (news & OWN), ones * (news // OTHER)]) for news in range(4)]
        self._bind()

    def _bind(self) -> None:
        """The kernel and its arguments: the game's row, and scratch."""
        games = self.game_env.games
        words = np.zeros(games.words.shape[1], np.uint64)
        scratch = as_words(records(2, games.game.rules.STATE)), words.view(np.int8), words
        arrays = games.arrays
        self._arguments = arrays.states, arrays.variants, games.words, *scratch, np.zeros_like(games.rewards[0])

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_arguments"}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._bind()

    def _warn(self) -> int:
        return int(warn(self.game_env.games.functions_for(warn), *self._arguments))

    def news(self) -> int:
        """`OWN` if the seat to act can win, plus `OTHER` if it is threatened. Looked for once a ply, if asked."""
        if self._news is None:
            # the rules don't know of an end by an illegal move
            self._news = 0 if self.env.terminations[self.env.agent_selection] else self._warn()
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
    def infos(self) -> dict[str, dict[str, Any]]:
        """Those beneath, and the warnings."""
        return {agent: {**info, **self._warnings(agent)} for agent, info in self.env.infos.items()}

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """See `pettingzoo.AECEnv.last`."""
        observation, reward, terminated, truncated, info = self.env.last(observe)
        if self._news is None:
            self._news = 0 if terminated else self._warn()
        if observe and self._told:
            observation["observation"] = np.concatenate([observation["observation"], self._told[self._news]])
        info = {**info, "can_win": self._news & OWN, "threatened": self._news >> 1}
        return observation, reward, terminated, truncated, info

    def seen_space(self, space: spaces.Space[Any]) -> spaces.Space[Any]:
        """With two planes more."""
        if not self._telling:
            return space
        own = planes_of(space)
        blank = np.zeros((2, *own.shape[1:]), own.dtype)
        low, high = np.concatenate([own.low, blank]), np.concatenate([own.high, blank + 1])
        return spaces.Dict({**parts_of(space), "observation": spaces.Box(low, high, dtype=own.dtype.type)})

    @property
    def planes(self) -> tuple[Plane, ...]:
        """Those beneath, and the warnings."""
        return (*super().planes, *WARNINGS) if self._telling else super().planes

    def see(self, observation: Any, agent: str) -> Any:
        """With the warnings as planes."""
        if self._told:
            news = self.news() if agent == self.env.agent_selection else 0
            observation["observation"] = np.concatenate([observation["observation"], self._told[news]])
        return observation
