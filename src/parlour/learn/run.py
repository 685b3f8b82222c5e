"""Training runs: learning in a folder, with checkpoints, measurements of strength and one network file.

A folder has ``GAME.value`` (the network, see `parlour.players.value.files`), ``checkpoint.npz`` (everything that is
needed to resume exactly) and ``curve.json`` (strength over time). A process may be killed at any moment. The next one
resumes from the last checkpoint, and after the same number of rounds it has the same network as a run without
interruption.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from parlour import __version__
from parlour.engine.game import Game
from parlour.learn import checkpoint
from parlour.learn.against import SELF, check_against
from parlour.learn.method import Method, Round
from parlour.learn.methods import (
    GENERATIONS,
    TD,
    Preparation,
    choose_method,
    compile_for,
    first_network,
    new_method,
    player_of,
    prepare,
)
from parlour.learn.strength import Measured, Strength, measure, opponents_for
from parlour.players.champion import champion_plays, usual_depth
from parlour.players.identity import identity_of
from parlour.players.search.expectimax import Expectimax
from parlour.players.value.files import load_for_player, save
from parlour.players.value.network import ValueNetwork
from parlour.players.value_players import TurnPlayer
from parlour.support.files import remove_unfinished, write_file
from parlour.support.jobs import RunJobs, run_here
from parlour.support.run_folder import RunFolder, refuse_another, refuse_strangers

CHECKPOINT, CURVE, SUFFIX = "checkpoint.npz", "curve.json", ".value"
TENSORBOARD = "tensorboard"
"""The folder of scores that ``parlour train`` writes for TensorBoard, before there is a checkpoint."""
SAVE_SECONDS = 30.0
"""Seconds of processor time between checkpoints."""
FIRST_MEASURED, FURTHER = 5.0, 2.0
"""Strength is first measured after this many seconds, and then whenever the time has grown by this factor."""
CHAMPION = "champion"
"""The game's champion, as a network to begin with."""
LEARNT_BEFORE = {TD: 20_000_000, GENERATIONS: 10_000_000}
"""The most positions that a start network counts as having learnt from, in runs against fixed players only. With the
hundreds of millions of some champions it would hardly change in minutes; with 0, at the learning rate of an untrained
network, it would forget first."""


@dataclass(frozen=True)
class Start:
    """A network that a run begins with.

    Attributes:
        sha256: of its file.
        learnt: how many positions it has learnt from, by the card of its file; at most `LEARNT_BEFORE` against fixed
            players only.
    """

    network: ValueNetwork
    sha256: str
    learnt: int


@dataclass(frozen=True)
class TrainingPlan:
    """What a run learns, and with which settings: see `plan_run`. The network is fixed by the plan and the number of
    rounds."""

    prepared: Preparation
    method: str
    hidden: int | None
    seed: int
    start: Start | None = None
    against: tuple[str, ...] = ()

    @property
    def game(self) -> Game:
        """The game to learn."""
        return self.prepared.game

    def saved(self) -> checkpoint.SavedTraining:
        """The plan as a checkpoint has it."""
        prepared = self.prepared
        return checkpoint.SavedTraining(
            self.game.id, list(prepared.variants), dict(prepared.overrides), self.method, self.hidden, self.seed,
            self.start.sha256 if self.start else None,
            {name: identity_of(name, self.game) for name in self.against if name != SELF} or None, SELF in self.against,
            self.game.digest,
        )  # fmt: skip

    @property
    def opponents(self) -> tuple[str, ...]:
        """The players against which strength is measured during a run."""
        named = tuple(name for name in self.against if name != SELF)
        return named or opponents_for(self.prepared.variant_mix.layout.seats)

    def first_network(self) -> ValueNetwork:
        """The network that the run begins with."""
        return self.start.network if self.start else first_network(self.prepared, self.method, self.hidden, self.seed)


@dataclass
class Callbacks:
    """Functions that a run calls.

    Attributes:
        compiled: called before the first round, with the seconds that compiling took.
        round: called after each round.
        measured: called after each measurement.
    """

    compiled: Callable[[float], None] = lambda seconds: None
    round: Callable[[TrainingRun, Round], None] = lambda run, done: None
    measured: Callable[[TrainingRun, Measured], None] = lambda run, measured: None


