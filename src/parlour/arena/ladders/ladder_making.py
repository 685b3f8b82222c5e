"""Making a ladder: a tournament of its rungs, which goes on until every rating is sure enough.

It goes round by round. The first round plays every pairing, so that it is seen whether ratings explain them all. Each
further round plays those pairings that shrink the intervals most. Which pairings these are depends on the results
alone, so a run that was stopped goes on as if it had not been.

A ladder can be extended: a run with another seed adds its games to those that the ladder has. It begins with the
pairings that shrink the intervals most.
"""

from __future__ import annotations

import itertools
import json
import math
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from parlour.arena.matches.tally import Tally, tallied
from parlour.arena.runs.journal import JOURNAL, Folder
from parlour.arena.runs.playing import Workers, check_folder, play_rest, saying_what_is_kept
from parlour.arena.setting.ladder import (
    Ladder,
    LadderRun,
    Ladders,
    Pairing,
    Rung,
    changes,
    check_no_code,
    check_no_files,
    ladder_file,
    ratings_by,
    read_ladders,
)
from parlour.arena.setting.openings import random_text, read_openings, usual_plies
from parlour.arena.setting.plans import Cast, OnPlayed, Plan
from parlour.arena.setting.rulesets import Ruleset, read_ruleset
from parlour.arena.statistics.ratings import PairedRatings, most_telling
from parlour.engine.game import Game
from parlour.players.champion import champion_plays
from parlour.players.identity import conduct_pin, is_timed, play_pin, player_pin
from parlour.players.value.pins import pin_of
from parlour.support.errors import listing
from parlour.support.files import sha256_of, write_file
from parlour.support.locks import locked

KIND = "ladder"
WITHIN = 15.0
"""Half the width of the widest interval at which a ladder is done, in Elo."""
ZERO = "greedy"
FIRST_PAIRS, PAIRS, STEPS = 16, 32, 8
"""Pairs of games of every pairing in the first round; of each step of a further round; steps of such a round."""
GROWTH = 1 / 8
"""A further round has at least this share of the games that the ladder has so far: large batches are faster."""
PATIENCE = 60.0
"""Seconds to wait for another run that is writing to ``ladder.json``."""
MAX_GAMES = 1 << 16
"""Games of one pairing at most."""
WITHOUT_NETWORK = ("mcts:3", "mcts:10", "mcts:50", "mcts:200", "expectimax:1", "expectimax:2")
"""Rungs of a game without a champion, besides ``random`` and `ZERO`."""
WITH_DICE = (*(f"blunder:{share}:champion" for share in (80, 65, 50, 35, 20, 8)), "champion", "champion:2turns")
WITHOUT_DICE = (
    *(f"blunder:{share}:champion:1" for share in (90, 75, 50, 25, 10)),
    *(f"champion:{n}" for n in (1, 2, 4)),
)
"""Rungs of a game with a champion: it blunders less and less often, and then looks ahead."""


@dataclass(frozen=True)
class LadderPlan:
    """What a ladder is to be made of: see `plan_ladder`. ``plan`` has all games that may be played, ``earlier`` the
    runs of the ladder that there is, to which this one adds."""

    plan: Plan
    ruleset: Ruleset
    players: Sequence[str]
    openings: str
    seed: int
    earlier: Sequence[LadderRun] = ()


def usual_rungs(game: Game, ruleset: Ruleset) -> list[str]:
    """The rungs of a new ladder: those of the ladder that the variant has, or players that every game has."""
    ladder = read_ladders(game).get(ruleset.variant)
    if ladder is not None:
        return ladder.names
    if not champion_plays(game, [ruleset.values]):
        return ["random", ZERO, *WITHOUT_NETWORK]
    return ["random", ZERO, *(WITH_DICE if game.rules.DICE else WITHOUT_DICE)]


