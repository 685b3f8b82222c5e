"""A digest of the sources of a game's play."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from parlour.rulebook.compiler.cache import sources_digest
from parlour.rulebook.compiler.dependencies import source_files
from parlour.rulebook.compiling import SOURCES

ENGINE = Path(__file__).parent
SHARED = (
    *(
        ENGINE / f"{name}.py"
        for name in (
            "arrays", "bundles", "calls", "game_functions", "inlined", "one_game", "own_arrays", "prefetch",
            "repetition", "rules_table", "search_arrays", "solving_arrays", "value_arrays",
        )
    ),
    ENGINE / "kernels",
    ENGINE / "trees",
)  # fmt: skip
"""The engine, as far as games depend on it."""


class Played(Protocol):
    """A game, see `parlour.engine.game.Game`."""

    @property
    def package(self) -> str:
        """Its package"""

    @property
    def rules(self) -> Any:
        """Its ``rules.py``"""

    @property
    def evaluation(self) -> Any:
        """Its ``evaluation.py`` with all defaults"""


def game_digest(game: Played) -> str:
    """Sixteen hex digits that differ wherever the sources of a game's play and of its built-in players do: the engine,
    and the files of the game's rules, variants and evaluation with all that these call, in whatever folders."""
    modules = [Path(str(import_module(f"{game.package}.{name}").__file__)) for name in ("rules", "variants")]
    called = source_files(value for part in (game.rules, game.evaluation) for value in vars(part).values())
    return sources_digest((*SOURCES, *SHARED, *sorted({*called, *modules})))
