"""Playing an exploration, round by round: the function `parlour.arena.explore`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from parlour.arena.comparison.plan import Group
from parlour.arena.exploring.pareto import best
from parlour.arena.exploring.plan import (
    DEFAULT_FINAL,
    DEFAULT_FINALISTS,
    DEFAULT_GAMES,
    DEFAULT_PLAYER,
    DEFAULT_SKILL,
    ExplorationPlan,
    plan_exploration,
)
from parlour.arena.exploring.result import Exploration
from parlour.arena.fixtures import Played, Series
from parlour.arena.journal import Folder
from parlour.arena.measures import EVEN, Measure, Pair
from parlour.arena.openings import AUTO, OpeningsLike
from parlour.arena.playing import OnPlayed, Threads, Workers, check_folder, play_rest
from parlour.arena.progress import run_progress

NO_MOVES = np.zeros(0, np.int32)


def explore(
    game: str,
    options: Mapping[str, Sequence[object] | None] | Sequence[str],
    goals: Sequence[str],
    *,
    variant: str | None = None,
    player: str = DEFAULT_PLAYER,
    skill: Sequence[str] = DEFAULT_SKILL,
    games: int = DEFAULT_GAMES,
    finalists: int = DEFAULT_FINALISTS,
    final: int = DEFAULT_FINAL,
    seed: int = 0,
    openings: OpeningsLike = AUTO,
    workers: Workers | None = None,
    folder: str | Path | None = None,
    on_played: OnPlayed = lambda played: None,
    progress: bool | None = None,
    **fixed: object,
) -> Exploration:
    """Searches for the option values that come closest to some goals, and estimates the effect of each option.

    Every combination of option values plays ``games`` games. The better half goes on to the next round (successive
    halving). In the end the ``finalists`` play ``final`` new games each, and their estimates come from these alone.

    Args:
        game: an id such as ``"agon-v0"``.
        options: the options that vary: a list of names, for all their values, or a mapping of names to lists of values.
        goals: texts such as ``"undecided:min"``, ``"skill:max"`` and ``"plies:100..200"``. The measures must be means
            over games: see ``docs/measures.md``.
        variant: the variant from which all other option values are taken; None for the game's first.
        player: the player in all seats.
        skill: a weaker and a stronger player, for goals about skill.
        games: the number of games of each combination in the first round; even.
        finalists: the number of combinations in the final round.
        final: the number of games of each finalist in the final round; even.
        seed: the random seed.
        openings: how games begin: see `parlour.arena.openings`.
        workers: what plays the games; None for `parlour.arena.Threads`, one per core.
        folder: a folder for every finished game, the report and all tables. The same call resumes a run that was
            stopped.
        on_played: called with games as they finish.
        progress: whether a progress bar is shown; None: only if standard error is a terminal.
        **fixed: option values that are the same in all combinations.

    Raises:
        ValueError: for any argument that is not valid.
        OSError: if the folder can't be written.
    """
    if isinstance(options, str) or isinstance(goals, str):
        raise ValueError(f"options and goals are lists, not {options!r:.80} and {goals!r:.80}")
    varied = dict(options) if isinstance(options, Mapping) else dict.fromkeys(options)
    plan = plan_exploration(
        game, varied, goals, variant, fixed, player, skill, games, finalists, final, seed, openings
    )  # fmt: skip
    return play_exploration(plan, workers or Threads(), Path(folder) if folder else None, on_played, progress)


def play_exploration(
    plan: ExplorationPlan,
    workers: Workers,
    folder: Path | None,
    on_played: OnPlayed = lambda played: None,
    progress: bool | None = None,
) -> Exploration:
    """Plays the games that ``folder`` does not have yet, and writes the report."""
    with run_progress(plan.total, folder, progress) as bar:

        def on_finished(games: list[Played]) -> None:
            bar(games)
            on_played(games)

        if folder is None:
            return _Halving(plan, workers, on_finished, None).play()
        with Folder(folder, plan.plan) as run:
            result = _Halving(plan, workers, on_finished, run).play()
            result.report(folder)
    return result


class _Halving:
    """An exploration while it is played."""

    def __init__(self, plan: ExplorationPlan, workers: Workers, on_played: OnPlayed, folder: Folder | None) -> None:
        self.plan, self.workers, self.on_played, self.folder = plan, workers, on_played, folder
        self._games: dict[str, dict[int, Played]] = {series.key: {} for series in plan.plan.series}
        self._done = {series.key: np.zeros(series.games, np.bool_) for series in plan.plan.series}

    def play(self) -> Exploration:
        """Plays all rounds. The combinations of the next round are chosen by all their games so far."""
        if self.folder is not None:
            check_folder(self.plan.plan, self.workers, self._add, self.folder)
        rounds = np.zeros(len(self.plan.space.rulesets), np.int64)
        kept = list(range(len(rounds)))
        for number, part in enumerate(self.plan.rounds):
            if number:
                misses = self._misses(kept, self.plan.rounds[number - 1].high)
                kept = [kept[k] for k in best(misses, part.candidates)]
            rounds[kept] += 1
            series = [replace(one, games=part.high) for k in kept for one in self.plan.series[k]]
            play_rest(self.plan.plan, self.workers, self._add, self.folder, series, done=self._done)
        keys = [goal.measure.key for goal in self.plan.goals]
        by_combination = [self._numbers(k, self.plan.rounds[-1].high) for k in range(len(rounds))]
        numbers = {key: np.stack([own[key] for own in by_combination]) for key in keys}
        return Exploration(self.plan, numbers, rounds.tolist())

    def _add(self, games: list[Played]) -> None:
        for played in games:
            key, index = played.fixture.series, played.fixture.index
            self._games[key][index] = replace(played, moves=NO_MOVES)
            self._done[key][index] = True
        self.on_played(games)

    def _misses(self, kept: Sequence[int], high: int) -> NDArray[np.float64]:
        """How far each of the combinations ``kept`` is from each goal (K, G), by its first ``high`` games."""
        by_combination = [self._numbers(k, high) for k in kept]
        columns = []
        for goal in self.plan.goals:
            samples = [own[goal.measure.key] for own in by_combination]
            measured = [sample[~np.isnan(sample)] for sample in samples]
            columns.append(goal.misses(np.array([sample.mean() if len(sample) else np.nan for sample in measured])))
        return np.stack(columns, axis=1)

    def _numbers(self, combination: int, high: int) -> dict[str, NDArray[np.float64]]:
        """By measure, the value for each sampling unit among the first ``high`` games of a combination (an index); NaN
        for a unit that was not played, is not counted, or has nothing to measure."""
        by_measure: dict[str, NDArray[np.float64]] = {}
        for group, series in zip(self.plan.groups, self.plan.series[combination]):
            units = units_in_order(series, self._games[series.key], high)
            for measure in (goal.measure for goal in self.plan.goals):
                if measure.series == group.series:
                    applies = measure.applies(self.plan.game, dict(series.ruleset.values))
                    numbers = [_number(measure, group, unit) if applies and unit else np.nan for unit in units]
                    by_measure[measure.key] = np.array(numbers)
        return by_measure


def _number(measure: Measure, group: Group, unit: tuple[Played, ...]) -> float:
    """The value of a measure for a sampling unit."""
    if group.series == EVEN:
        return unit[0].numbers[measure.key]
    return measure.number(Pair((unit[0], unit[1]), group.first, group.second))


def units_in_order(series: Series, games: Mapping[int, Played], high: int) -> list[tuple[Played, ...] | None]:
    """The sampling units among the first ``high`` games of a series, in order; None for a unit that was not played or
    is not counted: see `parlour.arena.tally.counted_units`."""
    unit_size = 2 if series.paired else 1
    units: list[tuple[Played, ...] | None] = []
    seen: set[tuple[int, ...]] = set()
    for low in range(0, high, unit_size):
        unit = tuple(games[k] for k in range(low, low + unit_size) if k in games)
        digests = tuple(played.digest for played in unit)
        counted = len(unit) == unit_size and not any(played.in_opening for played in unit)
        counted = counted and not (series.distinct and digests in seen)
        seen.add(digests)
        units.append(unit if counted else None)
    return units
