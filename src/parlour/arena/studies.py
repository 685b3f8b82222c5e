"""Comparisons of variants (`parlour.arena.compare`) and explorations of option values (`parlour.arena.explore`), with
their results and reports.
"""

from __future__ import annotations

import textwrap
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from parlour.arena.matches.tally import judged_lines
from parlour.arena.reporting.games import write_games
from parlour.arena.reporting.report import (
    COMBINATIONS,
    EFFECTS,
    RESULTS,
    TESTS,
    exploration_html,
    exploration_plots,
    plotted,
    report_html,
    write_answer,
)
from parlour.arena.reporting.summary import comparison_summary, exploration_summary
from parlour.arena.reporting.terminal import WIDTH, text_of, trace_tables
from parlour.arena.runs.playing import Run, Threads, Workers, run_progress
from parlour.arena.setting.ladder import rungs_among
from parlour.arena.setting.openings import AUTO, OpeningsLike
from parlour.arena.setting.plans import OnPlayed, Played
from parlour.arena.setting.rulesets import RulesetLike
from parlour.arena.study.comparison import ComparisonResult
from parlour.arena.study.exploration import ExplorationResult, Games, mean_of_known, numbers_of
from parlour.arena.study.findings import read_rank
from parlour.arena.study.plans import (
    DEFAULT_FINAL,
    DEFAULT_FINALISTS,
    DEFAULT_FIRST_GAMES,
    DEFAULT_GAMES,
    DEFAULT_SKILL,
    WITHOUT_CHAMPION,
    ComparisonPlan,
    ExplorationPlan,
    plan_comparison,
    plan_exploration,
)
from parlour.arena.study.search_space import best
from parlour.players import PlayerLike
from parlour.players.inputs import PLANES
from parlour.support.signed import signed


class Comparison(ComparisonResult):
    """The result of a comparison: see `parlour.arena.study.comparison.ComparisonResult` for its data."""

    def report(self, folder: str | Path) -> Path:
        """Writes report, plots and tables into a folder, which is made if it does not exist. Returns the path of the
        report. OSError if they can't be written."""
        tables = {RESULTS: self.figure_rows(), TESTS: self.test_rows()}
        return write_answer(Path(folder), report_html(self), plotted(self), tables, comparison_summary(self))

    def __str__(self) -> str:
        """The summary, as ``parlour compare`` prints it, the skill trace, results without luck, ratings on ladders."""
        judged = (series.key for series in self.plan.plan.series if series.judge)
        without_luck = [line for key, score in zip(judged, self.matches) for line in judged_lines(key, score)]
        rated = [textwrap.fill(self._rated(*entry), WIDTH) for entry in self.on_ladder.items()]
        trace = text_of(trace_tables(self)).splitlines()
        return "\n".join([comparison_summary(self).text(), *trace, *without_luck, *rated])

    def _rated(self, label: str, players: Mapping[str, float]) -> str:
        """A variant's players with their Elo on its ladder, which is known of rungs, and measured of others."""
        rungs = rungs_among(self.plan.plan, label)
        rated = [
            f"{name} {signed(elo, 0)}{'' if name in rungs else ' by these games'}" for name, elo in players.items()
        ]
        return f"on the ladder of {label}: {', '.join(rated)}"

    def summary_plot(self) -> str:
        """The answer in short as one picture: SVG, a file of its own."""
        return comparison_summary(self).svg()


def compare(
    game: str,
    *,
    variants: Sequence[RulesetLike] | None = None,
    players: Sequence[str] | Mapping[str, PlayerLike] | None = None,
    skill: Sequence[str] | Mapping[str, PlayerLike] | None = DEFAULT_SKILL,
    trace: tuple[str, int] | None = None,
    games: int = DEFAULT_GAMES,
    seed: int = 0,
    openings: OpeningsLike = AUTO,
    measures: Sequence[str] | None = None,
    judge: str | None = None,
    workers: Workers | None = None,
    folder: str | Path | None = None,
    on_played: OnPlayed = lambda played: None,
    progress: bool | None = None,
    rank: Sequence[str] | None = None,
    paired: bool = False,
    exact: str | Path | None = None,
    inputs: str = PLANES,
    **options: object,
) -> Comparison:
    """Plays the variants of a game and tests how they differ.

    Args:
        game: an id such as ``"agon-v0"``.
        variants: names of variants, texts such as ``"classic:touch_move=true"``, or mappings of option values with the
            variant under ``"variant"``; None for all variants of the game.
        players: each plays a group of games in all seats. Names, or a mapping of your own names to players; None for
            the champion, or for ``mcts:5`` if no champion plays all the variants.
        skill: a weaker and a stronger player, to measure the influence of skill; None not to measure it.
        trace: a player with a number, and a number of doublings, such as ``("mcts:10", 5)``: measures what each
            doubling of the search gains.
        games: the number of games of each group per variant; even.
        seed, openings, workers, on_played, progress, inputs: as in `parlour.arena.match`.
        measures: keys or groups of measures, see ``docs/measures.md``; None for all.
        judge: in a game with dice, the player that values throws, so that results of games between two players are also
            given without their luck, as ``.matches``: see `parlour.arena.match`. None for none.
        folder: a folder for every finished game, the report and all tables. The same call resumes a run that was
            stopped, and a call with more games, players or variants adds to it.
        rank: the goals by which the summary ranks variants: "decided", "fair", "short" or "long", "skill", "choice";
            None for the first of them that are measured.
        paired: whether game k has the same seed, hence the same dice and random opening, in every variant and for every
            player. Variants with the same openings are then compared game by game, which finds smaller differences.
        exact: the folder of a table of `parlour.solve` for the measure ``regret``; ``{variant}`` in it stands for the
            variant's name. None for that of a player ``exact:FOLDER``, if one plays.
        **options: option values for all variants.

    Raises:
        ValueError: for any argument that is not valid.
        OSError: if the folder can't be written.
        parlour.IllegalMove: if a player plays an illegal action.
    """
    plan = plan_comparison(
        game, variants, players, skill, games, seed, options, openings, measures, trace, paired, exact, judge,
        inputs=inputs,
    )  # fmt: skip
    run = Path(folder) if folder else None
    return play_comparison(plan, workers or Threads(), run, on_played, progress, rank=read_rank(plan, rank))


