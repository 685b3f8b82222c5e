# /// script
# requires-python = ">=3.10"
# dependencies = ["parlour[onnx]", "torch>=2.13", "tensorboard>=2.21", "onnx>=1.17", "onnxscript>=0.7"]
# ///
"""Masked PPO by self-play, in one file: every seat learns, past selves and built-in players among the opponents.

python examples/ppo_selfplay.py --game swords_and_shields-v0 --minutes 18 --seed 1 --out runs/swords
python examples/ppo_selfplay.py --resume runs/swords --minutes 30
tensorboard --logdir runs
parlour play swords_and_shields --against policy:runs/swords/policy.onnx

It reads like CleanRL's ppo.py (Huang et al., JMLR 23, 2022), with three differences. In some games the agent plays all
seats (`BothSeatsRollout`); in the others one seat, against built-in players and its own snapshots (`OpponentPool`). A
seat's plies are not one after another, so that advantages run along each seat's own plies. And invalid actions have no
probability (Huang & Ontañón, arXiv:2006.14171). The output folder gets the learning curve (curve.csv and TensorBoard
events), a checkpoint, the pool's snapshots and, at the end, policy.onnx. docs/learning.md has results.

PPO: Schulman et al., arXiv:1707.06347; generalized advantage estimation: arXiv:1506.02438.
Axis letters: T steps, N games, M rows, C planes, H × W board, A actions, at most K legal actions.
"""

from __future__ import annotations

import argparse
import copy
import math
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.utils.tensorboard import SummaryWriter

import parlour
from parlour.arena import Score, Threads, match
from parlour.players import check_export, export_torch
from parlour.support.files import remove_unfinished, replacing, write_file
from parlour.wrappers import BothSeatsRollout, OpponentPool, SelfPlayVectorEnv


@dataclass(frozen=True)
class Args:
    """The settings of a run; each is an option of the command line."""

    game: str = "swords_and_shields-v0"
    variant: str | None = None  # None: the game's first
    seed: int = 1
    minutes: float = 18.0  # the time to learn; evaluations are not included
    updates: int = 0  # if above 0, the number of updates instead of a time; the same seed then gives the same weights
    threads: int = 1  # of the network and of the engine
    num_games: int = 64  # N, in which the agent plays every seat
    num_pool_games: int = 64  # in which it plays one seat, against the pool
    num_steps: int = 32  # T, plies of each game in an update
    update_epochs: int = 3
    num_minibatches: int = 4
    learning_rate: float = 1e-3  # of Adam; it falls linearly to a tenth
    gamma: float = 0.99  # discount per ply of the same seat
    gae_lambda: float = 0.9
    clip_coef: float = 0.2
    ent_coef: float = 0.005
    vf_coef: float = 0.5
    max_grad_norm: float = 0.5
    width: int = 256  # units of each of the network's two hidden layers
    searcher: str = "mcts:100"  # the search player of the final evaluation
    snapshot_every: int = 50  # updates
    evaluate_every: int = 25  # updates


GAME_ARGS: dict[str, dict[str, Any]] = {
    # A bet is settled before the seat's next ply, so later plies don't matter (gamma 0); luck dominates, so the rollout
    # needs many games.
    "crown_and_anchor-v0": {
        "num_games": 1024, "num_pool_games": 128, "gamma": 0.0, "width": 64, "evaluate_every": 100,
        "searcher": "expectimax:1",
    },
    # The games are long: the result comes a hundred plies later, and evaluations take long.
    "acey_ducey-v0": {"gamma": 0.998, "gae_lambda": 0.95, "evaluate_every": 100, "searcher": "mcts:20"},
}  # fmt: skip
"""What suits a game better than the defaults."""
QUICK = {"updates": 2, "num_games": 16, "num_steps": 16, "width": 32, "evaluate_every": 1, "snapshot_every": 1}
BASELINES = {"random": 1.0, "greedy": 2.0}
"""Built-in opponents, with their weights in the pool (a snapshot of the agent has weight 1)."""
CHECKPOINT, CURVE, EVALUATION = "checkpoint.pt", "curve.csv", "evaluation.csv"


def layer_init(layer: nn.Linear, std: float = math.sqrt(2)) -> nn.Linear:
    """Orthogonal weights, no bias."""
    nn.init.orthogonal_(layer.weight, std)
    nn.init.zeros_(layer.bias)
    return layer


