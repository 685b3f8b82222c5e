"""Matches between two players and tournaments of several, in every pairing with both seats and the same dice.

Players are named as `parlour.players.parse_player` reads them; functions and players' objects have names of one's own.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from parlour.arena.fixtures import Fixture, Played, pair_points, pair_series, points
from parlour.arena.journal import Folder
from parlour.arena.playing import Threads, Told, Workers, play_fixtures
from parlour.arena.ratings import rate
from parlour.arena.statistics import Estimate, elo, score
from parlour.engine.game import Game
from parlour.players import PlayerLike, name_of
from parlour.registry import find
from parlour.rulebook.chance import row_seeds

Players: TypeAlias = "Sequence[str] | Mapping[str, PlayerLike]"
"""Players' names; or anything that plays, by names of one's own."""


@dataclass(frozen=True)
class Score:
    """What one player has made of another.

    Attributes:
        first, second: their names.
        games: how many.
        wins, draws, losses: of ``first``; a game that was cut is a draw.
        truncated: how many were cut.
        score: of ``first``, a draw being ½, from pairs of games with the same dice.
        elo: the same as a difference in Elo points.
        seated: the score of ``first`` in each half of the games: those in which it has the first seat, and the others.
    """

    first: str
    second: str
    games: int
    wins: int
    draws: int
    losses: int
    truncated: int
    score: Estimate
    elo: Estimate
    seated: tuple[Estimate, ...]

    def __str__(self) -> str:
        """One line."""
        made, difference = self.score, self.elo
        return (
            f"{self.first} against {self.second}: +{self.wins} ={self.draws} -{self.losses}, score "
            f"{made.value:.3f} [{made.low:.3f}, {made.high:.3f}], Elo {difference.value:+.0f} "
            f"[{difference.low:+.0f}, {difference.high:+.0f}]"
        )


@dataclass(frozen=True)
class Standings:
    """What came of a tournament.

    Attributes:
        names: the players, the best first.
        ratings: Elo of each, with the mean 0.
        scores: of every pairing that was played.
    """

    names: list[str]
    ratings: list[Estimate]
    scores: list[Score]

    def __str__(self) -> str:
        """A line a player, then a line a pairing."""
        width = max(map(len, self.names))
        rated = [
            f"{name:<{width}}  {rating.value:+6.0f}  [{rating.low:+.0f}, {rating.high:+.0f}]  {rating.count} games"
            for name, rating in zip(self.names, self.ratings)
        ]
        return "\n".join([*rated, *map(str, self.scores)])


@dataclass(frozen=True)
class Contest:
    """A match or a tournament before it is played.

    Attributes:
        game: which game.
        overrides: options on top of the variant.
        pairings: the names of those who meet.
        fixtures: the games of all pairings.
        policies: who plays under which name.
        config: all of this that the games follow from, for the folder.
    """

    game: Game
    overrides: Mapping[str, object]
    pairings: Sequence[tuple[str, str]]
    fixtures: Sequence[Fixture]
    policies: Mapping[str, PlayerLike]
    config: dict[str, Any]

    def play(self, workers: Workers, on_played: Told, folder: Path | None) -> list[Score]:
        """Plays what ``folder`` does not hold yet. The score of every pairing."""
        if folder is None:
            played = play_fixtures(self.game, self.overrides, self.fixtures, workers, on_played, None, self.policies)
        else:
            with Folder(folder, self.config, len(self.fixtures)) as run:
                on_played([run.played[number] for number in sorted(run.played)])
                played = play_fixtures(self.game, self.overrides, self.fixtures, workers, on_played, run, self.policies)
        each = len(self.fixtures) // len(self.pairings)
        parts = [slice(k * each, (k + 1) * each) for k in range(len(self.pairings))]
        return [
            tally(first, second, self.fixtures[part], played[part])
            for (first, second), part in zip(self.pairings, parts)
        ]


def match(
    game: str,
    first: str | PlayerLike,
    second: str | PlayerLike,
    *,
    games: int = 100,
    variant: str | None = None,
    seed: int = 0,
    workers: Workers | None = None,
    folder: str | Path | None = None,
    on_played: Told = lambda played: None,
    **options: object,
) -> Score:
    """Plays two players against one another, each in both seats with the same dice.

    Args:
        game: an id such as ``"agon-v0"``.
        first, second: a name such as ``"mcts:200"``, a function ``(observation, action_mask) -> actions``, or a
            player's object.
        games: how many, in pairs: an odd number is played as one more.
        variant: a variant's name; None for the game's first.
        seed: what all chance comes from.
        workers: who plays: None for `parlour.arena.Threads`, one a core.
        folder: where every finished game is written down, so that the same call goes on where it was stopped.
        on_played: told of games as they finish.
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
    contest = plan("match", find(game), named, [], games, variant, seed, options)
    return contest.play(workers or Threads(), on_played, Path(folder) if folder else None)[0]


