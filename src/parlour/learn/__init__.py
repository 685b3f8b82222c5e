"""Learning to play by self-play or against fixed players, on the compiled engine and without PyTorch.

* `td_lambda`    TD(λ) over whole turns: any game
* `turn_play`    the games that it learns from
* `generations`  learning from alpha-beta search, generation by generation: two seats, no dice
* `self_play`    the games that generations learn from
* `against`      learning against fixed players
* `method`       the base of both methods: rounds, checkpoints; `settings`, their settings
* `learner`      a network's weights under Adam, averaged
* `gradient`     gradients and Adam in compiled code
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour.support.lazy import lazy_names

if TYPE_CHECKING:
    from parlour.learn.generations import Generations as Generations
    from parlour.learn.method import Round as Round
    from parlour.learn.settings import GenerationsSettings as GenerationsSettings
    from parlour.learn.settings import SelfPlaySettings as SelfPlaySettings
    from parlour.learn.settings import TDLambdaSettings as TDLambdaSettings
    from parlour.learn.td_lambda import TDLambda as TDLambda

__all__, __getattr__, __dir__ = lazy_names(__name__)
