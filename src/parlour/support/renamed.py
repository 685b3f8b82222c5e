"""Modules under their names of version 0.2.0, so that its pickles and programs written for it still work."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

RENAMED = {
    "parlour.aec": "parlour.interfaces.aec",
    "parlour.batch": "parlour.interfaces.batch",
    "parlour.errors": "parlour.support.errors",
    "parlour.history": "parlour.interfaces.history",
    "parlour.players.protocol": "parlour.engine.player",
    "parlour.registry": "parlour.interfaces.registry",
    "parlour.rendering": "parlour.interfaces.rendering",
    "parlour.replays": "parlour.records",
    "parlour.search.network_player": "parlour.players.network_player",
    "parlour.simulate": "parlour.players.simulate",
    "parlour.spaces": "parlour.interfaces.spaces",
    "parlour.value.champion": "parlour.players.champion",
    "parlour.value.players": "parlour.players.value_players",
}


class _Renamed(MetaPathFinder, Loader):
    """Finds today's module by its old name, before an empty folder left behind is taken for a package."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if fullname in RENAMED else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return ModuleType(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        today = import_module(RENAMED[module.__name__])
        module.__getattr__ = lambda name: getattr(today, name)  # type: ignore[method-assign]


def find_renamed_modules() -> None:
    """Makes the old names importable; once a process."""
    if not any(isinstance(finder, _Renamed) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Renamed())
