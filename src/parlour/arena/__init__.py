"""Games between players: matches, tournaments, ratings, comparison of variants, exploration of rules.

from parlour.arena import compare, explore, match, tournament
print(match("agon-v0", "mcts:100", "greedy", games=50, variant="bloody_queen"))
print(tournament("checkers-v0", ["random", "greedy", "mcts:50"], games=20, folder="standings"))
print(compare("agon-v0", variants=["classic", {"variant": "classic", "touch_move": True}]).figures)
print(rate("checkers-v0", "mcts:200", within=40))
print(explore("agon-v0", ["geometry", "guard_goes"], ["undecided:min", "plies:100..200"]).findings)

Modules, from the ground up: `rulesets`, `openings`, `game_specs` and `plans` define what is played. `traces` and
`measures` define what is measured, and `statistics` how numbers are estimated and tested. `rows` and `journal` save
games; `playing` and `cluster` play them. `tally`, `standings`, `ladder`, `comparison` and `exploring` hold plans
and results as data, and `reporting` draws them. `contests` with `sequential`, `rating`, `ladder_making`, `comparisons`
and `explorations` are what a user calls.
"""

from parlour.arena.cluster import Cluster
from parlour.arena.comparisons import Comparison, compare
from parlour.arena.contests import match, tournament
from parlour.arena.explorations import Exploration, explore
from parlour.arena.playing import Threads
from parlour.arena.rating import Rating, rate
from parlour.arena.standings import Standings
from parlour.arena.tally import Score
from parlour.support.lazy import lazy_names

__all__ = [
    "Cluster",
    "Comparison",
    "Exploration",
    "Rating",
    "RatingCallback",
    "Score",
    "Standings",
    "Threads",
    "compare",
    "explore",
    "match",
    "rate",
    "tournament",
]
_, __getattr__, __dir__ = lazy_names(__name__, {"rating_callback": "RatingCallback"})
