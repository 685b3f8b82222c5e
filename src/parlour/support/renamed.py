"""Modules under their names of version 0.3.0, so that pickles and programs of it still work; and what is gone since."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

NAMES_OF_ARENA = {
    "atlas_page": "atlas.again atlas.page",
    "atlases": "atlas.making",
    "ladders.ladder_making": "ladder_making",
    "ladders.rating": "rating",
    "ladders.rating_callback": "rating_callback",
    "matches.contests": "contests sequential standings",
    "matches.tally": "regret_tally tally",
    "measures.of_atlas": "atlas.figures",
    "measures.outcomes": "measures.skill",
    "measures.play": "measures.board measures.decisions measures.duration measures.evaluation measures.events "
    "measures.openings",
    "measures.traces": "traces",
    "reporting.report": "reporting.exploration",
    "runs.journal": "journal replays rows",
    "runs.playing": "cluster playing progress",
    "setting.ladder": "graded ladder",
    "setting.openings": "openings",
    "setting.plans": "game_specs plans",
    "setting.rulesets": "rulesets",
    "statistics": "statistics.power",
    "statistics.engine_testing": "statistics.pentanomial statistics.sprt",
    "statistics.ratings": "statistics.paired_ratings",
    "statistics.tables": "tables",
    "studies": "comparisons explorations",
    "study": "atlas comparison exploring",
    "study.atlas": "atlas.policies atlas.removed atlas.replayed statistics.regression",
    "study.atlas_plan": "atlas.plan",
    "study.comparison": "comparison.notable comparison.result",
    "study.exploration": "exploring.effects exploring.result",
    "study.findings": "comparison.findings comparison.ranking",
    "study.plans": "comparison.plan exploring.plan",
    "study.search_space": "exploring.goals exploring.pareto exploring.space",
}
"""By each module of `parlour.arena` the names that what is in it had."""
RENAMED = {
    **{
        f"parlour.arena.{name}": f"parlour.arena.{today}"
        for today, names in NAMES_OF_ARENA.items()
        for name in names.split()
    },
    "parlour.players.blunders": "parlour.players.weaker",
    "parlour.players.search.kind": "parlour.players.kind",
}
GONE = {
    "factored_actions.FactoredActions": "choose twice from the mask as a table: docs/variants.md shows it",
    "turn_based_parallel.TurnBasedParallel": "pettingzoo.utils.turn_based_aec_to_parallel(parlour.make(game)) does it",
    "win_warning.WinWarning": "step a copy (env.clone()) by each legal action to see whether one wins",
}
"""What is gone from `parlour.wrappers`: a module and its class, and what to use instead, which both say until 0.5."""


def _check_gone(name: str) -> None:
    """ImportError that tells what to use instead, for the full name of a module or class that is gone."""
    package, _, last = name.rpartition(".")
    if package == "parlour.engine.kernels" and "_of_" in last:
        raise ImportError(
            "a player that version 0.3.0 has pickled after a search holds its machine code, which is gone: make the "
            "player anew, by its name",
            name=name,
        )
    for gone, instead in GONE.items():
        if package == "parlour.wrappers" and last in gone.split("."):
            raise ImportError(f"{last} is gone from parlour.wrappers: {instead}", name=name)


def _today(name: str) -> str | None:
    """Today's name of a module, or of one in a package that was renamed; None if it has kept its name."""
    if name in RENAMED:
        return RENAMED[name]
    package, _, module = name.rpartition(".")
    return f"{RENAMED[package]}.{module}" if package in RENAMED else None


class _Renamed(MetaPathFinder, Loader):
    """Finds today's module by its old name, before an empty folder left behind is taken for a package."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        _check_gone(fullname)
        return ModuleSpec(fullname, self, is_package=True) if _today(fullname) else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return ModuleType(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        name = str(_today(module.__name__))
        warnings.warn(
            f"{module.__name__} is {name} now; the old name works until 0.5", DeprecationWarning, stacklevel=2
        )
        today = import_module(name)
        module.__getattr__ = lambda name: getattr(today, name)  # type: ignore[method-assign]


def find_renamed_modules() -> None:
    """Makes the old names importable; once a process."""
    if not any(isinstance(finder, _Renamed) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Renamed())
