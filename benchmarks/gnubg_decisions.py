"""How much players of Backgammon give away in a decision, by GNU Backgammon's judgement, in its own games.

    python benchmarks/gnubg_decisions.py champion champion:2turns --games 250 [--plies 2] [--seed 0] [--folder FOLDER]

GNU Backgammon plays both seats, looking ``--plies`` ahead. Wherever a turn can end in more than one position, each
player chooses from the same position and throw, and so does GNU Backgammon without looking ahead. What a choice gives
away is the equity of the turn that GNU Backgammon plays minus that of the turn chosen, both valued ``--plies`` ahead;
below 0 where its filter of turns has left out a better one. The field's benchmarks are other positions, valued by
roll-outs. On Debian, ``apt-get install gnubg``.

With ``--folder`` a game's errors are kept, so that the same command, or one for more games, goes on where it was
stopped. A folder of other players, plies or seed is refused.
"""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import click
import numpy as np
from gnubg_program import Gnubg, play_turn, swapped
from numpy.typing import NDArray
from pubeval import is_race

import parlour
from parlour.arena.statistics import Estimate, mean
from parlour.interfaces.registry import find
from parlour.players import Player, parse_player
from parlour.players.identity import player_pin
from parlour.support.files import write_file
from parlour.support.run_folder import refuse_another, refuse_strangers
from tests.support.backgammon_turns import Position, after_turn, position_of, variant_of

GAME = "backgammon-v0"
CONTACT, RACE = 0, 1
PLAN = "plan.json"
KINDS = {"all": (CONTACT, RACE), "contact": (CONTACT,), "race": (RACE,)}
Decision = tuple[int, list[float]]
"""Its kind, and what each player gives away"""


def decisions_of_game(env: parlour.GameEnv, players: list[Player], gnubg: Gnubg, plies: int) -> list[Decision]:
    """The decisions of one game from the present position of ``env``. GNU Backgammon without looking ahead is the last
    player."""
    variant, decisions = variant_of(), []
    while not env.is_over():
        seat, faces = int(env.agent_selection[-1]), env.dice
        before, ends = position_of(env.games.states, seat), after_turn(env.games.states[:1], variant)
        best = next(iter(ends)) if len(ends) == 1 else gnubg.best(before, faces, plies)
        if len(ends) > 1:
            chosen = [turn_of(env, player, seat) for player in players] + [gnubg.best(before, faces, 0)]
            decisions.append((int(is_race(before)), given_away(gnubg, best, chosen, plies)))
        for action in ends[best].actions:
            env.step(action)
    return decisions


def turn_of(env: parlour.GameEnv, player: Player, seat: int) -> Position:
    """Where the turn ends that a player chooses. ``env`` stays as it is."""
    tried = copy.copy(env)
    play_turn(tried, player)
    return position_of(tried.games.states, seat)


def given_away(gnubg: Gnubg, best: Position, chosen: list[Position], plies: int) -> list[float]:
    """What each of the ``chosen`` ends of a turn is worth less than the ``best``."""
    ends = [best, *(end for end in dict.fromkeys(chosen) if end != best)]
    if len(ends) == 1:
        return [0.0] * len(chosen)
    lost = dict(zip(ends, gnubg.equities([swapped(end) for end in ends], plies)))  # of the other seat
    return [lost[end] - lost[best] for end in chosen]


def keep_plan(folder: Path, plan: dict[str, Any]) -> None:
    """Writes to the folder what its games are, or checks that. ValueError if they are others."""
    path = folder / PLAN
    if PLAN in refuse_strangers(folder, PLAN):
        refuse_another(folder, "games", json.loads(path.read_text()), plan)
    folder.mkdir(parents=True, exist_ok=True)
    write_file(path, json.dumps(plan))


def error_a_decision(totals: NDArray[np.float64], counts: NDArray[np.float64]) -> Estimate:
    """Of all decisions of all games, whose sums of errors and numbers of decisions these are. The interval is that of
    the games: decisions of one game depend on each other (a ratio estimate, Cochran, *Sampling Techniques*, 6.3)."""
    value = totals.sum() / counts.sum()
    beside = mean(value + (totals - value * counts) / counts.mean())
    return Estimate(value, beside.low, beside.high, len(counts))


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="PLAYER…")
@click.option("--games", default=200, show_default=True, type=click.IntRange(2))
@click.option("--plies", default=2, show_default=True, type=click.IntRange(0, 3), help="How far gnubg looks ahead.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0))
@click.option("--folder", type=click.Path(path_type=Path), help="For the games; rerun to resume or to see the results.")
def main(names: tuple[str, ...], games: int, plies: int, seed: int, folder: Path | None) -> None:
    """Prints what each PLAYER gives away in a decision, in thousandths of a point, with 95 % intervals."""
    try:
        players = [parse_player(name, find(GAME)) for name in names]
        if folder is not None:
            pins = {name: player_pin(name, find(GAME)) for name in names}
            keep_plan(folder, {"players": pins, "plies": plies, "seed": seed})
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    env, played = parlour.make(GAME).unwrapped, []
    with Gnubg() as gnubg:
        for game in range(games):
            path = None if folder is None else folder / f"{game}.json"
            if path is not None and path.exists():
                played.append(json.loads(path.read_text()))
                continue
            env.reset(seed=random.Random(f"{seed}/{game}").getrandbits(60))
            played.append(decisions_of_game(env, players, gnubg, plies))
            if path is not None:
                write_file(path, json.dumps(played[-1]))
    click.echo(f"player | kind | decisions of {games} games | others than gnubg's | error × 1000 | 95 %")
    for k, name in enumerate([*names, "gnubg, 0 plies"]):
        for kind, codes in KINDS.items():
            errors = [[lost[k] for code, lost in decisions if code in codes] for decisions in played]
            counts = np.array([len(one) for one in errors], np.float64)
            error = error_a_decision(np.array([sum(one) for one in errors]), counts)
            others = sum(lost != 0 for one in errors for lost in one) / counts.sum()
            shown = f"{1000 * error.value:.2f} | {1000 * error.low:.2f} to {1000 * error.high:.2f}"
            click.echo(f"{name} | {kind} | {counts.sum():.0f} | {others:.0%} | {shown}")


if __name__ == "__main__":
    main()
