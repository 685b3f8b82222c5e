"""Playing the games of a plan, on all cores of one machine, or on many machines through Ray.

The games are divided into tasks. A task has a few games of the same players under the same ruleset; one thread plays
them as a batch. Tasks are made when a worker is free, so that a plan of millions of games starts at once. A game
depends on its spec alone, so the division into tasks changes only the time.

If the run's folder already has games, these are first replayed from their recorded actions. Their results must agree
with the journal. Then the other games are played.
"""

from __future__ import annotations

import copy
import hashlib
import queue
import socket
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn

from parlour.arena.measures.registry import Measure, MeasureError, described, measure_game
from parlour.arena.measures.traces import TraceRecorder, read_only
from parlour.arena.runs.journal import JOURNAL, Folder, Row, count_saved, result_of
from parlour.arena.setting.openings import Openings
from parlour.arena.setting.plans import Counts, GameSpec, OnPlayed, Plan, Played, Series
from parlour.engine.game import Game
from parlour.engine.player import ANY_ROWS, max_rows_of
from parlour.players import Player, PlayerLike, checked_player, parse_player
from parlour.players.exact import Exact
from parlour.players.inputs import PLANES
from parlour.players.luck import Judge, LuckRecorder, judge_key
from parlour.players.names import is_function
from parlour.players.python import OneAtATime
from parlour.players.regrets import Regrets
from parlour.players.simulate import MoveRecorder, Results, UnplayableError, play_games, replay_games
from parlour.support.arguments import whole_number
from parlour.support.errors import IllegalMove
from parlour.support.jobs import MAX_THREADS, R, usable_cores

TASKS_PER_WORKER, QUICK_TASKS_PER_WORKER = 4, 2
"""The smallest number of tasks for each worker, so that no worker waits long for the others at the end; the second is
for tasks without search, which end soon."""
MAX_GAMES_PER_TASK, MIN_SEARCHED = 512, 16
"""The largest number of games in a task, since large batches are faster; and the smallest for players that search.
Where they search for a long time, batches are small, so that some games finish early and are saved if the run is
stopped."""
SEARCHED_SHARE = 1024
"""A task with a searching player has this fraction (1 / 1024) of the games that the player's memory allows side by
side, and so fewer games the more it searches: 341 for `mcts:5`, 40 for `mcts:50`, the minimum for `mcts:200`."""
MAX_NAMED = 8
"""The largest number of games that an error names."""
MAX_WAITING = 64
"""The largest number of lists of finished games in the queue to the caller's thread."""
LOCAL = "local"
TIMEOUT = 5.0
"""Seconds within which a cluster must answer."""
TASKS_AHEAD = 4
"""Tasks submitted to Ray per core, so that no core waits for its next task."""


@contextmanager
def progress_bar(*columns: ProgressColumn, shown: bool | None = None) -> Iterator[Progress]:
    """A bar on standard error, by default with rich's own columns. ``shown``: whether it is drawn; None: only if
    standard error is a terminal."""
    drawn = sys.stderr.isatty() if shown is None else shown
    bar = Progress(*columns, console=Console(stderr=True), transient=True, disable=not drawn)
    with nullcontext() if bar.disable else bar:  # rich before 15 ends one that is disabled with an empty line
        yield bar


class RunProgress:
    """A progress bar of a run. Call it with finished games."""

    def __init__(self, bar: Progress, games: int, on_played: OnPlayed) -> None:
        """``games``: the largest number of games that the run can have; ``on_played`` is called with them, too."""
        self._bar, self._task = bar, bar.add_task("games", total=games)
        self._on_played = on_played

    def __call__(self, played: list[Played]) -> None:
        """Some games have finished."""
        self._bar.advance(self._task, len(played))
        self._on_played(played)

    def describe(self, text: str) -> None:
        """Shows a text in front of the bar."""
        self._bar.update(self._task, description=text)


