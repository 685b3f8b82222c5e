"""Making a ladder: a tournament of its rungs, which goes on until every rating is exact enough.

It is played in rounds. The first round plays every pairing, to see whether the ratings explain all results. Each
further round plays the pairings that shrink the intervals most. These depend on the results alone, so a run that is
stopped and resumed plays the same games.

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
from parlour.arena.runs.journal import JOURNAL
from parlour.arena.runs.playing import Run, Workers, saved_games_in_interrupt
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
from parlour.arena.setting.plans import OnPlayed, Participants, Plan
from parlour.arena.setting.rulesets import Ruleset, read_ruleset
from parlour.arena.statistics.ratings import PairedRatings, most_informative
from parlour.engine.game import Game
from parlour.players.champion import champion_plays
from parlour.players.identity import conduct_pin, is_timed, play_pin, player_pin
from parlour.players.value.pins import pin_of
from parlour.support.errors import listing
from parlour.support.files import sha256_of, write_file
from parlour.support.locks import locked

KIND = "ladder"
WITHIN = 15.0
"""A ladder is done when half the width of its widest interval is at most this, in Elo."""
ZERO = "greedy"
FIRST_PAIRS, PAIRS, STEPS = 16, 32, 8
"""Pairs of games of every pairing in the first round, and of each step of a further round; steps of such a round."""
GROWTH = 1 / 8
"""A further round has at least this share of the games that the ladder has so far: large batches are faster."""
PATIENCE = 60.0
"""Seconds to wait for another run that is writing to ``ladder.json``."""
MAX_GAMES = 1 << 16
"""The largest number of games of one pairing."""
WITHOUT_NETWORK = ("mcts:3", "mcts:10", "mcts:50", "mcts:200", "expectimax:1", "expectimax:2")
"""Rungs of a game without a champion, besides ``random`` and `ZERO`."""
WITH_DICE = (*(f"blunder:{share}:champion" for share in (80, 65, 50, 35, 20, 8)), "champion", "champion:2turns")
WITHOUT_DICE = (
    *(f"blunder:{share}:champion:1" for share in (90, 75, 50, 25, 10)),
    *(f"champion:{n}" for n in (1, 2, 4)),
)
"""Rungs of a game with a champion: the champion with fewer and fewer blunders, and then with search."""


@dataclass(frozen=True)
class LadderPlan:
    """What a ladder is made of: see `plan_ladder`. ``plan`` has all games that may be played; ``earlier`` has the runs
    of the present ladder, to which this run adds."""

    plan: Plan
    ruleset: Ruleset
    players: Sequence[str]
    openings: str
    seed: int
    earlier: Sequence[LadderRun] = ()


def usual_rungs(game: Game, ruleset: Ruleset) -> list[str]:
    """The rungs of a new ladder: those of the variant's present ladder; without one, players that every game has."""
    ladder = read_ladders(game).get(ruleset.variant)
    if ladder is not None:
        return ladder.names
    if not champion_plays(game, [ruleset.values]):
        return ["random", ZERO, *WITHOUT_NETWORK]
    return ["random", ZERO, *(WITH_DICE if game.rules.DICE else WITHOUT_DICE)]


def plan_ladder(game: Game, variant: str | None, players: Sequence[str] = (), seed: int | None = None) -> LadderPlan:
    """The plan of a ladder.

    ``players``: its rungs; empty for `usual_rungs`. ``seed``: a new seed adds games to the variant's present ladder, if
    that has the same rungs and still fits; a seed of that ladder plays those games anew. None for the first new seed.
    ValueError for an unknown variant or player; for players that are code, open files, or have a time limit, with which
    their strength depends on the machine; and for rules under which ratings mean nothing.
    """
    ruleset = read_ruleset(game, variant, {})
    reason = game.unrated(ruleset.values)
    if reason:
        raise ValueError(f"{game.id}, {ruleset.variant}, can have no ladder: {reason}")
    names = sorted(players or usual_rungs(game, ruleset))  # sorted, so that runs with any order are the same run
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
    participants, choice = Participants(game, {name: name for name in names}), read_openings(openings, game, [ruleset])
    series = tuple(
        participants.series(ruleset, first, second, MAX_GAMES, seed, choice)
        for first, second in itertools.combinations(names, 2)
    )
    entries = {
        "variant": ruleset.label, "players": names, "seed": seed, "openings": openings,
        **({"adds_to": [run.journal for run in earlier]} if earlier else {}),
    }  # fmt: skip
    plan = Plan(game, series, participants.custom, participants.identities, participants.config(KIND, entries))
    return LadderPlan(plan, ruleset, names, openings, seed, earlier)


