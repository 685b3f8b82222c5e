"""Plays the games of a data set by an expert, and records them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from parlour.arena.runs.playing import seat_player
from parlour.arena.setting.openings import Openings, OpeningsLike, random_text, read_openings
from parlour.arena.setting.rulesets import read_ruleset
from parlour.engine.game import Game
from parlour.engine.games import Games
from parlour.engine.player import Estimating, Player, PlayerLike, max_rows_of
from parlour.engine.seeds import check_seed
from parlour.engine.view import GamesView, games_of
from parlour.interfaces.registry import find
from parlour.learn.datasets.columns import COLUMNS, Columns, Config, column_types, returns_to_go
from parlour.players.identity import identity_of, is_deterministic
from parlour.players.inputs import inputs_of, inputs_shape
from parlour.players.names import is_function, name_of
from parlour.players.python import OneAtATime
from parlour.players.simulate import MAX_ROWS, Numbers, Observer, Results, game_seeds, play_games
from parlour.support.arguments import real_number, whole_number
from parlour.support.jobs import ThreadJobs

MAX_GAMES = 10_000_000
GAMES_AT_ONCE = 256
"""Games that are played side by side."""
NOT_ASKED = -1
OnGames = Callable[[int], None]
"""Called with how many games have ended since the last call."""


@dataclass(frozen=True)
class DatasetPlan:
    """Games to be played."""

    config: Config
    player: PlayerLike
    openings: Openings

    @property
    def game(self) -> Game:
        """The game."""
        return find(self.config.game)

    @property
    def parts(self) -> list[range]:
        """The numbers of the games that are played side by side."""
        games = self.config.games
        return [range(low, min(low + GAMES_AT_ONCE, games)) for low in range(0, games, GAMES_AT_ONCE)]

    def seated(self) -> Player:
        """A new player for each part, since players remember what they have searched. ValueError if its file has
        changed."""
        name, player = self.config.player, self.player
        if is_function(player):
            player = OneAtATime(player)
        custom = {} if isinstance(player, str) else {name: player}
        return seat_player(name, custom, {name: self.config.identity}, self.game)


def make_plan(
    game: Game, variant: str | None, values: Mapping[str, object], player: PlayerLike, games: int, noise: float,
    seed: int, openings: OpeningsLike, inputs: str,
) -> DatasetPlan:  # fmt: skip
    """The plan of `parlour.dataset`, which says what the arguments are. ValueError for any that is not valid."""
    ruleset = read_ruleset(game, variant, values)
    noise = real_number("noise, the share of random plies,", noise, 0, 1)
    seed = check_seed(seed)
    choice = read_openings(openings, game, [ruleset], [player], seed)
    begun = choice.between(not game.rules.DICE and is_deterministic(player, game), ruleset.label)
    text: str | Sequence[str] = list(begun.positions) or random_text(begun.random_plies)
    inputs_shape(inputs, game, game.layout(ruleset.values))  # ValueError for inputs that the game lacks
    config = Config(
        game.id, ruleset.variant, dict(ruleset.values), inputs, whole_number("games", games, 1, MAX_GAMES),
        name_of(player), identity_of(player, game), noise, seed, text,
    )  # fmt: skip
    plan = DatasetPlan(config, player, begun)
    plan.seated()
    return plan


class Stopped(Exception):
    """The caller no longer wants these games."""


class Recorder(Observer):
    """Plays every seat: asks a player in every position, plays its choice or, now and then, a random ply, and records
    what was seen and done. In the random plies of an opening the player is not asked, and nothing is recorded."""

    name = "asked"

    def __init__(self, player: Player, noise: float, inputs: str, stopped: threading.Event) -> None:
        """``noise``: the share of random plies; ``stopped``: makes `choose` raise `Stopped`."""
        self.player, self.noise, self.inputs, self.stopped = player, noise, inputs, stopped
        self.parts: dict[str, list[NDArray[np.generic]]] = {name: [] for name in (*COLUMNS, "rewards")}
        self._chosen: Numbers = np.zeros(0, np.int64)  # by row; NOT_ASKED where the player was not asked
        self._values: NDArray[np.float64] = np.zeros(0)
        self._recorded_rows: Numbers = np.zeros(0, np.int64)

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
        self._recorded_rows = row_ids[:0]
        if not len(self._chosen):  # all games are in their openings
            return
        asked = self._chosen[row_ids] != NOT_ASKED
        rows = self._recorded_rows = row_ids[asked]
        seats = games.to_act[rows]
        self._add(
            observation=inputs_of(self.inputs, games, rows, seats, games.observation[rows]),
            action_mask=games.action_mask[rows] == 1, action=self._chosen[rows], played=actions[rows],
            value=self._values[rows].astype(np.float32), seat=seats, game=game_numbers[asked],
        )  # fmt: skip
        self._chosen = self._chosen[:0]

    def after_step(self, games: Games, row_ids: Numbers, game_numbers: Numbers, results: Results) -> None:
        """See `Observer`."""
        self._add(rewards=games.rewards[self._recorded_rows])

    def _add(self, **arrays: NDArray[np.generic]) -> None:
        for name, array in arrays.items():
            self.parts[name].append(array)


def play_part(plan: DatasetPlan, numbers: range, on_games: OnGames, stopped: threading.Event) -> Columns:
    """The plies of the games with these ``numbers``. Raises `Stopped` when ``stopped`` is set, and what the player
    raises."""
    config, game = plan.config, plan.game
    recorder = Recorder(plan.seated(), config.noise, config.inputs, stopped)
    results = play_games(
        game, config.options, [recorder] * game.layout(config.options).seats,
        game_seeds(config.seed, len(numbers), numbers.start), 1, lambda _, ended: on_games(len(ended)),
        random_plies=plan.openings.random_plies, positions=[plan.openings.position(number) for number in numbers],
        observers=[recorder], variant=config.variant,
    )  # fmt: skip
    return _in_order(plan, recorder, results, numbers.start)


def _in_order(plan: DatasetPlan, recorder: Recorder, results: Results, first: int) -> Columns:
    """What was recorded, game by game. ``first``: the number of the first game."""
    parts, config = recorder.parts, plan.config
    expected = column_types(plan.game, config.options, config.inputs)
    if not parts["game"]:  # every game ended in its opening
        return Columns(**{name: np.zeros((0, *shape), dtype) for name, (dtype, shape) in expected.items()})
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


def played(plan: DatasetPlan, threads: int, on_games: OnGames) -> Iterator[Columns]:
    """The plies of all games, in order; ``threads`` parts are played at the same time. Raises what the player
    raises."""
    stopped = threading.Event()
    jobs = [partial(play_part, plan, numbers, on_games, stopped) for numbers in plan.parts]
    with ThreadJobs(threads) as run:
        try:
            for low in range(0, len(jobs), threads):
                yield from run(jobs[low : low + threads])
        finally:
            stopped.set()
