"""Where a player of Backgammon gives points away, by GNU Backgammon's judgement: by the kind of position.

    python benchmarks/gnubg_losses.py champion --games 100 [--plies 2] [--seed 0]

The player plays both seats. Where GNU Backgammon, by its networks alone, would play a turn to another end, it values
both ends ``--plies`` ahead, and the difference is what the player has given away, less than nothing where the longer
look prefers the player's end. On Debian, ``apt-get install gnubg``.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import click
import numpy as np
from gnubg_program import Gnubg, play_turn, swapped
from pubeval import is_race

import parlour
from parlour.arena.statistics import mean
from parlour.interfaces.registry import find
from parlour.players import Player, parse_player
from tests.support.backgammon_turns import Position, position_of

GAME = "backgammon-v0"
HOME, FAR = range(19, 25), range(7)  # places of a seat in its half of a position; the bar is the first
KINDS = (
    "race, bearing off", "race", "bearing off in contact", "five points closed at home", "five points in a row",
    "men of both seats back", "men of one seat back", "none back",
)  # fmt: skip


def halves(position: Position) -> tuple[Position, Position]:
    """The men of either seat: on the bar, then on its steps."""
    return position[:25], position[25:]


def longest_row(men: Position) -> int:
    """Of points made."""
    rows = "".join("x" if count > 1 else " " for count in men[1:]).split()
    return max(map(len, rows), default=0)


def kind_of(position: Position) -> str:
    """Of `KINDS`, before a turn."""
    seats = halves(position)
    all_home = not any(seats[0][place] for place in range(HOME[0]))
    if is_race(position):
        return KINDS[0] if all_home else KINDS[1]
    if all_home:
        return KINDS[2]
    if any(sum(men[place] > 1 for place in HOME) >= 5 for men in seats):
        return KINDS[3]
    if any(longest_row(men) >= 5 for men in seats):
        return KINDS[4]
    back = sum(any(men[place] for place in FAR) for men in seats)
    return KINDS[5] if back == 2 else KINDS[6] if back == 1 else KINDS[7]


def losses(env: parlour.GameEnv, player: Player, gnubg: Gnubg, plies: int) -> Iterator[tuple[str, bool, float]]:
    """One game: of each turn the kind, whether GNU Backgammon plays another, and what is given away."""
    while not env.is_over():
        seat, faces = int(env.agent_selection[-1]), env.dice
        before = position_of(env.games.states, seat)
        play_turn(env, player)
        played, best = position_of(env.games.states, seat), gnubg.best(before, faces, 0)
        lost = 0.0
        if played != best and not env.is_over():
            after = gnubg.equities([swapped(played), swapped(best)], plies)
            lost = after[0] - after[1]
        yield kind_of(before), played != best, lost


@click.command()
@click.argument("player")
@click.option("--games", default=100, show_default=True, type=click.IntRange(2))
@click.option("--plies", default=2, show_default=True, type=click.IntRange(0, 3), help="How far gnubg looks ahead.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0))
def main(player: str, games: int, plies: int, seed: int) -> None:
    """Prints what PLAYER gives away in a game, for each kind of position and in all, with 95 % intervals."""
    try:
        parsed = parse_player(player, find(GAME))
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    turns, others, given = (np.zeros((games, len(KINDS))) for _ in range(3))
    env = parlour.make(GAME).unwrapped
    with Gnubg() as gnubg:
        for game in range(games):
            env.reset(seed=random.Random(f"{seed}/{game}").getrandbits(60))
            for kind, differs, lost in losses(env, parsed, gnubg, plies):
                k = KINDS.index(kind)
                turns[game, k] += 0.5
                others[game, k] += 0.5 * differs
                given[game, k] += 0.5 * lost
    click.echo(f"{player}, {games} games, a game and seat | turns | others than gnubg's | points given away | 95 %")
    for name, columns in [*((kind, [k]) for k, kind in enumerate(KINDS)), ("all", range(len(KINDS)))]:
        played, loss = turns[:, columns].sum() / games, mean(given[:, columns].sum(axis=1))
        share = others[:, columns].sum() / max(turns[:, columns].sum(), 1)
        click.echo(f"{name} | {played:.1f} | {share:.0%} | {loss.value:.4f} | {loss.low:.4f} to {loss.high:.4f}")


if __name__ == "__main__":
    main()
