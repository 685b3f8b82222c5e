"""`SplitDice`: the dice as a separate tensor."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from parlour.rulebook.protocol import Plane
from parlour.wrappers.base import ObservationWrapper, bottom_of, parts_of, planes_of


class SplitDice(ObservationWrapper):
    """Separates the planes that show dice from the others.

    * observation: ``"observation"``, int8 (C, H, W), becomes ``"observation"``, int8 (C − D, H, W), and ``"dice"``,
      int8 (D, H, W): the planes of the kind ``"dice"``, in their order, with their bounds. In a game without dice D
      is 0, and ``"dice"`` an empty tensor. The mask stays as it is.
    * action, reward, info: unchanged.
    """

    def __init__(self, env: AECEnv[str, Any, Any]) -> None:
        """``env``: one whose observation is made of planes; ValueError for any other."""
        bottom_of(env)
        kinds = np.array([plane.kind for plane in env.planes])
        self._board, self._dice = np.flatnonzero(kinds != "dice"), np.flatnonzero(kinds == "dice")
        self._has_dice = len(self._dice) > 0
        self.made = frozenset({"observation", "dice"} if self._has_dice else {"dice"})
        super().__init__(env)

    @property
    def planes(self) -> tuple[Plane, ...]:
        """Those that show no dice."""
        beneath = super().planes
        return tuple(beneath[c] for c in self._board)

    def seen_space(self, space: spaces.Space[Any]) -> spaces.Space[Any]:
        """The bounds of the planes, in two parts."""
        planes = planes_of(space)
        board, dice = (
            spaces.Box(planes.low[part], planes.high[part], dtype=planes.dtype.type)
            for part in (self._board, self._dice)
        )
        self._no_dice = np.empty(dice.shape, planes.dtype)
        return spaces.Dict({**parts_of(space), "observation": board, "dice": dice})

    def see(self, observation: Any, agent: str) -> Any:
        """The planes in two parts."""
        planes = observation["observation"]
        if self._has_dice:
            observation["observation"], observation["dice"] = planes[self._board], planes[self._dice]
        else:
            observation["dice"] = self._no_dice  # it holds nothing that could be changed
        return observation
