"""The games of a run's folder as records, which can be shown, verified and converted to other formats."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from parlour.arena.runs.journal import CONFIG, JOURNAL, Row, journal_lines, read_config, read_row
from parlour.interfaces.aec import GameEnv
from parlour.interfaces.game_record import GameRecord
from parlour.interfaces.registry import find

UNKNOWN = "unknown"
"""Stands for the version of Parlour where it is not known: for a journal without its run's folder."""


def is_run(folder: Path) -> bool:
    """Whether a path is the folder of a run."""
    return (folder / CONFIG).is_file() and folder.is_dir()


def version_of(folder: Path) -> str:
    """The version of Parlour that began a run."""
    return str(read_config(folder / CONFIG, follow_links=False).get("parlour", UNKNOWN))


def read_run(folder: Path, number: int | None = None, first: int = 1) -> Iterator[tuple[int, GameRecord]]:
    """The games of a folder from line ``first`` of its journal on, each with its line number, from 1; or only the game
    with the ``number``.

    ValueError, with the line, for a line that is not a game, and if no line has that number; OSError if the folder
    can't be read.
    """
    parlour = version_of(folder)
    file, line_number = folder / JOURNAL, 0
    for line_number, line in enumerate(journal_lines(file), 1):
        if line_number == number or (number is None and line_number >= first and line.endswith(b"\n")):
            yield line_number, record_of(read_row(line.removesuffix(b"\n"), str(file), line_number), parlour, str(file))
            if number is not None:
                return
    if number is not None:
        raise ValueError(f"{file} has {line_number} games; there is no game {number}")


def record_of(row: Row, parlour: str, source: str) -> GameRecord:
    """A game as a record. ``parlour``: the version that played it. ValueError if its actions can't be played."""
    line, where = row.line, f"{source}, line {row.line.number}"
    try:
        game = find(line.game)
        env = GameEnv(game, line.variant, dict(line.options), None, "raise")
        env.reset(seed=line.seed, options={"position": line.position or None})
        moves = []
        for action in row.moves.tolist():
            moves.append(env.move_name(action))
            env.step(action)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
    return GameRecord(
        game.id, parlour, line.variant, env.values, line.seed, line.players, moves, line.returns, line.end,
        line.position,
    )  # fmt: skip
