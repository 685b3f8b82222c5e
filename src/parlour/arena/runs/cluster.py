"""Playing games, and doing other jobs, on the machines of a Ray cluster, or with a local Ray."""

from __future__ import annotations

import itertools
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

from parlour.arena.runs.playing import Task, play_task
from parlour.arena.setting.game_specs import Played
from parlour.support.jobs import R

LOCAL = "local"
TIMEOUT = 5.0
"""Seconds within which a cluster must answer."""
TASKS_AHEAD = 4
"""Tasks submitted to Ray per core, so that no core waits for its next task."""


class Cluster:
    """Plays tasks on the workers of a Ray cluster. The games are the same as with `parlour.arena.Threads`.

    If a worker dies, another one plays its task. Games are reported when all games of their task have finished.
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
        ray, waiting = self.ray, iter(tasks)
        remote = ray.remote(num_cpus=1, max_retries=-1)(play_games_of)
        pending = [remote.remote(task) for task in itertools.islice(waiting, TASKS_AHEAD * self.count)]
        try:
            while pending:
                done, pending = ray.wait(pending)
                pending += [remote.remote(task) for task in itertools.islice(waiting, 1)]
                games, error = ray.get(done[0])
                if games:
                    yield games
                if error is not None:
                    raise error
        finally:
            for task in pending:
                ray.cancel(task)


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


class ClusterJobs:
    """Does jobs on a cluster, such as those of self-play. If a worker dies, another one does its job."""

    def __init__(self, cluster: Cluster) -> None:
        self._ray: Any = cluster.ray

    def __call__(self, jobs: Sequence[Callable[[], R]]) -> list[R]:
        """See `parlour.support.jobs.RunJobs`."""
        remote = self._ray.remote(num_cpus=1, max_retries=-1)(_done)
        waiting = [remote.remote(job) for job in jobs]
        try:
            results: list[R] = self._ray.get(waiting)
        except BaseException:
            for task in waiting:
                self._ray.cancel(task)
            raise
        return results


def _done(job: Callable[[], R]) -> R:
    return job()
