"""Playing fixtures on all cores of a machine, or on many through Ray, each finished game being told at once.

The fixtures are cut into tasks, a few games of the same players under the same variant; a task is played in one thread,
its games side by side. A game follows from its fixture alone, so the cut changes nothing but the time.
"""

from __future__ import annotations

import copy
import os
import queue
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from parlour.arena.fixtures import Fixture, Played
from parlour.arena.journal import Folder
from parlour.engine.game import Game
from parlour.players import Player, PlayerLike, checked_player, parse_player
from parlour.simulate import Results, play_games

TASKS_A_WORKER = 4
"""At least so many tasks for each worker, so that none waits long for the others in the end."""
MAX_GAMES_A_TASK, MAX_SEARCHED = 512, 16
"""Side by side, many are quicker; but of those in which a player searches for long, some should finish before others,
so that a run that is stopped has kept them."""


@dataclass(frozen=True)
class Task:
    """Games to be played side by side.

    Attributes:
        game: which game.
        values: all option values.
        players: who sits in each seat (P,).
        numbers: the fixtures' numbers (M,).
        seeds: their seeds (M,).
        policies: who plays under a name that `parlour.players.parse_player` does not read.
    """

    game: Game
    values: Mapping[str, Any]
    players: tuple[str, ...]
    numbers: tuple[int, ...]
    seeds: tuple[int, ...]
    policies: Mapping[str, PlayerLike] = field(default_factory=dict)

    def seated(self) -> list[Player]:
        """Players for every seat, of this task alone: they remember what they have searched."""
        return [seat_player(name, self.policies, self.game) for name in self.players]


Told = Callable[[list[Played]], None]


class Workers(Protocol):
    """Whoever plays tasks."""

    count: int
    """How many of them play at the same time."""

    def play(self, tasks: Sequence[Task]) -> Iterator[list[Played]]:
        """Plays all tasks, giving the games as they finish."""


def play_fixtures(
    game: Game,
    overrides: Mapping[str, object],
    fixtures: Sequence[Fixture],
    workers: Workers,
    on_played: Told = lambda games: None,
    folder: Folder | None = None,
    policies: Mapping[str, PlayerLike] | None = None,
) -> list[Played]:
    """Plays every fixture and returns the games in the same order.

    Args:
        game: which game.
        overrides: options on top of each fixture's variant.
        fixtures: what to play.
        workers: who plays: `Threads`, or `parlour.arena.cluster.Cluster`.
        on_played: told of games as they finish, in the caller's thread.
        folder: where they are journalled; those that it holds already are not played again.
        policies: players that no text names, by the names that the fixtures have for them. A function is asked by one
            thread at a time; of a player's object each task has a copy.

    Raises:
        ValueError: for a variant, option or player that the game does not have.
        parlour.IllegalMove: if one of ``policies`` plays what is not legal.
    """
    played = dict(folder.played) if folder else {}
    left = [fixture for fixture in fixtures if fixture.number not in played]
    for games in workers.play(cut(game, overrides, left, workers.count, policies or {})):
        if folder:
            folder.note(games)
        on_played(games)
        played.update((finished.number, finished) for finished in games)
    return [played[fixture.number] for fixture in fixtures]


def cut(
    game: Game,
    overrides: Mapping[str, object],
    fixtures: Sequence[Fixture],
    workers: int,
    policies: Mapping[str, PlayerLike],
) -> list[Task]:
    """The tasks for so many workers. ValueError as `play_fixtures`."""
    alike: dict[tuple[str, tuple[str, ...]], list[Fixture]] = {}
    for fixture in fixtures:
        alike.setdefault((fixture.variant, fixture.players), []).append(fixture)
    fair = max(1, len(fixtures) // (workers * TASKS_A_WORKER))
    guarded = {name: _Guarded(policy) if _is_function(policy) else policy for name, policy in policies.items()}
    tasks = []
    for (variant, players), group in alike.items():
        _, values = game.resolve(variant, overrides)
        # So that one that is not valid is refused before anything is played.
        seated = [seat_player(name, guarded, game) for name in dict.fromkeys(players)]
        searching = any(hasattr(player, "max_rows") for player in seated)
        size = min(fair, MAX_SEARCHED if searching else MAX_GAMES_A_TASK)
        for low in range(0, len(group), size):
            part = group[low : low + size]
            numbers, seeds = tuple(fixture.number for fixture in part), tuple(fixture.seed for fixture in part)
            tasks.append(Task(game, values, players, numbers, seeds, guarded))
    return tasks


def seat_player(name: str, policies: Mapping[str, PlayerLike], game: Game) -> Player:
    """Who plays under a name. ValueError if nobody does."""
    if name not in policies:
        return parse_player(name, game)
    policy = policies[name]
    own = policy if isinstance(policy, str) or _is_function(policy) else copy.deepcopy(policy)
    return checked_player(own, f"player {name!r}", game)


def _is_function(policy: PlayerLike) -> bool:
    return callable(policy) and not hasattr(policy, "choose")


class _Guarded:
    """A function that one thread at a time may call."""

    def __init__(self, function: Any) -> None:
        self.function, self.lock = function, threading.Lock()

    def __call__(self, observation: Any, action_mask: NDArray[np.int8]) -> Any:
        with self.lock:
            return self.function(observation, action_mask)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.function,)


def play_task(task: Task, on_played: Told) -> None:
    """Plays a task in this thread, telling of games as they finish."""
    words = task.game.rules.ENDS

    def tell(results: Results, games: NDArray[np.int64]) -> None:
        on_played([_played(task, words, results, int(g)) for g in games])

    play_games(task.game, task.values, task.seated(), task.seeds, on_finished=tell, judged=True)


def _played(task: Task, words: Sequence[str], results: Results, g: int) -> Played:
    return Played(
        number=task.numbers[g],
        returns=tuple(results.returns[g].tolist()),
        end=str(words[results.ends[g]]),
        truncated=bool(results.truncated[g]),
        plies=int(results.plies[g]),
        choices=int(results.choices[g]),
        forced=int(results.forced[g]),
        lead_changes=int(results.lead_changes[g]),
        events=tuple(results.events[g].tolist()),
    )


class Threads:
    """The threads of this process: rules and searches are compiled, and run side by side."""

    def __init__(self, count: int | None = None) -> None:
        """``count``: how many threads; None for one a core that this process may use. ValueError below 1."""
        if count is not None and count < 1:
            raise ValueError(f"threads must be 1 or more, not {count}")
        self.count = count or usable_cores()

    def play(self, tasks: Sequence[Task]) -> Iterator[list[Played]]:
        """See `Workers`. What a player raises is raised here; the other threads stop at their next finished game."""
        waiting: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        news: queue.SimpleQueue[list[Played] | BaseException | None] = queue.SimpleQueue()
        for task in [*tasks, *[None] * self.count]:
            waiting.put(task)
        stopped = threading.Event()

        def tell(games: list[Played]) -> None:
            if stopped.is_set():
                raise _Stopped
            news.put(games)

        def work() -> None:
            try:
                while (task := waiting.get()) is not None and not stopped.is_set():
                    play_task(task, tell)
                news.put(None)
            except _Stopped:
                pass
            except BaseException as error:
                news.put(error)

        for _ in range(self.count):
            threading.Thread(target=work, daemon=True).start()
        idle = 0
        try:
            while idle < self.count:
                found = news.get()
                if isinstance(found, BaseException):
                    raise found
                if found is None:
                    idle += 1
                else:
                    yield found
        finally:
            stopped.set()


def usable_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Stopped(Exception):
    """Nobody waits for these games any more."""
