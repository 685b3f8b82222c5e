# /// script
# requires-python = ">=3.10"
# dependencies = ["parlour[onnx]", "sb3-contrib>=2.4", "torch>=2.13", "onnx>=1.17", "onnxscript>=0.7"]
# ///
"""sb3-contrib's MaskablePPO on many games at once, against a pool of players: from nothing, or from an expert's games.

python examples/sb3_maskable_ppo.py --game acey_ducey-v0 --minutes 10 --out runs/sb3
python examples/sb3_maskable_ppo.py --game acey_ducey-v0 --warm-start champion --minutes 3 --out runs/warm

With `--warm-start` the policy first learns what an expert does in each position of its games against itself, by
cross-entropy over the legal actions, and the value that it sees. Then MaskablePPO goes on, against the pool, with steps
of cloning between rollouts, fewer and fewer: a fading loss on demonstrations (Rajeswaran et al., arXiv:1709.10087).

The script writes the model in sb3-contrib's format, and an ONNX policy file that plays in every command:
parlour play acey_ducey --against policy:runs/warm/policy.onnx
"""

from __future__ import annotations

import argparse
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

import parlour
from parlour.arena import match
from parlour.players import check_export, export_torch
from parlour.wrappers import LegalActions, OpponentPool, SelfPlayVectorEnv, StableBaselinesVecEnv

WITH_FEATURES = ("acey_ducey-v0", "backgammon-v0", "royal_ur-v0")
USES = 8  # how often a ply of the expert is learnt from; games in which it thinks for long take more of the time
STEPS_BETWEEN = 12  # of cloning, between two rollouts: times the share of the time that is left


class Distinct(BaseFeaturesExtractor):
    """What is seen, without the mask, flat: float32 (N, K). Of inputs that are alike in all positions one is kept."""

    def __init__(self, space: Any, kept: Any) -> None:
        """``space``: the environment's observation space; ``kept``: the numbers of the inputs, (K,)."""
        super().__init__(space, features_dim=len(kept))
        self.register_buffer("kept", torch.as_tensor(kept))

    def forward(self, seen: Any) -> torch.Tensor:
        """``seen``: what is seen of N games, with or without their masks."""
        return (seen["observation"] if isinstance(seen, dict) else seen).flatten(1)[:, self.kept]


def expert_plies(args: argparse.Namespace) -> Iterator[Any]:
    """Minibatches of the expert's plies, without end. It plays 64 games more whenever its plies have been learnt from
    often enough; the latest 32 lots of games are kept."""
    rng, lots, plies_played, plies_learnt = np.random.default_rng(args.seed), deque[Any](maxlen=32), 0, 0
    how = {"player": args.warm_start, "noise": 0.08, "variant": args.variant, "inputs": args.inputs}
    while True:
        if plies_learnt >= USES * plies_played:
            lots.append(parlour.dataset(args.game, games=64, seed=int(rng.integers(2**31)), **how))
            plies_played += len(lots[-1])
        lot = lots[rng.integers(len(lots))]
        yield lot.at(rng.integers(len(lot), size=256))
        plies_learnt += 256


def clone(model: MaskablePPO, plies: Any) -> None:
    """A step towards the expert's actions in some plies, and towards what it thinks they are worth."""
    policy, optimizer = model.policy, model.policy.optimizer
    optimizer.param_groups[0]["lr"] = model.lr_schedule(0)
    seen, _ = policy.obs_to_tensor({"observation": plies.observation, "action_mask": plies.action_mask})
    values, log_prob, _ = policy.evaluate_actions(seen, torch.as_tensor(plies.action), plies.action_mask)
    worth = torch.as_tensor(np.where(np.isnan(plies.value), plies.returns, plies.value))
    loss = 0.5 * (values.flatten() - worth).square().mean() - log_prob.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def train(model: MaskablePPO, plies: Iterator[Any] | None, cloning: float, passed: Callable[[], float]) -> None:
    """Clones for a share of the time, if there are an expert's ``plies``; then PPO. ``passed``: how much is over."""
    if plies:
        print("learning from the expert's games")
        clone(model, next(plies))
        while passed() < cloning:
            clone(model, next(plies))
    while not model.num_timesteps or passed() < 1:
        model.learn(1, reset_num_timesteps=False)  # a whole rollout
        if model.num_timesteps % (20 * model.n_steps * model.n_envs) == 0:
            print(f"{passed():4.0%}  {model.num_timesteps:,} plies of PPO", flush=True)
        for _ in range(round(STEPS_BETWEEN * (1 - passed())) if plies else 0):
            clone(model, next(plies))


