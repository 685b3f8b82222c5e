# /// script
# requires-python = ">=3.10"
# dependencies = ["parlour[onnx]", "torch>=2.13", "tensorboard>=2.21", "onnx>=1.17", "onnxscript>=0.7"]
# ///
"""Masked PPO by self-play, in one file: every seat learns, past selves and built-in players among the opponents.

python examples/ppo_selfplay.py --game swords_and_shields-v0 --minutes 18 --seed 1 --out runs/swords
python examples/ppo_selfplay.py --resume runs/swords --minutes 30
tensorboard --logdir runs
parlour play swords_and_shields --against policy:runs/swords/policy.onnx

In some games (`Settings.games`) the learner plays all seats (`BothSeatsRollout`), so that nearly every ply is a
training row. In the others (`Settings.pool_games`) it plays one seat, against built-in players and its own snapshots
(`SelfPlayVectorEnv` with an `OpponentPool`), so that it also meets other opponents. The output folder gets the learning
curve (curve.csv and TensorBoard events), a checkpoint, the pool's snapshots and, at the end, policy.onnx, which plays
as `policy:FILE` in every command. docs/learning.md has results.

Proximal Policy Optimization Algorithms (Schulman et al., 2017, arXiv:1707.06347); advantages as in High-Dimensional
Continuous Control Using Generalized Advantage Estimation (arXiv:1506.02438). Invalid actions have no probability
(Huang & Ontañón, arXiv:2006.14171).

Axis letters: T steps, N games, M rows, C planes, H × W board, A actions, P seats, at most K legal actions.
"""

from __future__ import annotations

import argparse
import copy
import csv
import math
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from torch import Tensor, nn
from torch.utils.tensorboard import SummaryWriter

import parlour
from parlour.arena import Score, Threads, match
from parlour.arena.statistics import share
from parlour.files import remove_unfinished, replacing, write_file
from parlour.players import export_torch
from parlour.wrappers import BothSeatsRollout, OpponentPool, SelfPlayVectorEnv

PRECISIONS = {"float32": torch.float32, "bfloat16": torch.bfloat16}


@dataclass(frozen=True)
class Settings:
    """The settings of a run.

    Attributes:
        game, variant, seed: the game and variant to learn; the random seed.
        minutes: the time to learn, in minutes; the evaluation at the end is not included.
        updates: if above 0, the number of updates, instead of a time; then the same seed gives the same weights.
        threads: of the network and of the engine.
        games: N, the games in which the learner plays every seat.
        pool_games: the games in which it plays one seat, against the pool.
        steps: T, plies of each game between two updates.
        epochs, minibatches: passes over the rows of an update, and parts of each pass.
        learning_rate: of Adam; it falls linearly to a tenth during the run.
        gamma, gae_lambda: discount per ply of the same seat, and λ of generalized advantage estimation.
        clip, entropy, value: PPO's clipping range; the weights of the entropy bonus and of the value loss.
        width: units of each of the network's two hidden layers.
        precision: of matrix products, one of `PRECISIONS`; weights, softmax and losses are always float32. bfloat16 is
            faster on processors that have instructions for it, and learnt less well (docs/learning.md).
        searcher: the search player of the final evaluation.
        snapshot_every, evaluate_every: updates between two snapshots, and between two short evaluations.
    """

    game: str = "swords_and_shields-v0"
    variant: str | None = None
    seed: int = 1
    minutes: float = 18.0
    updates: int = 0
    threads: int = 1
    games: int = 64
    pool_games: int = 64
    steps: int = 32
    epochs: int = 3
    minibatches: int = 4
    learning_rate: float = 1e-3
    gamma: float = 0.99
    gae_lambda: float = 0.9
    clip: float = 0.2
    entropy: float = 0.005
    value: float = 0.5
    width: int = 256
    precision: str = "float32"
    searcher: str = "mcts:100"
    snapshot_every: int = 50
    evaluate_every: int = 25


GAME_DEFAULTS: dict[str, dict[str, Any]] = {
    # A bet is settled before the seat's next ply, so later plies don't matter (gamma 0); luck dominates, so the rollout
    # needs many games.
    "crown_and_anchor-v0": {
        "games": 1024,
        "pool_games": 128,
        "gamma": 0.0,
        "width": 64,
        "evaluate_every": 100,
        "searcher": "expectimax:1",
    },
    # The games are long: the result comes a hundred plies later, and evaluations take long.
    "acey_ducey-v0": {"gamma": 0.998, "gae_lambda": 0.95, "evaluate_every": 100, "searcher": "mcts:20"},
}
"""Settings that suit a game better than the defaults."""

