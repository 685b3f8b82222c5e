"""Paths that texts name: as a user typed them, or as a file names them that may come from somebody else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from glob import escape, glob
from itertools import takewhile
from pathlib import Path
from typing import TypeAlias

Paths: TypeAlias = Callable[[str], str]
"""From a path as a text names it to the path to open. ValueError for a path that the text must not name."""
LATER = "{variant}"
"""Stands in a path for what is filled in later."""
TRUST = "give --trust if you trust it"
"""What a user can do about a file that reaches further than files of others may."""


def as_typed(path: str) -> str:
    """The path itself, since who typed it can open it anyway."""
    return path


@dataclass(frozen=True)
class PathsInFile:
    """The paths that a file names: they are looked for beside it.

    Attributes:
        file: the file.
        trusted: whether the user trusts it. Then it may name any other path as well, as if the user had typed it.
    """

    file: Path
    trusted: bool = False

    def __call__(self, path: str) -> str:
        """The path to open. ValueError for a path that does not lead to a file or folder in the file's own folder,
        whatever `LATER` will be, unless the file is trusted."""
        folder = self.file.parent
        beside = folder / path
        known = folder.joinpath(*takewhile(lambda part: LATER not in part, Path(path).parts))
        filled = map(Path, glob(escape(str(beside)).replace(LATER, "*")))
        inside = all(part.resolve().is_relative_to(folder.resolve()) for part in (known, beside, *filled))
        if inside and (known.is_file() or known.is_dir()):  # not a pipe, which nobody may ever write to
            return path if folder == Path() else str(beside)
        if self.trusted:
            return path
        raise ValueError(f"it names {path!r:.200}, which is not in the folder of that file: put it there, or {TRUST}")
