"""Players that look ahead, each in a module of its own, which is imported when it is first asked for here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour.support.lazy import lazy_names

if TYPE_CHECKING:
    from parlour.search.expectimax import Expectimax as Expectimax
    from parlour.search.forest import SearchResult as SearchResult
    from parlour.search.mcts import Mcts as Mcts
    from parlour.search.network_search import NetworkSearch as NetworkSearch
    from parlour.search.tree_methods import Gumbel as Gumbel
    from parlour.search.tree_methods import Puct as Puct
    from parlour.search.value_guide import ValueGuide as ValueGuide

__all__, __getattr__, __dir__ = lazy_names(__name__)
