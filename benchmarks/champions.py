"""The strength of the champions: each plays against `greedy` and against searches without a network, in every variant.

    python benchmarks/champions.py swords_and_shields --games 100 --seconds 0.002
    python benchmarks/champions.py swords_and_shields --training

Both players of a game have the same thinking time per ply, on one thread. (A champion that looks only one turn ahead,
without search, takes less.) Games come in pairs with the seats exchanged, from the same random opening or with the same
dice. Games with exactly the same moves count once. Intervals are 95 % confidence intervals. The command prints the
table of ``CHAMPION.md`` in the game's folder; with ``--training`` that of how the champion was trained.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import click
from peers import show, table
from rich.table import Table

from parlour.arena import Threads, match
from parlour.arena.matches.tally import elo_text
from parlour.interfaces.registry import find
from parlour.players.value import load
from parlour.players.value.files import read_card


def trained(file: Path) -> Table:
    """How a network was trained, as its file says."""
    network = load(file)
    grid = table("", "training", "")
    for name, text in read_card(file).items():
        if text:
            grid.add_row(name, text)
    grid.add_row("hidden units", str(network.hidden.shape[1]))
    grid.add_row("inputs", f"{len(network.units)} units on {network.number_count} numbers ({network.source})")
    grid.add_row("digest of the rules", network.digest)
    grid.add_row("SHA-256", hashlib.sha256(file.read_bytes()).hexdigest())
    return grid


@click.command()
@click.argument("name", metavar="GAME")
@click.option("--player", help="The champion as a player's name. Default: champion:SECONDSs; with dice: champion.")
@click.option("--games", default=300, show_default=True, help="Games against each opponent, in each variant.")
@click.option("--seconds", default=0.05, show_default=True, help="Thinking time per ply.")
@click.option("--seed", default=1, show_default=True)
@click.option("--opening", default=6, show_default=True, help="Random plies at the beginning, in games without dice.")
@click.option("--opponent", "opponents", multiple=True, help="An opponent; repeatable. Default: all three.")
@click.option("--variant", "variants", multiple=True, help="Only this variant; repeatable. Default: all.")
@click.option("--training", is_flag=True, help="Print how it was trained, and play no games.")
def main(
    name: str, player: str | None, games: int, seconds: float, seed: int, opening: int, opponents: tuple[str, ...],
    variants: tuple[str, ...], training: bool,
) -> None:  # fmt: skip
    """Plays the games and prints the results."""
    game = find(name)
    assert game.champion is not None
    if training:
        show(trained(game.champion))
        return
    has_dice = bool(game.rules.DICE)
    first = player or ("champion" if has_dice else f"champion:{seconds:g}s")
    grid = table("", "variant", f"{first} against", "games", "score", "95 %", "Elo")
    for variant in variants or [variant.name for variant in game.variants]:
        for opponent in opponents or ("greedy", f"expectimax:{seconds:g}s", f"mcts:{seconds:g}s"):
            made = match(
                game.id, first, opponent, games=games, variant=variant, seed=seed, workers=Threads(1),
                openings="none" if has_dice else f"random:{opening}",
            )  # fmt: skip
            score = made.score
            grid.add_row(
                variant, opponent, str(made.games), f"{score.value:.3f}", f"{score.low:.3f} to {score.high:.3f}",
                elo_text(made.elo),
            )  # fmt: skip
    show(grid)


if __name__ == "__main__":
    main()
