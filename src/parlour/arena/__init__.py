"""Players against players: matches, tournaments, ratings, and the comparison of variants.

from parlour.arena import compare, match, tournament
print(match("agon-v0", "mcts:100", "greedy", games=50, variant="bloody_queen"))
print(tournament("checkers-v0", ["random", "greedy", "mcts:50"], games=20, folder="standings"))
print(compare("agon-v0", variants=["classic", {"variant": "classic", "touch_move": True}]).figures)

Rooms: `fixtures`, `rulesets` and `openings` say what is played, `playing` and `cluster` play it, `journal` and `rows`
keep it; `contests`, `sequential` and `tally` make matches and tournaments of it; `traces` and `measures` say what is
measured, `statistics` how numbers are estimated and tested, `comparison` compares variants, `reporting` shows it all.
"""

from parlour.arena.cluster import Cluster
from parlour.arena.comparison.compare import compare
from parlour.arena.comparison.result import Comparison
from parlour.arena.contests import Standings, match, tournament
from parlour.arena.playing import Threads
from parlour.arena.tally import Score

__all__ = ["Cluster", "Comparison", "Score", "Standings", "Threads", "compare", "match", "tournament"]
