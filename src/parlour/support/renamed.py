"""Modules under their names of version 0.2.0, so that its pickles and programs written for it still work."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

RENAMED = {
    "parlour.aec": "parlour.interfaces.aec",
    "parlour.arena.fixtures": "parlour.arena.game_specs",
    "parlour.batch": "parlour.interfaces.batch",
    "parlour.errors": "parlour.support.errors",
    "parlour.history": "parlour.interfaces.history",
    "parlour.players.protocol": "parlour.engine.player",
    "parlour.registry": "parlour.interfaces.registry",
    "parlour.rendering": "parlour.interfaces.rendering",
    "parlour.replays": "parlour.records",
    "parlour.search": "parlour.players.search",
    "parlour.search.network_player": "parlour.players.network_player",
    "parlour.simulate": "parlour.players.simulate",
    "parlour.spaces": "parlour.interfaces.spaces",
    "parlour.value": "parlour.players.value",
    "parlour.value.champion": "parlour.players.champion",
    "parlour.value.players": "parlour.players.value_players",
}


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
        return ModuleSpec(fullname, self, is_package=True) if _today(fullname) else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return ModuleType(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        name = str(_today(module.__name__))
        warnings.warn(
            f"{module.__name__} is {name} now; the old name works until 0.4", DeprecationWarning, stacklevel=2
        )
        today = import_module(name)
        module.__getattr__ = lambda name: getattr(today, name)  # type: ignore[method-assign]


def find_renamed_modules() -> None:
    """Makes the old names importable; once a process."""
    if not any(isinstance(finder, _Renamed) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Renamed())
