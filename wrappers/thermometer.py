"""`Thermometer`: counts as steps, everything else from 0 to 1, for networks."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from parlour.players.inputs import DTYPES, thermometer
from parlour.rulebook.protocol import Plane
from parlour.support.arguments import one_of
from parlour.wrappers.base import ObservationWrapper, bottom_of, parts_of, planes_of
from parlour.wrappers.batch_base import BatchObservationWrapper


class Thermometer(ObservationWrapper):
    """Shows counts as steps: to a network one man, two men and three are different things, and 15 is not much more.

    * observation: int8 (C, H, W) becomes float32 (T, H, W), from 0 to 1. A plane for which the game names steps
      (`parlour.rulebook.protocol.Plane.steps`) becomes a plane for each step, 1 where the number is at least that, and,
      if it can be higher than the last step, a plane of what is above it, divided by the most that this can be. Every
      other plane is scaled from its bounds to 0 to 1. The mask is unchanged.
    * action, reward, info: unchanged.

    With ``dtype="int8"``, for a quarter of the memory, nothing is scaled: what is above the last step stays a count,
    and every plane without steps stays as it is. Take it where the learner scales its inputs itself.
    `SplitDice` goes on top, so that dice are shown as steps too.

    For N games: `BatchThermometer`, and ``SelfPlayVectorEnv(…, inputs="thermometer")`` or ``"thermometer:int8"``. A
    policy file for such inputs: `parlour.players.export_torch` with the same ``inputs``.
    """

    def __init__(self, env: AECEnv[str, Any, Any], dtype: str = "float32") -> None:
        """``env``: one whose observation is made of planes of int8; ``dtype``: ``"float32"`` or ``"int8"``. ValueError
        for any other."""
        bottom_of(env)
        planes = planes_of(env.observation_space(env.possible_agents[0]))
        if planes.dtype != np.int8:
            raise ValueError(f"Thermometer needs planes of int8 beneath it, and finds {planes.dtype}")
        self._thermometer = thermometer(env.planes, one_of("dtype", dtype, DTYPES))
        super().__init__(env)

    @property
    def planes(self) -> tuple[Plane, ...]:
        """The T planes."""
        return self._thermometer.planes

    def seen_space(self, space: spaces.Space[Any]) -> spaces.Space[Any]:
        """T planes, with their bounds."""
        _, height, width = planes_of(space).shape
        return spaces.Dict({**parts_of(space), "observation": self._thermometer.space(height, width)})

    def see(self, observation: Any, agent: str) -> Any:
        """The T planes."""
        observation["observation"] = self._thermometer(observation["observation"])
        return observation


class BatchThermometer(BatchObservationWrapper):
    """Shows the counts of a batch of N games as steps: each row sees, bit for bit, what `Thermometer` shows.

    * observations: int8 (N, C, H, W) become float32 or int8 (N, T, H, W), new arrays at each step. So does
      ``"final_obs"``, where ``"_final_obs"`` is True; elsewhere it is 0.
    * actions, rewards, terminations, truncations, other infos: unchanged.
    """

    def seen_space(self, dtype: str) -> spaces.Box:
        """T planes, with their bounds."""
        layout = self._games.layout
        self._thermometer = thermometer(layout.planes, dtype)
        return self._thermometer.space(layout.height, layout.width)

    def seen(self, planes: NDArray[np.int8]) -> NDArray[Any]:
        """int8 (…, C, H, W) as (…, T, H, W): also for planes from elsewhere, such as after-states."""
        return self._thermometer(planes)
