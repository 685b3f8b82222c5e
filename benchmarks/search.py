"""Monte Carlo tree search: how fast its roll-outs are, what of its time the rules take, and OpenSpiel's own beside it.

All on one thread, with uniformly random roll-outs, from the start of the game and a new tree each time. Seconds are
those of the processor that the thread had, so that other work on the machine tells less.

* Roll-outs: plies of roll-outs over the seconds of the whole search.
* The rules' share: `mcts` counts its plies, in the tree and in roll-outs. As many plies of random games are recorded
  with their throws, and played again by the rule kernels alone (`legal`, `apply`, `dice_due`, `throw`), each action
  being read off the mask, so that no kernel can run ahead of another. That time, for so many plies, over the time of
  the search is the share. What is left is choosing actions, drawing dice, counting plies, the tree and its values.
* OpenSpiel: `pyspiel.MCTSBot`, its C++ search, with one random roll-out a simulation, on its game of checkers.

python benchmarks/search.py [--game agon-v0] [--rounds 9] [--simulations 2000]
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import click
import numba
import numpy as np
import pyspiel
from peers import games_option, rounds, rounds_option, show, table

import parlour
from parlour.engine.game import Game
from parlour.engine.games import Games
from parlour.engine.inlined import inlined
from parlour.engine.kernels import ply
from parlour.engine.variant_mix import read_variants
from parlour.interfaces.registry import find
from parlour.players import GamesView
from parlour.players.search import Mcts
from parlour.players.simulate import game_seeds
from parlour.rulebook.masks import count_legal, random_legal
from parlour.rulebook.protocol import RUNNING
from parlour.rulebook.state_records import records

ROLL_OUTS = 400
"""The number of games that are recorded and played again by the rules alone."""
MAX_PLIES_PLAYED, MAX_THROWS = 4096, 16
"""Plies, and throws, that are recorded of a game at most; and throws that follow a ply at most."""


class Recorded(NamedTuple):
    """Random games: what the rules need to play them again."""

    lengths: Any
    """int64 (R,): plies"""
    actions: Any
    """int64 (R, T)"""
    throws: Any
    """int8 (R, T, dice): the throws after the plies"""


def started(game: str, variant: str) -> Games:
    """One game of its own seed, just begun."""
    known = find(game)
    games = Games(known, read_variants(known, variant, {}), 1)
    games.begin(np.array(game_seeds(0, 1), np.uint64))
    return games


def searched(games: Games, simulations: int) -> tuple[float, int, int]:
    """A search of the first row from nothing: its seconds, its plies in roll-outs and those in the tree."""
    player, actions, rows = Mcts(simulations), np.zeros(1, np.int64), np.ones(1, np.bool_)
    began = time.thread_time()
    player.choose(GamesView(games), rows, actions)
    seconds = time.thread_time() - began
    assert player._forest is not None
    return seconds, player.rolled, int(player._forest.trees.edges["visits"].sum())


def compiled_loops(game: Game) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """``record`` and ``play_again`` for a game's rules."""
    rules, functions = game.rules, inlined(game)
    compiled = numba.njit(nogil=True, error_model="numpy", _nrt=False)

    @compiled
    def record(
        r: int, state: Any, variant: Any, stream: Any, forced_dice: Any, faces: Any, seen: Any, mask: Any,
        words: Any, rewards: Any, recorded: Any,
    ) -> None:  # fmt: skip
        """A random game from ``state``, as roll-outs play it, into row r of ``recorded`` (`Recorded`)."""
        played, throws = 0, 0
        while state.end == RUNNING and max(played, throws) + MAX_THROWS < recorded.actions.shape[1]:
            rules.legal(state, variant, mask, words)
            action = random_legal(words, count_legal(words), stream)
            recorded.actions[r, played] = action
            played += 1
            ply.open_ply(functions, state, variant, action, rewards)
            while rules.dice_due(state, variant) > 0 and state.end == RUNNING:
                due = rules.dice_due(state, variant)
                functions.next_faces(due, stream, forced_dice, faces)
                for k in range(due):
                    recorded.throws[r, throws, k] = faces[k]
                throws += 1
                rules.throw(state, variant, faces, rewards)
            ply.close_ply(functions, state, variant, seen, rewards)
        recorded.lengths[r] = played

    @compiled
    def play_again(start: Any, state: Any, variant: Any, mask: Any, words: Any, rewards: Any, recorded: Any) -> None:
        """All recorded games by the rules alone. ``start`` and ``state``: one record each."""
        for r in range(recorded.lengths.shape[0]):
            state[0] = start[0]
            throws = 0
            for k in range(recorded.lengths[r]):
                rules.legal(state[0], variant, mask, words)
                action = recorded.actions[r, k]
                rules.apply(state[0], variant, action * mask[action], rewards)
                while rules.dice_due(state[0], variant) > 0 and state[0].end == RUNNING:
                    rules.throw(state[0], variant, recorded.throws[r, throws], rewards)
                    throws += 1

    return record, play_again


