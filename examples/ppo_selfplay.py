# /// script
# requires-python = ">=3.10"
# dependencies = ["parlour[onnx]", "torch>=2.13", "tensorboard>=2.21", "onnx>=1.17", "onnxscript>=0.7"]
# ///
"""Masked PPO by self-play, in one file: every seat learns, past selves and built-in players among the opponents.

python examples/ppo_selfplay.py --game swords_and_shields-v0 --minutes 18 --seed 1 --out runs/swords
python examples/ppo_selfplay.py --resume runs/swords --minutes 30
python examples/ppo_selfplay.py --game backgammon-v0 --device cuda --out runs/backgammon
tensorboard --logdir runs
parlour play swords_and_shields --against policy:runs/swords/policy.onnx

It reads like CleanRL's ppo.py (Huang et al., JMLR 23, 2022), with three differences. In some games the agent plays all
seats, in the others one, against built-in players and its own snapshots (`OpponentPool`, on the CPU alone). Generalized
advantage estimates (arXiv:1506.02438) run along each seat's own plies. And illegal actions have no probability (Huang &
Ontañón, arXiv:2006.14171). The output folder gets the learning curve (curve.csv and TensorBoard events), a checkpoint,
the snapshots and, at the end, policy.onnx. Axes: T steps, N games, M rows, C planes, H × W board, A (K legal) actions.
"""

from __future__ import annotations

import copy
import math
import tempfile
import time
from argparse import SUPPRESS, ArgumentParser, RawDescriptionHelpFormatter
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
    device: str = "cpu"  # or "cuda": where games and network are
    num_games: int = 64  # N, in which the agent plays every seat
    num_pool_games: int = 64  # in which it plays one seat, against the pool; 0 on a GPU
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


GAME_ARGS: dict[str, dict[str, Any]] = {  # what suits a game better than the defaults
    "crown_and_anchor-v0": {"num_games": 1024, "num_pool_games": 128, "gamma": 0.0, "width": 64, "evaluate_every": 100,
                            "searcher": "expectimax:1"},  # bets are settled at once; luck needs many games
    "acey_ducey-v0": {"gamma": 0.998, "gae_lambda": 0.95, "evaluate_every": 100, "searcher": "mcts:20"},  # long games
}  # fmt: skip
ON_GPU = {"num_games": 4096, "num_pool_games": 0}
QUICK = {"updates": 2, "num_games": 16, "num_steps": 16, "width": 32, "evaluate_every": 1, "snapshot_every": 1}
BASELINES = {"random": 1.0, "greedy": 2.0}  # built-in opponents, and their weights in the pool; a snapshot's is 1
CHECKPOINT, CURVE, EVALUATION = "checkpoint.pt", "curve.csv", "evaluation.csv"
LOSSES = ("entropy", "v_loss", "approx_kl", "clipfrac")
COLUMNS = ("update", "plies", "minutes", "cpu_minutes", "learning_rate", *LOSSES, "won_random", "won_greedy")


