"""How much each heuristic of `expectimax` helps: the search with all heuristics against the search without one of them.

For each heuristic it prints:

* Nodes and time that a search to a depth takes without it, relative to the search with all heuristics. Searches begin
  at midgame positions of the game's first variant, each with an empty transposition table.
* By how many Elo the search with all heuristics is ahead of the search without it, with the same time per ply. They
  play pairs of games from random openings, as many of each variant.

Times are processor time on one thread. A heuristic that only saves time shows in nodes and time; one that changes the
result of a search, such as reductions, shows only in Elo.

    python benchmarks/heuristics.py --game checkers-v0 [--only killers --pairs 200] [--folder FOLDER]

By default it plays 10 pairs per heuristic at 0.01 s per ply, some minutes in all. That is enough to notice that a
heuristic is broken, but not to measure what it is worth: see the intervals.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
from peers import matches, midgames, show, table

import parlour
from parlour.arena.matches.tally import elo_text
from parlour.engine.search_arrays import HEURISTICS
from parlour.learn.strength import pooled
from parlour.players import GamesView
from parlour.players.search.expectimax import ALL_HEURISTICS, Expectimax, Heuristics

DEPTHS = {"swords_and_shields-v0": 6, "checkers-v0": 12, "agon-v0": 6, "acey_ducey-v0": 3}
"""The depth of the searches whose nodes are counted."""


class Effort(NamedTuple):
    """The average nodes and seconds of a search to a depth."""

    nodes: float
    seconds: float


def effort(envs: list[Any], depth: int, heuristics: Heuristics) -> Effort:
    """The effort of searching these positions, each with an empty table."""
    nodes, seconds = [], []
    for start in (envs[0], *envs):  # the first search may compile, and is not counted
        player, env = Expectimax(depth, heuristics=heuristics), start.clone()  # the clone keeps the random stream
        env.games.observe()
        began = time.thread_time()
        nodes.append(player.consider(GamesView(env.games)).nodes)
        seconds.append(time.thread_time() - began)
    return Effort(float(np.mean(nodes[1:])), float(np.mean(seconds[1:])))


def margin(game: str, pairs: int, seconds: float, without: Heuristics, seed: int, folder: Path | None) -> str:
    """By how many Elo the search with all heuristics is ahead of the one ``without`` one of them, in words."""
    on, off = (
        Expectimax(seconds=seconds, heuristics=used, clock=time.thread_time) for used in (ALL_HEURISTICS, without)
    )
    scores = matches(game, {"all on": on}, {"without": off}, pairs, tuple(parlour.variants(game)), seed, folder)
    return elo_text(pooled("without", list(scores.values())).elo)


@click.command()
@click.option("--game", default="swords_and_shields-v0", show_default=True)
@click.option(
    "--only",
    "names",
    multiple=True,
    type=click.Choice(list(HEURISTICS)),
    help="Only this one; repeatable. Default: all.",
)
@click.option("--depth", type=int, help=f"The depth at which nodes are counted; default: {DEPTHS}.")
@click.option("--positions", default=20, show_default=True)
@click.option("--pairs", default=10, show_default=True, help="Pairs of games per heuristic; 0: none.")
@click.option("--seconds", default=0.01, show_default=True, help="Thinking time per ply.")
@click.option("--seed", default=1, show_default=True)
@click.option("--folder", type=click.Path(path_type=Path), help="For the games; rerun to resume.")
def main(
    game: str, names: tuple[str, ...], depth: int | None, positions: int, pairs: int, seconds: float, seed: int,
    folder: Path | None,
) -> None:  # fmt: skip
    """Measures the search without each heuristic, one at a time."""
    envs, plies = midgames(game, positions, seed), depth or DEPTHS.get(game, 4)
    base = effort(envs, plies, ALL_HEURISTICS)
    title = f"{game}: all on, depth {plies}: {base.nodes:.0f} nodes, {1e3 * base.seconds:.2f} ms; {seconds:g} s a ply"
    grid = table(title, "without", "nodes", "time", "all on is ahead by, Elo")
    for name in names or HEURISTICS:
        without = replace(ALL_HEURISTICS, **{name: False})
        reduced = effort(envs, plies, without)
        if reduced.nodes == base.nodes:
            grid.add_row(name, "the same", "", "it has no effect here")
            continue
        ahead = margin(game, pairs, seconds, without, seed, folder and folder / name) if pairs else ""
        grid.add_row(name, f"× {reduced.nodes / base.nodes:.2f}", f"× {reduced.seconds / base.seconds:.2f}", ahead)
    show(grid)


if __name__ == "__main__":
    main()
