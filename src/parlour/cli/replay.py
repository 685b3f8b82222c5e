"""``replay``: shows recorded games, verifies them, and writes them as pages, animated pictures or records."""

from __future__ import annotations

import sys
import time
from functools import partial
from pathlib import Path

import click
from rich.console import Console

from parlour.arena.replays import is_run, read_run
from parlour.cli.common import console
from parlour.interfaces.aec import GameEnv
from parlour.interfaces.game_record import GameRecord
from parlour.interfaces.registry import game_with_form
from parlour.players.exact import Exact
from parlour.players.people.advice import think_exactly
from parlour.records.files import read_records
from parlour.records.replaying import read_thought, with_thoughts
from parlour.records.replaying import replay as replay_record
from parlour.records.writing import check_path, write_replays

STEPS_HELP = "Enter: next ply | b: back | a number: to that ply | e: to the end | n: next game | q: quit"


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--game", "number", type=click.IntRange(1), help="Show only this game of the file.")
@click.option("--pause", type=click.FloatRange(0, 3600), help="Seconds between plies, instead of waiting for Enter.")
@click.option("--quiet", is_flag=True, help="Only verify; print no boards.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Verify the games, then write them to this file: a page to open in a browser (.html), an animated picture of "
    "one game (.gif), or records (.jsonl, .json, .pdn).",
)
@click.option(
    "--exact",
    metavar="FOLDER",
    help="A table of 'parlour solve': shows before each ply what the position is worth, where the table has it.",
)
def replay(
    file: Path, number: int | None, pause: float | None, quiet: bool, out: Path | None, exact: str | None
) -> None:
    """Shows the games recorded in FILE, ply by ply, and verifies them.

    On a terminal you step through a game with the Enter key; otherwise all boards are printed.

    FILE may be the folder of a match, tournament or comparison. Its games are numbered by the lines of its journal.

    The ending of the file's name decides its format: JSON lines, or the format of a game (see the game's README).
    """
    if pause != pause:  # FloatRange accepts NaN, which is neither below nor above its limits
        raise click.BadParameter("nan is not a number of seconds.", param_hint="'--pause'")
    if out is not None:
        check_path(out)
    records = list(read_run(file, number)) if is_run(file) else _records(file, number)
    if out is not None:
        check_path(out, len(records))
    screen, kind = console(), "game" if game_with_form(file.suffix) else "line"
    silent = quiet or out is not None
    interactive = not silent and pause is None and sys.stdin.isatty() and sys.stdout.isatty()
    if exact is not None:
        player = Exact(exact)
        records = [
            (n, with_thoughts(one, partial(think_exactly, tables=[player], count=1), f"{file}, {kind} {n}"))
            for n, one in records
        ]
    for line, record in records:
        positions = replay_record(record, f"{file}, {kind} {line}")
        if interactive:
            texts = [_text(record, ply, env) for ply, env in enumerate(positions)]
            if not step_through(texts, screen):
                return
        else:
            for ply, env in enumerate(positions):
                if not silent:
                    screen.print(_text(record, ply, env))
                    time.sleep(pause or 0)
        screen.print(
            f"{file}, {kind} {line}: verified, {record.game} {record.variant}, {len(record.moves)} plies, "
            f"{record.end or 'not ended'}",
            soft_wrap=True,
        )
    if out is not None:
        write_replays(out, [record for _, record in records])
        screen.print(f"wrote {out}", soft_wrap=True)


def _text(record: GameRecord, ply: int, env: GameEnv) -> str:
    heading = f"ply {ply}: {record.moves[ply - 1]}" if ply else f"{record.game}, {record.variant}"
    return f"{heading}\n{env.ansi()}\n{_valued(record, ply, env)}"


def _valued(record: GameRecord, ply: int, env: GameEnv) -> str:
    """A line on what the record says that the position is worth; empty if it says nothing."""
    known = record.thoughts[ply] if record.thoughts and ply < len(record.thoughts) else None
    thought = read_thought(known, env.legal_moves())
    if thought is None or thought.value is None:
        return ""
    seat = env.possible_agents.index(env.agent_selection)
    best = f"; best: {thought.moves[0][0]}" if thought.moves else ""
    return f"value {thought.value:+.6f} for {env.game.seat_name(seat)}{best}\n"


def step_through(texts: list[str], screen: Console) -> bool:
    """Shows the texts one by one, as the user's commands ask. Returns False if the user quits."""
    screen.print(STEPS_HELP)
    ply = 0
    while True:
        screen.print(texts[ply])
        try:
            word = input(f"{ply} of {len(texts) - 1}> ").strip().lower()
        except EOFError:
            return False
        if word in ("q", "quit", "exit"):
            return False
        if word in ("n", "next") or (not word and ply == len(texts) - 1):
            return True
        target = {"": ply + 1, "b": ply - 1, "back": ply - 1, "e": len(texts) - 1, "end": len(texts) - 1}.get(word)
        if target is None and word.isascii() and word.isdigit():
            target = int(word)
        if target is None:
            screen.print(STEPS_HELP)
        else:
            ply = max(0, min(target, len(texts) - 1))


def _records(file: Path, number: int | None) -> list[tuple[int, GameRecord]]:
    """The records of a file, numbered from 1, or only the one with the ``number``. ValueError if there is none."""
    records = read_records(file)
    if number is None:
        return list(enumerate(records, 1))
    if number > len(records):
        raise ValueError(f"{file} has {len(records)} games; there is no game {number}")
    return [(number, records[number - 1])]
