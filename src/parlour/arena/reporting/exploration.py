"""The files that an exploration writes to its folder: the report as one HTML file, its plots, and tables as CSV."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from parlour.arena.exploring.effects import Effect
from parlour.arena.exploring.goals import Goal
from parlour.arena.reporting.plots import MAX_LETTERS, TEMPLATES, Bar, draw
from parlour.arena.reporting.report import PLOTS, REPORT, csv_of, plots_folder
from parlour.arena.statistics import Estimate
from parlour.files import write_file

if TYPE_CHECKING:
    from parlour.arena.exploring.result import Candidate, Exploration

COMBINATIONS, EFFECTS = "combinations.csv", "effects.csv"
FILES = (REPORT, COMBINATIONS, EFFECTS, PLOTS)
SHOWN, OPEN = 1, 0
"""Colour numbers: of what is significant or on the Pareto front, and of everything else."""
MAX_INTERACTIONS = 12
"""In a plot. The tables have all of them."""


def write_exploration(folder: Path, result: Exploration) -> Path:
    """Writes report, plots and tables into a folder, which is made if it does not exist. The path of the report.
    ValueError if the folder for plots is a link."""
    folder.mkdir(parents=True, exist_ok=True)
    plots = plots_folder(folder)
    for goal in result.plan.goals:
        write_file(plots / f"effects_{goal.measure.key}.svg", effects_plot(result, goal, _effects_title(goal)))
        if pairs := interactions_plot(result, goal, _interactions_title(goal)):
            write_file(plots / f"interactions_{goal.measure.key}.svg", pairs)
        write_file(plots / f"finalists_{goal.measure.key}.svg", finalists_plot(result, goal, _finalists_title(goal)))
    write_file(folder / COMBINATIONS, csv_of(result.combination_rows()))
    write_file(folder / EFFECTS, csv_of(result.effect_rows()))
    write_file(folder / REPORT, report_html(result))
    return folder / REPORT


def effects_plot(result: Exploration, goal: Goal, title: str = "") -> str:
    """The main effects on the measure of a goal, as SVG."""
    own = [one for one in result.all_effects if one.goal == goal and one.under is None]
    return _effects_plot(goal, own, title)


def interactions_plot(result: Exploration, goal: Goal, title: str = "") -> str:
    """By how much pairs of options do more together than one by one, as SVG: the `MAX_INTERACTIONS` with the smallest
    p-values. Empty where no two options can be changed independently."""
    own = [one for one in result.all_effects if one.goal == goal and one.under is not None]
    surest = sorted(own, key=lambda one: (one.corrected, one.p))[:MAX_INTERACTIONS]
    return _effects_plot(goal, surest, title) if surest else ""


def _effects_plot(goal: Goal, effects: Sequence[Effect], title: str) -> str:
    bars = [Bar(_short(one), one.estimate, SHOWN if one.significant else OPEN) for one in effects]
    unit = goal.measure.kind.unit
    caption = f"change of: {goal.measure.meaning}" + (f" ({unit})" if unit else "")
    return draw(goal.measure.kind, bars, caption, title, even_at=0.0, bounded=False)


def _short(effect: Effect) -> str:
    """An effect as the name of a row: of an interaction only what both options change to, if need be."""
    if effect.under is None or len(effect.title) <= MAX_LETTERS:
        return effect.title
    return " × ".join(f"{one.option} → {one.after}" for one in (effect.change, effect.under))


def finalists_plot(result: Exploration, goal: Goal, title: str = "") -> str:
    """The finalists' estimates of the measure of a goal, as SVG."""
    bars = [
        Bar(f"{one.number} {one.variant}".strip(), one.estimates[goal.measure.key], SHOWN if one.on_front else OPEN)
        for one in result.finalists
    ]
    unit = goal.measure.kind.unit
    return draw(goal.measure.kind, bars, goal.measure.meaning + (f" ({unit})" if unit else ""), title)


def _effects_title(goal: Goal) -> str:
    return f"{goal.measure.title}: effects of the options"


def _interactions_title(goal: Goal) -> str:
    return f"{goal.measure.title}: what two options change together, the surest first"


def _finalists_title(goal: Goal) -> str:
    return f"{goal.measure.title}: finalists"


def report_html(result: Exploration) -> str:
    """The report as one HTML page without external files."""
    plan, config = result.plan, result.plan.as_config()
    return TEMPLATES.get_template("exploration.html").render(
        game=plan.game,
        plan=plan,
        version=config["parlour"],
        options=list(plan.space.options.items()),
        left_out=sorted(plan.space.left_out.items(), key=lambda item: -item[1]),
        findings=result.findings,
        finalists=[_row(result, one) for one in result.finalists],
        candidates=[_row(result, one) for one in sorted(result.candidates, key=lambda one: (-one.rounds, one.number))],
        figures=[
            figure
            for goal in plan.goals
            for figure in (
                (_finalists_title(goal), Markup(finalists_plot(result, goal))),
                (_effects_title(goal), Markup(effects_plot(result, goal))),
                (_interactions_title(goal), Markup(interactions_plot(result, goal))),
            )
            if figure[1]
        ],
        effects=_effect_tables(result),
        tests=result.all_effects,
        config=json.dumps(config, indent=1, ensure_ascii=False),
    )


def _row(result: Exploration, one: Candidate) -> dict[str, Any]:
    """A combination as a row of a table."""
    kinds = [(goal.measure.kind, one.estimates[goal.measure.key]) for goal in result.plan.goals]
    return {
        "number": one.number,
        "settings": [str(value) for value in result.plan.space.settings(one.ruleset)],
        "variant": one.variant,
        "rounds": one.rounds,
        "games": one.games,
        "cells": [(kind.show(estimate.value), kind.interval(estimate)) for kind, estimate in kinds],
        "on_front": one.on_front,
        "share": f"{100 * one.front_share:.0f} %",
    }


def _effect_tables(result: Exploration) -> list[tuple[str, list[dict[str, Any]], list[dict[str, Any]]]]:
    """For each goal its title, its main effects, and its interactions, those with the smallest p-values first."""
    tables = []
    for goal in result.plan.goals:
        own = sorted((one for one in result.all_effects if one.goal == goal), key=lambda one: (one.corrected, one.p))
        main = [one for one in own if one.under is None]
        tables.append((goal.measure.title, _lines(main), _lines([one for one in own if one.under is not None])))
    return tables


def _lines(effects: Sequence[Effect]) -> list[dict[str, Any]]:
    return [
        {
            "title": one.title,
            "change": _signed(one.goal, one.estimate),
            "interval": one.goal.measure.kind.interval(one.estimate),
            "matches": one.matches,
            "p": "< 0.001" if one.corrected < 0.001 else f"{one.corrected:.3f}",
            "significant": one.significant,
        }
        for one in effects
    ]


def _signed(goal: Goal, estimate: Estimate) -> str:
    unit = "points" if goal.measure.kind.unit == "%" else goal.measure.kind.unit
    return f"{'+' if estimate.value > 0 else ''}{goal.measure.kind.show(estimate.value)} {unit}".strip()
