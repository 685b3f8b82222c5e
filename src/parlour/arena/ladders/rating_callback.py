"""`RatingCallback`: ladder Elo during training with stable-baselines3 and sb3-contrib, as a curve in TensorBoard.

It needs stable-baselines3 (``pip install sb3-contrib``)::

    from parlour.arena import RatingCallback

    model.learn(1_000_000, callback=RatingCallback("acey_ducey-v0", every=100_000))
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.callbacks import BaseCallback

from parlour.arena.ladders.rating import Rating, rate
from parlour.arena.runs.playing import Workers
from parlour.arena.setting.ladder import ladder_of
from parlour.interfaces.registry import find
from parlour.players.inputs import PLANES, inputs_shape


class RatingCallback(BaseCallback):
    """Rates the model again and again, and logs ``rating/elo``, ``rating/low``, ``rating/high`` and ``rating/games``.

    If the model is off the scale, ``rating/elo`` and an infinite bound are not logged.

    Attributes:
        ratings: every rating so far, with the number of steps before it.
    """

    def __init__(
        self,
        game: str,
        *,
        every: int,
        variant: str | None = None,
        within: float = 60.0,
        games: int = 400,
        seed: int = 0,
        workers: Workers | None = None,
        deterministic: bool = True,
        inputs: str = PLANES,
        verbose: int = 0,
    ) -> None:
        """
        Args:
            game, variant, within, games, seed, workers: see `parlour.arena.rate`.
            inputs: what the model sees, as `SelfPlayVectorEnv(..., inputs=...)` shows it: see `parlour.arena.rate`.
            every: how many steps of the environment there are between two ratings.
            deterministic: whether the model plays its most probable action, rather than sampling one.
            verbose: 1 prints each rating.

        Raises:
            ValueError: if the variant has no ladder that fits, and for inputs that the game lacks.
        """
        super().__init__(verbose)
        _, ruleset = ladder_of(find(game), variant)
        inputs_shape(inputs, find(game), find(game).layout(ruleset.values))
        self.game, self.every, self.deterministic = game, every, deterministic
        self.arguments: dict[str, Any] = {
            "variant": variant, "within": within, "games": games, "seed": seed, "workers": workers, "progress": False,
            "inputs": inputs,
        }  # fmt: skip
        self.ratings: list[tuple[int, Rating]] = []
        self._next = every

    def policy(self, observation: NDArray[Any], action_mask: NDArray[np.int8]) -> NDArray[Any]:
        """The model as a player: actions (M,) for observations, such as int8 (M, C, H, W), and masks, int8 (M, A)."""
        takes_dict = isinstance(self.model.observation_space, spaces.Dict)
        inputs = {"observation": observation, "action_mask": action_mask} if takes_dict else observation
        return self.model.predict(inputs, action_masks=action_mask, deterministic=self.deterministic)[0]

    def _on_step(self) -> bool:
        if self.num_timesteps >= self._next:
            self._next = self.num_timesteps + self.every
            rating = rate(self.game, {"model": self.policy}, **self.arguments)
            self.ratings.append((self.num_timesteps, rating))
            for name in ("elo", "low", "high", "games"):
                value = float(getattr(rating, name))
                if np.isfinite(value):
                    self.logger.record(f"rating/{name}", value)
            self.logger.dump(self.num_timesteps)
            if self.verbose:
                print(rating)
        return True
