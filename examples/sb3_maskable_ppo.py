# /// script
# requires-python = ">=3.10"
# dependencies = ["parlour[onnx]", "sb3-contrib>=2.4", "torch>=2.13", "tqdm>=4.66", "onnx>=1.17", "onnxscript>=0.7"]
# ///
"""sb3-contrib's MaskablePPO on many games at once, against a pool of built-in players.

python examples/sb3_maskable_ppo.py --game acey_ducey-v0 --steps 500000 --out runs/sb3

The script writes the model in sb3-contrib's format, and an ONNX policy file that plays in every command:
parlour play acey_ducey --against policy:runs/sb3/policy.onnx

With these defaults and seed 0 it scored 0.960 [0.907, 0.979] in 200 games against `random`, and 0.555 [0.478, 0.628]
against `mcts:50`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecMonitor

import parlour
from parlour.arena import tournament
from parlour.players import check_export, export_torch
from parlour.wrappers import OpponentPool, SelfPlayVectorEnv, StableBaselinesVecEnv


class Planes(BaseFeaturesExtractor):
    """The planes without the mask, flat, each number divided by its maximum: float32 (N, C · H · W)."""

    def __init__(self, space) -> None:
        """``space``: the environment's observation space."""
        planes = space["observation"]
        super().__init__(space, features_dim=planes.high.size)
        self.register_buffer("highest", torch.as_tensor(planes.high, dtype=torch.float32).clamp(min=1))

    def forward(self, observation: dict[str, torch.Tensor]) -> torch.Tensor:
        """``observation``: planes and masks of N games."""
        return (observation["observation"] / self.highest).flatten(1)


class Logits(torch.nn.Module):
    """The network for a policy file: from unscaled planes, float32 (N, C, H, W), to logits (N, A)."""

    def __init__(self, policy) -> None:
        """``policy``: that of the model."""
        super().__init__()
        self.features, self.layers, self.head = policy.pi_features_extractor, policy.mlp_extractor, policy.action_net

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        """``observation``: the planes of N games."""
        return self.head(self.layers.forward_actor(self.features({"observation": observation})))


def evaluate(file: Path, args: argparse.Namespace) -> None:
    """Plays the policy file against built-in players, in both seats with the same dice. Prints scores with 95 %
    intervals."""
    field, games = ["random", "greedy", "mcts:50"], 2 if args.quick else 200
    standings = tournament(
        args.game, [f"policy:{file}"], field=field, games=games, variant=args.variant, seed=args.seed
    )
    print(*standings.scores, sep="\n")


def main() -> None:
    """Trains, saves, exports and evaluates."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="acey_ducey-v0", choices=parlour.games())
    parser.add_argument("--variant", help="the variant; default: the game's first")
    parser.add_argument("--steps", type=int, default=500_000, help="plies of the learner")
    parser.add_argument("--envs", type=int, default=128, help="games played at once")
    parser.add_argument("--threads", type=int, default=1, help="threads of the network")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("runs/sb3"), help="folder for the model and the policy file")
    parser.add_argument("--quick", action="store_true", help="a few seconds, to check that it runs")
    args = parser.parse_args()
    check_export()  # a package that is missing is noticed before the training
    if args.quick:
        print("--quick is a smoke test: its results mean nothing")
    torch.set_num_threads(args.threads)

    pool = OpponentPool({"random": "random", "greedy": "greedy"}, choose={"random": 3, "greedy": 1})
    games = SelfPlayVectorEnv(args.game, args.envs, pool, variant=args.variant)
    model = MaskablePPO(
        "MultiInputPolicy",
        VecMonitor(StableBaselinesVecEnv(games)),
        learning_rate=5e-4,
        n_steps=64,
        batch_size=1024,
        n_epochs=4,
        gamma=0.997,
        ent_coef=0.01,
        policy_kwargs={"features_extractor_class": Planes, "net_arch": [256, 256]},
        seed=args.seed,
        verbose=1,
    )
    model.learn(2 * 64 * args.envs if args.quick else args.steps, progress_bar=not args.quick)
    print(pool.report())

    args.out.mkdir(parents=True, exist_ok=True)
    model.save(args.out / "model.zip")
    file = args.out / "policy.onnx"
    export_torch(Logits(model.policy), file, args.game, args.variant)
    evaluate(file, args)


if __name__ == "__main__":
    main()
