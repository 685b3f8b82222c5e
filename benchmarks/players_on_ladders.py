"""The Elo of players that every game has, on all ladders: a row for each variant.

    python benchmarks/players_on_ladders.py --out runs/on_ladders

Rungs have the Elo of the ladder, the others are rated. Their games are kept in a folder, so that the same command goes
on where it was stopped.
"""

from __future__ import annotations

from pathlib import Path

import click
from peers import games_option, show, table

from parlour.arena import Threads, rate
from parlour.arena.setting.ladder import Ladder, read_ladders
from parlour.engine.game import Game
from parlour.interfaces.registry import find
from parlour.players.champion import NAME
from parlour.support.signed import signed

PLAYERS = ("random", "mcts:10", "mcts:100", "expectimax:1", "expectimax:2", "expectimax:4", NAME)
RUNG_OF = {NAME: f"{NAME}:4"}
"""What a rung is called that is the same player: without dice the champion searches 4 plies deep."""


@click.command()
@games_option
@click.option("--player", "players", multiple=True, default=PLAYERS, show_default=True, help="A column; repeatable.")
@click.option("--within", default=30.0, show_default=True, help="How sure each rating is to be, in Elo.")
@click.option("--most", default=800, show_default=True, help="The most games for a rating.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The folder of all games.")
def main(games: tuple[str, ...], players: tuple[str, ...], within: float, most: int, out: Path) -> None:
    """Prints the table."""
    grid = table(f"Elo above greedy, ± {within:g} or {most} games", "game", "variant", *players)
    for game in map(find, games):
        for variant, ladder in read_ladders(game).items():
            cells = [elo_of(player, game, ladder, within, most, out / game.name / variant) for player in players]
            grid.add_row(game.title, f"`{variant}`", *cells)
    show(grid)


def elo_of(player: str, game: Game, ladder: Ladder, within: float, most: int, folder: Path) -> str:
    """A player's Elo with half the width of its interval; what is known of one that is off the scale."""
    for rung in ladder.rungs:
        if rung.player in (player, RUNG_OF.get(player)):
            return f"{signed(rung.elo, 0)} ± {(rung.high - rung.low) / 2:.0f}"
    if player == NAME:
        return "–"  # no champion knows the variant
    rating = rate(
        game.id, player, variant=ladder.variant, within=within, games=most, workers=Threads(1),
        folder=folder / player.replace(":", "-"), progress=False,
    )  # fmt: skip
    click.echo(str(rating).splitlines()[0], err=True)
    return rating.off_scale or f"{signed(rating.elo, 0)} ± {(rating.high - rating.low) / 2:.0f}"


if __name__ == "__main__":
    main()
