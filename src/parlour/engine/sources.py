"""A digest of the sources of a game's play."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType

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


def game_digest(package: str, *parts: ModuleType) -> str:
    """Sixteen hex digits that differ wherever the sources of a game's play and of its built-in players do: the engine,
    and the files of the game's rules, variants and evaluation with all that these call, in whatever folders.
    ``parts``: the modules of its rules and of its evaluation with all defaults."""
    modules = [Path(str(import_module(f"{package}.{name}").__file__)) for name in ("rules", "variants")]
    called = source_files(value for part in parts for value in vars(part).values())
    return sources_digest((*SOURCES, *SHARED, *sorted({*called, *modules})))