def tournament(
    game: str,
    players: Players,
    *,
    field: Players = (),
    games: int = 100,
    variant: str | None = None,
    seed: int = 0,
    workers: Workers | None = None,
    folder: str | Path | None = None,
    on_played: Told = lambda played: None,
    **options: object,
) -> Standings:
    """Plays every player against every other; or, with a ``field``, every player against everyone in the field.

    ``games`` is for each pairing. Everything else is as for `match`.
    """
    everybody = {**_named(players), **_named(field)}
    contest = plan("tournament", find(game), everybody, list(_named(field)), games, variant, seed, options)
    scores = contest.play(workers or Threads(), on_played, Path(folder) if folder else None)
    return standings(scores)


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
    return Standings([names[k] for k in order], [ratings[k] for k in order], list(scores))


def plan(
    kind: str,
    game: Game,
    players: Mapping[str, PlayerLike],
    field: Sequence[str],
    games: int,
    variant: str | None,
    seed: int,
    overrides: Mapping[str, object],
) -> Contest:
    """Who meets whom, and in which games. ``field``: those among ``players`` against whom all others play; empty for
    everybody against everybody. ValueError for what is not valid."""
    if len(players) < 2:
        raise ValueError(f"two players or more are needed, not {list(players)}")
    if games < 1:
        raise ValueError(f"games must be 1 or more, not {games}")
    chosen, values = game.resolve(variant, overrides)
    seats, each = game.layout(values).seats, games + games % 2
    others = [name for name in players if name not in field]
    if not others:
        raise ValueError("everybody is in the field, so that nobody plays against it")
    pairings = list(itertools.product(others, field) if field else itertools.combinations(others, 2))
    fixtures: list[Fixture] = []
    for (first, second), own_seed in zip(pairings, row_seeds(seed, len(pairings)).tolist()):
        series = f"{first} against {second}"
        fixtures += pair_series(series, chosen.name, first, second, seats, each, own_seed, len(fixtures))
    config = {
        "kind": kind, "game": game.id, "variant": chosen.name, "options": dict(overrides), "players": list(players),
        "field": list(field), "games": each, "seed": seed, "parlour": version("parlour"), "rules": game.digest,
    }  # fmt: skip
    unread = {name: policy for name, policy in players.items() if policy != name}
    return Contest(game, overrides, pairings, fixtures, unread, config)


def tally(first: str, second: str, fixtures: Sequence[Fixture], games: Sequence[Played]) -> Score:
    """What ``first`` made of ``second`` in these games."""
    made = [points(first, fixture, played) for fixture, played in zip(fixtures, games)]
    total = score(pair_points(first, fixtures, games))
    seated = tuple(
        score([own for own, fixture in zip(made, fixtures) if fixture.players[0] == name]) for name in (first, second)
    )
    truncated = sum(played.truncated for played in games)
    wins, draws, losses = (made.count(value) for value in (1.0, 0.5, 0.0))
    return Score(first, second, len(games), wins, draws, losses, truncated, total, elo(total), seated)


def _named(players: Players) -> dict[str, PlayerLike]:
    if isinstance(players, str):
        raise ValueError(f"players are a list of names, not {players!r}")
    named: dict[str, PlayerLike] = dict(players) if isinstance(players, Mapping) else {name: name for name in players}
    if len(named) < len(players):
        raise ValueError(f"a player is named twice: {list(players)}")
    return named
