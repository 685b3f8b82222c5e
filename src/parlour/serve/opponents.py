"""The players that people may choose in the browser, by name, and within limits."""

from __future__ import annotations

import re

from parlour.engine.game import Game
from parlour.errors import listing
from parlour.players import Player, parse_player
from parlour.players.names import PLAYERS
from parlour.serve.settings import MAX_DEPTH, MAX_SIMULATIONS, MAX_THINKING, Settings
from parlour.value.champion import NAME as CHAMPION

PERSON = "person"
HINTS = "mcts:400"
"""Who gives hints, in every game."""
TIME = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,6})?)s")
COUNT = re.compile(r"[0-9]{1,9}")
SUGGESTED = {"mcts": ("mcts:100", "mcts:0.5s"), "expectimax": ("expectimax:2", "expectimax:0.5s")}
FILES = ("policy", "az")


def suggestions(game: Game, settings: Settings) -> list[str]:
    """Names of players to choose from; others may be typed."""
    searches = [name for names in SUGGESTED.values() for name in names]
    files = [f"policy:{name}" for name in settings.policies]
    champion = [CHAMPION] if game.champion is not None else []
    return [*reversed(PLAYERS), *game.own_players, *champion, *searches, *files]


def parse_opponent(text: str, game: Game, settings: Settings) -> Player:
    """The player that a person has chosen. ValueError for one that there is not, that would think too long, or that is
    a file or a module of this machine beyond the files named at start."""
    kind, colon, rest = text.partition(":")
    if colon and kind in FILES:
        name, _, budget = rest.partition(":")
        if name not in settings.policies:
            raise ValueError(
                f"there is no policy {name[:80]!r}; policies: {listing(list(settings.policies)) or 'none'}"
            )
        if kind == "az":
            _check_budget(text, budget, MAX_SIMULATIONS)
        return parse_player(f"{kind}:{settings.policies[name]}" + (f":{budget}" if budget else ""), game)
    if colon and kind in (*SUGGESTED, CHAMPION):
        _check_budget(text, rest.partition(":")[0], MAX_SIMULATIONS if kind == "mcts" else MAX_DEPTH)
    elif colon:
        raise ValueError(
            f"the player {text[:80]!r} can't be chosen here; players: {listing(suggestions(game, settings))}"
        )
    return parse_player(text, game)


def _check_budget(text: str, budget: str, most: int) -> None:
    """ValueError for more than a person should wait for."""
    timed, counted = TIME.fullmatch(budget), COUNT.fullmatch(budget)
    if (timed and float(timed[1]) <= MAX_THINKING) or (counted and int(budget) <= most):
        return
    raise ValueError(f"the player {text[:80]!r} is beyond the limits: at most {most} or {MAX_THINKING:g}s")
