"""Makes tables of exact values, tier by tier.

In a game with dice, positions have a lower and an upper bound of what the seat to act can expect, at first the most
that can be won or lost where turns leave the tier.
Each step takes the mean over throws of the best ends of a turn, once of lower and once of upper bounds, so both stay
bounds. Where play could go on for ever the upper ones might never come down (Kelmendi et al., CAV 2018): then what is
stored says how far they are apart. In a game without dice, wins and losses are found by their number of turns,
backwards from ends; all others are draws, since nobody can be made to leave them.

The positions of a tier are divided into parts. With dice, a step takes `WAVE` parts at a time; each goes on from its
own latest bounds, and from those that the others had before. So the parts of a wave can be worked on at the same time,
and the bounds are the same whatever the number of threads.

A tier's file is written when all of it is known, and is the same however often the work is interrupted.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parlour.engine.kernels import solving as kernels
from parlour.engine.solving_arrays import NO_CODE, OPEN
from parlour.interfaces.registry import find
from parlour.players.value.exact.parts import Expander, Part, expand_range, parts_of, turns_of
from parlour.players.value.exact.solution import Solution
from parlour.players.value.exact.tables import (
    DTYPES,
    FARTHEST_SHORT,
    NO_SHORT_CODE,
    ROUNDING,
    Progress,
    Table,
    TierInfo,
    begin_table,
    rounded,
    step_of,
    write_info,
    write_tier,
)
from parlour.rulebook.endings import HOLE
from parlour.support.arguments import real_number, whole_number
from parlour.support.files import remove_unfinished
from parlour.support.jobs import MAX_THREADS, RunJobs, ThreadJobs, usable_cores
from parlour.support.locks import locked

PRECISION = 1e-9
"""How far bounds are apart at most in a game with dice, if they come together."""
STALLED = 1e-15
"""If no bound changes by more in a sweep, they will not come together."""
SAMPLE, SAMPLES = 64, 16
"""Positions of a part of the sample from which memory is estimated, and the number of parts."""
WAVE = 4
"""Parts that are swept together, whatever the number of threads, so that bounds do not depend on it. (Of a large tier's
parts few more sweeps are needed than one after another; of a small one's up to a third.)"""
BASE, THREAD = 256 << 20, 16 << 20
"""Bytes that are needed besides those of positions: in all, and of each thread."""


def solve(
    game: str,
    *,
    out: str | Path,
    variant: str | None = None,
    precision: float = PRECISION,
    memory: int | None = None,
    threads: int | None = None,
    run: RunJobs | None = None,
    progress: Progress = lambda done, total, what: None,
    **values: Any,
) -> Solution:
    """Solves a game, or its endings, and keeps the table in a folder; goes on with a table that is there half done.

    Args:
        game: an id such as ``"checkers-v0"``.
        out: the folder. It holds one table.
        variant: a name from `parlour.variants`; None: the first.
        precision: in a game with dice, how far lower and upper bounds may be apart.
        memory: how many bytes may be used; None: all that are free.
        threads: how many; None: one per core. The table does not depend on it.
        run: what finds out where turns lead, such as `parlour.arena.Cluster`, whose machines must all
            see the folder; None: the threads. The table does not depend on it.
        progress: is called now and then: see `Progress`.
        **values: option values, and what bounds the table, such as ``pieces=4`` in Checkers.

    Raises:
        ValueError: for a game without endings, invalid values, another table in the folder, a folder that another
            process is solving in, or too little memory.
        OSError: if the folder can't be written.
    """
    known = find(game)
    limit = 0
    bound = known.endings.LIMIT
    if bound is not None:
        limit = bound.read(values.pop(bound.name)) if bound.name in values else bound.default
    threads = usable_cores() if threads is None else whole_number("threads", threads, 1, MAX_THREADS)
    memory = None if memory is None else whole_number("memory", memory, 1)
    precision = real_number("precision", precision, 10 * ROUNDING, 1)
    chosen, resolved = known.resolve(variant, values)
    if resolved.get("repetition") and resolved.get("repeats", "draw") != "draw":
        raise ValueError("a table knows nothing of earlier positions: solve with repeats='draw', or repetition=0")
    table = begin_table(Path(out), known, chosen.name, resolved, limit, precision)
    room = _Memory(_free_memory() if memory is None else memory, BASE + threads * THREAD)
    if table.left:
        draft = replace(table, suffix="bounds") if Expander(table).dice else table
        expander = Expander(draft)
        needed = needs(draft, expander, room)  # too much is refused before the folder is made
        with locked(table.folder), ThreadJobs(threads) as here:
            _solve_tiers(_Work(draft, expander, room, here, run or here), needed, progress)
            for number in table.left:
                write_tier(table.path(number), *rounded(draft[number], table.info.precision))
    for path in table.folder.glob("tier-*.bounds"):
        path.unlink(missing_ok=True)
    return Solution(table)


class _Memory(NamedTuple):
    """Bytes."""

    most: int | None
    """That may be used; None: no limit"""
    base: int
    """That are needed besides those of positions"""


class _Work(NamedTuple):
    """What solves the tiers of a table."""

    table: Table
    expander: Expander
    memory: _Memory
    here: ThreadJobs
    run: RunJobs
    """What expands ranges of positions"""


def _solve_tiers(work: _Work, needed: str, progress: Progress) -> None:
    table, tiers = work.table, work.table.info.tiers
    done, total = 0, sum(tier.size for tier in tiers)
    progress(0, total, needed)
    write_info(table)
    remove_unfinished(table.folder)
    for number, tier in enumerate(tiers):
        if not table.is_solved(number):
            progress(done, total, tier.name)
            solve_tier = _with_dice if work.expander.dice else _without_dice
            write_tier(table.path(number), *solve_tier(work, number))
        done += tier.size
        progress(done, total, tier.name)


# --- memory ---


def needs(table: Table, expander: Expander, memory: _Memory) -> str:
    """What solving a table needs, in words. ValueError if that is more than there is."""
    largest = max(range(len(table.info.tiers)), key=lambda tier: table.info.tiers[tier].size)
    size, edges = table.info.tiers[largest].size, _edges(expander, largest)
    each = 36 if expander.dice else 20 + 14 * edges
    least, most = memory.base + round(size * each), memory.most
    peak = memory.base + round(size * (36 + 6 * edges)) if expander.dice else least
    widths = [DTYPES[kind].itemsize for kind in (("bounds", "steps") if expander.dice else ("int16",))]
    disk = sum(tier.size for tier in table.info.tiers) * sum(widths)
    text = f"{_amount(peak)} of memory, {_amount(disk)} on disk"
    if most is not None and least > most:
        fits = _what_fits(table, most - memory.base, each)
        raise ValueError(f"{table.label} needs {_amount(least)} of memory, and {_amount(most)} are free{fits}")
    return f"needs about {text}" if most is None or peak <= most else f"needs about {text}; slower with less memory"


def _edges(expander: Expander, tier: int) -> float:
    """About how many edges a position of a tier has: the mean of a sample. (Ends in tiers that are not solved yet have
    no value, so only the kernel is asked.)"""
    size, edges, seen = expander.table.info.tiers[tier].size, 0, 0
    for low in np.linspace(0, max(size - SAMPLE, 0), SAMPLES).astype(np.int64).tolist():
        end, _ = expander.expand(tier, low, min(low + SAMPLE, size))
        edges, seen = edges + int(expander.room.starts[end - low]), seen + end - low
    return edges / max(seen, 1)


def _what_fits(table: Table, room: int, each: float) -> str:
    """The highest limit for which positions fit into ``room`` bytes, as the end of a message."""
    bound = table.game.endings.LIMIT
    for limit in range(table.info.limit - 1, bound.minimum - 1 if bound else 0, -1):
        largest = max(tier.size for tier in table.game.endings.tiers(table.info.values, limit))
        if largest * each <= room:
            return f"; {bound.name} {limit} would fit"
    return ""


def _amount(size: float) -> str:
    return f"{size / 2**30:.1f} GiB" if size >= 2**30 else f"{size / 2**20:.0f} MiB"


def _free_memory() -> int | None:
    """Bytes that are free; None where the system does not say."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            lines = dict(line.split(":") for line in file)
        return int(lines["MemAvailable"].split()[0]) << 10
    except (OSError, KeyError, ValueError):
        return None


# --- a tier of a game with dice ---


def _with_dice(work: _Work, tier: int) -> tuple[TierInfo, NDArray[Any]]:
    info = work.table.info
    size = info.tiers[tier].size
    values = np.zeros((size, 2))
    most = 0.0  # of what turns that leave the tier are worth, and so of what a position can be
    positions, room = 0, np.inf if work.memory.most is None else work.memory.most - work.memory.base - values.nbytes
    planned: list[Part | _Range] = []
    for part in parts_of(work.table, tier, work.run):
        holes = part.graph.kinds == HOLE
        end = part.first + len(holes)
        positions += len(holes) - int(holes.sum())
        values[part.first : end, 1] = ~holes
        most = max(most, float(np.abs(part.out).max(initial=0)))
        room -= part.size
        planned.append(part if room > 0 else _Range(part.first, end))
    values[:, 1] *= most
    values[:, 0] = -values[:, 1]
    # Rounding to steps widens bounds by a step, so that much of the precision is left for it where it is little enough.
    # Bounds take over what those of earlier tiers lack, so the first tier must come closest, and the last least.
    step = step_of(most) + 2 * ROUNDING
    apart = info.precision - (step if 2 * step < info.precision else 0)
    target = apart * (tier + 1) / len(info.tiers) - 4 * ROUNDING
    waiting = [*reversed(planned)]
    while waiting:
        still, most = [], 0.0
        for at in range(0, len(waiting), WAVE):
            wave = waiting[at : at + WAVE]
            swept = work.here([partial(_sweep, work, tier, one, target, values) for one in wave])
            for item, (fresh, left, changed) in zip(wave, swept):
                values[item.first : item.first + len(fresh)] = fresh
                most = max(most, changed)
                if left:
                    still.append(item)
        waiting = still if most > STALLED else []
    bounds = np.empty(size, DTYPES["bounds"])
    bounds["low"] = values[:, 0] - ROUNDING
    bounds["width"] = values[:, 1] - values[:, 0] + 2 * ROUNDING
    tier_info = info.tiers[tier]
    return TierInfo(tier, tier_info.name, size, positions, "bounds", float(bounds["width"].max())), bounds


class _Range(NamedTuple):
    """A part that is not kept, but worked out again in each sweep."""

    first: int
    end: int


def _sweep(
    work: _Work, tier: int, item: Part | _Range, target: float, values: NDArray[np.float64]
) -> tuple[NDArray[np.float64], int, float]:
    """The bounds of a part after one more step (N, 2), and what the kernel ``sweep`` returns: a job."""
    part = item if isinstance(item, Part) else expand_range(work.table, tier, item.first, item.end)[0]
    fresh = values[part.first : part.first + len(part.graph.kinds)].copy()
    chances = work.expander.chances
    return fresh, *kernels.sweep(part.first, chances, part.graph, part.out, target, values, fresh)


# --- a tier of a game without dice ---


def _without_dice(work: _Work, tier: int) -> tuple[TierInfo, NDArray[Any]]:
    tier_info = work.table.info.tiers[tier]
    size = tier_info.size
    codes = np.full(size, OPEN, np.int16)
    wins, losses = np.empty(size, np.int16), np.empty(size, np.int16)
    left, sources = np.empty(size, np.int32), np.zeros(size + 2, np.int32)
    farthest, parts = 0, []
    for part in parts_of(work.table, tier, work.run):
        codes[part.first : part.first + len(part.graph.kinds)][part.graph.kinds == HOLE] = NO_CODE
        farthest = max(farthest, kernels.count_edges(part.first, part.graph, part.out, wins, losses, left, sources))
        parts.append(part)
    np.cumsum(sources, out=sources)
    arrivals = np.empty(sources[-1], np.int32)
    while parts:
        part = parts.pop()
        kernels.reverse(part.first, part.graph, sources, arrivals)
    turns, settled = 0, 1
    while settled or turns <= farthest:
        settled = kernels.settle(turns, wins, losses, left, sources, arrivals, codes)
        turns += 1
    codes[codes == OPEN] = 0
    holes = codes == NO_CODE
    known = codes[~holes]
    longest = int(turns_of(known.astype(np.int64)).max(initial=0))
    short = longest <= FARTHEST_SHORT
    info = TierInfo(
        tier, tier_info.name, size, len(known), "int8" if short else "int16", 0.0,
        int((known > 0).sum()), int((known < 0).sum()), int((known == 0).sum()), longest,
    )  # fmt: skip
    if short:
        codes[holes] = NO_SHORT_CODE
    return info, codes
