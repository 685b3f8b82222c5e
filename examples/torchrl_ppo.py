# /// script
# requires-python = ">=3.10"
# dependencies = ["parlour[onnx]", "torchrl>=0.14", "torch>=2.13", "onnx>=1.17", "onnxscript>=0.7"]
# ///
"""TorchRL's PPO on many games at once: its `GymWrapper` accepts the vector environment directly, with action masks.

python examples/torchrl_ppo.py --game acey_ducey-v0 --steps 500000 --out runs/torchrl

The script writes the modules' weights, and an ONNX policy file that plays in every command:
parlour play acey_ducey --against policy:runs/torchrl/policy.onnx
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule, TensorDictSequential
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs.libs.gym import GymWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import parlour
from parlour.arena import tournament
from parlour.players import check_export, export_torch
from parlour.wrappers import OpponentPool, SelfPlayVectorEnv

STEPS, EPOCHS, MINIBATCH = 64, 4, 1024
WITH_FEATURES = ("acey_ducey-v0", "backgammon-v0", "royal_ur-v0")


def network(space, outputs: int) -> nn.Sequential:
    """A network from what is seen, of any shape before that of ``space``, to ``outputs`` numbers."""
    hidden = nn.Linear(space.high.size, 256), nn.Tanh(), nn.Linear(256, 256), nn.Tanh()
    return nn.Sequential(nn.Flatten(-len(space.shape)), *hidden, nn.Linear(256, outputs))


def build(games: SelfPlayVectorEnv) -> tuple[nn.Module, ProbabilisticActor, ValueOperator]:
    """The network of the logits, the actor that samples legal actions from them, and the critic."""
    space, actions = games.single_observation_space["observation"], int(games.single_action_space.n)
    logits = network(space, actions)
    module = TensorDictSequential(
        TensorDictModule(logits, in_keys=["observation"], out_keys=["logits"]),
        TensorDictModule(lambda mask: mask.bool(), in_keys=["action_mask"], out_keys=["mask"]),
    )
    actor = ProbabilisticActor(
        module, in_keys=["logits", "mask"], distribution_class=MaskedCategorical, return_log_prob=True
    )
    return logits, actor, ValueOperator(network(space, 1), in_keys=["observation"])


def improve(data: TensorDict, loss: ClipPPOLoss, optimiser: torch.optim.Optimizer) -> None:
    """PPO's epochs over one rollout (N, T) with its advantages."""
    rows = data.reshape(-1)
    for _ in range(EPOCHS):
        for minibatch in torch.randperm(len(rows)).split(MINIBATCH):
            losses = loss(rows[minibatch])
            optimiser.zero_grad()
            sum(part for name, part in losses.items() if name.startswith("loss_")).backward()
            nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
            optimiser.step()


def main() -> None:
    """Trains, saves, exports and evaluates."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="acey_ducey-v0", choices=parlour.games())
    parser.add_argument("--variant", help="the variant; default: the game's first")
    parser.add_argument("--steps", type=int, default=500_000, help="plies of the learner")
    parser.add_argument("--envs", type=int, default=128, help="games played at once")
    parser.add_argument("--threads", type=int, default=1, help="threads of the network")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("runs/torchrl"), help="folder for weights and policy file")
    parser.add_argument("--quick", action="store_true", help="a few seconds, to check that it runs")
    args = parser.parse_args()
    check_export()  # a package that is missing is noticed before the training
    if args.quick:
        print("--quick is a smoke test: its results mean nothing")
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)

    pool = OpponentPool({"random": "random", "greedy": "greedy"})
    inputs = "features" if args.game in WITH_FEATURES else "thermometer"
    games = SelfPlayVectorEnv(
        args.game, args.envs, pool, variant=args.variant, inputs=inputs, seed=args.seed,
        autoreset="disabled",  # TorchRL resets games itself
    )  # fmt: skip
    env = GymWrapper(games, categorical_action_encoding=True)
    logits, actor, critic = build(games)
    advantages = GAE(gamma=0.997, lmbda=0.95, value_network=critic, average_gae=True)
    loss = ClipPPOLoss(actor, critic, clip_epsilon=0.2, entropy_coeff=0.01, critic_coeff=0.5)
    optimiser = torch.optim.Adam(loss.parameters(), lr=5e-4)

    frames = STEPS * args.envs
    total = 2 * frames if args.quick else max(args.steps // frames, 1) * frames
    collector = Collector(
        env, actor, frames_per_batch=frames, total_frames=total, auto_register_policy_transforms=False
    )
    for number, rollout in enumerate(collector, 1):
        with torch.no_grad():
            advantages(rollout)
        improve(rollout, loss, optimiser)
        if number % 5 == 0:
            ended = rollout["next"]
            mean = float(ended["reward"].sum() / ended["done"].sum().clamp(min=1))
            print(f"{number * frames:>10,} of {total:,} plies, mean return {mean:+.2f}", flush=True)
    print(pool.report())

    args.out.mkdir(parents=True, exist_ok=True)
    torch.save({"actor": actor.state_dict(), "critic": critic.state_dict()}, args.out / "weights.pt")
    file = args.out / "policy.onnx"
    export_torch(logits, file, args.game, args.variant, inputs=inputs)
    how = {"games": 2 if args.quick else 200, "variant": args.variant, "seed": args.seed}
    standings = tournament(args.game, [f"policy:{file}"], field=["random", "greedy", "mcts:50"], **how)
    print(*standings.scores, sep="\n")  # both seats have played with the same dice; with 95 % intervals


if __name__ == "__main__":
    main()
