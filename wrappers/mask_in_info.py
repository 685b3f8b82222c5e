"""`MaskInInfo`: a plain observation, and the mask in the infos, for AgileRL."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from parlour.support.errors import listing
from parlour.wrappers.base import ObservationWrapper, parts_of


class MaskInInfo(ObservationWrapper):
    """Returns the plain observation, with the mask in the infos.

    * observation: ``{"observation": …, "action_mask": …}`` becomes the array under ``"observation"``,
      int8 (C, H, W) or what inner wrappers have made of it.
    * info: ``"action_mask"``, a list of A numbers, 0 or 1: all 0 off turn. It is a Python list because AgileRL
      silently drops masks that are arrays.
    * action, reward: unchanged.
    """

    def seen_space(self, space: spaces.Space[Any]) -> spaces.Space[Any]:
        """That of the observation alone; ValueError if there is more than it and the mask."""
        parts = parts_of(space)
        if len(parts) > 2:
            raise ValueError(f"MaskInInfo takes one tensor besides the mask, and finds {listing(list(parts))}")
        assert parts["action_mask"].shape is not None
        (self._actions,) = parts["action_mask"].shape
        return parts["observation"]

    def see(self, observation: Any, agent: str) -> Any:
        """The observation alone."""
        return observation["observation"].copy()

    @property
    def infos(self) -> dict[str, dict[str, Any]]:
        """Those beneath, and the masks."""
        to_act = self.env.agent_selection
        nothing = [0] * self._actions
        masks = {to_act: as_list(self._peek_beneath(to_act)["action_mask"])}
        return {agent: {**info, "action_mask": masks.get(agent, nothing)} for agent, info in self.env.infos.items()}

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """See `pettingzoo.AECEnv.last`."""
        env = self.env
        seen = self._peek_beneath(env.agent_selection)
        _, reward, terminated, truncated, info = env.last(False)
        info = {**info, "action_mask": as_list(seen["action_mask"])}
        return seen["observation"].copy() if observe else None, reward, terminated, truncated, info


def as_list(mask: NDArray[np.int8]) -> list[int]:
    """A mask as a list. (This is the fastest way in Python.)"""
    return list(mask.tobytes())
