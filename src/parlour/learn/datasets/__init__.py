"""Games of experts as data to learn from: positions, what an expert does there, and how the games ended.

* `dataset` plays games, or reads recorded ones: ``parlour.dataset``
* `Dataset`  what it gives: arrays over all plies

Modules, from the ground up: `columns`, the arrays; `playing`; `archives`, recorded games; `minari_form`, the files.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from parlour.arena.setting.openings import NONE, OpeningsLike
from parlour.engine.player import PlayerLike
from parlour.interfaces.registry import find
from parlour.learn.datasets.archives import read_archive
from parlour.learn.datasets.columns import Columns, Config, Distinct, joined
from parlour.learn.datasets.minari_form import to_minari
from parlour.learn.datasets.playing import OnGames, make_plan, played
from parlour.players.inputs import PLANES
from parlour.support.arguments import whole_number
from parlour.support.jobs import MAX_THREADS

__all__ = ["Dataset", "dataset"]
NO_FOLDERS = (
    "folders of data sets are no more: Dataset.to_minari(ID) writes a data set and minari.load_dataset(ID) reads it; "
    "numpy.load reads the columns in each shard-….npz of a folder that version 0.3.0 has written"
)
"""The error of `save` and `load`, which up to version 0.3.0 wrote data sets to folders and read them."""


@dataclass(frozen=True, eq=False, repr=False)
class Dataset(Columns):
    """Games as arrays over K plies, those of all seats. A game with the same observations and plies as an earlier one
    is left out.

    Attributes:
        config: what was played: game, variant, option values, player, what identifies its network, noise, seed, and the
            number of games, including those left out.
    """

    config: Config

    @property
    def duplicates(self) -> int:
        """How many games are left out: those like earlier ones, and those that ended within their opening."""
        return self.config.games - len(np.unique(self.game))

    def save(self, *_: object) -> NoReturn:
        """Refused: see `to_minari`."""
        raise ValueError(NO_FOLDERS)

    def to_minari(self, dataset_id: str, **metadata: Any) -> Any:
        """Writes the data set where Minari keeps its own, and returns it as a ``minari.MinariDataset``.

        There is one episode for each seat of each game: what a single learner in that seat sees, with all other seats
        as its environment.

        * observations: ``{"observation", "action_mask"}``, as `parlour.wrappers.SelfPlayEnv` shows them. After the last
          ply, its observation is repeated with a mask of zeros, since nothing is seen after the end.
        * actions: what was played. rewards: from each ply of the seat to its next one. A game that was cut off is
          truncated.
        * infos: ``expert_action``, what the player chose; ``value``; ``seat``; ``game``.

        With planes as inputs ``recover_environment(opponent="champion")`` gives a `SelfPlayEnv` of the same game and
        options, by default with a random opponent.

        Args:
            dataset_id: such as ``"parlour/acey_ducey/champion-v0"``.
            **metadata: for ``minari.create_dataset_from_buffers``: ``author``, ``author_email``, ``code_permalink``,
                ``data_format`` and so on.

        Raises:
            ImportError: without Minari (``pip install 'parlour[minari]'``).
            ValueError: for an id that is not valid, or exists already.
        """
        return to_minari(dataset_id, self.config, self, **metadata)

    def __repr__(self) -> str:
        by = self.config.player or "recorded games"
        return f"<Dataset of {len(self):,} plies: {self.config.game}, {self.config.variant}, {by}>"


class Datasets:
    """The type of ``parlour.dataset``: call it to play games; `from_records` reads recorded ones."""

    def __call__(
        self,
        game: str,
        *,
        player: PlayerLike = "champion",
        games: int = 1000,
        noise: float = 0.05,
        seed: int = 0,
        variant: str | None = None,
        openings: OpeningsLike = NONE,
        inputs: str = PLANES,
        threads: int = 1,
        on_games: OnGames = lambda count: None,
        **values: object,
    ) -> Dataset:
        """Plays whole games, an expert in every seat, and keeps what is seen and chosen in every ply.

        Now and then a random ply is played, to reach positions that the expert would avoid. There, too, ``action`` is
        the label to learn, what the expert chooses; ``played`` is what was played.

        Args:
            game: an id such as ``"acey_ducey-v0"``.
            player: a name, a `parlour.players.Player` or a function, as everywhere.
            games: how many, from 1 to 10,000,000.
            noise: the share of plies that are random, from 0 to 1.
            seed: fixes everything, for any number of threads.
            variant: a name from `parlour.variants`; None for the game's first.
            openings: how games begin: ``"none"``, ``"random:8"``, a file or a list of positions
                (`parlour.arena.setting.openings`). In the random plies of an opening the expert is not asked, and
                nothing is recorded.
            inputs: what is seen: ``"planes"``, ``"thermometer"``, ``"thermometer:int8"`` or ``"features"``
                (`parlour.players.inputs`).
            threads: how many share the work, 256 games at a time each, from 1 to 1,024.
            on_games: called with how many games have ended since the last call.
            **values: any option from `parlour.options`, on top of the variant.

        Raises:
            ValueError: for anything unknown or out of range, naming it and what is valid.
        """
        plan = make_plan(find(game), variant, values, player, games, noise, seed, openings, inputs)
        threads = whole_number("threads", threads, 1, MAX_THREADS)
        distinct = Distinct()
        parts = [distinct(part) for part in played(plan, threads, on_games)]
        return Dataset(**joined(parts).arrays(), config=plan.config)

    def load(self, *_: object) -> NoReturn:
        """Refused: see `Dataset.to_minari`."""
        raise ValueError(NO_FOLDERS)

    def from_records(self, file: str | os.PathLike[str], *, inputs: str = PLANES) -> Dataset:
        """The games of a file of records, such as ``.jsonl`` or ``.pdn``, all under the same options. ``action`` and
        ``played`` are the moves, ``value`` is NaN, and ``returns`` is the result in the file (1 won, 0 drawn, −1 lost),
        or else by the rules. Games without a result are left out.

        Raises:
            ValueError: names file and game, if none can be used, or if games differ in their options.
            OSError: for an unreadable file.
        """
        config, columns = read_archive(Path(file), inputs)
        return Dataset(**Distinct()(columns).arrays(), config=config)


dataset = Datasets()
"""Games of experts as data: see `parlour.learn.datasets.Datasets`."""
