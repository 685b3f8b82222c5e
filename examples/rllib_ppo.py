# /// script
# requires-python = ">=3.10"
# dependencies = ["parlour[onnx]", "ray[rllib]", "torch>=2.13", "onnx>=1.17", "onnxscript>=0.7"]
# ///
"""RLlib's PPO on a PettingZoo environment: one network plays all seats, and sees the mask.

python examples/rllib_ppo.py --game acey_ducey-v0 --steps 100000 --out runs/rllib

It writes an ONNX policy file that plays in every command:
parlour play acey_ducey --against policy:runs/rllib/policy.onnx

On a cluster, with Parlour on every node: `--address auto --runners 8`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

import parlour
from parlour.arena import tournament
from parlour.players import check_export, export_torch
from parlour.wrappers import Features, FlatFloat32, ObservationsKey

WITH_FEATURES = ("acey_ducey-v0", "backgammon-v0", "royal_ur-v0")
ROLLOUT = 2_048


class Logits(torch.nn.Module):
    """The actor of RLlib's module, from what it sees (N, …) to logits (N, A)."""

    def __init__(self, module: ActionMaskingTorchRLModule) -> None:
        super().__init__()
        self.module = module

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """``seen``: float32."""
        return self.module.pi(self.module.encoder({"obs": seen.flatten(1)})["encoder_out"]["actor"])


def main() -> None:
    """Trains, exports and evaluates."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="acey_ducey-v0", choices=parlour.games())
    parser.add_argument("--variant", help="the variant; default: the game's first")
    parser.add_argument("--steps", type=int, default=100_000, help="plies of all seats")
    parser.add_argument("--address", help="of a Ray cluster; default: this machine")
    parser.add_argument("--runners", type=int, default=0, help="processes that play besides this one")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("runs/rllib"), help="folder for the policy file")
    parser.add_argument("--quick", action="store_true", help="a few seconds, to check that it runs")
    args = parser.parse_args()
    check_export()  # a package that is missing is noticed before the training
    if args.quick:
        print("--quick is a smoke test: its results mean nothing")
    sees, inputs = (Features, "features") if args.game in WITH_FEATURES else (FlatFloat32, "planes")

    def make_env(_: dict) -> PettingZooEnv:
        # RLlib's module for masks wants flat float32 under "observations".
        return PettingZooEnv(ObservationsKey(sees(parlour.make(args.game, variant=args.variant, illegal_move="raise"))))

    ray.init(address=args.address)
    register_env("game", make_env)
    config = (
        PPOConfig()
        .environment("game", disable_env_checking=True)  # the check plays illegal actions
        .multi_agent(policies={"all_seats"}, policy_mapping_fn=lambda agent, episode, **rest: "all_seats")
        .rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule))
        .env_runners(num_env_runners=args.runners)
        .training(
            train_batch_size_per_learner=ROLLOUT, minibatch_size=512, num_epochs=4, lr=5e-4, gamma=0.997, lambda_=0.95
        )
        .debugging(seed=args.seed)
    )
    algorithm, rollouts = config.build_algo(), 1 if args.quick else max(args.steps // ROLLOUT, 1)
    for number in range(1, rollouts + 1):
        algorithm.train()
        if number % 10 == 0:
            print(f"{number * ROLLOUT:>10,} of {rollouts * ROLLOUT:,} plies", flush=True)
    network = Logits(algorithm.get_module("all_seats"))

    args.out.mkdir(parents=True, exist_ok=True)
    file = args.out / "policy.onnx"
    export_torch(network, file, args.game, args.variant, inputs=inputs)
    algorithm.stop()
    ray.shutdown()
    how = {"games": 2 if args.quick else 200, "variant": args.variant, "seed": args.seed}
    standings = tournament(args.game, [f"policy:{file}"], field=["random", "greedy", "mcts:50"], **how)
    print(*standings.scores, sep="\n")  # both seats have played with the same dice; with 95 % intervals


if __name__ == "__main__":
    main()