QUICK = {"updates": 2, "games": 16, "steps": 16, "width": 32, "evaluate_every": 1, "snapshot_every": 1}

BASELINES = {"random": 1.0, "greedy": 2.0}
"""Built-in opponents, with their weights in the pool (a snapshot of the learner has weight 1). The short evaluations
during the run play against them too."""
COLUMNS = (
    "update", "plies", "minutes", "cpu_minutes", "learning_rate", "entropy", "value_error", "approx_kl",
    "clip_fraction",
    *(f"won_{name}" for name in BASELINES),
)  # fmt: skip
"""The columns of curve.csv."""
BASELINE_GAMES = 200
"""Games of a short evaluation, per opponent."""
SNAPSHOTS = 3
"""Snapshots kept in the pool at a time."""
CHECKPOINT, CURVE, EVALUATION = "checkpoint.pt", "curve.csv", "evaluation.csv"
IMPOSSIBLE = -1e9
"""Stands for the logarithm of zero."""


# --- time ---


class Clock:
    """Measures the seconds spent in each part of the program. Time in a nested part counts for that part only."""

    def __init__(self) -> None:
        """Starts the clock."""
        self.spent: dict[str, float] = {}
        self._open: list[str] = []
        self._since = time.perf_counter()

    @contextmanager
    def __call__(self, part: str) -> Iterator[None]:
        """A context in which time counts for ``part``."""
        self._book()
        self._open.append(part)
        try:
            yield
        finally:
            self._book()
            self._open.pop()

    def _book(self) -> None:
        now = time.perf_counter()
        part = self._open[-1] if self._open else "other"
        self.spent[part] = self.spent.get(part, 0.0) + now - self._since
        self._since = now

    def report(self) -> str:
        """A line for each part, with its share of the whole."""
        self._book()
        total = sum(self.spent.values())
        lines = (f"{part:<12}{seconds:9.1f} s {seconds / total:6.1%}" for part, seconds in self.spent.items())
        return "\n".join(lines)


CLOCK = Clock()


# --- the network ---


class Network(nn.Module):
    """Two hidden layers on scaled planes, with two heads: a logit for each action, and the position's value, which is
    the expected discounted return of the seat that observes."""

    def __init__(self, shape: tuple[int, ...], actions: int, width: int, precision: str = "float32") -> None:
        """``shape``: (C, H, W); ``actions``: A; ``precision``: see `Settings`."""
        super().__init__()
        self.shape, self.precision = shape, precision
        self.register_buffer("middle", torch.zeros(shape[0], 1, 1))
        self.register_buffer("scale", torch.ones(shape[0], 1, 1))
        self.body = nn.Sequential(_layer(math.prod(shape), width), nn.ReLU(), _layer(width, width), nn.ReLU())
        self.policy = _layer(width, actions, gain=0.01)
        self.critic = _layer(width, 1, gain=1.0)

    def set_scale(self, observation: NDArray[np.int8]) -> None:
        """Sets the planes' mean and standard deviation from observations, int8 (…, C, H, W)."""
        planes = torch.from_numpy(observation).flatten(0, -4).float()
        self.middle.copy_(planes.mean(dim=(0, 2, 3))[:, None, None])
        self.scale.copy_(1 / planes.std(dim=(0, 2, 3)).clamp(min=0.1)[:, None, None])

    def forward(self, observation: Tensor) -> tuple[Tensor, Tensor]:
        """(M, C, H, W), int8 or float, to logits (M, A) and values (M,)."""
        dtype = PRECISIONS[self.precision]
        with torch.autocast("cpu", dtype, enabled=dtype != torch.float32):
            hidden = self.body(((observation.float() - self.middle) * self.scale).flatten(1))
            logits, values = self.policy(hidden), self.critic(hidden).squeeze(1)
        return logits.float(), values.float()


def _layer(inputs: int, outputs: int, gain: float = math.sqrt(2)) -> nn.Linear:
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


