"""`FlatFloat32`: observations as flat vectors of float32, for RLlib and for plain networks."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from parlour.support.arguments import flag
from parlour.wrappers.base import ObservationWrapper, parts_of


class FlatFloat32(ObservationWrapper):
    """Flattens the observation, except the mask, into vectors of float32.

    * observation: ``"observation"``, int8 (C, H, W), becomes float32 (C · H · W,): plane after plane, row by row. The
      bounds stay the same. With ``scale`` each number is scaled linearly from the bounds of its plane to −1 … 1 (0 if
      the bounds are equal). ``"dice"`` of `SplitDice` is treated in the same way. The mask is unchanged.
    * action, reward, info: unchanged.
    """

    def __init__(self, env: AECEnv[str, Any, Any], scale: bool = False) -> None:
        """``scale``: whether numbers are scaled to −1 … 1. ValueError for an ``env`` without a mask."""
        self._scale = flag("scale", scale)
        self._places: dict[str, tuple[NDArray[np.float32], NDArray[np.float32]]] = {}
        super().__init__(env)

    def seen_space(self, space: spaces.Space[Any]) -> spaces.Space[Any]:
        """The same bounds, or −1 and 1, for vectors."""
        parts = parts_of(space)
        for key, part in parts.items():
            if key != "action_mask":
                assert isinstance(part, spaces.Box)
                parts[key] = self._flattened(key, part)
        self.made = frozenset(self._places)
        return spaces.Dict(parts)

    def _flattened(self, key: str, part: spaces.Box) -> spaces.Box:
        """The space of a part as a vector; stores its scaling: the middle of its bounds, and half their distance."""
        low, high = part.low.reshape(-1).astype(np.float32), part.high.reshape(-1).astype(np.float32)
        half = np.where(high > low, (high - low) / 2, 1).astype(np.float32)
        self._places[key] = ((low + high) / 2).astype(np.float32), half
        return spaces.Box(-1, 1, low.shape, np.float32) if self._scale else spaces.Box(low, high, dtype=np.float32)

    def see(self, observation: Any, agent: str) -> Any:
        """The vectors."""
        for key, (middle, half) in self._places.items():
            vector = observation[key] = observation[key].ravel().astype(np.float32)
            if self._scale:
                vector -= middle
                vector /= half
        return observation