class TrainingRun(RunFolder):
    """A run in its folder, ``path``; a context manager.

    Attributes:
        seconds: processor time spent on learning so far, of all threads together.
    """

    def __init__(self, plan: TrainingPlan, folder: Path, threads: int = 1, run: RunJobs = run_here) -> None:
        """
        Args:
            folder: the run's folder, which is created if needed. A checkpoint of the same plan in it is resumed.
            threads: for self-play; the result is the same on any number.
            run: the function that runs the jobs of self-play.

        Raises:
            ValueError: for a plan that is not valid; for a folder to which another run is writing, or with anything
                but a training run, or with the checkpoint of another plan, or with one that is not valid.
            OSError: if the folder can't be read or written.
        """
        self.plan = plan
        refuse_strangers(folder, CHECKPOINT, CURVE, TENSORBOARD, f"{plan.game.name}{SUFFIX}")
        learnt = plan.start.learnt if plan.start else 0
        self.method: Method = new_method(
            plan.prepared, plan.method, plan.first_network(), learnt, plan.seed, threads, run, plan.against
        )
        self.rounds, self.seconds, self.curve = 0, 0.0, list[Measured]()
        super().__init__(folder)
        self._saved = self.seconds
        self._note_round(self.rounds, self.seconds)

    def open(self) -> None:
        """Resumes from the checkpoint, if there is one, and writes the other files anew. ValueError for one of another
        plan, or one that is damaged."""
        remove_unfinished(self.path)
        self.resumed = (self.path / CHECKPOINT).exists()
        if self.resumed:
            self._resume()
            self.save()  # network and curve are those of the checkpoint, whatever has become of their files

    @property
    def file(self) -> Path:
        """The network's file."""
        return self.path / f"{self.plan.game.name}{SUFFIX}"

    def learn(self, seconds: float | None, rounds: int | None, callbacks: Callbacks | None = None) -> None:
        """Learns up to a total of ``seconds`` or ``rounds``, and saves. After Ctrl-C, saves the state after the last
        whole round."""
        try:
            self._learn(seconds, rounds, callbacks or Callbacks())
        except KeyboardInterrupt:
            self.rounds, self.seconds, arrays = self._latest
            if self.rounds:
                self.method.restore(arrays)
                self.save()
            raise

    def _learn(self, seconds: float | None, rounds: int | None, callbacks: Callbacks) -> None:
        if not self._is_done(seconds, rounds):
            began = time.perf_counter()
            compile_for(self.method)  # compiling does not count as learning time
            callbacks.compiled(time.perf_counter() - began)
        while not self._is_done(seconds, rounds):
            began = time.process_time()
            done = self.method.round()
            self._note_round(self.rounds + 1, self.seconds + time.process_time() - began)
            callbacks.round(self, done)
            next_measurement = FURTHER * self.curve[-1].seconds if self.curve else FIRST_MEASURED
            if self._is_done(seconds, rounds) or self.seconds >= next_measurement:
                self._measure(callbacks)
                self.save()
            elif self.seconds - self._saved >= SAVE_SECONDS:
                self.save()

    def _note_round(self, rounds: int, seconds: float) -> None:
        """Keeps the state after a whole round, for `learn` to save after Ctrl-C."""
        self._latest = rounds, seconds, self.method.checkpoint()
        self.rounds, self.seconds = rounds, seconds

    @property
    def player(self) -> str:
        """The name of the player with the network's file, at a search depth that suits the game."""
        return player_name(self.file, self.plan.game)

    def verdict(self) -> Strength | None:
        """The strength of `player` against the game's champion; None without a champion for all these variants."""
        prepared, network = self.plan.prepared, self.method.network
        if not champion_plays(self.plan.game, [entry.values for entry in prepared.variant_mix.entries]):
            return None
        depth = usual_depth(self.plan.game)
        player = Expectimax(depth, network=network) if depth else TurnPlayer(network)
        return measure(prepared, player, ["champion"], self.plan.seed)[0]

    def save(self) -> None:
        """Writes network, curve and checkpoint, the checkpoint last."""
        save(self.method.network, self.file, self.card())
        curve = [
            {
                "seconds": round(measured.seconds, 1),
                "plies": measured.plies,
                "strengths": {strength.opponent: strength.as_json() for strength in measured.strengths},
            }
            for measured in self.curve
        ]
        write_file(self.path / CURVE, json.dumps(curve, indent=1) + "\n")
        run = checkpoint.SavedRun(self.plan.saved(), self.rounds, self.seconds, self.curve)
        checkpoint.write_checkpoint(self.path / CHECKPOINT, run, self.method.checkpoint())
        self._saved = self.seconds

    def card(self) -> dict[str, str]:
        """How the network was trained, for its file."""
        plan, method, prepared = self.plan, self.method, self.plan.prepared
        before = {"from": plan.start.sha256} if plan.start else {}
        if plan.against:
            before["against"] = ", ".join(plan.against)
        positions = method.positions + (plan.start.learnt if plan.start else 0)
        return {
            "made_by": f"parlour {__version__}", "method": plan.method, "variants": ", ".join(prepared.variants),
            "options": ", ".join(f"{name}={value}" for name, value in prepared.overrides.items()), **before,
            "seed": str(plan.seed), "rounds": str(self.rounds), "positions": str(positions),
            "games": str(method.games), "plies": str(method.plies),
            "processor_minutes": f"{self.seconds / 60:.1f}",
        }  # fmt: skip

    def _is_done(self, seconds: float | None, rounds: int | None) -> bool:
        return (seconds is not None and self.seconds >= seconds) or (rounds is not None and self.rounds >= rounds)

    def _measure(self, callbacks: Callbacks) -> None:
        strengths = measure(self.plan.prepared, player_of(self.method), self.plan.opponents, self.plan.seed)
        self.curve.append(Measured(self.seconds, self.method.plies, strengths))
        callbacks.measured(self, self.curve[-1])

    def _resume(self) -> None:
        path = self.path / CHECKPOINT
        try:
            run, arrays = checkpoint.read_checkpoint(path)
            saved, expected = msgspec.structs.asdict(run.plan), msgspec.structs.asdict(self.plan.saved())
            saved["rules"] = saved["rules"] or expected["rules"]
            refuse_another(self.path, "a run", saved, expected)
            try:
                self.method.restore(arrays)
            except ValueError as error:
                raise ValueError(f"{path}: {error}") from None
        except ValueError as error:
            raise ValueError(f"{error}; or delete {CHECKPOINT} to start over") from None
        self.rounds, self.seconds, self.curve = run.rounds, run.seconds, run.curve


