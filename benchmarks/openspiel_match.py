"""The champion of Checkers against OpenSpiel's C++ tree search, under OpenSpiel's rules.

    python benchmarks/openspiel_match.py --simulations 10000 --pairs 100 [--folder match]

Each pair of games begins after six random plies and is played with the seats exchanged. The champion thinks for a
fixed processor time per ply, so that other work on the machine has little influence. `MCTSBot` plays one random rollout
per simulation, with exploration constant 2 and with its solver, which proves wins.

Random plies may give one seat a large advantage. So the champion's search also values every opening, to a fixed depth.
The table shows the games from even openings, and those in which the champion had the better or the worse side.
"""

from __future__ import annotations

import copy
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
import pyspiel
from numpy.typing import NDArray
from peers import show, table
from rich.table import Table as Grid

import parlour
from parlour.arena import Threads, match
from parlour.arena.setting.plans import Played, points
from parlour.interfaces.registry import find
from parlour.players import GamesView, Player
from parlour.players.search.expectimax import Expectimax
from parlour.players.value import ValueNetwork, load

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.support.openspiel_moves import our_name

GAME, VARIANT, OPENING = "checkers-v0", "openspiel", 6
CHAMPION = "champion"
EXPLORATION, MAX_MEMORY_MB = 2.0, 1000
EVEN, JUDGING = 0.3, 14
"""An opening is even if a search to depth `JUDGING` values it within ±`EVEN`; 1 is a win."""


def opening(seed: int) -> tuple[Any, tuple[str, ...]]:
    """A game after `OPENING` random plies, and their names."""
    env, rng, moves = parlour.make(GAME, variant=VARIANT).unwrapped, random.Random(seed), list[str]()
    env.reset(seed=0)
    for _ in range(OPENING):
        moves.append(rng.choice(env.legal_moves()))
        env.step(env.parse_move(moves[-1]))
    return env, tuple(moves)


def moves_to(position: str, env: Any, seat: str) -> tuple[str, ...] | None:
    """The plies of other seats than ``seat`` that lead from ``env`` to a position, by name; None if none do."""
    if env.position() == position:
        return ()
    for move in [] if env.is_over() or env.agent_selection == seat else env.legal_moves():
        twin = env.clone()
        twin.step(twin.parse_move(move))
        rest = moves_to(position, twin, seat)
        if rest is not None:
            return (move, *rest)
    return None


class Bot:
    """`MCTSBot` as a player. OpenSpiel can't set up a position, so the bot follows each game from its opening."""

    name, deterministic = "MCTSBot", False

    def __init__(self, simulations: int, seed: int, openings: Sequence[tuple[Any, tuple[str, ...]]]) -> None:
        self.simulations, self.seed, self.openings = simulations, seed, openings
        self.rows: dict[int, tuple[Any, Any, Any]] = {}  # of each game: where it stood, here and there, and the bot

    def __deepcopy__(self, memo: object) -> Bot:
        return Bot(self.simulations, self.seed, self.openings)

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `parlour.players.Player`."""
        for row in np.flatnonzero(row_mask).tolist():
            seat, position = f"player_{view.to_act[row]}", view.position(row)
            env, state, bot = self.rows[row] if row in self.rows else self.begun(position, seat, row)
            for move in moves_to(position, env, seat) or ():
                play(move, env, state)
            move = our_name(state.action_to_string(state.current_player(), bot.step(state)))
            actions[row] = view.parse_move(row, move)
            play(move, env, state)
            self.rows[row] = env, state, bot

    def begun(self, position: str, seat: str, row: int) -> tuple[Any, Any, Any]:
        """A game that has come from one of the openings to a position."""
        for start, moves in self.openings:
            if moves_to(position, start, seat) is not None:
                game, seed = pyspiel.load_game("checkers"), self.seed + row
                state, evaluator = game.new_initial_state(), pyspiel.RandomRolloutEvaluator(1, seed)
                for move in moves:
                    play(move, None, state)
                bot = pyspiel.MCTSBot(game, evaluator, EXPLORATION, self.simulations, MAX_MEMORY_MB, True, seed, False)
                return start.clone(), state, bot
        raise ValueError(f"no opening leads to {position!r}")


def play(move: str, env: Any, state: Any) -> None:
    """Plays a move in both libraries, or without ``env`` in OpenSpiel alone."""
    seat = state.current_player()
    names = {our_name(state.action_to_string(seat, action)): action for action in state.legal_actions()}
    state.apply_action(names[move])
    if env is not None:
        env.step(env.parse_move(move))


class TimedPlayer:
    """A player whose processor time a ply is noted in ``spent``."""

    def __init__(self, player: Player, spent: list[float]) -> None:
        self.player, self.spent, self.name, self.deterministic = player, spent, player.name, False

    def __deepcopy__(self, memo: object) -> TimedPlayer:
        return TimedPlayer(copy.deepcopy(self.player), self.spent)

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `parlour.players.Player`."""
        began = time.thread_time()
        self.player.choose(view, row_mask, actions)
        self.spent.append((time.thread_time() - began) / np.count_nonzero(row_mask))


