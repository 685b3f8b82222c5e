"""Backgammon against GNU Backgammon or pubeval: money play without cube, in points a game.

    python benchmarks/gnubg_match.py champion --games 1000 [--plies 0] [--luck] [--seed 0] [--jobs 4]
    python benchmarks/gnubg_match.py value:runs/train_backgammon/backgammon.value --pubeval pubeval.c

The player is any that `parlour match` takes. GNU Backgammon (on Debian, ``apt-get install gnubg``) looks ``--plies``
ahead: 0 is its network alone. ``--luck`` subtracts the luck of the dice, as GNU Backgammon's networks judge it: for
each throw, what its best play is worth less what a throw there is worth on average. That leaves the mean as it is and
makes the interval narrower. gnubg waits up to 10 ms before it gives an answer, so that several ``--jobs`` are of use on
one core; ``--luck`` asks 42 times as often, and gnubg then comes to need more than 1 GB of memory a job. With
``--pubeval`` the opponent is Tesauro's linear evaluation, from his file (`pubeval.py` says where it is).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import partial
from itertools import combinations_with_replacement
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import click
import numpy as np
from gnubg_program import Gnubg, play_turn, swapped
from pubeval import Pubeval

import parlour
from parlour.arena.statistics import Estimate, mean
from parlour.interfaces.registry import find
from parlour.players import Player, parse_player
from tests.support.backgammon_turns import Position, after_turn, position_of

GAME = "backgammon-v0"
SHOWN = 50
"""The result is printed again after so many games."""
THROWS = {faces: (1 if faces[0] == faces[1] else 2) / 36 for faces in combinations_with_replacement(range(1, 7), 2)}
Opponent = Callable[[Position, tuple[int, int], dict[Position, Any]], Position]
"""(position, throw, what the turn can lead to) -> the position after its turn, all seen by its seat."""


def won(position: Position) -> int:
    """The points of the seat that has borne off all men; 0 if neither has."""
    if any(position[:25]):
        return 0
    other = position[25:]
    if sum(other) < 15:
        return 1
    return 3 if any(other[:7]) else 2


def luck_of(gnubg: Gnubg, position: Position, faces: tuple[int, int], opening: bool) -> float:
    """Of the seat that has thrown ``faces``. The first throw is no double."""
    throws = [throw for throw in THROWS if not (opening and throw[0] == throw[1])]
    after = gnubg.best_of_each(position, throws)
    equities = gnubg.equities([swapped(position) for position in after])
    values = {throw: won(best) or -equity for throw, best, equity in zip(throws, after, equities)}
    mean_value = sum(THROWS[throw] * value for throw, value in values.items()) / sum(THROWS[throw] for throw in throws)
    low, high = sorted(faces)
    return values[low, high] - mean_value


def play(env: Any, player: Player, opponent: Opponent, seat: int, gnubg: Gnubg | None) -> tuple[float, float]:
    """One game: the player's points from seat ``seat``, and its luck."""
    luck, first = 0.0, True
    while not env.is_over():
        acting = int(env.agent_selection[-1])
        states, faces = env.games.states, env.dice
        before = position_of(states, acting)
        if gnubg is not None:
            luck += (1 if acting == seat else -1) * luck_of(gnubg, before, faces, first)
        first = False
        if acting == seat:
            play_turn(env, player)
        else:
            turns = after_turn(states.copy(), env.games.variants[0])
            for action in turns[opponent(before, faces, turns)].actions:
                env.step(action)
    return env.rewards[f"player_{seat}"], luck


def opponent_of(stack: ExitStack, pubeval: Path | None, plies: int) -> Opponent:
    """How it plays."""
    if pubeval is not None:
        linear = Pubeval(pubeval)
        return lambda position, faces, turns: linear.best(position, turns)
    gnubg = stack.enter_context(Gnubg())
    return lambda position, faces, turns: gnubg.best(position, faces, plies)


def play_games(
    player: str, variant: str, pubeval: Path | None, plies: int, luck: bool, seed: int, games: int, first: int
) -> Any:
    """Up to `SHOWN` games from game ``first`` on: of each the points and the luck."""
    with ExitStack() as stack:
        parsed = parse_player(player, find(GAME))
        opponent = opponent_of(stack, pubeval, plies)
        judge = stack.enter_context(Gnubg()) if luck else None
        env = parlour.make(GAME, variant=variant).unwrapped
        results = []
        for game in range(first, min(first + SHOWN, games)):
            env.reset(seed=random.Random(f"{seed}/{game}").getrandbits(60))
            results.append(play(env, parsed, opponent, game % 2, judge))
    return np.array(results)


def line(name: str, points: Estimate, games: int) -> str:
    """``points a game: +0.012 [−0.034, +0.058], 1000 games``"""
    return f"{name}: {points.value:+.3f} [{points.low:+.3f}, {points.high:+.3f}], {games} games"


@click.command()
@click.argument("player")
@click.option("--variant", type=click.Choice(["standard", "nackgammon"]), default="standard", show_default=True)
@click.option("--games", default=1000, show_default=True, type=click.IntRange(2))
@click.option("--plies", default=0, show_default=True, type=click.IntRange(0, 3), help="How far gnubg looks ahead.")
@click.option("--pubeval", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Tesauro's pubeval.c.")
@click.option("--luck", is_flag=True, help="Subtract the luck of the dice, judged by gnubg.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0))
@click.option(
    "--jobs", default=1, show_default=True, type=click.IntRange(1), help="Processes, each with its own gnubg."
)
def main(
    player: str, variant: str, games: int, plies: int, pubeval: Path | None, luck: bool, seed: int, jobs: int
) -> None:
    """Plays PLAYER against gnubg or pubeval, the seats exchanged after every game."""
    play_some = partial(play_games, player, variant, pubeval, plies, luck, seed, games)
    played = np.zeros((0, 2))
    try:
        with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
            for results in pool.map(play_some, range(0, games, SHOWN)):
                played = np.concatenate([played, results])
                name = "pubeval" if pubeval else f"gnubg {plies}-ply"
                click.echo(line(f"{player} against {name}, points a game", mean(played[:, 0]), len(played)))
                if luck:
                    click.echo(line("  without luck", mean(played[:, 0] - played[:, 1]), len(played)))
    except (ValueError, OSError) as error:
        raise click.ClickException(str(error)) from None


if __name__ == "__main__":
    main()
