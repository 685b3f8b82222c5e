"""Matches between two players and tournaments of several. In every pairing both players sit in both seats, with the
same dice.

A player is given by a name that `parlour.players.parse_player` reads, or as a function or object under a name of your
own.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from parlour.arena.fixtures import Plan, Played, Series
from parlour.arena.journal import Folder
from parlour.arena.openings import AUTO, OpeningsLike, read_openings
from parlour.arena.playing import OnPlayed, Threads, Workers, play_plan
from parlour.arena.progress import run_progress
from parlour.arena.reporting.frames import frame_of, html_of
from parlour.arena.rulesets import read_ruleset
from parlour.arena.sequential import DEFAULT_MAX_GAMES, play_sequential, sequential_plan
from parlour.arena.statistics import Estimate
from parlour.arena.statistics.ratings import rate
from parlour.arena.statistics.sprt import Sprt
from parlour.arena.tally import Score, Tally
from parlour.engine.game import Game
from parlour.players import PlayerLike, name_of
from parlour.players.identity import identity_of, is_deterministic
from parlour.registry import find

if TYPE_CHECKING:
    from pandas import DataFrame

Players: TypeAlias = "Sequence[str] | Mapping[str, PlayerLike]"
"""Players' names, or players by names of your own."""
KIND = "contest"
DEFAULT_GAMES = 100


@dataclass(frozen=True)
class Standings:
    """The result of a tournament.

    Attributes:
        ratings: the Elo rating of each player by its name, with mean 0, the best first.
        scores: the result of every pairing that was played.
    """

    ratings: Mapping[str, Estimate]
    scores: list[Score]

    @property
    def names(self) -> list[str]:
        """The players, the best first."""
        return list(self.ratings)

    def __str__(self) -> str:
        """One line per player, then one line per pairing."""
        width = max(map(len, self.names))
        rated = [
            f"{name:<{width}}  {rating.value:+6.0f}  [{rating.low:+.0f}, {rating.high:+.0f}]  {rating.count} games"
            for name, rating in self.ratings.items()
        ]
        return "\n".join([*rated, *map(str, self.scores)])

    def rating_rows(self) -> list[dict[str, Any]]:
        """One row per player, the best first."""
        return [
            {"player": name, "elo": rating.value, "low": rating.low, "high": rating.high, "games": rating.count}
            for name, rating in self.ratings.items()
        ]

    def to_frame(self) -> DataFrame:
        """The ratings as a DataFrame, one row per player. ValueError without pandas."""
        return frame_of(self.rating_rows())

    def scores_frame(self) -> DataFrame:
        """The pairings as a DataFrame, one row per pairing. ValueError without pandas."""
        return frame_of([score.as_row() for score in self.scores])

    def _repr_html_(self) -> str:
        """The ratings as a table, for notebooks."""
        rows = [
            [str(rank), name, f"{rating.value:+.0f}", f"{rating.low:+.0f} to {rating.high:+.0f}", str(rating.count)]
            for rank, (name, rating) in enumerate(self.ratings.items(), 1)
        ]
        return html_of(["", "player", "Elo", "95 %", "games"], rows)


def match(
    game: str,
    first: str | PlayerLike,
    second: str | PlayerLike,
    *,
    games: int | None = None,
    variant: str | None = None,
    seed: int = 0,
    openings: OpeningsLike = AUTO,
    workers: Workers | None = None,
    folder: str | Path | None = None,
    sprt: tuple[float, float] | Sprt | None = None,
    confirm: int = 0,
    on_played: OnPlayed = lambda played: None,
    progress: bool | None = None,
    **options: object,
) -> Score:
    """Plays two players against each other. Each pair of games has the same dice, with the seats exchanged.

    Args:
        game: an id such as ``"agon-v0"``.
        first, second: a name such as ``"mcts:200"``, a function ``(observation, action_mask) -> actions``, or a
            player object.
        games: the number of games; an odd number is rounded up, since games are played in pairs. 100 by default. With
            ``sprt`` it is the largest number of games, 100,000 by default.
        variant: a variant's name; None for the game's first.
        seed: the random seed.
        openings: how games begin: see `parlour.arena.openings`.
        workers: what plays the games; None for `parlour.arena.Threads`, one per core.
        folder: a folder that saves every finished game. The same call resumes a run that was stopped, and a call with
            more games adds to it.
        sprt: two differences in Elo, such as ``(0, 10)``, or a `parlour.arena.statistics.sprt.Sprt`: the match stops
            when a sequential test between them ends.
        confirm: how many further games are played after such a stop, for an estimate without bias.
        on_played: called with games as they finish.
        progress: whether a progress bar is shown; None: only if standard error is a terminal.
        **options: option values that replace those of the variant.

    Raises:
        ValueError: for any argument that is not valid.
        OSError: if the folder can't be written.
        parlour.IllegalMove: if a player plays an illegal action.
    """
    if first == second:
        raise ValueError(f"a match takes two players, not {first!r} against itself")
    names = [name_of(player) for player in (first, second)]
    if names[0] == names[1]:
        names = [f"{name} {number}" for number, name in enumerate(names, 1)]
    named = dict(zip(names, (first, second)))
    test = Sprt(*sprt) if isinstance(sprt, tuple) else sprt
    plan = plan_match(find(game), named, games, variant, seed, options, openings, test, confirm)
    return play_match(plan, test, workers or Threads(), Path(folder) if folder else None, on_played, progress)