class Agent(nn.Module):
    """Two hidden layers on scaled planes, with two heads: the logits, and the seat's expected discounted return."""

    def __init__(self, planes: torch.Tensor, actions: int, width: int, on_gpu: bool = False) -> None:
        """``planes``: those of some positions, (M, C, H, W), by which they are scaled; ``actions``: A."""
        super().__init__()
        self.on_gpu = on_gpu
        self.register_buffer("mean", planes.mean(dim=(0, 2, 3))[:, None, None])
        self.register_buffer("scale", 1 / planes.std(dim=(0, 2, 3)).clamp(min=0.1)[:, None, None])
        first, second = nn.Linear(planes[0].numel(), width), nn.Linear(width, width)
        self.network = nn.Sequential(nn.Flatten(), first, nn.ReLU(), second, nn.ReLU())
        self.actor, self.critic = nn.Linear(width, actions), nn.Linear(width, 1)
        for layer, std in ((first, 2**0.5), (second, 2**0.5), (self.actor, 0.01), (self.critic, 1.0)):
            nn.init.orthogonal_(layer.weight, std)
            nn.init.zeros_(layer.bias)

    def forward(self, obs: Any) -> tuple[torch.Tensor, torch.Tensor]:
        """(M, C, H, W), int8 or float, to logits (M, A) and values (M,)."""
        hidden = self.network((torch.as_tensor(obs).float() - self.mean) * self.scale)
        return self.actor(hidden), self.critic(hidden).squeeze(1)

    def get_action_and_value(self, obs: Any, action_mask: Any, action: Any = None) -> tuple[torch.Tensor, ...]:
        """Actions (given, or sampled), their log-probabilities, entropies and values, each (M,)."""
        (logits, value), legal = self(obs), torch.as_tensor(action_mask, dtype=torch.int8)
        if self.on_gpu:  # K would have to be waited for
            actions = torch.arange(legal.shape[1], device=legal.device).expand(legal.shape)
        else:  # of hundreds of actions a few dozen are legal (M, K): softmax over these alone takes half the time
            legal, actions = legal.topk(int(legal.sum(dim=1).max()), dim=1)
        logprobs = logits.gather(1, actions).masked_fill(legal == 0, -1e9).log_softmax(dim=1)
        if action is None:  # a sample (torch.multinomial would wait for the GPU), or in evaluation the most probable
            chance = torch.empty_like(logprobs).exponential_().log() if self.training else 0.0
            column = (logprobs - chance).argmax(dim=1, keepdim=True)
            action = actions.gather(1, column).squeeze(1)
        else:
            column = (actions == action[:, None]).int().argmax(dim=1, keepdim=True)
        return action, logprobs.gather(1, column).squeeze(1), -(logprobs.exp() * logprobs).sum(dim=1), value

    @torch.no_grad()
    def act(self, obs: Any, action_mask: Any) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        """Actions, and what learning needs besides."""
        action, logprob, _, value = self.get_action_and_value(obs, action_mask)
        return action, {"logprobs": logprob, "values": value}

    def choose(self, obs: Any, action_mask: Any) -> torch.Tensor:
        """Actions alone, as a player of matches or of the pool."""
        return self.act(obs, action_mask)[0]

    def load(self, path: Path) -> Callable[[Any, Any], Any]:
        """The opponent with this network and the weights of a file; it samples its actions."""
        snapshot = copy.deepcopy(self)
        snapshot.load_state_dict(torch.load(path, weights_only=True))
        return snapshot.choose


class Run:
    """Everything that a checkpoint keeps, games in progress included, so that a resumed run continues exactly."""

    def __init__(self, args: Args, folder: Path) -> None:
        """A new run. ValueError for a folder that has one, or for settings that are not valid."""
        if (folder / CURVE).exists():
            raise ValueError(f"{folder} already holds a run; resume it with --resume {folder}, or give another --out")
        if args.device == "cuda" and args.num_pool_games:
            raise ValueError("--num-pool-games must be 0 with --device cuda: the pool plays on the CPU")
        torch.manual_seed(args.seed)
        how: dict[str, Any] = {"variant": args.variant, "threads": args.threads}
        batch = parlour.make_batch(args.game, args.num_games, seed=args.seed, device=args.device, **how)
        at_random = parlour.make_batch(args.game, 64, seed=args.seed, copy=True, **how)
        seen = [at_random.reset()[0]] + [at_random.step(at_random.sample_actions())[0] for _ in range(100)]
        planes = torch.from_numpy(np.concatenate([obs["observation"] for obs in seen])).float()
        self.agent = Agent(planes, int(batch.single_action_space.n), args.width, args.device == "cuda").to(args.device)
        self.optimizer = torch.optim.Adam(self.agent.parameters(), lr=args.learning_rate, eps=1e-5)
        self.args, self.folder, self.rollouts = args, folder, [BothSeatsRollout(batch, args.num_steps)]
        first, pool = dict(zip(BASELINES, BASELINES)), folder / "pool"
        self.pool = OpponentPool(first, choose=BASELINES, folder=pool, load=self.agent.load, max_snapshots=3)
        if args.num_pool_games:
            envs = SelfPlayVectorEnv(args.game, args.num_pool_games, self.pool, seed=args.seed + 1, **how)
            self.rollouts.append(BothSeatsRollout(envs, args.num_steps))
        self.update, self.plies, self.minutes, self.cpu_minutes = 0, 0, 0.0, 0.0
        self.curve = ",".join(COLUMNS) + "\n"
        self.save()  # so that it can be resumed even if it stops before its first evaluation

    def save(self) -> None:
        """Writes curve and checkpoint, with the pool's snapshots, since their files may change after it."""
        write_file(self.folder / CURVE, self.curve)
        snapshots = {file.name: file.read_bytes() for file in self.pool.snapshot_files}
        states = torch.get_rng_state(), torch.cuda.get_rng_state_all()
        with replacing(self.folder / CHECKPOINT) as fresh:
            torch.save({"run": self, "rng_states": states, "snapshots": snapshots}, fresh)

    def evaluate(self, opponent: str, games: int) -> Score:
        """The score of the most probable actions against an opponent, in every seat, always with the same dice."""
        args, player = self.args, copy.deepcopy(self.agent).cpu().eval()
        how: dict[str, Any] = {"variant": args.variant, "seed": args.seed + 1000, "workers": Threads(args.threads)}
        return match(args.game, player.choose, opponent, games=games, **how)