@contextmanager
def run_progress(
    games: int, folder: Path | None, shown: bool | None = None, on_played: OnPlayed = lambda played: None
) -> Iterator[RunProgress]:
    """A progress bar with the time left. After Ctrl-C the error message says how many games ``folder`` has."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    with progress_bar(*columns, shown=shown) as bar, saved_games_in_interrupt(folder, f" of {games}"):
        yield RunProgress(bar, games, on_played)


@contextmanager
def saved_games_in_interrupt(folder: Path | None, total: str = "") -> Iterator[None]:
    """After Ctrl-C in its block the error message says how many games ``folder`` has. ``total``: words after that
    number, such as `` of 100``. The journal is counted, since a bar can lag behind it."""
    try:
        yield
    except KeyboardInterrupt:
        message = f"{count_saved(folder)}{total} games are kept in {folder}; rerun to resume" if folder else ""
        raise KeyboardInterrupt(f"interrupted; {message or 'nothing is kept without a folder'}") from None


@dataclass(frozen=True)
class Task:
    """Games of a series to be played as one batch.

    Attributes:
        plan, series: what determines the games, without other series and without openings, which may be long.
        specs: the games (M,), with the same players in the same seats unless they are ``recorded``.
        recorded: the actions of each game, if the games are to be replayed.
        source, lines: the journal that these come from, and the line of each game.
    """

    plan: Plan
    series: Series
    specs: tuple[GameSpec, ...]
    recorded: tuple[NDArray[Any], ...] = ()
    source: str = ""
    lines: tuple[int, ...] = ()

    @classmethod
    def of(cls, plan: Plan, series: Series, specs: Iterable[GameSpec], **recorded: Any) -> Task:
        """A task of some games of a series."""
        return cls(replace(plan, series=(), config={}), replace(series, openings=Openings()), tuple(specs), **recorded)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures of single games; none between two players, where measures are taken of pairs."""
        return () if self.series.paired else self.plan.measures

    @property
    def exact(self) -> str:
        """The folder of a table of exact values; empty where no regrets are needed."""
        unneeded = self.plan.measures and self.series.paired
        return "" if unneeded else Exact.folder_for(self.plan.exact, self.series.ruleset.variant)

    def seated(self) -> list[Player]:
        """A player for every seat. Each task has its own players, since they keep what they have searched."""
        names = self.specs[0].players
        arguments = self.plan.custom, self.plan.identities, self.plan.game, self.plan.inputs
        players = {name: seat_player(name, *arguments) for name in dict.fromkeys(names)}
        return [players[name] for name in names]


class Workers(Protocol):
    """Plays tasks."""

    count: int
    """How many tasks are played at the same time."""

    def play(self, tasks: Iterable[Task]) -> Iterator[list[Played]]:
        """Plays all tasks and yields games as they finish."""


class Run:
    """The games of a plan while they are played, and their folder, if there is one; a context manager.

    Attributes:
        done: by the key of a series, which of its games have been played: bool (games,).
    """

    def __init__(self, plan: Plan, workers: Workers, path: Path | None) -> None:
        """Opens the folder ``path``. Raises what `Folder` does."""
        self.plan, self.workers = plan, workers
        self.folder = Folder(path, plan) if path else None
        self.done = self.folder.done if self.folder else {}
        self._games = {series.key: series.games for series in plan.series}
        self._checked = False

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *error: object) -> None:
        if self.folder:
            self.folder.close()

    def play(
        self, on_played: OnPlayed, series: Sequence[Series] | None = None, enough: Callable[[], bool] = lambda: False
    ) -> None:
        """Plays games that have not been played. The first call checks the games that the folder has, and reports them.

        Args:
            on_played: called with games, in any order, in the caller's thread, when they are saved.
            series: the series to play, or the first games of them; None for all series of the plan.
            enough: called before the first game and whenever games have finished; returns whether to stop.

        Raises:
            ValueError: if the folder's games are not those of the plan, or if a player's file has changed.
            parlour.IllegalMove: if a custom player plays an illegal action.
        """
        if self.folder and not self._checked:
            for games in _checked(self.plan, self.workers, self.folder):
                on_played(games)
            self.folder.open_journal()
        self._checked = True
        wanted = self.plan.series if series is None else series
        for each in wanted:
            self.done.setdefault(each.key, np.zeros(self._games[each.key], np.bool_))
        if enough():
            return
        for games in self.workers.play(make_tasks(self.plan, wanted, self.done, self.workers.count)):
            if self.folder:
                self.folder.append(games)
            for played in games:
                self.done[played.spec.series][played.spec.index] = True
            on_played(games)
            if enough():
                return


def play_plan(plan: Plan, workers: Workers, on_played: OnPlayed, path: Path | None = None) -> None:
    """Plays all games of a plan: see `Run`."""
    with Run(plan, workers, path) as run:
        run.play(on_played)