def plan_ladder(game: Game, variant: str | None, players: Sequence[str] = (), seed: int | None = None) -> LadderPlan:
    """The plan of a ladder.

    ``players``: its rungs; none for `usual_rungs`. ``seed``: another one than those of the ladder that the variant has
    adds to this ladder, if it has the same rungs and fits; one of them plays those games anew. None for the first that
    was not used. ValueError for a variant or a player that there is not, for players that are code, open files, or
    have a time limit, so that their strength depends on the machine, and where ratings would mean nothing.
    """
    ruleset = read_ruleset(game, variant, {})
    reason = game.unrated(ruleset.values)
    if reason:
        raise ValueError(f"{game.id}, {ruleset.variant}, can have no ladder: {reason}")
    names = sorted(players or usual_rungs(game, ruleset))  # so that their order does not make it another run
    if len(set(names)) < max(len(names), 2):
        raise ValueError(f"a ladder has two rungs or more, each once, not {listing(names)}")
    for name in names:
        check_no_code(name)
        check_no_files(name, game)
        if is_timed(name, game):
            raise ValueError(f"rung {name!r} has a time limit, so that its strength depends on the machine")
    openings = random_text(usual_plies(game, [ruleset]))
    runs = _runs(game, ruleset, names, openings)
    seed = next(k for k in itertools.count() if k not in {run.seed for run in runs}) if seed is None else seed
    earlier = [run for run in runs if run.seed != seed]
    cast, choice = Cast(game, {name: name for name in names}), read_openings(openings, game, [ruleset])
    series = tuple(
        cast.series(ruleset, first, second, MAX_GAMES, seed, choice)
        for first, second in itertools.combinations(names, 2)
    )
    entries = {
        "variant": ruleset.label, "players": names, "seed": seed, "openings": openings,
        **({"adds_to": [run.journal for run in earlier]} if earlier else {}),
    }  # fmt: skip
    plan = Plan(game, series, cast.custom, cast.identities, cast.config(KIND, entries))
    return LadderPlan(plan, ruleset, names, openings, seed, earlier)


def _runs(game: Game, ruleset: Ruleset, names: Sequence[str], openings: str) -> list[LadderRun]:
    """The runs of the ladder that a variant has; none if that is no longer, or not, a ladder of these players."""
    ladder = read_ladders(game).get(ruleset.variant)
    if ladder is None or sorted(ladder.names) != names or ladder.openings != openings or changes(ladder, game, ruleset):
        return []
    return ladder.runs


def make_ladder(
    planned: LadderPlan,
    workers: Workers,
    folder: Path,
    within: float = WITHIN,
    minutes: float = math.inf,
    on_round: Callable[[Ladder], None] = lambda ladder: None,
    on_played: OnPlayed = lambda games: None,
) -> Ladder:
    """Plays the tournament, and writes the ladder to the game's ``ladder.json`` after every round.

    Args:
        planned: what to play.
        workers: what plays the games.
        folder: a folder that saves every finished game; the same call resumes a run that was stopped.
        within: half the width of the widest interval at which it stops.
        minutes: the time after which it stops; a round that is under way is finished when the run is resumed.
        on_round: called with the ladder after every round.
        on_played: called with games as they finish.

    Returns:
        The ladder after the last round. ValueError if the time did not suffice for the first round, and as `Folder` and
        `parlour.arena.runs.playing.play_plan` raise it.
    """
    plan, end = planned.plan, time.monotonic() + 60 * minutes
    tallies = {series.key: Tally(series) for series in plan.series}
    add, ladder = tallied(tallies, on_played), None
    conducts = [conduct_pin(name, plan.game, planned.ruleset.values) for name in planned.players]
    with saying_what_is_kept(folder), Folder(folder, plan) as run:
        check_folder(plan, workers, add, run)
        pairs = np.full(len(plan.series), 0 if planned.earlier else FIRST_PAIRS)
        if planned.earlier:
            pairs += _next_round(_rate(planned, _own(planned, tallies, pairs)))
        while True:
            wanted = [replace(series, games=2 * int(n)) for series, n in zip(plan.series, pairs)]
            done = {key: tally.played for key, tally in tallies.items()}
            play_rest(plan, workers, add, run, wanted, lambda: time.monotonic() >= end, done)
            if not all(tallies[series.key].played[: series.games].all() for series in wanted):
                break
            played = _own(planned, tallies, pairs)
            ratings = _rate(planned, played)
            ladder = _ladder(planned, ratings, played, conducts, sha256_of(folder / JOURNAL))
            write_ladder(plan.game, ladder)
            on_round(ladder)
            further = pairs + _next_round(ratings)
            if ladder.reach <= within or further.max() > MAX_GAMES // 2:
                break
            pairs = further
    if ladder is None:
        raise ValueError(f"{minutes:g} minutes did not suffice for the first round; {folder} has its games, to resume")
    return ladder


