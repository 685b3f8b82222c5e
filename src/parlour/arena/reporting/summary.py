"""The summary with which a report begins: a verdict, who played and how exact the results are, a line for each variant,
and the main findings. It is made as text for the terminal, and as a picture.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from parlour.arena.measures import EVEN, Kind, Measure
from parlour.arena.measures.outcomes import FIRST_SEAT, SEAT_THAT_BEGINS
from parlour.arena.measures.registry import TRACE
from parlour.arena.reporting.plots import GAP, MAX_LETTERS, TEMPLATES, TITLE_LETTERS, Axis, shortened
from parlour.arena.reporting.terminal import WIDTH, Column, broken, tables, text_of
from parlour.arena.setting.ladder import is_weak, strength
from parlour.arena.setting.plans import Group
from parlour.arena.statistics import Estimate, detectable_share, detectable_side, games_for, half_width
from parlour.arena.study.comparison import ComparisonResult, how_to_prove
from parlour.arena.study.exploration import Candidate, ExplorationResult
from parlour.arena.study.findings import (
    GOALS,
    all_players,
    known,
    measure_of,
    power_sentences,
    ranked,
    read_rank,
    shown_group,
)
from parlour.arena.study.plans import WITHOUT_CHAMPION, ComparisonPlan, default_player

AS_IT_IS = "the variant as it is"
COUNTS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
MAX_LINES, MAX_FINDINGS, MAX_COLUMNS = 24, 3, 5
"""A terminal has 25 lines; the last is the path of the report."""
SMALL_SHARE = 0.05
"""A small difference between shares, which is still of interest."""
PICTURE_WIDTH, ROW_HEIGHT = 400, 42
HEADINGS = {
    "undecided": "decided\n%",
    FIRST_SEAT: "fair\n{first}, %",
    SEAT_THAT_BEGINS: "fair\nbegins, %",
    "plies": "length\nplies",
    "skill": "skill\n%",
    "branching": "choice\nactions",
}
"""The measures that are shown unless the user chose others, with their headings."""
LABEL_LETTERS = MAX_LETTERS - 4
"""Letters of a row's name in the picture."""
MAX_HEADING = 11
"""Letters in a line of a heading."""


def verdict(result: ComparisonResult) -> str:
    """The answer in two or three sentences; empty if the variants are not ranked. If there are two variants, it begins
    with which of them favours a side more."""
    plan = result.plan
    if not result.rank:
        return ""
    labels = ranked(plan, result.estimates, result.rank)
    parts = list(filter(None, (_of_goal(result, labels[0], goal) for goal in result.rank)))
    by = "" if tuple(result.rank) == read_rank(plan, None) else f" by {', '.join(result.rank)}"
    count = COUNTS[len(labels)] if len(labels) < len(COUNTS) else str(len(labels))
    start = f"Best of {count}{by}: {labels[0]}" if len(labels) > 1 else labels[0]
    sentences = [f"{start} — {', '.join(parts) or 'nothing was measured'}."]
    if len(labels) > 1:
        sentences.append(_nearest(result, labels[0], labels[1]))
    if len(labels) == 2 and "fair" in result.rank:
        sentences.insert(0, _fairness(result, *labels))
    return " ".join(filter(None, sentences))


def exploration_verdict(result: ExplorationResult, settings: Mapping[int, str]) -> str:
    """Which finalist is best, its estimates, and whether others are as good. ``settings``: by their numbers, the
    finalists in words; empty for the variant as it is."""
    best, *others = [one for one in result.finalists if one.on_front] or result.finalists
    titles = [goal.measure.title for goal in result.plan.goals]
    parts = [
        f"{title[:1].lower()}{title[1:]} {goal.measure.kind.phrase(best.estimates[goal.measure.key])}"
        for title, goal in zip(titles, result.plan.goals)
    ]
    what = f"no. {best.number}, {settings[best.number] or AS_IT_IS}"
    kind = "rulesets" if result.plan.space.each else "combinations"
    start = f"Best of {len(result.plan.space.rulesets)} {kind}: {what} — {', '.join(parts)}."
    if not others:
        return f"{start} No other is better in any goal."
    misses = {one.number: _misses(result, one) for one in (best, *others)}
    as_good = [number for number in misses if number != best.number and misses[number] == misses[best.number]]
    apart = [one.number for one in others if one.number not in as_good]
    sentences = [_these("as good in every goal", as_good), _these("better in one goal, worse in another", apart)]
    return " ".join(filter(None, [start, *sentences]))


