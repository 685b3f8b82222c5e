"""The speed of every game's AEC loop, compared with PettingZoo's connect_four_v3.env() and an environment that does
nothing, measured in the same run.

python benchmarks/aec_loop.py [--rounds 9] [--plies 4000]
"""

from __future__ import annotations

import click
from peers import DoNothing, aec_loop, by_numpy, by_the_space, rounds, show
from pettingzoo.classic import connect_four_v3
from rich.table import Table

import parlour


@click.command()
@click.option("--rounds", "count", default=9, show_default=True)
@click.option("--plies", default=4000, show_default=True)
def main(count: int, plies: int) -> None:
    """Prints plies per second (medians) and ratios."""
    grid = Table(title=f"AEC loop, plies a second, median of {count} rounds of {plies}", title_justify="left")
    headings = ("game", "action by", "connect four", "do-nothing", "env()", "× connect four", "× do-nothing")
    for heading in headings:
        grid.add_column(heading, justify="right" if heading != "game" else "left")
    for game in parlour.games():
        env = parlour.make(game)
        env.reset(seed=0)
        nothing, four = DoNothing(env), connect_four_v3.env()
        for name, choose in (("action_space.sample", by_the_space), ("NumPy", by_numpy)):
            aec_loop(env, 200, choose)
            measures = [
                lambda each=each, n=n, choose=choose: aec_loop(each, n, choose)
                for each, n in ((four, plies // 4), (nothing, plies), (env, plies))
            ]
            slow, bare, ours = rounds(measures, count)
            speeds = (f"{speed:,.0f}" for speed in (slow, bare, ours))
            grid.add_row(game, name, *speeds, f"{ours / slow:.1f}", f"{ours / bare:.2f}")
    show(grid)


if __name__ == "__main__":
    main()
