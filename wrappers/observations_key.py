"""`ObservationsKey`: the observation under the key that RLlib expects."""

from __future__ import annotations

from typing import Any

from gymnasium import spaces

from parlour.wrappers.base import ObservationWrapper, parts_of


class ObservationsKey(ObservationWrapper):
    """Renames the observation's key as RLlib's models with action masks need it, in its old and its new API.

    * observation: ``{"observation": …, "action_mask": …}`` becomes ``{"observations": …, "action_mask": …}``, whatever
      the shapes: ``ObservationsKey(FlatFloat32(env))`` is what those models take.
    * action, reward, info: unchanged.
    """

    made = frozenset()

    def seen_space(self, space: spaces.Space[Any]) -> spaces.Space[Any]:
        """The same parts under their new names."""
        parts = parts_of(space)
        parts["observations"] = parts.pop("observation")
        return spaces.Dict(parts)

    def see(self, observation: Any, agent: str) -> Any:
        """The same parts under their new names."""
        observation["observations"] = observation.pop("observation")
        return observation