@dataclass
class Choices:
    """The legal actions of M rows, padded to K columns. Of hundreds of actions a few dozen are legal, and softmax over
    those alone takes half the time.

    Attributes:
        actions: int64 (M, K).
        log_probs: (M, K), their log-probabilities; `IMPOSSIBLE` in the padding.
    """

    actions: Tensor
    log_probs: Tensor


def choices(logits: Tensor, mask: Tensor) -> Choices:
    """``logits``: (M, A); ``mask``: int8 (M, A)."""
    row, action = mask.nonzero(as_tuple=True)
    counts = mask.sum(dim=1, dtype=torch.int64)
    place = torch.arange(len(row)) - (counts.cumsum(0) - counts)[row]
    actions = torch.zeros(len(mask), int(counts.max()), dtype=torch.int64)
    actions[row, place] = action
    padding = torch.arange(actions.shape[1]) >= counts[:, None]
    return Choices(actions, logits.gather(1, actions).masked_fill(padding, IMPOSSIBLE).log_softmax(dim=1))


# --- playing ---


class Learner:
    """The network as a player that samples actions from its probabilities, and also returns what PPO needs."""

    def __init__(self, network: Network) -> None:
        """``network``: not copied, so later updates of its weights take effect."""
        self.network = network

    @torch.no_grad()
    def __call__(self, observation: NDArray[np.int8], mask: NDArray[np.int8]) -> tuple[Any, dict[str, Any]]:
        """int8 (M, C, H, W) and (M, A) to actions (M,), and their log-probabilities and the positions' values."""
        with CLOCK("network"):
            logits, values = self.network(torch.from_numpy(observation))
            legal = choices(logits, torch.from_numpy(mask))
            noise = torch.empty_like(legal.log_probs).exponential_().log_()
            drawn = (legal.log_probs - noise).argmax(dim=1, keepdim=True)  # a sample by the Gumbel-max trick
            actions, log_probs = legal.actions.gather(1, drawn), legal.log_probs.gather(1, drawn)
            return actions[:, 0].numpy(), {"log_probs": log_probs[:, 0].numpy(), "values": values.numpy()}


class ArgmaxPolicy(Learner):
    """The network's most probable actions, for evaluation."""

    name = "ppo"

    @torch.no_grad()
    def __call__(self, observation: NDArray[np.int8], mask: NDArray[np.int8]) -> Any:
        """int8 (M, C, H, W) and (M, A) to actions (M,)."""
        logits, _ = self.network(torch.from_numpy(observation))
        return logits.masked_fill(torch.from_numpy(mask) == 0, -torch.inf).argmax(dim=1).numpy()


class Snapshot(Learner):
    """An earlier network, as an opponent of the pool."""

    def __call__(self, observation: NDArray[np.int8], mask: NDArray[np.int8]) -> Any:
        """int8 (M, C, H, W) and (M, A) to actions (M,)."""
        return super().__call__(observation, mask)[0]


def load_snapshot(path: Path, sizes: tuple[Any, ...]) -> Snapshot:
    """The opponent whose weights are in a file. ``sizes``: the arguments of its `Network`."""
    network = Network(*sizes)
    network.load_state_dict(torch.load(path, weights_only=True))
    return Snapshot(network)


@dataclass
class Rollout:
    """Plies of a rollout, each observed by the seat that played it.

    Attributes:
        observation, action_mask: int8 (T, N, C, H, W), int8 (T, N, A).
        actions: int64 (T, N).
        log_probs, values: float32 (T, N), from the network that played.
        rewards: float64 (T, N), the seat's rewards from this ply until its own next one.
        following: int64 (T, N), the step of its own next ply; -1 if there is none.
        waiting: bool (T, N), whether the rollout stopped before that ply or the end of the game.
    """

    observation: NDArray[np.int8]
    action_mask: NDArray[np.int8]
    actions: NDArray[np.int64]
    log_probs: NDArray[np.float32]
    values: NDArray[np.float32]
    rewards: NDArray[np.float64]
    following: NDArray[np.int64]
    waiting: NDArray[np.bool_]


def play_both(collector: BothSeatsRollout, learner: Learner) -> Rollout:
    """T steps with the learner in every seat."""
    with CLOCK("environment"):
        collected = collector.collect(learner)
    return Rollout(
        collected.observation, collected.action_mask, collected.actions, collected.extras["log_probs"],
        collected.extras["values"], collected.rewards, collected.following, collected.waiting,
    )  # fmt: skip


