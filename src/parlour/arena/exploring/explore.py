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
from parlour.arena.progress import watched

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
    """Looks for the rules that come closest to some goals, and for what each option changes.

    All combinations of option values play ``games`` each, the better half of them goes on (successive halving), and the
    ``finalists`` play ``final`` fresh games, from which their figures come.

    Args:
        game: an id such as ``"agon-v0"``.
        options: the options that vary: a list of names, for all their values, or a mapping of names to lists of values.
        goals: texts such as ``"undecided:min"``, ``"skill:max"`` and ``"plies:100..200"``, of measures that are means
            over games: see ``docs/measures.md``.
        variant: the variant that all other option values come from; None for the game's first.
        player: sits in all seats.
        skill: a weaker and a stronger player, for goals that are about skill.
        games: of each combination in the first round; even.
        finalists: how many combinations are left in the end.
        final: fresh games of each finalist; even.
        seed: the random seed.
        openings: how games begin: see `parlour.arena.openings`.
        workers: what plays: None for `parlour.arena.Threads`, one for each core.
        folder: a folder that keeps every finished game, the report and all tables; the same call resumes a run that was
            stopped.
        on_played: told of games as they finish.
        progress: whether a progress bar is shown; None for one if standard error is a terminal.
        **fixed: option values that are the same in all combinations.

    Raises:
        ValueError: for anything that is not valid.
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
    """Plays what ``folder`` does not hold yet, and writes the report."""
    with watched(plan.total, folder, progress) as advance:

        def told(games: list[Played]) -> None:
            advance(games)
            on_played(games)

        if folder is None:
            return _Halving(plan, workers, told, None).play()
        with Folder(folder, plan.plan) as run:
            result = _Halving(plan, workers, told, run).play()
            result.report(folder)
    return result


class _Halving:
    """An exploration while it is played."""

    def __init__(self, plan: ExplorationPlan, workers: Workers, on_played: OnPlayed, folder: Folder | None) -> None:
        self.plan, self.workers, self.on_played, self.folder = plan, workers, on_played, folder
        self._games: dict[str, dict[int, Played]] = {series.key: {} for series in plan.plan.series}
        self._done = {series.key: np.zeros(series.games, np.bool_) for series in plan.plan.series}

    def play(self) -> Exploration:
        """All rounds. In each the better half of the combinations is chosen by all its games so far."""
        if self.folder is not None:
            check_folder(self.plan.plan, self.workers, self._add, self.folder)
        rounds = np.zeros(len(self.plan.space.rulesets), np.int64)
        kept = list(range(len(rounds)))
        for number, part in enumerate(self.plan.rounds):
            if number:
                kept = [
                    kept[place]
                    for place in best(self._misses(kept, self.plan.rounds[number - 1].high), part.candidates)
                ]
            rounds[kept] += 1
            series = [replace(one, games=part.high) for place in kept for one in self.plan.series[place]]
            play_rest(self.plan.plan, self.workers, self._add, self.folder, series, done=self._done)
        keys = [goal.measure.key for goal in self.plan.goals]
        everything = [self._numbers(place, self.plan.rounds[-1].high) for place in range(len(rounds))]
        numbers = {key: np.stack([own[key] for own in everything]) for key in keys}
        return Exploration(self.plan, numbers, rounds.tolist())

    def _add(self, games: list[Played]) -> None:
        for played in games:
            key, index = played.fixture.series, played.fixture.index
            self._games[key][index] = replace(played, moves=NO_MOVES)
            self._done[key][index] = True
        self.on_played(games)

    def _misses(self, kept: Sequence[int], high: int) -> NDArray[np.float64]:
        """How far each combination that is left is from each goal (K, G), by its first games."""
        found = [self._numbers(place, high) for place in kept]
        columns = []
        for goal in self.plan.goals:
            samples = [own[goal.measure.key] for own in found]
            measured = [sample[~np.isnan(sample)] for sample in samples]
            columns.append(goal.misses(np.array([sample.mean() if len(sample) else np.nan for sample in measured])))
        return np.stack(columns, axis=1)

    def _numbers(self, place: int, high: int) -> dict[str, NDArray[np.float64]]:
        """By measure, the number of each sampling unit among a combination's first games; NaN for what was not played,
        does not count, or has nothing to measure."""
        found: dict[str, NDArray[np.float64]] = {}
        for group, series in zip(self.plan.groups, self.plan.series[place]):
            units = counted_places(series, self._games[series.key], high)
            for measure in (goal.measure for goal in self.plan.goals):
                if measure.series == group.series:
                    applies = measure.applies(self.plan.game, dict(series.ruleset.values))
                    numbers = [_number(measure, group, unit) if applies and unit else np.nan for unit in units]
                    found[measure.key] = np.array(numbers)
        return found


def _number(measure: Measure, group: Group, unit: tuple[Played, ...]) -> float:
    """What a measure makes of a sampling unit."""
    if group.series == EVEN:
        return unit[0].numbers[measure.key]
    return measure.number(Pair((unit[0], unit[1]), group.first, group.second))


def counted_places(series: Series, games: Mapping[int, Played], high: int) -> list[tuple[Played, ...] | None]:
    """The sampling units among the first ``high`` games of a series, each in its place; None for one that was not
    played or is not counted: see `parlour.arena.tally.counted_units`."""
    each = 2 if series.paired else 1
    units: list[tuple[Played, ...] | None] = []
    seen: set[tuple[int, ...]] = set()
    for low in range(0, high, each):
        unit = tuple(games[k] for k in range(low, low + each) if k in games)
        digests = tuple(played.digest for played in unit)
        counts = len(unit) == each and not any(played.in_opening for played in unit)
        counts = counts and not (series.distinct and digests in seen)
        seen.add(digests)
        units.append(unit if counts else None)
    return units
