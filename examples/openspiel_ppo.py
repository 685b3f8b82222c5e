# /// script
# requires-python = ">=3.11"
# dependencies = ["parlour[onnx]", "open_spiel>=2.0", "torch>=2.13", "onnx>=1.17", "onnxscript>=0.7"]
# ///
"""OpenSpiel's PPO and its Monte Carlo tree search on a game of Parlour, with chance nodes.

python examples/openspiel_ppo.py --game acey_ducey-v0 --plies 120000 --out runs/openspiel

PPO learns to play both seats, against OpenSpiel's random agent. At the end OpenSpiel's search plays some games against
the trained network. The script writes the network's weights, and an ONNX policy file that plays in every command:
parlour play acey_ducey --against policy:runs/openspiel/policy.onnx
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

import numpy as np
import pyspiel
import torch
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import mcts, random_agent
from open_spiel.python.pytorch.ppo import PPO, PPOAgent
from open_spiel.python.vector_env import SyncVectorEnv
from torch import nn

import parlour
from parlour.arena import tournament
from parlour.players import check_export, export_torch
from parlour.wrappers.openspiel_game import register


class Scale(nn.Module):
    """Divides each number of flat planes (N, C · H · W) by its maximum."""

    def __init__(self, game: str, variant: str | None) -> None:
        """``game``: a game id of Parlour."""
        super().__init__()
        space = parlour.make(game, variant=variant).observation_space("player_0")["observation"]
        self.register_buffer("highest", torch.as_tensor(space.high, dtype=torch.float32).clamp(min=1).flatten())

    def forward(self, numbers: torch.Tensor) -> torch.Tensor:
        """``numbers``: float32."""
        return numbers / self.highest


class ScaledAgent(PPOAgent):
    """OpenSpiel's networks, with scaled planes as input."""

    def __init__(self, num_actions: int, observation_shape: tuple[int, ...], device: str, scale: Scale) -> None:
        """``scale``: the layer before the networks; the other arguments are OpenSpiel's."""
        super().__init__(num_actions, observation_shape, device)
        self.actor, self.critic = nn.Sequential(scale, self.actor), nn.Sequential(scale, self.critic)


class OneSeat:
    """OpenSpiel's environment with one learner; OpenSpiel's random agent plays the other seat. The learner's seat
    changes with each game. Its observation and reward always come first in their lists."""

    def __init__(self, game: pyspiel.Game, seed: int) -> None:
        """``game``: a game with two seats."""
        self.env = rl_environment.Environment(game, observation_type=rl_environment.ObservationType.OBSERVATION)
        self.env.seed(seed)
        self.others = [random_agent.RandomAgent(seat, game.num_distinct_actions()) for seat in range(2)]
        self.seat, self.moment = seed % 2, None

    def reset(self) -> rl_environment.TimeStep:
        """Begins a game and plays until the learner is to act."""
        self.seat = 1 - self.seat
        return self._play_on(self.env.reset())

    def step(self, actions: list[int]) -> rl_environment.TimeStep:
        """Plays the learner's action, then the other seat until the learner is to act again or the game is over."""
        return self._play_on(self.env.step(actions))

    def get_time_step(self) -> rl_environment.TimeStep:
        """The latest time step."""
        return self.moment

    def _play_on(self, moment: rl_environment.TimeStep) -> rl_environment.TimeStep:
        while not moment.last() and moment.current_player() != self.seat:
            moment = self.env.step([self.others[1 - self.seat].step(moment).action])
        first = {name: moment.observations[name][self.seat :] for name in ("info_state", "legal_actions")}
        rewards = None if moment.rewards is None else moment.rewards[self.seat :]
        self.moment = moment._replace(observations={**moment.observations, **first}, rewards=rewards)
        return self.moment


