"""Players against players: matches, tournaments, ratings, the comparison of variants, the exploration of rules.

from parlour.arena import compare, explore, match, tournament
print(match("agon-v0", "mcts:100", "greedy", games=50, variant="bloody_queen"))
print(tournament("checkers-v0", ["random", "greedy", "mcts:50"], games=20, folder="standings"))
print(compare("agon-v0", variants=["classic", {"variant": "classic", "touch_move": True}]).figures)
print(explore("agon-v0", ["geometry", "guard_goes"], ["undecided:min", "plies:100..200"]).findings)

Rooms: `fixtures`, `rulesets` and `openings` say what is played, `playing` and `cluster` play it, `journal` and `rows`
keep it; `contests`, `sequential` and `tally` make matches and tournaments of it; `traces` and `measures` say what is
measured, `statistics` how numbers are estimated and tested; `comparison` compares variants, `exploring` looks for
rules that meet goals, `reporting` shows it all.
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
