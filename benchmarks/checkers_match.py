"""The champion of Checkers against programs that others wrote.

    python benchmarks/checkers_match.py --simulations 10000 --pairs 100 [--folder match]
    python benchmarks/checkers_match.py --samuel samuel-0.1.9 --depth 12 --pairs 100 [--folder match]

By default against OpenSpiel's C++ tree search, under OpenSpiel's rules: `MCTSBot` plays one random rollout per
simulation, with exploration constant 2 and with its solver, which proves wins. With ``--samuel`` against the engine of
Samuel 0.1.9, which is that of GUI Checkers 1.05 by J. Kreuzer (alpha-beta to a depth, with exact endings of up to 4
pieces; its opening book is left out), under the WCDF's rules. It is no part of this project; its folder is made by

    pip download samuel==0.1.9 && tar xf samuel-0.1.9.tar.gz && cd samuel-0.1.9 && python setup.py build_ext --inplace

Each pair of games begins after six random plies and is played with the seats exchanged. The champion thinks for a
fixed processor time per ply, so that other work on the machine has little influence.

Random plies may give one seat a large advantage. So the champion's search also values every opening, to a fixed depth.
The table shows the games from even openings, and those in which the champion had the better or the worse side.
"""

from __future__ import annotations

import copy
import importlib.util
import random
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np
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
from tests.support.openspiel_moves import our_name

GAME, OPENING = "checkers-v0", 6
CHAMPION = "champion"
EXPLORATION, MAX_MEMORY_MB = 2.0, 1000
EVEN, JUDGING = 0.3, 14
"""An opening is even if a search to depth `JUDGING` values it within ±`EVEN`; 1 is a win."""
ROWS = 5, 10, 14, 19, 23, 28, 32, 37
"""Samuel's number of the last square in each row of four."""
TOO_LONG = 10_000
"""Seconds a ply for Samuel, more than it ever needs: its depth alone is to limit it."""

Moves = tuple[str, ...]
Pieces = tuple[str, frozenset[str]]
"""The seat to act, or nothing in the middle of a multi-jump, and the pieces with their squares."""


def opening(variant: str, seed: int, whole_turns: bool) -> tuple[Any, Moves]:
    """A game after `OPENING` random plies, and their names; for ``whole_turns`` a few more, if it would stand in the
    middle of a multi-jump."""
    env, rng, moves = parlour.make(GAME, variant=variant).unwrapped, random.Random(seed), list[str]()
    env.reset(seed=0)
    while len(moves) < OPENING or (whole_turns and "jump=" in env.position()):
        moves.append(rng.choice(env.legal_moves()))
        env.step(env.parse_move(moves[-1]))
    return env, tuple(moves)


def moves_to(goal: Pieces, env: Any, seat: str, chosen: bool = False) -> Moves | None:
    """Plies, by name, that lead from ``env`` to the pieces ``goal``: those of ``seat`` if they are ``chosen`` by it,
    else those of the other seat. None if none do."""
    if pieces(env.position()) == goal:
        return ()
    for move in [] if env.is_over() or (env.agent_selection == seat) != chosen else env.legal_moves():
        twin = env.clone()
        twin.step(twin.parse_move(move))
        rest = moves_to(goal, twin, seat, chosen)
        if rest is not None:
            return (move, *rest)
    return None


def pieces(position: str) -> Pieces:
    """The pieces in a FEN."""
    seat, *sides = position.split()[0].rstrip(".").split(":")
    squares = frozenset(f"{side[0]}{square}" for side in sides for square in side[1:].split(",") if square)
    return "" if "jump=" in position else seat, squares


class Program(ABC):
    """A game in another program."""

    @abstractmethod
    def play(self, move: str) -> None:
        """Plays a ply, by our name."""

    @abstractmethod
    def choose(self, env: Any) -> Moves:
        """The plies, by our names, that the program chooses in its game, which stands as ``env``."""


class OpenSpielGame(Program):
    """A game of OpenSpiel's `MCTSBot`."""

    def __init__(self, simulations: int, seed: int, moves: Moves, row: int) -> None:
        import pyspiel

        game, evaluator = pyspiel.load_game("checkers"), pyspiel.RandomRolloutEvaluator(1, seed + row)
        self.state = game.new_initial_state()
        self.bot = pyspiel.MCTSBot(game, evaluator, EXPLORATION, simulations, MAX_MEMORY_MB, True, seed + row, False)
        for move in moves:
            self.play(move)

    def play(self, move: str) -> None:
        """See `Program`."""
        seat = self.state.current_player()
        names = {our_name(self.state.action_to_string(seat, action)): action for action in self.state.legal_actions()}
        self.state.apply_action(names[move])

    def choose(self, env: Any) -> Moves:
        """See `Program`: a single ply."""
        return (our_name(self.state.action_to_string(self.state.current_player(), self.bot.step(self.state))),)


