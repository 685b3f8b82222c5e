"""Data sets as files. A folder has

* ``config.json``: what was played (`parlour.learn.datasets.plans.Config`), and of each shard how many games and plies
  it has, and its SHA-256;
* ``shard-00000.npz`` and so on: the columns (`parlour.learn.datasets.columns.Columns`) of 256 games each, as NumPy's
  ``savez_compressed`` writes them;
* ``lock``, locked while a run writes.

A shard counts from when ``config.json`` names it, and both are written whole or not at all; so a run that was stopped
goes on where it was, and ends with the same bytes. Nothing in a folder is trusted: nothing is unpickled, nothing larger
than its head says is read, and all of it is checked.
"""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path
from typing import IO, Any

import msgspec
import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from parlour.learn.datasets.columns import COLUMNS, Columns, Distinct, forms, joined, problem_with
from parlour.learn.datasets.plans import Config, DatasetPlan, Shard
from parlour.learn.datasets.playing import OnGames, played
from parlour.players.python import UNKNOWN
from parlour.support.files import remove_unfinished, replacing, sha256_of, write_file
from parlour.support.run_folder import RunFolder, refuse_another, refuse_strangers
from parlour.support.typed_json import read_json

CONFIG = "config.json"
HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


class DatasetFolder(RunFolder):
    """The folder of a data set that is being written.

    Attributes:
        config: what ``config.json`` says now.
    """

    def __init__(self, path: Path, config: Config) -> None:
        """Makes the folder, or opens it to go on. ``config``: of the data set that it is to hold.

        Raises:
            ValueError: if the folder has other files, another data set, or damaged shards; or if another run is writing
                to it.
            OSError: if it can't be written.
        """
        self.config, self._distinct = config, Distinct()
        refuse_strangers(path, CONFIG)
        super().__init__(path)

    def open(self) -> None:
        """Reads what an earlier run has written, and says what is written from now on."""
        if (self.path / CONFIG).exists():
            self.config = self._resumed(self.config)
        for shard in range(len(self.config.shards)):
            self._distinct(read_shard(self.path, self.config, shard))
        remove_unfinished(self.path)
        self._write_config()

    def _resumed(self, config: Config) -> Config:
        saved = read_config(self.path)
        names = [name for name in config.__struct_fields__ if name not in ("shards", "sha256", "pin")]
        old, new = ({name: getattr(one, name) for name in names} for one in (saved, config))
        refuse_another(self.path, "a data set", old, new)
        if saved.shards and config.identity.get("version") == UNKNOWN:
            raise ValueError(
                f"{self.path}: player {config.player!r} states no version, so it can't be gone on with; give the "
                "player an attribute `version`, or give another folder"
            )
        return saved

    def append(self, columns: Columns) -> None:
        """Writes the games of the next shard, without those that are like earlier ones. OSError if it fails."""
        path = shard_path(self.path, len(self.config.shards))
        distinct = self._distinct(columns)
        with replacing(path) as fresh:
            np.savez_compressed(fresh, **distinct.arrays())  # type: ignore[arg-type]
        shards = [*self.config.shards, Shard(len(distinct.bounds()), len(distinct), sha256_of(path))]
        self.config = msgspec.structs.replace(self.config, shards=shards)
        self._write_config()

    def _write_config(self) -> None:
        write_file(self.path / CONFIG, msgspec.json.format(msgspec.json.encode(self.config.sealed())) + b"\n")


def write_played(plan: DatasetPlan, path: Path, threads: int = 1, on_games: OnGames = lambda count: None) -> Config:
    """Plays the games of a plan into a folder, shard by shard, or those that are missing in it.

    Args:
        plan: `parlour.learn.datasets.plans.make_plan` makes it.
        path: the folder.
        threads: how many shards are played at the same time; the bytes do not depend on it.
        on_games: called with how many games are done: first with those that the folder has.

    Returns:
        What ``config.json`` then says.

    Raises:
        ValueError: as `DatasetFolder` does.
        OSError: if the folder can't be written.
    """
    with DatasetFolder(path, plan.config) as folder:
        done = len(folder.config.shards)
        on_games(count_kept(path))
        for columns in played(plan, range(done, plan.config.num_shards), threads, on_games):
            folder.append(columns)
        return folder.config