def plan_match(
    game: Game,
    players: Mapping[str, PlayerLike],
    games: int | None,
    variant: str | None,
    seed: int,
    overrides: Mapping[str, object],
    openings: OpeningsLike = AUTO,
    test: Sprt | None = None,
    confirm: int = 0,
) -> Plan:
    """All games of a match, with those of a sequential test and its confirmation. ValueError for any argument that is
    not valid."""
    if confirm < 0 or (confirm and test is None):
        raise ValueError(f"confirm is a number of games after a sequential test, not {confirm} without one")
    max_games = (DEFAULT_GAMES if test is None else DEFAULT_MAX_GAMES) if games is None else games
    plan = plan_contest(game, players, [], max_games, variant, seed, overrides, openings)
    return plan if test is None else sequential_plan(plan, test, confirm)


def play_match(
    plan: Plan,
    test: Sprt | None,
    workers: Workers,
    folder: Path | None,
    on_played: OnPlayed = lambda played: None,
    progress: bool | None = None,
) -> Score:
    """Plays the games of a match that ``folder`` does not have yet. The result."""
    with run_progress(plan.games, folder, progress) as bar:

        def on_finished(games: list[Played]) -> None:
            bar(games)
            on_played(games)

        if test is None:
            return play_contest(plan, workers, on_finished, folder)[0]
        return play_sequential(plan, test, workers, on_finished, bar.describe, folder)


def tournament(
    game: str,
    players: Players,
    *,
    field: Players = (),
    games: int = 100,
    variant: str | None = None,
    seed: int = 0,
    openings: OpeningsLike = AUTO,
    workers: Workers | None = None,
    folder: str | Path | None = None,
    on_played: OnPlayed = lambda played: None,
    progress: bool | None = None,
    **options: object,
) -> Standings:
    """Plays every player against every other. With a ``field``: every player against each player in the field.

    ``games`` is the number of games of each pairing. A call with further players adds to a folder. Everything else is
    as in `match`.
    """
    all_players = {**_named(players), **_named(field)}
    plan = plan_contest(find(game), all_players, list(_named(field)), games, variant, seed, options, openings)
    with run_progress(plan.games, Path(folder) if folder else None, progress) as bar:

        def on_finished(games: list[Played]) -> None:
            bar(games)
            on_played(games)

        return standings(play_contest(plan, workers or Threads(), on_finished, Path(folder) if folder else None))


def plan_contest(
    game: Game,
    players: Mapping[str, PlayerLike],
    field: Sequence[str],
    games: int,
    variant: str | None,
    seed: int,
    overrides: Mapping[str, object],
    openings: OpeningsLike = AUTO,
) -> Plan:
    """All games of a match or tournament. ``field``: gauntlet opponents, which all other ``players`` meet; if empty,
    every player meets every other. ValueError for any argument that is not valid."""
    if len(players) < 2:
        raise ValueError(f"two players or more are needed, not {list(players)}")
    if games < 1:
        raise ValueError(f"games must be 1 or more, not {games}")
    others = [name for name in players if name not in field]
    if not others:
        raise ValueError("all players are in the field, so nobody is left to play against it")
    ruleset = read_ruleset(game, game.variants[0].name if variant is None else variant, overrides)
    choice = read_openings(openings, game, [ruleset])
    each = games + games % 2
    pairings = itertools.product(others, field) if field else itertools.combinations(others, 2)
    fixed = {name: not game.rules.DICE and is_deterministic(player, game) for name, player in players.items()}
    series = tuple(
        Series(ruleset, first, second, each, seed, choice.between(both), both)
        for first, second in pairings
        for both in [fixed[first] and fixed[second]]
    )
    identities = {name: identity_of(player, game) for name, player in players.items()}
    identities = {name: identity for name, identity in identities.items() if identity}
    config = {
        "kind": KIND, "game": game.id, "variant": ruleset.label, "options": dict(overrides), "players": list(players),
        "field": list(field), "games": each, "seed": seed, "openings": choice.as_config(), "identities": identities,
        "parlour": version("parlour"), "rules": game.digest,
    }  # fmt: skip
    custom = {name: player for name, player in players.items() if player != name}
    return Plan(game, series, custom, identities, config)


def play_contest(plan: Plan, workers: Workers, on_played: OnPlayed, folder: Path | None) -> list[Score]:
    """Plays the games that ``folder`` does not have yet. The result of every pairing."""
    tallies = {series.key: Tally(series) for series in plan.series}

    def add(games: list[Played]) -> None:
        for played in games:
            tallies[played.fixture.series].add(played)
        on_played(games)

    if folder is None:
        play_plan(plan, workers, add)
    else:
        with Folder(folder, plan) as run:
            play_plan(plan, workers, add, run)
    return [tally.score() for tally in tallies.values()]


def standings(scores: Sequence[Score]) -> Standings:
    """Ratings from the scores of pairings."""
    names = list(dict.fromkeys(name for score in scores for name in (score.first, score.second)))
    scored = np.zeros((len(names), len(names)))
    for score in scores:
        i, j = names.index(score.first), names.index(score.second)
        first_points = score.wins + score.draws / 2
        scored[i, j] += first_points
        scored[j, i] += score.games - first_points
    ratings = rate(scored)
    order = sorted(range(len(names)), key=lambda k: -ratings[k].value)
    return Standings({names[k]: ratings[k] for k in order}, list(scores))


def _named(players: Players) -> dict[str, PlayerLike]:
    if isinstance(players, str):
        raise ValueError(f"players are a list of names, not {players!r}")
    named: dict[str, PlayerLike] = dict(players) if isinstance(players, Mapping) else {name: name for name in players}
    if len(named) < len(players):
        raise ValueError(f"a player is named twice: {list(players)}")
    return named
