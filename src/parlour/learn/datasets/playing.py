"""Games of an expert, played to be learnt from."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from parlour.engine.games import Games
from parlour.engine.player import Estimating, Player, max_rows_of
from parlour.engine.view import GamesView, games_of
from parlour.learn.datasets.columns import COLUMNS, Columns, forms, returns_to_go
from parlour.learn.datasets.plans import DatasetPlan
from parlour.players.inputs import inputs_of
from parlour.players.simulate import MAX_ROWS, Numbers, Observer, Results, game_seeds, play_games
from parlour.support.jobs import ThreadJobs

NOT_ASKED = -1
OnGames = Callable[[int], None]
"""Called with how many games have ended since the last call."""


class Stopped(Exception):
    """Nobody waits for these games any more."""


class Asked(Observer):
    """Sits in every seat: asks a player in every position, plays what it chooses or, now and then, a random ply, and
    keeps what was seen and done. In the random plies of an opening it is not asked, and they are not kept."""

    name = "asked"

    def __init__(self, player: Player, noise: float, inputs: str, stopped: threading.Event) -> None:
        """``noise``: the share of random plies; ``stopped``: makes `choose` raise `Stopped`."""
        self.player, self.noise, self.inputs, self.stopped = player, noise, inputs, stopped
        self.parts: dict[str, list[NDArray[np.generic]]] = {name: [] for name in (*COLUMNS, "rewards")}
        self._chosen: Numbers = np.zeros(0, np.int64)  # by row; NOT_ASKED where the player has not been
        self._values: NDArray[np.float64] = np.zeros(0)
        self._kept: Numbers = np.zeros(0, np.int64)

    @property
    def max_rows(self) -> int:
        """How many games to play side by side at most."""
        return min(max_rows_of(self.player), MAX_ROWS)

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: Numbers) -> None:
        """See `parlour.players.Player`."""
        if self.stopped.is_set():
            raise Stopped
        row_ids, seats = row_mask.nonzero()[0], games_of(view).to_act
        self._chosen, self._values = np.full(view.num_games, NOT_ASKED), np.full(view.num_games, np.nan)
        self.player.choose(view, row_mask, actions)
        self._chosen[row_ids] = actions[row_ids]
        if isinstance(self.player, Estimating):
            self._values[row_ids] = self.player.values(view)[row_ids, seats[row_ids]]
        if self.noise:
            noisy = np.zeros_like(row_mask)
            noisy[row_ids] = view.random_numbers(row_ids) < self.noise
            view.sample(noisy, actions)

    def before_step(self, games: Games, row_ids: Numbers, game_numbers: Numbers, actions: Numbers) -> None:
        """See `Observer`."""
        self._kept = row_ids[:0]
        if not len(self._chosen):  # all are in their openings
            return
        asked = self._chosen[row_ids] != NOT_ASKED
        rows = self._kept = row_ids[asked]
        seats = games.to_act[rows]
        self._keep(
            observation=inputs_of(self.inputs, games, rows, seats, games.observation[rows]),
            action_mask=games.action_mask[rows] == 1, action=self._chosen[rows], played=actions[rows],
            value=self._values[rows].astype(np.float32), seat=seats, game=game_numbers[asked],
        )  # fmt: skip
        self._chosen = self._chosen[:0]

    def after_step(self, games: Games, row_ids: Numbers, game_numbers: Numbers, results: Results) -> None:
        """See `Observer`."""
        self._keep(rewards=games.rewards[self._kept])

    def _keep(self, **arrays: NDArray[np.generic]) -> None:
        for name, array in arrays.items():
            self.parts[name].append(array)


def play_shard(plan: DatasetPlan, shard: int, on_games: OnGames, stopped: threading.Event) -> Columns:
    """The plies of the games of one shard. `Stopped` if ``stopped`` was set meanwhile; what the player raises."""
    config, game = plan.config, plan.game
    numbers = config.games_of(shard)
    asked = Asked(plan.seated(), config.noise, config.inputs, stopped)
    results = play_games(
        game, config.options, [asked] * game.layout(config.options).seats,
        game_seeds(config.seed, len(numbers), numbers.start), 1, lambda _, ended: on_games(len(ended)),
        random_plies=plan.openings.random_plies, positions=[plan.openings.position(number) for number in numbers],
        observers=[asked], variant=config.variant,
    )  # fmt: skip
    return _in_order(plan, asked, results, numbers.start)


def _in_order(plan: DatasetPlan, asked: Asked, results: Results, first: int) -> Columns:
    """What was kept, game by game. ``first``: the number of the first game."""
    parts, config = asked.parts, plan.config
    due = forms(plan.game, config.options, config.inputs)
    if not parts["game"]:  # every game ended in its opening
        return Columns(**{name: np.zeros((0, *shape), dtype) for name, (dtype, shape) in due.items()})
    order = np.concatenate(parts["game"]).argsort(kind="stable")
    ordered = {name: np.concatenate(part)[order] for name, part in parts.items() if part}
    rewards, game = ordered.pop("rewards"), ordered["game"]
    columns = Columns(
        **ordered
        | {"game": game + first, "truncated": results.truncated[game], "returns": np.zeros(len(game), np.float32)}
    )
    for low, high in columns.bounds():
        columns.returns[low:high] = returns_to_go(rewards[low:high], columns.seat[low:high])
    return columns


def played(plan: DatasetPlan, shards: Sequence[int], threads: int, on_games: OnGames) -> Iterator[Columns]:
    """The plies of some shards, in order; ``threads`` of them are played at the same time. What the player raises."""
    stopped = threading.Event()
    jobs = [partial(play_shard, plan, shard, on_games, stopped) for shard in shards]
    with ThreadJobs(threads) as run:
        try:
            for low in range(0, len(jobs), threads):
                yield from run(jobs[low : low + threads])
        finally:
            stopped.set()