def write_columns(config: Config, columns: Columns, path: Path) -> Config:
    """Writes a whole data set to a folder, as `write_played` would. The same errors."""
    with DatasetFolder(path, msgspec.structs.replace(config, shards=[])) as folder:
        for shard in range(len(folder.config.shards), config.num_shards):
            games = config.games_of(shard)
            low, high = np.searchsorted(columns.game, [games.start, games.stop])
            folder.append(columns.at(slice(low, high)))
        return folder.config


def read_dataset(path: Path) -> tuple[Config, Columns]:
    """A data set from its folder. ValueError, which names the file and the reason, for one that is not finished,
    damaged, of other rules, or no data set; OSError for a file that can't be read."""
    if not (path / CONFIG).exists():
        raise ValueError(f"{path}: no data set: it has no {CONFIG}")
    config = read_config(path)
    if len(config.shards) < config.num_shards:
        raise ValueError(
            f"{path}: not finished: {len(config.shards)} of {config.num_shards} shards; the command that wrote them "
            "goes on with the rest"
        )
    return config, joined([read_shard(path, config, shard) for shard in range(config.num_shards)])


def read_config(path: Path) -> Config:
    """What a folder's ``config.json`` says. ValueError if it is of no data set, or of other rules; OSError."""
    file = path / CONFIG
    return read_json(file, Config, follow_links=False).checked(str(file))


def count_kept(path: Path) -> int:
    """How many games a folder has so far. The same errors."""
    if not (path / CONFIG).exists():
        return 0
    config = read_config(path)
    return sum(len(config.games_of(shard)) for shard in range(len(config.shards)))


def shard_path(path: Path, shard: int) -> Path:
    """The file of a shard."""
    return path / f"shard-{shard:05d}.npz"


def read_shard(path: Path, config: Config, shard: int) -> Columns:
    """One shard of a folder. ValueError, which names the file, if it is not the one that ``config`` names, or if it
    holds anything but columns of the game; OSError if it can't be read."""
    file, head = shard_path(path, shard), config.shards[shard]
    if file.is_symlink() or sha256_of(file) != head.sha256:
        raise ValueError(f"{file}: not the file that {CONFIG} names: its SHA-256 is another; damaged, or of others")
    game = config.found_game
    due = forms(game, config.options, config.inputs)
    try:
        with zipfile.ZipFile(file) as archive:
            if sorted(archive.namelist()) != sorted(f"{name}.npy" for name in COLUMNS):
                raise ValueError(f"its arrays are {archive.namelist()!r:.200}, not {COLUMNS}")
            arrays = {
                name: _read_array(archive.open(f"{name}.npy"), dtype, (head.plies, *shape))
                for name, (dtype, shape) in due.items()
            }
        columns = Columns(**arrays)
        problem = problem_with(columns, config.games_of(shard), game.layout(config.options).seats)
        if not problem and len(columns.bounds()) != head.games:
            problem = f"it has {len(columns.bounds())} games, and {CONFIG} says {head.games}"
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        problem = str(error)
    if problem:
        raise ValueError(f"{file}: {problem}")
    return columns


def _read_array(stream: IO[bytes], dtype: np.dtype[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """An array of this dtype and shape in NumPy's format, of which nothing is unpickled. ValueError for any other."""
    version = npy.read_magic(stream)
    if version not in HEADERS:
        raise ValueError(f"an array has version {version} of NumPy's format")
    found_shape, by_columns, found_dtype = HEADERS[version](stream)
    if (found_shape, by_columns, found_dtype) != (shape, False, dtype):
        order = ", column by column," if by_columns else ","
        raise ValueError(f"an array is {found_dtype} of shape {found_shape}{order} not {dtype} of shape {shape}")
    size = dtype.itemsize * int(np.prod(shape, dtype=object))
    content = stream.read(size + 1)
    if len(content) != size:
        raise ValueError(f"an array has not the {size} bytes of {dtype} of shape {shape}")
    return np.frombuffer(bytearray(content), dtype).reshape(shape)
