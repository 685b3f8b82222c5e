"""`OpponentPool`: several opponents, one of which is drawn for each game, with the learner's results against each."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.player import is_player
from parlour.engine.variant_mix import read_cumulative
from parlour.players import Function, PlayerLike
from parlour.support.arguments import real_number, shown, whole_number
from parlour.support.errors import listing
from parlour.support.locks import share_lock
from parlour.wrappers.snapshot_folder import SNAPSHOT_NAME, KeptOpponent, Manifest, SnapshotFile, SnapshotFolder

RULES = ("prioritised", "hardest", "uniform", "latest")


@dataclass
class Entry:
    """One opponent of a pool.

    Attributes:
        number: unique in the pool, never reused.
        name: unique too.
        policy: the player; None for a snapshot that is not loaded.
        games: finished games against it.
        score: games that the learner has won, a draw counting one half.
        snapshot: its file, if it is a snapshot.
    """

    number: int
    name: str
    policy: PlayerLike | None
    games: int = 0
    score: float = 0.0
    snapshot: SnapshotFile | None = None


def win_rate(score: NDArray[Any], games: NDArray[Any]) -> NDArray[np.float64]:
    """p of several opponents (B,) from the learner's ``score`` in so many ``games``. One won and one lost game are
    added, so that nobody is dropped for good after a few games."""
    return np.asarray((score + 1) / (games + 2))


class OpponentPool:
    """Names to policies, one of which is the opponent in each game of `SelfPlayEnv` or `SelfPlayVectorEnv`.

    A pool changes nothing in observation, action, reward and info. The environments that use it report
    the result of each game to it; several environments of one process may share it.

    Which opponent a game takes is drawn from the environment's own seed, by ``choose``:

    * ``"prioritised"``, the default: in proportion to p (1 − p), p being the learner's win rate against it. So most
      games are against opponents of about the learner's own strength, whose results say most about what it does. One
      that it always beats, or never, teaches little;
    * ``"hardest"``: in proportion to (1 − p)^hardness. Most games are against those that the learner beats least, even
      if it has no chance yet; use it when no opponent is far stronger;
    * ``"uniform"``: all with the same probability;
    * ``"latest"``: the one that was added last;
    * a mapping of names to weights: in proportion to these; 1 for names that it leaves out.

    The first two are prioritised fictitious self-play, as the league of AlphaStar uses it (Vinyals et al., *Grandmaster
    level in StarCraft II using multi-agent reinforcement learning*, Nature 575, 2019). One won and one lost game are
    added to p, so that no opponent is dropped for good after a few games. They go by results, so that a seed gives the
    same games again only with a pool that has the same results.

    Snapshots of the learner are files in ``folder``, each written atomically, beside a manifest with all results
    (`parlour.wrappers.snapshot_folder`). A new pool with the same folder loads them again. The manifest is validated as
    a whole first. The content of a snapshot's file is not checked: ``load`` must decide whether to trust it.

    The folder is locked as long as the pool is there: another process that makes a pool with it is refused. A pickled
    pool plays there, but may not write while the first one is there.
    """

    def __init__(
        self,
        policies: Mapping[str, PlayerLike] | None = None,
        *,
        choose: str | Mapping[str, float] = "prioritised",
        hardness: float = 2.0,
        folder: str | os.PathLike[str] | None = None,
        load: Callable[[Path], Function] | None = None,
        max_snapshots: int = 20,
    ) -> None:
        """
        Args:
            policies: the first opponents, such as ``{"random": "random", "greedy": "greedy"}``.
            choose: see the class.
            hardness: the exponent of ``"hardest"``, from 0 up.
            folder: for the snapshots; it is created if it is missing. None: no snapshots.
            load: makes a policy from a snapshot's file; called when the snapshot first plays.
            max_snapshots: the number of unnamed snapshots to keep; older ones are dropped.

        Raises:
            ValueError: for arguments that are not valid; for a folder whose manifest is not valid, naming file and
                line; for one that a pool of another process has, naming that. Nothing but the lock has then been
                changed.
            OSError: for a folder that cannot be read or written.
        """
        if (folder is None) != (load is None):
            raise ValueError(
                "folder and load need each other: the place of snapshots, and the function that loads them"
            )
        self.hardness = real_number("hardness", hardness, 0)
        self.max_snapshots = whole_number("max_snapshots", max_snapshots, 1)
        self.folder = None if folder is None else Path(folder)
        self._load = load
        self._entries: list[Entry] = []
        self._numbers = 0  # how many have been given
        self._snapshots = 0  # the same for the numbers of files
        self._choose: str | dict[str, float] = "uniform"
        self._cumulative: NDArray[np.float64] | None = None
        if not isinstance(policies, Mapping | None):
            raise ValueError(f"policies are a mapping of names to policies, not {shown(policies)}")
        for name, policy in (policies or {}).items():
            self.add(name, policy)
        self._lock = None if self.folder is None else share_lock(self.folder)
        snapshots = None if self.folder is None else SnapshotFolder(self.folder)
        if snapshots:
            self._restore(snapshots)
        self.set_choice(choose)
        if snapshots:
            snapshots.open()

    # --- who is there ---

    @property
    def names(self) -> list[str]:
        """All opponents, the latest last."""
        return [entry.name for entry in self._entries]

    @property
    def players(self) -> dict[str, PlayerLike]:
        """The policies of all opponents that are not snapshots."""
        return {entry.name: entry.policy for entry in self._entries if entry.policy is not None and not entry.snapshot}

    def add(self, name: str, policy: PlayerLike) -> None:
        """Adds an opponent. ValueError for a name that is taken, or an invalid policy."""
        self._check_name(name)
        if not (isinstance(policy, str) or is_player(policy) or callable(policy)):
            raise ValueError(
                f"opponent {name!r}: {policy!r} is not a policy; valid: a player's name, a player, or a function"
            )
        self._enter(name, policy)

    def _check_name(self, name: object) -> None:
        if not isinstance(name, str) or not name or not name.isprintable():
            raise ValueError(f"an opponent's name is a text of printable characters, not {name!r}")
        if SNAPSHOT_NAME.fullmatch(name):
            raise ValueError(f"the opponent's name {name!r} is reserved for snapshots without a name")
        if name in self.names:
            raise ValueError(f"there is an opponent {name!r} already")

    def _enter(self, name: str, policy: PlayerLike | None, snapshot: SnapshotFile | None = None) -> Entry:
        entry = Entry(self._numbers, name, policy, snapshot=snapshot)
        self._numbers += 1
        self._entries.append(entry)
        self._cumulative = None
        return entry

    def _find(self, name: object) -> Entry:
        for entry in self._entries:
            if entry.name == name:
                return entry
        raise ValueError(f"there is no opponent {name!r}; opponents: {listing(self.names)}")

    def policy_of(self, entry: Entry) -> PlayerLike:
        """The policy of an entry; a snapshot is loaded at its first use."""
        if entry.policy is None:
            assert entry.snapshot is not None
            assert self.folder is not None
            assert self._load is not None
            entry.policy = self._load(self.folder / entry.snapshot.file)
            if not callable(entry.policy):
                raise ValueError(f"load made {entry.policy!r} of {entry.snapshot.file}, which is not a function")
        return entry.policy

    # --- who plays ---

    def set_choice(self, choose: str | Mapping[str, float]) -> None:
        """Changes the rule for future games: see the class. ValueError for one that is not valid."""
        if isinstance(choose, Mapping):
            for name in choose:
                self._find(name)
            before, self._choose, self._cumulative = self._choose, dict(choose), None
            try:
                self._cumulative_probabilities()
            except ValueError:
                self._choose = before
                raise
        elif choose in RULES:
            self._choose, self._cumulative = choose, None
        else:
            raise ValueError(f"choose {choose!r} is not valid; valid: {listing(RULES)}, or weights, one per name")

    def probabilities(self) -> dict[str, float]:
        """The probability that the next game takes each opponent."""
        return dict(zip(self.names, np.diff(self._cumulative_probabilities(), prepend=0.0).tolist()))

    def draw(self, points: NDArray[np.float64]) -> list[Entry]:
        """An opponent for each of ``points`` (M,), which are uniform in [0, 1)."""
        return [self._entries[k] for k in np.searchsorted(self._cumulative_probabilities(), points, side="right")]

    def _cumulative_probabilities(self) -> NDArray[np.float64]:
        """See `parlour.engine.variant_mix.VariantMix.cumulative`."""
        if self._cumulative is None:
            if not self._entries:
                raise ValueError("the pool is empty: add an opponent, or save a snapshot")
            self._cumulative = read_cumulative(self._weights(), len(self._entries))
        return self._cumulative

    def _weights(self) -> list[float]:
        if isinstance(self._choose, dict):
            return [self._choose.get(name, 1.0) for name in self.names]
        if self._choose == "latest":
            return [0.0] * (len(self._entries) - 1) + [1.0]
        if self._choose == "uniform":
            return [1.0] * len(self._entries)
        winning = win_rate(*(np.array([getattr(one, name) for one in self._entries]) for name in ("score", "games")))
        losing = 1 - winning
        weights = winning * losing if self._choose == "prioritised" else (losing / losing.max()) ** self.hardness
        return list(weights.tolist())

    # --- results ---

    def record(self, number: int, score: float) -> None:
        """Records a result against the opponent with this number (see `Entry`), which may have been dropped meanwhile.
        Score: 1 if the learner won, 0 if it lost, 0.5 for a draw. ValueError for another score."""
        if score not in (0, 0.5, 1):
            raise ValueError(f"the score of a game is 0, 0.5 or 1, not {score!r}")
        for entry in self._entries:
            if entry.number == number:
                entry.games += 1
                entry.score += score
                if self._choose in ("prioritised", "hardest"):
                    self._cumulative = None

    @property
    def games(self) -> dict[str, int]:
        """Finished games against each."""
        return {entry.name: entry.games for entry in self._entries}

    @property
    def win_rates(self) -> dict[str, float]:
        """The learner's win rate against each, a draw counting one half; NaN before the first game."""
        return {entry.name: entry.score / entry.games if entry.games else math.nan for entry in self._entries}

    def report(self) -> str:
        """One line per opponent: games, win rate, and the probability of being drawn next."""
        probabilities, rates = self.probabilities(), self.win_rates
        width = max(map(len, probabilities))
        return "\n".join(
            f"{name:<{width}}  {self.games[name]:>7} games  win rate {rates[name]:5.3f}  met next {probability:5.3f}"
            for name, probability in probabilities.items()
        )

    # --- snapshots ---

    def save_snapshot(self, save: Callable[[Path], object], name: str | None = None) -> str:
        """Adds a snapshot of the learner, and saves all results.

        Args:
            save: called with the path to write to, for instance ``model.save``.
            name: a named snapshot is never dropped; None: it is numbered.

        Returns:
            The snapshot's name.

        Raises:
            ValueError: without a folder, or if another process has it; for a name that is taken or not valid; if
                ``save`` left no such file.
            OSError: where the snapshot or the manifest cannot be written, as on a full disk.

            After an error, also one of ``save``, pool and folder are as they were.
        """
        folder = self._require_folder()
        if name is not None:
            self._check_name(name)
        snapshot = folder.add(self._snapshots, save, name is not None)
        label = f"snapshot_{self._snapshots}" if name is None else name
        entry = Entry(self._numbers, label, None, snapshot=snapshot)
        remaining, dropped = self._drop_oldest([*self._entries, entry])
        try:
            folder.write(_manifest(self._snapshots + 1, remaining))
        except OSError:
            folder.remove([snapshot])
            raise
        self._snapshots, self._numbers, self._entries = self._snapshots + 1, self._numbers + 1, remaining
        self._cumulative = None
        if isinstance(self._choose, dict):
            self._choose = {name: weight for name, weight in self._choose.items() if name in self.names}
        folder.remove([one.snapshot for one in dropped if one.snapshot])  # only now that no manifest names them
        return label

    @property
    def snapshot_files(self) -> list[Path]:
        """The files of all snapshots, for a checkpoint that includes them."""
        folder = self.folder
        return [folder / entry.snapshot.file for entry in self._entries if folder and entry.snapshot]

    def save_results(self) -> None:
        """Writes the manifest, so that a crash loses no result. ValueError without a folder, or if another process has
        it; OSError if it fails."""
        self._require_folder().write(_manifest(self._snapshots, self._entries))

    def _require_folder(self) -> SnapshotFolder:
        if self.folder is None:
            raise ValueError("this pool keeps no snapshots; it was made without a folder")
        self._lock = share_lock(self.folder)  # a pickled pool has none yet
        return SnapshotFolder(self.folder)

    def _drop_oldest(self, entries: list[Entry]) -> tuple[list[Entry], list[Entry]]:
        unnamed = [entry for entry in entries if entry.snapshot is not None and not entry.snapshot.kept]
        dropped = unnamed[: max(len(unnamed) - self.max_snapshots, 0)]
        return [entry for entry in entries if entry not in dropped], dropped

    def _restore(self, folder: SnapshotFolder) -> None:
        """What the manifest names, as far as its file is whole."""
        manifest = folder.read()
        self._snapshots = manifest.snapshots
        for saved in manifest.opponents:
            if saved.snapshot is None:
                if saved.name not in self.names:
                    continue  # a policy that is no more
            elif saved.name in self.names:
                raise ValueError(
                    f"{folder.path} has a snapshot {saved.name!r}; give the opponent {saved.name!r} another name"
                )
            elif not folder.is_whole(saved.snapshot):
                warnings.warn(
                    f"snapshot {saved.name!r} is left out: {folder.path / saved.snapshot.file} is missing or damaged",
                    RuntimeWarning,
                    stacklevel=3,
                )
                continue
            else:
                self._enter(saved.name, None, saved.snapshot)
            entry = self._find(saved.name)
            entry.games, entry.score = saved.games, saved.score

    # --- copies ---

    def __deepcopy__(self, memo: dict[int, Any]) -> OpponentPool:
        """A pool is shared: by the environments made with it, and by their copies."""
        return self

    def __getstate__(self) -> dict[str, Any]:
        entries = [
            entry if entry.snapshot is None else Entry(**{**vars(entry), "policy": None}) for entry in self._entries
        ]
        return {**self.__dict__, "_entries": entries, "_lock": None}


def _manifest(snapshots: int, entries: Sequence[Entry]) -> Manifest:
    return Manifest(snapshots, tuple(KeptOpponent(one.name, one.games, one.score, one.snapshot) for one in entries))
