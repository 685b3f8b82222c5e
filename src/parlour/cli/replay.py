"""``replay``: shows recorded games and verifies them."""

from __future__ import annotations

import time
from pathlib import Path

import click

from parlour.arena.replays import is_run, read_run
from parlour.cli.common import console
from parlour.records import GameRecord, check_ending, read_records, write_records
from parlour.records import replay as play_again
from parlour.registry import record_form


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--game", "number", type=click.IntRange(1), help="Show this game of the file alone.")
@click.option("--pause", type=click.FloatRange(0, 3600), default=0.0, show_default=True, help="Seconds between plies.")
@click.option("--quiet", is_flag=True, help="Only verify; print no boards.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Write the games, once verified, to another file, in the form that its ending stands for (.jsonl, .pdn).",
)
def replay(file: Path, number: int | None, pause: float, quiet: bool, out: Path | None) -> None:
    """Shows the games recorded in FILE, ply by ply, and verifies them against the rules.

    FILE may be the folder of a match, tournament or comparison: its games are numbered by the lines of its journal.

    The form of a file follows from its name: lines of JSON, or a form that one of the games brings (its README tells).
    """
    if pause != pause:  # FloatRange lets it pass: it is neither below nor above anything
        raise click.BadParameter("nan is no number of seconds.", param_hint="'--pause'")
    if out is not None:
        check_ending(out)
    chosen = list(read_run(file, number)) if is_run(file) else _chosen(file, number)
    screen, kind = console(), "game" if record_form(file.suffix) else "line"
    for line, record in chosen:
        for ply, env in enumerate(play_again(record, f"{file}, {kind} {line}")):
            if not quiet:
                screen.print(f"ply {ply}: {record.moves[ply - 1]}" if ply else f"{record.game}, {record.variant}")
                screen.print(env.ansi())
                screen.print()
                time.sleep(pause)
        screen.print(
            f"{file}, {kind} {line}: verified, {record.game} {record.variant}, {len(record.moves)} plies, {record.end}",
            soft_wrap=True,
        )
    if out is not None:
        write_records(out, [record for _, record in chosen])


def _chosen(file: Path, number: int | None) -> list[tuple[int, GameRecord]]:
    """The records of a file, or that of one ``number`` alone, numbered from 1. ValueError if there is none."""
    records = read_records(file)
    if number is None:
        return list(enumerate(records, 1))
    if number > len(records):
        raise ValueError(f"{file} has {len(records)} games; there is no game {number}")
    return [(number, records[number - 1])]
