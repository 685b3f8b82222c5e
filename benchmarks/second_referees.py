"""Games here and in another program, in random play: the same positions, moves and results.

    python benchmarks/second_referees.py [standard hyper pgx gnubg finkel masters blitz aseb] [--games 20000] [--jobs 2]

Backgammon's `standard` and `hyper` are compared with OpenSpiel's, turn by turn; `pgx` compares `standard` with pgx's,
`gnubg` and `gnubg-nackgammon` with those of GNU Backgammon (on Debian, ``apt-get install gnubg``);
the variants of the Royal Game of Ur are compared with those of the package `royalur`, ply by ply. It stops where the
two first differ. OpenSpiel has no Nackgammon; and in hypergammon OpenSpiel 2.0.2 pays nobody, so that only standard
games compare the rewards, with gammons and backgammons. pgx and gnubg are slow here; they are compared only if named.
"""

from __future__ import annotations

import random
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import Any

import click
import peers  # noqa: F401  with which the helpers of the tests can be imported

from tests.games.royal_ur.variants import VARIANT_OPTIONS as UR

BACKGAMMON = ("standard", "hyper")
GNUBG = {"gnubg": "standard", "gnubg-nackgammon": "nackgammon"}
PART, SHOWN = 100, 1000
"""Games that a process plays at a time, and after how many the result is printed again."""


def compare(variant: str, first: int, games: int) -> int:
    """Compares random games, at most `PART` of them from seed ``first`` on. Returns how many turns, or plies."""
    seeds = range(first, min(first + PART, games))
    if variant in UR:
        from tests.support import royal_ur_royalur

        return royal_ur_royalur.compare(UR[variant], seeds)
    if variant in GNUBG:
        from gnubg_program import Gnubg

        with Gnubg() as gnubg:
            return sum(compare_with(gnubg, GNUBG[variant], seed) for seed in seeds)
    if variant == "pgx":
        from tests.support import backgammon_pgx

        return backgammon_pgx.compare(seeds)
    from tests.support import backgammon_openspiel

    return sum(backgammon_openspiel.compare(variant, seed) for seed in seeds)


def compare_with(gnubg: Any, setup: str, seed: int) -> int:
    """Compares the ends of all turns of a random game. Returns how many turns."""
    from tests.support.backgammon_turns import after_turn, position_of, start, throw, variant_of

    rng, variant = random.Random(seed), variant_of(setup=setup)
    states, turns, reward = start(variant, seed % 2), 0, 0.0
    while not reward:
        before, faces = position_of(states, int(states["to_act"][0])), (rng.randint(1, 6), rng.randint(1, 6))
        throw(states, variant, faces)
        ours, theirs = after_turn(states, variant), gnubg.after_turn(before, faces)
        if ours.keys() != theirs:
            raise click.ClickException(f"{before} with {faces}: {ours.keys() ^ theirs}")
        states, reward, _ = ours[rng.choice(sorted(ours))]
        turns += 1
    return turns


@click.command()
@click.argument("variants", nargs=-1, type=click.Choice([*BACKGAMMON, "pgx", *GNUBG, *UR]))
@click.option("--games", default=20_000, show_default=True, type=click.IntRange(1), help="Of each variant.")
@click.option("--first", default=0, show_default=True, type=click.IntRange(0), help="Leave out so many of these.")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1), help="Processes.")
def main(variants: tuple[str, ...], games: int, first: int, jobs: int) -> None:
    """Compares VARIANTS, all but pgx and gnubg by default, and says how much was the same."""
    for variant in variants or (*BACKGAMMON, *UR):
        began, alike, word = time.perf_counter(), 0, "plies" if variant in UR else "turns"
        with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
            parts = range(first, games, PART)
            for begun, same in zip(parts, pool.map(partial(compare, variant, games=games), parts)):
                alike, end = alike + same, min(begun + PART, games)
                if end % SHOWN == 0 or end == games:
                    seconds = time.perf_counter() - began
                    print(f"{variant}: {end - first} games, {alike} {word} alike, {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
