"""AgileRL's PPO on many games at once, with a small population of agents whose hyperparameters evolve.

python examples/agilerl_evolving_ppo.py --steps 600000

Each agent in turn learns to play one seat against built-in players. Then a tournament selects the best agents, and some
of them continue with changed hyperparameters.

AgileRL pins an older PettingZoo than other libraries need, so install it in its own virtual environment.
"""

# /// script
# requires-python = ">=3.10"
# dependencies = ["parlour[onnx]", "agilerl==2.58.*", "peft>=0.21", "torch>=2.13", "onnx>=1.17", "onnxscript>=0.7"]
# ///

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from agilerl.algorithms import PPO
from agilerl.algorithms.core.registry import HyperparameterConfig, RLParameter
from agilerl.components.rollout_buffer import RolloutBuffer
from agilerl.hpo.mutation import Mutations
from agilerl.hpo.tournament import TournamentSelection
from agilerl.training.train_on_policy import train_on_policy
from numpy.typing import NDArray
from torch import nn

import parlour
from parlour.arena import Threads, match
from parlour.players import check_export, export_torch
from parlour.wrappers import OpponentPool, SelfPlayVectorEnv


class ForAgileRL(gymnasium.vector.VectorWrapper):
    """Games in the form that AgileRL needs: scaled planes as a flat observation, and the mask in the infos.

    * observation: int8 (N, C, H, W) becomes float32 (N, C · H · W), each number divided by the maximum of its plane.
    * info: ``"action_mask"``, int8 (N, A).
    """

    def __init__(self, env: SelfPlayVectorEnv) -> None:
        """``env``: N games."""
        super().__init__(env)
        planes = env.single_observation_space["observation"]
        self.highest = np.maximum(planes.high, 1).astype(np.float32).ravel()
        low = planes.low.ravel() / self.highest
        self.single_observation_space = gymnasium.spaces.Box(low, np.ones_like(self.highest), dtype=np.float32)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, self.num_envs)

    def reset(self, **options: Any) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """See `SelfPlayVectorEnv.reset`."""
        seen, _ = self.env.reset(**options)
        return self._planes(seen), {"action_mask": seen["action_mask"]}

    def step(self, actions: Any) -> tuple[Any, ...]:
        """See `SelfPlayVectorEnv.step`."""
        seen, rewards, terminations, truncations, _ = self.env.step(actions)
        return self._planes(seen), rewards, terminations, truncations, {"action_mask": seen["action_mask"]}

    def _planes(self, seen: dict[str, NDArray[np.int8]]) -> NDArray[np.float32]:
        return seen["observation"].reshape(self.num_envs, -1) / self.highest


class Logits(nn.Module):
    """The network for a policy file: from unscaled planes to logits."""

    def __init__(self, agent: PPO, highest: NDArray[np.float32]) -> None:
        """``highest``: (C · H · W,), the numbers by which flat planes are divided."""
        super().__init__()
        self.encoder, self.head = agent.actor.encoder, agent.actor.head_net
        self.register_buffer("highest", torch.from_numpy(highest))

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        """``observation``: float32 (N, C, H, W). Returns logits (N, A)."""
        return self.head.wrapped(self.encoder(observation.flatten(1) / self.highest))


class WholeGames(PPO):
    """PPO with advantages that are cut at the end of a game. It works around an error in AgileRL 2.58.

    AgileRL's buffer stores for each step whether it ended its game, but its computation of advantages reads this flag
    from the next step. So the final reward would reach only the last ply of a game, and that ply would also get credit
    for the beginning of the next game. In a version without this error the workaround would cause it, so the
    dependencies above allow 2.58 only.
    """

    def create_rollout_buffer(self) -> None:
        """See `PPO.create_rollout_buffer`."""
        super().create_rollout_buffer()
        buffer: RolloutBuffer = self.rollout_buffer
        compute = buffer.compute_returns_and_advantages

        def compute_aligned(last_value: Any, last_done: Any) -> None:
            ended = buffer.buffer["dones"].clone()
            buffer.buffer["dones"] = ended.roll(1, 0)
            compute(last_value, last_done)
            buffer.buffer["dones"] = ended

        buffer.compute_returns_and_advantages = compute_aligned


