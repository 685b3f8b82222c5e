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
from dataclasses import asdict, dataclass
from pathlib import Path

from parlour.files import remove_unfinished, replacing, sha256_of, write_file
from parlour.strict_json import JsonValue, read_json

MANIFEST = "manifest.json"
SNAPSHOT_NAME = re.compile(r"snapshot_(0|[1-9][0-9]{0,17})")
"""What snapshots without a name of their own are called; no other opponent may be called so."""
SNAPSHOT_FILE = re.compile(r"snapshot_([0-9]{6}|[1-9][0-9]{6,17})\.bin")
MAX_COUNT = 10**18
"""Of games and of snapshots."""


@dataclass(frozen=True)
class SnapshotFile:
    """A snapshot as the manifest has it.

    Attributes:
        file: its name in the folder.
        sha256: the digest of its content.
        kept: whether it has a name of its own, and so is never dropped.
    """

    file: str
    sha256: str
    kept: bool


@dataclass(frozen=True)
class KeptOpponent:
    """An opponent as the manifest has it.

    Attributes:
        name: what it is called.
        games: how many have ended.
        score: how many of them the learner has won, a draw being half a win.
        snapshot: its file, if it is a snapshot.
    """

    name: str
    games: int
    score: float
    snapshot: SnapshotFile | None


@dataclass(frozen=True)
class Manifest:
    """What ``manifest.json`` holds.

    Attributes:
        snapshots: how many have ever been saved; the next one has this number.
        opponents: all of them, in the order in which they were added.
    """

    snapshots: int = 0
    opponents: tuple[KeptOpponent, ...] = ()


class SnapshotFolder:
    """Reads and writes such a folder. One process at a time may write to it."""

    def __init__(self, path: Path) -> None:
        """``path``: the folder, which need not be there yet."""
        self.path = path

    def read(self) -> Manifest:
        """The manifest, checked; an empty one for a new folder. Changes nothing.

        Raises:
            ValueError: that names the file and the line, for a manifest that is not valid, or a folder that holds
                snapshots and no manifest.
            OSError: for a file that cannot be read.
        """
        file = self.path / MANIFEST
        try:
            return _read_manifest(read_json(file, follow_links=False))
        except FileNotFoundError:
            found = [name for name in self._names() if SNAPSHOT_FILE.fullmatch(name)]
            if found:
                raise ValueError(
                    f"{self.path}: holds {min(found)!r} and no {MANIFEST}; put it back, or give another folder"
                ) from None
            return Manifest()

    def open(self) -> None:
        """Makes the folder, with a manifest, if there is none, and removes what a killed process has left half-written.
        Call `read` first. OSError where that cannot be done."""
        self.path.mkdir(parents=True, exist_ok=True)
        remove_unfinished(self.path)
        if not (self.path / MANIFEST).exists():  # so that no snapshot ever stands without one
            self.write(Manifest())

    def write(self, manifest: Manifest) -> None:
        """Writes the manifest, whole or not at all. OSError as `parlour.files.write_file`."""
        write_file(self.path / MANIFEST, json.dumps(asdict(manifest), indent=1) + "\n")

    def add(self, number: int, save: Callable[[Path], object], kept: bool) -> SnapshotFile:
        """Writes the file of a new snapshot; the caller then writes a manifest that names it, or calls `remove`.

        Raises:
            ValueError: if ``save`` left no file.
            OSError: where the file cannot be written.
        """
        file = f"snapshot_{number:06}.bin"
        with replacing(self.path / file) as fresh:
            save(fresh)
            digest = sha256_of(fresh) if fresh.is_file() else ""
        return SnapshotFile(file, digest, kept)

    def remove(self, snapshots: Sequence[SnapshotFile]) -> None:
        """Removes files that the manifest does not name any more, as far as that can be done."""
        for snapshot in snapshots:
            with suppress(OSError):
                (self.path / snapshot.file).unlink()

    def is_whole(self, snapshot: SnapshotFile) -> bool:
        """Whether a snapshot's file is there, a plain file, with the content that was written."""
        file = self.path / snapshot.file
        return file.is_file() and not file.is_symlink() and sha256_of(file) == snapshot.sha256

    def _names(self) -> list[str]:
        return os.listdir(self.path) if self.path.is_dir() else []


def _read_manifest(content: JsonValue) -> Manifest:
    entries = content.entries(("snapshots", "opponents"))
    snapshots = entries["snapshots"].integer(0, MAX_COUNT)
    opponents: dict[str, KeptOpponent] = {}
    last = -1
    for value in entries["opponents"].elements():
        fields = value.entries(("name", "games", "score", "snapshot"))
        name = fields["name"].text()
        if not name or name in opponents:
            raise fields["name"].misfit("a text that no opponent before it is called")
        games = fields["games"].integer(0, MAX_COUNT)
        score = fields["score"].number(0, games)
        if not (2 * score).is_integer():
            raise fields["score"].misfit("a number of wins, a draw being half a win")
        snapshot = None
        if fields["snapshot"].value is not None:
            snapshot = _read_snapshot(fields["snapshot"], last, snapshots)
            last = _number_of(snapshot.file)
        due = f"snapshot_{last}" if snapshot and not snapshot.kept else None
        if name != due and (due or SNAPSHOT_NAME.fullmatch(name)):
            raise fields["name"].misfit(
                repr(due) if due else "another text: so only snapshots without a name are called"
            )
        opponents[name] = KeptOpponent(name, games, score, snapshot)
    return Manifest(snapshots, tuple(opponents.values()))


def _read_snapshot(value: JsonValue, last: int, snapshots: int) -> SnapshotFile:
    """``last``: the number of the snapshot before it; ``snapshots``: how many were ever saved."""
    fields = value.entries(("file", "sha256", "kept"))
    file, digest = fields["file"].text(), fields["sha256"].text()
    if not SNAPSHOT_FILE.fullmatch(file) or not last < _number_of(file) < snapshots:
        raise fields["file"].misfit(
            f"the name of a file such as 'snapshot_000007.bin', with a number above {last} and below {snapshots}"
        )
    if not re.fullmatch("[0-9a-f]{64}", digest):
        raise fields["sha256"].misfit("a SHA-256 of 64 hexadecimal digits")
    return SnapshotFile(file, digest, fields["kept"].flag())


def _number_of(file: str) -> int:
    found = SNAPSHOT_FILE.fullmatch(file)
    assert found is not None
    return int(found[1])
