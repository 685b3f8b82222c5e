"""`HistoryPlanes`: the latest k observations of a seat, one upon another."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
from gymnasium import spaces
from parlour.wrappers.base import ObservationWrapper, parts_of, planes_of
from pettingzoo import AECEnv

from parlour.kernels.protocol import Plane


class HistoryPlanes(ObservationWrapper):
    """Stacks what a seat saw at its own latest k − 1 plies beneath what it sees now.

    * observation: int8 (C, H, W) becomes int8 (k · C, H, W), the newest planes first; zeros where there was no earlier
      ply. The mask stays as it is.
    * action, reward, info: unchanged.

    A seat's history grows with its own plies alone, so `observe` shows the same however often it is called.
    """

    def __init__(self, env: AECEnv[str, Any, Any], k: int) -> None:
        """``k``: how many observations are stacked, from 1 up; ValueError for any other."""
        if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 1:
            raise ValueError(f"HistoryPlanes stacks k observations, k a whole number from 1 up, not {k!r}")
        self.k = int(k)
        super().__init__(env)
        self._earlier: dict[str, deque[Any]] = {}
        self._now: dict[str, Any] = {}  # what has been looked at since the latest step

    @property
    def planes(self) -> tuple[Plane, ...]:
        """Those beneath, k times."""
        return super().planes * self.k

    def seen_space(self, space: spaces.Space[Any]) -> spaces.Space[Any]:
        """The bounds of the planes, k times; and 0, for want of an earlier ply."""
        planes = planes_of(space)
        low, high = planes.low, planes.high
        repeats = self.k - 1
        stacked = spaces.Box(
            np.concatenate([low, *[np.minimum(low, 0)] * repeats]),
            np.concatenate([high, *[np.maximum(high, 0)] * repeats]),
            dtype=planes.dtype.type,
        )
        return spaces.Dict({**parts_of(space), "observation": stacked})

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """See `GameEnv.reset`; the history is empty."""
        super().reset(seed, options)
        nothing = np.zeros_like(self.env.observe(self.possible_agents[0])["observation"])
        self._earlier = {agent: deque([nothing] * (self.k - 1), self.k - 1) for agent in self.possible_agents}
        self._now = {}

    def step(self, action: int | None) -> None:
        """See `GameEnv.step`; what the seat saw before it acted becomes history."""
        agent = self.env.agent_selection
        before = self._now.get(agent)
        if before is None and self.k > 1:
            before = self.env.observe(agent)["observation"]
        self.env.step(action)
        if action is not None:
            self._earlier[agent].appendleft(before)
        self._now.clear()

    def see(self, observation: Any, agent: str) -> Any:
        """The planes of now and of the seat's latest plies."""
        planes = self._now[agent] = observation["observation"]
        observation["observation"] = np.concatenate([planes, *self._earlier[agent]])
        return observation