def _misses(result: ExplorationResult, candidate: Candidate) -> list[float]:
    """How far a candidate is from each goal."""
    unchanged = result.plan.space.unchanged
    means = {} if unchanged is None else result.candidates[unchanged].estimates
    goals = result.plan.resolved_goals({key: estimate.value for key, estimate in means.items()})
    return [float(goal.misses(np.array(candidate.estimates[goal.measure.key].value))) for goal in goals]


def _these(what: str, numbers: Sequence[int]) -> str:
    """A sentence on finalists, by their numbers; empty without any."""
    names = ", ".join(f"no. {number}" for number in numbers)
    return f"N{names[1:]} {'is' if len(numbers) == 1 else 'are'} {what}." if numbers else ""


def _of_goal(result: ComparisonResult, label: str, goal: str) -> str:
    """What was measured of a variant for a goal, in words; empty if nothing was."""
    compared = result.compared(measure_of(result.plan, goal))
    estimate = compared.values.get(label)
    if estimate is None:
        return ""
    percent, test = f"{100 * estimate.value:.0f} %", compared.test(label)
    favoured = test.direction if test else 0
    if goal == "decided":
        return f"{100 * (1 - estimate.value):.0f} % of its games are decided"
    if goal == "skill":
        return f"skill counts ({percent})" if favoured > 0 else f"skill is not shown to count ({percent})"
    if goal != "fair":
        unit = "plies a game" if compared.measure.key == "plies" else "actions to choose from"
        return f"{estimate.value:.0f} {unit}"
    first, others = _sides(result, compared.measure.key)
    if not favoured:
        return f"no side is shown to be favoured ({first} {percent})"
    return f"{first} is favoured ({percent})" if favoured > 0 else f"{others} is favoured ({first} {percent})"


def _sides(result: ComparisonResult, key: str) -> tuple[str, str]:
    """The seat whose score the measure of fairness is, and the others, in words."""
    if key != FIRST_SEAT:
        return "the seat that begins", "the seat that does not"
    game, seats = result.plan.game, result.plan.rulesets[0].seats
    return game.seat_name(0), game.seat_name(1) if seats == 2 else "one of the others"


def _nearest(result: ComparisonResult, best: str, nearest: str) -> str:
    """A sentence on the variant that comes next, and in which goals it is shown to differ."""
    tests = {goal: result.compared(measure_of(result.plan, goal)).test(best, nearest) for goal in result.rank}
    differing = dict.fromkeys(GOALS[goal].difference for goal, test in tests.items() if test and test.significant)
    if differing:
        return f"Next: {nearest}; the two differ in {' and '.join(differing)}."
    return f"Next: {nearest}; which of the two is better is not settled."


def _fairness(result: ComparisonResult, first: str, other: str) -> str:
    """A sentence on whether one of two variants is shown to favour a side more than the other."""
    compared = result.compared(measure_of(result.plan, "fair"))
    kind, test = compared.measure.kind, compared.test(first, other)
    if test is None or math.isnan(test.low):
        return ""
    upper, lower, size = compared.effect(test)
    figures = f"{kind.phrase(compared.values[upper])} against {kind.figure(compared.values[lower])}"
    side = _sides(result, compared.measure.key)[0]
    side = side[0].upper() + side[1:]
    if test.significant:
        by = f"{kind.change(size.value)} ({kind.interval(size)})"
        return f"{side} gains more in {upper} than in {lower}: {figures}, by {by}."
    most = kind.change(max(abs(size.low), abs(size.high)))
    return f"{side} is not shown to gain more in {upper} than in {lower}: {figures}, {most} apart at most."


