"""Players that look ahead, each in a module of its own, which is imported when it is first asked for here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour.lazy import lazy_names

if TYPE_CHECKING:
    from parlour.search.expectimax import Expectimax, parse_expectimax
    from parlour.search.forest import SearchResult
    from parlour.search.mcts import Mcts, parse_mcts
    from parlour.search.network_player import NetworkPlayer, parse_network_player
    from parlour.search.network_search import NetworkSearch
    from parlour.search.tree_methods import Gumbel, Puct

__all__ = [
    "Expectimax",
    "Gumbel",
    "Mcts",
    "NetworkPlayer",
    "NetworkSearch",
    "Puct",
    "SearchResult",
    "parse_expectimax",
    "parse_mcts",
    "parse_network_player",
]

__getattr__ = lazy_names(
    __name__,
    {
        "Expectimax": "expectimax",
        "Gumbel": "tree_methods",
        "Mcts": "mcts",
        "NetworkPlayer": "network_player",
        "NetworkSearch": "network_search",
        "Puct": "tree_methods",
        "SearchResult": "forest",
        "parse_expectimax": "expectimax",
        "parse_mcts": "mcts",
        "parse_network_player": "network_player",
    },
)