def make_tasks(
    plan: Plan, wanted: Sequence[Series], done: Mapping[str, NDArray[np.bool_]], workers: int
) -> Iterator[Task]:
    """The tasks of the series ``wanted`` for a number of ``workers``. ``done``: see `Run`."""
    unplayed = sum(series.games - int(np.count_nonzero(done[series.key][: series.games])) for series in wanted)
    custom = {name: OneAtATime(player) if is_function(player) else player for name, player in plan.custom.items()}
    plan = replace(plan, custom=custom)
    for series in wanted:
        names = (series.first, series.second)
        players = [seat_player(name, plan.custom, plan.identities, plan.game) for name in dict.fromkeys(names)]
        limits = [limit for limit in map(max_rows_of, players) if limit < ANY_ROWS]
        most = min([MAX_GAMES_PER_TASK, *(max(limit // SEARCHED_SHARE, MIN_SEARCHED) for limit in limits)])
        size = min(most, max(1, unplayed // (workers * (TASKS_PER_WORKER if limits else QUICK_TASKS_PER_WORKER))))
        indices = np.flatnonzero(~done[series.key][: series.games])
        turns = 2 if series.paired else 1  # games with exchanged seats are another task
        for low in range(0, len(indices), turns * size):
            part = indices[low : low + turns * size].tolist()
            for turn in range(turns):
                if specs := series.specs([index for index in part if index % turns == turn]):
                    yield Task.of(plan, series, specs)


def _checked(plan: Plan, workers: Workers, folder: Folder) -> Iterator[list[Played]]:
    """Replays the games of a folder. ValueError, with the line, if a result is not that in the journal."""
    waiting: dict[tuple[str, int], Row] = {}
    for games in workers.play(_replay_tasks(plan, folder, waiting)):
        for played in games:
            row = waiting.pop((played.spec.series, played.spec.index))
            where = f"{folder.path / JOURNAL}, line {row.line.number}"
            row.check(result_of(played), where, "a replay of its moves gives")
        yield games


def _replay_tasks(plan: Plan, folder: Folder, waiting: dict[tuple[str, int], Row]) -> Iterator[Task]:
    """Tasks that replay the games of a folder. Rows are put into ``waiting`` while their task is played."""
    parts: dict[tuple[str, bool, str], list[tuple[Series, Row]]] = {}

    def task(kind: tuple[str, bool, str]) -> Task:
        part = parts.pop(kind)
        waiting.update({(row.line.series, row.line.index): row for _, row in part})
        specs = (series.spec(row.line.index) for series, row in part)
        lines = tuple(row.line.number for _, row in part)
        recorded = tuple(row.moves for _, row in part)
        source = str(folder.path / JOURNAL)
        return Task.of(plan, part[0][0], specs, recorded=recorded, source=source, lines=lines)

    for series, row in folder.rows():
        kind = series.ruleset.label, series.paired, series.judge
        parts.setdefault(kind, []).append((series, row))
        if len(parts[kind]) == MAX_GAMES_PER_TASK:
            yield task(kind)
    for kind in list(parts):
        yield task(kind)


def seat_player(
    name: str, custom: Mapping[str, PlayerLike], identities: Mapping[str, Mapping[str, str]], game: Game,
    inputs: str = PLANES,
) -> Player:  # fmt: skip
    """The player with a name; a function sees ``inputs``. ValueError if there is none, or if its file has changed since
    the run was planned."""
    given = custom.get(name, name)
    if isinstance(given, str):
        player = parse_player(given, game)
        if name in identities and dict(getattr(player, "identity", {})) != identities[name]:
            raise ValueError(f"the file of player {name!r} has changed since this run was planned")
        return player
    return checked_player(given if is_function(given) else copy.deepcopy(given), f"player {name!r}", game, inputs)


def play_task(task: Task, on_played: OnPlayed) -> None:
    """Plays a task in this thread and calls ``on_played`` with games as they finish. ValueError for a recorded game
    that can't be played, with its line; for a measure that fails, with the game; and for a player that fails, with the
    games that had not ended."""
    game, ruleset = task.plan.game, task.series.ruleset
    tracer = TraceRecorder() if any(one.traced for one in task.measures) else None
    recorder, measures = MoveRecorder(), task.measures
    regrets = Regrets(task.exact, game) if task.exact else None
    luck = _luck_recorder(task) if task.series.judge else None
    observers = [tracer or recorder, *(one for one in (regrets, luck) if one)]

    unfinished = {spec.index for spec in task.specs}

    def on_finished(results: Results, games: NDArray[np.int64]) -> None:
        played = [_played(task, results, g, recorder, tracer, luck, regrets) for g in games.tolist()]
        unfinished.difference_update(one.spec.index for one in played)
        failure = None
        for game in played:
            try:
                measure_game(measures, game)
            except MeasureError as error:
                failure = failure or error
            game.forget_trace()
        on_played(played)  # also if a measure failed: what was played is kept
        if failure:
            raise failure

    seeds = [spec.seed for spec in task.specs]
    positions = [spec.position for spec in task.specs]
    if not task.recorded:
        try:
            play_games(
                game, ruleset.values, task.seated(), seeds, 1, on_finished, tracer is None,
                random_plies=task.specs[0].random_plies, positions=positions, observers=observers,
                variant=ruleset.variant,
            )  # fmt: skip
        except (MeasureError, _Stopped):
            raise
        except Exception as error:
            raise _located(error, task, sorted(unfinished)) from error
        return
    try:
        replay_games(
            game, ruleset.values, task.recorded, seeds, 1, on_finished, tracer is None, positions=positions,
            observers=observers,
        )  # fmt: skip
    except UnplayableError as error:
        raise ValueError(f"{task.source}, line {task.lines[error.game]}: {error}") from None


def _located(error: Exception, task: Task, unfinished: Sequence[int]) -> Exception:
    """The error that a player or the rules raised, with the games in which it may have happened: those that had not
    ended."""
    from parlour.interfaces.mistakes import mistake_in, outside_array  # only here: it takes longer than some commands

    games = ", ".join(map(str, unfinished[:MAX_NAMED])) + (", …" if len(unfinished) > MAX_NAMED else "")
    where = f"{task.specs[0].series!r}, {'game' if len(unfinished) == 1 else 'one of the games'} {games}"
    if isinstance(error, IllegalMove):
        problem = str(error).partition("; position: ")[0]
        return IllegalMove(f"{where}: {problem}", error.action, error.name, error.position, error.legal)
    game, problem = task.plan.game, str(error) if isinstance(error, ValueError) else described(error)
    return ValueError(f"{where}: {mistake_in(game, error) or outside_array(error, game.package) or problem}")


def _luck_recorder(task: Task) -> LuckRecorder:
    plan, name = task.plan, task.series.judge
    judge = Judge(name, plan.game, plan.custom.get(judge_key(name)))
    if plan.identities.get(judge.key, judge.identity) != judge.identity:
        raise ValueError(f"the file of the judge {name!r} has changed since this run was planned")
    return LuckRecorder(judge, [spec.random_plies for spec in task.specs])


def _played(
    task: Task,
    results: Results,
    g: int,
    recorder: MoveRecorder,
    tracer: TraceRecorder | None,
    luck: LuckRecorder | None,
    regrets: Regrets | None,
) -> Played:
    """A game that has just ended, with its trace. Measures can't change what the journal is made of."""
    trace = tracer.trace_of(g) if tracer else None
    moves = trace.actions if trace else read_only(recorder.moves_of(g))
    happened = trace.events.sum(axis=0) if trace else results.events[g]
    spec, game = task.specs[g], task.plan.game
    return Played(
        spec, tuple(results.returns[g].tolist()), str(game.rules.ENDS[results.ends[g]]), bool(results.truncated[g]),
        len(moves), int(results.choices[g]), int(results.forced[g]),
        trace.lead_changes if trace else int(results.lead_changes[g]),
        Counts(zip(game.evaluation.EVENTS, happened.tolist())), moves,
        _digest("\n".join((*spec.players, spec.position)), moves), _digest(spec.position, moves[: spec.random_plies]),
        tuple(luck.luck_of(g).tolist()) if luck else (), {}, trace,
        regrets.of_game(g, spec.random_plies) if regrets else (), int(results.begins[g]),
    )  # fmt: skip


def _digest(text: str, moves: NDArray[np.int32]) -> int:
    hasher = hashlib.blake2b(text.encode(), digest_size=8)
    hasher.update(moves.astype("<i4").tobytes())
    return int.from_bytes(hasher.digest(), "little")


class Threads:
    """Plays tasks in threads of this process. Rules and searches are compiled code, which runs in parallel."""

    def __init__(self, count: int | None = None) -> None:
        """``count``: threads, 1 to 1,024; None for one per core that this process may use. ValueError for others."""
        self.count = usable_cores() if count is None else whole_number("threads", count, 1, MAX_THREADS)

    def play(self, tasks: Iterable[Task]) -> Iterator[list[Played]]:
        """See `Workers`. What a player or a measure raises is raised here, with the game; the other threads stop at
        their next finished game."""
        waiting, lock = iter(tasks), threading.Lock()
        messages: queue.Queue[list[Played] | BaseException | None] = queue.Queue(MAX_WAITING)
        stopped = threading.Event()

        def send(message: list[Played] | BaseException | None) -> None:
            while not stopped.is_set():
                try:
                    return messages.put(message, timeout=0.1)
                except queue.Full:
                    continue
            raise _Stopped

        def next_task() -> Task | None:
            with lock:
                return None if stopped.is_set() else next(waiting, None)

        def work() -> None:
            try:
                while (task := next_task()) is not None:
                    play_task(task, send)
                send(None)
            except _Stopped:
                pass
            except BaseException as error:
                with suppress(_Stopped):
                    send(error)

        for _ in range(self.count):
            threading.Thread(target=work, name="parlour arena", daemon=True).start()
        idle = 0
        try:
            while idle < self.count:
                message = messages.get()
                if isinstance(message, BaseException):
                    raise message
                if message is None:
                    idle += 1
                else:
                    yield message
        finally:
            stopped.set()


class _Stopped(Exception):
    """The caller no longer waits for games."""


class Cluster:
    """Plays tasks on the workers of a Ray cluster, and does other jobs there. The games are the same as with
    `parlour.arena.Threads`. They are reported when all games of their task have finished.
    """

    def __init__(self, address: str = LOCAL) -> None:
        """``address``: as for ``ray.init``, such as ``"auto"`` or ``"ray://head:10001"``; ``"local"`` starts Ray on
        this machine. ValueError without Ray, or if there is no cluster at the address."""
        try:
            import ray
        except ImportError:
            raise ValueError('--ray needs Ray, which is not installed: pip install "parlour[ray]"') from None
        self.ray: Any = ray
        if not ray.is_initialized():
            try:
                _check_reachable(address)
                ray.init(address=None if address == LOCAL else address, log_to_driver=False, logging_level="ERROR")
            except (OSError, ValueError) as error:
                raise ValueError(f"no Ray cluster at {address!r}: {error}") from None
        self.count = max(int(ray.cluster_resources().get("CPU", 1)), 1)

    def play(self, tasks: Iterable[Task]) -> Iterator[list[Played]]:
        """See `parlour.arena.runs.playing.Workers`."""
        waiting = iter(tasks)
        pending = self._submit(partial(play_games_of, task) for task in islice(waiting, TASKS_AHEAD * self.count))
        try:
            while pending:
                done, pending = self.ray.wait(pending)
                pending += self._submit(partial(play_games_of, task) for task in islice(waiting, 1))
                games, error = self.ray.get(done[0])
                if games:
                    yield games
                if error is not None:
                    raise error
        finally:
            self._cancel(pending)

    def __call__(self, jobs: Sequence[Callable[[], R]]) -> list[R]:
        """Does jobs, such as those of self-play: see `parlour.support.jobs.RunJobs`."""
        pending = self._submit(jobs)
        try:
            results: list[R] = self.ray.get(pending)
        except BaseException:
            self._cancel(pending)
            raise
        return results

    def _submit(self, jobs: Iterable[Callable[[], Any]]) -> list[Any]:
        """Gives jobs to the cluster. If a worker dies, another one does its job."""
        remote = self.ray.remote(num_cpus=1, max_retries=-1)(_call)
        return [remote.remote(job) for job in jobs]

    def _cancel(self, pending: Iterable[Any]) -> None:
        for task in pending:
            self.ray.cancel(task)


def _check_reachable(address: str) -> None:
    """OSError if nothing answers at an address but ``"local"`` and ``"auto"``: Ray itself would end the process."""
    url = urlsplit(address if "://" in address else f"//{address}")
    if url.hostname and url.port:
        socket.create_connection((url.hostname, url.port), timeout=TIMEOUT).close()


def play_games_of(task: Task) -> tuple[list[Played], Exception | None]:
    """Plays a task. Returns its finished games, and the error that a player or a measure raised, or None."""
    games: list[Played] = []
    try:
        play_task(task, games.extend)
    except Exception as error:
        return games, error
    return games, None


def _call(job: Callable[[], R]) -> R:
    return job()
