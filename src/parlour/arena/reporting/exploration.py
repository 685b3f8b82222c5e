"""The files that an exploration writes to its folder: the report as one HTML file, its plots, and tables as CSV."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from parlour.arena.reporting.plots import MAX_LETTERS, TEMPLATES, Bar, captioned, draw
from parlour.arena.reporting.report import PLOTS, REPORT, Figure, write_answer
from parlour.arena.reporting.summary import exploration_summary
from parlour.arena.study.exploring.effects import Effect
from parlour.arena.study.exploring.result import Candidate, ExplorationResult

COMBINATIONS, EFFECTS = "combinations.csv", "effects.csv"
FILES = (REPORT, COMBINATIONS, EFFECTS, PLOTS)
SHOWN, OPEN = 1, 0
"""Colour numbers: of what is significant or on the Pareto front, and of everything else."""
MAX_INTERACTIONS = 12
"""In a plot. The tables have all of them."""


def write_exploration(folder: Path, result: ExplorationResult) -> Path:
    """Writes the report of an exploration, its plots and its tables. Returns and raises what `write_answer` does."""
    tables = {COMBINATIONS: result.combination_rows(), EFFECTS: result.effect_rows()}
    return write_answer(folder, report_html(result), plotted(result), tables, exploration_summary(result))


def plotted(result: ExplorationResult) -> list[Figure]:
    """For each goal the finalists' estimates, the main effects, and of the interactions those with the smallest
    p-values, where two options can be changed independently."""
    figures = []
    for goal in result.plan.goals:
        kind, key, caption = goal.measure.kind, goal.measure.key, captioned(goal.measure)
        finalists = [
            Bar(f"{one.number} {one.variant}".strip(), one.estimates[key], SHOWN if one.on_front else OPEN)
            for one in sorted(result.finalists, key=lambda one: -one.estimates[key].value)
        ]
        own = [one for one in result.all_effects if one.goal == goal]
        pairs = sorted((one for one in own if one.under is not None), key=lambda one: (one.corrected, one.p))
        main, surest = _bars([one for one in own if one.under is None]), _bars(pairs[:MAX_INTERACTIONS])
        for name, words, bars in (
            ("finalists", "finalists", finalists),
            ("effects", "effects of the options", main),
            ("interactions", "what two options change together, the surest first", surest),
        ):
            changes = bars is not finalists
            told, title = f"change of: {caption}" if changes else caption, f"{goal.measure.title}: {words}"
            even_at = 0.0 if changes else None
            svgs = [draw(kind, bars, told, heading, even_at, changes) for heading in ("", title)]
            if bars:
                figures.append(Figure(f"{name}_{key}", title, Markup(svgs[0]), svgs[1]))
    return figures


def _bars(effects: Sequence[Effect]) -> list[Bar]:
    ordered = sorted(effects, key=lambda one: -one.estimate.value)
    return [Bar(_short(one), one.estimate, SHOWN if one.significant else OPEN) for one in ordered]


def _short(effect: Effect) -> str:
    """An effect as the name of a row: of an interaction only what both options change to, if need be."""
    if effect.under is None or len(effect.title) <= MAX_LETTERS:
        return effect.title
    return " × ".join(f"{one.option} → {one.after}" for one in (effect.change, effect.under))


def report_html(result: ExplorationResult) -> str:
    """The report as one HTML page without external files."""
    plan, config = result.plan, result.plan.as_config()
    return TEMPLATES.get_template("exploration.html").render(
        game=plan.game,
        summary=exploration_summary(result),
        plan=plan,
        version=config["parlour"],
        options=list(plan.space.options.items()),
        left_out=sorted(plan.space.left_out.items(), key=lambda item: -item[1]),
        same=sorted(plan.space.same.items(), key=lambda item: -item[1]),
        findings=result.findings,
        finalists=[_row(result, one) for one in result.finalists],
        candidates=[_row(result, one) for one in sorted(result.candidates, key=lambda one: (-one.rounds, one.number))],
        figures=plotted(result),
        effects=_effect_tables(result),
        tests=result.all_effects,
        config=json.dumps(config, indent=1, ensure_ascii=False),
    )


def _row(result: ExplorationResult, one: Candidate) -> dict[str, Any]:
    kinds = [(goal.measure.kind, one.estimates[goal.measure.key]) for goal in result.plan.goals]
    return {
        "number": one.number,
        "settings": result.plan.space.shown(one.ruleset),
        "variant": one.variant,
        "rounds": one.rounds,
        "games": one.games,
        "cells": [(kind.figure(estimate), kind.interval(estimate)) for kind, estimate in kinds],
        "on_front": one.on_front,
        "share": f"{100 * one.front_share:.0f} %",
    }


def _effect_tables(result: ExplorationResult) -> list[tuple[str, list[dict[str, Any]], list[dict[str, Any]]]]:
    """For each goal its title, its main effects, and its interactions, those with the smallest p-values first."""
    tables = []
    for goal in result.plan.goals:
        own = sorted((one for one in result.all_effects if one.goal == goal), key=lambda one: (one.corrected, one.p))
        if not own:
            continue
        main = [one for one in own if one.under is None]
        tables.append((goal.measure.title, _lines(main), _lines([one for one in own if one.under is not None])))
    return tables


def _lines(effects: Sequence[Effect]) -> list[dict[str, Any]]:
    return [
        {
            "title": one.title,
            "change": one.goal.measure.kind.signed(one.estimate.value),
            "interval": one.goal.measure.kind.interval(one.estimate),
            "matches": one.matches,
            "p": "< 0.001" if one.corrected < 0.001 else f"{one.corrected:.3f}",
            "significant": one.significant,
        }
        for one in effects
    ]
