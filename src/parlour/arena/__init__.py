"""Games between players: matches, tournaments, ratings, comparison of variants, exploration of rules.

from parlour.arena import compare, explore, match, tournament
print(match("agon-v0", "mcts:100", "greedy", games=50, variant="bloody_queen"))
print(tournament("checkers-v0", ["random", "greedy", "mcts:50"], games=20, folder="standings"))
print(compare("agon-v0", variants=["classic", {"variant": "classic", "touch_move": True}]).figures)
print(explore("agon-v0", ["geometry", "guard_goes"], ["undecided:min", "plies:100..200"]).findings)

Modules: `fixtures`, `rulesets` and `openings` define what is played. `playing` and `cluster` play it. `journal` and
`rows` save it. `contests`, `sequential` and `tally` are for matches and tournaments. `traces` and `measures` define
what is measured, and `statistics` how numbers are estimated and tested. `comparison` compares variants, `exploring`
searches for rules that meet goals, and `reporting` writes reports and tables.
"""

from parlour.arena.cluster import Cluster
from parlour.arena.comparison.compare import compare
from parlour.arena.comparison.result import Comparison
from parlour.arena.contests import Standings, match, tournament
from parlour.arena.exploring.explore import explore
from parlour.arena.exploring.result import Exploration
from parlour.arena.playing import Threads
from parlour.arena.tally import Score

__all__ = [
    "Cluster",
    "Comparison",
    "Exploration",
    "Score",
    "Standings",
    "Threads",
    "compare",
    "explore",
    "match",
    "tournament",
]
