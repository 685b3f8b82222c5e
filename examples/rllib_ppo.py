"""RLlib's PPO with action masks, one network for all seats. The same script runs on one machine or on a Ray cluster.

python examples/rllib_ppo.py --minutes 4
python examples/rllib_ppo.py --address auto --runners 32 --minutes 60    # on a cluster, with Parlour on each node

Ray pins an older Gymnasium than other libraries need, so install it in its own virtual environment.
"""

# /// script
# requires-python = ">=3.10"
# dependencies = ["parlour[onnx]", "ray[rllib]>=2.60", "torch>=2.13", "onnx>=1.17", "onnxscript>=0.7", "tqdm>=4.66"]
# ///

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import ray
import torch
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.models.base import ACTOR, ENCODER_OUT
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env
from torch import nn
from tqdm import tqdm

import parlour
from parlour.arena import Threads, match
from parlour.players import check_export, export_torch
from parlour.wrappers import FlatFloat32, ObservationsKey

EVERYONE = "everyone"
"""The policy of all seats: observations are from the view of the observing seat, so one network can play any seat."""


class Logits(nn.Module):
    """The network for a policy file: scales and flattens the planes as `FlatFloat32` does, then calls RLlib's
    module."""

    def __init__(self, module: Any, planes: Any) -> None:
        """``module``: RLlib's; ``planes``: the space of a game's planes, int8 (C, H, W)."""
        super().__init__()
        self.encoder, self.head = module.encoder, module.pi
        low, high = (torch.as_tensor(bound, dtype=torch.float32) for bound in (planes.low, planes.high))
        self.register_buffer("middle", (low + high) / 2)
        self.register_buffer("reach", torch.where(high > low, (high - low) / 2, 1))

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        """``observation``: float32 (N, C, H, W). Returns logits (N, A)."""
        flat = ((observation - self.middle) / self.reach).flatten(1)
        return self.head(self.encoder({Columns.OBS: flat})[ENCODER_OUT][ACTOR])


def make_env(config: dict[str, Any]) -> PettingZooEnv:
    """The game in the form that RLlib needs. It is called in each process."""
    env = parlour.make(config["game"], variant=config["variant"], illegal_move="raise")
    return PettingZooEnv(ObservationsKey(FlatFloat32(env, scale=True)))


def configured(args: argparse.Namespace) -> PPOConfig:
    """PPO with one network that learns from the plies of all seats."""
    plies = 200 if args.quick else 4000
    return (
        PPOConfig()
        .environment(
            "parlour",
            env_config={"game": args.game, "variant": args.variant},
            disable_env_checking=True,  # the check plays illegal actions
        )
        .multi_agent(policies={EVERYONE}, policy_mapping_fn=lambda agent, episode, **rest: EVERYONE)
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=ActionMaskingTorchRLModule,
                model_config=DefaultModelConfig(fcnet_hiddens=[256, 256], fcnet_activation="relu"),
            )
        )
        .env_runners(num_env_runners=args.runners, num_envs_per_env_runner=8, batch_mode="complete_episodes")
        .training(
            train_batch_size_per_learner=plies,
            minibatch_size=plies // 4,
            num_epochs=6,
            lr=5e-4,
            gamma=0.997,
            lambda_=0.9,
            entropy_coeff=0.01,
            use_kl_loss=False,
            grad_clip=0.5,
        )
        .debugging(seed=args.seed, log_level="ERROR")
    )


def train(args: argparse.Namespace) -> Algorithm:
    """Runs training iterations until the time is up, at least one."""
    algorithm = configured(args).build_algo()
    began, plies = time.monotonic(), 0
    with tqdm(total=round(60 * args.minutes), unit="s", disable=args.quick) as bar:
        while (passed := time.monotonic() - began) < 60 * args.minutes or not plies:
            result = algorithm.train()
            plies = result["env_runners"]["num_env_steps_sampled_lifetime"]
            length = result["env_runners"]["episode_len_mean"]
            entropy = result["learners"][EVERYONE]["entropy"]
            bar.update(min(int(passed), bar.total) - bar.n)
            bar.set_postfix_str(f"{plies:.0f} plies, {length:.0f} per game, entropy {entropy:.2f}")
    return algorithm


def export(algorithm: Algorithm, file: Path, game: str, variant: str | None) -> None:
    """Writes the network as a policy file, which plays as ``policy:FILE`` everywhere."""
    planes = parlour.make(game, variant=variant).observation_space("player_0")["observation"]
    export_torch(Logits(algorithm.get_module(EVERYONE), planes), file, game, variant)


def main() -> None:
    """Trains, saves, exports and evaluates."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="acey_ducey-v0", choices=parlour.games())
    parser.add_argument("--variant", help="the variant; default: the game's first")
    parser.add_argument("--minutes", type=float, default=4, help="minutes of training")
    parser.add_argument("--runners", type=int, default=0, help="processes that play; 0: the main process plays")
    parser.add_argument("--address", help="address of a Ray cluster; default: start a local one")
    parser.add_argument("--against", default="random,greedy,mcts:50", help="opponents of the evaluation")
    parser.add_argument("--matches", type=int, default=200, help="games against each opponent")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("runs/rllib"), help="folder for checkpoint and policy")
    parser.add_argument("--quick", action="store_true", help="a few seconds, to check that it runs")
    args = parser.parse_args()
    check_export()  # a package that is missing is noticed before the training
    if args.quick:
        print("--quick is a smoke test: its results mean nothing")
    if args.quick:
        args.minutes, args.matches = 0, 2
    args.out.mkdir(parents=True, exist_ok=True)

    ray.init(address=args.address, log_to_driver=False)
    register_env("parlour", make_env)
    algorithm = train(args)
    algorithm.save_to_path((args.out / "checkpoint").resolve())
    policy = args.out / "policy.onnx"
    export(algorithm, policy, args.game, args.variant)
    algorithm.stop()
    ray.shutdown()
    print(f"{policy}: play it by: parlour play {args.game} --against policy:{policy}")
    for opponent in args.against.split(","):
        made = match(
            args.game, f"policy:{policy}", opponent, games=args.matches, variant=args.variant, seed=args.seed + 1,
            workers=Threads(1),
        )  # fmt: skip
        print(made)


if __name__ == "__main__":
    main()
