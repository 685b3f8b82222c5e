"""Exact values of Backgammon against GNU Backgammon's own tables, position by position.

    python benchmarks/gnubg_tables.py bear-off [--out FOLDER]                 # two seats with up to six men at home
    makehyper -c 2 -t 2e-6 -f hyper2.bd
    python benchmarks/gnubg_tables.py hyper --table hyper2.bd [--out FOLDER]  # hypergammon with two men

It needs what the Debian package gnubg installs: the table ``gnubg_ts0.bd``, which has 16 bits for each equity, and the
program ``makehyper``, whose tables have 24 bits. The bear-off is also worked out by the rules here in the arithmetic of
``makebearoff``, which made that table: so what comes from its rounding is told from what comes from the rules. The
rules here know hypergammon with three men alone; for two men they are copied, with the set-up of two men in place of
three. Three men take ``makehyper`` a hundred times as long as two.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from math import comb
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

import parlour
from parlour.engine.solving_arrays import LAST, OUT, OVER, PLACE, SAME
from parlour.interfaces.registry import register
from parlour.players.value.exact.parts import PART, Expander
from parlour.rulebook.endings import HOLE
from parlour.rulebook.state_records import records

BEAR_OFF = Path("/var/lib/gnubg/gnubg_ts0.bd")
HEADER, POINTS, MEN = 40, 6, 6
"""Bytes before the first value of any table; of the bear-off table points and men."""
MOST, HALF = 0xFFFF, 0x8000
BEAR_OFF_VALUES = np.dtype([("equity", "<u2", (4,))])
HYPER_VALUES = np.dtype([("shares", "u1", (5, 3)), ("rest", "u1", (13,))])
STEPS, HYPER_POINTS, HYPER_MEN = 24, 25, 2


def number_of(men: list[int], most: int) -> int:
    """The number that GNU Backgammon gives to the men on a seat's points, from the nearest on, of ``most`` men
    (``PositionBearoff`` in its source)."""
    place = sum(men) + len(men) - 1
    bits = 1 << place
    for count in men[:-1]:
        place -= count + 1
        bits |= 1 << place
    number, left = 0, len(men)
    for bit in range(most + len(men) - 1, -1, -1):
        if left == bit + 1:
            break
        if bits >> bit & 1:
            number += comb(bit, left)
            left -= 1
    return number


def bear_off_values(table: Path) -> Callable[[Any], float]:
    """The equity of the seat that throws, without cube, by the men on the points of both seats."""
    values, count = np.fromfile(table, BEAR_OFF_VALUES, offset=HEADER), comb(POINTS + MEN, MEN)
    if len(values) != count**2:
        raise click.ClickException(f"{table} is not a table of {POINTS} points and {MEN} men")

    def value(boards: Any) -> float:
        mine, other = (number_of(board[:POINTS], MEN) for board in boards)
        return float(values["equity"][mine * count + other, 0]) / (MOST / 2) - 1

    return value


def hyper_values(table: Path) -> Callable[[Any], float]:
    """The same of hypergammon, with gammons and backgammons."""
    values, count = np.fromfile(table, HYPER_VALUES, offset=HEADER), comb(HYPER_POINTS + HYPER_MEN, HYPER_MEN)
    if len(values) != count**2:
        raise click.ClickException(f"{table} is not a table of {HYPER_MEN} men")

    def value(boards: Any) -> float:
        mine, other = (number_of(board, HYPER_MEN) for board in boards)
        shares = values["shares"][mine * count + other].astype(np.int64) @ (1, 1 << 8, 1 << 16) / (2**24 - 1)
        won, gammon, backgammon, lost, lost_far = shares.tolist()
        return float(2 * won - 1 + gammon + backgammon - lost - lost_far)

    return value


def with_two_men(folder: Path) -> str:
    """The game with two men in hypergammon, made in ``folder`` from this one's files. Its id."""
    source, copy = Path(str(parlour.envs.__path__[0])) / "backgammon", folder / "backgammon_of_two"
    shutil.copytree(source, copy)
    rules = copy / "rules.py"
    text, three = rules.read_text("utf-8"), "{24: 1, 23: 1, 22: 1}"
    assert three in text
    rules.write_text(text.replace(three, "{24: 1, 23: 1}"), "utf-8")
    sys.path.insert(0, str(folder))
    return register("backgammon_of_two").id


def middles(solution: parlour.Solution) -> dict[int, NDArray[np.float64]]:
    """The values of each tier."""
    return {tier.info.tier: sum(tier.bounds(slice(None))) / 2 for tier in solution.table}


