"""The players that people can choose in the browser, with limits on their search."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache

from parlour.engine.game import Game
from parlour.interfaces.aec import GameEnv
from parlour.players import Player, parse_player
from parlour.players.champion import NAME as CHAMPION
from parlour.players.exact import Exact
from parlour.players.names import PLAYERS, limited
from parlour.players.value_players import TWO_TURNS
from parlour.players.weaker import Blundering
from parlour.serve.settings import MAX_DEPTH, MAX_SIMULATIONS, MAX_THINKING, Settings
from parlour.support.errors import listing

PERSON = "person"
TIME = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,6})?)s")
COUNT = re.compile(r"[0-9]{1,9}")
SUGGESTED = {"mcts": ("mcts:100", "mcts:0.5s"), "expectimax": ("expectimax:2", "expectimax:0.5s")}
ENDINGS = {"mcts": ("greedy",), "expectimax": ("exact",), CHAMPION: ()}
"""Words that may follow the budget of a player without a file. Other words are refused, since they could be paths."""
FILES = ("policy", "az", "value", Exact.KIND)
BLUNDER = re.compile(r"blunder:([1-9][0-9]?):(?!blunder:)(.+)")
"""A weaker form of another player, which is read like any other; one inside another is refused."""


def suggestions(game: Game, settings: Settings) -> list[str]:
    """Names of players that the form suggests; others can be typed."""
    searches = [name for names in SUGGESTED.values() for name in names]
    files = [
        f"{kind}:{name}"
        for kind, named in (("policy", settings.policies), ("value", settings.values), (Exact.KIND, settings.tables))
        for name, file in named.items()
        if _plays(f"{kind}:{file}", game)
    ]
    champion = [CHAMPION] if game.champion is not None else []
    return [*reversed(PLAYERS), *game.own_players, *champion, *searches, *files]


@cache
def _plays(player: str, game: Game) -> bool:
    """Whether the player of a file is for this game. Each file is opened once for each game."""
    try:
        parse_player(player, game)
    except ValueError:
        return False
    return True


def parse_opponent(text: str, game: Game, settings: Settings) -> Player:
    """The player that a person has chosen. ValueError for an unknown player, for one that would search too long, and
    for files and modules of this machine, except for the files named when the server was started. A number of
    simulations ends after `MAX_THINKING` at the latest."""
    kind, colon, rest = text.partition(":")
    if weaker := BLUNDER.fullmatch(text):
        return Blundering(int(weaker[1]), parse_opponent(weaker[2], game, settings))
    if colon and kind in FILES:
        return _parse_file_player(text, kind, rest, game, settings)
    if (kind, rest) != (CHAMPION, TWO_TURNS) and colon and kind in ENDINGS:
        budget, more, ending = rest.partition(":")
        _check_budget(text, budget, MAX_SIMULATIONS if kind == "mcts" else MAX_DEPTH)
        if more and ending not in ENDINGS[kind]:
            raise _not_here(text, game, settings)
    elif colon and kind != CHAMPION:
        raise _not_here(text, game, settings)
    return limited(parse_player(text, game), MAX_THINKING)


def is_quick(player: Player, game: Game) -> bool:
    """Whether a player chooses immediately. All others may take seconds."""
    return player.name in PLAYERS or player.name in game.own_players


def tables_for(env: GameEnv, settings: Settings) -> list[Exact]:
    """The tables of exact values that are of a game's rules."""
    tables = []
    for folder in settings.tables.values():
        with suppress(ValueError):  # of another game, or of other rules
            table = Exact(str(folder), env.game)
            table.check(env.games)
            tables.append(table)
    return tables


def _parse_file_player(text: str, kind: str, rest: str, game: Game, settings: Settings) -> Player:
    """A player from a file named when the server was started: a request gives the file's name, never a path."""
    files = {"value": settings.values, Exact.KIND: settings.tables}.get(kind, settings.policies)
    what = "table" if kind == Exact.KIND else "network"
    given, more, ending = rest.partition(":")
    name = given if given in files else given.rpartition(".")[0]  # commands name the file with its ending
    if name not in files:
        raise ValueError(f"there is no {what} {given[:80]!r}; {what}s: {listing(list(files))}")
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