class Agent(nn.Module):
    """Two hidden layers on scaled planes, with two heads: a logit for each action, and the position's value, which is
    the expected discounted return of the seat that observes."""

    def __init__(self, shape: tuple[int, ...], actions: int, width: int) -> None:
        """``shape``: (C, H, W); ``actions``: A."""
        super().__init__()
        self.register_buffer("mean", torch.zeros(shape[0], 1, 1))
        self.register_buffer("scale", torch.ones(shape[0], 1, 1))
        self.network = nn.Sequential(
            nn.Flatten(), layer_init(nn.Linear(math.prod(shape), width)), nn.ReLU(),
            layer_init(nn.Linear(width, width)), nn.ReLU(),
        )  # fmt: skip
        self.actor = layer_init(nn.Linear(width, actions), std=0.01)
        self.critic = layer_init(nn.Linear(width, 1), std=1.0)

    def forward(self, obs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(M, C, H, W), int8 or float, to logits (M, A) and values (M,)."""
        hidden = self.network((obs.float() - self.mean) * self.scale)
        return self.actor(hidden), self.critic(hidden).squeeze(1)

    def get_action_and_value(
        self, obs: torch.Tensor, action_mask: torch.Tensor, action: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """Actions (given, or sampled), their log-probabilities, entropies and values, each (M,)."""
        logits, value = self(obs)
        actions, logprobs = legal_logprobs(logits, action_mask)
        probs = logprobs.exp()
        if action is None:
            column = probs.multinomial(1)
            action = actions.gather(1, column).squeeze(1)
        else:
            column = (actions == action[:, None]).int().argmax(dim=1, keepdim=True)
        return action, logprobs.gather(1, column).squeeze(1), -(probs * logprobs).sum(dim=1), value

    @torch.no_grad()
    def act(self, obs: Any, action_mask: Any) -> tuple[Any, dict[str, Any]]:
        """NumPy arrays to sampled actions, and what learning needs besides."""
        action, logprob, _, value = self.get_action_and_value(torch.from_numpy(obs), torch.from_numpy(action_mask))
        return action.numpy(), {"logprobs": logprob.numpy(), "values": value.numpy()}

    @torch.no_grad()
    def most_probable(self, obs: Any, action_mask: Any) -> Any:
        """NumPy arrays to the most probable legal actions, for evaluation."""
        logits, _ = self(torch.from_numpy(obs))
        return logits.masked_fill(torch.from_numpy(action_mask) == 0, -torch.inf).argmax(dim=1).numpy()

    def sample(self, obs: Any, action_mask: Any) -> Any:
        """NumPy arrays to sampled actions, for a snapshot in the pool."""
        return self.act(obs, action_mask)[0]

    def load(self, path: Path) -> Callable[[Any, Any], Any]:
        """The opponent with this network and the weights of a file."""
        snapshot = copy.deepcopy(self)
        snapshot.load_state_dict(torch.load(path, weights_only=True))
        return snapshot.sample


def legal_logprobs(logits: torch.Tensor, action_mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The legal actions (M, K) and their log-probabilities; after a row's last one the probability is 0. Of hundreds of
    actions a few dozen are legal, and softmax over those alone takes half the time."""
    row, action = action_mask.nonzero(as_tuple=True)
    counts = action_mask.sum(dim=1, dtype=torch.int64)
    column = torch.arange(len(row)) - (counts.cumsum(0) - counts)[row]
    actions = torch.zeros(len(action_mask), int(counts.max()), dtype=torch.int64)
    actions[row, column] = action
    padding = torch.arange(actions.shape[1]) >= counts[:, None]
    return actions, logits.gather(1, actions).masked_fill(padding, -1e9).log_softmax(dim=1)


class Run:
    """Everything that a checkpoint keeps, games in progress included, so that a resumed run continues exactly."""

    def __init__(self, args: Args, folder: Path) -> None:
        """A new run. ValueError for a folder that has one, or for settings that are not valid."""
        if (folder / CURVE).exists():
            raise ValueError(f"{folder} already holds a run; resume it with --resume {folder}, or give another --out")
        torch.manual_seed(args.seed)
        how: dict[str, Any] = {"variant": args.variant, "threads": args.threads}
        batch = parlour.make_batch(args.game, args.num_games, seed=args.seed, **how)
        shape, actions = batch.single_observation_space["observation"].shape, int(batch.single_action_space.n)
        self.args, self.folder = args, folder
        self.agent = agent = Agent(shape, actions, args.width)
        scale_planes(agent, args)
        self.optimizer = torch.optim.Adam(agent.parameters(), lr=args.learning_rate, eps=1e-5)
        first = {name: name for name in BASELINES}
        self.pool = OpponentPool(first, choose=BASELINES, folder=folder / "pool", load=agent.load, max_snapshots=3)
        self.all_seats = BothSeatsRollout(batch, args.num_steps)
        self.envs = SelfPlayVectorEnv(args.game, args.num_pool_games, self.pool, seed=args.seed + 1, **how)
        self.next_obs: dict[str, Any] = self.envs.reset()[0]
        self.update, self.plies, self.minutes, self.cpu_minutes = 0, 0, 0.0, 0.0
        self.curve: list[dict[str, float]] = []

    @property
    def progress(self) -> float:
        """The part that is done, from 0 to 1."""
        args = self.args
        return min(1.0, self.update / args.updates if args.updates else self.minutes / args.minutes)


def scale_planes(agent: Agent, args: Args) -> None:
    """Sets the planes' mean and standard deviation to those in random play."""
    batch = parlour.make_batch(args.game, 64, variant=args.variant, seed=args.seed, copy=True)
    seen = [batch.reset()[0]] + [batch.step(batch.sample_actions())[0] for _ in range(100)]
    planes = torch.from_numpy(np.concatenate([obs["observation"] for obs in seen])).float()
    agent.mean.copy_(planes.mean(dim=(0, 2, 3))[:, None, None])
    agent.scale.copy_(1 / planes.std(dim=(0, 2, 3)).clamp(min=0.1)[:, None, None])


def play_pool(run: Run) -> dict[str, Any]:
    """T steps with the agent in one seat, against the pool: arrays (T, N, …) named as those of `BothSeatsRollout`."""
    steps: list[dict[str, Any]] = []
    for t in range(run.args.num_steps):
        action, extras = run.agent.act(run.next_obs["observation"], run.next_obs["action_mask"])
        next_obs, reward, terminations, truncations, _ = run.envs.step(action)
        following = np.where(terminations | truncations, -1, t + 1)
        steps.append({**run.next_obs, **extras, "actions": action, "rewards": reward, "following": following})
        run.next_obs = next_obs
    rollout = {name: np.stack([step[name] for step in steps]) for name in steps[0]}
    waiting = rollout["following"] == len(steps)  # the ply after the last step is not among the rows
    return {**rollout, "following": np.where(waiting, -1, rollout["following"]), "waiting": waiting}


def compute_advantages(rollout: dict[str, Any], gamma: float, gae_lambda: float) -> Any:
    """Generalized advantage estimates (T, N) along each seat's own plies: ``following`` is the step of its next one, −1
    at the end of the game or of the rollout. Rows that wait for their next ply get 0, since their rewards are not
    complete; their values bootstrap the plies before them. Nothing is bootstrapped after truncation by `max_plies`: the
    observation has the number of plies left, so that the truncation is part of the game."""
    rewards, values = rollout["rewards"], rollout["values"]
    advantages, everyone = np.zeros(values.shape), np.arange(values.shape[1])
    for t in reversed(range(len(values))):
        following = rollout["following"][t]
        next_nonterminal = following >= 0
        next_value = values[following, everyone]
        delta = rewards[t] + gamma * next_value * next_nonterminal - values[t]
        lastgaelam = advantages[following, everyone] * next_nonterminal
        advantages[t] = np.where(rollout["waiting"][t], 0.0, delta + gamma * gae_lambda * lastgaelam)
    return advantages


def flatten(rollouts: list[dict[str, Any]], args: Args) -> dict[str, torch.Tensor]:
    """All complete rows of some rollouts, with advantages and returns: tensors (M, …)."""
    for rollout in rollouts:
        advantages = compute_advantages(rollout, args.gamma, args.gae_lambda)
        rollout["advantages"] = advantages.astype(np.float32)
        rollout["returns"] = (advantages + rollout["values"]).astype(np.float32)
    names = ("observation", "action_mask", "actions", "logprobs", "values", "advantages", "returns")
    rows = {name: np.concatenate([rollout[name][~rollout["waiting"]] for rollout in rollouts]) for name in names}
    return {name: torch.from_numpy(row) for name, row in rows.items()}


def train(run: Run) -> Iterator[dict[str, float]]:
    """Learns until the run is done. Yields a row of the learning curve after each update."""
    args, agent, optimizer = run.args, run.agent, run.optimizer
    if not run.update:
        save(run)  # so that a run can be resumed even if it stops before its first evaluation
    with SummaryWriter(str(run.folder), purge_step=run.plies + 1) as writer:
        while run.progress < 1:
            start_time, cpu_start_time = time.perf_counter(), time.process_time()
            lrnow = optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - 0.9 * run.progress)
            played = run.all_seats.collect(agent.act)
            b = flatten([{**vars(played), **played.extras}, play_pool(run)], args)
            metrics = []
            for _ in range(args.update_epochs):
                for mb_inds in torch.randperm(len(b["actions"])).chunk(args.num_minibatches):
                    _, newlogprob, entropy, newvalue = agent.get_action_and_value(
                        b["observation"][mb_inds], b["action_mask"][mb_inds], b["actions"][mb_inds]
                    )
                    logratio = newlogprob - b["logprobs"][mb_inds]
                    ratio = logratio.exp()
                    with torch.no_grad():
                        approx_kl = ((ratio - 1) - logratio).mean()  # http://joschu.net/blog/kl-approx.html
                        clipfrac = ((ratio - 1.0).abs() > args.clip_coef).float().mean()

                    mb_advantages = b["advantages"][mb_inds]
                    mb_advantages = (mb_advantages - mb_advantages.mean()) / (mb_advantages.std() + 1e-8)
                    pg_loss1 = -mb_advantages * ratio
                    pg_loss2 = -mb_advantages * torch.clamp(ratio, 1 - args.clip_coef, 1 + args.clip_coef)
                    pg_loss = torch.max(pg_loss1, pg_loss2).mean()
                    v_loss = 0.5 * ((newvalue - b["returns"][mb_inds]) ** 2).mean()
                    entropy_loss = entropy.mean()
                    loss = pg_loss - args.ent_coef * entropy_loss + args.vf_coef * v_loss

                    optimizer.zero_grad()
                    loss.backward()
                    nn.utils.clip_grad_norm_(agent.parameters(), args.max_grad_norm)
                    optimizer.step()
                    metrics.append([number.item() for number in (entropy_loss, v_loss, approx_kl, clipfrac)])

            run.update += 1
            run.plies += len(b["actions"])
            if run.update % args.snapshot_every == 0:
                run.pool.save_snapshot(lambda path: torch.save(agent.state_dict(), path))
            run.minutes += (time.perf_counter() - start_time) / 60
            run.cpu_minutes += (time.process_time() - cpu_start_time) / 60

            row = {name: getattr(run, name) for name in ("update", "plies", "minutes", "cpu_minutes")}
            row |= {"learning_rate": lrnow}
            row |= zip(("entropy", "v_loss", "approx_kl", "clipfrac"), np.mean(metrics, axis=0).tolist())
            due = run.update % args.evaluate_every == 0
            for name in BASELINES:
                score = evaluate(run, name, 200) if due else None
                row[f"won_{name}"] = score.wins / score.games if score else math.nan
            run.curve.append(row)
            for name, number in row.items():
                if not math.isnan(number):
                    writer.add_scalar(name, number, run.plies)
            if due:
                save(run)
            yield row
    save(run)