def rules_alone(games: Games) -> Callable[[], float]:
    """A measure: seconds a ply of random games by the rule kernels alone."""
    game, rules = games.game, games.game.rules
    record, play_again = compiled_loops(game)
    state, variant = records(1, rules.STATE), games.variants.copy()
    variant["repetition"] = 0  # as roll-outs are played
    stream, faces = games.player_rng.copy(), np.zeros(max(len(rules.DICE), 1), np.int8)
    mask, rewards, seen = np.zeros_like(games.masks[0]), np.zeros(games.layout.seats), np.zeros(1, np.uint64)
    words = mask.view(np.uint64)
    shape = ROLL_OUTS, MAX_PLIES_PLAYED
    throws = np.zeros((*shape, len(faces)), np.int8)
    recorded = Recorded(np.zeros(ROLL_OUTS, np.int64), np.zeros(shape, np.int64), throws)
    for r in range(ROLL_OUTS):
        state[0] = games.states[0]
        record(r, state[0], variant[0], stream[0], games.forced_dice, faces, seen, mask, words, rewards, recorded)
    again = games.states.copy(), state, variant[0], mask, words, rewards, recorded
    play_again(*again)

    def measure() -> float:
        began = time.thread_time()
        play_again(*again)
        return (time.thread_time() - began) / int(recorded.lengths.sum())

    return measure


def openspiel_search(simulations: int) -> float:
    """Simulations a second of OpenSpiel's C++ search at the start of its checkers."""
    game = pyspiel.load_game("checkers")
    evaluator = pyspiel.RandomRolloutEvaluator(1, 0)
    bot = pyspiel.MCTSBot(game, evaluator, 2**0.5, simulations, 1000, False, 0, False)
    state = game.new_initial_state()
    began = time.thread_time()
    bot.step(state)
    return simulations / (time.thread_time() - began)


@click.command()
@games_option
@rounds_option(9)
@click.option("--simulations", default=2000, show_default=True)
def main(games: tuple[str, ...], count: int, simulations: int) -> None:
    """Prints plies and simulations a second (medians), shares and ratios."""
    grid = table(
        f"mcts:{simulations}, median of {count} rounds", "game", "variant", "roll-out plies a second",
        "plies a roll-out", "simulations a second", "ns a ply", "rules alone, ns", "share of the rules",
    )  # fmt: skip
    for game in games:
        variant = next(iter(parlour.variants(game)))
        played = started(game, variant)
        searched(played, simulations)
        _, rolled, in_tree = searched(played, simulations)
        measures = [lambda played=played: searched(played, simulations)[0], rules_alone(played)]
        seconds, of_rules = rounds(measures, count)
        a_ply = seconds / (rolled + in_tree)
        grid.add_row(
            game, variant, f"{rolled / seconds:,.0f}", f"{rolled / simulations:.0f}", f"{simulations / seconds:,.0f}",
            f"{1e9 * a_ply:.0f}", f"{1e9 * of_rules:.0f}", f"{100 * of_rules / a_ply:.0f} %",
        )  # fmt: skip
    show(grid)
    if "checkers-v0" not in games:
        return
    beside = table("Beside OpenSpiel's checkers, simulations a second", "variant", "OpenSpiel", "mcts", "×")
    for variant in parlour.variants("checkers-v0"):
        played = started("checkers-v0", variant)
        searched(played, simulations)
        measures = [
            lambda: openspiel_search(simulations),
            lambda played=played: simulations / searched(played, simulations)[0],
        ]
        theirs, ours = rounds(measures, count)
        beside.add_row(variant, f"{theirs:,.0f}", f"{ours:,.0f}", f"{ours / theirs:.1f}")
    show(beside)


if __name__ == "__main__":
    main()
