"""``rate``: how strong a player is, on the ladder of a variant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from parlour.arena.ladders import rating
from parlour.arena.reporting.terminal import named_rows
from parlour.cli.common import complete_players, console, game_argument, say, seed_option, variant_option
from parlour.cli.running import exact_option, judge_option, out_option, worker_options, workers_of
from parlour.engine.game import Game
from parlour.support.signed import signed


@click.command()
@game_argument
@click.argument("player", shell_complete=complete_players)
@variant_option
@click.option(
    "--within", type=click.FloatRange(rating.MIN_WITHIN, rating.MAX_WITHIN), default=rating.WITHIN,
    help="Stop when the rating is this sure, in Elo (95 %).",
)  # fmt: skip
@click.option(
    "--games", type=click.IntRange(4 * rating.MIN_PAIRS, rating.MAX_GAMES), default=rating.DEFAULT_GAMES,
    help="The largest number of games.",
)  # fmt: skip
@seed_option
@exact_option
@judge_option
@worker_options
@out_option
def rate(game: Game, player: str, threads: int | None, ray: str | None, out: Path | None, **settings: Any) -> None:
    """Rates PLAYER on the game's ladder, in as few games as it takes. See also the command ladder."""
    rated = rating.rate(game.id, player, workers=workers_of(threads, ray), folder=out, **settings)
    scores = ("score", *(("adjusted",) if rated.judge else ()), "expected")
    rows = (
        [
            row["rung"], signed(row['elo'], 0), *(str(row[name]) for name in ("games", "wins", "draws", "losses")),
            *(f"{row[name]:.3f}" for name in scores),
        ]
        for row in reversed(rated.rows)
    )  # fmt: skip
    console().print(named_rows("", ("against", "Elo", "games", "won", "drawn", "lost", *scores), rows))
    say(*str(rated).splitlines())
