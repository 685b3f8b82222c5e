"""Checkpoints of training runs: one file, written whole or not at all, from which a run resumes exactly.

``numpy.load`` reads the file: it has the arrays of the learner, and ``run``, the rest as JSON in UTF-8. Nothing in a
file is run, and all of it is checked before it is used: the JSON by the types below, the arrays by the learner, which
knows their types, sizes and ranges.
"""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from parlour.arena.matches.tally import elo_text
from parlour.arena.measures.kinds import ELO
from parlour.arena.statistics import Estimate, elo, score
from parlour.arena.statistics.engine_testing import POINTS
from parlour.rulebook.options import Value
from parlour.support.errors import listing
from parlour.support.files import read_file, write_file
from parlour.support.typed_json import Count, Struct, decode_json

MAX_BYTES = 4 << 30
MAX_PAIRS = 10**6
RUN = "run"
Seconds = Annotated[float, Meta(ge=0, le=1e12)]
NamedArrays = Mapping[str, NDArray[Any]]


class SavedTraining(Struct, frozen=True):
    """The plan of a run: see `parlour.learn.run.TrainingPlan`."""

    game: str
    variants: list[str]
    options: dict[str, Value]
    method: str
    hidden: int | None
    seed: int
    start: str | None = None
    against: dict[str, dict[str, str]] | None = None  # the names of fixed players, and what their files are
    league: bool = False  # whether the learner is one of them


class Strength(Struct, frozen=True, array_like=True):
    """A player's result against one opponent.

    Attributes:
        points: a win is 1, a draw ½.
        pairs: how many pairs of games scored 0, ½, 1, 1½ and 2 points; empty if that is not known.
    """

    opponent: str
    games: Count
    points: Annotated[float, Meta(ge=0)]
    pairs: tuple[Annotated[int, Meta(ge=0, le=MAX_PAIRS)], ...] = ()

    def __post_init__(self) -> None:
        """ValueError for more points than games, and for pairs that are not those of the games."""
        if self.points > self.games:
            raise ValueError(f"{self.points} points in {self.games} games")
        if self.pairs and (len(self.pairs) != 5 or 2 * sum(self.pairs) != self.games):
            raise ValueError(f"{self.pairs} are not the pairs of {self.games} games")

    @property
    def score(self) -> Estimate:
        """Points per game, with its 95 % interval; from 0 to 1 if the pairs are not known."""
        if not any(self.pairs):
            return Estimate(self.points / self.games if self.games else math.nan, 0.0, 1.0, self.games)
        return score(np.repeat(POINTS, self.pairs))

    @property
    def elo(self) -> Estimate:
        """Elo relative to the opponent; infinite if all games were won or lost."""
        return elo(self.score)

    def __str__(self) -> str:
        """In words, such as ``all 48 won against greedy (Elo 284 and more)``."""
        return self._told(f" against {self.opponent}")

    def _told(self, against: str) -> str:
        if self.points in (0, self.games):
            word = "won" if self.points else "lost"
            return f"all {self.games} {word}{against} (Elo {ELO.interval(self.elo)})"
        return f"{self.points:g} of {self.games}{against} (Elo {elo_text(self.elo)})"

    @property
    def verdict(self) -> str:
        """Who is stronger, as far as the games show it: ``weaker than champion: all 48 lost (Elo −284 and less)``."""
        elo = self.elo
        shown = "stronger than" if elo.low > 0 else "weaker than" if elo.high < 0 else "not shown to be above or below"
        return f"{shown} {self.opponent}: {self._told('')}"


class Measured(Struct, frozen=True, array_like=True):
    """A measurement of strength.

    Attributes:
        seconds: processor time spent on learning, of all threads together.
    """

    seconds: Seconds
    plies: Count
    strengths: list[Strength]


class SavedRun(Struct, frozen=True):
    """What a checkpoint has beside its arrays: see `parlour.learn.run.TrainingRun`."""

    plan: SavedTraining
    rounds: Count
    seconds: Seconds
    curve: list[Measured]


def write_checkpoint(path: Path, run: SavedRun, arrays: NamedArrays) -> None:
    """Writes a checkpoint. OSError if it can't be written."""
    content = io.BytesIO()
    text = np.frombuffer(msgspec.json.encode(run), np.uint8)
    np.savez(content, **{RUN: text}, **arrays)  # type: ignore[arg-type]
    write_file(path, content.getvalue())


def read_checkpoint(path: Path) -> tuple[SavedRun, dict[str, NDArray[Any]]]:
    """The arguments of `write_checkpoint`; the arrays are not checked yet. ValueError, which names the file and the
    entry, for a file that is not a checkpoint; OSError for one that can't be read."""
    content = read_file(path, MAX_BYTES)
    try:
        arrays = _arrays_in(content)
        text = arrays.pop(RUN).tobytes()
    except Exception as error:  # NumPy and zipfile raise a dozen kinds for files that are damaged
        raise ValueError(f"{path}: not a checkpoint, or damaged ({type(error).__name__}: {error})") from None
    return decode_json(text, SavedRun, f"{path}: {RUN}"), arrays


def _arrays_in(content: bytes) -> dict[str, NDArray[Any]]:
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        if sum(part.file_size for part in parts.infolist()) > MAX_BYTES:
            raise ValueError(f"it unpacks to more than {MAX_BYTES} bytes")
    with np.load(io.BytesIO(content), allow_pickle=False) as loaded:
        return {name: loaded[name] for name in loaded.files}


# --- checks of arrays, for learners ---


def check_names(arrays: NamedArrays, due: Iterable[str]) -> None:
    """ValueError unless the arrays are those that are ``due``."""
    due = list(due)
    missing = [name for name in due if name not in arrays]
    strange = [name for name in arrays if name not in due]
    if missing:
        raise ValueError(f"the checkpoint has no {missing[0]!r}")
    if strange:
        raise ValueError(f"{strange[0]!r:.80}: no entry of such a checkpoint; entries: {listing(due)}")


def check_array(
    arrays: NamedArrays,
    name: str,
    dtype: Any,
    shape: tuple[int | None, ...],
    low: float = -np.inf,
    high: float = np.inf,
) -> NDArray[Any]:
    """One of the arrays. ValueError unless it has this type, shape (None: any length) and range, all finite."""
    array = arrays[name]
    if array.dtype != dtype or array.ndim != len(shape) or any(b not in (None, a) for a, b in zip(array.shape, shape)):
        wanted = str(tuple("any" if one is None else one for one in shape)).replace("'", "")
        raise ValueError(
            f"{name!r} must be of type {np.dtype(dtype)} and shape {wanted}, not {array.dtype} and {array.shape}"
        )
    if not (np.isfinite(array) & (array >= low) & (array <= high)).all():
        raise ValueError(f"{name!r} has numbers that are not finite, or not from {low:g} to {high:g}")
    return array
