"""Explorations of rules, round by round: the function `parlour.arena.explore`, and its result with its report."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from parlour.arena.matches.tally import judged_lines, score_of, units_in_order
from parlour.arena.measures.registry import EVEN, sample_of
from parlour.arena.reporting.exploration import write_exploration
from parlour.arena.reporting.summary import exploration_summary
from parlour.arena.runs.journal import Folder, open_run
from parlour.arena.runs.playing import Threads, Workers, check_folder, play_rest
from parlour.arena.runs.progress import run_progress
from parlour.arena.setting.game_specs import OnPlayed, Played
from parlour.arena.setting.openings import AUTO, OpeningsLike
from parlour.arena.study.exploring import plan as defaults
from parlour.arena.study.exploring.goals import CHANGES, Goal
from parlour.arena.study.exploring.pareto import best
from parlour.arena.study.exploring.plan import ExplorationPlan, plan_exploration
from parlour.arena.study.exploring.result import ExplorationResult, mean_of_known


class Exploration(ExplorationResult):
    """The result of an exploration: see `parlour.arena.study.exploring.result.ExplorationResult` for its data."""

    def report(self, folder: str | Path) -> Path:
        """Writes the report and its tables into a folder, made if need be. Returns its path. OSError if that fails."""
        return write_exploration(Path(folder), self)

    def __str__(self) -> str:
        """The answer in short, as ``parlour explore`` prints it, and the finalists' results without luck."""
        without_luck = [
            line
            for number, score in self.matches.items()
            for line in judged_lines(f"combination {number}, {score.first} against {score.second}", score)
        ]
        return "\n".join([exploration_summary(self).text(), *without_luck])

    def summary_plot(self) -> str:
        """The answer in short as one picture: SVG, a file of its own."""
        return exploration_summary(self).svg()


