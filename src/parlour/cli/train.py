"""``train``: learns a player from a game's rules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from parlour.arena.progress import progress_bar
from parlour.cli.common import console, game_argument, parse_values, seed_option, thread_count, values_option
from parlour.engine.game import Game
from parlour.learn.jobs import RunJobs, run_here
from parlour.learn.learner import Round
from parlour.learn.methods import METHODS
from parlour.learn.run import Callbacks, Measured, TrainingRun, plan_run
from parlour.learn.tensorboard import Curves
from parlour.value.network import MAX_HIDDEN

MINUTES = 1.0
RUNS = Path("runs")


@click.command()
@game_argument
@click.option(
    "--variant", help="A variant's name, or all for one network for all variants; the game's first by default."
)
@values_option
@click.option(
    "--minutes", type=click.FloatRange(0, min_open=True), help="Total processor time, in minutes; 1 by default."
)
@click.option(
    "--rounds", type=click.IntRange(1), help="Total number of rounds instead of a time; makes the result reproducible."
)
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the run; runs/train_GAME by default.")
@click.option("--method", type=click.Choice(METHODS), help="Method of learning; by default the one that fits the game.")
@click.option("--hidden", type=click.IntRange(1, MAX_HIDDEN), help="Hidden units of the network.")
@seed_option
@click.option(
    "--threads", type=thread_count, default=1, show_default=True, help="Threads for self-play; results do not change."
)
@click.option("--ray", metavar="ADDRESS", help="Play on a Ray cluster (local: on this machine); results do not change.")
def train(
    game: Game,
    variant: str | None,
    overrides: Sequence[str],
    minutes: float | None,
    rounds: int | None,
    out: Path | None,
    method: str | None,
    hidden: int | None,
    seed: int,
    threads: int,
    ray: str | None,
) -> None:
    """Trains a network for GAME by self-play. The network can be used wherever a player is named.

    Rerun with the same --out and a larger total of --minutes to continue, also after a crash.
    """
    if minutes is not None and rounds is not None:
        raise ValueError("--minutes and --rounds can't be given together")
    plan = plan_run(game, variant, parse_values(game, overrides), method, hidden, seed)
    folder = RUNS / f"train_{game.name}" if out is None else out
    run = TrainingRun(plan, folder, threads, _jobs_on(ray))
    seconds = None if rounds is not None else 60 * (MINUTES if minutes is None else minutes)
    screen = console()
    if run.resumed:
        screen.print(f"resuming after {run.rounds} rounds, {run.seconds / 60:.1f} minutes", soft_wrap=True)
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=20), TextColumn("{task.percentage:>3.0f} %"))
    with progress_bar(*columns) as bar:
        task = bar.add_task(game.name, total=rounds if seconds is None else seconds)
        display = Display(bar, task, rounds is not None, Curves(folder))
        try:
            run.learn(seconds, rounds, Callbacks(display.round, display.measured))
        except KeyboardInterrupt:
            hint = f"rerun with --out {folder} to resume from the last checkpoint"
            raise KeyboardInterrupt(f"interrupted; {hint}") from None
        finally:
            display.curves.close()
    screen.print(
        f"{run.method.games:,} games, {run.method.plies:,} plies in {run.seconds / 60:.1f} minutes", soft_wrap=True
    )
    screen.print(f"wrote {run.file}", soft_wrap=True)
    screen.print(f"to play: parlour play {game.name} --against value:{run.file}", soft_wrap=True)


def _jobs_on(ray: str | None) -> RunJobs:
    """The function that does the jobs of self-play. ValueError for a cluster that does not answer."""
    if ray is None:
        return run_here
    from parlour.arena.cluster import Cluster
    from parlour.learn.cluster import ClusterJobs

    return ClusterJobs(Cluster(ray))


class Display:
    """Shows the progress of a run: as a bar, as lines, and in TensorBoard."""

    def __init__(self, bar: Progress, task: TaskID, by_rounds: bool, curves: Curves) -> None:
        """``task``: the task of the bar; ``by_rounds``: whether it counts rounds instead of seconds."""
        self.bar, self.task, self.by_rounds, self.curves = bar, task, by_rounds, curves
        self._elo = ""

    def round(self, run: TrainingRun, done: Round) -> None:
        """Shows a finished round."""
        text = f"{run.method.games:,} games, loss {done.loss:.3f}{self._elo}"
        self.bar.update(self.task, completed=run.rounds if self.by_rounds else run.seconds, description=text)
        self.curves.add(run.method.positions, loss=done.loss, plies=run.method.plies)

    def measured(self, run: TrainingRun, measured: Measured) -> None:
        """Shows a measurement of strength."""
        elos = {strength.opponent: strength.elo for strength in measured.strengths}
        text = ", ".join(f"{elo:+.0f} over {opponent}" for opponent, elo in elos.items())
        self._elo = f"; Elo {text}"
        self.bar.console.print(
            f"{measured.seconds / 60:5.2f} min, {measured.plies:,} plies: Elo {text}", soft_wrap=True
        )
        self.curves.add(run.method.positions, **{f"elo/{opponent}": elo for opponent, elo in elos.items()})