def play_pool(envs: SelfPlayVectorEnv, seen: dict[str, Any], learner: Learner, steps: int) -> tuple[Rollout, Any]:
    """T steps with the learner in one seat. ``seen``: its latest observations. Returns the next ones too."""
    parts: dict[str, list[Any]] = {}
    for _ in range(steps):
        actions, extras = learner(seen["observation"], seen["action_mask"])
        with CLOCK("environment"):
            after, rewards, terminations, truncations, _ = envs.step(actions)
        step = {**seen, **extras, "actions": actions, "rewards": rewards, "over": terminations | truncations}
        for name, part in step.items():
            parts.setdefault(name, []).append(part)
        seen = after
    whole = {name: np.stack(part) for name, part in parts.items()}
    following = np.where(whole.pop("over"), -1, np.arange(1, steps + 1)[:, None])
    waiting = following == steps  # the ply after the last step is not among the rows
    return Rollout(**whole, following=np.where(waiting, -1, following), waiting=waiting), seen


def estimate_advantages(rollout: Rollout, gamma: float, gae_lambda: float) -> NDArray[np.float64]:
    """Generalized advantage estimates, (T, N), along each seat's own plies: for a seat, the other seats are part of the
    environment. Waiting rows get 0, since their rewards are not complete; their values bootstrap the plies before them.

    Values are not bootstrapped after the end of a game, nor after truncation by `max_plies`: the observation contains
    the number of plies left, so the truncation is part of the game.
    """
    advantages = np.zeros(rollout.values.shape)
    everyone = np.arange(rollout.values.shape[1])
    for t in range(len(advantages) - 1, -1, -1):
        later = rollout.following[t]
        ahead = rollout.values[later, everyone] + gae_lambda * advantages[later, everyone]
        estimate = rollout.rewards[t] + gamma * np.where(later >= 0, ahead, 0.0) - rollout.values[t]
        advantages[t] = np.where(rollout.waiting[t], 0.0, estimate)
    return advantages


# --- learning ---


@dataclass
class RolloutBuffer:
    """M rows to learn from.

    Attributes:
        observation, action_mask: int8 (M, C, H, W), int8 (M, A).
        actions: int64 (M,).
        log_probs, advantages, returns: float32 (M,); the returns are the targets of the values.
    """

    observation: Tensor
    action_mask: Tensor
    actions: Tensor
    log_probs: Tensor
    advantages: Tensor
    returns: Tensor

    def part(self, row_ids: Tensor) -> RolloutBuffer:
        """The rows ``row_ids`` (int64)."""
        return RolloutBuffer(*(getattr(self, field.name)[row_ids] for field in fields(self)))


def rollout_buffer(played: list[Rollout], gamma: float, gae_lambda: float) -> RolloutBuffer:
    """All complete rows of some rollouts, with advantages and returns."""
    columns: list[list[NDArray[Any]]] = [[] for _ in fields(RolloutBuffer)]
    for rollout in played:
        advantages = estimate_advantages(rollout, gamma, gae_lambda)
        returns = advantages + rollout.values
        whole = (rollout.observation, rollout.action_mask, rollout.actions, rollout.log_probs, advantages, returns)
        for column, part in zip(columns, whole):
            column.append(part[~rollout.waiting])
    tensors = (torch.from_numpy(np.concatenate(column)) for column in columns)
    return RolloutBuffer(*(tensor.float() if tensor.is_floating_point() else tensor for tensor in tensors))


def loss_of(network: Network, batch: RolloutBuffer, settings: Settings) -> tuple[Tensor, dict[str, float]]:
    """PPO's clipped loss, and statistics for the learning curve."""
    logits, values = network(batch.observation)
    legal = choices(logits, batch.action_mask)
    taken = (legal.actions == batch.actions[:, None]) & (legal.log_probs > IMPOSSIBLE / 2)
    change = (legal.log_probs * taken).sum(dim=1) - batch.log_probs
    ratio = change.exp()
    advantages = (batch.advantages - batch.advantages.mean()) / (batch.advantages.std() + 1e-8)
    clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
    policy = -torch.min(ratio * advantages, clipped * advantages).mean()
    value = 0.5 * (values - batch.returns).square().mean()
    entropy = -(legal.log_probs.exp() * legal.log_probs).sum(dim=1).mean()
    statistics = {
        "entropy": entropy.item(),
        "value_error": value.item(),
        "approx_kl": (ratio - 1 - change).mean().item(),  # Schulman's estimator of KL(old, new)
        "clip_fraction": ((ratio - 1).abs() > settings.clip).float().mean().item(),
    }
    return policy + settings.value * value - settings.entropy * entropy, statistics


