# /// script
# requires-python = ">=3.10"
# dependencies = ["parlour"]
# ///
"""TD-Gammon's method for games with dice, on one core and without PyTorch: a small network learns Acey Ducey by
self-play, from random weights.

python examples/td_gammon.py

It trained for 60 seconds of processor time on one core (seed 0: 54,387 games, 5.9 million turns). The trained network
won 964 of 1,000 games against `greedy`: a share of 0.964, with a 95 % interval of [0.948, 0.973].

The network estimates the return of the seat that is about to throw. It has 80 hidden units and 527 inputs, such as "two
or more own men on this step". In each turn the seat plays the whole turn whose final position has the highest value for
it. The dice already make games different, so no random moves are needed for exploration.

A round plays 4,096 turns. The target for the value at the end of a turn is the λ-return: the mean, with weights
(1 − λ) λᵏ, of the network's values one turn later, two turns later, and so on up to the result. Then one epoch of Adam
moves the weights towards the targets. The saved network has the average of the weights over the last eighth of all
steps.

Tesauro, *Temporal Difference Learning and TD-Gammon*, Communications of the ACM 38, 1995.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import parlour
from parlour.arena import match
from parlour.interfaces.registry import find
from parlour.learn import TDLambda, TDLambdaSettings
from parlour.players.value import new_network, save

REPORT_SECONDS = 5


def read_arguments() -> argparse.Namespace:
    """The arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="acey_ducey-v0", choices=parlour.games())
    parser.add_argument("--variant", help="the variant; default: the game's first")
    parser.add_argument("--seconds", type=float, default=60, help="seconds of processor time for training")
    parser.add_argument("--hidden", type=int, default=80, help="hidden units")
    parser.add_argument(
        "--lambda", "--trace-decay", dest="lambda_", type=float, default=0.7, help="λ of the returns, from 0 to 1"
    )
    parser.add_argument(
        "--learning-rate", type=float, default=TDLambdaSettings.learning_rate, help="Adam's learning rate at the start"
    )
    parser.add_argument(
        "--temperature", "--noise", type=float, default=0.0, help="of play; above 0 for games without dice"
    )
    parser.add_argument("--openings", type=int, default=0, help="maximum number of random plies at a game's start")
    parser.add_argument("--games", type=int, default=1000, help="games against greedy at the end")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("runs/td_gammon/net.value"))
    parser.add_argument("--quick", action="store_true", help="two rounds and ten games, to check that it runs")
    return parser.parse_args()


def main() -> None:
    """Trains, saves the network, and plays it against `greedy`."""
    args = read_arguments()
    if args.quick:
        print("--quick is a smoke test: its results mean nothing")
    try:
        settings = TDLambdaSettings(
            lambda_=args.lambda_, learning_rate=args.learning_rate, temperature=args.temperature, openings=args.openings
        )
        network = new_network(find(args.game), args.variant, args.hidden, seed=args.seed)
        learner = TDLambda(network, settings, args.seed)
    except ValueError as error:
        raise SystemExit(f"td_gammon.py: {error}") from None
    print(f"{args.game}: {len(network.units)} inputs, {args.hidden} hidden units; compiling …", flush=True)

    learner.round()  # compiles
    seconds = 0.01 if args.quick else args.seconds
    spent, shown = 0.0, 0.0
    while spent < seconds:
        began = time.process_time()
        done = learner.round()
        spent += time.process_time() - began
        if spent - shown >= REPORT_SECONDS or spent >= seconds:
            shown = spent
            print(
                f"{spent:4.0f} s: {learner.games:,} games, {learner.positions:,} turns, {learner.plies / spent:,.0f} "
                f"plies per second; cross-entropy {done.loss:.4f}",
                flush=True,
            )

    args.out.parent.mkdir(parents=True, exist_ok=True)
    save(learner.network, args.out, {"method": "TD(λ)", "seed": str(args.seed), "seconds": f"{spent:.0f}"})
    player = f"value:{args.out}"
    print(match(args.game, player, "greedy", games=10 if args.quick else args.games, variant=args.variant, seed=1))


if __name__ == "__main__":
    main()
