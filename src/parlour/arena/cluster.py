"""Playing fixtures on the machines of a Ray cluster, or on a local Ray."""

from __future__ import annotations

import itertools
import socket
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urlsplit

from parlour.arena.fixtures import Played
from parlour.arena.playing import Task, play_task

LOCAL = "local"
TIMEOUT = 5.0
"""Seconds in which a cluster must answer."""
TASKS_AHEAD = 4
"""Tasks handed to Ray for each of its cores, so that none waits for the next one."""


class Cluster:
    """The workers of a Ray cluster, which play the same games as threads would.

    If a worker dies, its task is played again by another. Games are told when their whole task has been played.
    """

    def __init__(self, address: str = LOCAL) -> None:
        """``address``: as ``ray.init`` takes it, ``"auto"`` or ``"ray://head:10001"``; ``"local"`` starts a Ray of this
        machine. ValueError without Ray, or if there is no cluster at the address."""
        try:
            import ray
        except ImportError:
            raise ValueError('--ray needs Ray, which is not installed: pip install "parlour[ray]"') from None
        self.ray: Any = ray
        if not ray.is_initialized():
            try:
                _knock(address)
                ray.init(address=None if address == LOCAL else address, log_to_driver=False, logging_level="ERROR")
            except (OSError, ValueError) as error:
                raise ValueError(f"no Ray cluster at {address!r}: {error}") from None
        self.count = max(int(ray.cluster_resources().get("CPU", 1)), 1)

    def play(self, tasks: Iterable[Task]) -> Iterator[list[Played]]:
        """See `parlour.arena.playing.Workers`."""
        ray, waiting = self.ray, iter(tasks)
        remote = ray.remote(num_cpus=1, max_retries=-1)(played_by)
        pending = [remote.remote(task) for task in itertools.islice(waiting, TASKS_AHEAD * self.count)]
        try:
            while pending:
                done, pending = ray.wait(pending)
                pending += [remote.remote(task) for task in itertools.islice(waiting, 1)]
                yield ray.get(done[0])
        finally:
            for task in pending:
                ray.cancel(task)


def _knock(address: str) -> None:
    """OSError if nothing answers at an address: Ray itself would end the process. ``"local"`` and ``"auto"`` pass."""
    place = urlsplit(address if "://" in address else f"//{address}")
    if place.hostname and place.port:
        socket.create_connection((place.hostname, place.port), timeout=TIMEOUT).close()


def played_by(task: Task) -> list[Played]:
    """All games of a task."""
    games: list[Played] = []
    play_task(task, games.extend)
    return games
