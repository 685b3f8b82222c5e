"""The folder of an `OpponentPool`: the learner's snapshots, and a manifest with all results.

| file | |
|---|---|
| ``manifest.json`` | how many snapshots were ever saved; each opponent's name, games, score, and file if it has one |
| ``snapshot_000007.bin`` | snapshot number 7, in whatever form ``save`` wrote it |

The manifest may come from others, so it is checked as a whole before anything is loaded or deleted: every name in it is
that of a snapshot in this folder, and its numbers agree with one another. Whatever moment a process is killed at, the
manifest names only whole files. A snapshot that it does not name is never loaded, and may be deleted by hand.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

from msgspec import Meta, to_builtins

from parlour.support.files import remove_unfinished, replacing, sha256_of, write_file
from parlour.support.typed_json import Count, Struct, read_json

MANIFEST = "manifest.json"
SNAPSHOT_NAME = re.compile(r"snapshot_(0|[1-9][0-9]{0,17})")
"""What snapshots without a name of their own are called; no other opponent may be called so."""
SNAPSHOT_FILE = re.compile(r"^snapshot_([0-9]{6}|[1-9][0-9]{6,17})\.bin\Z")


class SnapshotFile(Struct, frozen=True):
    """A snapshot as the manifest has it.

    Attributes:
        file: its name in the folder.
        sha256: the digest of its content.
        kept: whether it has a name of its own, and so is never dropped.
    """

    file: Annotated[str, Meta(pattern=SNAPSHOT_FILE.pattern)]
    sha256: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
    kept: bool

    @property
    def number(self) -> int:
        """The number in the file's name."""
        return int(self.file.removeprefix("snapshot_").removesuffix(".bin"))


class KeptOpponent(Struct, frozen=True):
    """An opponent as the manifest has it.

    Attributes:
        name: what it is called.
        games: how many have ended.
        score: how many of them the learner has won, a draw being half a win.
        snapshot: its file, if it is a snapshot.
    """

    name: Annotated[str, Meta(min_length=1)]
    games: Count
    score: Annotated[float, Meta(ge=0)]
    snapshot: SnapshotFile | None

    def __post_init__(self) -> None:
        """ValueError for a score that its games can't have, or a snapshot without a name not called by its file."""
        if self.score > self.games or not (2 * self.score).is_integer():
            raise ValueError(f"score must be a number of wins, a draw being half a win, up to {self.games}")
        due = f"snapshot_{self.snapshot.number}" if self.snapshot and not self.snapshot.kept else None
        if self.name != due and (due or SNAPSHOT_NAME.fullmatch(self.name)):
            raise ValueError(f"name must be {due!r}" if due else f"name {self.name!r} is for snapshots without a name")


class Manifest(Struct, frozen=True):
    """What ``manifest.json`` holds.

    Attributes:
        snapshots: how many have ever been saved; the next one has this number.
        opponents: all of them, in the order in which they were added.
    """

    snapshots: Count
    opponents: tuple[KeptOpponent, ...]

    def __post_init__(self) -> None:
        """ValueError for a name that is there twice, and for snapshots that are not in the order of their numbers."""
        names: set[str] = set()
        last = -1
        for k, opponent in enumerate(self.opponents):
            if opponent.name in names:
                raise ValueError(f"opponents[{k}].name: {opponent.name!r:.80} is the name of an opponent before it")
            names.add(opponent.name)
            if opponent.snapshot:
                if not last < opponent.snapshot.number < self.snapshots:
                    raise ValueError(
                        f"opponents[{k}].snapshot.file: {opponent.snapshot.file!r} must have a number above {last} and "
                        f"below {self.snapshots}"
                    )
                last = opponent.snapshot.number


class SnapshotFolder:
    """Reads and writes such a folder. One process at a time may write to it; the pool locks it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Manifest:
        """The manifest, checked; an empty one for a new folder. Changes nothing.

        Raises:
            ValueError: that names the file and the place in it, for a manifest that is not valid, or a folder that
                holds snapshots and no manifest.
            OSError: for a file that cannot be read.
        """
        file = self.path / MANIFEST
        try:
            return read_json(file, Manifest, follow_links=False)
        except FileNotFoundError:
            names = os.listdir(self.path) if self.path.is_dir() else []
            if files := [name for name in names if SNAPSHOT_FILE.fullmatch(name)]:
                raise ValueError(
                    f"{self.path}: holds {min(files)!r} and no {MANIFEST}; put it back, or give another folder"
                ) from None
            return Manifest(0, ())

    def open(self) -> None:
        """Makes the folder, with a manifest, if there is none, and removes what a killed process has left half-written.
        Call `read` first. OSError where that cannot be done."""
        self.path.mkdir(parents=True, exist_ok=True)
        remove_unfinished(self.path)
        if not (self.path / MANIFEST).exists():  # so that no snapshot ever stands without one
            self.write(Manifest(0, ()))

    def write(self, manifest: Manifest) -> None:
        """Writes the manifest, whole or not at all. OSError as `parlour.support.files.write_file`."""
        write_file(self.path / MANIFEST, json.dumps(to_builtins(manifest), indent=1) + "\n")

    def add(self, number: int, save: Callable[[Path], object], is_named: bool) -> SnapshotFile:
        """Writes the file of a new snapshot; the caller then writes a manifest that names it, or calls `remove`.

        Raises:
            ValueError: if ``save`` left no file.
            OSError: where the file cannot be written.
        """
        file = f"snapshot_{number:06}.bin"
        with replacing(self.path / file) as fresh:
            save(fresh)
            digest = sha256_of(fresh) if fresh.is_file() else ""
        return SnapshotFile(file, digest, is_named)

    def remove(self, snapshots: Sequence[SnapshotFile]) -> None:
        """Removes files that the manifest does not name any more, as far as that can be done."""
        for snapshot in snapshots:
            with suppress(OSError):
                (self.path / snapshot.file).unlink()

    def is_whole(self, snapshot: SnapshotFile) -> bool:
        """Whether a snapshot's file is there, a plain file, with the content that was written."""
        file = self.path / snapshot.file
        return file.is_file() and not file.is_symlink() and sha256_of(file) == snapshot.sha256
