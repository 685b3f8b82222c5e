"""The player ``champion``: the strongest value network of a game, which comes with the package.

It is the file ``champion.value`` in the game's folder, in the format of `parlour.value.files`. ``CHAMPION.md`` beside
it says how it was trained and how strong it is. A file that was trained under other rules is refused.

| written | |
|---|---|
| ``champion`` | one turn deep in games with dice, or of other than two seats; else `DEPTH` plies deep |
| ``champion:6`` | 6 plies deep |
| ``champion:0.1s`` | as deep as possible in 0.1 seconds a ply |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from parlour.engine.game import Game
from parlour.engine.variant_mix import Entry
from parlour.errors import listing
from parlour.rulebook.options import Value
from parlour.value.files import load
from parlour.value.players import BUDGET, ValuePlayer, read_budget

NAME = "champion"
FORM = "champion, champion:6 (plies), champion:0.1s (seconds a ply)"
DEPTH = 4


def parse_champion(budget: str | None, game: Game | None) -> ValuePlayer:
    """The player ``champion``, or ``champion:budget``. ValueError for an invalid budget, for a game without a
    champion, or if the game is not known; and as `ValuePlayer` raises it."""
    if game is None:
        raise ValueError(f"{NAME!r} plays one particular game, which must be given")
    if game.champion is None:
        raise ValueError(f"{game.id} has no champion; 'parlour train {game.name}' makes one; {_others()}")
    found = None if budget is None else BUDGET.fullmatch(budget)
    if budget is not None and found is None:
        raise ValueError(f"there is no player '{NAME}:{budget}'; valid: {FORM}")
    depth, seconds = read_budget(found)
    name = NAME if budget is None else f"{NAME}:{budget}"
    try:
        if budget is None and not game.rules.DICE and game.layout(game.resolve(None, {})[1]).seats == 2:
            depth = DEPTH
        return ValuePlayer(str(game.champion), depth, seconds, game, name)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def champion_plays(game: Game, variants: Iterable[Mapping[str, Value]]) -> bool:
    """Whether the game has a champion that plays all of ``variants``, each given by the values of its options. A
    champion for rules that the game no longer has plays none."""
    if game.champion is None:
        return False
    try:
        load(game.champion, game).variant_heads([Entry("", "", dict(values)) for values in variants], game)
    except ValueError:
        return False
    return True


def _others() -> str:
    """The games that have a champion."""
    from parlour.registry import find, games

    return f"games that have one: {listing([name for name in games() if find(name).champion is not None])}"
