"""Self-play on the machines of a Ray cluster, while one process learns.

The games do not depend on which machine plays them, so the network is the same as without Ray, bit for bit. If a worker
dies, another one plays its games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from parlour.arena.cluster import Cluster
from parlour.support.jobs import R


class ClusterJobs:
    """Does jobs on a cluster: see `parlour.support.jobs.RunJobs`."""

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
