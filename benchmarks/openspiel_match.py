"""The champion of Checkers against OpenSpiel's C++ tree search, under OpenSpiel's rules.

    python benchmarks/openspiel_match.py --simulations 10000 --pairs 100 [--log match.jsonl]

Each pair of games begins after six random plies and is played with the seats exchanged. The champion thinks for a
fixed processor time per ply, so that other work on the machine has little influence. `MCTSBot` plays one random rollout
per simulation, with exploration constant 2 and with its solver, which proves wins.

Random plies may give one seat a large advantage. So the champion's search also values every opening, to a fixed depth.
The table shows the games from even openings, and those in which the champion had the better or the worse side.
"""

from __future__ import annotations

import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
import pyspiel
from paired_games import Mover, Pair, distinct, mover, note_pair, play_pair, resumed_pairs
from peers import show
from rich.table import Table as Grid

import parlour
from parlour.engine.compiled import game_digest
from parlour.files import sha256_of
from parlour.players import GamesView
from parlour.registry import find
from parlour.search.expectimax import Expectimax
from parlour.value import ValueNetwork, load

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.support.openspiel_moves import our_name

GAME, VARIANT, OPENING = "checkers-v0", "openspiel", 6
EXPLORATION, MAX_MEMORY_MB = 2.0, 1000
EVEN, JUDGING = 0.3, 14
"""An opening is even if a search to depth `JUDGING` values it within ±`EVEN`; 1 is a win."""
SHOWN = 5
"""The score is printed again after this many pairs."""


# --- positions of both libraries ---


def their_moves(state: Any) -> dict[str, int]:
    """The legal actions: from our names to OpenSpiel's numbers."""
    seat = state.current_player()
    return {our_name(state.action_to_string(seat, action)): action for action in state.legal_actions()}


def opening(seed: int) -> tuple[Any, tuple[str, ...]]:
    """A game after `OPENING` random plies, and their names."""
    env = parlour.make(GAME, variant=VARIANT).unwrapped
    env.reset(seed=0)
    state, rng, moves = pyspiel.load_game("checkers").new_initial_state(), random.Random(seed), list[str]()
    for _ in range(OPENING):
        theirs = their_moves(state)
        moves.append(rng.choice(list(theirs)))
        state.apply_action(theirs[moves[-1]])
        env.step(env.parse_move(moves[-1]))
    return env, tuple(moves)


# --- players ---


def bot_mover(opened: tuple[str, ...], simulations: int, seed: int) -> Mover:
    """`MCTSBot` as a `Mover`, for a game after the moves ``opened``."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    game = pyspiel.load_game("checkers")
    bot = pyspiel.MCTSBot(game, evaluator, EXPLORATION, simulations, MAX_MEMORY_MB, True, seed, False)
    state, played = game.new_initial_state(), list[str]()

    def choose(env: Any, moves: tuple[str, ...]) -> int:
        for move in (*opened, *moves)[len(played) :]:
            state.apply_action(their_moves(state)[move])
            played.append(move)
        name = our_name(state.action_to_string(state.current_player(), bot.step(state)))
        return int(env.parse_move(name))

    return choose


def timed(choose: Mover, spent: list[float]) -> Mover:
    """A `Mover` that appends its processor time to ``spent``."""

    def timed_choose(env: Any, moves: tuple[str, ...]) -> int:
        began = time.thread_time()
        action = choose(env, moves)
        spent.append(time.thread_time() - began)
        return action

    return timed_choose


class Plan(NamedTuple):
    """What the pairs of a match have in common."""

    network: ValueNetwork
    seconds: float
    simulations: int
    seed: int


def play(plan: Plan, k: int) -> tuple[Pair, tuple[list[float], list[float]]]:
    """Plays pair number ``k``. With it comes the processor time of each ply, of the champion and of the bot."""
    env, opened = opening(1000 * plan.seed + k)
    spent = list[float](), list[float]()

    def movers() -> tuple[Mover, Mover]:
        champion = Expectimax(seconds=plan.seconds, network=plan.network, clock=time.thread_time)
        bot = bot_mover(opened, plan.simulations, plan.seed + 2 * k)
        return timed(mover(champion), spent[0]), timed(bot, spent[1])

    return play_pair(env, movers), spent


# --- results ---


def first_seat_values(network: ValueNetwork, seed: int, count: int) -> list[float]:
    """What a search thinks that each opening is worth to seat 0: between −1 and 1."""
    search, found = Expectimax(JUDGING, network=network), list[float]()
    for k in range(count):
        env, _ = opening(1000 * seed + k)
        values = search.consider(GamesView(env.games)).values
        assert values is not None
        found.append(float(values[0]))
    return found


def shown(title: str, pairs: list[Pair], values: list[float], spent: tuple[list[float], list[float]]) -> Grid:
    """The score of a match as a table, also by what the openings are worth."""
    games = [
        (result, value if seat == 0 else -value)
        for pair, value in zip(pairs, values, strict=True)
        for seat, result in enumerate(pair.scores)
    ]
    rows = {
        "all": games,
        "even opening": [game for game in games if abs(game[1]) <= EVEN],
        "the better side": [game for game in games if game[1] > EVEN],
        "the worse side": [game for game in games if game[1] < -EVEN],
    }
    times = [f"{np.mean(one):.3f} s" for one in spent] if spent[0] else ["-", "-"]
    grid = Grid(
        title=f"{title}; a ply: {times[0]}, the bot {times[1]}; {len(distinct(pairs))} distinct pairs",
        title_justify="left",
    )
    for column in ("the champion has", "games", "won", "drawn", "lost"):
        grid.add_column(column)
    for name, some in rows.items():
        results = [result for result, _ in some]
        grid.add_row(name, str(len(some)), *(str(results.count(result)) for result in (1.0, 0.5, 0.0)))
    return grid


@click.command()
@click.option("--network", "path", type=click.Path(path_type=Path), help="A value network. Default: the champion's.")
@click.option("--seconds", default=0.05, show_default=True, help="The champion's thinking time per ply.")
@click.option("--simulations", default=10_000, show_default=True)
@click.option("--pairs", "count", type=click.IntRange(1), default=10, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--processes", type=click.IntRange(1), default=1, show_default=True, help="Pairs at the same time.")
@click.option("--log", type=click.Path(path_type=Path), help="A file for results; rerun to resume or to see them.")
def main(
    path: Path | None, seconds: float, simulations: int, count: int, seed: int, processes: int, log: Path | None
) -> None:
    """Plays the match. Prints the score now and then."""
    path = path or find(GAME).champion
    assert path is not None
    plan, spent = Plan(load(path), seconds, simulations, seed), (list[float](), list[float]())
    about = {
        "seconds": seconds, "simulations": simulations, "seed": seed, "engine": game_digest(find(GAME)),
        "network": sha256_of(path),
    }  # fmt: skip
    pairs, values = resumed_pairs(log, about), first_seat_values(plan.network, seed, count)
    title = f"{path.stem}, {seconds:g} s, against MCTSBot, {simulations:,} simulations"
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        for pair, times in pool.map(partial(play, plan), range(len(pairs), count)):
            pairs.append(pair)
            note_pair(log, pair)
            for total, latest in zip(spent, times, strict=True):
                total.extend(latest)
            if len(pairs) % SHOWN == 0 and len(pairs) < count:
                show(shown(title, pairs, values[: len(pairs)], spent))
    show(shown(title, pairs, values[: len(pairs)], spent))


if __name__ == "__main__":
    main()
