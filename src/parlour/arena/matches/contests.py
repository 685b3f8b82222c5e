"""Matches between two players and tournaments of several. In every pairing both players sit in both seats, with the
same dice.

A player is given by a name that `parlour.players.parse_player` reads, or as a function or object under a name of your
own.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from parlour.arena.matches.sequential import DEFAULT_MAX_GAMES, play_sequential, sequential_plan
from parlour.arena.matches.standings import Standings, standings
from parlour.arena.matches.tally import Score, Tally, tallied
from parlour.arena.runs.journal import open_run
from parlour.arena.runs.playing import Threads, Workers, play_plan
from parlour.arena.runs.progress import run_progress
from parlour.arena.setting.game_specs import OnPlayed, Plan
from parlour.arena.setting.ladder import rungs_among
from parlour.arena.setting.openings import AUTO, OpeningsLike, read_openings
from parlour.arena.setting.plans import Cast, Players, exact_folder, named_player, named_players, with_judge
from parlour.arena.setting.rulesets import read_ruleset
from parlour.arena.statistics.sprt import Sprt
from parlour.engine.game import Game
from parlour.interfaces.registry import find
from parlour.players import PlayerLike
from parlour.players.inputs import PLANES

KIND = "contest"
DEFAULT_GAMES = 100


def match(
    game: str,
    first: PlayerLike | Mapping[str, PlayerLike],
    second: PlayerLike | Mapping[str, PlayerLike],
    *,
    games: int | None = None,
    variant: str | None = None,
    seed: int = 0,
    openings: OpeningsLike = AUTO,
    workers: Workers | None = None,
    folder: str | Path | None = None,
    sprt: tuple[float, float] | Sprt | None = None,
    confirm: int = 0,
    judge: str | None = None,
    on_played: OnPlayed = lambda played: None,
    progress: bool | None = None,
    exact: str | Path | None = None,
    inputs: str = PLANES,
    **options: object,
) -> Score:
    """Plays two players against each other. Each pair of games has the same dice, with the seats exchanged.

    Args:
        game: an id such as ``"agon-v0"``.
        first, second: a name such as ``"mcts:200"``, a function ``(observation, action_mask) -> actions``, or a
            player object; or one of these by a name of your own, as in ``{"mine": player}``.
        games: the number of games; an odd number is rounded up, since games are played in pairs. 100 by default. With
            ``sprt`` it is the largest number of games, 100,000 by default.
        variant: a variant's name; None for the game's first.
        seed: the random seed.
        openings: how games begin: see `parlour.arena.setting.openings`.
        workers: what plays the games; None for `parlour.arena.Threads`, one per core.
        folder: a folder that saves every finished game. The same call resumes a run that was stopped, and a call with
            more games adds to it.
        sprt: two differences in Elo, such as ``(0, 10)``, or a `parlour.arena.statistics.sprt.Sprt`: the match stops
            when a sequential test between them ends.
        confirm: how many further games are played after such a stop, for an estimate without bias.
        judge: in a game with dice, the player that values throws, so that the result is also given without their luck
            (`parlour.players.luck`): ``"champion"``, ``"value:FILE"``, one of these with ``:2turns``, or
            ``"exact:FOLDER"``; ``"none"`` for none. None: the champion, if it knows the variant. A sequential test goes
            by the results without luck.
        on_played: called with games as they finish.
        progress: whether a progress bar is shown; None: only if standard error is a terminal.
        exact: the folder of a table of `parlour.solve`, by which `Score.regrets` tells what players give away; None for
            that of a player ``exact:FOLDER``, if one plays.
        inputs: what players see that are functions: ``"planes"``, the observation; ``"thermometer"``,
            ``"thermometer:int8"`` or ``"features"``, as in `parlour.wrappers.SelfPlayVectorEnv`.
        **options: option values that replace those of the variant.

    Raises:
        ValueError: for any argument that is not valid.
        OSError: if the folder can't be written.
        parlour.IllegalMove: if a player plays an illegal action.
    """
    if first == second:
        raise ValueError(f"a match takes two players, not {first!r} against itself")
    pair = [named_player(player) for player in (first, second)]
    if pair[0][0] == pair[1][0]:
        pair = [(f"{name} {number}", player) for number, (name, player) in enumerate(pair, 1)]
    named = dict(pair)
    test = Sprt(*sprt) if isinstance(sprt, tuple) else sprt
    plan = plan_match(find(game), named, games, variant, seed, options, openings, test, confirm, exact, judge, inputs)
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
    exact: str | Path | None = None,
    judge: str | None = None,
    inputs: str = PLANES,
) -> Plan:
    """All games of a match, its sequential test and its confirmation. ValueError for an argument that is not valid."""
    if confirm < 0 or (confirm and test is None):
        raise ValueError(f"confirm is a number of games after a sequential test, not {confirm} without one")
    max_games = (DEFAULT_GAMES if test is None else DEFAULT_MAX_GAMES) if games is None else games
    plan = plan_contest(game, players, [], max_games, variant, seed, overrides, openings, inputs)
    plan = with_judge(replace(plan, exact=exact_folder(exact, players)), judge)
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
    with run_progress(plan.games, folder, progress, on_played) as bar:
        if test is None:
            return play_contest(plan, workers, bar, folder)[0]
        return play_sequential(plan, test, workers, bar, bar.describe, folder)


def tournament(
    game: str,
    players: Players,
    *,
    field: Players = (),
    games: int = 100,
    variant: str | None = None,
    seed: int = 0,
    openings: OpeningsLike = AUTO,
    judge: str | None = None,
    workers: Workers | None = None,
    folder: str | Path | None = None,
    on_played: OnPlayed = lambda played: None,
    progress: bool | None = None,
    inputs: str = PLANES,
    **options: object,
) -> Standings:
    """Plays every player against every other. With a ``field``: every player against each player in the field.

    ``games`` is the number of games of each pairing. A call with further players adds to a folder. ``judge``: as in
    `match`, but None for none. Everything else is as in `match`.
    """
    against = named_players(field, "field")
    all_players = {**named_players(players, "players"), **against}
    plan = plan_contest(find(game), all_players, list(against), games, variant, seed, options, openings, inputs)
    plan = with_judge(plan, judge) if judge else plan
    path = Path(folder) if folder else None
    with run_progress(plan.games, path, progress, on_played) as bar:
        return standings(play_contest(plan, workers or Threads(), bar, path), rungs_among(plan))


def plan_contest(
    game: Game,
    players: Mapping[str, PlayerLike],
    field: Sequence[str],
    games: int,
    variant: str | None,
    seed: int,
    overrides: Mapping[str, object],
    openings: OpeningsLike = AUTO,
    inputs: str = PLANES,
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
    ruleset = read_ruleset(game, variant, overrides)
    choice = read_openings(openings, game, [ruleset], players.values(), seed)
    each = games + games % 2
    pairings = itertools.product(others, field) if field else itertools.combinations(others, 2)
    cast = Cast(game, players, inputs)
    series = tuple(cast.series(ruleset, first, second, each, seed, choice) for first, second in pairings)
    entries = {
        "variant": ruleset.label, "options": dict(overrides), "players": list(players), "field": list(field),
        "games": each, "seed": seed, "openings": choice.as_config(),
    }  # fmt: skip
    return Plan(game, series, cast.custom, cast.identities, cast.config(KIND, entries), inputs=inputs)


def play_contest(plan: Plan, workers: Workers, on_played: OnPlayed, folder: Path | None) -> list[Score]:
    """Plays the games that ``folder`` does not have yet. The result of every pairing."""
    tallies = {series.key: Tally(series) for series in plan.series}

    with open_run(folder, plan) as run:
        play_plan(plan, workers, tallied(tallies, on_played), run)
    return [tally.score() for tally in tallies.values()]
