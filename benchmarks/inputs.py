"""What inputs are worth to a network: the same learner in the same processor time, and only the inputs differ.

    python benchmarks/inputs.py --game acey_ducey-v0 --minutes 1.5

Each network learns to play as the game's champion does, from the same positions of its games (`parlour.dataset`, 8 % of
whose plies are random), by cross-entropy over the legal actions; then it plays `greedy`. Inputs: the planes as they are
(`raw`), each scaled from its bounds to 0 to 1 (`scaled`), `Thermometer`'s and, where the game has any, `Features`'.
Minutes are processor time of learning, on one thread, for each network; making the positions takes a fifth of that
once.

The table has how many numbers each network sees, the positions and the steps of gradient descent that it learnt from,
how often it does as the expert in a tenth of the positions that it did not learn from, and its score against `greedy`
(a draw is a half) with the 95 % interval of its games; it is trained once. A game that repeats another move for move is
not counted. Where the champion looks several plies ahead, ``--expert champion:2`` makes more positions. Needs PyTorch.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import click
import numpy as np
import torch
from numpy.typing import NDArray
from peers import games_option, matches, show, table
from torch import nn

import parlour
from parlour.engine.games import Games
from parlour.engine.view import GamesView, games_of
from parlour.interfaces.registry import find
from parlour.players import Greedy
from parlour.players.inputs import features_of, thermometer

GAMES, NOISE, MAX_POSITIONS = 256, 0.08, 500_000
HIDDEN, MINIBATCH, LEARNING_RATE = (512, 256), 1024, 1e-3


class Seen(NamedTuple):
    """What there is to see of K positions, each from the view of its seat to act."""

    planes: NDArray[np.int8]
    """(K, C, H, W)"""
    features: NDArray[np.bool_]
    """(K, F); F is 0 for a game without features"""


class Positions(NamedTuple):
    """K positions, and what the expert plays in them."""

    seen: Seen
    masks: NDArray[np.bool_]
    """(K, A)"""
    actions: NDArray[np.int64]
    """(K,)"""

    def some(self, chosen: Any) -> Positions:
        """Those at an index of K."""
        return Positions(Seen(*(part[chosen] for part in self.seen)), self.masks[chosen], self.actions[chosen])


Way = Callable[[Seen], NDArray[Any]]
"""The inputs of a network."""


def seen_in(games: Games, row_ids: NDArray[np.int64]) -> Seen:
    """What the seats to act see in some rows."""
    has_features = hasattr(games.game.evaluation, "features")
    features = features_of(games, row_ids, games.to_act[row_ids]) if has_features else np.empty((len(row_ids), 0), bool)
    return Seen(games.observation[row_ids], features)


def ways_of(games: Games) -> dict[str, Way]:
    """All kinds of inputs that a game has."""
    planes = games.layout.planes
    ways: dict[str, Way] = {
        "raw": lambda seen: seen.planes,
        "scaled": lambda seen: thermometer(tuple(replace(plane, steps=()) for plane in planes))(seen.planes),
        "thermometer": lambda seen: thermometer(planes)(seen.planes),
    }
    if hasattr(games.game.evaluation, "features"):
        ways["features"] = lambda seen: seen.features
    return ways


def positions_of(game: str, expert: str, seconds: float, seed: int) -> Positions:
    """Positions of the expert's games against itself: whole games, so many at a time, until the time has passed."""

    def some(number: int, inputs: str = "planes", games: int = GAMES) -> parlour.Dataset:
        return parlour.dataset(game, player=expert, games=games, noise=NOISE, seed=1000 * seed + number, inputs=inputs)

    some(0, games=1)  # a warm-up: compiling is not timed
    parts: list[parlour.Dataset] = []
    began = time.process_time()
    while time.process_time() - began < seconds and sum(map(len, parts)) < MAX_POSITIONS:
        parts.append(some(len(parts)))
    observation, masks, actions = (
        np.concatenate([getattr(data, name) for data in parts]) for name in ("observation", "action_mask", "action")
    )
    features = np.empty((len(actions), 0), bool)
    if hasattr(find(game).evaluation, "features"):  # the same games again
        features = np.concatenate([some(number, "features").observation == 1 for number in range(len(parts))])
    return Positions(Seen(observation, features), masks, actions)