def main() -> None:
    """Trains, saves, exports and evaluates."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="acey_ducey-v0", choices=parlour.games())
    parser.add_argument("--variant", help="the variant; default: the game's first")
    parser.add_argument("--warm-start", metavar="PLAYER", help="an expert to learn from at first, such as champion")
    parser.add_argument("--cloning", type=float, default=0.6, help="the share of the time that goes to it, before PPO")
    parser.add_argument("--width", type=int, default=512, help="units of the policy's first layer; the second has half")
    parser.add_argument("--gamma", type=float, default=0.999, help="discount per ply; below it, sooner wins are better")
    parser.add_argument("--minutes", type=float, default=3.0, help="processor time, the expert's games included")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("runs/sb3"), help="folder for the model and the policy file")
    parser.add_argument("--quick", action="store_true", help="a few seconds, to check that it runs")
    args = parser.parse_args()
    check_export()  # a package that is missing is noticed before the training
    if args.quick:
        print("--quick is a smoke test: its results mean nothing")
    torch.set_num_threads(1)
    args.inputs = "features" if args.game in WITH_FEATURES else "thermometer"
    began, seconds = time.process_time(), 1.0 if args.quick else 60 * args.minutes

    def passed() -> float:
        return min(1.0, (time.process_time() - began) / seconds)

    how = {"variant": args.variant, "inputs": args.inputs}
    seen = parlour.dataset(args.game, player="greedy", games=200, noise=0.5, **how).observation
    kept = np.sort(np.unique(seen.reshape(len(seen), -1), axis=1, return_index=True)[1])
    pool = OpponentPool({"random": "random", "greedy": "greedy"})
    games = SelfPlayVectorEnv(args.game, 128, pool, **how)
    model = MaskablePPO(
        "MultiInputPolicy", StableBaselinesVecEnv(games), learning_rate=lambda _: 1e-3 * min(1, 2 - 2 * passed()),
        n_steps=64, batch_size=512, n_epochs=3, gamma=args.gamma, ent_coef=0.003, seed=args.seed,
        policy_kwargs={
            "features_extractor_class": Distinct, "features_extractor_kwargs": {"kept": kept},
            "net_arch": {"pi": [args.width, args.width // 2], "vf": [256, 128]}, "activation_fn": torch.nn.ReLU,
        },
    )  # fmt: skip
    policy = model.policy
    policy.action_dist = LegalActions(int(games.single_action_space.n))
    pool.add("itself", lambda o, mask: model.predict({"observation": o, "action_mask": mask}, action_masks=mask)[0])
    train(model, expert_plies(args) if args.warm_start else None, args.cloning, passed)
    took = f"{model.num_timesteps:,} plies of PPO, {time.process_time() - began:.0f} s of processor time"
    print(pool.report(), took, sep="\n")
    args.out.mkdir(parents=True, exist_ok=True)
    model.save(args.out / "model.zip")
    file, network = args.out / "policy.onnx", [policy.features_extractor, policy.mlp_extractor.policy_net]
    export_torch(torch.nn.Sequential(*network, policy.action_net), file, args.game, args.variant, inputs=args.inputs)
    how = {"games": 2 if args.quick else 400, "variant": args.variant, "seed": 1}
    for opponent in ("random", "greedy", "mcts:50"):
        print(match(args.game, f"policy:{file}", opponent, **how))


if __name__ == "__main__":
    main()
