"""Measures of a game's own words: the share of each ending of its rules; how often each event occurs, and in which
share of games."""

from __future__ import annotations

from functools import partial
from typing import Any

from parlour.arena.measures.kinds import SHARE, count_of
from parlour.arena.measures.registry import ENDINGS, EVENTS, OURS, Measure, family
from parlour.arena.setting.game_specs import Played
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


@family
def events(game: Game, seats: int) -> list[Measure]:
    """Two measures for each of the game's ``evaluation.EVENTS``."""
    measures = []
    for word in game.evaluation.EVENTS:
        title = word.replace("_", " ").capitalize()
        readme = f"`{word}` in the game's README"
        measures += [
            Measure(
                f"event_{word}", title, f"{readme}, per game", count_of("per game"), partial(times, word), EVENTS, OURS,
                traced=False,
            ),
            Measure(
                f"games_with_{word}", f"{title}, games", f"games in which {readme} occurs", SHARE,
                partial(occurs, word), EVENTS, OURS, traced=False,
            ),
        ]  # fmt: skip
    return measures


def times(word: str, game: Played) -> int:
    """How often an event happened."""
    return game.events[word]


def occurs(word: str, game: Played) -> bool:
    """Whether an event happened."""
    return game.events[word] > 0