class Clone:
    """A network that plays its most probable legal action; a `parlour.players.Player`."""

    deterministic = True

    def __init__(self, name: str, way: Way, positions: Positions) -> None:
        self.name, self.way, self.steps = name, way, 0
        sizes = [way(positions.some(slice(1)).seen).size, *HIDDEN]
        layers = [layer for fan_in, fan_out in pairwise(sizes) for layer in (nn.Linear(fan_in, fan_out), nn.ReLU())]
        self.network = nn.Sequential(nn.Flatten(), *layers, nn.Linear(sizes[-1], positions.masks.shape[1]))
        self.inputs = sizes[0]

    def logits(self, seen: Seen, masks: NDArray[np.bool_]) -> torch.Tensor:
        """(K, A), very low where an action is not legal."""
        logits = self.network(torch.from_numpy(self.way(seen)).float())
        return logits.masked_fill(~torch.from_numpy(masks), -1e9)

    def learn(self, positions: Positions, seconds: float, seed: int) -> None:
        """Masked cross-entropy with Adam; the learning rate falls to 0."""
        optimizer = torch.optim.Adam(self.network.parameters())
        rng, began, passed = np.random.default_rng(seed), time.process_time(), 0.0
        while passed < seconds:
            optimizer.param_groups[0]["lr"] = LEARNING_RATE * (1 - passed / seconds)
            some = positions.some(rng.integers(len(positions.actions), size=MINIBATCH))
            loss = nn.functional.cross_entropy(self.logits(some.seen, some.masks), torch.from_numpy(some.actions))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            self.steps += 1
            passed = time.process_time() - began

    @torch.inference_mode()
    def answers(self, seen: Seen, masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The actions: (K,)."""
        return self.logits(seen, masks).argmax(dim=1).numpy()

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `parlour.players.Player`."""
        row_ids = row_mask.nonzero()[0]
        actions[row_ids] = self.answers(seen_in(games_of(view), row_ids), view.action_mask[row_ids] == 1)


@click.command()
@games_option
@click.option("--minutes", default=1.5, show_default=True, help="Processor time of each network.")
@click.option("--pairs", default=200, show_default=True, help="Of games against greedy, with seats exchanged.")
@click.option("--expert", default="champion", show_default=True, help="A player by name.")
@click.option("--seed", default=1, show_default=True)
@click.option("--quick", is_flag=True, help="Seconds in place of minutes, and 10 pairs: to see whether it runs.")
def main(games: tuple[str, ...], minutes: float, pairs: int, expert: str, seed: int, quick: bool) -> None:
    """Prints a table: how well networks with different inputs play after the same time."""
    torch.set_num_threads(1)
    seconds, pairs = (minutes, 10) if quick else (60 * minutes, pairs)
    grid = table(
        f"After {seconds:g} s of learning from {expert}", "game", "inputs", "numbers", "positions", "steps",
        "as the expert %", "score against greedy", "games",
    )  # fmt: skip
    for game in games:
        batch, variant = parlour.make_batch(game, 1), find(game).variants[0].name
        positions = positions_of(game, expert, seconds / 5, seed)
        learnt = len(positions.actions) * 9 // 10
        held_out = positions.some(slice(learnt, None))
        for name, way in ways_of(batch.games).items():
            torch.manual_seed(seed)
            clone = Clone(name, way, positions)
            clone.learn(positions.some(slice(learnt)), seconds, seed)
            alike = (clone.answers(held_out.seen, held_out.masks) == held_out.actions).mean()
            score = matches(game, {name: clone}, {"greedy": Greedy()}, pairs, [variant], seed, None)[variant]
            won = f"{score.score.value:.3f} [{score.score.low:.3f}, {score.score.high:.3f}]"
            counts = (f"{number:,}" for number in (clone.inputs, learnt, clone.steps))
            grid.add_row(find(game).title, name, *counts, f"{100 * alike:.1f}", won, str(score.games))
    show(grid)


if __name__ == "__main__":
    main()