def evaluate(run: Run, opponent: str, games: int) -> Score:
    """The score of the agent's most probable actions against an opponent, in every seat, always with the same dice."""
    args, workers = run.args, Threads(run.args.threads)
    how: dict[str, Any] = {"games": games, "variant": args.variant, "seed": args.seed + 1000, "workers": workers}
    return match(args.game, run.agent.most_probable, opponent, **how)


def save(run: Run) -> None:
    """Writes curve and checkpoint, with the pool's snapshots, since their files may change after it."""
    write_file(run.folder / CURVE, table(run.curve))
    snapshots = {file.name: file.read_bytes() for file in run.pool.snapshot_files}
    with replacing(run.folder / CHECKPOINT) as fresh:
        torch.save({"run": run, "rng_state": torch.get_rng_state(), "snapshots": snapshots}, fresh)


def resume(folder: Path) -> Run:
    """The run of a checkpoint. ValueError if there is none. Load only your own: a checkpoint is a pickle, and loading a
    pickle can run any code."""
    if not (folder / CHECKPOINT).is_file():
        raise ValueError(f"{folder} has no {CHECKPOINT} to resume from")
    remove_unfinished(folder)
    saved = torch.load(folder / CHECKPOINT, weights_only=False)
    run: Run = saved["run"]
    run.folder, run.pool.folder = folder, folder / "pool"
    for name, content in saved["snapshots"].items():
        write_file(run.pool.folder / name, content)
    run.pool.save_results()
    torch.set_rng_state(saved["rng_state"])
    return run