class Trainer:
    """A run: games, network, optimizer and progress. `save` and `load` keep all of it, games in progress and random
    number generators included, so that a resumed run continues exactly as if it had never stopped."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        """``folder``: for the pool's snapshots; it is created if it is missing."""
        self.settings, self.folder = settings, folder
        torch.manual_seed(settings.seed)
        batch = parlour.make_batch(
            settings.game, settings.games, variant=settings.variant, seed=settings.seed, threads=settings.threads
        )
        shape, actions = batch.single_observation_space["observation"].shape, batch.single_action_space.n
        sizes = (shape, actions, settings.width, settings.precision)
        self.network = Network(*sizes)
        self.network.set_scale(random_planes(settings))
        self.optimizer = torch.optim.Adam(self.network.parameters(), eps=1e-5)
        self.pool = OpponentPool(
            {name: name for name in BASELINES}, choose=BASELINES, folder=folder / "pool",
            load=partial(load_snapshot, sizes=sizes), max_snapshots=SNAPSHOTS,
        )  # fmt: skip
        self.rollout = BothSeatsRollout(batch, settings.steps)
        self.envs = SelfPlayVectorEnv(
            settings.game, settings.pool_games, self.pool, variant=settings.variant, seed=settings.seed + 1,
            threads=settings.threads,
        )  # fmt: skip
        self.seen, _ = self.envs.reset()
        self.updates, self.plies, self.seconds, self.cpu_seconds = 0, 0, 0.0, 0.0

    @property
    def progress(self) -> float:
        """The part of the run that is done, from 0 to 1."""
        settings = self.settings
        done = self.updates / settings.updates if settings.updates else self.seconds / (60 * settings.minutes)
        return min(done, 1.0)

    def update(self) -> dict[str, float]:
        """Plays a rollout and learns from it. Returns statistics."""
        settings, learner = self.settings, Learner(self.network)
        began, cpu_began = time.perf_counter(), time.process_time()
        learning_rate = settings.learning_rate * (1 - 0.9 * self.progress)
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate
        ours = play_both(self.rollout, learner)
        against, self.seen = play_pool(self.envs, self.seen, learner, settings.steps)
        with CLOCK("learning"):
            rows = rollout_buffer([ours, against], settings.gamma, settings.gae_lambda)
            statistics = self._learn(rows)
        self.updates += 1
        self.plies += len(rows.actions)
        if self.updates % settings.snapshot_every == 0:
            self.pool.save_snapshot(lambda path: torch.save(self.network.state_dict(), path))
        self.seconds += time.perf_counter() - began
        self.cpu_seconds += time.process_time() - cpu_began
        spent = {"minutes": self.seconds / 60, "cpu_minutes": self.cpu_seconds / 60}
        return {"plies": self.plies, **spent, "learning_rate": learning_rate, **statistics}

    def _learn(self, rows: RolloutBuffer) -> dict[str, float]:
        """Takes the gradient steps of all epochs. Returns the means of their statistics."""
        collected: list[dict[str, float]] = []
        for _ in range(self.settings.epochs):
            for part in torch.randperm(len(rows.actions)).chunk(self.settings.minibatches):
                loss, statistics = loss_of(self.network, rows.part(part), self.settings)
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
                self.optimizer.step()
                collected.append(statistics)
        return {name: float(np.mean([each[name] for each in collected])) for name in collected[0]}

    def save(self) -> None:
        """Writes the checkpoint atomically. It includes the pool's snapshots, because the files on disk may have
        changed when it is loaded."""
        snapshots = {file.name: file.read_bytes() for file in self.pool.snapshot_files}
        with replacing(self.folder / CHECKPOINT) as fresh:
            torch.save({"trainer": self, "rng_state": torch.get_rng_state(), "snapshots": snapshots}, fresh)

    @staticmethod
    def load(folder: Path) -> Trainer:
        """The run of a checkpoint. Raises ValueError if there is none. Load only your own checkpoints: a checkpoint is
        a pickle, and loading a pickle can run any code."""
        if not (folder / CHECKPOINT).is_file():
            raise ValueError(f"{folder} has no {CHECKPOINT} to resume from")
        remove_unfinished(folder)
        kept = torch.load(folder / CHECKPOINT, weights_only=False)
        trainer: Trainer = kept["trainer"]
        trainer.folder, trainer.pool.folder = folder, folder / "pool"
        for name, content in kept["snapshots"].items():
            write_file(trainer.pool.folder / name, content)
        trainer.pool.save_results()
        torch.set_rng_state(kept["rng_state"])
        return trainer


