# /// script
# requires-python = ">=3.10"
# dependencies = ["parlour[onnx]", "sb3-contrib>=2.4", "torch>=2.13", "onnx>=1.17", "onnxscript>=0.7"]
# ///
"""sb3-contrib's MaskablePPO on many games at once, against a pool of players: from nothing, or from an expert's games.

python examples/sb3_maskable_ppo.py --game acey_ducey-v0 --minutes 10 --out runs/sb3
python examples/sb3_maskable_ppo.py --game acey_ducey-v0 --warm-start champion --minutes 3 --out runs/warm

With `--warm-start` the policy first learns to play as an expert does: the cross-entropy of the expert's action over the
legal ones, and the value that the expert sees, in its games against itself. Then MaskablePPO goes on, against the pool.
Between two rollouts there are still some steps of cloning, fewer and fewer, so that the policy doesn't forget. (This is
the fading loss on demonstrations of Rajeswaran et al., arXiv:1709.10087, and no penalty on the distance to the clone.)

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
from stable_baselines3.common.vec_env import VecMonitor

import parlour
from parlour.arena import match
from parlour.players import check_export, export_torch
from parlour.wrappers import OpponentPool, SelfPlayVectorEnv, StableBaselinesVecEnv

WITH_FEATURES = ("acey_ducey-v0", "backgammon-v0", "royal_ur-v0")
CLONING, PLAYING = 0.6, 0.2  # shares: of all the time, for cloning; of that, for the expert's games
STEPS_BETWEEN = 8  # of cloning, between the first rollouts
NETWORK = {"net_arch": {"pi": [512, 256], "vf": [128]}, "activation_fn": torch.nn.ReLU}


class Flat(BaseFeaturesExtractor):
    """What is seen, without the mask, flat: float32 (N, …). `inputs=` has scaled it."""

    def __init__(self, space: Any) -> None:
        """``space``: the environment's observation space."""
        super().__init__(space, features_dim=int(np.prod(space["observation"].shape)))

    def forward(self, observation: dict[str, torch.Tensor]) -> torch.Tensor:
        """``observation``: what is seen of N games, and their masks."""
        return observation["observation"].flatten(1)


def expert_plies(args: argparse.Namespace) -> Iterator[Any]:
    """Minibatches of the expert's plies, without end. It plays 64 games more whenever its games have taken less than
    their share of the time; the latest 32 lots of games are kept."""
    rng, lots, playing, began = np.random.default_rng(args.seed), deque[Any](maxlen=32), 0.0, time.process_time()
    how = {"player": args.warm_start, "noise": 0.08, "variant": args.variant, "inputs": args.inputs}
    while True:
        start = time.process_time()
        if playing <= PLAYING * (start - began):
            lots.append(parlour.dataset(args.game, games=64, seed=int(rng.integers(2**31)), **how))
            playing += time.process_time() - start
        lot = lots[rng.integers(len(lots))]
        yield lot.at(rng.integers(len(lot), size=1024))


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


def train(model: MaskablePPO, plies: Iterator[Any] | None, passed: Callable[[], float]) -> None:
    """Cloning, if there are an expert's ``plies``, then PPO. ``passed``: gives the share of the time that is over."""
    if plies:
        print("learning from the expert's games")
        clone(model, next(plies))
        while passed() < CLONING:
            clone(model, next(plies))
    rollout = model.n_steps * model.n_envs
    while not model.num_timesteps or passed() < 1:
        model.learn(rollout, reset_num_timesteps=False)
        if model.num_timesteps % (20 * rollout) == rollout:
            rewards = np.mean([episode["r"] for episode in model.ep_info_buffer or []] or [np.nan])
            print(f"{passed():4.0%}  {model.num_timesteps:,} plies, mean return {rewards:.2f}", flush=True)
        for _ in range(round(STEPS_BETWEEN * (1 - passed()) / (1 - CLONING)) if plies else 0):
            clone(model, next(plies))


def main() -> None:
    """Trains, saves, exports and evaluates."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="acey_ducey-v0", choices=parlour.games())
    parser.add_argument("--variant", help="the variant; default: the game's first")
    parser.add_argument("--warm-start", metavar="PLAYER", help="an expert to learn from at first, such as champion")
    parser.add_argument("--inputs", choices=("thermometer", "features"), help="default: features, if the game has any")
    parser.add_argument("--minutes", type=float, default=3.0, help="processor time, the expert's games included")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("runs/sb3"), help="folder for the model and the policy file")
    parser.add_argument("--quick", action="store_true", help="a few seconds, to check that it runs")
    args = parser.parse_args()
    check_export()  # a package that is missing is noticed before the training
    if args.quick:
        print("--quick is a smoke test: its results mean nothing")
    torch.set_num_threads(1)
    args.inputs = args.inputs or ("features" if args.game in WITH_FEATURES else "thermometer")
    began, seconds = time.process_time(), 1.0 if args.quick else 60 * args.minutes

    def passed() -> float:
        return min(1.0, (time.process_time() - began) / seconds)

    pool = OpponentPool({name: name for name in ("random", "greedy", args.warm_start) if name})
    games = SelfPlayVectorEnv(args.game, 128, pool, variant=args.variant, inputs=args.inputs)
    model = MaskablePPO(
        "MultiInputPolicy", VecMonitor(StableBaselinesVecEnv(games)), learning_rate=lambda _: 1e-3 * (1 - passed()),
        n_steps=64, batch_size=1024, n_epochs=3, gamma=0.999, ent_coef=0.003, seed=args.seed,
        policy_kwargs={"features_extractor_class": Flat, **NETWORK},
    )  # fmt: skip

    def itself(seen: Any, mask: Any) -> Any:
        return model.predict({"observation": seen, "action_mask": mask}, action_masks=mask)[0]

    pool.add("itself", itself)
    train(model, expert_plies(args) if args.warm_start else None, passed)
    print(pool.report())
    print(f"{model.num_timesteps:,} plies of PPO, {time.process_time() - began:.0f} s of processor time")

    args.out.mkdir(parents=True, exist_ok=True)
    model.save(args.out / "model.zip")
    file, policy = args.out / "policy.onnx", model.policy
    network = torch.nn.Sequential(torch.nn.Flatten(), policy.mlp_extractor.policy_net, policy.action_net)
    export_torch(network, file, args.game, args.variant, inputs=args.inputs)
    how = {"games": 2 if args.quick else 400, "variant": args.variant, "seed": 1}
    for opponent in ("random", "greedy", "mcts:50"):
        print(match(args.game, f"policy:{file}", opponent, **how))


if __name__ == "__main__":
    main()
