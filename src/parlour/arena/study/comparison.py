"""The result of a comparison: values of the measures, estimates and tests, also as tables; notable games; and the score
of each variant by perfect play.
"""

from __future__ import annotations

import itertools
import math
import shlex
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from parlour.arena.matches.contests import standings
from parlour.arena.matches.tally import counted_units, score_of
from parlour.arena.measures.registry import SKILL, TRACE, Measure, sample_of
from parlour.arena.setting.ladder import rungs_among
from parlour.arena.setting.plans import Group, Played
from parlour.arena.setting.rulesets import Ruleset
from parlour.arena.statistics import Estimate
from parlour.arena.statistics.tables import DataFrame, frame_of, html_of
from parlour.arena.study.findings import (
    Compared,
    Conclusion,
    Dependence,
    Figures,
    Numbers,
    Test,
    conclusions,
    corrected_together,
    dependences,
    estimate,
    read_rank,
    run_tests,
    sentences,
    shown_group,
)
from parlour.arena.study.plans import ComparisonPlan
from parlour.engine.game import Game
from parlour.engine.games import Games
from parlour.engine.seeds import seed_words
from parlour.engine.variant_mix import single
from parlour.players.exact import VARIANT, Exact
from parlour.players.value.exact.solution import Solution

SHORTEST, TYPICAL, LONGEST, DRAMATIC = "shortest", "typical length", "longest", "most dramatic"
CUT = "cut at max_plies"
"""For the longest game, if `max_plies` ended it: it would have gone on."""
MAX_POSITIONS = 200_000_000
"""Games of up to this size are solved on one machine within an hour (docs/exact.md has times)."""


@dataclass(frozen=True)
class NotableGame:
    """A game that was chosen to be shown.

    Attributes:
        reason: why it was chosen, such as `SHORTEST`.
        played: the game. Its ``spec`` has the series and index, by which it is found in the run's journal.
    """

    reason: str
    played: Played

    @property
    def drama(self) -> float:
        """Its drama (``docs/measures.md``); NaN if that was not measured."""
        return self.played.numbers.get("drama", math.nan)


def notable_games(games: Sequence[Played]) -> list[NotableGame]:
    """Chooses games to show; among equally good ones the first."""
    counted = [one for one in games if not one.in_opening]
    if not counted:
        return []
    lengths = notable_lengths([one.plies for one in counted], [one.truncated for one in counted])
    chosen = [NotableGame(reason, counted[k]) for reason, k in lengths.items()]
    measured = [one for one in (NotableGame(DRAMATIC, one) for one in counted) if not math.isnan(one.drama)]
    return [*chosen, max(measured, key=lambda game: game.drama)] if measured else chosen