class SamuelGame(Program):
    """A game of Samuel's engine. The engine holds a single game, so each choice sets its game up again: the engine has
    then seen all earlier positions, which repetition needs."""

    def __init__(self, engine: Any, depth: int, moves: Moves, row: int) -> None:
        self.engine, self.depth, self.moves = engine, depth, list(moves)

    def play(self, move: str) -> None:
        """See `Program`."""
        self.moves.append(move)

    def choose(self, env: Any) -> Moves:
        """See `Program`: all plies of a turn."""
        self.engine.newgame()
        for move in self.moves:
            self.engine.hmove(*map(number_of, re.split("[-x]", move)))
        before = pieces(env.position())
        if pieces(self.engine.getFEN()) != before:
            raise ValueError(f"Samuel stands at {self.engine.getFEN()}, not at {env.position()}, after {self.moves}")
        self.engine.setlevel(3, self.depth, TOO_LONG)
        self.engine.cmove("1" if before[0] == "B" else "2")
        after = pieces(self.engine.getFEN())
        turn = moves_to(after, env, env.agent_selection, chosen=True)
        if turn is None:
            raise ValueError(f"no turn leads from {env.position()} to {self.engine.getFEN()}, which Samuel plays")
        return turn


def number_of(square: str) -> int:
    """Samuel's number of a square."""
    row, column = divmod(int(square) - 1, 4)
    return ROWS[row] + 3 - column


def samuel_in(folder: Path) -> Any:
    """The engine that was built in a folder of Samuel's source. ClickException if there is none."""
    built = next(iter(sorted(folder.glob("samuel/engine*.so"))), None)
    if built is None:
        raise click.ClickException(f"{folder}: no samuel/engine*.so; build it there, see --help")
    spec = importlib.util.spec_from_file_location("engine", built)
    assert spec
    assert spec.loader
    engine = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(engine)
    engine.init("", *(str(folder / "data" / f"{count}pc.cdb") for count in (2, 3, 4)))
    return engine


class Follower:
    """A program as a player. It follows each game from its opening."""

    deterministic = False

    def __init__(
        self, name: str, begin: Callable[[Moves, int], Program], openings: Sequence[tuple[Any, Moves]]
    ) -> None:
        """``begin``: makes a game of the program, from the plies of an opening and a number that is the game's own."""
        self.name, self.begin, self.openings = name, begin, openings
        self.rows: dict[int, tuple[Any, Program, list[str]]] = {}
        """Of each game: where it stood, the program's game, and the plies that it will play in this turn."""

    def __deepcopy__(self, memo: object) -> Follower:
        return Follower(self.name, self.begin, self.openings)

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `parlour.players.Player`."""
        for row in np.flatnonzero(row_mask).tolist():
            seat, position = f"player_{view.to_act[row]}", view.position(row)
            env, program, ahead = self.rows[row] if row in self.rows else (*self.begun(position, seat, row), [])
            if not ahead:
                for move in moves_to(pieces(position), env, seat) or ():
                    program.play(move)
                    env.step(env.parse_move(move))
                ahead = list(program.choose(env))
            move = ahead.pop(0)
            actions[row] = view.parse_move(row, move)
            program.play(move)
            env.step(env.parse_move(move))
            self.rows[row] = env, program, ahead

    def begun(self, position: str, seat: str, row: int) -> tuple[Any, Program]:
        """A game that has come from one of the openings to a position."""
        for start, moves in self.openings:
            if moves_to(pieces(position), start, seat) is not None:
                return start.clone(), self.begin(moves, row)
        raise ValueError(f"no opening leads to {position!r}")


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
@click.option("--simulations", default=10_000, show_default=True, help="Of OpenSpiel's search.")
@click.option("--samuel", type=click.Path(exists=True, path_type=Path), help="The folder of Samuel, its engine built.")
@click.option("--depth", type=click.IntRange(1, 52), default=12, show_default=True, help="Of Samuel's search.")
@click.option("--pairs", type=click.IntRange(1), default=10, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--exact", help="The folder of a table of exact values that the champion's search looks positions up in.")
@click.option("--folder", type=click.Path(path_type=Path), help="For the games; rerun to resume or to see the results.")
def main(
    path: Path | None, seconds: float, simulations: int, samuel: Path | None, depth: int, pairs: int, seed: int,
    exact: str | None, folder: Path | None,
) -> None:  # fmt: skip
    """Plays the match and prints the score."""
    path = path or find(GAME).champion
    assert path is not None
    variant, name, strength = "openspiel", "MCTSBot", f"{simulations:,} simulations"
    begin: Callable[[Moves, int], Program] = partial(OpenSpielGame, simulations, seed)
    if samuel:
        variant, name, strength = "american", "Samuel", f"depth {depth}"
        begin = partial(SamuelGame, samuel_in(samuel), depth)
    network, openings = load(path), [opening(variant, 1000 * seed + k, bool(samuel)) for k in range(pairs)]
    values, games, spent = [first_seat_value(network, env) for env, _ in openings], [], (list[float](), list[float]())

    def note(played: list[Played]) -> None:
        for game in played:
            index = game.spec.index
            games.append((points(CHAMPION, game), values[index // 2] * (1 if index % 2 == 0 else -1)))

    champion = TimedPlayer(Expectimax(seconds=seconds, network=network, clock=time.thread_time, table=exact), spent[0])
    score = match(
        GAME, {CHAMPION: champion}, {name: TimedPlayer(Follower(name, begin, openings), spent[1])},
        games=2 * pairs, variant=variant, seed=seed, openings=[env.position() for env, _ in openings],
        workers=Threads(1), folder=folder, on_played=note,
    )  # fmt: skip
    times = [f"{np.mean(seconds):.3f} s" if seconds else "-" for seconds in spent]
    title = f"{path.stem}, {seconds:g} s, against {name}, {strength}"
    show(shown(f"{title}; a ply: {times[0]}, {name} {times[1]}", games))
    print(f"\n{score}")


if __name__ == "__main__":
    main()