@dataclass(frozen=True)
class EstimateColumn:
    """A column of estimates: its heading, their kind, an estimate for each row, and the value at which bars begin."""

    heading: str
    kind: Kind
    estimates: Sequence[Estimate]
    even_at: float | None = None


@dataclass(frozen=True)
class Summary:
    """The summary of a study.

    Attributes:
        who: who played most of the games, how strong these players are, and how exact the estimates are.
        ranked: in which order the rows are.
        names: the columns that name the rows in the terminal; each table has them, if there are several.
        labels: the names of the rows in the picture.
        notes: what else was played, and which games are not counted.
        settings: further columns of the terminal, before the estimates.
        verdict: the answer in plain words, which comes first; may be empty.
    """

    title: str
    who: str
    ranked: str
    names: Sequence[Column]
    labels: Sequence[str]
    columns: Sequence[EstimateColumn]
    findings: Sequence[str]
    notes: str
    settings: Sequence[Column] = ()
    verdict: str = ""

    def text(self, width: int = WIDTH) -> str:
        """As text of at most ``width`` columns and `MAX_LINES` lines; the last rows are left out if necessary."""
        first = textwrap.wrap(self.verdict, width) + textwrap.wrap(self.who, width)
        below: list[str] = []
        for text in (self.ranked, *(f"* {finding}" for finding in self.findings), self.notes):
            below += textwrap.wrap(text, width, subsequent_indent="  " if text.startswith("*") else "")
        cells = [[_cell(column, estimate) for estimate in column.estimates] for column in self.columns]
        all_columns = [*self.settings, *map(Column, (column.heading for column in self.columns), cells)]
        for count in range(len(self.labels), 0, -1):
            names, columns = (
                [Column(column.heading, column.cells[:count]) for column in several]
                for several in (self.names, all_columns)
            )
            above = text_of(tables(self.title, names, columns, width)).splitlines()
            left = len(self.labels) - count
            more = [f"{left} more in the report."] if left else []
            if len(first) + len(above) + len(more) + len(below) <= MAX_LINES:
                break
        return "\n".join([*first, *above, *more, *below])

    def svg(self, alone: bool = True) -> str:
        """As a picture. ``alone``: with title and captions, for a file of its own; else for a page with
        ``plot.css``."""
        step = PICTURE_WIDTH / max(len(self.columns), 1)
        lines = textwrap.wrap(self.title, TITLE_LETTERS) if alone else []
        captions = textwrap.wrap(f"{self.who} {self.ranked} {self.notes}", MAX_LETTERS + 8) if alone else []
        headings = [column.heading.splitlines() for column in self.columns]
        top = 10 + 13 * max(map(len, headings), default=0) + 20 * len(lines)
        heights = [top + ROW_HEIGHT * row + 36 for row in range(len(self.labels))]
        columns = [_bars(column, heights, k * step + 4, (k + 1) * step - GAP) for k, column in enumerate(self.columns)]
        return TEMPLATES.get_template("summary.svg").render(
            summary=self, alone=alone, lines=lines, captions=captions, width=PICTURE_WIDTH, top=top,
            row_height=ROW_HEIGHT, height=top + ROW_HEIGHT * len(self.labels) + 16 * len(captions) + 12,
            headings=[(k * step + 4, lines) for k, lines in enumerate(headings)],
            labels=shortened(self.labels, LABEL_LETTERS),
            columns=columns,
        )  # fmt: skip


def _cell(column: EstimateColumn, estimate: Estimate) -> str:
    """An estimate and its interval in one line."""
    kind = column.kind
    if not estimate.count or estimate.constant:
        return kind.figure(estimate, 2)
    return f"{kind.figure(estimate, 2)} {kind.show(estimate.low, 2)}–{kind.show(estimate.high, 2)}"


