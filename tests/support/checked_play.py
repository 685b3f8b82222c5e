"""Play in which every index into an array is checked: one that lies outside raises IndexError.

python -m tests.support.checked_play [--plies 1000000] [GAME …]

Numba checks indices under ``NUMBA_BOUNDSCHECK=1``, which must be set when it is imported. Machine code that was
compiled without the checks is not used: it is kept apart in a folder of its own.
"""

from __future__ import annotations

import os

os.environ["NUMBA_BOUNDSCHECK"] = "1"

from tempfile import TemporaryDirectory

import click
import numpy as np

import parlour
from parlour.interfaces.registry import find
from parlour.players.names import parse_player
from parlour.players.simulate import game_seeds, play_games

NUM_GAMES = 64
PLAYERS = ("greedy", "mcts:4", "expectimax:1")
TURN_ENDS_EVERY = 64
"""Steps of a batch: a turn of many bets in Crown and Anchor has 42,154 ends, which take most of the time."""
PLAYED_BY_ENV, PLAYED_BY_PLAYERS = 0.01, 0.02
"""The shares of plies that are played by the AEC environment, and by each of `PLAYERS`."""


def play_batch(game: str, variant: str, plies: int) -> int:
    """Random games of the vector engine; now and then potentials, events, after-states and turn ends are asked for.
    How many plies."""
    batch = parlour.make_batch(game, NUM_GAMES, variant=variant, seed=0)
    batch.reset()
    games = batch.games
    potentials = np.zeros((NUM_GAMES, games.layout.seats), np.float32)
    events = np.zeros((NUM_GAMES, len(games.game.evaluation.EVENTS)), np.int64)
    steps = plies // NUM_GAMES
    for step in range(steps):
        before = games.states.copy()
        batch.step(batch.sample_actions())
        if step % 16 == 0:
            games.potentials(potentials)
            games.events(before, events)
            batch.after_states()
        if step % TURN_ENDS_EVERY == 0:
            batch.turn_ends([0])
    return steps * NUM_GAMES


def play_env(game: str, variant: str, plies: int) -> int:
    """Random games of the AEC environment, each position written and read back."""
    env = parlour.make(game, variant=variant, illegal_move="raise")
    rng = np.random.default_rng(0)
    env.reset(seed=0)
    for _ in range(plies):
        if env.is_over():
            env.reset()
        if rng.random() < 0.1:
            env.reset(options={"position": env.position()})
        observation = env.observe(env.agent_selection)
        env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    return plies


def play_players(game: str, variant: str, player: str, plies: int) -> int:
    """Games of one player against itself, until there are enough plies."""
    known = find(game)
    _, values = known.resolve(variant, {"max_plies": 200} if "max_plies" in parlour.options(game) else {})
    players = [parse_player(player, known)] * known.layout(values).seats
    played = 0
    while played < plies:
        played += int(play_games(known, values, players, game_seeds(played, 2)).plies.sum())
    return played


def play(game: str, plies: int) -> int:
    """At least so many plies of a game, in all its variants and by all its kernels. How many they were."""
    names = list(parlour.variants(game))
    played, share = 0, plies // len(names)
    for variant in names:
        of_variant = play_batch(game, variant, share)
        of_variant += play_env(game, variant, int(PLAYED_BY_ENV * share))
        for player in PLAYERS:
            of_variant += play_players(game, variant, player, int(PLAYED_BY_PLAYERS * share))
        click.echo(f"{game} {variant}: {of_variant} plies")
        played += of_variant
    return played


@click.command()
@click.option("--plies", default=1_000_000, show_default=True, help="Of each game, at least.")
@click.argument("games", nargs=-1)
def main(plies: int, games: tuple[str, ...]) -> None:
    """Plays with every index checked, and prints how many plies that were."""
    with TemporaryDirectory() as folder:
        os.environ.setdefault("PARLOUR_CACHE_DIR", folder)
        click.echo(f"{sum(play(game, plies) for game in games or parlour.games())} plies, every index checked")


if __name__ == "__main__":
    main()
