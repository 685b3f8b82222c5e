"""Measures of endings: the share of each ending of the rules."""

from __future__ import annotations

from functools import partial
from typing import Any

from parlour.arena.fixtures import Played
from parlour.arena.measures.kinds import SHARE
from parlour.arena.measures.registry import ENDINGS, OURS, Measure, family
from parlour.engine.game import Game
from parlour.rulebook.options import ends_by_repetition
from parlour.rulebook.protocol import COMMON_ENDS


@family
def endings(game: Game, seats: int) -> list[Measure]:
    """One measure for each word of the game's ``rules.ENDS``, except for truncation."""
    words = [word for word in game.rules.ENDS if word not in COMMON_ENDS[:2]]
    return [
        Measure(
            f"end_{word}", word.replace("_", " ").capitalize(), f"games that ended by `{word}`", SHARE,
            partial(ended_by, word), ENDINGS, OURS, applies=partial(can_end_by, word), traced=False,
        )
        for word in words
    ]  # fmt: skip


def ended_by(word: str, game: Played) -> bool:
    """Whether a game ended in this way."""
    return game.end == word


def can_end_by(word: str, game: Game, values: dict[str, Any]) -> bool:
    """Whether an ending is possible with these option values: repetition may be off, or forbidden."""
    return word != "repetition" or ends_by_repetition(values)
