"""Players that look ahead, each in a module of its own, which is imported when it is first asked for here."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from parlour.search.expectimax import Expectimax, parse_expectimax
    from parlour.search.mcts import Mcts, parse_mcts

__all__ = ["Expectimax", "Mcts", "parse_expectimax", "parse_mcts"]

MODULE_OF = {
    "Expectimax": "expectimax",
    "Mcts": "mcts",
    "parse_expectimax": "expectimax",
    "parse_mcts": "mcts",
}
"""Which module of this package each name comes from."""


def __getattr__(name: str) -> Any:
    """Imports one of ``MODULE_OF`` when it is first asked for. AttributeError for any other name."""
    if name not in MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has: {', '.join(sorted(MODULE_OF))}")
    return getattr(import_module(f"{__name__}.{MODULE_OF[name]}"), name)
