# /// script
# requires-python = ">=3.10"
# dependencies = ["parlour"]
# ///
"""TD-Gammon's way to learn a game of dice, on one core and without PyTorch: a small network learns Acey Ducey from
nothing by playing with itself.

python examples/td_gammon.py

That learnt for 60 seconds of one core's time (seed 0: 36,633 games, 4.3 million turns), and the network that came of it
won 959 of 1,000 games against `greedy`: a share of 0.959, with a 95 % interval of [0.942, 0.969].

The network says what the seat that is about to throw expects to be paid: 80 hidden units on 394 inputs such as "two own
men or more on this step". Each turn is played to the end, of all ends of whole turns, that the network likes best for
the seat that plays it. Dice make games different enough, so nothing is ever played at random.

A round plays 4,096 turns. What the network should have said at the end of a turn is the λ-return: of what it said one
turn later, two turns later, and so on to the result, the mean with weights (1 − λ) λᵏ. Then one pass of Adam moves the
weights towards it. The player that comes out has the average of the weights of the last eighth of all steps.

Tesauro, *Temporal Difference Learning and TD-Gammon*, Communications of the ACM 38, 1995.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import parlour
from parlour.arena import match
from parlour.learn import Settings, TDLambda
from parlour.registry import find
from parlour.value import new_network, save

REPORT_SECONDS = 5


def read_arguments() -> argparse.Namespace:
    """What is given on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="acey_ducey-v0", choices=parlour.games())
    parser.add_argument("--variant", help="a variant of the game; its first")
    parser.add_argument("--seconds", type=float, default=60, help="processor time for learning")
    parser.add_argument("--hidden", type=int, default=80, help="hidden units")
    parser.add_argument("--trace-decay", type=float, default=0.7, help="λ")
    parser.add_argument("--learning-rate", type=float, default=2e-3, help="of Adam, at the start")
    parser.add_argument("--noise", type=float, default=0.0, help="temperature of turns; games without dice need some")
    parser.add_argument("--openings", type=int, default=0, help="random plies at a game's start, at most")
    parser.add_argument("--games", type=int, default=1000, help="games against greedy at the end")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("runs/td_gammon/net.value"))
    parser.add_argument("--quick", action="store_true", help="two rounds and ten games, to see that it runs")
    return parser.parse_args()


def main() -> None:
    """Learns, saves the network, and plays it against `greedy`."""
    args = read_arguments()
    settings = Settings(
        trace_decay=args.trace_decay, learning_rate=args.learning_rate, noise=args.noise, openings=args.openings
    )
    network = new_network(find(args.game), args.variant, args.hidden, seed=args.seed)
    learner = TDLambda(network, settings, args.seed)
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
                f"plies a second; cross-entropy {done.loss:.4f}", flush=True
            )  # fmt: skip

    args.out.parent.mkdir(parents=True, exist_ok=True)
    save(learner.network, args.out, {"method": "TD(λ)", "seed": str(args.seed), "seconds": f"{spent:.0f}"})
    player = f"value:{args.out}"
    print(match(args.game, player, "greedy", games=10 if args.quick else args.games, variant=args.variant, seed=1))


if __name__ == "__main__":
    main()
