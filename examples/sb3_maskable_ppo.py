# /// script
# requires-python = ">=3.10"
# dependencies = ["parlour[onnx]", "sb3-contrib>=2.4", "torch>=2.13", "onnx>=1.17", "onnxscript>=0.7"]
# ///
"""sb3-contrib's MaskablePPO on many games at once, against a pool of players: from nothing, or from an expert's games.

python examples/sb3_maskable_ppo.py --game acey_ducey-v0 --minutes 8 --out runs/sb3
python examples/sb3_maskable_ppo.py --game acey_ducey-v0 --warm-start champion --cloning 0.6 --minutes 3 --out runs/warm

With `--warm-start` the policy first learns what an expert does in each position of its games against itself, by
cross-entropy over the legal actions, and the value that it sees. Then MaskablePPO goes on, against the pool.

It writes sb3-contrib's model.zip and a player: parlour play acey_ducey --against policy:runs/warm/policy.onnx
"""

from __future__ import annotations

import argparse
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium.spaces import Box
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnvWrapper

import parlour
from parlour.arena import match
from parlour.players import check_export, export_torch
from parlour.wrappers import LegalActionsPolicy, OpponentPool, SelfPlayVectorEnv, StableBaselinesVecEnv

WITH_FEATURES = ("acey_ducey-v0", "backgammon-v0", "royal_ur-v0")
USES = 8  # how often a ply of the expert is learnt from; games in which it thinks for long take more of the time


class Distinct(torch.nn.Module):
    """Some inputs (N, K) of what is seen in N games: one of those that are alike in all positions of ``seen``."""

    def __init__(self, seen: Any) -> None:
        super().__init__()
        first = np.unique(seen.reshape(len(seen), -1), axis=1, return_index=True)[1]
        self.register_buffer("columns", torch.as_tensor(np.sort(first)))

    def forward(self, seen: Any) -> torch.Tensor:
        """``seen``: an array or a tensor (N, …)."""
        return torch.as_tensor(seen).flatten(1)[:, self.columns]


class Games(VecEnvWrapper):
    """Games of which distinct inputs are seen. One that is cut off counts as lost: to be ahead is not enough."""

    def __init__(self, games: SelfPlayVectorEnv, inputs: Distinct) -> None:
        self.inputs, space = inputs, Box(-np.inf, np.inf, inputs.columns.shape, np.float32)
        super().__init__(StableBaselinesVecEnv(games), space)

    def reset(self) -> Any:
        """What is seen in new games: float32 (N, K)."""
        return self.inputs(self.venv.reset()["observation"]).numpy()

    def step_wait(self) -> Any:
        """What is seen, rewards, which games have ended, infos."""
        seen, rewards, over, infos = self.venv.step_wait()
        rewards[[info.pop("TimeLimit.truncated", False) for info in infos]] = -1
        return self.inputs(seen["observation"]).numpy(), rewards, over, infos


def expert_plies(args: argparse.Namespace) -> Iterator[Any]:
    """Minibatches of the expert's plies, without end. It plays more games when they have been learnt from enough."""
    rng, lots, plies_played, plies_learnt = np.random.default_rng(args.seed), deque[Any](maxlen=32), 0, 0
    how = {"player": args.warm_start, "noise": 0.08, "variant": args.variant, "inputs": args.inputs}
    while True:
        if plies_learnt >= USES * plies_played:
            lots.append(parlour.dataset(args.game, games=64, seed=int(rng.integers(2**31)), **how))
            plies_played += len(lots[-1])
        lot = lots[rng.integers(len(lots))]
        yield lot.at(rng.integers(len(lot), size=256))
        plies_learnt += 256


def clone(model: MaskablePPO, inputs: Distinct, plies: Any) -> None:
    """A step towards the expert's actions in some plies, and towards what it thinks they are worth."""
    seen, actions, optimizer = inputs(plies.observation), torch.as_tensor(plies.action), model.policy.optimizer
    optimizer.param_groups[0]["lr"] = model.lr_schedule(0)
    values, log_prob, _ = model.policy.evaluate_actions(seen, actions, plies.action_mask)
    targets = torch.as_tensor(np.where(np.isnan(plies.value), plies.returns, plies.value))
    loss = 0.5 * (values.flatten() - targets).square().mean() - log_prob.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def main() -> None:
    """Trains, saves, exports and evaluates."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="acey_ducey-v0", choices=parlour.games())
    parser.add_argument("--variant", help="the variant; default: the game's first")
    parser.add_argument("--warm-start", metavar="PLAYER", help="an expert to learn from at first, such as champion")
    parser.add_argument("--cloning", type=float, default=0.3, help="the share of the time that goes to it, before PPO")
    parser.add_argument("--minutes", type=float, default=3.0, help="processor time, the expert's games included")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("runs/sb3"), help="folder for the model and the policy file")
    parser.add_argument("--quick", action="store_true", help="a few seconds, to check that it runs")
    args = parser.parse_args()
    check_export()  # a package that is missing is noticed before the training
    if args.minutes <= 0:
        parser.error(f"argument --minutes: must be above 0, not {args.minutes:g}")
    if args.quick:
        print("--quick is a smoke test: its results mean nothing")
    torch.set_num_threads(1)
    args.inputs = "features" if args.game in WITH_FEATURES else "thermometer"
    seconds, games_each = (1.0, 2) if args.quick else (60 * args.minutes, 400)
    began = time.process_time()

    def passed() -> float:
        return min(1.0, (time.process_time() - began) / seconds)

    how = {"variant": args.variant, "inputs": args.inputs}
    inputs = Distinct(parlour.dataset(args.game, player="greedy", games=200, noise=0.5, seed=1, **how).observation)
    pool = OpponentPool({"random": "random", "greedy": "greedy"})
    games = Games(SelfPlayVectorEnv(args.game, 128, pool, seed=args.seed, **how), inputs)
    model = MaskablePPO(
        LegalActionsPolicy, games, learning_rate=lambda _: 1e-3 * min(1, 2 - 2 * passed()), device="cpu",
        n_steps=64, batch_size=512, n_epochs=3, gamma=0.99, ent_coef=0.003, seed=args.seed,
        policy_kwargs={"net_arch": [256, 128], "activation_fn": torch.nn.ReLU},
    )  # fmt: skip
    if not args.warm_start:  # random is soon too weak, greedy for long too strong
        pool.add("itself", lambda seen, mask: model.predict(inputs(seen).numpy(), action_masks=mask)[0])
    for plies in expert_plies(args) if args.warm_start else ():
        clone(model, inputs, plies)
        if passed() >= args.cloning:
            break
    while not model.num_timesteps or passed() < 1:
        model.learn(1, reset_num_timesteps=False)  # a whole rollout
        if model.num_timesteps % 2**17 == 0:
            print(f"{passed():4.0%}  {model.num_timesteps:,} plies of PPO", flush=True)
    print(pool.report())
    print(f"{model.num_timesteps:,} plies of PPO, {time.process_time() - began:.0f} s of processor time")
    args.out.mkdir(parents=True, exist_ok=True)
    model.save(args.out / "model.zip")
    file, network = args.out / "policy.onnx", [inputs, model.policy.mlp_extractor.policy_net, model.policy.action_net]
    export_torch(torch.nn.Sequential(*network), file, args.game, args.variant, inputs=args.inputs)
    for opponent in ("random", "greedy", "mcts:50"):
        print(match(args.game, f"policy:{file}", opponent, games=games_each, variant=args.variant, seed=1))


if __name__ == "__main__":
    main()
