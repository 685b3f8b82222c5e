"""What taking the luck of the dice out of results is worth, and what it costs.

    python benchmarks/luck.py --games 400
    python benchmarks/luck.py --games 400 --game acey_ducey --judge champion:2turns

The champion plays itself, one turn deep, with dice of its own in every game, so that games are independent. The command
prints the standard deviation of a result before and after, how many times as many games would be needed without the
adjustment, and the processor time of a game without the judge, in milliseconds, and with it, as a multiple of that
(after everything has been compiled, in turns, the medians of some rounds).
"""

from __future__ import annotations

import time

import click
import numpy as np
from numpy.typing import NDArray
from peers import rounds_option, show, table

from parlour.arena.statistics import mean
from parlour.arena.statistics.control import adjusted, worth
from parlour.engine.game import Game
from parlour.interfaces.registry import find
from parlour.players import parse_player
from parlour.players.champion import NAME
from parlour.players.luck import Judge, LuckRecorder
from parlour.players.simulate import Results, play_games
from parlour.rulebook.chance import row_seeds

GAMES = ("acey_ducey", "royal_ur", "backgammon")


@click.command()
@click.option("--games", default=400, show_default=True, help="How many games each.")
@click.option("--game", "names", multiple=True, default=GAMES, help="Which games; may be repeated.")
@click.option("--judge", default=NAME, show_default=True, help="The judge.")
@click.option("--seed", default=0, show_default=True)
@rounds_option(3)
def main(games: int, names: tuple[str, ...], judge: str, seed: int, count: int) -> None:
    """Prints a row for each game."""
    columns = ("game", "points of seat 0", "adjusted", "sd", "adjusted sd", "worth ×", "ms", "time ×")
    grid = table(f"{NAME} against itself, {games} games each, judge {judge}", *columns)
    for name in names:
        game = find(name)
        for judged in (judge, None):
            play(game, judged, 2, seed)  # compiles
        plays = [[play(game, judged, games, seed) for judged in (None, judge)] for _ in range(count)]
        (results, _, _), (again, luck, _) = plays[0]
        assert (results == again).all(), "a judge must not change games"
        plain, slow = np.median([[seconds for _, _, seconds in both] for both in plays], axis=0)
        without = adjusted(results, luck)
        grid.add_row(
            name, *(f"{m.value:+.3f} [{m.low:+.3f}, {m.high:+.3f}]" for m in (mean(results), mean(without))),
            f"{results.std(ddof=1):.2f}", f"{without.std(ddof=1):.2f}", f"{worth(results, without):.1f}",
            f"{1000 * plain:.2f}", f"{slow / plain:.1f}",
        )  # fmt: skip
    show(grid)


def play(
    game: Game, judge: str | None, games: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """The results and the luck of seat 0 (n,), and the processor time of a game in seconds."""
    values = game.resolve(None, {})[1]
    recorder = None if judge is None else LuckRecorder(Judge(judge, game), [0] * games)
    luck = np.zeros(games)

    def note(results: Results, finished: NDArray[np.int64]) -> None:
        for g in finished.tolist() if recorder else ():
            luck[g] = recorder.luck_of(g)[0]

    player, seeds = parse_player(NAME, game), row_seeds(seed, games, 0).tolist()
    begun = time.process_time()
    results = play_games(game, values, [player, player], seeds, 1, note, observers=[recorder] if recorder else [])
    return (results.returns[:, 0] - results.returns[:, 1]) / 2, luck, (time.process_time() - begun) / games


if __name__ == "__main__":
    main()
