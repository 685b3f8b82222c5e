"""Tree search with a network: simulations per second, and the search's share of the time.

One thread, new trees each time, from positions after some random plies. Times are processor time of the thread, so
other work on the machine has little influence. Figures are medians over several rounds.

* Free: ``evaluate`` returns the same arrays each time and costs nothing, so all time is the search's own: rules,
  observations, trees. With zeros the trees are broad. With random logits and values, the same in each round, they are
  narrow and deep (in Checkers a simulation passes about ten nodes).
* With a network: three fully connected layers in PyTorch on one thread, the hidden ones of 256 units, from planes to
  logits and values. The overhead is the time of the search without the network's calls, divided by the time of these
  calls.

python benchmarks/network_search.py [--games 1024] [--simulations 64] [--rounds 5]
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import click
import numpy as np
import torch
from numpy.typing import NDArray
from peers import games_option, in_play, rounds, rounds_option, show, table

from parlour.interfaces.batch import Batch
from parlour.players.search import Gumbel, NetworkSearch, Puct

WIDTH = 256
METHODS = {"gumbel": Gumbel(), "puct": Puct()}


class TimedEvaluation:
    """An ``evaluate`` that adds up the time it takes."""

    def __init__(self, evaluate: Callable[[Any, Any], Any]) -> None:
        self.evaluate, self.seconds = evaluate, 0.0

    def __call__(self, observation: NDArray[np.int8], mask: NDArray[np.int8]) -> Any:
        """Calls ``evaluate``."""
        began = time.thread_time()
        answer = self.evaluate(observation, mask)
        self.seconds += time.thread_time() - began
        return answer


def zeros(batch: Batch) -> Callable[[Any, Any], Any]:
    """An ``evaluate`` whose logits and values are all 0."""
    logits = np.zeros(batch.games.action_mask.shape, np.float32)
    values = np.zeros((batch.num_games, batch.num_seats), np.float32)
    return lambda observation, mask: (logits[: len(mask)], values[: len(mask)])


def fixed(batch: Batch) -> Callable[[Any, Any], Any]:
    """An ``evaluate`` with fixed random logits and values."""
    rng = np.random.default_rng(0)
    logits = rng.normal(size=batch.games.action_mask.shape).astype(np.float32)
    values = rng.uniform(-1, 1, (batch.num_games, batch.num_seats)).astype(np.float32)
    return lambda observation, mask: (logits[: len(mask)], values[: len(mask)])


def network(batch: Batch) -> Callable[[Any, Any], Any]:
    """An ``evaluate`` by a network with `WIDTH` units in each hidden layer."""
    planes = batch.single_observation_space["observation"]
    size, actions, seats = int(np.prod(planes.shape)), int(batch.single_action_space.n), batch.num_seats
    body = torch.nn.Sequential(
        torch.nn.Flatten(),
        torch.nn.Linear(size, WIDTH), torch.nn.ReLU(), torch.nn.Linear(WIDTH, WIDTH), torch.nn.ReLU(),
        torch.nn.Linear(WIDTH, actions + seats),
    )  # fmt: skip

    def evaluate(observation: NDArray[np.int8], mask: NDArray[np.int8]) -> Any:
        with torch.inference_mode():
            answer = body(torch.from_numpy(observation).float()).numpy()
        return answer[:, :actions], np.tanh(answer[:, actions:])

    return evaluate


def measure(batch: Batch, search: NetworkSearch, evaluate: TimedEvaluation) -> tuple[float, float]:
    """Simulations per second, and the time of the search itself divided by that of ``evaluate``."""
    evaluate.seconds = 0.0
    began = time.thread_time()
    result = search.run(batch)
    seconds = time.thread_time() - began
    return result.visits.sum() / seconds, (seconds - evaluate.seconds) / evaluate.seconds


@click.command()
@click.option("--games", "num_games", default=1024, show_default=True, help="Games searched at the same time.")
@click.option("--simulations", default=64, show_default=True)
@rounds_option(5)
@games_option
def main(num_games: int, simulations: int, count: int, games: tuple[str, ...]) -> None:
    """Prints simulations per second (medians) and the overhead of the search."""
    torch.set_num_threads(1)
    grid = table(
        f"{num_games} games, {simulations} simulations, median of {count} rounds",
        "game", "method", "free, broad: simulations a second", "free, deep", "with a network", "overhead",
    )  # fmt: skip
    for game in games:
        batch = in_play(game, num_games, 10)
        for name, method in METHODS.items():
            measures = []
            for kind in (zeros, fixed, network):
                evaluate = TimedEvaluation(kind(batch))
                search = NetworkSearch(evaluate, simulations, method=method, keep_tree=False)
                search.run(batch)
                measures.append(partial(measure, batch, search, evaluate))
            broad, deep, beside = rounds(measures, count)
            shown = [f"{speed:,.0f}" for speed, _ in (broad, deep, beside)]
            grid.add_row(game, name, *shown, f"{100 * beside[1]:.0f} %")
    show(grid)


if __name__ == "__main__":
    main()