def plan_run(
    game: Game, variant: str | None, overrides: Mapping[str, object], method: str | None, hidden: int | None, seed: int,
    start: str | None = None, against: Sequence[str] = (),
) -> TrainingPlan:  # fmt: skip
    """The plan of a run from the options of ``parlour train``.

    ``variant``: a name, ``"all"``, or None for the game's first, or for those of ``start``, the file of a network to
    begin with, or `CHAMPION`. ``against``: names of fixed players, or files of networks.

    Raises:
        ValueError: for invalid values, and for a network to begin with that does not play all these variants.
    """
    first = None if start is None else _read_start(start, game)
    if variant == "all":
        names = [known.name for known in game.variants]
    elif variant is None and first:
        names = [entry.variant for entry in first.network.variants]
    else:
        names = [game.resolve(variant, overrides)[0].name]
    prepared = prepare(game, names, overrides)
    opponents, chosen = tuple(named_opponent(text, game) for text in against), choose_method(prepared, method)
    check_against(opponents, game)
    if first:
        learnt = min(first.learnt, LEARNT_BEFORE[chosen]) if opponents and SELF not in opponents else first.learnt
        first = replace(first, network=_for_variants(first.network, prepared, hidden, str(start)), learnt=learnt)
    return TrainingPlan(prepared, chosen, hidden, seed, first, opponents)


def named_opponent(text: str, game: Game) -> str:
    """The name of a fixed player: ``text``, or, if that is a network's file, `player_name`."""
    return player_name(Path(text), game) if text.endswith(SUFFIX) and Path(text).is_file() else text


def player_name(file: Path, game: Game) -> str:
    """The name of the player that a network's file makes, at a depth that suits the game."""
    depth = usual_depth(game)
    return f"value:{file}" + (f":{depth}" if depth else "")


def _read_start(file: str, game: Game) -> Start:
    if file == CHAMPION:
        if game.champion is None:
            raise ValueError(f"{game.id} has no champion to begin with")
        file = str(game.champion)
    network, identity = load_for_player(file, game)
    return Start(network, identity["sha256"], network.learnt)


def _for_variants(network: ValueNetwork, prepared: Preparation, hidden: int | None, file: str) -> ValueNetwork:
    """A network for the variants to be learnt. ValueError unless it plays them all, with the hidden units asked for."""
    entries = prepared.variant_mix.entries
    heads = network.variant_heads(entries, prepared.game).tolist()
    units = network.hidden.shape[1]
    if hidden not in (None, units):
        raise ValueError(f"{file} has {units} hidden units, not {hidden}; leave out --hidden")
    every = list(range(0, network.seats * len(network.variants), network.seats))
    return network if heads == every else network.of_variants(entries)