def _bars(column: EstimateColumn, heights: Sequence[int], left: float, right: float) -> list[dict[str, object]]:
    """The bars of a column for ``summary.svg``, one at each of the ``heights`` (y), from ``left`` to ``right`` (x)."""
    kind, estimates = column.kind, [column.kind.scaled(one) for one in column.estimates]
    ends = [end for one in estimates for end in (one.value, one.high) if math.isfinite(end)]
    low = kind.low if math.isfinite(kind.low) and math.isfinite(kind.high) else min([0.0, *ends])
    high = kind.high if math.isfinite(kind.high) else max([low + 1, *ends])
    axis = Axis(low, high, left, right)
    even = None if column.even_at is None else axis.at(kind.scale * column.even_at)
    start = axis.at(low) if even is None else even
    return [
        {
            "left": left, "y": y, "right": right, "even": even, "measured": estimate.count > 0,
            "text": kind.figure(shown), "start": min(start, axis.at(estimate.value)),
            "length": round(abs(axis.at(estimate.value) - start), 1),
            "low": axis.at(estimate.low), "high": axis.at(estimate.high),
        }
        if estimate.count else {"left": left, "y": y, "measured": False, "text": kind.figure(shown)}
        for estimate, shown, y in zip(estimates, column.estimates, heights)
    ]  # fmt: skip


def played_by(group: Group, custom: Collection[str] = ()) -> str:
    """Who played a group of games: "Played by mcts:5, a weak player". ``custom``: names of the user's own players,
    whose strength is not known."""
    players = {group.first, group.second}
    weak = not players & set(custom) and all(map(is_weak, players))
    strong = (", a weak player" if len(players) == 1 else ", weak players") if weak else ""
    return f"Played by {group.title}{strong}"


def how_sure(games: int, what: str) -> str:
    """How exact percentages are. ``games``: their number; ``what``: which games, in words."""
    return f"{games} {what}: percentages may be off by {100 * half_width(games):.0f} points (95 %)."


# --- comparisons ---


def tests_shares(plan: ComparisonPlan) -> bool:
    """Whether a comparison tests a share, not only lengths and the like."""
    return any(one.tested and one.kind.unit == "%" for one in plan.measures)


def power(plan: ComparisonPlan) -> list[str]:
    """How large a difference between two shares must be to be found, in words; nothing where none is tested."""
    return power_sentences(plan) if tests_shares(plan) else []


def comparison_summary(result: ComparisonResult) -> Summary:
    """The answer of a comparison: its variants ranked by ``result.rank``."""
    plan = result.plan
    labels = ranked(plan, result.estimates, result.rank)
    shown = [one for one in plan.measures if one.series != TRACE]
    if plan.wanted is None:
        keys = [key for key in HEADINGS if key not in (FIRST_SEAT, SEAT_THAT_BEGINS) or key == plan.fairness]
        shown = [measure for key in keys for measure in shown if measure.key == key]
    notes = [f"Skill: {plan.games} games of {plan.skill[1]} against {plan.skill[0]}."] if plan.skill else []
    notes += [f"Also played, and in the report: {', '.join(plan.players[1:])}."] if plan.players[1:] else []
    notes += [_how_to_solve(result), *plan.plan.short_openings, *result.notes[:1]]
    notes += ["Other games are not counted either: see the report."] * (len(result.notes) > 1)
    wanted = ", ".join(GOALS[goal].wanted for goal in result.rank)
    order = f"Best first: {wanted}." if result.rank else "In the order given."
    return Summary(
        f"{plan.game.title}: {len(labels)} variant{'' if len(labels) == 1 else 's'}, seed {plan.seed}", _who(result),
        order, [Column("variant", ["\n".join(broken(label)) for label in labels])], labels,
        [_column(result, measure, labels) for measure in shown[:MAX_COLUMNS]], main_findings(result),
        " ".join(filter(None, notes)), verdict=verdict(result),
    )  # fmt: skip