def explore(
    game: str,
    options: Mapping[str, Sequence[object] | None] | Sequence[str],
    goals: Sequence[str],
    *,
    variant: str | None = None,
    player: str = defaults.DEFAULT_PLAYER,
    skill: Sequence[str] = defaults.DEFAULT_SKILL,
    games: int = defaults.DEFAULT_GAMES,
    finalists: int = defaults.DEFAULT_FINALISTS,
    final: int = defaults.DEFAULT_FINAL,
    seed: int = 0,
    openings: OpeningsLike = AUTO,
    judge: str | None = None,
    each: bool = False,
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
        judge: in a game with dice, the player that values throws, so that the finalists' games between the two players
            of ``skill`` are also given without their luck, as ``.matches``: see `parlour.arena.match`. None for none.
        each: whether each option is changed alone, beside the variant as it is, instead of all combinations.
        folder: a folder for every finished game, the report and all tables. The same call resumes a run that was
            stopped.
        seed, openings, workers, on_played, progress: as in `parlour.arena.match`.
        **fixed: option values that are the same in all combinations.

    Raises:
        ValueError: for any argument that is not valid.
        OSError: if the folder can't be written.
    """
    if isinstance(options, str) or isinstance(goals, str):
        raise ValueError(f"options and goals are lists, not {options!r:.80} and {goals!r:.80}")
    varied = dict(options) if isinstance(options, Mapping) else dict.fromkeys(options)
    plan = plan_exploration(
        game, varied, goals, variant, fixed, player, skill, games, finalists, final, seed, openings, judge, each
    )
    for sentence in plan.space.warnings:
        warnings.warn(sentence, stacklevel=2)
    return play_exploration(plan, workers or Threads(), Path(folder) if folder else None, on_played, progress)


def play_exploration(
    plan: ExplorationPlan,
    workers: Workers,
    folder: Path | None,
    on_played: OnPlayed = lambda played: None,
    progress: bool | None = None,
) -> Exploration:
    """Plays the games that ``folder`` does not have yet, and writes the report."""
    with run_progress(plan.total, folder, progress, on_played) as bar, open_run(folder, plan.plan) as run:
        result = _Halving(plan, workers, bar, run).play()
        if folder:
            result.report(folder)
    return result


class _Halving:
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
                misses = self._misses(kept, self.plan.rounds[number - 1].high, rounds)
                kept = [kept[k] for k in best(misses, part.candidates)]
            rounds[kept] += 1
            series = [replace(one, games=part.high) for k in kept for one in self.plan.series[k]]
            play_rest(self.plan.plan, self.workers, self._add, self.folder, series, done=self._done)
        keys = [goal.measure.key for goal in self.plan.goals]
        by_combination = [self._numbers(k, self.plan.rounds[-1].high) for k in range(len(rounds))]
        numbers = {key: np.stack([own[key] for own in by_combination]) for key in keys}
        judged = {
            k + 1: score_of(series, (one for one in self._games[series.key].values() if one.spec.index >= part.low))
            for k in kept for series in self.plan.series[k] if series.judge
        }  # fmt: skip
        return Exploration(self.plan, numbers, self._truncated(), rounds.tolist(), self._uncounted(), judged)

    def _uncounted(self) -> int:
        """How many games were played and say nothing: see `units_in_order`."""
        high, count = self.plan.rounds[-1].high, 0
        for series in self.plan.plan.series:
            games = self._games[series.key]
            count += len(games) - sum(len(unit) for unit in units_in_order(series, games, high) if unit)
        return count

    def _truncated(self) -> NDArray[np.bool_]:
        """Whether ``max_plies`` ended the games of one player in all seats (K, B)."""
        found = np.zeros((len(self.plan.series), self.plan.rounds[-1].high), np.bool_)
        for k, combination in enumerate(self.plan.series):
            for series in (one for one in combination if not one.paired):
                for index, played in self._games[series.key].items():
                    found[k, index] = played.truncated
        return found

    def _add(self, games: list[Played]) -> None:
        for played in games:
            key, index = played.spec.series, played.spec.index
            self._games[key][index] = played.without_moves()
            self._done[key][index] = True
        self.on_played(games)

    def _misses(self, kept: Sequence[int], high: int, rounds: NDArray[np.int64]) -> NDArray[np.float64]:
        """How far each of the combinations ``kept`` is from each goal (K, G), by its first ``high`` games. What the
        variant has comes from the ``rounds`` that it has played, whatever games of later ones the folder holds."""
        by_combination = [self._numbers(k, high) for k in kept]
        columns = []
        unchanged = self.plan.space.unchanged
        variant = {} if unchanged is None else self._numbers(unchanged, self.plan.rounds[rounds[unchanged] - 1].high)

        def mean_in(numbers: Mapping[str, NDArray[np.float64]], goal: Goal) -> float:
            return mean_of_known(goal.measure.kind.telling(numbers[goal.measure.key]))

        known = {goal.measure.key: mean_in(variant, goal) for goal in self.plan.goals if variant}
        for goal in self.plan.beside(known):
            columns.append(goal.misses(np.array([mean_in(own, goal) for own in by_combination])))
        return np.stack(columns, axis=1)

    def _numbers(self, combination: int, high: int) -> dict[str, NDArray[np.float64]]:
        """By measure, the value for each sampling unit among the first ``high`` games of a combination (an index); NaN
        for a unit that was not played, is not counted, or has nothing to measure."""
        by_measure: dict[str, NDArray[np.float64]] = {}
        for group, series in zip(self.plan.groups, self.plan.series[combination]):
            units = units_in_order(series, self._games[series.key], high)
            for measure in (goal.measure for goal in self.plan.goals):
                if measure is CHANGES and group.series == EVEN:
                    changes = len(self.plan.space.changed(self.plan.space.rulesets[combination]))
                    by_measure[measure.key] = np.array([changes if unit else np.nan for unit in units])
                elif measure.series == group.series:
                    by_measure[measure.key] = sample_of(measure, self.plan.game, series, units)
        return by_measure
