"""``ladder``: the rungs of a game's ladder; and ``--make``, which makes it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from parlour.arena.ladders.ladder_making import WITHIN, make_ladder, plan_ladder
from parlour.arena.reporting.terminal import named_rows
from parlour.arena.runs.journal import CONFIG, read_config
from parlour.arena.setting.ladder import Ladder, ladder_file, ladder_of, read_ladders
from parlour.arena.setting.rulesets import read_ruleset
from parlour.cli.common import a_path, a_seed, complete_players, console, game_argument, say, variant_option
from parlour.cli.running import worker_options, workers_of
from parlour.engine.game import Game
from parlour.support.arguments import whole_number
from parlour.support.signed import signed


@click.command()
@game_argument
@variant_option
@click.option(
    "--make", is_flag=True, help="Play the tournament, or add games, and write the game's ladder.json; rerun to resume."
)
@click.option(
    "--rung", "players", multiple=True, metavar="PLAYER", shell_complete=complete_players,
    help="For --make: a player of the ladder; repeatable. By default those that it has, or a usual choice.",
)  # fmt: skip
@click.option(
    "--within", type=click.FloatRange(1, 400), default=WITHIN,
    help="For --make: stop when every rating is this sure, in Elo (95 %).",
)  # fmt: skip
@click.option("--minutes", type=click.FloatRange(0, min_open=True), help="For --make: stop after this time.")
@click.option(
    "--seed", type=a_seed, metavar="INTEGER",
    help="For --make: the random seed. By default that of the folder, if there is one; else one that the ladder does "
    "not have yet, whose games are added to it.",
)  # fmt: skip
@worker_options
@click.option("--out", type=a_path, help="For --make: folder of all games; ladder-GAME-VARIANT by default.")
def ladder(
    game: Game, variant: str | None, make: bool, players: Sequence[str], within: float, minutes: float | None,
    seed: int | None, threads: int | None, ray: str | None, out: Path | None,
) -> None:  # fmt: skip
    """Shows the players of known strength of a game: its ladder, in Elo. See also the command rate."""
    if not make:
        show(game, ladder_of(game, variant)[0])
        return
    ruleset = read_ruleset(game, variant, {})
    folder = out or Path(f"ladder-{game.name}-{ruleset.variant}")
    if seed is None and (folder / CONFIG).exists():
        seed = whole_number(f"{folder / CONFIG}: seed", read_config(folder / CONFIG).get("seed"))
    planned = plan_ladder(game, variant, players, seed)

    def report(made: Ladder) -> None:
        say(f"{sum(rung.games for rung in made.rungs) // 2} games, every rating within {made.reach:.0f} Elo")

    made = make_ladder(planned, workers_of(threads, ray), folder, within, minutes or float("inf"), report)
    show(game, made)
    say(f"written to {ladder_file(game)}; its games are in {folder}")


def show(game: Game, made: Ladder) -> None:
    """Prints a ladder, the strongest rung first."""
    rows = (
        (rung.player, signed(rung.elo, 0), f"{signed(rung.low, 0)} to {signed(rung.high, 0)}", str(rung.games))
        for rung in reversed(made.rungs)
    )
    title = f"{game.title}, {made.variant}: Elo above {made.zero}"
    console().print(named_rows(title, ("player", "Elo", "95 %", "games"), rows))
    others = [name for name in read_ladders(game) if name != made.variant]
    say(
        f"the first seat is worth {signed(made.first_seat, 0)} Elo; results of pairings depart from these ratings by "
        f"{made.intransitivity:.0f} Elo beyond chance",
        f"journals of the games: SHA-256 {', '.join(f'{run.journal[:16]}…' for run in made.runs)}; games "
        f"begin with: {made.openings}",
        *([f"other variants with a ladder: {', '.join(others)}"] if others else []),
    )
