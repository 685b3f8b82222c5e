"""Self-play of generations on the machines of a Ray cluster, while one process learns.

The games do not depend on which machine plays them, so the network is the same as without Ray, bit for bit. If a worker
dies, another one plays its games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from parlour.arena.cluster import Cluster
from parlour.learn.self_play import Job, Played, play_positions


class ClusterPlay:
    """Plays the games of `parlour.learn.Generations` on a cluster."""

    def __init__(self, cluster: Cluster, play: Callable[[Job], Played] = play_positions) -> None:
        """``play``: what a worker does with a job."""
        self._ray: Any = cluster.ray
        self._remote = self._ray.remote(num_cpus=1, max_retries=-1)(play)

    def __call__(self, jobs: Sequence[Job]) -> list[Played]:
        """See `parlour.learn.generations.PlayAll`."""
        waiting = [self._remote.remote(job) for job in jobs]
        try:
            results: list[Played] = self._ray.get(waiting)
        except BaseException:
            for task in waiting:
                self._ray.cancel(task)
            raise
        return results