def random_planes(settings: Settings) -> NDArray[np.int8]:
    """Observations of random play: int8 (T, N, C, H, W)."""
    batch = parlour.make_batch(settings.game, 64, variant=settings.variant, seed=settings.seed, copy=True)
    seen, _ = batch.reset()
    planes = [seen["observation"]]
    for _ in range(100):
        planes.append(batch.step(batch.sample_actions())[0]["observation"])
    return np.stack(planes)


# --- evaluation ---


def evaluate(network: Network, settings: Settings, opponent: str, games: int) -> Score:
    """The score of the network's most probable actions against an opponent, in every seat with the same dice. Each
    evaluation uses the same seeds, so that the curve shows the network and not the dice."""
    return match(
        settings.game, ArgmaxPolicy(network), opponent, games=games, variant=settings.variant,
        seed=settings.seed + 1000, workers=Threads(settings.threads),
    )  # fmt: skip


def in_words(score: Score) -> str:
    """One line: the share of games won, with Wilson's interval, where drawn and truncated games count as not won; and
    the score for each half of the games."""
    won = share([True] * score.wins + [False] * (score.games - score.wins))
    drawn, truncated = score.draws / score.games, score.truncated / score.games
    first, others = (part.value for part in score.seated)
    return (
        f"{score.second:<14}won {won.value:.1%} [{won.low:.1%}, {won.high:.1%}] of {score.games}, drawn {drawn:.1%} "
        f"(truncated {truncated:.1%}); score in the first seat {first:.3f}, in the others {others:.3f}"
    )


# --- the run ---


def export(network: Network, settings: Settings, path: Path) -> None:
    """Writes the network as an ONNX file, in float32, from unscaled planes to logits and value. It plays as
    `policy:FILE`."""
    exact = copy.copy(network)  # it shares the weights
    exact.precision = "float32"
    export_torch(exact, path, settings.game, settings.variant, outputs=("logits", "value"))


class Logger:
    """Writes the learning curve, one line per update, to curve.csv and for TensorBoard."""

    def __init__(self, trainer: Trainer) -> None:
        """``trainer``: the run. Lines that were written after its checkpoint are dropped."""
        file = trainer.folder / CURVE
        kept: list[dict[str, str]] = []
        if file.exists():
            with file.open(newline="") as stream:
                whole = (line for line in csv.DictReader(stream) if None not in line.values())
                kept = [line for line in whole if int(line["update"]) <= trainer.updates]
        self._events = SummaryWriter(str(trainer.folder), purge_step=trainer.plies + 1)
        with replacing(file) as fresh, fresh.open("w", newline="") as stream:
            lines = csv.DictWriter(stream, COLUMNS)
            lines.writeheader()
            lines.writerows(kept)
        self._file = file.open("a", newline="")
        self._lines = csv.DictWriter(self._file, COLUMNS)

    def write(self, update: int, values: dict[str, float]) -> None:
        """Adds a line. ``values``: the other columns; NaN where there is no value."""
        self._lines.writerow({"update": update, **{name: f"{value:.6g}" for name, value in values.items()}})
        self._file.flush()
        for name, value in values.items():
            if not math.isnan(value):
                self._events.add_scalar(name, value, int(values["plies"]))

    def close(self) -> None:
        """Closes both files."""
        self._file.close()
        self._events.close()


