"""Playing games, and doing other jobs, on the machines of a Ray cluster, or with a local Ray."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from parlour.arena.runs.playing import Task, play_task
from parlour.arena.setting.plans import Played
from parlour.support.jobs import R

LOCAL = "local"
TIMEOUT = 5.0
"""Seconds within which a cluster must answer."""
TASKS_AHEAD = 4
"""Tasks submitted to Ray per core, so that no core waits for its next task."""


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
        remote = self.ray.remote(num_cpus=1, max_retries=-1)(_done)
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
    """Plays a task. Its finished games, and what a player or a measure raised."""
    games: list[Played] = []
    try:
        play_task(task, games.extend)
    except Exception as error:
        return games, error
    return games, None


def _done(job: Callable[[], R]) -> R:
    return job()