def learning_rows(played: Any, args: Args) -> list[torch.Tensor]:
    """The complete rows of a rollout, each (M, …): observation, mask, actions, logprobs, advantages, returns.

    In generalized advantage estimates ``following`` is the step of the seat's next ply, −1 if there is none. Rows that
    are ``waiting`` for theirs lack rewards: they are left out, and their values bootstrap the plies before. After
    `max_plies` nothing is bootstrapped: the observation has the number of plies left."""
    part = {name: torch.as_tensor(array) for name, array in (vars(played) | played.extras).items() if name != "extras"}
    values, following, complete = part["values"], part["following"], ~part["waiting"]
    advantages, games = torch.zeros_like(values), torch.arange(values.shape[1], device=values.device)
    for t in reversed(range(len(values))):
        next_nonterminal = following[t] >= 0
        delta = part["rewards"][t] + args.gamma * values[following[t], games] * next_nonterminal - values[t]
        lastgaelam = advantages[following[t], games] * next_nonterminal
        advantages[t] = (delta + args.gamma * args.gae_lambda * lastgaelam) * complete[t]
    arrays = *map(part.get, ("observation", "action_mask", "actions", "logprobs")), advantages, advantages + values
    rows = complete.flatten().nonzero().squeeze(1)
    return [array.flatten(0, 1)[rows] for array in arrays]


def train(run: Run) -> Iterator[dict[str, float]]:
    """Learns until the run is done. Yields a row of the learning curve after each update."""
    args, agent, optimizer = run.args, run.agent, run.optimizer
    with SummaryWriter(str(run.folder), purge_step=run.plies + 1) as writer:
        while (progress := run.update / args.updates if args.updates else run.minutes / args.minutes) < 1:
            start_time, cpu_start_time = time.perf_counter(), time.process_time()
            lrnow = optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - 0.9 * progress)
            b = [*map(torch.cat, zip(*(learning_rows(rollout.collect(agent.act), args) for rollout in run.rollouts)))]
            metrics = []
            for _ in range(args.update_epochs):
                for mb_inds in torch.randperm(len(b[0]), device=b[0].device).chunk(args.num_minibatches):
                    obs, action_mask, actions, logprobs, advantages, returns = (part[mb_inds] for part in b)
                    _, newlogprob, entropy, newvalue = agent.get_action_and_value(obs, action_mask, actions)
                    logratio = newlogprob - logprobs
                    ratio = logratio.exp()
                    approx_kl = ((ratio - 1) - logratio).mean()  # http://joschu.net/blog/kl-approx.html
                    clipfrac = ((ratio - 1.0).abs() > args.clip_coef).float().mean()

                    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
                    pg_loss1 = -advantages * ratio
                    pg_loss2 = -advantages * torch.clamp(ratio, 1 - args.clip_coef, 1 + args.clip_coef)
                    pg_loss = torch.max(pg_loss1, pg_loss2).mean()
                    v_loss = 0.5 * ((newvalue - returns) ** 2).mean()
                    entropy_loss = entropy.mean()
                    loss = pg_loss - args.ent_coef * entropy_loss + args.vf_coef * v_loss

                    optimizer.zero_grad()
                    loss.backward()
                    nn.utils.clip_grad_norm_(agent.parameters(), args.max_grad_norm)
                    optimizer.step()
                    metrics.append(torch.stack([entropy_loss, v_loss, approx_kl, clipfrac]).detach())
            means = torch.stack(metrics).mean(dim=0).tolist()
            run.update += 1
            run.plies += len(b[0])
            if args.num_pool_games and run.update % args.snapshot_every == 0:
                run.pool.save_snapshot(lambda path: torch.save(agent.state_dict(), path))
            run.minutes += (time.perf_counter() - start_time) / 60
            run.cpu_minutes += (time.process_time() - cpu_start_time) / 60
            row = dict(zip(COLUMNS, (run.update, run.plies, run.minutes, run.cpu_minutes, lrnow, *means)))
            due = run.update % args.evaluate_every == 0
            row |= {f"won_{name}": run.evaluate(name, 200).wins / 200 for name in BASELINES if due}
            run.curve += ",".join(f"{row.get(name, math.nan):.10g}" for name in COLUMNS) + "\n"
            for name, number in row.items():
                writer.add_scalar(name, number, run.plies)
            if due:
                run.save()
            yield row
    run.save()


