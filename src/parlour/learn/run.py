"""Training runs: learning in a folder, with checkpoints, measurements of strength and one network file.

A folder has ``GAME.value`` (the network, see `parlour.value.files`), ``checkpoint.npz`` (everything that is needed to
resume exactly) and ``curve.json`` (strength over time). A process may be killed at any moment. The next one resumes
from the last checkpoint, and after the same number of rounds it has the same network as a run without interruption.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parlour import __version__
from parlour.engine.game import Game
from parlour.files import remove_unfinished, write_file
from parlour.learn.checkpoint import read_checkpoint, write_checkpoint
from parlour.learn.jobs import RunJobs, run_here
from parlour.learn.learner import Round
from parlour.learn.methods import Method, choose_method, compile_for, new_method, player_of, variants_learnt
from parlour.learn.strength import Strength, measure, opponents_for
from parlour.value.files import save

CHECKPOINT, CURVE, SUFFIX = "checkpoint.npz", "curve.json", ".value"
SAVE_SECONDS = 30.0
"""Seconds of processor time between checkpoints."""
FIRST_MEASURED, FURTHER = 15.0, 2.0
"""Strength is first measured after this many seconds, and then whenever the time has grown by this factor."""


@dataclass(frozen=True)
class Plan:
    """What a run learns, and with which settings. The plan and the number of rounds determine the network.

    Attributes:
        game: the game to learn.
        variants: names of variants; one network learns all of them.
        overrides: option values that replace those of the variants.
        method: see `parlour.learn.methods.METHODS`.
        hidden: hidden units; None: the default.
        seed: the random seed.
    """

    game: Game
    variants: tuple[str, ...]
    overrides: Mapping[str, object]
    method: str
    hidden: int | None
    seed: int

    def as_json(self) -> dict[str, Any]:
        """The form in a checkpoint."""
        return {
            "game": self.game.id, "variants": list(self.variants), "options": dict(self.overrides),
            "method": self.method, "hidden": self.hidden, "seed": self.seed,
        }  # fmt: skip


@dataclass(frozen=True)
class Measured:
    """A measurement of strength.

    Attributes:
        seconds: processor time spent on learning, per thread.
        plies: plies of self-play.
        strengths: the strength against each opponent.
    """

    seconds: float
    plies: int
    strengths: tuple[Strength, ...]


@dataclass
class Callbacks:
    """Functions that a run calls.

    Attributes:
        round: called after each round.
        measured: called after each measurement.
    """

    round: Callable[[TrainingRun, Round], None] = lambda run, done: None
    measured: Callable[[TrainingRun, Measured], None] = lambda run, measured: None


class TrainingRun:
    """A run in its folder.

    Attributes:
        plan, folder: as given.
        method: the learner.
        rounds: how many rounds it has learnt.
        seconds: processor time spent on learning so far, per thread.
        curve: all measurements.
        resumed: whether it continues a checkpoint.
    """

    def __init__(self, plan: Plan, folder: Path, threads: int = 1, run: RunJobs = run_here) -> None:
        """
        Args:
            plan: what is learnt.
            folder: the run's folder, which is created if needed. A checkpoint of the same plan in it is resumed.
            threads: for self-play; the result is the same on any number.
            run: the function that does the jobs of self-play.

        Raises:
            ValueError: for a plan that is not valid, a folder with the checkpoint of another plan, or a damaged one.
            OSError: if the folder can't be read or written.
        """
        self.plan, self.folder, self.threads = plan, folder, threads
        self.method: Method = new_method(
            plan.game, plan.variants, plan.overrides, plan.method, plan.hidden, plan.seed, threads, run
        )
        self.rounds, self.seconds, self.curve = 0, 0.0, list[Measured]()
        folder.mkdir(parents=True, exist_ok=True)
        remove_unfinished(folder)
        self.resumed = (folder / CHECKPOINT).exists()
        if self.resumed:
            self._resume()
        self._saved = self.seconds

    @property
    def file(self) -> Path:
        """The network's file."""
        return self.folder / f"{self.plan.game.name}{SUFFIX}"

    def learn(self, seconds: float | None, rounds: int | None, callbacks: Callbacks | None = None) -> None:
        """Learns up to a total of ``seconds`` or ``rounds``, and saves everything."""
        callbacks = callbacks or Callbacks()
        if not self._is_done(seconds, rounds):
            compile_for(self.method)  # compiling does not count as learning time
        while not self._is_done(seconds, rounds):
            began = time.process_time()
            done = self.method.round()
            self.seconds += (time.process_time() - began) / self.threads
            self.rounds += 1
            callbacks.round(self, done)
            if self._is_done(seconds, rounds) or self.seconds >= self._next_measurement():
                self._measure(callbacks)
                self.save()
            elif self.seconds - self._saved >= SAVE_SECONDS:
                self.save()
        if not self.file.exists():
            self.save()

    def save(self) -> None:
        """Writes network, curve and checkpoint, the checkpoint last."""
        save(self.method.network, self.file, self.card())
        curve = [
            {
                "seconds": round(one.seconds, 1), "plies": one.plies,
                "elo": {strength.opponent: round(strength.elo) for strength in one.strengths},
            }
            for one in self.curve
        ]  # fmt: skip
        write_file(self.folder / CURVE, json.dumps(curve, indent=1) + "\n")
        points = [
            [one.seconds, one.plies, [[s.opponent, s.games, s.points] for s in one.strengths]] for one in self.curve
        ]
        run = {"plan": self.plan.as_json(), "rounds": self.rounds, "seconds": self.seconds, "curve": points}
        write_checkpoint(self.folder / CHECKPOINT, run, self.method.checkpoint())
        self._saved = self.seconds

    def card(self) -> dict[str, str]:
        """How the network was trained, for its file."""
        plan, method = self.plan, self.method
        return {
            "made_by": f"parlour {__version__}", "method": plan.method, "variants": ", ".join(plan.variants),
            "options": ", ".join(f"{name}={value}" for name, value in plan.overrides.items()),
            "seed": str(plan.seed), "rounds": str(self.rounds), "positions": str(method.positions),
            "games": str(method.games), "plies": str(method.plies),
            "processor_minutes": f"{self.seconds / 60:.1f}",
        }  # fmt: skip

    def _is_done(self, seconds: float | None, rounds: int | None) -> bool:
        return (seconds is not None and self.seconds >= seconds) or (rounds is not None and self.rounds >= rounds)

    def _next_measurement(self) -> float:
        return FURTHER * self.curve[-1].seconds if self.curve else FIRST_MEASURED

    def _measure(self, callbacks: Callbacks) -> None:
        plan = self.plan
        opponents = opponents_for(self.method.network.seats)
        strengths = measure(
            plan.game, plan.variants, plan.overrides, player_of(self.method), opponents, plan.seed + len(self.curve)
        )
        self.curve.append(Measured(self.seconds, self.method.plies, tuple(strengths)))
        callbacks.measured(self, self.curve[-1])

    def _resume(self) -> None:
        path = self.folder / CHECKPOINT
        run, arrays = read_checkpoint(path)
        try:
            saved, current = run["plan"], self.plan.as_json()
            points = [
                Measured(float(seconds), int(plies), tuple(Strength(str(a), int(b), float(c)) for a, b, c in strengths))
                for seconds, plies, strengths in run["curve"]
            ]
            rounds, seconds = int(run["rounds"]), float(run["seconds"])
            differing = [name for name in current if saved[name] != current[name]]
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(
                f"{path} is not a checkpoint of a training run ({error!r}); delete it to start over"
            ) from None
        if differing:
            name = differing[0]
            raise ValueError(
                f"{self.folder} holds a run with {name} {saved[name]!r}, not {current[name]!r}; give another folder, "
                f"or delete {CHECKPOINT} to start over"
            )
        try:
            self.method.restore(arrays)
        except ValueError as error:
            raise ValueError(f"{path}: {error}; delete it to start over") from None
        self.rounds, self.seconds, self.curve = rounds, seconds, points


def plan_run(
    game: Game, variant: str | None, overrides: Mapping[str, object], method: str | None, hidden: int | None, seed: int
) -> Plan:
    """A plan from a user's values. ``variant``: a name, ``"all"``, or None for the game's first. ValueError for invalid
    values."""
    names = [one.name for one in game.variants]
    if variant == "all":
        names_learnt: Sequence[str] = names
    else:
        names_learnt = [game.resolve(variant, overrides)[0].name]
    chosen = choose_method(variants_learnt(game, names_learnt, overrides), method)
    return Plan(game, tuple(names_learnt), overrides, chosen, hidden, seed)