def train(trainer: Trainer) -> None:
    """Learns until the run is done, with a progress bar."""
    if not trainer.updates:
        trainer.save()  # so that a run can be resumed even if it stops before its first evaluation
    settings, logger = trainer.settings, Logger(trainer)
    columns = TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()
    won: dict[str, float] = {}
    with Progress(*columns) as bar:
        task = bar.add_task("", total=1.0)
        while trainer.progress < 1:
            statistics = trainer.update()
            due = trainer.updates % settings.evaluate_every == 0
            if due:
                with CLOCK("evaluation"):
                    scores = (evaluate(trainer.network, settings, name, BASELINE_GAMES) for name in BASELINES)
                    won = {score.second: score.wins / score.games for score in scores}
            shown = won if due else dict.fromkeys(BASELINES, math.nan)
            logger.write(trainer.updates, {**statistics, **{f"won_{name}": share for name, share in shown.items()}})
            if due:
                with CLOCK("saving"):
                    trainer.save()
            text = ", ".join(f"{share:.0%} against {name}" for name, share in won.items())
            bar.update(task, completed=trainer.progress, description=f"{trainer.plies:,} plies; {text}")
    trainer.save()
    logger.close()


def report(trainer: Trainer, games: int, searched: int) -> None:
    """Prints and writes the final evaluation: ``games`` games against each baseline, ``searched`` games against the
    search player."""
    with (trainer.folder / EVALUATION).open("w", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(("opponent", "games", "wins", "draws", "losses", "truncated"))
        for opponent in (*BASELINES, trainer.settings.searcher):
            count = games if opponent in BASELINES else searched
            score = evaluate(trainer.network, trainer.settings, opponent, count)
            lines.writerow((opponent, score.games, score.wins, score.draws, score.losses, score.truncated))
            print(in_words(score), flush=True)


def budget(args: argparse.Namespace) -> dict[str, Any]:
    """The length of the run from the command line. Raises ValueError for a number that is not above 0."""
    for name in ("minutes", "updates", "threads"):
        value = getattr(args, name)
        if value is not None and not value > 0:
            raise ValueError(f"--{name} must be above 0, not {value:g}")
    if args.updates is not None:
        return {"updates": args.updates}
    return {} if args.minutes is None else {"minutes": args.minutes, "updates": 0}


def begin(args: argparse.Namespace) -> Trainer:
    """The run that the command line asks for: a new one, or one to resume. Raises ValueError if that is impossible."""
    if args.resume:
        trainer = Trainer.load(args.resume)
        trainer.settings = replace(trainer.settings, **budget(args))
        return trainer
    usual = Path(tempfile.mkdtemp()) if args.quick else Path("runs") / f"{args.game}-{args.seed}"
    folder = args.out or usual
    if (folder / CURVE).exists():
        raise ValueError(f"{folder} already holds a run; resume it with --resume {folder}, or give another --out")
    own = {**GAME_DEFAULTS.get(args.game, {}), **(QUICK if args.quick else {}), **budget(args)}
    settings = Settings(
        game=args.game, variant=args.variant, seed=args.seed, threads=args.threads, precision=args.precision, **own
    )  # fmt: skip
    return Trainer(settings, folder)


def main() -> None:
    """Trains, evaluates and exports."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default=Settings.game, choices=parlour.games())
    parser.add_argument("--variant", help="the variant; default: the game's first")
    parser.add_argument("--minutes", type=float, help=f"minutes of learning; default: {Settings.minutes:g}")
    parser.add_argument(
        "--updates",
        type=int,
        help="number of updates, instead of minutes; then the same seed gives the same weights",
    )
    parser.add_argument("--seed", type=int, default=Settings.seed)
    parser.add_argument("--threads", type=int, default=Settings.threads)
    parser.add_argument("--precision", default=Settings.precision, choices=PRECISIONS, help="of matrix products")
    parser.add_argument("--out", type=Path, help="output folder; default: runs/GAME-SEED")
    parser.add_argument("--resume", type=Path, metavar="FOLDER", help="resume the run in this folder")
    parser.add_argument("--profile", action="store_true", help="print at the end how much time each part took")
    parser.add_argument("--quick", action="store_true", help="a few seconds, to check that it runs")
    args = parser.parse_args()
    try:
        trainer = begin(args)
    except ValueError as error:
        parser.error(str(error))
    torch.set_num_threads(trainer.settings.threads)
    try:
        train(trainer)
    except KeyboardInterrupt:
        parser.exit(130, f"stopped; resume from the latest checkpoint with --resume {trainer.folder}\n")
    if args.profile:
        print(CLOCK.report())
    report(trainer, *((10, 2) if args.quick else (1000, 100)))
    export(trainer.network, trainer.settings, trainer.folder / "policy.onnx")
    print(f"play it as policy:{trainer.folder / 'policy.onnx'}")


if __name__ == "__main__":
    main()
