"""Self-play on the machines of a Ray cluster, while one process learns.

The games do not depend on which machine plays them, so the network is the same as without Ray, bit for bit. If a worker
dies, another one plays its games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from parlour.arena.cluster import Cluster
from parlour.learn.jobs import J, R


class ClusterJobs:
    """Does jobs on a cluster: see `parlour.learn.jobs.RunJobs`."""

    def __init__(self, cluster: Cluster) -> None:
        """``cluster``: where the jobs are done."""
        self._ray: Any = cluster.ray

    def __call__(self, function: Callable[[J], R], jobs: Sequence[J]) -> list[R]:
        """See `parlour.learn.jobs.RunJobs`."""
        remote = self._ray.remote(num_cpus=1, max_retries=-1)(function)
        waiting = [remote.remote(job) for job in jobs]
        try:
            results: list[R] = self._ray.get(waiting)
        except BaseException:
            for task in waiting:
                self._ray.cancel(task)
            raise
        return results