def train(game: pyspiel.Game, agent: PPO, plies: int, seed: int) -> None:
    """Alternates rollouts and PPO updates until the learner has played ``plies`` plies."""
    envs = SyncVectorEnv([OneSeat(game, seed + row) for row in range(agent.num_envs)])
    moments = envs.reset()
    while agent.total_steps_done < plies:
        gains, ended = 0.0, 0
        for _ in range(agent.steps_per_batch):
            outputs = agent.step(moments)
            moments, rewards, done, _ = envs.step(outputs, reset_if_done=True)
            gained = [of_seats[0] for of_seats in rewards]
            agent.post_step(gained, done)
            gains, ended = gains + sum(gained), ended + sum(done)
        agent.learn(moments)
        mean = gains / max(ended, 1)
        print(f"{agent.total_steps_done:>8,} of {plies:,} plies, {ended} games, mean return {mean:+.2f}", flush=True)


def make_search(game: pyspiel.Game, simulations: int, seed: int) -> mcts.MCTSBot:
    """OpenSpiel's tree search with ``simulations`` per ply, each with one random rollout. (This is its Python version:
    the C++ version does not support games written in Python.)"""
    rng = np.random.RandomState(seed)
    return mcts.MCTSBot(game, 2.0, simulations, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)


@torch.no_grad()
def play_search(game: pyspiel.Game, network: nn.Module, games: int, simulations: int, seed: int) -> float:
    """The mean return of the network against the search, in both seats. The network plays the legal action with the
    highest logit."""
    rng, search, total = np.random.default_rng(seed), make_search(game, simulations, seed), 0.0
    for number in range(games):
        state, seat = game.new_initial_state(), number % 2
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, probabilities = zip(*state.chance_outcomes())
                action = int(rng.choice(outcomes, p=probabilities))
            elif state.current_player() == seat:
                logits = network(torch.tensor([state.observation_tensor(seat)]))[0]
                action = max(state.legal_actions(), key=logits.__getitem__)
            else:
                action = search.step(state)
            state.apply_action(action)
        total += state.returns()[seat]
    return total / games


def main() -> None:
    """Trains, saves, exports and evaluates."""
    two_seats = [game for game in parlour.games() if game != "crown_and_anchor-v0"]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="acey_ducey-v0", choices=two_seats)
    parser.add_argument("--variant", help="the variant; default: the game's first")
    parser.add_argument("--plies", type=int, default=120_000, help="plies of the learner")
    parser.add_argument("--threads", type=int, default=1, help="threads of the network")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("runs/openspiel"), help="folder for weights and policy file")
    parser.add_argument("--quick", action="store_true", help="a few seconds, to check that it runs")
    args = parser.parse_args()
    check_export()  # a package that is missing is noticed before the training
    if args.quick:
        print("--quick is a smoke test: its results mean nothing")
    torch.set_num_threads(args.threads)

    torch.manual_seed(args.seed)
    np.random.seed(args.seed)  # noqa: NPY002  OpenSpiel's agents draw from it
    game = pyspiel.load_game(register(args.game), {"variant": args.variant} if args.variant else {})
    agent = PPO(
        input_shape=(game.observation_tensor_size(),),
        num_actions=game.num_distinct_actions(),
        num_players=2,
        num_envs=16,
        steps_per_batch=16 if args.quick else 128,
        num_minibatches=8,
        update_epochs=6,
        learning_rate=1e-3,
        gamma=0.997,
        agent_fn=partial(ScaledAgent, scale=Scale(args.game, args.variant)),
    )
    train(game, agent, 256 if args.quick else args.plies, args.seed)
    network = agent.network.actor
    args.out.mkdir(parents=True, exist_ok=True)
    torch.save(network.state_dict(), args.out / "weights.pt")
    file = args.out / "policy.onnx"
    export_torch(nn.Sequential(nn.Flatten(), network), file, args.game, args.variant)
    how = {"games": 2 if args.quick else 200, "variant": args.variant, "seed": args.seed}
    standings = tournament(args.game, [f"policy:{file}"], field=["random", "greedy", "mcts:50"], **how)
    print(*standings.scores, sep="\n")  # both seats have played with the same dice; with 95 % intervals
    games, simulations = (2, 2) if args.quick else (4, 5)
    mean = play_search(game, network, games, simulations, args.seed)
    print(f"{games} games against OpenSpiel's search of {simulations} simulations: mean return {mean:+.2f}")


if __name__ == "__main__":
    main()
