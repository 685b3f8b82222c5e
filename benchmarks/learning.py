"""Training speed: plies per second that `examples/ppo_selfplay.py` and sb3-contrib's MaskablePPO learn from.

MaskablePPO is used in the usual way: `SelfPlayEnv` in a `DummyVecEnv`, against the random player. Both have the same
network (the same layers and number of weights). Both run on one thread, in processor time, so other work on the machine
has little influence. MaskablePPO is measured twice: with the example's rollout length, epochs and minibatches, and with
its own defaults. The example is measured with less precise matrix products, too.

python benchmarks/learning.py [--rounds 5] [--game swords_and_shields-v0]
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import gymnasium
import torch
from peers import rounds, show
from rich.table import Table
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import DummyVecEnv
from torch import Tensor, nn

import parlour
from parlour.wrappers import SelfPlayEnv

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))
import ppo_selfplay as ppo

ENVIRONMENTS = 8


class PlanesAlone(gymnasium.ObservationWrapper[Any, Any, Any]):
    """The planes without the mask. MaskablePPO gets the mask by ``action_masks``; it must not be an input as well."""

    def __init__(self, env: SelfPlayEnv) -> None:
        """``env``: the environment to wrap."""
        super().__init__(env)
        self.observation_space = env.observation_space["observation"]
        self.action_masks = env.action_masks

    def observation(self, observation: Any) -> Any:
        """The planes."""
        return observation["observation"]


class Body(BaseFeaturesExtractor):
    """The two hidden layers of `ppo_selfplay.Network`, shared by policy and value."""

    def __init__(self, observation_space: Any, network: ppo.Network) -> None:
        """``network``: its hidden layers are used."""
        super().__init__(observation_space, network.critic.in_features)
        self.network = nn.Sequential(nn.Flatten(), network.body)

    def forward(self, observation: Tensor) -> Tensor:
        """Planes to features."""
        return self.network(observation.float())


def example(settings: ppo.Settings) -> Callable[[], float]:
    """A measure: plies per second of an update of the example."""
    trainer = ppo.Trainer(settings, Path(tempfile.mkdtemp()))

    def measure() -> float:
        before, began = trainer.plies, time.process_time()
        trainer.update()
        return (trainer.plies - before) / (time.process_time() - began)

    return measure


def medium(measure: Callable[[], float]) -> Callable[[], float]:
    """The same measure, while PyTorch is allowed to compute float32 products less precisely."""

    def measured() -> float:
        torch.set_float32_matmul_precision("medium")
        try:
            return measure()
        finally:
            torch.set_float32_matmul_precision("highest")

    return measured


def maskable_ppo(settings: ppo.Settings, **own: Any) -> Callable[[], float]:
    """A measure: plies per second of an update of MaskablePPO. ``own``: its arguments that are not the defaults."""
    venv = DummyVecEnv([lambda: PlanesAlone(SelfPlayEnv(parlour.make(settings.game)))] * ENVIRONMENTS)
    shape = venv.observation_space.shape
    network = ppo.Network(shape, venv.action_space.n, settings.width)
    alike = {"features_extractor_class": Body, "features_extractor_kwargs": {"network": network}, "net_arch": []}
    model = MaskablePPO("MlpPolicy", venv, seed=settings.seed, device="cpu", policy_kwargs=alike, **own)
    count = sum(parameter.numel() for parameter in network.parameters())
    theirs = sum(parameter.numel() for parameter in model.policy.parameters())
    if count != theirs:
        raise RuntimeError(f"the networks differ: {count} weights here, {theirs} there")

    def measure() -> float:
        began = time.process_time()
        model.learn(model.n_steps * ENVIRONMENTS, reset_num_timesteps=False)
        return model.n_steps * ENVIRONMENTS / (time.process_time() - began)

    return measure


@click.command()
@click.option("--rounds", "count", default=5, show_default=True)
@click.option("--game", default=ppo.Settings.game, show_default=True)
def main(count: int, game: str) -> None:
    """Prints plies per second (medians), ratios, and what the example's time is spent on."""
    torch.set_num_threads(1)
    settings = replace(ppo.Settings(game=game, updates=1_000_000), **ppo.GAME_DEFAULTS.get(game, {}))
    plies = (settings.games + settings.pool_games) * settings.steps
    alike = {"n_steps": plies // ENVIRONMENTS, "n_epochs": settings.epochs, "batch_size": plies // settings.minibatches}
    names = [
        "ppo_selfplay.py",
        "MaskablePPO, the same rollout, epochs and minibatches",
        "MaskablePPO, its defaults (2048 plies, 10 epochs, minibatches of 64)",
        "ppo_selfplay.py --precision bfloat16",
        'ppo_selfplay.py, torch.set_float32_matmul_precision("medium")',
    ]
    measures = [
        example(settings),
        maskable_ppo(settings, **alike),
        maskable_ppo(settings, n_steps=2048 // ENVIRONMENTS),
        example(replace(settings, precision="bfloat16")),
        medium(example(settings)),
    ]
    for measure in measures:
        measure()  # a warm-up: compiling is not timed
    speeds = rounds(measures, count)
    grid = Table(
        title=f"Learning {game}, plies trained on a second of processor time, median of {count} updates",
        title_justify="left",
    )
    for heading in ("", "plies a second", "time a ply, relative"):
        grid.add_column(heading, justify="right" if heading else "left")
    for name, speed in zip(names, speeds):
        grid.add_row(name, f"{speed:,.0f}", f"{speeds[0] / speed:.2f}")
    show(grid)
    ppo.CLOCK.spent.clear()
    measures[0]()
    spent = {part: ppo.CLOCK.spent[part] for part in ("environment", "network", "learning")}
    shares = ", ".join(f"{part} {seconds / sum(spent.values()):.1%}" for part, seconds in spent.items())
    print(f"An update of ppo_selfplay.py: {shares}")


if __name__ == "__main__":
    main()
