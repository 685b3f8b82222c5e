# /// script
# requires-python = ">=3.10"
# dependencies = ["parlour"]
# ///
"""Play against any player (a built-in one, a search, a network that you have trained) at the terminal or in a window.

python examples/human_vs_agent.py --game swords_and_shields-v0 --against mcts:400
python examples/human_vs_agent.py --game acey_ducey-v0 --against policy:runs/sb3/policy.onnx --seat 1 --window

Type moves at the prompt, also with --window, where the window shows the board. ? lists the legal moves.
(`parlour play` does the same, and has undo and positions. This example shows how to build it.)
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

import parlour
from parlour.wrappers import SelfPlayEnv


def ask(game: Any) -> int | None:
    """The action that the person types; None if they quit."""
    while True:
        try:
            text = input(f"{game.agent_selection}> ").strip()
        except EOFError:
            text = "quit"
        if text == "quit":
            return None
        legal = game.legal_moves()
        if text in legal:
            return game.parse_move(text)
        print(" ".join(legal) if text == "?" else f"{text!r} is not legal here; ? lists legal moves, quit ends")


def main() -> None:
    """Plays one game and prints the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="swords_and_shields-v0", choices=parlour.games())
    parser.add_argument("--variant", help="the variant; default: the game's first")
    parser.add_argument("--against", default="greedy", help="random, greedy, mcts:200, expectimax:2, policy:FILE …")
    parser.add_argument("--seat", type=int, default=0, help="your seat; 0: player_0")
    parser.add_argument("--window", action="store_true", help="show the board in a window (needs parlour[human])")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="play a few random plies for you, to check that it runs")
    args = parser.parse_args()
    if args.quick:
        print("--quick is a smoke test: its results mean nothing")

    game = parlour.make(args.game, variant=args.variant, render_mode="human" if args.window else "ansi")
    env = SelfPlayEnv(game, opponent=args.against, seat=args.seat)  # you take the place of the learner
    env.reset(seed=args.seed)
    rng = np.random.default_rng(args.seed)
    over, reward, plies = False, 0.0, 0
    while not over:
        if not args.window:
            print(env.render())
        action = int(rng.choice(np.flatnonzero(env.action_masks()))) if args.quick else ask(game)
        if action is None or (args.quick and plies == 4):
            print(f"stopped at {game.position()}")
            break
        _, gained, terminated, truncated, _ = env.step(action)
        over, reward, plies = terminated or truncated, reward + gained, plies + 1
    else:
        print(game.ansi())
        print(f"the game is over after {plies} of your plies; your result: {reward:+g}")
    env.close()


if __name__ == "__main__":
    main()