def table(rows: list[dict[str, Any]]) -> str:
    """Rows with the same columns as CSV; numbers with six figures."""
    lines = [[f"{x:.6g}" if isinstance(x, float) else str(x) for x in row.values()] for row in rows]
    return "".join(",".join(line) + "\n" for line in [list(rows[0]) if rows else ["update"], *lines])


def make_run(given: dict[str, Any]) -> Run:
    """The run that the options given ask for: a new one, or one to resume. ValueError if that is impossible."""
    for name in ("minutes", "updates", "threads"):
        if name in given and not given[name] > 0:
            raise ValueError(f"--{name} must be above 0, not {given[name]:g}")
    if "resume" in given:
        run = resume(given["resume"])
        if "minutes" in given:
            run.args = replace(run.args, minutes=given["minutes"], updates=0)
        elif "updates" in given:
            run.args = replace(run.args, updates=given["updates"])
        return run
    settings = {**GAME_ARGS.get(given.get("game", Args.game), {}), **(QUICK if given["quick"] else {}), **given}
    args = Args(**{one.name: settings[one.name] for one in fields(Args) if one.name in settings})
    usual = Path(tempfile.mkdtemp()) if given["quick"] else Path("runs") / f"{args.game}-{args.seed}"
    return Run(args, given.get("out", usual))