def _who(result: ComparisonResult) -> str:
    """Who played, how strong that is, how to get a stronger player, and how exact the estimates are."""
    plan = result.plan
    named = plan.players[0] if plan.players and plan.players[0] not in plan.custom else ""
    strong = next(filter(None, (strength(plan.game, ruleset, named) for ruleset in plan.rulesets)), "")
    better = ""
    if named == WITHOUT_CHAMPION and default_player(plan.game, plan.rulesets) == WITHOUT_CHAMPION:
        better = f"'parlour train {plan.game.name}' makes a stronger one in a minute, to play as value:FILE."
    sure = how_sure(plan.games, "games of each variant")
    who = ", ".join(filter(None, [played_by(plan.groups[0], plan.custom), strong]))
    return " ".join(filter(None, [f"{who}.", better, sure]))


def _column(result: ComparisonResult, measure: Measure, labels: Sequence[str]) -> EstimateColumn:
    """The estimates of a measure. For undecided games it shows the share of decided ones."""
    group = shown_group(result.plan, measure)
    estimates = [result.estimates[label, group][measure.key] for label in labels]
    if measure.key == "undecided":
        estimates = [replace(one, value=1 - one.value, low=1 - one.high, high=1 - one.low) for one in estimates]
    title = f"{textwrap.fill(measure.title, MAX_HEADING, break_long_words=False)}\n{measure.kind.unit}".rstrip()
    heading = HEADINGS.get(measure.key, title).format(first=result.plan.game.seat_name(0))
    return EstimateColumn(heading, measure.kind, estimates, measure.even_at)


def main_findings(result: ComparisonResult) -> list[str]:
    """At most `MAX_FINDINGS` findings: first one on each goal by which variants are ranked, even if nothing is shown;
    then what is shown about the other goals, and about all other measures."""
    asked = [measure_of(result.plan, name) for name in result.rank]
    goals = list(dict.fromkeys([*asked, *(measure_of(result.plan, name) for name in GOALS)]))
    tested = [one for one in result.plan.measures if one.tested and one.series != TRACE]
    tested.sort(key=lambda measure: goals.index(measure.key) if measure.key in goals else len(goals))
    shown = [_shown(result, one) or (_not_shown(result, one) if one.key in asked else "") for one in tested]
    return [sentence for sentence in [_perfect(result), *shown] if sentence][:MAX_FINDINGS]


def _perfect(result: ComparisonResult) -> str:
    """What is known of perfect play; empty if nothing is."""
    scores = [f"{score.value:.1f} % in {label}" for label, score in result.perfect.items()]
    return f"By perfect play the seat that begins scores {', '.join(scores)} (exact)." if scores else ""


def _how_to_solve(result: ComparisonResult) -> str:
    """How to compute perfect play; empty where that is known already, or can't be computed."""
    game, rulesets = result.plan.game, () if result.perfect else result.plan.rulesets
    command = next(filter(None, (how_to_prove(game, ruleset) for ruleset in rulesets)), "")
    return f"Perfect play can be computed: {command}, then compare with --exact FOLDER." if command else ""


def _shown(result: ComparisonResult, measure: Measure) -> str:
    """What is shown about a measure; empty if nothing is."""
    compared = result.compared(measure.key)
    if any(test.significant for test in compared.pairs):
        sentence = compared.headline()
        return f"{'; '.join(sentence.split('; ')[:3])}{_under(result, measure)}."  # the report has all of it
    sentence = compared.not_neutral() if measure.series == EVEN else ""
    return f"{sentence}." if sentence else ""


