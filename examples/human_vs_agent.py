# /// script
# requires-python = ">=3.10"
# dependencies = ["parlour"]
# ///
"""Play against any player: built-in, searching, or a network you have trained, at the terminal and in a window.

python examples/human_vs_agent.py --game swords_and_shields-v0 --against mcts:400
python examples/human_vs_agent.py --game acey_ducey-v0 --against policy:runs/sb3/policy.onnx --seat 1 --window

Moves are typed at the prompt, in the window's case too, which shows every position; ? lists what is legal.
(`parlour play` does the same with undo and positions; this is how to build it.)
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

import parlour
from parlour.wrappers import SelfPlayEnv


def ask(game: Any) -> int | None:
    """The action that the person types; None when they leave."""
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
        print(" ".join(legal) if text == "?" else f"{text!r} is not legal here; ? lists the legal moves, quit leaves")


def main() -> None:
    """Plays one game and prints how it ended."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="swords_and_shields-v0", choices=parlour.games())
    parser.add_argument("--variant", help="a variant's name; the game's first by default")
    parser.add_argument("--against", default="greedy", help="random, greedy, mcts:200, expectimax:2, policy:FILE …")
    parser.add_argument("--seat", type=int, default=0, help="yours: 0 is player_0")
    parser.add_argument("--window", action="store_true", help="show the board in a window (needs parlour[human])")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="a few random plies in your place, to see that it runs")
    args = parser.parse_args()

    game = parlour.make(args.game, variant=args.variant, render_mode="human" if args.window else "ansi")
    env = SelfPlayEnv(game, opponent=args.against, seat=args.seat)  # whose learner is you
    env.reset(seed=args.seed)
    rng = np.random.default_rng(args.seed)
    over, reward, plies = False, 0.0, 0
    while not over:
        if not args.window:
            print(env.render())
        action = int(rng.choice(np.flatnonzero(env.action_masks()))) if args.quick else ask(game)
        if action is None or (args.quick and plies == 4):
            print(f"left at {game.position()}")
            break
        _, gained, terminated, truncated, _ = env.step(action)
        over, reward, plies = terminated or truncated, reward + gained, plies + 1
    else:
        print(game.ansi())
        print(f"it is over after {plies} plies of yours: your result is {reward:+g}")
    env.close()


if __name__ == "__main__":
    main()