def _next_round(ratings: PairedRatings) -> NDArray[np.int64]:
    """How many pairs of games of each pairing the next round has (Q,)."""
    tables = ratings.results.tables
    size = max(PAIRS, int(GROWTH * tables.sum() / STEPS))
    chosen = most_telling(ratings, STEPS, size)
    return size * np.bincount(chosen, minlength=len(tables))


def write_ladder(game: Game, ladder: Ladder) -> None:
    """Puts a ladder into the game's ``ladder.json``, in place of an earlier one of that variant. Runs that do so at the
    same time wait for one another."""
    file, order = ladder_file(game), [variant.name for variant in game.variants]
    with locked(file.parent, f"{file.name}.lock", PATIENCE):
        known = {**read_ladders(game), ladder.variant: ladder}
        ladders = Ladders(game=game.id, ladders=sorted(known.values(), key=lambda ladder: order.index(ladder.variant)))
        write_file(file, as_lines(ladders))


def as_lines(ladders: Ladders) -> str:
    """The text of ``ladder.json``, with a line for each rung and each pairing, so that differences can be read."""
    whole = msgspec.to_builtins(ladders)
    rows: list[str] = []

    def row(value: object) -> str:
        rows.append(json.dumps(value, ensure_ascii=False))
        return f"row {len(rows) - 1}"

    for ladder in whole["ladders"]:
        ladder["rungs"] = [row(one) for one in ladder["rungs"]]
        for run in (ladder, *ladder["earlier"]):
            run["pairings"] = [row(one) for one in run["pairings"]]
    text = json.dumps(whole, indent=1, ensure_ascii=False)
    return re.sub(r'"row (\d+)"', lambda match: rows[int(match[1])], text) + "\n"


def _own(planned: LadderPlan, tallies: Mapping[str, Tally], pairs: NDArray[np.int64]) -> list[Pairing]:
    """The results of the first ``pairs`` (Q,) of each series."""
    return [
        Pairing(first=series.first, second=series.second, pairs=table.astype(int).ravel().tolist())
        for series, n in zip(planned.plan.series, pairs)
        for table in [tallies[series.key].pair_table(int(n))]
    ]


def _rate(planned: LadderPlan, played: Sequence[Pairing]) -> PairedRatings:
    """The ratings by this run's results and those of the earlier runs."""
    earlier = [one for run in planned.earlier for one in run.pairings]
    return ratings_by([*played, *earlier], planned.players, ZERO if ZERO in planned.players else planned.players[0])


def _ladder(
    planned: LadderPlan, ratings: PairedRatings, played: list[Pairing], conducts: Sequence[str], journal: str
) -> Ladder:
    game, results, reach = planned.plan.game, ratings.results, ratings.reach
    games = np.zeros(results.players, np.int64)
    for side in (results.firsts, results.seconds):
        np.add.at(games, side, 2 * results.tables.sum(axis=(1, 2)).astype(np.int64))
    rungs = [
        Rung(
            player=planned.players[k], elo=round(float(ratings.elo[k]), 1),
            low=round(float(ratings.elo[k] - reach[k]), 1), high=round(float(ratings.elo[k] + reach[k]), 1),
            games=int(games[k]), pin=player_pin(planned.players[k], game), conduct=conducts[k],
        )
        for k in np.argsort(ratings.elo)
    ]  # fmt: skip
    return Ladder(
        variant=planned.ruleset.variant, rules=play_pin(game, planned.ruleset.values),
        pin=pin_of(game, planned.ruleset.values), parlour=version("parlour"), zero=planned.players[results.zero],
        openings=planned.openings, seed=planned.seed, journal=journal,
        first_seat=round(ratings.first_seat, 1), draws=round(math.exp(ratings.log_nu), 6),
        intransitivity=round(ratings.intransitivity(), 1), rungs=rungs, pairings=played,
        earlier=list(planned.earlier),
    )  # fmt: skip