def resume(folder: Path) -> Run:
    """The run of a checkpoint. ValueError if there is none. Load only your own: a pickle can run any code."""
    if not (folder / CHECKPOINT).is_file():
        raise ValueError(f"{folder} has no {CHECKPOINT} to resume from")
    remove_unfinished(folder)
    saved = torch.load(folder / CHECKPOINT, weights_only=False)
    run: Run = saved["run"]
    run.folder, run.pool.folder = folder, folder / "pool"
    for name, content in saved["snapshots"].items():
        write_file(run.pool.folder / name, content)
    run.pool.save_results()
    torch.set_rng_state(saved["rng_states"][0])
    torch.cuda.set_rng_state_all(saved["rng_states"][1])
    return run


def make_run(given: dict[str, Any]) -> Run:
    """The run that the options given ask for: a new one, or one to resume. ValueError if that is impossible."""
    for name in ("minutes", "updates", "threads"):
        if name in given and not given[name] > 0:
            raise ValueError(f"--{name} must be above 0, not {given[name]:g}")
    if "resume" in given:
        run = resume(given["resume"])
        if length := {name: given[name] for name in ("minutes", "updates") if name in given}:
            run.args = replace(run.args, **{"updates": 0, **length})
        return run
    suited = GAME_ARGS.get(given.get("game", Args.game), {}) | (ON_GPU if given.get("device") == "cuda" else {})
    settings = suited | (QUICK if given["quick"] else {}) | given
    args = Args(**{field.name: settings[field.name] for field in fields(Args) if field.name in settings})
    usual = Path(tempfile.mkdtemp()) if given["quick"] else Path("runs") / f"{args.game}-{args.seed}"
    return Run(args, given.get("out", usual))


def main() -> None:
    """Trains, evaluates and exports."""
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter, argument_default=SUPPRESS)
    for field in fields(Args):
        kind = str if field.default is None else type(field.default)
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=kind, help=f"default: {field.default}")
    parser.add_argument("--out", type=Path, help="output folder; default: runs/GAME-SEED")
    parser.add_argument("--resume", type=Path, metavar="FOLDER", help="resume the run in this folder")
    parser.add_argument("--quick", action="store_true", default=False, help="a few seconds, to check that it runs")
    given = vars(parser.parse_args())
    check_export()  # a package that is missing is noticed before the training
    if given["quick"]:
        print("--quick is a smoke test: its results mean nothing")
    try:
        run = make_run(given)
    except (ImportError, ValueError) as error:
        parser.error(str(error))
    torch.set_num_threads(run.args.threads)
    try:
        for row in train(run):
            if "won_random" in row:
                won = ", ".join(f"{row[f'won_{name}']:.0%} against {name}" for name in BASELINES)
                print(f"{run.minutes:.1f} minutes, update {run.update}, {run.plies:,} plies: won {won}", flush=True)
    except KeyboardInterrupt:
        parser.exit(130, f"stopped; resume from the latest checkpoint with --resume {run.folder}\n")
    finals = {**dict.fromkeys(BASELINES, 1000), run.args.searcher: 100}
    scores = [run.evaluate(opponent, games // 50 if given["quick"] else games) for opponent, games in finals.items()]
    rows = "".join(f"{s.second},{s.games},{s.wins},{s.draws},{s.losses},{s.truncated}\n" for s in scores)
    write_file(run.folder / EVALUATION, "opponent,games,wins,draws,losses,truncated\n" + rows)
    print(*scores, sep="\n")
    policy, args = run.folder / "policy.onnx", run.args
    export_torch(run.agent.cpu(), policy, args.game, args.variant, outputs=("logits", "value"))
    print(f"play it as policy:{policy}")


if __name__ == "__main__":
    main()
