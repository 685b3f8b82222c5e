"""``train``: learns a player from a game's rules."""

from __future__ import annotations

import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from parlour.arena.measures.kinds import SCORE
from parlour.arena.runs.playing import progress_bar
from parlour.arena.setting.openings import AUTO
from parlour.arena.statistics import Estimate
from parlour.cli.common import (
    a_path,
    complete_players,
    game_argument,
    parse_values,
    say,
    seed_option,
    threads_option,
    values_option,
)
from parlour.cli.running import jobs_on, ray_option
from parlour.engine.game import Game
from parlour.learn.method import Round
from parlour.learn.methods import HIDDEN_RANGE, METHODS
from parlour.learn.run import TENSORBOARD, Callbacks, TrainingRun, plan_run
from parlour.learn.strength import Measured, openings_for
from parlour.players.champion import how_to_make

MINUTES = 1.0
BARS, MAX_BARS = "▁▂▃▄▅▆▇█", 30
"""How a score from 0 to 1 is drawn, and how many are drawn in a line."""
RUNS = Path("runs")


@click.command()
@game_argument
@click.option(
    "--variant", help="A variant's name, or all for one network for all variants; the game's first by default."
)
@values_option
@click.option(
    "--minutes", type=click.FloatRange(0, min_open=True),
    help="Total processor time of all threads together, in minutes; 1 by default.",
)  # fmt: skip
@click.option(
    "--rounds", type=click.IntRange(1), help="Total number of rounds instead of a time; makes the result reproducible."
)
@click.option("--out", type=a_path, help="Folder of the run; runs/train_GAME by default.")
@click.option("--method", type=click.Choice(METHODS), help="Method of learning; by default the one that fits the game.")
@click.option("--hidden", type=click.IntRange(*HIDDEN_RANGE), help="Hidden units of the network.")
@click.option(
    "--from", "start", metavar="FILE",
    help="A value file to begin with, or champion, instead of random weights. It is not changed.",
)  # fmt: skip
@click.option(
    "--against", multiple=True, metavar="PLAYER", shell_complete=complete_players,
    help="Learn from games against this player, by name or a value file, instead of self-play. Given several times: "
    "a pool, drawn from by p (1 - p) of the win rates p; 'self' is the learner.",
)  # fmt: skip
@seed_option
@threads_option
@ray_option
def train(
    game: Game, overrides: Sequence[str], minutes: float | None, rounds: int | None, out: Path | None, threads: int,
    ray: str | None, **settings: Any,
) -> None:  # fmt: skip
    """Trains a network for GAME by self-play. The network can be used wherever a player is named.

    Rerun with the same --out and a larger total of --minutes to continue, also after a crash.
    """
    if minutes is not None and rounds is not None:
        raise ValueError("--minutes and --rounds can't be given together")
    plan = plan_run(game, overrides=parse_values(game, overrides), **settings)
    folder = RUNS / f"train_{game.name}" if out is None else out
    seconds = None if rounds is not None else 60 * (MINUTES if minutes is None else minutes)
    with TrainingRun(plan, folder, threads, jobs_on(ray)) as run:
        _learn(run, seconds, rounds)


def _learn(run: TrainingRun, seconds: float | None, rounds: int | None) -> None:
    """Learns, and says what it begins from, how it goes, and what has come of it."""
    game, start = run.plan.game, run.plan.start
    if start and not run.resumed:
        learnt = start.network.learnt
        there = "there" if start.learnt == learnt else f"{start.learnt:,}"
        say(
            f"begins with the weights of a network that has learnt from {learnt:,} positions; the learning rate goes "
            f"on from {there}, the state of the optimiser begins anew"
        )
    openings = openings_for(run.plan.prepared)
    if openings != AUTO:
        say(f"strength is measured with openings {openings!r}, since random games are short")
    rounds_before = run.rounds
    for_long = f"{rounds} rounds" if seconds is None else f"{seconds / 60:g} min of processor time"
    say(
        f"{game.title}, {', '.join(run.plan.prepared.variants)}: a network learns by playing, {for_long} in all. "
        "Rules and learning are compiled first. Ctrl-C stops; the same command goes on from there."
    )
    show_learning(run, seconds, rounds)
    say(
        f"{run.method.games:,} games, {run.method.plies:,} plies in {run.seconds / 60:.1f} processor minutes (of all "
        "threads together)"
    )
    for line in curves_of(run.curve):
        say(line)
    say(f"wrote {run.file}")
    if run.rounds > rounds_before:
        verdict = run.verdict()
        say(f"{game.name} has no champion for these variants" if verdict is None else f"verdict: {verdict.verdict}")
    if game.champion is None:
        say(how_to_make(game, run.file))
    say(f"to play: parlour play {game.name} --against {run.player}")


