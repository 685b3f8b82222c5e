"""Names of a package that are imported when they are first asked for, so that importing the package stays fast."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any


def lazy_names(package: str, names_of: Mapping[str, str] | None = None) -> tuple[list[str], Callable[[str], Any]]:
    """The ``__all__`` and the ``__getattr__`` (PEP 562) of a package that re-exports names of its modules.

    ``package``: the ``__name__`` of the package. ``names_of``: for modules of the package, the names that they define,
    separated by spaces; None: those that the package imports where its types are checked, ``if TYPE_CHECKING``. For any
    other name ``__getattr__`` raises AttributeError, which lists the exported names.
    """
    if names_of is None:
        module_of = dict(_checked_imports(package))
    else:
        module_of = {name: f"{package}.{module}" for module, names in names_of.items() for name in names.split()}

    def get(name: str) -> Any:
        if name not in module_of:
            known = ", ".join(sorted(module_of))
            raise AttributeError(f"module {package!r} has no attribute {name!r}; it has: {known}")
        return getattr(import_module(module_of[name]), name)

    return sorted(module_of), get


def _checked_imports(package: str) -> Iterator[tuple[str, str]]:
    """The names in the ``if TYPE_CHECKING`` of a package, each with its module."""
    source = sys.modules[package].__spec__.loader.get_source(package)  # type: ignore[union-attr]
    for block in ast.parse(source).body:
        if isinstance(block, ast.If) and isinstance(block.test, ast.Name):
            for line in block.body:
                if isinstance(line, ast.ImportFrom):
                    yield from ((alias.name, str(line.module)) for alias in line.names)
