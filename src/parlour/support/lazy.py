"""Names of a package that are imported when they are first asked for, so that importing the package stays fast."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import Any, NoReturn

EXTRAS = {
    "open_spiel": "openspiel", "pyspiel": "openspiel", "sb3_contrib": "learn", "stable_baselines3": "learn",
    "torch": "learn",
}  # fmt: skip
"""Libraries that one name of a package needs and the others don't, each with the extra that installs it."""


def lazy_names(
    package: str, names_of: Mapping[str, str] | None = None, instead: Mapping[str, str] = MappingProxyType({})
) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """The ``__all__``, the ``__getattr__`` and the ``__dir__`` (PEP 562) of a package that re-exports names of its
    modules.

    ``package``: the ``__name__`` of the package. ``names_of``: for modules of the package, the names that they define,
    separated by spaces; None: those that the package imports where its types are checked, ``if TYPE_CHECKING``.
    ``instead``: for names that the package does not have, though they may be looked for in it, what to use.

    Any other name may be a module of the package, which ``__getattr__`` imports; else it raises AttributeError, which
    lists the exported names. In place of a class whose library of `EXTRAS` is missing it gives one that raises
    ImportError when it is used.
    """
    if names_of is None:
        module_of = dict(_checked_imports(package))
    else:
        module_of = {name: f"{package}.{module}" for module, names in names_of.items() for name in names.split()}

    def get(name: str) -> Any:
        if name not in module_of:
            return _module(package, name, instead.get(name) or f"it has: {', '.join(sorted(module_of))}")
        try:
            return getattr(import_module(module_of[name]), name)
        except ModuleNotFoundError as error:
            library = str(error.name).partition(".")[0]
            if library not in EXTRAS:
                raise
            return _stand_in(name, library)

    return sorted(module_of), get, lambda: sorted({*vars(sys.modules[package]), *module_of})


def _module(package: str, name: str, otherwise: str) -> ModuleType:
    """A module of a package, which may not be imported yet. AttributeError if there is none, with ``otherwise``."""
    full = f"{package}.{name}"
    if not name.startswith("_"):
        try:
            return import_module(full)
        except ModuleNotFoundError as error:
            if error.name != full:
                raise
    raise AttributeError(f"module {package!r} has no attribute {name!r}; {otherwise}")


def _stand_in(name: str, library: str) -> type:
    """A class called ``name`` that can be imported and shown; instances and subclasses need the ``library``."""

    def refuse(*_: object, **__: object) -> NoReturn:
        raise ImportError(f"{name} needs {library}: python -m pip install 'parlour[{EXTRAS[library]}]'", name=library)

    return type(name, (), {"__new__": refuse, "__init_subclass__": refuse, "__doc__": f"Needs {library}."})


def _checked_imports(package: str) -> Iterator[tuple[str, str]]:
    """The names in the ``if TYPE_CHECKING`` of a package, each with its module."""
    source = sys.modules[package].__spec__.loader.get_source(package)  # type: ignore[union-attr]
    for block in ast.parse(source).body:
        if isinstance(block, ast.If) and isinstance(block.test, ast.Name):
            for line in block.body:
                if isinstance(line, ast.ImportFrom):
                    yield from ((alias.name, str(line.module)) for alias in line.names)
