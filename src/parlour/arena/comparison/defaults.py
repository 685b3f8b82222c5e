"""The players of a comparison for which no players are named."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.arena.rulesets import Ruleset
from parlour.engine.game import Game
from parlour.players.champion import NAME, champion_plays

DEFAULT_SKILL, DEFAULT_GAMES = ("mcts:2", "mcts:20"), 30
WITHOUT_CHAMPION = "mcts:5"
QUICK = f"{NAME}:2"
"""A champion that searches two plies deep. At its usual depth a comparison of a long game would take minutes."""


def default_player(game: Game, rulesets: Sequence[Ruleset]) -> str:
    """The champion, if it plays all the variants; otherwise a small tree search."""
    if not champion_plays(game, [ruleset.values for ruleset in rulesets]):
        return WITHOUT_CHAMPION
    return NAME if game.rules.DICE or rulesets[0].seats != 2 else QUICK
