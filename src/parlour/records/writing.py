"""Recorded games as a file in the format of its ending: a page, an animated GIF, or records."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from parlour.interfaces.game_record import GameRecord
from parlour.records import files
from parlour.records.animation import write_animation
from parlour.records.frames import frames_of
from parlour.records.page import replay_page
from parlour.support.errors import listing
from parlour.support.files import write_file

PAGE, ANIMATION = ".html", ".gif"


def check_path(path: Path, games: int | None = None) -> None:
    """ValueError for a path to which `write_replays` can't write ``games`` games. Nothing is replayed for the check."""
    ending, valid = path.suffix.lower(), [PAGE, ANIMATION, *files.endings()]
    if ending not in valid:
        raise ValueError(f"{path}: games can't be written as {path.suffix!r}; valid endings: {listing(valid)}")
    if ending == ANIMATION and games is not None and games != 1:
        raise ValueError(f"{path}: an animated picture shows one game, not {games}; choose one with --game")


def write_replays(path: Path, records: Sequence[GameRecord]) -> None:
    """Writes games to a file, in the format of the file name's ending.

    ``.html``: a self-contained page, with a list if there are several games. ``.gif``: an animated picture of one game.
    ``.jsonl``: JSON lines, one per game. ``.json``: a JSON array of them. Others, such as ``.pdn``: the record format
    of a game.

    Raises:
        ValueError: for another ending, for several games in a picture, and for a record that contradicts the rules.
        OSError: if the file can't be written; an incomplete file is never left.
    """
    check_path(path, len(records))
    ending = path.suffix.lower()
    if ending == PAGE:
        write_file(path, replay_page(records))
    elif ending == ANIMATION:
        write_animation(path, [frame.picture for frame in frames_of(records[0], "the game")])
    else:
        files.write_records(path, records)
