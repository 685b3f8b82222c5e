"""``replay``: shows recorded games, verifies them, and writes them as pages, animated pictures or records."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import click
from rich.console import Console

from parlour.arena.runs.journal import is_run, read_run
from parlour.cli.common import a_path, console, say, warn
from parlour.interfaces.aec import GameEnv
from parlour.interfaces.game_record import GameRecord
from parlour.interfaces.registry import game_with_form
from parlour.players.exact import Exact
from parlour.players.people.advice import think_exactly
from parlour.players.people.board import for_people
from parlour.records.archives import read_selected
from parlour.records.files import records_in
from parlour.records.replaying import read_thought, with_thoughts
from parlour.records.replaying import replay as replay_record
from parlour.records.writing import check_path, write_replays
from parlour.rulebook.protocol import ReadGame
from parlour.support.signed import signed

STEPS_HELP = "Enter: next ply | b: back | a number: to that ply | e: to the end | n: next game | q: quit"


@click.command()
@click.argument("file", type=a_path)
@click.option("--game", "number", type=click.IntRange(1), help="Show only this game of the file.")
@click.option("--quiet", is_flag=True, help="Only verify; print no boards.")
@click.option(
    "--out", type=a_path,
    help="Verify the games, then write them to this file: a page to open in a browser (.html), an animated picture of "
    "one game (.gif), or records (.jsonl, .json, or a game's own form, such as .pdn, .mat, .sgf).",
)  # fmt: skip
@click.option(
    "--exact", metavar="FOLDER",
    help="A table of 'parlour solve': shows before each ply what the position is worth, where the table has it.",
)  # fmt: skip
@click.option("--strict", is_flag=True, help="Refuse a file with a game that can't be read, instead of leaving it out.")
def replay(file: Path, number: int | None, quiet: bool, out: Path | None, exact: str | None, strict: bool) -> None:
    """Shows the games recorded in FILE, ply by ply, and verifies them.

    On a terminal you step through a game with the Enter key; otherwise all boards are printed.

    FILE may be the folder of a match, tournament or comparison. Its games are numbered by the lines of its journal.

    Each game is read by itself: those that can't be read, or break the rules, are named and left out, and the exit
    status is 1.

    The ending of the file's name decides its format: JSON lines, or the format of a game (see the game's README).
    """
    if out is not None:
        check_path(out)
    games, notes = (_games_of_run if is_run(file) else read_selected)(file, number)
    if not games:
        raise ValueError(f"{file}: there are no games in it")
    kind = "game" if game_with_form(file.suffix) else "line"
    unread = [game for game in games if game.record is None]
    if unread and (strict or len(unread) == len(games)):
        records_in(unread, str(file), strict)
    if out is not None:
        check_path(out, len(games) - len(unread))
    for note in [*notes, *(f"{kind} {game.number}, {note}" for game in games for note in game.notes)]:
        warn(f"{file}: {note}")
    table = None if exact is None else Exact(exact)
    verified: list[GameRecord] = []
    for game in games:
        where = f"{file}, {kind} {game.number if kind == 'game' else game.line}"
        try:
            record = _record_of(game, where, kind, table)
            if not _show(record, where, console(), quiet or out is not None):
                return
        except ValueError as error:
            if strict or len(games) == 1:
                raise
            warn(f"left out: {error}")
        else:
            verified.append(record)
    left_out = len(games) - len(verified)
    if not verified:
        raise ValueError(f"{file}: none of its {left_out} games follows the rules")
    if out is not None:
        write_replays(out, verified)
        say(f"wrote {out}")
    if left_out:
        say(f"{file}: {left_out} of {len(games)} games left out")
        sys.exit(1)


def _record_of(game: ReadGame, where: str, kind: str, table: Exact | None) -> GameRecord:
    """A game's record, with what a table knows of it. ValueError if it could not be read, or breaks the rules."""
    if game.record is None:
        raise ValueError(f"{where}{f', line {game.line}' if kind == 'game' else ''}: {game.reason}")
    if table is None:
        return game.record
    return with_thoughts(game.record, partial(think_exactly, tables=[table], count=1), where)


def _show(record: GameRecord, where: str, screen: Console, silent: bool) -> bool:
    """Shows a game and verifies it. Returns False if the user quits. ValueError if it breaks the rules."""
    positions = replay_record(record, where)
    if not silent and sys.stdin.isatty() and sys.stdout.isatty():
        if not step_through([_text(record, ply, env) for ply, env in enumerate(positions)], screen):
            return False
    else:
        for ply, env in enumerate(positions):
            if not silent:
                screen.print(_text(record, ply, env))
    result = f", result {record.told()}" if record.told() else ""
    screen.print(
        f"{where}: verified, {record.game} {record.variant}, {len(record.moves)} plies, "
        f"{record.end or 'not ended'}{result}",
        soft_wrap=True,
    )
    return True


def _text(record: GameRecord, ply: int, env: GameEnv) -> str:
    heading = f"ply {ply}: {record.moves[ply - 1]}" if ply else f"{record.game}, {record.variant}"
    comment = f"{record.comments[ply]}\n" if ply in record.comments else ""
    return f"{heading}\n{for_people(env.ansi())}\n{comment}{_valued(record, ply, env)}"


def _valued(record: GameRecord, ply: int, env: GameEnv) -> str:
    """A line on what the record says that the position is worth; empty if it says nothing."""
    known = record.thoughts[ply] if record.thoughts and ply < len(record.thoughts) else None
    thought = read_thought(known, env.legal_moves())
    if thought is None or thought.value is None:
        return ""
    seat = env.possible_agents.index(env.agent_selection)
    best = f"; best: {thought.moves[0][0]}" if thought.moves else ""
    return f"value {signed(thought.value, 6)} for {env.game.seat_name(seat)}{best}\n"


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


def _games_of_run(folder: Path, number: int | None) -> tuple[list[ReadGame], list[str]]:
    """The games of a run, or only one, and notes on it. ValueError, OSError."""
    return [ReadGame(line, line, record) for line, record in read_run(folder, number)], []