def _not_shown(result: ComparisonResult, measure: Measure) -> str:
    """A sentence that nothing is shown about a measure, and how many games would show a small difference; empty where
    nothing was tested, or where all estimates are equal."""
    plan, compared = result.plan, result.compared(measure.key)
    tested = {label for test in compared.tests for label in (test.first, test.second) if label}
    apart = {compared.values[label].value for label in tested}
    if not tested or (len(apart) < 2 and measure.even_at is None):
        return ""
    tests = len(result.test_results)
    more = games_for(SMALL_SHARE, tests)
    if measure.series == EVEN and measure.even_at is not None:
        samples = (known(result.numbers[label, compared.group][measure.key]) for label in tested)
        decided = min(int((sample != measure.even_at).sum()) for sample in samples)  # draws favour no side
        side = detectable_side(decided, tests)
        few = f"too few decided games ({decided} of a variant)"
        only = few if math.isnan(side) else f"{decided} decided games of a variant show only {_odds(side)} or more"
        text = f"No variant is shown to favour a side: {only}"
        return f"{text}; {more} would show {_odds(detectable_side(more, tests))}." if more > decided else f"{text}."
    if not compared.pairs:
        return ""
    if measure.kind.unit != "%" or more <= plan.games:
        return f"{compared.headline()}."
    points = 100 * detectable_share(more, tests)
    return f"{compared.headline()}; {more} games of each would show {points:.0f} points."


def _odds(share: float) -> str:
    """A share of decided games on one side: "55:45"."""
    return f"{100 * share:.0f}:{100 - 100 * share:.0f}"


def _under(result: ComparisonResult, measure: Measure) -> str:
    """Under which players the differences of a measure hold, in brackets; empty with one player."""
    differences = [one for one in result.conclusions if one.measure == measure and one.upper and one.lower]
    if not differences:
        return ""
    same = sum(one.status == "all" for one in differences)
    if same == len(differences):
        return f" (under {all_players(result.plan)})"
    share = f"{same} of {len(differences)} differences hold" if len(differences) > 1 else "not shown"
    return f" (under {result.plan.players[0]}; {share} under {all_players(result.plan)})"


# --- explorations ---


def exploration_summary(result: ExplorationResult) -> Summary:
    """The answer of an exploration: its finalists, those on the Pareto front first."""
    plan, finalists = result.plan, result.finalists
    columns = dict(zip(plan.space.options, zip(*(plan.space.shown(one.ruleset) for one in finalists))))
    settings = [Column(name.replace("_", "_\n"), values) for name, values in columns.items()]
    differing = [name for name, values in columns.items() if len(set(values)) > 1]
    words = [plan.space.change(one.ruleset) if plan.space.each else _settings(differing, one) for one in finalists]
    if plan.space.each:
        settings = [Column("changed alone", [text or AS_IT_IS for text in words])]
    numbers = [f"{'*' if one.on_front else ''}{one.number}" for one in finalists]
    room = LABEL_LETTERS - 2 - max(map(len, numbers))
    labels = shortened([text or AS_IT_IS for text in words], room)
    of_all = f"{plan.space.base}, each option changed alone"
    some = f"{len(finalists)} finalists of {len(plan.space.rulesets)} combinations"
    games = "games of each" if plan.space.each else "new games of each finalist"
    return Summary(
        f"{plan.game.title}: {of_all if plan.space.each else some}, seed {plan.seed}",
        f"{played_by(plan.groups[0], plan.custom)}. {how_sure(plan.rounds[-1].games, games)}",
        "* on the Pareto front: no other is at least as good in every goal and better in one.",
        [Column("no.", numbers)],
        [f"{number}: {label}" for number, label in zip(numbers, labels)],
        [
            EstimateColumn(
                goal.text.replace(":", "\n") + f" {goal.measure.kind.unit}",
                goal.measure.kind,
                [one.estimates[goal.measure.key] for one in finalists],
            )
            for goal in plan.goals
        ],
        result.main_findings[:MAX_FINDINGS],
        result.note,
        settings,
        exploration_verdict(result, dict(zip((one.number for one in finalists), words))),
    )


def _settings(names: Iterable[str], candidate: Candidate) -> str:
    """A finalist in words: its values of the options ``names``, and the named variant that has these rules."""
    settings = ", ".join(
        f"{name}={candidate.ruleset.overrides[name]}" for name in names if name in candidate.ruleset.overrides
    )
    return f"{settings} ({candidate.variant})".strip() if candidate.variant else settings