def _runs(game: Game, ruleset: Ruleset, names: Sequence[str], openings: str) -> list[LadderRun]:
    """The runs of a variant's present ladder; none if there is no ladder of these players and openings that fits."""
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
        within: it stops when half the width of the widest interval is at most this, in Elo.
        minutes: it stops after this time; an unfinished round is finished when the run is resumed.
        on_round: called with the ladder after every round.
        on_played: called with games as they finish.

    Returns:
        The ladder after the last round.

    Raises:
        ValueError: if the time is too short for the first round, and as in `parlour.arena.runs.playing.Run`.
    """
    plan, end = planned.plan, time.monotonic() + 60 * minutes
    tallies = {series.key: Tally(series) for series in plan.series}
    add, ladder = tallied(tallies, on_played), None
    conducts = [conduct_pin(name, plan.game, planned.ruleset.values) for name in planned.players]
    with saved_games_in_interrupt(folder), Run(plan, workers, folder) as run:
        pairs = np.full(len(plan.series), 0 if planned.earlier else FIRST_PAIRS)
        if planned.earlier:
            pairs += _next_round(_rate(planned, _results(planned, tallies, pairs)))
        while True:
            wanted = [replace(series, games=2 * int(n)) for series, n in zip(plan.series, pairs)]
            run.play(add, wanted, lambda: time.monotonic() >= end)
            if not all(run.done[series.key][: series.games].all() for series in wanted):
                break
            played = _results(planned, tallies, pairs)
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
    chosen = most_informative(ratings, STEPS, size)
    return size * np.bincount(chosen, minlength=len(tables))


def write_ladder(game: Game, ladder: Ladder) -> None:
    """Writes a ladder to the game's ``ladder.json``, in place of the variant's present one. Runs that write at the same
    time wait for one another."""
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
        ladder["rungs"] = [row(rung) for rung in ladder["rungs"]]
        for run in (ladder, *ladder["earlier"]):
            run["pairings"] = [row(pairing) for pairing in run["pairings"]]
    text = json.dumps(whole, indent=1, ensure_ascii=False)
    return re.sub(r'"row (\d+)"', lambda match: rows[int(match[1])], text) + "\n"


def _results(planned: LadderPlan, tallies: Mapping[str, Tally], pairs: NDArray[np.int64]) -> list[Pairing]:
    """The results of the first ``pairs`` (Q,) pairs of games of each series."""
    return [
        Pairing(first=series.first, second=series.second, pairs=table.astype(int).ravel().tolist())
        for series, n in zip(planned.plan.series, pairs)
        for table in [tallies[series.key].pair_table(int(n))]
    ]


def _rate(planned: LadderPlan, played: Sequence[Pairing]) -> PairedRatings:
    """The ratings by the results of this run and of the earlier runs."""
    earlier = [pairing for run in planned.earlier for pairing in run.pairings]
    return ratings_by([*played, *earlier], planned.players, ZERO if ZERO in planned.players else planned.players[0])


def _ladder(
    planned: LadderPlan, ratings: PairedRatings, played: list[Pairing], conducts: Sequence[str], journal: str
) -> Ladder:
    game, results, half_widths = planned.plan.game, ratings.results, ratings.half_widths
    games = np.zeros(results.players, np.int64)
    for side in (results.firsts, results.seconds):
        np.add.at(games, side, 2 * results.tables.sum(axis=(1, 2)).astype(np.int64))
    rungs = [
        Rung(
            player=planned.players[k], elo=round(float(ratings.elo[k]), 1),
            low=round(float(ratings.elo[k] - half_widths[k]), 1), high=round(float(ratings.elo[k] + half_widths[k]), 1),
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
