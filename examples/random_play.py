# /// script
# requires-python = ">=3.10"
# dependencies = ["parlour"]
# ///
"""Random agents in any game and variant: the usual PettingZoo loop with action masks.

python examples/random_play.py --game swords_and_shields-v0 --variant tablut --games 20
"""

from __future__ import annotations

import argparse

import parlour


def main() -> None:
    """Plays, and prints how often each agent had a positive return."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="swords_and_shields-v0", choices=parlour.games())
    parser.add_argument("--variant", help="the variant; default: the game's first")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="two games, to check that it runs")
    args = parser.parse_args()
    if args.quick:
        print("--quick is a smoke test: its results mean nothing")

    env = parlour.make(args.game, variant=args.variant)
    gained = dict.fromkeys(env.possible_agents, 0)
    games = 2 if args.quick else args.games
    for game in range(games):
        env.reset(seed=args.seed + game)
        returns = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.possible_agents:
            env.action_space(agent).seed(args.seed + game)
        for agent in env.agent_iter():
            observation, reward, termination, truncation, _ = env.last()
            returns[agent] += reward  # the agent's rewards since its last ply
            over = termination or truncation
            env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
        for agent, total in returns.items():
            gained[agent] += total > 0
    counts = ", ".join(f"{agent} {count}" for agent, count in gained.items())
    print(f"{games} games of {args.game}, all plies at random\ngames that ended with a gain: {counts}")


if __name__ == "__main__":
    main()
