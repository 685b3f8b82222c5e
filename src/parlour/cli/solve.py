"""``solve``: exact values of a game or of its endings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

import parlour
from parlour.arena.runs.playing import progress_bar
from parlour.cli.common import GameName, a_path, parse_values, say, values_option, variant_option
from parlour.cli.running import jobs_on, worker_options
from parlour.engine.game import Game

MAX_COUNT = 100


@click.command()
@click.argument("game", type=GameName(), required=False)
@variant_option
@values_option
@click.option("--pieces", type=click.IntRange(1, MAX_COUNT), help="Endings with so many pieces of both seats at most.")
@click.option("--men", type=click.IntRange(1, MAX_COUNT), help="Endings, or games, with so many men of a seat at most.")
@click.option("--out", type=a_path, help="Folder of the table; rerun to resume.")
@click.option("--memory", type=click.FloatRange(0.1), help="GiB that may be used; all that are free by default.")
@worker_options
@click.option("--verify", type=a_path, metavar="FOLDER", help="Check the table in this folder.")
@click.option(
    "--sample", type=click.IntRange(0), default=1000,
    help="With --verify: positions that the rules check uncompiled, too.",
)  # fmt: skip
def solve(
    game: Game | None, variant: str | None, overrides: Sequence[str], pieces: int | None, men: int | None,
    out: Path | None, memory: float | None, threads: int | None, ray: str | None, verify: Path | None, sample: int,
) -> None:  # fmt: skip
    """Finds the exact values of GAME or of its endings, with proof, or checks a table of them.

    All machines of a --ray cluster must see the folder of the table.
    """
    if verify is not None:
        solution = parlour.Solution.load(verify, game)
        with _progress_shown() as progress:
            count = solution.verify(sample, progress)
        say(f"{verify}: {count:,} values agree with the rules")
        return
    if game is None or out is None:
        raise click.UsageError("give a GAME and --out FOLDER, or --verify FOLDER", click.get_current_context())
    values = parse_values(game, overrides)
    values.update({name: count for name, count in (("pieces", pieces), ("men", men)) if count is not None})
    size = None if memory is None else round(memory * 2**30)
    run = None if ray is None else jobs_on(ray)
    with _progress_shown() as progress:
        solution = parlour.solve(
            game.id, out=out, variant=variant, memory=size, threads=threads, run=run, progress=progress, **values
        )
    say(*lines(solution, game))


@contextmanager
def _progress_shown() -> Iterator[Callable[[int, int, str], None]]:
    """A function that shows progress on a terminal: what is done, of how much, and what it is."""
    with progress_bar() as bar:
        task = bar.add_task("")
        yield lambda done, total, what: bar.update(task, completed=done, total=total, description=what)


def lines(solution: Any, game: Game) -> list[str]:
    """What a table has, in words."""
    tiers = [tier.info for tier in solution.table]
    text = [f"{solution.table.label}: {solution.positions:,} positions in {solution.table.folder}"]
    if game.rules.DICE:
        text.append(f"lower and upper bounds at most {solution.gap:.1e} apart")
    else:
        won, lost, drawn = (sum(getattr(tier, name) for tier in tiers) for name in ("won", "lost", "drawn"))
        longest = max(tiers, key=lambda tier: tier.longest)
        text.append(f"for the seat to act {won:,} won, {lost:,} lost, {drawn:,} drawn")
        text.append(f"the longest ending takes {longest.longest} turns: {longest.name}")
    if solution.has_start:
        low, high = solution.start()
        text.append(
            f"the start is worth {low:.10f} to {high:.10f} to the seat that begins; without draws it wins "
            f"{(1 + low) / 2:.10f} to {(1 + high) / 2:.10f} of all games"
        )
    return text
