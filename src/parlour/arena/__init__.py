"""Games between players: matches, tournaments, ratings, comparison of variants, exploration of rules.

from parlour.arena import compare, explore, match, tournament
print(match("agon-v0", "mcts:100", "greedy", games=50, variant="bloody_queen"))
print(tournament("checkers-v0", ["random", "greedy", "mcts:50"], games=20, folder="standings"))
print(compare("agon-v0", variants=["classic", {"variant": "classic", "touch_move": True}]).figures)
print(rate("checkers-v0", "mcts:200", within=40))
print(explore("agon-v0", ["geometry", "guard_goes"], ["undecided:min", "plies:100..200"]).findings)

The words of a study:

study        a comparison, an exploration or an atlas: rulesets × groups × measures
ruleset      a variant with the values of its options: the rules that are played
group        games of the same players: one in all seats, or a weaker against a stronger one
round        games that all rulesets of it play; `explore` chooses the rulesets of the next round by them
game         one game that is played, a line of the journal
measure      what is taken of a game, such as its length: docs/measures.md defines them
estimate     the value of a measure for a ruleset and a group, with its 95 % interval
test         whether two estimates differ, with a p-value that is corrected for the number of all tests
finding      a sentence about estimates that the tests allow
report       the page, the tables and the pictures of a study

Rooms, from the ground up: `statistics` estimates and tests plain numbers; `setting` says what is played; `measures` are
taken of finished games; `runs` plays games and keeps them; `matches` are between players, `ladders` rate them, and
`study` holds comparisons, explorations and atlases as data; `reporting` draws these. `studies` and `atlases` are what a
user calls to compare rules.
"""

from parlour.arena.ladders.rating import Rating, rate
from parlour.arena.matches.contests import Standings, match, tournament
from parlour.arena.matches.tally import Score
from parlour.arena.runs.playing import Cluster, Threads
from parlour.arena.studies import Comparison, Exploration, compare, explore
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
_, __getattr__, __dir__ = lazy_names(__name__, {"ladders.rating_callback": "RatingCallback"})