def population(games: ForAgileRL, size: int) -> list[PPO]:
    """Agents with the same settings and different weights."""
    evolving = HyperparameterConfig(
        lr=RLParameter(min=1e-4, max=2e-3), ent_coef=RLParameter(min=1e-3, max=3e-2), clip_coef=RLParameter(0.1, 0.3)
    )
    return [
        WholeGames(
            games.single_observation_space,
            games.single_action_space,
            index=index,
            hp_config=evolving,
            net_config={"encoder_config": {"hidden_size": [256]}, "head_config": {"hidden_size": [256]}},
            batch_size=1024,
            lr=5e-4,
            learn_step=64 * games.num_envs,
            gamma=0.997,
            update_epochs=4,
            num_envs=games.num_envs,
        )
        for index in range(size)
    ]


def train(games: ForAgileRL, args: argparse.Namespace) -> PPO:
    """Trains all agents. Returns the best one."""
    size = 1 if args.quick else args.population
    generation = 64 * games.num_envs * (1 if args.quick else 4)
    agents, _ = train_on_policy(
        games,
        args.game,
        "PPO",
        population(games, size),
        max_steps=generation if args.quick else args.steps // size,
        evo_steps=generation,
        selection_strategy=TournamentSelection(tournament_size=2, elitism=True, population_size=size),
        mutation=Mutations(
            no_mutation=0.5, architecture=0, new_layer_prob=0, parameters=0, activation=0, rl_hp=0.5,
            mutate_elite=False, rand_seed=args.seed,
        ),
        verbose=not args.quick,
    )  # fmt: skip
    return max(agents, key=lambda agent: agent.fitness[-1])


def export(agent: PPO, games: ForAgileRL, file: Path, game: str, variant: str | None) -> None:
    """Writes the agent's network as a policy file, which plays as ``policy:FILE`` everywhere."""
    export_torch(Logits(agent, games.highest), file, game, variant)


def main() -> None:
    """Trains, saves, exports and evaluates."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="acey_ducey-v0", choices=parlour.games())
    parser.add_argument("--variant", help="the variant; default: the game's first")
    parser.add_argument("--steps", type=int, default=600_000, help="plies of all agents together")
    parser.add_argument("--population", type=int, default=3, help="number of agents")
    parser.add_argument("--envs", type=int, default=128, help="games played at once")
    parser.add_argument("--against", default="random,greedy,mcts:50", help="opponents of the evaluation")
    parser.add_argument("--matches", type=int, default=200, help="games against each opponent")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1, help="threads of the network")
    parser.add_argument("--out", type=Path, default=Path("runs/agilerl"), help="folder for the agent and the policy")
    parser.add_argument("--quick", action="store_true", help="a few seconds, to check that it runs")
    args = parser.parse_args()
    check_export()  # a package that is missing is noticed before the training
    if args.quick:
        print("--quick is a smoke test: its results mean nothing")
    if args.quick:
        args.envs, args.matches = 16, 2
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    np.random.seed(args.seed)  # noqa: NPY002 - AgileRL draws from it
    args.out.mkdir(parents=True, exist_ok=True)

    pool = OpponentPool({"random": "random", "greedy": "greedy"}, choose={"random": 3, "greedy": 1})
    games = ForAgileRL(SelfPlayVectorEnv(args.game, args.envs, pool, variant=args.variant, seed=args.seed))
    agent = train(games, args)
    agent.save_checkpoint(str(args.out / "agent.pt"))
    policy = args.out / "policy.onnx"
    export(agent, games, policy, args.game, args.variant)
    print(f"{policy}: play it by: parlour play {args.game} --against policy:{policy}")
    for opponent in args.against.split(","):
        made = match(
            args.game, f"policy:{policy}", opponent, games=args.matches, variant=args.variant, seed=args.seed + 1,
            workers=Threads(args.threads),
        )  # fmt: skip
        print(made)


if __name__ == "__main__":
    main()