def main() -> None:
    """Trains, evaluates and exports."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, argument_default=argparse.SUPPRESS
    )
    for one in fields(Args):
        kind = str if one.default is None else type(one.default)
        parser.add_argument(f"--{one.name.replace('_', '-')}", type=kind, help=f"default: {one.default}")
    parser.add_argument("--out", type=Path, help="output folder; default: runs/GAME-SEED")
    parser.add_argument("--resume", type=Path, metavar="FOLDER", help="resume the run in this folder")
    parser.add_argument("--quick", action="store_true", default=False, help="a few seconds, to check that it runs")
    given = vars(parser.parse_args())
    check_export()  # a package that is missing is noticed before the training
    if given["quick"]:
        print("--quick is a smoke test: its results mean nothing")
    try:
        run = make_run(given)
    except ValueError as error:
        parser.error(str(error))
    torch.set_num_threads(run.args.threads)
    try:
        for row in train(run):
            if not math.isnan(row["won_random"]):
                shares = ", ".join(f"{name} {share:.0%}" for name, share in row.items() if name.startswith("won_"))
                print(f"{run.progress:4.0%}  update {run.update}, {run.plies:,} plies: {shares}", flush=True)
    except KeyboardInterrupt:
        parser.exit(130, f"stopped; resume from the latest checkpoint with --resume {run.folder}\n")
    finals = {**dict.fromkeys(BASELINES, 1000), run.args.searcher: 100}
    scores = [evaluate(run, opponent, games // 50 if given["quick"] else games) for opponent, games in finals.items()]
    columns = ("games", "wins", "draws", "losses", "truncated")
    rows = [{"opponent": one.second, **{name: getattr(one, name) for name in columns}} for one in scores]
    write_file(run.folder / EVALUATION, table(rows))
    print(*scores, sep="\n")
    export_torch(run.agent, run.folder / "policy.onnx", run.args.game, run.args.variant, outputs=("logits", "value"))
    print(f"play it as policy:{run.folder / 'policy.onnx'}")


if __name__ == "__main__":
    main()
