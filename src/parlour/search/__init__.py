"""Players that look ahead, each in a module of its own, which is imported when it is first asked for here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour.lazy import lazy_names

if TYPE_CHECKING:
    from parlour.search.expectimax import Expectimax, parse_expectimax
    from parlour.search.mcts import Mcts, parse_mcts

__all__ = ["Expectimax", "Mcts", "parse_expectimax", "parse_mcts"]

__getattr__ = lazy_names(
    __name__,
    {
        "Expectimax": "expectimax",
        "Mcts": "mcts",
        "parse_expectimax": "expectimax",
        "parse_mcts": "mcts",
    },
)
