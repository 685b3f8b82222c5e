"""Measures of events: how often each event of a game occurs, and in which share of games."""

from __future__ import annotations

from functools import partial

from parlour.arena.fixtures import Played
from parlour.arena.measures.kinds import SHARE, count_of
from parlour.arena.measures.registry import EVENTS, OURS, Measure, family
from parlour.engine.game import Game


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
