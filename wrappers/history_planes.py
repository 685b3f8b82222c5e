"""`HistoryPlanes`: the latest k observations of a seat, stacked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from parlour.rulebook.protocol import Plane
from parlour.support.arguments import whole_number
from parlour.wrappers.base import ObservationWrapper, parts_of, planes_of

NOBODY: tuple[str, bytes] = "", b""


class HistoryPlanes(ObservationWrapper):
    """Stacks the observation now and those at the seat's own latest k − 1 plies.

    * observation: int8 (C, H, W) becomes int8 (k · C, H, W), the newest planes first; zeros where there was no earlier
      ply. The mask is unchanged.
    * action, reward, info: unchanged.

    A seat's history grows only with its own plies, so calling `observe` again gives the same.
    """

    def __init__(self, env: AECEnv[str, Any, Any], k: int) -> None:
        """``k``: the number of observations, at least 1; ValueError for any other."""
        self.k = whole_number("k", k, 1)
        super().__init__(env)
        self._earlier: dict[str, bytes] = {}  # the planes of a seat's latest plies, the newest first
        self._latest = NOBODY  # the agents that observed since the latest step, with what they got

    @property
    def planes(self) -> tuple[Plane, ...]:
        """Those beneath, and again for each earlier ply, with 0 within their bounds."""
        now = super().planes
        earlier = [replace(plane, low=min(plane.low, 0), high=max(plane.high, 0)) for plane in now]
        return (*now, *earlier * (self.k - 1))

    def seen_space(self, space: spaces.Space[Any]) -> spaces.Space[Any]:
        """The bounds of the planes, k times, widened to include 0."""
        planes = planes_of(space)
        low, high = planes.low, planes.high
        self._shape, self._type = (self.k * planes.shape[0], *planes.shape[1:]), planes.dtype
        self._kept = planes.low.nbytes * (self.k - 1)
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
        self._earlier = dict.fromkeys(self.possible_agents, bytes(self._kept))
        self._latest = NOBODY

    def step(self, action: int | None) -> None:
        """See `GameEnv.step`; what the seat saw before it acted becomes history."""
        agent = self.env.agent_selection
        if self._latest[0] != agent:
            self._peek(agent)
        _, stack = self._latest
        self.env.step(action)
        if action is not None:
            self._earlier[agent] = stack[: self._kept]
        self._latest = NOBODY

    def see(self, observation: Any, agent: str) -> Any:
        """The present planes and those of the seat's latest plies."""
        stack = observation["observation"].tobytes() + self._earlier[agent]  # arrays would take five times as long
        self._latest = agent, stack
        observation["observation"] = np.ndarray(self._shape, self._type, bytearray(stack))
        return observation