def first_seat_value(network: ValueNetwork, env: Any) -> float:
    """What a search thinks that an opening is worth to seat 0: between −1 and 1."""
    values = Expectimax(JUDGING, network=network).consider(GamesView(env.games)).values
    assert values is not None
    return float(values[0])


def shown(title: str, games: list[tuple[float, float]]) -> Grid:
    """The score as a table, also by what openings are worth. ``games``: result and worth of each, to the champion."""
    rows = {
        "all": games,
        "even opening": [game for game in games if abs(game[1]) <= EVEN],
        "the better side": [game for game in games if game[1] > EVEN],
        "the worse side": [game for game in games if game[1] < -EVEN],
    }
    grid = table(title, "the champion has", "games", "won", "drawn", "lost")
    for name, some in rows.items():
        results = [result for result, _ in some]
        grid.add_row(name, str(len(some)), *(str(results.count(result)) for result in (1.0, 0.5, 0.0)))
    return grid


@click.command()
@click.option("--network", "path", type=click.Path(path_type=Path), help="A value network. Default: the champion's.")
@click.option("--seconds", default=0.05, show_default=True, help="The champion's thinking time per ply.")
@click.option("--simulations", default=10_000, show_default=True)
@click.option("--pairs", type=click.IntRange(1), default=10, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True)
@click.option("--exact", help="The folder of a table of exact values that the champion's search looks positions up in.")
@click.option("--folder", type=click.Path(path_type=Path), help="For the games; rerun to resume or to see the results.")
def main(
    path: Path | None,
    seconds: float,
    simulations: int,
    pairs: int,
    seed: int,
    threads: int,
    exact: str | None,
    folder: Path | None,
) -> None:
    """Plays the match and prints the score."""
    path = path or find(GAME).champion
    assert path is not None
    network, openings = load(path), [opening(1000 * seed + k) for k in range(pairs)]
    values, games, spent = [first_seat_value(network, env) for env, _ in openings], [], (list[float](), list[float]())

    def note(played: list[Played]) -> None:
        for one in played:
            index = one.spec.index
            games.append((points(CHAMPION, one), values[index // 2] * (1 if index % 2 == 0 else -1)))

    champion = TimedPlayer(Expectimax(seconds=seconds, network=network, clock=time.thread_time, table=exact), spent[0])
    match(
        GAME, {CHAMPION: champion}, {"MCTSBot": TimedPlayer(Bot(simulations, seed, openings), spent[1])},
        games=2 * pairs, variant=VARIANT, seed=seed, openings=[env.position() for env, _ in openings],
        workers=Threads(threads), folder=folder, on_played=note,
    )  # fmt: skip
    times = [f"{np.mean(one):.3f} s" if one else "-" for one in spent]
    title = f"{path.stem}, {seconds:g} s, against MCTSBot, {simulations:,} simulations"
    show(shown(f"{title}; a ply: {times[0]}, the bot {times[1]}", games))


if __name__ == "__main__":
    main()
