"""Matches between two players and tournaments of several, in every pairing with both seats and the same dice.

Players are named as `parlour.players.parse_player` reads them; functions and player objects get names of your own.
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
from parlour.arena.progress import watched
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
"""Players' names; or anything that plays, by names of your own."""
KIND = "contest"
DEFAULT_GAMES = 100


@dataclass(frozen=True)
class Standings:
    """The result of a tournament.

    Attributes:
        ratings: the Elo of each player by its name, with mean 0, the best first.
        scores: of every pairing that was played.
    """

    ratings: Mapping[str, Estimate]
    scores: list[Score]

    @property
    def names(self) -> list[str]:
        """The players, the best first."""
        return list(self.ratings)

    def __str__(self) -> str:
        """A line a player, then a line a pairing."""
        width = max(map(len, self.names))
        rated = [
            f"{name:<{width}}  {rating.value:+6.0f}  [{rating.low:+.0f}, {rating.high:+.0f}]  {rating.count} games"
            for name, rating in self.ratings.items()
        ]
        return "\n".join([*rated, *map(str, self.scores)])

    def rating_rows(self) -> list[dict[str, Any]]:
        """A row a player, the best first."""
        return [
            {"player": name, "elo": found.value, "low": found.low, "high": found.high, "games": found.count}
            for name, found in self.ratings.items()
        ]

    def to_frame(self) -> DataFrame:
        """The ratings as a DataFrame, a row a player. ValueError without pandas."""
        return frame_of(self.rating_rows())

    def scores_frame(self) -> DataFrame:
        """The pairings as a DataFrame, a row each. ValueError without pandas."""
        return frame_of([made.as_row() for made in self.scores])

    def _repr_html_(self) -> str:
        """The ratings as a table, for notebooks."""
        rows = [
            [str(place), name, f"{found.value:+.0f}", f"{found.low:+.0f} to {found.high:+.0f}", str(found.count)]
            for place, (name, found) in enumerate(self.ratings.items(), 1)
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
    """Plays two players against each other, both in both seats with the same dice.

    Args:
        game: an id such as ``"agon-v0"``.
        first, second: a name such as ``"mcts:200"``, a function ``(observation, action_mask) -> actions``, or a
            player's object.
        games: how many, in pairs: an odd number is rounded up; 100 by default. With ``sprt``: how many at most;
            100,000 by default.
        variant: a variant's name; None for the game's first.
        seed: the random seed.
        openings: how games begin: see `parlour.arena.openings`.
        workers: what plays: None for `parlour.arena.Threads`, one for each core.
        folder: a folder that keeps every finished game; the same call resumes a run that was stopped, and a call with
            more games goes on from there.
        sprt: two differences in Elo, such as ``(0, 10)``, or a `parlour.arena.statistics.sprt.Sprt`: the match stops
            when a sequential test between them ends.
        confirm: how many further games are played after such a stop, for an estimate without its bias.
        on_played: told of games as they finish.
        progress: whether a progress bar is shown; None for one if standard error is a terminal.
        **options: options on top of the variant.

    Raises:
        ValueError: for anything that is not valid.
        OSError: if the folder can't be written.
        parlour.IllegalMove: if a player plays what is not legal.
    """
    if first == second:
        raise ValueError(f"a match takes two players, not {first!r} against itself")
    names = [name_of(player) for player in (first, second)]
    if names[0] == names[1]:
        names = [f"{name} {place}" for place, name in enumerate(names, 1)]
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
    """All games of a match, with those of a sequential test and its confirmation. ValueError for what is not valid."""
    if confirm < 0 or (confirm and test is None):
        raise ValueError(f"confirm is a number of games after a sequential test, not {confirm} without one")
    most = (DEFAULT_GAMES if test is None else DEFAULT_MAX_GAMES) if games is None else games
    plan = plan_contest(game, players, [], most, variant, seed, overrides, openings)
    return plan if test is None else sequential_plan(plan, test, confirm)


def play_match(
    plan: Plan,
    test: Sprt | None,
    workers: Workers,
    folder: Path | None,
    on_played: OnPlayed = lambda played: None,
    progress: bool | None = None,
) -> Score:
    """Plays what ``folder`` does not hold yet."""
    with watched(plan.games, folder, progress) as watch:

        def told(games: list[Played]) -> None:
            watch(games)
            on_played(games)

        if test is None:
            return play_contest(plan, workers, told, folder)[0]
        return play_sequential(plan, test, workers, told, watch.say, folder)


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
    """Plays every player against every other; or, with a ``field``, every player against every one in the field.

    ``games`` is for each pairing. A call with further players resumes a folder, too. Everything else is as for `match`.
    """
    everybody = {**_named(players), **_named(field)}
    plan = plan_contest(find(game), everybody, list(_named(field)), games, variant, seed, options, openings)
    with watched(plan.games, Path(folder) if folder else None, progress) as watch:

        def told(games: list[Played]) -> None:
            watch(games)
            on_played(games)

        return standings(play_contest(plan, workers or Threads(), told, Path(folder) if folder else None))


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
    """All games of a match or tournament. ``field``: those among ``players`` that all others play against; if
    empty, everybody plays everybody. ValueError for what is not valid."""
    if len(players) < 2:
        raise ValueError(f"two players or more are needed, not {list(players)}")
    if games < 1:
        raise ValueError(f"games must be 1 or more, not {games}")
    others = [name for name in players if name not in field]
    if not others:
        raise ValueError("all players are in the field, so that nobody plays against it")
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
    """Plays what ``folder`` does not hold yet. The result of every pairing."""
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
    names = list(dict.fromkeys(name for made in scores for name in (made.first, made.second)))
    scored = np.zeros((len(names), len(names)))
    for made in scores:
        i, j = names.index(made.first), names.index(made.second)
        own = made.wins + made.draws / 2
        scored[i, j] += own
        scored[j, i] += made.games - own
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
