"""The players that people can choose in the browser, with limits on their search."""

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
"""The player that gives hints, in every game."""
TIME = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,6})?)s")
COUNT = re.compile(r"[0-9]{1,9}")
SUGGESTED = {"mcts": ("mcts:100", "mcts:0.5s"), "expectimax": ("expectimax:2", "expectimax:0.5s")}
ENDINGS = {"mcts": ("greedy",), "expectimax": ("exact",), CHAMPION: ()}
"""Words that may follow the budget of a player without a file. Other words are refused, since they could be paths."""
FILES = ("policy", "az", "value")


def suggestions(game: Game, settings: Settings) -> list[str]:
    """Names of players that the form suggests; others can be typed."""
    searches = [name for names in SUGGESTED.values() for name in names]
    files = [f"policy:{name}" for name in settings.policies] + [f"value:{name}" for name in settings.values]
    champion = [CHAMPION] if game.champion is not None else []
    return [*reversed(PLAYERS), *game.own_players, *champion, *searches, *files]


def parse_opponent(text: str, game: Game, settings: Settings) -> Player:
    """The player that a person has chosen. ValueError for an unknown player, for one that would search too long, and
    for files and modules of this machine, except for the files named when the server was started."""
    kind, colon, rest = text.partition(":")
    if colon and kind in FILES:
        return _parse_file_player(text, kind, rest, game, settings)
    if colon and kind in ENDINGS:
        budget, more, ending = rest.partition(":")
        _check_budget(text, budget, MAX_SIMULATIONS if kind == "mcts" else MAX_DEPTH)
        if more and ending not in ENDINGS[kind]:
            raise _not_here(text, game, settings)
    elif colon:
        raise _not_here(text, game, settings)
    return parse_player(text, game)


def is_quick(player: Player, game: Game) -> bool:
    """Whether a player chooses immediately. All others may take seconds."""
    return player.name in PLAYERS or player.name in game.own_players


def _parse_file_player(text: str, kind: str, rest: str, game: Game, settings: Settings) -> Player:
    """A player from a file that was named when the server was started. The request gives only the file's name, never a
    path."""
    files = settings.values if kind == "value" else settings.policies
    name, more, ending = rest.partition(":")
    if name not in files:
        raise ValueError(f"there is no network {name[:80]!r}; networks: {listing(list(files))}")
    if kind == "az" or (kind == "value" and more):
        _check_budget(text, ending, MAX_SIMULATIONS if kind == "az" else MAX_DEPTH)
    elif more and ending != "sample":
        raise _not_here(text, game, settings)
    return parse_player(f"{kind}:{files[name]}{more}{ending}", game)


def _not_here(text: str, game: Game, settings: Settings) -> ValueError:
    return ValueError(f"the player {text[:80]!r} can't be chosen here; players: {listing(suggestions(game, settings))}")


def _check_budget(text: str, budget: str, max_count: int) -> None:
    """ValueError for a budget above the limits. ``max_count``: the largest number of simulations or plies."""
    timed, counted = TIME.fullmatch(budget), COUNT.fullmatch(budget)
    if (timed and float(timed[1]) <= MAX_THINKING) or (counted and int(budget) <= max_count):
        return
    raise ValueError(f"the player {text[:80]!r} is beyond the limits: at most {max_count} or {MAX_THINKING:g}s")
