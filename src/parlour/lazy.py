"""Names of a package that are imported when they are first asked for, so that importing the package stays fast."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_names(package: str, module_of: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` (PEP 562) of a package that re-exports names of its modules.

    ``package``: the ``__name__`` of the package. ``module_of``: for each exported name, the module of the package that
    defines it. For any other name the function raises AttributeError, which lists the exported names.
    """

    def get(name: str) -> Any:
        if name not in module_of:
            known = ", ".join(sorted(module_of))
            raise AttributeError(f"module {package!r} has no attribute {name!r}; it has: {known}")
        return getattr(import_module(f"{package}.{module_of[name]}"), name)

    return get
