"""Learning to play by self-play, on the compiled engine and without PyTorch.

* `td_lambda`    TD(λ) over whole turns: any game
* `turn_play`    the games that it learns from
* `generations`  learning from alpha-beta search, generation by generation: two seats, no dice
* `self_play`    the games that generations learn from
* `jobs`         parts of a round, done here or elsewhere
* `cluster`      jobs on a Ray cluster
* `learner`      a network's weights under Adam, averaged
* `gradient`     gradients and Adam in compiled code
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour.lazy import lazy_names

if TYPE_CHECKING:
    from parlour.learn.generations import Generations, Recipe
    from parlour.learn.learner import Round
    from parlour.learn.self_play import SelfPlay
    from parlour.learn.td_lambda import Settings, TDLambda

__all__ = ["Generations", "Recipe", "Round", "SelfPlay", "Settings", "TDLambda"]

__getattr__ = lazy_names(
    __name__,
    {
        "Generations": "generations",
        "Recipe": "generations",
        "Round": "learner",
        "SelfPlay": "self_play",
        "Settings": "td_lambda",
        "TDLambda": "td_lambda",
    },
)
