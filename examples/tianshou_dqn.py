# /// script
# requires-python = ">=3.11"
# dependencies = ["parlour[onnx]", "tianshou>=2.0", "torch>=2.13", "onnx>=1.17", "onnxscript>=0.7"]
# ///
"""Tianshou's double DQN with action masks: one learner against built-in players, with potential-based reward shaping.

python examples/tianshou_dqn.py --game acey_ducey-v0 --steps 100000 --out runs/tianshou

The script writes the network's weights, and an ONNX policy file that plays in every command:
parlour play acey_ducey --against policy:runs/tianshou/policy.onnx
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import gymnasium
import numpy as np
import torch
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from torch import nn

import parlour
from parlour.arena import tournament
from parlour.players import check_export, export_torch
from parlour.wrappers import Features, OpponentPool, PotentialShaping, SelfPlayEnv, Thermometer

GAMMA = 0.997
WITH_FEATURES = ("acey_ducey-v0", "backgammon-v0", "royal_ur-v0")


class TianshouKeys(gymnasium.ObservationWrapper):
    """Renames observation and mask to the keys that Tianshou expects: ``"obs"`` and ``"mask"``."""

    def __init__(self, env: gymnasium.Env) -> None:
        """``env``: a `SelfPlayEnv`."""
        super().__init__(env)
        parts = env.observation_space
        self.observation_space = gymnasium.spaces.Dict(obs=parts["observation"], mask=parts["action_mask"])

    def observation(self, observation: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """The same arrays under the new keys."""
        return {"obs": observation["observation"], "mask": observation["action_mask"]}


class Model(nn.Module):
    """The network in the form that Tianshou calls. ``state`` is for recurrent networks, and is passed through."""

    def __init__(self, values: nn.Module) -> None:
        super().__init__()
        self.values = values

    def forward(self, obs, state=None, info=None):
        """See Tianshou's `Net`."""
        return self.values(torch.as_tensor(obs)), state


def train(env: DummyVectorEnv, model: Model, space: gymnasium.Space, args: argparse.Namespace) -> None:
    """Plays ``args.steps`` plies with decreasing exploration, and learns from the replay buffer in between."""
    policy = DiscreteQLearningPolicy(model=model, action_space=space, eps_training=1.0)
    algorithm = DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=5e-4),
        gamma=GAMMA,
        n_step_return_horizon=5,
        target_update_freq=200,
    )
    collector = Collector(algorithm, env, VectorReplayBuffer(100_000, args.envs), exploration_noise=True)
    env.seed(args.seed)
    collector.reset()
    steps = 2_000 if args.quick else args.steps
    epochs = 1 if args.quick else 20
    algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            max_epochs=epochs,
            epoch_num_steps=steps // epochs,
            collection_step_num_env_steps=20 * args.envs,
            update_step_num_gradient_steps_per_sample=1 / 32,
            batch_size=256,
            training_fn=lambda epoch, step: policy.set_eps_training(max(0.05, 1 - 3 * step / steps)),
            test_in_training=False,
        )
    )


def main() -> None:
    """Trains, saves, exports and evaluates."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="acey_ducey-v0", choices=parlour.games())
    parser.add_argument("--variant", help="the variant; default: the game's first")
    parser.add_argument("--steps", type=int, default=100_000, help="plies of the learner")
    parser.add_argument("--envs", type=int, default=16, help="environments, stepped one after another")
    parser.add_argument("--threads", type=int, default=1, help="threads of the network")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("runs/tianshou"), help="folder for weights and policy file")
    parser.add_argument("--quick", action="store_true", help="a few seconds, to check that it runs")
    args = parser.parse_args()
    check_export()  # a package that is missing is noticed before the training
    if args.quick:
        print("--quick is a smoke test: its results mean nothing")
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    np.random.seed(args.seed)  # noqa: NPY002  Tianshou's exploration draws from it

    sees, inputs = (Features, "features") if args.game in WITH_FEATURES else (Thermometer, "thermometer")
    pool = OpponentPool({"random": "random", "greedy": "greedy"})

    def make_env() -> gymnasium.Env:
        env = parlour.make(args.game, variant=args.variant, illegal_move="raise")
        return TianshouKeys(SelfPlayEnv(sees(PotentialShaping(env, gamma=GAMMA)), pool))

    env = make_env()
    seen, actions = env.observation_space["obs"].shape, int(env.action_space.n)
    hidden = nn.Linear(math.prod(seen), 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU()
    values = nn.Sequential(nn.Flatten(), *hidden, nn.Linear(256, actions))
    train(DummyVectorEnv([make_env] * args.envs), Model(values), env.action_space, args)
    print(pool.report())

    args.out.mkdir(parents=True, exist_ok=True)
    torch.save(values.state_dict(), args.out / "weights.pt")
    file = args.out / "policy.onnx"
    export_torch(values, file, args.game, args.variant, inputs=inputs)
    how = {"games": 2 if args.quick else 200, "variant": args.variant, "seed": args.seed}
    standings = tournament(args.game, [f"policy:{file}"], field=["random", "greedy", "mcts:50"], **how)
    print(*standings.scores, sep="\n")  # both seats have played with the same dice; with 95 % intervals


if __name__ == "__main__":
    main()