def curves_of(curve: Sequence[Measured]) -> list[str]:
    """A line for each opponent: the scores of the latest `MAX_BARS` measurements as bars, and the last in per cent with
    its 95 % interval."""
    scores: dict[str, list[Estimate]] = {}
    for strength in (strength for measured in curve for strength in measured.strengths if strength.games):
        scores.setdefault(strength.opponent, []).append(strength.score)
    width = max(map(len, scores), default=0)
    return [
        f"score against {name:{width}}  {''.join(BARS[int(one.value * (len(BARS) - 1))] for one in series[-MAX_BARS:])}"
        f"  {SCORE.figure(series[-1], 2)} % ({SCORE.interval(series[-1], 2)})"
        for name, series in scores.items()
        if len(series) > 1
    ]


def show_learning(run: TrainingRun, seconds: float | None, rounds: int | None) -> None:
    """Learns up to a total of ``seconds`` or ``rounds``, and shows how it goes."""
    if run.resumed:
        say(f"resuming after {run.rounds} rounds, {run.seconds / 60:.1f} processor minutes")
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=20), TextColumn("{task.percentage:>3.0f} %"))
    with progress_bar(*columns) as bar:
        task = bar.add_task(run.plan.game.name, total=rounds if seconds is None else seconds)
        display = Display(bar, task, rounds is not None, Curves(run.path))
        try:
            run.learn(seconds, rounds, Callbacks(display.compiled, display.round, display.measured))
        except KeyboardInterrupt:
            done = f"{run.rounds} rounds are saved in {run.path}" if run.rounds else "nothing has been learnt yet"
            raise KeyboardInterrupt(f"interrupted; {done}; the same command goes on from there") from None
        finally:
            display.curves.close()


class Curves:
    """Writes numbers over steps for TensorBoard; does nothing if it is not installed. PyTorch is not needed."""

    def __init__(self, folder: Path) -> None:
        self._writer: Any = None
        if find_spec("tensorboard") is not None:
            from tensorboard.summary.writer.event_file_writer import EventFileWriter

            self._writer = EventFileWriter(str(folder / TENSORBOARD))

    def add(self, step: int, **numbers: float) -> None:
        """Adds numbers at a step."""
        if self._writer is not None:
            from tensorboard.compat.proto.event_pb2 import Event
            from tensorboard.compat.proto.summary_pb2 import Summary

            values = [Summary.Value(tag=name, simple_value=number) for name, number in numbers.items()]
            self._writer.add_event(Event(wall_time=time.time(), step=step, summary=Summary(value=values)))

    def close(self) -> None:
        """Writes what is buffered and closes the file."""
        if self._writer is not None:
            self._writer.close()


class Display:
    """Shows the progress of a run: as a bar, as lines, and in TensorBoard."""

    def __init__(self, bar: Progress, task: TaskID, by_rounds: bool, curves: Curves) -> None:
        self.bar, self.task, self.by_rounds, self.curves = bar, task, by_rounds, curves
        self._strength = ""

    def compiled(self, seconds: float) -> None:
        """Shows how long compiling took, if it was long."""
        if seconds >= 1:
            self.bar.console.print(f"compiled in {seconds:.0f} s, which does not count")

    def round(self, run: TrainingRun, done: Round) -> None:
        """Shows a finished round."""
        text = f"{run.method.games:,} games, loss {done.loss:.3f}{self._strength}"
        self.bar.update(self.task, completed=run.rounds if self.by_rounds else run.seconds, description=text)
        self.curves.add(run.method.positions, loss=done.loss, plies=run.method.plies)

    def measured(self, run: TrainingRun, measured: Measured) -> None:
        """Shows a measurement of strength."""
        text = "".join(f"\n  {one}" for one in measured.strengths)
        last = measured.strengths[-1]
        self._strength = f"; {last.points:g}/{last.games} {last.opponent}"
        self.bar.console.print(f"{measured.seconds / 60:5.2f} min, {measured.plies:,} plies{text}", soft_wrap=True)
        self.curves.add(
            run.method.positions, **{f"score/{one.opponent}": one.score.value for one in measured.strengths}
        )
