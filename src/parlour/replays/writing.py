"""Recorded games as a file whose ending says what it is: a page, an animated picture, or records."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from parlour.errors import listing
from parlour.files import write_file
from parlour.records import JSON_ARRAY, JSON_LINES, GameRecord, write_records
from parlour.registry import record_endings
from parlour.replays.animation import write_animation
from parlour.replays.frames import frames_of
from parlour.replays.page import replay_page

PAGE, ANIMATION = ".html", ".gif"


def endings() -> list[str]:
    """The endings of file names that `write_replays` takes."""
    return [PAGE, ANIMATION, JSON_LINES, JSON_ARRAY, *record_endings()]


def check_path(path: Path, games: int | None = None) -> None:
    """ValueError, before anything is played again, for a path that `write_replays` can't write ``games`` games to."""
    ending = path.suffix.lower()
    if ending not in endings():
        raise ValueError(f"{path}: games have no form with the ending {path.suffix!r}; endings: {listing(endings())}")
    if ending == ANIMATION and games is not None and games != 1:
        raise ValueError(f"{path}: an animated picture shows one game, not {games}; choose one with --game")


def write_replays(path: Path, records: Sequence[GameRecord]) -> None:
    """Writes games to a file, in the form that its name's ending stands for.

    ``.html``: a page that needs nothing else, with a list where there are several games. ``.gif``: an animated picture
    of one game. ``.jsonl``: lines of JSON, one a game; ``.json``: an array of these. ``.pdn``: a game's own form of
    record.

    Raises:
        ValueError: for another ending, several games in a picture, or a record that the rules belie.
        OSError: where the file can't be written; it is written whole or not at all.
    """
    check_path(path, len(records))
    ending = path.suffix.lower()
    if ending == PAGE:
        write_file(path, replay_page(records))
    elif ending == ANIMATION:
        write_animation(path, [frame.picture for frame in frames_of(records[0], "the game")])
    else:
        write_records(path, records)
