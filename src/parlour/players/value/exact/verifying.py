"""Compares every value of a table with one step of the rules: by the kernels for all positions, and uncompiled for a
sample."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.kernels import solving
from parlour.engine.solving_arrays import OUT, PLACE, Graph
from parlour.interfaces.registry import register
from parlour.players.value.exact.parts import Expander, Part, parts_of
from parlour.players.value.exact.tables import INFO, ROUNDING, Progress, Table, TableInfo, TierTable
from parlour.support.jobs import ThreadJobs
from parlour.support.typed_json import read_json
from parlour.support.uncompiled import run_uncompiled

SAMPLE = 1000


def verify(table: Table, sample: int, progress: Progress) -> int:
    """Checks a table: checksums, and each value against those one turn later; ``sample`` positions by the rules
    uncompiled, in another process. Returns how many positions were compared.

    Raises:
        ValueError: for a file that is damaged or missing, and a value that is wrong; it names the tier and the number.
    """
    expander, done, total = Expander(table), 0, sum(tier.size for tier in table.info.tiers)
    with ThreadJobs() as run:
        for number, tier in enumerate(table.info.tiers):
            progress(done, total, tier.name)
            if tier.size:
                values_of_tier = table[number]
                values = _values(values_of_tier, slice(None))
                for part in parts_of(table, number, run):
                    _compare(expander, number, values_of_tier, part, values, part.first)
            done += tier.size
    if sample:
        _, problem = run_uncompiled(__name__, str(table.folder.absolute()), table.game.package, str(sample))
        if problem:
            raise ValueError(f"uncompiled, the rules say otherwise: {problem}")
    return sum(tier.info.positions for tier in table)


def _values(tier: TierTable, index: Any) -> NDArray[Any]:
    """Bounds float64 (K, 2) or codes int16 (K,) of positions."""
    return np.stack(tier.bounds(index), axis=1) if tier.info.kind in ("steps", "bounds") else tier.codes(index)


def _compare(expander: Expander, number: int, tier: TierTable, part: Part, values: NDArray[Any], start: int) -> None:
    """ValueError if a value of a part is not what those of the ends of turns make it. ``values``: those of the
    positions that the part's edges name; its own from ``start`` on."""
    if expander.dice:
        slack = 4 * ROUNDING + (expander.table.info.precision if tier.info.kind == "steps" else 0)
        wrong, at = solving.check_bounds(start, expander.chances, part.graph, part.out, slack, values)
    else:
        wrong, at = solving.check_codes(start, part.graph, part.out, values)
    if wrong:
        raise ValueError(
            f"{expander.table.path(number)}: {wrong} values are wrong; the first is number {part.first + at - start} "
            f"of tier {number}, {tier.info.name!r}"
        )


def main(folder: str, package: str, sample: str) -> None:
    """Compares a sample of positions one by one, in a process that compiles nothing. ValueError as `verify` raises
    it."""
    game = register(package)
    table = Table(Path(folder), game, read_json(Path(folder) / INFO, TableInfo))
    expander, ends = Expander(table), np.cumsum([tier.size for tier in table.info.tiers])
    chosen = np.random.default_rng(0).choice(ends[-1], min(int(sample), ends[-1]), replace=False)
    for position in np.sort(chosen).tolist():
        number = int(np.searchsorted(ends, position, side="right"))
        index = position - int(ends[number]) + table.info.tiers[number].size
        for part in expander.parts(number, index, index + 1):
            edges = part.graph.edges.astype(np.int64)
            inside = edges & OUT == 0
            known = np.unique([index, *(edges[inside] >> PLACE)])
            edges[inside] = np.searchsorted(known, edges[inside] >> PLACE) << PLACE | edges[inside] & ((1 << PLACE) - 1)
            graph = Graph(part.graph.kinds, part.graph.starts, edges, part.graph.out)
            start = int(np.searchsorted(known, index))
            tier = table[number]
            _compare(expander, number, tier, part._replace(graph=graph), _values(tier, known), start)