def rounded_values(solution: parlour.Solution) -> dict[int, NDArray[np.float64]]:
    """Those of the bear-off in the arithmetic of ``makebearoff``: a number from 0 to `MOST` for −1 to 1. Another seat's
    x is `MOST` − x. The mean over throws, in numbers from −2¹⁵ on, is cut off towards 0."""
    expander = Expander(solution.table)
    weights = np.array([round(36 * chance) for _, chance in solution.table.game.outcomes(2)])
    values_of: dict[int, NDArray[np.int64]] = {}
    for number, tier in enumerate(solution.table.info.tiers):
        values = values_of[number] = np.zeros(tier.size, np.int64)
        graphs = [*edges_of(expander, number, values_of)]
        before = None
        while before is None or (before != values).any():  # nobody moves backwards, so this ends
            before = values.copy()
            for places, starts, edges, known in reversed(graphs):
                ends = np.where(
                    edges & OUT, known, seen_by(edges & SAME, values[np.where(edges & OUT, 0, edges >> PLACE)])
                )
                total = np.maximum.reduceat(ends, starts).reshape(-1, len(weights)) @ weights - 36 * HALF
                values[places] = np.trunc(total / 36).astype(np.int64) + HALF
    return {number: values / (MOST / 2) - 1 for number, values in values_of.items()}


def edges_of(
    expander: Expander, number: int, values_of: dict[int, NDArray[np.int64]]
) -> Iterator[tuple[NDArray[Any], ...]]:
    """For parts of a tier: its positions, where the edges of each throw begin, the edges, and the values of those that
    lead out."""
    low, size = 0, len(values_of[number])
    while low < size:
        high, out_count = expander.expand(number, low, min(low + PART, size))
        room, out = expander.room, expander.room.out[:out_count]
        known = np.where(out["paid"] > 0, MOST, 0)
        for tier in set(out["tier"].tolist()) - {OVER}:
            at = out["tier"] == tier
            known[at] = seen_by(out["same"][at], values_of[tier][out["index"][at]])
        edges = room.edges[: room.starts[high - low]].astype(np.int64)
        starts = np.flatnonzero(np.append(LAST, edges[:-1]) & LAST)
        spread = np.zeros(len(edges), np.int64)
        spread[edges & OUT != 0] = known[edges[edges & OUT != 0] >> PLACE]
        yield low + np.flatnonzero(room.kinds[: high - low] != HOLE), starts, edges, spread
        low = high


def seen_by(same: NDArray[Any], values: NDArray[np.int64]) -> NDArray[np.int64]:
    """What positions are worth to a seat that is to act there, or not."""
    return np.where(same, values, MOST - values)


def differences(
    solution: parlour.Solution, ours: dict[int, NDArray[np.float64]], theirs: Callable[[Any], float]
) -> NDArray[np.float64]:
    """How far our value of each position is from theirs."""
    states, apart = records(1, solution.table.game.rules.STATE), []
    endings, variant = solution.table.game.endings, records(1, solution.table.game.variant_dtype)
    solution.table.game.fill_variant(variant[0], solution.info.values)
    for tier, values in ours.items():
        for index, value in enumerate(values.tolist()):
            if endings.place(tier, index, states[0], variant[0]) != HOLE:
                boards = [[*states["men"][0, seat, ::-1].tolist(), int(states["bar"][0, seat])] for seat in range(2)]
                apart.append(value - theirs(boards))
    return np.array(apart)


@click.command()
@click.argument("what", type=click.Choice(["bear-off", "hyper"]))
@click.option("--table", type=click.Path(path_type=Path), default=BEAR_OFF, show_default=True)
@click.option("--men", type=click.IntRange(1, MEN), default=MEN, show_default=True, help="Of the bear-off.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder to keep our table in.")
def main(what: str, table: Path, men: int, out: Path | None) -> None:
    """Compares every position of a table."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = out or Path(scratch) / "table"
        if what == "bear-off":
            theirs = bear_off_values(table)
            solution = parlour.solve("backgammon-v0", out=folder, men=men)
        else:
            theirs, game = hyper_values(table), with_two_men(Path(scratch))
            solution = parlour.solve(game, variant="hyper", gammons="counted", out=folder, men=HYPER_MEN)
        apart = np.abs(differences(solution, middles(solution), theirs))
        print(
            f"{solution.table.label}: {len(apart):,} positions, {apart.max():.1e} apart at most, {apart.mean():.1e} on "
            f"average; our bounds are {solution.gap:.1e} apart at most"
        )
        if what == "bear-off":
            same = np.count_nonzero(differences(solution, rounded_values(solution), theirs) == 0)
            print(f"in the arithmetic of makebearoff {same:,} of them are the same")


if __name__ == "__main__":
    main()
