"""The champion of Checkers against OpenSpiel's C++ tree search, under OpenSpiel's rules.

    python benchmarks/openspiel_match.py --simulations 10000 --games 20

Each pair of games begins after six random plies and is played with the seats exchanged. The champion thinks for a
fixed processor time per ply, so that other work on the machine has little influence. `MCTSBot` plays one random rollout
per simulation, with exploration constant 2 and with its solver, which proves wins. The command prints how many games
the champion has won, drawn and lost, and the mean processor time per ply of both.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path
from typing import Any

import click
import numpy as np
import pyspiel
from peers import show
from rich.table import Table as Grid

import parlour
from parlour.players import GamesView
from parlour.registry import find
from parlour.search.expectimax import Expectimax
from parlour.value import load

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.support.openspiel_moves import our_name

GAME, VARIANT, OPENING = "checkers-v0", "openspiel", 6
EXPLORATION, MAX_MEMORY_MB = 2.0, 1000


class Board:
    """One game, held by both libraries at once."""

    def __init__(self) -> None:
        """Begins a game."""
        self.env = parlour.make(GAME, variant=VARIANT).unwrapped
        self.env.reset(seed=0)
        self.state = pyspiel.load_game("checkers").new_initial_state()

    def moves(self) -> dict[str, int]:
        """The legal actions: from our names to OpenSpiel's numbers."""
        seat = self.state.current_player()
        return {our_name(self.state.action_to_string(seat, one)): one for one in self.state.legal_actions()}

    def play(self, move: str) -> None:
        """Plays a move, given by our name, in both libraries."""
        theirs = self.moves()[move]
        self.env.step(self.env.parse_move(move))
        self.state.apply_action(theirs)

    @property
    def seat(self) -> int:
        """The seat to act."""
        return int(self.state.current_player())


class Sides:
    """The two players, and the processor time that they take."""

    def __init__(self, champion: Expectimax, simulations: int, seed: int, seconds: dict[str, list[float]]) -> None:
        """``seconds``: the lists to which the time of every ply is appended."""
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        self.bot: Any = pyspiel.MCTSBot(
            pyspiel.load_game("checkers"), evaluator, EXPLORATION, simulations, MAX_MEMORY_MB, True, seed, False
        )
        self.champion, self.seconds = champion, seconds

    def choose(self, board: Board, by_champion: bool) -> str:
        """The name of the move that the champion or the bot chooses."""
        began = time.thread_time()
        if by_champion:
            actions = np.zeros(1, np.int64)
            self.champion.choose(GamesView(board.env.games), np.ones(1, np.bool_), actions)
            move: str = board.env.move_name(int(actions[0]))
        else:
            theirs = self.bot.step(board.state)
            move = our_name(board.state.action_to_string(board.seat, theirs))
        self.seconds["champion" if by_champion else "bot"].append(time.thread_time() - began)
        return move


def opened(seed: int) -> Board:
    """A game after `OPENING` random plies."""
    rng = random.Random(seed)
    board = Board()
    for _ in range(OPENING):
        board.play(rng.choice(list(board.moves())))
    return board


@click.command()
@click.option("--network", type=click.Path(path_type=Path), help="A value network. Default: the champion's.")
@click.option("--seconds", default=0.05, show_default=True, help="The champion's thinking time per ply.")
@click.option("--simulations", default=10_000, show_default=True)
@click.option("--games", default=20, show_default=True, help="An even number.")
@click.option("--seed", default=1, show_default=True)
def main(network: Path | None, seconds: float, simulations: int, games: int, seed: int) -> None:
    """Plays the match. Prints the score after each pair of games."""
    if games < 2 or games % 2:
        raise click.BadParameter(f"{games} is not an even number of games", param_hint="--games")
    results, spent = list[float](), {"champion": list[float](), "bot": list[float]()}
    champion = find(GAME).champion
    assert champion is not None
    weights = load(network or champion)
    for k in range(games):
        board = opened(1000 * seed + k // 2)
        player = Expectimax(seconds=seconds, network=weights, clock=time.thread_time)
        sides = Sides(player, simulations, seed + k, spent)
        while not board.state.is_terminal() and not board.env.is_over():
            board.play(sides.choose(board, by_champion=board.seat == k % 2))
        results.append(float(board.state.player_return(k % 2)) if board.state.is_terminal() else 0.0)
        if k % 2:
            print(f"{k + 1} games: {sum(one > 0 for one in results)} won, {results.count(0)} drawn", flush=True)
    grid = Grid(
        title=f"{network or 'champion'}, {seconds:g} s, against MCTSBot, {simulations:,} simulations",
        title_justify="left",
    )
    for column in ("games", "won", "drawn", "lost", "champion, s a ply", "bot, s a ply"):
        grid.add_column(column)
    counts = [sum(np.sign(one) == sign for one in results) for sign in (1, 0, -1)]
    grid.add_row(str(games), *map(str, counts), *(f"{np.mean(one):.3f}" for one in spent.values()))
    show(grid)


if __name__ == "__main__":
    main()
