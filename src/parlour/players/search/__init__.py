"""Players that look ahead, each in a module of its own, which is imported when it is first asked for here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour.support.lazy import lazy_names

if TYPE_CHECKING:
    from parlour.players.search.expectimax import Expectimax as Expectimax
    from parlour.players.search.forest import SearchResult as SearchResult
    from parlour.players.search.mcts import Mcts as Mcts
    from parlour.players.search.network_search import NetworkSearch as NetworkSearch
    from parlour.players.search.tree_methods import Gumbel as Gumbel
    from parlour.players.search.tree_methods import Puct as Puct
    from parlour.players.search.value_guide import ValueGuide as ValueGuide

__all__, __getattr__, __dir__ = lazy_names(__name__)