def notable_lengths(plies: ArrayLike, truncated: ArrayLike) -> dict[str, int]:
    """By reason, the index of a game that is notable for its length. Where all games are equally long, none is the
    shortest or longest. A game that ``max_plies`` ended would have been longer: in place of all such games the longest
    is chosen, with the reason `CUT`.

    Args:
        plies: of each game (n,), n ≥ 1.
        truncated: whether ``max_plies`` ended it (n,).
    """
    lengths, cut = np.asarray(plies), np.asarray(truncated)
    order = np.argsort(lengths, kind="stable").tolist()
    places = {SHORTEST: 0, TYPICAL: (len(order) - 1) // 2, LONGEST: len(order) - 1}
    if lengths[order[0]] == lengths[order[-1]]:
        places = {TYPICAL: places[TYPICAL]}
    games = {reason: order[place] for reason, place in places.items()}
    ended = {reason: k for reason, k in games.items() if not cut[k]}
    return ended if len(ended) == len(games) else {**ended, CUT: order[-1]}


def perfect_scores(game: Game, rulesets: Sequence[Ruleset], exact: str) -> dict[str, Estimate]:
    """By variant, the score in % of the seat that begins, by the table in the folder ``exact`` (`VARIANT` in it stands
    for the variant's name): of those variants whose table has the start. ValueError for a folder without a table."""
    scores = {}
    for ruleset in rulesets if exact else ():
        folder = Path(Exact.folder_for(exact, ruleset.variant))
        if VARIANT in exact and not folder.is_dir():
            continue
        table = Solution.load(folder, game)
        with suppress(ValueError):  # of another variant, or without the start
            games = Games(game, single(game, ruleset.values), 1)
            games.begin(seed_words([0]))
            table.check_games(games)
            low, high = (50 * (1 + end) for end in table.start())
            scores[ruleset.label] = Estimate((low + high) / 2, low, high, 1)
    return scores


def how_to_prove(game: Game, ruleset: Ruleset) -> str:
    """The command that solves the whole game under these rules, and how many positions it has; empty where the game
    can't be solved, or that takes too long."""
    if not game.has_endings or game.endings.LIMIT is not None:
        return ""
    try:
        positions = sum(tier.size for tier in game.endings.tiers(dict(ruleset.values), 0))
    except ValueError:
        return ""
    if positions > MAX_POSITIONS:
        return ""
    options = "".join(f" --option {shlex.quote(f'{name}={value}')}" for name, value in ruleset.overrides.items())
    return f"parlour solve {game.name} --variant {ruleset.variant}{options} --out FOLDER ({positions:,} positions)"


class ComparisonResult:
    """The result of a comparison, as data. `parlour.arena.Comparison` can also be printed and makes a report.

    Attributes:
        numbers: by variant and group of players, by measure: the value for each sampling unit.
        estimates: by variant and group of players, by measure.
        test_results: all tests, corrected for their number.
        dependences: with several players, the figures of a variant in which they differ significantly.
        matches: with a judge, the results of the games between two players, series by series, with and without the luck
            of the dice.
        notes: sentences about games that were not counted.
        on_page: series and index of the games on the page ``games.html`` beside the report, if there is one.
        rank: the goals by which variants are ranked: see `parlour.arena.study.findings`.
        added: measures whose tests were added: see `add_tests`.
    """

    def __init__(self, plan: ComparisonPlan, played: Sequence[Played], rank: Sequence[str] | None = None) -> None:
        """Measures and tests all games of a plan, given in any order. ValueError if no game of a series is counted, or
        for a goal that is not valid."""
        if any(one.begins for one in played):
            plan = replace(plan, others_begin=True)
        self.plan = plan
        self.rank = read_rank(plan, rank)
        order = {series.key: k for k, series in enumerate(plan.plan.series)}
        self._played = sorted(played, key=lambda game: (order[game.spec.series], game.spec.index))
        self.numbers, cut, self.notes = measure_all(plan, self._played)
        self.matches = [score_of(series, self._played) for series in plan.plan.series if series.judge]
        self.estimates: Figures = estimate(plan, self.numbers, cut)
        self.test_results: list[Test] = run_tests(plan, self.numbers)
        self.dependences: list[Dependence] = dependences(plan, self.numbers, self.estimates)
        self.on_page: list[tuple[str, int]] = []
        self.added: tuple[Measure, ...] = ()

    def add_tests(self, measures: Sequence[Measure], tests: Sequence[Test]) -> None:
        """Adds tests of further measures of the variants; all tests are then corrected together."""
        self.added = (*self.added, *measures)
        self.test_results = corrected_together([*self.test_results, *tests])

    @property
    def findings(self) -> list[str]:
        """The findings, one sentence each: see `parlour.arena.study.findings`."""
        return sentences(self.plan, self.estimates, self.test_results)

    def compared(self, key: str) -> Compared:
        """A measure, by its key, in the games whose figures the summary shows."""
        measure = next(one for one in self.plan.measures if one.key == key)
        return Compared.of(measure, shown_group(self.plan, measure), self.estimates, self.test_results)

    @property
    def conclusions(self) -> list[Conclusion]:
        """With several players: every significant difference, with its result under each player."""
        several = len(self.plan.players) > 1
        return conclusions(self.plan, self.test_results, self.added) if several else []

    @property
    def notable(self) -> list[NotableGame]:
        """The notable games of each series with one player in all seats: see `notable_games`."""
        return [
            notable
            for series in self.plan.plan.series
            if not series.paired
            for notable in notable_games([game for game in self._played if game.spec.series == series.key])
        ]

    @property
    def on_ladder(self) -> dict[str, dict[str, float]]:
        """By variant, the Elo on its ladder of the two players of `skill`, and of those of the trace, where one of them
        is a rung: see `parlour.arena.matches.contests.Standings.on_ladder`."""
        by_variant: dict[str, dict[str, float]] = {}
        for ruleset, purpose in itertools.product(self.plan.rulesets, (SKILL, TRACE)):
            scores = [
                score_of(series, self._played)
                for series, group in self.plan.grouped
                if series.ruleset == ruleset and group.series == purpose
            ]
            players = {name for score in scores for name in (score.first, score.second)}
            rungs = {name: elo for name, elo in rungs_among(self.plan.plan, ruleset.label).items() if name in players}
            if rungs:
                by_variant.setdefault(ruleset.label, {}).update(standings(scores, rungs).on_ladder)
        return by_variant

    @cached_property
    def perfect(self) -> dict[str, Estimate]:
        """By variant, the score in % of the seat that begins by perfect play, where the table of the plan has it."""
        return perfect_scores(self.plan.game, self.plan.rulesets, self.plan.exact)

    # --- as tables ---

    def figure_rows(self) -> list[dict[str, Any]]:
        """A row for each variant, group of players and measure, in the measure's unit. ``cut``: whether `max_plies`
        ended games, so that the estimate is a lower bound."""
        return [
            {
                "variant": label, "players": group.title, "measure": measure.key, "estimate": shown.value,
                "low": shown.low, "high": shown.high, "n": shown.count, "unit": measure.kind.unit, "cut": shown.cut,
            }
            for (label, group), estimates in self.estimates.items()
            for measure in self.plan.measured(group)
            for shown in [measure.kind.scaled(estimates[measure.key])]
        ]  # fmt: skip

    def test_rows(self) -> list[dict[str, Any]]:
        """One row per test. If ``second`` is empty, ``first`` is compared with the value that favours neither side.
        ``direction`` is the ``sign`` of the difference if that is significant, else 0: if the corrected p-value is
        below 0.05 and the interval leaves out 0. ``low`` and ``high`` are that interval of the difference, in ``unit``;
        all these intervals hold together at 95 %."""
        kinds = {one.key: one.kind for one in (*self.plan.measures, *self.added)}
        return [
            {
                "measure": test.measure, "players": test.group.title, "first": test.first, "second": test.second,
                "p": test.p, "p_corrected": test.corrected, "direction": test.direction, "sign": test.sign,
                "low": kind.scale * test.low, "high": kind.scale * test.high, "unit": kind.difference_unit,
            }
            for test in self.test_results
            for kind in [kinds[test.measure]]
        ]  # fmt: skip

    @property
    def figures(self) -> DataFrame:
        """`figure_rows` as a DataFrame. ValueError without pandas."""
        return frame_of(self.figure_rows())

    @property
    def tests(self) -> DataFrame:
        """`test_rows` as a DataFrame. ValueError without pandas."""
        return frame_of(self.test_rows())

    @property
    def games(self) -> DataFrame:
        """One row per game, as a DataFrame: variant, players by seat, seed, opening, result, events, and the values of
        the measures, each in its unit. ValueError without pandas."""
        seats = [self.plan.game.seat_name(seat) for seat in range(self.plan.rulesets[0].seats)]
        scales = {one.key: one.kind.scale for one in self.plan.measures if not one.kind.coded}
        return frame_of([row_of(played, seats, scales) for played in self._played])

    def _repr_html_(self) -> str:
        return html_of(*self.table())

    def table(self) -> tuple[list[str], list[list[str]]]:
        """A heading, and a row for each variant and player with the estimates of the tested measures."""
        shown = [one for one in self.plan.measures if one.tested]
        heading = ["variant", "players", *(f"{one.title}, {one.kind.unit}".rstrip(", ") for one in shown)]
        rows = []
        for (label, group), estimates in self.estimates.items():
            known = [(one.kind, estimates.get(one.key)) for one in shown]
            cells = [kind.text(estimate) if estimate and estimate.count else "" for kind, estimate in known]
            if any(cells):
                rows.append([label, group.title, *cells])
        return heading, rows


def measure_all(plan: ComparisonPlan, played: Sequence[Played]) -> tuple[Numbers, set[tuple[str, Group]], list[str]]:
    """The values of all measures, from all games of a plan in the order of their series; the variants and groups with
    games that ``max_plies`` ended; and sentences about games that are not counted. ValueError if no game of a series is
    counted."""
    games: dict[str, list[Played]] = {series.key: [] for series in plan.plan.series}
    for game in played:
        games[game.spec.series].append(game)
    numbers: dict[tuple[str, Group], dict[str, NDArray[np.float64]]] = {}
    cut: set[tuple[str, Group]] = set()
    notes: list[str] = []
    for series, group in plan.grouped:
        units, series_notes = counted_units(series, games[series.key])
        if not any(units):
            raise ValueError(f"{series.key}: all games ended within their random opening; ask for fewer plies")
        notes += [f"{series.key}: {note}." for note in series_notes]
        numbers[series.ruleset.label, group] = {
            measure.key: measure.kind.telling(sample_of(measure, plan.game, series, units))
            for measure in plan.measured(group)
        }
        if any(one.truncated for unit in units for one in unit or ()):
            cut.add((series.ruleset.label, group))
    return numbers, cut, notes


def row_of(played: Played, seats: Sequence[str], scales: Mapping[str, float]) -> dict[str, Any]:
    """A game as a row of a table. ``seats``: their names; ``scales``: by the keys of the measures that are shown, what
    their numbers are multiplied by."""
    spec = played.spec
    row = {
        "series": spec.series, "index": spec.index, "variant": spec.variant,
        **{f"player_{seat}": name for seat, name in enumerate(spec.players)},
        **{f"seat_{seat}": name for seat, name in enumerate(seats)},
        "seed": spec.seed, "random_plies": spec.random_plies, "position": spec.position,
        "winner": played.winner, **{f"return_{seat}": value for seat, value in enumerate(played.returns)},
        "end": played.end, "truncated": played.truncated, "plies": played.plies,
        **{f"event_{word}": count for word, count in played.events.items()},
    }  # fmt: skip
    return {**{key: scales[key] * value for key, value in played.numbers.items() if key in scales}, **row}
