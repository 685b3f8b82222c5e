"""What variants are worth by perfect play: from a table of exact values, or how to make one."""

from __future__ import annotations

import shlex
from contextlib import suppress
from pathlib import Path

from parlour.arena.setting.rulesets import Ruleset
from parlour.arena.statistics import Estimate
from parlour.engine.game import Game
from parlour.engine.games import Games
from parlour.engine.seeds import seed_words
from parlour.engine.variant_mix import single
from parlour.players.exact import VARIANT, Exact
from parlour.players.value.exact.solution import Solution

MAX_POSITIONS = 200_000_000
"""Of a game that one machine solves within the hour (docs/exact.md has times)."""


def perfect_score(game: Game, ruleset: Ruleset, exact: str) -> Estimate | None:
    """The score of the seat that begins, in %, by the table in the folder ``exact`` (`VARIANT` in it stands for the
    variant's name). None without a table of these rules that knows the start. ValueError for a folder without one."""
    folder = Path(Exact.folder_for(exact, ruleset.variant))
    if not exact or (VARIANT in exact and not folder.is_dir()):
        return None
    table = Solution.load(folder, game)
    with suppress(ValueError):  # of another variant, or without the start
        games = Games(game, single(game, ruleset.values), 1)
        games.begin(seed_words([0]))
        table.check_games(games)
        low, high = (50 * (1 + end) for end in table.start())
        return Estimate((low + high) / 2, low, high, 1)
    return None


def how_to_prove(game: Game, ruleset: Ruleset) -> str:
    """The command that solves the whole game under these rules, and how many positions it has; empty where that can't
    be done, or takes too long."""
    if not game.has_endings or game.endings.LIMIT is not None:
        return ""
    try:
        positions = sum(tier.size for tier in game.endings.tiers(dict(ruleset.values), 0))
    except ValueError:
        return ""
    if positions > MAX_POSITIONS:
        return ""
    options = "".join(f" --option {shlex.quote(f'{name}={value}')}" for name, value in ruleset.overrides.items())
    return f"parlour solve {game.name} --variant {ruleset.variant}{options} --out FOLDER ({positions:,} positions)"
