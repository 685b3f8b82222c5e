# /// script
# requires-python = ">=3.10"
# dependencies = ["parlour[onnx]", "agilerl==2.58.*", "peft>=0.21", "torch>=2.13", "onnx>=1.17", "onnxscript>=0.7"]
# ///
"""AgileRL's PPO on many games at once, with the masks in the infos.

python examples/agilerl_ppo.py --game acey_ducey-v0 --steps 200000 --out runs/agilerl

It writes an ONNX policy file that plays in every command:
parlour play acey_ducey --against policy:runs/agilerl/policy.onnx

AgileRL can evolve hyperparameters, too: give `train_on_policy` several agents, `tournament=` and `mutation=`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import gymnasium
import numpy as np
import torch
from agilerl.algorithms import PPO
from agilerl.training.train_on_policy import train_on_policy

import parlour
from parlour.arena import tournament
from parlour.players import check_export, export_torch
from parlour.wrappers import OpponentPool, SelfPlayVectorEnv

WITH_FEATURES = ("acey_ducey-v0", "backgammon-v0", "royal_ur-v0")
STEPS = 64


class ForAgileRL(gymnasium.vector.VectorWrapper):
    """What is seen, flat, as the observation; the mask in the infos. (For one game `MaskInInfo` does the same.)"""

    def __init__(self, env: SelfPlayVectorEnv) -> None:
        """``env``: many games."""
        super().__init__(env)
        self.single_observation_space = gymnasium.spaces.flatten_space(env.single_observation_space["observation"])
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, env.num_envs)

    def reset(self, **options):
        """See Gymnasium's `VectorEnv`."""
        return self.apart(self.env.reset(**options)[0])

    def step(self, actions):
        """See Gymnasium's `VectorEnv`."""
        seen, rewards, terminations, truncations, _ = self.env.step(actions)
        observation, infos = self.apart(seen)
        return observation, rewards, terminations, truncations, infos

    def apart(self, seen):
        """The observation, and infos with the mask."""
        return seen["observation"].reshape(self.num_envs, -1), {"action_mask": seen["action_mask"]}


class WholeGames(PPO):
    """PPO whose advantages stop where a game ends. That of version 2.58 looks for the end of a game one step too late:
    only the last ply learns the result, and that ply learns from the next game as well. In a version without the error,
    this class would do harm."""

    def create_rollout_buffer(self):
        """See AgileRL's `PPO`."""
        super().create_rollout_buffer()
        buffer = self.rollout_buffer
        compute = buffer.compute_returns_and_advantages

        def compute_aligned(last_value, last_done):
            ended = buffer.buffer["dones"].clone()
            buffer.buffer["dones"] = ended.roll(1, 0)
            compute(last_value, last_done)
            buffer.buffer["dones"] = ended

        buffer.compute_returns_and_advantages = compute_aligned


def main() -> None:
    """Trains, exports and evaluates."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="acey_ducey-v0", choices=parlour.games())
    parser.add_argument("--variant", help="the variant; default: the game's first")
    parser.add_argument("--steps", type=int, default=200_000, help="plies of the learner")
    parser.add_argument("--envs", type=int, default=128, help="games played at once")
    parser.add_argument("--threads", type=int, default=1, help="threads of the network")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("runs/agilerl"), help="folder for the policy file")
    parser.add_argument("--quick", action="store_true", help="a few seconds, to check that it runs")
    args = parser.parse_args()
    check_export()  # a package that is missing is noticed before the training
    if args.quick:
        print("--quick is a smoke test: its results mean nothing")
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    np.random.seed(args.seed)  # noqa: NPY002  AgileRL draws from it

    inputs = "features" if args.game in WITH_FEATURES else "thermometer"
    pool = OpponentPool({"random": "random", "greedy": "greedy"})
    games = SelfPlayVectorEnv(args.game, args.envs, pool, variant=args.variant, inputs=inputs, seed=args.seed)
    env, rollout = ForAgileRL(games), STEPS * args.envs
    agent = WholeGames(
        env.single_observation_space, env.single_action_space, num_envs=args.envs, learn_step=rollout,
        batch_size=1024, lr=5e-4, gamma=0.997,
    )  # fmt: skip
    total = 2 * rollout if args.quick else args.steps
    (agent,), _ = train_on_policy(env, args.game, "PPO", [agent], max_steps=total, evo_steps=rollout, verbose=False)
    print(pool.report())
    network = torch.nn.Sequential(torch.nn.Flatten(), agent.actor.encoder, agent.actor.head_net.wrapped)

    args.out.mkdir(parents=True, exist_ok=True)
    file = args.out / "policy.onnx"
    export_torch(network, file, args.game, args.variant, inputs=inputs)
    how = {"games": 2 if args.quick else 200, "variant": args.variant, "seed": args.seed}
    standings = tournament(args.game, [f"policy:{file}"], field=["random", "greedy", "mcts:50"], **how)
    print(*standings.scores, sep="\n")  # both seats have played with the same dice; with 95 % intervals


if __name__ == "__main__":
    main()
