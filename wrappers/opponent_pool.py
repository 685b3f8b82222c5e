"""`OpponentPool`: several opponents, from which each game takes one, and how the learner fares against each."""

from __future__ import annotations

import hashlib
import json
import math
import os
import warnings
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.variant_mix import read_odds
from parlour.errors import listing
from parlour.players import Function, PlayerLike

RULES = ("uniform", "latest", "prioritised")
MANIFEST = "manifest.json"
HALF_WRITTEN = "writing_"
SNAPSHOT = "snapshot_"


@dataclass(frozen=True)
class SnapshotFile:
    """A snapshot as the manifest has it."""

    file: str
    sha256: str
    kept: bool
    """whether it has a name of its own, and so is never dropped"""


@dataclass
class Entry:
    """One opponent of a pool.

    Attributes:
        number: its own; never another's.
        name: what it is called.
        policy: who plays; None for a snapshot that is not loaded.
        games: how many have ended.
        score: how many of them the learner has won, a draw being half a win.
        snapshot: its file, if it is a snapshot.
    """

    number: int
    name: str
    policy: PlayerLike | None
    games: int = 0
    score: float = 0.0
    snapshot: SnapshotFile | None = None


class OpponentPool:
    """Names to policies, one of which is the opponent in each game of `SelfPlayEnv` or `SelfPlayVectorEnv`.

    A pool changes nothing in observation, action, reward and info. It is told the result of each game by the
    environments that were made with it; several environments of one process may share it.

    Which opponent a game takes is drawn from the environment's own seed, by ``choose``:

    * ``"uniform"``: each as likely;
    * ``"latest"``: the one that was added last;
    * ``"prioritised"``: in proportion to (1 − p)^hardness, p being the learner's win rate against it: prioritised
      fictitious self-play (Vinyals et al., *Grandmaster level in StarCraft II using multi-agent reinforcement
      learning*, Nature 575, 2019). So that nobody is given up for good after a few games, one won and one lost game
      are added to each in p;
    * a mapping of names to weights: in proportion to these; 1 for names that it leaves out.

    Snapshots of the learner are files in ``folder``, each written whole or not at all, with a manifest (JSON) beside
    them that holds all results. A pool that is made with the same folder has them again.
    """

    def __init__(
        self,
        policies: Mapping[str, PlayerLike] | None = None,
        *,
        choose: str | Mapping[str, float] = "uniform",
        hardness: float = 2.0,
        folder: str | os.PathLike[str] | None = None,
        load: Callable[[Path], Function] | None = None,
        most: int = 20,
    ) -> None:
        """
        Args:
            policies: the first opponents, such as ``{"random": "random", "greedy": "greedy"}``.
            choose: see the class.
            hardness: the exponent of ``"prioritised"``, from 0 up.
            folder: where snapshots are kept; it is made if need be. None: there are none.
            load: makes a policy of a snapshot's file; called when the snapshot first plays.
            most: so many snapshots without a name of their own are kept, the oldest being dropped.

        Raises:
            ValueError: for arguments that are not valid, or a manifest that is none.
        """
        if isinstance(hardness, bool) or not isinstance(hardness, (int, float)) or not 0 <= hardness < math.inf:
            raise ValueError(f"hardness must be a finite number from 0 up, not {hardness!r}")
        if isinstance(most, bool) or not isinstance(most, int) or most < 1:
            raise ValueError(f"most must be a whole number from 1 up, not {most!r}")
        if (folder is None) != (load is None):
            raise ValueError("folder and load come together: where snapshots are kept, and what makes policies of them")
        self.hardness, self.most = float(hardness), most
        self.folder = None if folder is None else Path(folder)
        self._load = load
        self._entries: list[Entry] = []
        self._numbers = 0  # how many have been given
        self._snapshots = 0  # the same for the numbers of files
        self._choose: str | dict[str, float] = "uniform"
        self._odds: NDArray[np.float64] | None = None
        for name, policy in (policies or {}).items():
            self.add(name, policy)
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._restore(self.folder)
        self.set_choice(choose)

    # --- who is there ---

    @property
    def names(self) -> list[str]:
        """All opponents, the latest last."""
        return [entry.name for entry in self._entries]

    @property
    def players(self) -> dict[str, PlayerLike]:
        """The policies of all opponents but those that are snapshots."""
        return {entry.name: entry.policy for entry in self._entries if entry.policy is not None and not entry.snapshot}

    def add(self, name: str, policy: PlayerLike) -> None:
        """Adds an opponent. ValueError for a name that is taken, or what is no policy."""
        self._check_name(name)
        if not (isinstance(policy, str) or hasattr(policy, "choose") or callable(policy)):
            raise ValueError(f"opponent {name!r}: {policy!r} is no policy: a player's name, a player, or a function")
        self._enter(name, policy)

    def _check_name(self, name: object) -> None:
        if not isinstance(name, str) or not name:
            raise ValueError(f"an opponent's name is a text, not {name!r}")
        if name in self.names:
            raise ValueError(f"there is an opponent {name!r} already")

    def _enter(self, name: str, policy: PlayerLike | None, snapshot: SnapshotFile | None = None) -> Entry:
        entry = Entry(self._numbers, name, policy, snapshot=snapshot)
        self._numbers += 1
        self._entries.append(entry)
        self._odds = None
        return entry

    def _find(self, name: object) -> Entry:
        for entry in self._entries:
            if entry.name == name:
                return entry
        raise ValueError(f"there is no opponent {name!r}; opponents: {listing(self.names)}")

    def policy_of(self, entry: Entry) -> PlayerLike:
        """Who plays for an entry; a snapshot is loaded when it first does."""
        if entry.policy is None:
            assert entry.snapshot is not None
            assert self.folder is not None
            assert self._load is not None
            entry.policy = self._load(self.folder / entry.snapshot.file)
            if not callable(entry.policy):
                raise ValueError(f"load made {entry.policy!r} of {entry.snapshot.file}, which is no function")
        return entry.policy

    # --- who plays ---

    def set_choice(self, choose: str | Mapping[str, float]) -> None:
        """Another rule for games that begin from now on: see the class. ValueError for one that is not valid."""
        if isinstance(choose, Mapping):
            for name in choose:
                self._find(name)
            before, self._choose, self._odds = self._choose, dict(choose), None
            try:
                self._read_odds()
            except ValueError:
                self._choose = before
                raise
        elif choose in RULES:
            self._choose, self._odds = choose, None
        else:
            raise ValueError(f"choose {choose!r} is not valid; valid: {listing(RULES)}, or weights, one a name")

    def odds(self) -> dict[str, float]:
        """With what probability the next game takes each opponent."""
        return dict(zip(self.names, np.diff(self._read_odds(), prepend=0.0).tolist()))

    def draw(self, points: NDArray[np.float64]) -> list[Entry]:
        """An opponent for each of ``points`` (M,), which are uniform in [0, 1)."""
        return [self._entries[k] for k in np.searchsorted(self._read_odds(), points, side="right")]

    def _read_odds(self) -> NDArray[np.float64]:
        """See `parlour.engine.variant_mix.Menu.odds`."""
        if self._odds is None:
            if not self._entries:
                raise ValueError("the pool is empty: add an opponent, or save a snapshot")
            self._odds = read_odds(self._weights(), len(self._entries))
        return self._odds

    def _weights(self) -> list[float]:
        if isinstance(self._choose, dict):
            return [self._choose.get(name, 1.0) for name in self.names]
        if self._choose == "latest":
            return [0.0] * (len(self._entries) - 1) + [1.0]
        if self._choose == "uniform":
            return [1.0] * len(self._entries)
        losing = np.array([1 - (entry.score + 1) / (entry.games + 2) for entry in self._entries])
        weights: list[float] = ((losing / losing.max()) ** self.hardness).tolist()
        return weights

    # --- results ---

    def record(self, number: int, score: float) -> None:
        """Takes the result of a game against the opponent with a number (see `Entry`), which may have been dropped by
        now: 1 won by the learner, 0 lost, one half drawn."""
        for entry in self._entries:
            if entry.number == number:
                entry.games += 1
                entry.score += score
                if self._choose == "prioritised":
                    self._odds = None

    @property
    def games(self) -> dict[str, int]:
        """How many games against each have ended."""
        return {entry.name: entry.games for entry in self._entries}

    @property
    def win_rates(self) -> dict[str, float]:
        """The learner's share of wins against each, a draw being half a win; NaN before the first game."""
        return {entry.name: entry.score / entry.games if entry.games else math.nan for entry in self._entries}

    def report(self) -> str:
        """A line for each opponent: games, win rate, and how likely it is in the next game."""
        odds, rates = self.odds(), self.win_rates
        width = max(map(len, odds))
        return "\n".join(
            f"{name:<{width}}  {self.games[name]:>7} games  win rate {rates[name]:5.3f}  next {odds[name]:5.3f}"
            for name in odds
        )

    # --- snapshots ---

    def save_snapshot(self, save: Callable[[Path], object], name: str | None = None) -> str:
        """Adds a snapshot of the learner, and writes all results down.

        Args:
            save: writes it to the file that it is given, ``model.save`` for instance.
            name: one of its own, under which it is never dropped; None for a number.

        Returns:
            The snapshot's name.

        Raises:
            ValueError: without a folder; for a name that is taken; or if ``save`` left no such file. The pool is then
                as it was, as it is if ``save`` raises.
        """
        folder = self._require_folder()
        label = f"{SNAPSHOT}{self._snapshots}" if name is None else name
        self._check_name(label)
        file = f"{SNAPSHOT}{self._snapshots:06}.bin"
        fresh = folder / f"{HALF_WRITTEN}{file}"
        try:
            save(fresh)
            if not fresh.is_file():
                raise ValueError(f"save() has left no file {fresh.name!r}: it must write to the path that it is given")
            digest = _settle(fresh)
            os.replace(fresh, folder / file)
        finally:
            fresh.unlink(missing_ok=True)
        self._snapshots += 1
        self._enter(label, None, SnapshotFile(file, digest, name is not None))
        dropped = self._drop_oldest()
        self.save_results()
        for entry in dropped:  # only now that no manifest names them
            assert entry.snapshot is not None
            (folder / entry.snapshot.file).unlink(missing_ok=True)
        return label

    def save_results(self) -> None:
        """Writes the manifest, so that a crash loses no result up to now. ValueError without a folder."""
        folder = self._require_folder()
        content = {
            "snapshots": self._snapshots,
            "opponents": [
                {
                    "name": entry.name,
                    "games": entry.games,
                    "score": entry.score,
                    "snapshot": None if entry.snapshot is None else asdict(entry.snapshot),
                }
                for entry in self._entries
            ],
        }
        fresh = folder / f"{HALF_WRITTEN}{MANIFEST}"
        fresh.write_text(json.dumps(content, indent=1), encoding="utf-8")
        _settle(fresh)
        os.replace(fresh, folder / MANIFEST)

    def _require_folder(self) -> Path:
        if self.folder is None:
            raise ValueError("this pool keeps no snapshots; it was made without a folder")
        return self.folder

    def _drop_oldest(self) -> list[Entry]:
        unnamed = [entry for entry in self._entries if entry.snapshot is not None and not entry.snapshot.kept]
        dropped = unnamed[: max(len(unnamed) - self.most, 0)]
        for entry in dropped:
            self._entries.remove(entry)
            if isinstance(self._choose, dict):
                self._choose.pop(entry.name, None)
        return dropped

    def _restore(self, folder: Path) -> None:
        """What the manifest names, as far as it is whole; what a crash left half-written is removed."""
        for file in folder.glob(f"{HALF_WRITTEN}*"):
            file.unlink()
        manifest = folder / MANIFEST
        if not manifest.exists():
            return
        try:
            content = json.loads(manifest.read_text(encoding="utf-8"))
            self._snapshots = int(content["snapshots"])
            for kept in content["opponents"]:
                self._restore_one(folder, kept)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{manifest} is no manifest of a pool: {error!r}") from None

    def _restore_one(self, folder: Path, kept: dict[str, Any]) -> None:
        name, snapshot = kept["name"], kept["snapshot"]
        if snapshot is not None:
            found = SnapshotFile(**snapshot)
            if _digest(folder / found.file) != found.sha256:
                warnings.warn(
                    f"snapshot {name!r} is left out: {folder / found.file} is missing or damaged",
                    RuntimeWarning,
                    stacklevel=4,
                )
                return
            self._check_name(name)
            self._enter(name, None, found)
        elif name not in self.names:
            return  # a policy that is no more
        entry = self._find(name)
        entry.games, entry.score = int(kept["games"]), float(kept["score"])

    # --- copies ---

    def __deepcopy__(self, memo: dict[int, Any]) -> OpponentPool:
        """A pool is shared: by the environments made with it, and by their copies."""
        return self

    def __getstate__(self) -> dict[str, Any]:
        """Snapshots are loaded anew from their files."""
        entries = [
            entry if entry.snapshot is None else Entry(**{**vars(entry), "policy": None}) for entry in self._entries
        ]
        return {**self.__dict__, "_entries": entries}


def _digest(file: Path) -> str:
    """The SHA-256 of a file's content; empty if there is no such file."""
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else ""


def _settle(file: Path) -> str:
    """Waits until a file is on the disk. Returns its digest."""
    with file.open("rb") as stream:
        os.fsync(stream.fileno())
    return _digest(file)
