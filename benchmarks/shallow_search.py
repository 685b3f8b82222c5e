"""How fast `expectimax` is at a depth of one to four plies, and what its small or sparsely filled tables are worth.

A transposition table has 4 MiB. A search of a new position begins with an empty one; to empty all of it takes longer
than a search of a few plies. So the search notes which places were taken, and empties these; one ply deep it has a
small table. The last columns have the same search with a large table that is emptied as a whole.

On one thread, by its processor time: 64 games side by side, and two random plies between two choices, so that a search
one or two plies deep has met none of its positions before.

python benchmarks/shallow_search.py [--game agon-v0] [--rounds 5] [--choices 20]
"""

from __future__ import annotations

import time
from unittest import mock

import click
import numpy as np
from peers import games_option, in_play, rounds, rounds_option, show, table

from parlour.players import GamesView
from parlour.players.search import expectimax
from parlour.players.search.expectimax import Expectimax

GAMES, DEPTHS, FIRST_PLIES = 64, (1, 2, 4), 8


class Measured:
    """Choices in games of its own."""

    def __init__(self, game: str, depth: int, choices: int, whole: bool) -> None:
        """``whole``: whether each table is large, and emptied as a whole."""
        self.batch, self.choices = in_play(game, GAMES, FIRST_PLIES), choices
        with mock.patch.object(expectimax, "ONE_PLY_MIB", expectimax.TABLE_MIB if whole else expectimax.ONE_PLY_MIB):
            self.player = Expectimax(depth)
            self.search = self.player._searching(self.batch.games)
        if whole:
            self.search.memory = self.search.memory._replace(taken_places=np.zeros((GAMES, 0), np.int32))
        self.seconds()

    def seconds(self) -> float:
        """For a choice, on average."""
        took, count = 0.0, 0
        for _ in range(self.choices):
            running = self.batch.games.states["end"] == 0
            began = time.thread_time()
            self.player.choose(GamesView(self.batch.games), running, np.zeros(GAMES, np.int64))
            took += time.thread_time() - began
            count += int(running.sum())
            for _ in range(2):
                self.batch.step(self.batch.sample_actions())
        return took / count

    @property
    def nodes(self) -> float:
        """Of the latest search, on average."""
        return float(self.search.memory.progress["nodes"].mean())


@click.command()
@games_option
@rounds_option(5)
@click.option("--choices", default=20, show_default=True, help="Choices of each game in a round.")
def main(games: tuple[str, ...], count: int, choices: int) -> None:
    """Prints the table."""
    grid = table(
        f"Shallow searches, median of {count} rounds of {choices} choices in {GAMES} games", "game", "plies deep",
        "nodes", "µs a choice", "emptied as a whole, µs", "×",
    )  # fmt: skip
    for game in games:
        for depth in DEPTHS:
            new, old = (Measured(game, depth, choices, whole) for whole in (False, True))
            seconds, whole = rounds([new.seconds, old.seconds], count)
            grid.add_row(
                game,
                str(depth),
                f"{new.nodes:,.0f}",
                f"{1e6 * seconds:,.1f}",
                f"{1e6 * whole:,.1f}",
                f"{whole / seconds:.1f}",
            )
    show(grid)


if __name__ == "__main__":
    main()
