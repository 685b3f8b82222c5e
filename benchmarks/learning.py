"""Training speed: plies per second that `examples/ppo_selfplay.py` and sb3-contrib's MaskablePPO learn from.

MaskablePPO is used in the usual way: `SelfPlayEnv` in a `DummyVecEnv`, against the random player. Both have the same
network (the same layers and number of weights). Both run on one thread, in processor time, so other work on the machine
has little influence. MaskablePPO is measured twice: with the example's rollout length, epochs and minibatches, and with
its own defaults.

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
from peers import rounds, show, table
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import DummyVecEnv
from torch import Tensor

import parlour
from parlour.wrappers import SelfPlayEnv

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))
import ppo_selfplay as ppo

ENVIRONMENTS = 8


class PlanesAlone(gymnasium.ObservationWrapper[Any, Any, Any]):
    """The planes without the mask. MaskablePPO gets the mask by ``action_masks``; it must not be an input as well."""

    def __init__(self, env: SelfPlayEnv) -> None:
        super().__init__(env)
        self.observation_space = env.observation_space["observation"]
        self.action_masks = env.action_masks

    def observation(self, observation: Any) -> Any:
        """The planes."""
        return observation["observation"]


class Body(BaseFeaturesExtractor):
    """The two hidden layers of `ppo_selfplay.Agent`, shared by policy and value."""

    def __init__(self, observation_space: Any, agent: ppo.Agent) -> None:
        super().__init__(observation_space, agent.critic.in_features)
        self.network = agent.network

    def forward(self, observation: Tensor) -> Tensor:
        """Planes to features."""
        return self.network(observation.float())


def example(args: ppo.Args) -> Callable[[], float]:
    """A measure: plies per second of an update of the example."""
    run = ppo.Run(args, Path(tempfile.mkdtemp()))
    updates = ppo.train(run)

    def measure() -> float:
        before, began = run.plies, time.process_time()
        next(updates)
        return (run.plies - before) / (time.process_time() - began)

    return measure


def maskable_ppo(args: ppo.Args, **arguments: Any) -> Callable[[], float]:
    """A measure: plies per second of an update of MaskablePPO. ``arguments``: those that are not the defaults."""
    venv = DummyVecEnv([lambda: PlanesAlone(SelfPlayEnv(parlour.make(args.game)))] * ENVIRONMENTS)
    shape = venv.observation_space.shape
    agent = ppo.Agent(torch.zeros(1, *shape), venv.action_space.n, args.width)
    alike = {"features_extractor_class": Body, "features_extractor_kwargs": {"agent": agent}, "net_arch": []}
    model = MaskablePPO("MlpPolicy", venv, seed=args.seed, device="cpu", policy_kwargs=alike, **arguments)
    count = sum(parameter.numel() for parameter in agent.parameters())
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
@click.option("--game", default=ppo.Args.game, show_default=True)
def main(count: int, game: str) -> None:
    """Prints plies per second (medians) and ratios."""
    torch.set_num_threads(1)
    args = replace(
        ppo.Args(game=game, updates=1_000_000), **{**ppo.GAME_ARGS.get(game, {}), "evaluate_every": 1_000_000}
    )
    plies = (args.num_games + args.num_pool_games) * args.num_steps
    alike = {
        "n_steps": plies // ENVIRONMENTS, "n_epochs": args.update_epochs, "batch_size": plies // args.num_minibatches,
    }  # fmt: skip
    names = [
        "ppo_selfplay.py",
        "MaskablePPO, the same rollout, epochs and minibatches",
        "MaskablePPO, its defaults (2048 plies, 10 epochs, minibatches of 64)",
    ]
    measures = [example(args), maskable_ppo(args, **alike), maskable_ppo(args, n_steps=2048 // ENVIRONMENTS)]
    for measure in measures:
        measure()  # a warm-up: compiling is not timed
    speeds = rounds(measures, count)
    title = f"Learning {game}, plies trained on a second of processor time, median of {count} updates"
    grid = table(title, "", "plies a second", "time a ply, relative")
    for name, speed in zip(names, speeds):
        grid.add_row(name, f"{speed:,.0f}", f"{speeds[0] / speed:.2f}")
    show(grid)


if __name__ == "__main__":
    main()
