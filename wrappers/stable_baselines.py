"""`StableBaselinesVecEnv`: many self-play games as a VecEnv of stable-baselines3 and sb3-contrib.

It needs stable-baselines3 (``pip install sb3-contrib``)::

    from parlour.wrappers import SelfPlayVectorEnv, StableBaselinesVecEnv
    from sb3_contrib import MaskablePPO

    env = StableBaselinesVecEnv(SelfPlayVectorEnv("acey_ducey-v0", 256, opponent="greedy"))
    MaskablePPO("MultiInputPolicy", env).learn(1_000_000)

Axis letters: N games, C planes, H × W board, A actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from parlour.wrappers.self_play_vector import SelfPlayVectorEnv


class StableBaselinesVecEnv(VecEnv):
    """A `SelfPlayVectorEnv` as stable-baselines3 wants it: each game a row, each row a dict of infos.

    * observation: ``{"observation": int8 (N, C, H, W), "action_mask": int8 (N, A)}``, for ``"MultiInputPolicy"``.
    * action: as beneath, whole numbers (N,). ``env_method("action_masks")``, where sb3-contrib looks for masks, gives
      bool (A,) for each row.
    * reward: float32 (N,), the same numbers.
    * info: a dict a row: ``"seat"``, and with several variants ``"variant"``. Where the game has ended, those of that
      game, with ``"terminal_observation"`` and ``"TimeLimit.truncated"``; the new game's are in ``reset_infos``.

    ``seed(s)`` sets the seeds of the next `reset`: row i gets s + i. ``set_options`` takes those of
    `SelfPlayVectorEnv.reset`, the same for all rows.
    """

    def __init__(self, env: VectorEnv[Any, Any, Any]) -> None:
        """``env``: a `SelfPlayVectorEnv` with ``autoreset="same_step"``, or what ``gymnasium.make_vec`` makes of one.
        ValueError for any other."""
        below = getattr(env, "unwrapped", None)
        if not isinstance(below, SelfPlayVectorEnv):
            raise ValueError(f"StableBaselinesVecEnv wraps a SelfPlayVectorEnv, not {env!r}")
        if below.metadata["autoreset_mode"] != AutoresetMode.SAME_STEP:
            raise ValueError(
                "StableBaselinesVecEnv needs autoreset='same_step': games begin again in the step that ends them"
            )
        self.env = below
        self._actions: NDArray[Any] = np.zeros(below.num_envs, np.int64)
        super().__init__(below.num_envs, below.single_observation_space, below.single_action_space)

    def reset(self) -> Any:
        """New games in all rows: their observations."""
        seeds = None if None in self._seeds else list(self._seeds)
        if any(options != self._options[0] for options in self._options):
            raise ValueError(f"all rows are reset by the same options, not by {self._options}")
        seen, infos = self.env.reset(seed=seeds, options=self._options[0] or None)
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = self._by_row(infos)
        return seen

    def step_async(self, actions: NDArray[Any]) -> None:
        """Takes the actions of the next `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Plays them: observations, rewards, which games have ended, infos."""
        seen, rewards, terminations, truncations, details = self.env.step(self._actions)
        infos, over = self._by_row(details), terminations | truncations
        if over.any():
            finals = self._by_row(details["final_info"])
            for row in np.flatnonzero(over).tolist():
                self.reset_infos[row] = infos[row]
                infos[row] = {
                    **finals[row],
                    "terminal_observation": details["final_obs"][row],
                    "TimeLimit.truncated": bool(truncations[row] and not terminations[row]),
                }
        return seen, rewards.astype(np.float32), over, infos

    def _by_row(self, infos: dict[str, Any]) -> list[dict[str, Any]]:
        """The numbers that infos hold of every row, as a dict a row."""
        names = [name for name in ("seat", "variant") if name in infos]
        return [dict(zip(names, row)) for row in zip(*(infos[name].tolist() for name in names))]

    def close(self) -> None:
        """Closes the environment beneath."""
        self.env.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of the environment beneath, which is the same for all rows."""
        return [getattr(self.env, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Sets an attribute of the environment beneath. ValueError for some of the rows alone."""
        if len(list(self._get_indices(indices))) != self.num_envs:
            raise ValueError(f"{attr_name} can only be set for all {self.num_envs} rows together")
        setattr(self.env, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """What a method gives that has a row for each game, such as ``action_masks``. ValueError for any other."""
        results = getattr(self.env, method_name)(*method_args, **method_kwargs)
        if not isinstance(results, np.ndarray) or len(results) != self.num_envs:
            raise ValueError(f"{method_name} gives no array of {self.num_envs} rows; one that does: action_masks")
        return [results[row] for row in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """None of the rows is in a wrapper."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[Any]:
        """There are no pictures of many games."""
        return [None] * self.num_envs