def play_comparison(
    plan: ComparisonPlan,
    workers: Workers,
    folder: Path | None,
    on_played: OnPlayed = lambda played: None,
    progress: bool | None = None,
    on_opened: Callable[[], None] = lambda: None,
    rank: Sequence[str] | None = None,
) -> Comparison:
    """Plays the games that ``folder`` does not have yet, measures and tests all, and writes the report. ``on_opened``
    is called after the check of the folder's plan, before a bar is shown and games are played."""
    played: list[Played] = []

    def on_finished(games: list[Played]) -> None:
        played.extend(one.without_moves() for one in games)
        on_played(games)

    with Run(plan.plan, workers, folder) as run:
        on_opened()
        with run_progress(plan.plan.games, folder, progress, on_finished) as bar:
            run.play(bar)
        result = Comparison(plan, played, rank)
        if folder:
            result.on_page = write_games(folder, result.notable)
            result.report(folder)
    return result


class Exploration(ExplorationResult):
    """The result of an exploration: see `parlour.arena.study.exploration.ExplorationResult` for its data."""

    def report(self, folder: str | Path) -> Path:
        """Writes report, plots and tables into a folder, which is made if it does not exist. Returns the path of the
        report. OSError if they can't be written."""
        tables = {COMBINATIONS: self.combination_rows(), EFFECTS: self.effect_rows()}
        return write_answer(
            Path(folder), exploration_html(self), exploration_plots(self), tables, exploration_summary(self)
        )

    def __str__(self) -> str:
        """The summary, as ``parlour explore`` prints it, and the finalists' results without luck."""
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
    player: str = WITHOUT_CHAMPION,
    skill: Sequence[str] = DEFAULT_SKILL,
    games: int = DEFAULT_FIRST_GAMES,
    finalists: int = DEFAULT_FINALISTS,
    final: int = DEFAULT_FINAL,
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
        each: whether to play the variant as it is and each option changed alone, instead of all combinations.
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
    """Plays the games that ``folder`` does not have yet, and writes the report. The combinations of each round are
    chosen by all their games so far."""
    games: dict[str, dict[int, Played]] = {series.key: {} for series in plan.plan.series}
    rounds = np.zeros(len(plan.space.rulesets), np.int64)
    chosen = list(range(len(rounds)))
    with run_progress(plan.total, folder, progress, on_played) as bar, Run(plan.plan, workers, folder) as run:

        def add(finished: list[Played]) -> None:
            for played in finished:
                games[played.spec.series][played.spec.index] = played.without_moves()
            bar(finished)

        for number, part in enumerate(plan.rounds):
            if number:
                misses = _misses(plan, games, chosen, plan.rounds[number - 1].high, rounds)
                chosen = [chosen[k] for k in best(misses, part.candidates)]
            rounds[chosen] += 1
            run.play(add, [replace(series, games=part.high) for k in chosen for series in plan.series[k]])
        result = Exploration(plan, games, rounds.tolist())
        if folder:
            result.report(folder)
    return result


def _misses(
    plan: ExplorationPlan, games: Games, chosen: Sequence[int], high: int, rounds: NDArray[np.int64]
) -> NDArray[np.float64]:
    """How far each of the combinations ``chosen`` is from each goal (K, G), by its first ``high`` games. The values of
    the variant come from the rounds that it has played by now (``rounds``: by combination), even if the folder has its
    games of later ones, so that a resumed run chooses the same combinations."""

    def means(combination: int, high: int) -> dict[str, float]:
        numbers = numbers_of(plan, games, combination, high)
        kinds = {goal.measure.key: goal.measure.kind for goal in plan.goals}
        return {key: mean_of_known(kinds[key].telling(values)) for key, values in numbers.items()}

    unchanged = plan.space.unchanged
    variant = {} if unchanged is None else means(unchanged, plan.rounds[rounds[unchanged] - 1].high)
    by_combination, goals = [means(k, high) for k in chosen], plan.resolved_goals(variant)
    columns = [goal.misses(np.array([values[goal.measure.key] for values in by_combination])) for goal in goals]
    return np.stack(columns, axis=1)
