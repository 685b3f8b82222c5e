"""Self-play of generations on the machines of a Ray cluster, while one process learns.

What is played does not depend on who plays it, so the network that comes out is that of a run without Ray, bit for bit.
A worker that dies has its games played again by another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from parlour.arena.cluster import Cluster
from parlour.learn.self_play import Job, Played, play_positions


class ClusterPlay:
    """What plays the games of `parlour.learn.Generations` on a cluster."""

    def __init__(self, cluster: Cluster, play: Callable[[Job], Played] = play_positions) -> None:
        """``play``: what a worker does with a job."""
        self._ray: Any = cluster.ray
        self._remote = self._ray.remote(num_cpus=1, max_retries=-1)(play)

    def __call__(self, jobs: Sequence[Job]) -> list[Played]:
        """See `parlour.learn.generations.PlayAll`."""
        waiting = [self._remote.remote(job) for job in jobs]
        try:
            found: list[Played] = self._ray.get(waiting)
        except BaseException:
            for task in waiting:
                self._ray.cancel(task)
            raise
        return found
