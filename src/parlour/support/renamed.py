"""Modules under their names of version 0.3.0, so that pickles and programs of it still work; and what is gone since."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

ROOMS_OF_ARENA = {
    "setting": "game_specs ladder openings plans rulesets",
    "measures": "traces",
    "statistics": "tables",
    "runs": "cluster journal playing progress replays rows",
    "matches": "contests graded regret_tally sequential standings tally",
    "ladders": "ladder_making rating rating_callback",
    "study": "atlas comparison exploring",
}
"""Where modules of `parlour.arena` have gone."""
RENAMED = {
    "parlour.arena.atlas.again": "parlour.arena.atlas_again",
    "parlour.arena.atlas.making": "parlour.arena.atlases",
    "parlour.arena.atlas.page": "parlour.arena.atlas_page",
} | {
    f"parlour.arena.{name}": f"parlour.arena.{room}.{name}"
    for room, names in ROOMS_OF_ARENA.items()
    for name in names.split()
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
