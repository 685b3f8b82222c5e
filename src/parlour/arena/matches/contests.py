"""Matches between two players and tournaments of several, with their ratings. In every pairing both players sit in both
seats, with the same dice. A player is given by a name that `parlour.players.parse_player` reads, or as a function or
object under a name of your own.

A match with a sequential probability ratio test (SPRT) stops when the evidence suffices. The test takes pairs of games
by their index, not in the order in which they finish, so that it ends at the same pair on any number of threads. It
stops at a moment that favours the hypothesis that it accepts. Therefore the score up to that moment is biased. Further
games, whose number is fixed beforehand, give an estimate without that bias.

With a judge the test of an Elo difference takes the scores of pairs adjusted for luck; each adjustment depends on
earlier pairs alone (`parlour.arena.statistics.control`). Adjusted scores all differ, so the time of an evaluation grows
with their number. Therefore the test is evaluated after every pair at first, and later whenever there are 1/64 more
pairs. Its error bounds hold for any choice of these moments (Ville, *Étude critique de la notion de collectif*, 1939).
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from parlour.arena.matches.tally import Score, SequentialResult, Tally, elo_text, tallied
from parlour.arena.runs.playing import Run, Threads, Workers, play_plan, run_progress
from parlour.arena.setting.ladder import rungs_among
from parlour.arena.setting.openings import AUTO, OpeningsLike, read_openings
from parlour.arena.setting.plans import (
    OnPlayed,
    Participants,
    Plan,
    Played,
    Players,
    Series,
    exact_folder,
    named_player,
    named_players,
    with_judge,
)
from parlour.arena.setting.rulesets import read_ruleset
from parlour.arena.statistics import Estimate, Z
from parlour.arena.statistics.control import RunningAdjustment
from parlour.arena.statistics.engine_testing import CONTINUE, Sprt, pentanomial
from parlour.arena.statistics.ratings import rate
from parlour.arena.statistics.tables import DataFrame, frame_of, html_of
from parlour.engine.game import Game
from parlour.interfaces.registry import find
from parlour.players import PlayerLike
from parlour.players.inputs import PLANES
from parlour.rulebook.chance import checked_seed
from parlour.support.arguments import whole_number
from parlour.support.signed import signed

DEFAULT_MAX_GAMES = 100_000
"""After this number of games a test ends without a verdict."""
CONFIRMATION = "confirmation"
GROWTH = 64
"""With a judge the test is evaluated again when there are 1 / `GROWTH` more pairs."""
KIND = "contest"
DEFAULT_GAMES = 100


@dataclass(frozen=True)
class Standings:
    """The result of a tournament.

    Attributes:
        ratings: the Elo rating of each player by its name, with mean 0, the best first.
        scores: the result of every pairing that was played.
        adjusted: with a judge, the ratings by the scores without the luck of the dice; else empty.
        rungs: those players that are rungs of the variant's ladder, with their Elo there.
    """

    ratings: Mapping[str, Estimate]
    scores: list[Score]
    adjusted: Mapping[str, Estimate] = field(default_factory=dict)
    rungs: Mapping[str, float] = field(default_factory=dict)

    @property
    def on_ladder(self) -> dict[str, float]:
        """The ratings on the variant's ladder: rungs have the Elo that they have there; the ratings of others are moved
        by as much as those of the rungs, on average over their games. Empty if no player is a rung."""
        if not self.rungs:
            return {}
        known = [(self.ratings[name], elo) for name, elo in self.rungs.items()]
        games = sum(rating.count for rating, _ in known)
        shift = sum(rating.count * (elo - rating.value) for rating, elo in known) / games
        return {name: self.rungs.get(name, rating.value + shift) for name, rating in self.ratings.items()}

    @property
    def names(self) -> list[str]:
        """The players, the best first."""
        return list(self.ratings)

    def __str__(self) -> str:
        """One line per player, then one line per pairing."""
        width = max(map(len, self.names))
        rated = [
            f"{name:<{width}}  {signed(rating.value, 0):>6}  [{signed(rating.low, 0)}, {signed(rating.high, 0)}]  "
            f"{rating.count} games" + (f", adjusted for luck {elo_text(self.adjusted[name])}" if self.adjusted else "")
            for name, rating in self.ratings.items()
        ]
        return "\n".join([*rated, *map(str, self.scores)])

    def rating_rows(self) -> list[dict[str, Any]]:
        """One row per player, the best first."""
        ladder = self.on_ladder
        return [
            {"player": name, "elo": rating.value, "low": rating.low, "high": rating.high, "games": rating.count}
            | ({"ladder": ladder[name]} if ladder else {})
            | (_adjusted_row(self.adjusted[name]) if self.adjusted else {})
            for name, rating in self.ratings.items()
        ]

    def to_frame(self) -> DataFrame:
        """The ratings as a DataFrame, one row per player. ValueError without pandas."""
        return frame_of(self.rating_rows())

    def scores_frame(self) -> DataFrame:
        """The pairings as a DataFrame, one row per pairing. ValueError without pandas."""
        return frame_of([score.as_row() for score in self.scores])

    def _repr_html_(self) -> str:
        rows = [
            [str(rank), name, signed(elo.value, 0), f"{signed(elo.low, 0)} to {signed(elo.high, 0)}", str(elo.count)]
            for rank, (name, elo) in enumerate(self.ratings.items(), 1)
        ]
        return html_of(["", "player", "Elo", "95 %", "games"], rows)


def standings(scores: Sequence[Score], rungs: Mapping[str, float] | None = None) -> Standings:
    """Ratings from the scores of pairings. ``rungs``: see `Standings`."""
    names = list(dict.fromkeys(name for score in scores for name in (score.first, score.second)))
    scored, without, variances = np.zeros((3, len(names), len(names)))
    for score in scores:
        i, j = names.index(score.first), names.index(score.second)
        for sums, mean in ((scored, score.score), (without, score.adjusted)):
            share = min(max(mean.value, 0.0), 1.0)
            sums[i, j] += score.games * share
            sums[j, i] += score.games * (1 - share)
        variances[i, j] += (score.games * (score.adjusted.high - score.adjusted.low) / (2 * Z)) ** 2
    ratings = rate(scored)
    judged = all(score.judge for score in scores)
    adjusted = rate(without, variances + variances.T) if judged else []
    order = sorted(range(len(names)), key=lambda k: -ratings[k].value)
    return Standings(
        {names[k]: ratings[k] for k in order}, list(scores), {names[k]: adjusted[k] for k in order if judged},
        dict(rungs or {}),
    )  # fmt: skip


def _adjusted_row(estimate: Estimate) -> dict[str, float]:
    return {"adjusted": estimate.value, "adjusted_low": estimate.low, "adjusted_high": estimate.high}


class SequentialTally(Tally):
    """A tally with a sequential test, which is updated with every complete pair of games.

    Attributes:
        verdict: ``"H0"``, ``"H1"`` or ``"continue"``.
        ratio: the log-likelihood ratio so far.
        pairs: how many pairs the test has looked at.
        adjusts: whether it goes by results adjusted for luck.
    """

    def __init__(self, series: Series, test: Sprt) -> None:
        super().__init__(series)
        self.test, self.verdict, self.ratio = test, CONTINUE, 0.0
        self.pairs = 0
        # normalised Elo is in standard deviations of results as they were played
        self.adjusts = bool(series.judge) and not test.normalised
        self._counts = [0] * 5
        self._scores: list[float] = []  # of pairs, adjusted for luck
        self._next_evaluation = 0  # how many of these scores it needs
        self._adjustment = RunningAdjustment()
        self._seen: set[tuple[int, ...]] = set()
        self._starts_seen: set[int] = set()

    @property
    def ended(self) -> bool:
        """Whether there is a verdict, or no pair is left."""
        return self.verdict != CONTINUE or 2 * self.pairs == self.series.games

    def add(self, played: Played) -> None:
        """Adds a finished game of the series, and tests the pairs that are complete, in order."""
        super().add(played)
        self._test_complete_pairs()

    def _test_complete_pairs(self) -> None:
        while not self.ended and self.is_complete(self.pairs):
            self._count_pair(self.pairs)
            self.pairs += 1
            if len(self._scores) >= self._next_evaluation or self.ended:
                self._next_evaluation = len(self._scores) + len(self._scores) // GROWTH + 1 if self._scores else 0
                self.ratio = self.test.log_likelihood_ratio(self._counts, self._scores)
                self.verdict = self.test.verdict(self.ratio)

    def _count_pair(self, pair: int) -> None:
        """Adds the score of a complete pair to the test, unless the pair is not counted."""
        counted, halves, digests, start = self.pair(pair)
        repeats = digests and digests in self._seen
        if not counted or (repeats and (self.series.distinct or len(self._seen) == len(self._starts_seen))):
            return
        self._seen.add(digests)
        self._starts_seen.add(start)
        if self.adjusts:
            self._scores.append(self._adjustment.add(halves / 4, self.pair_luck(pair)))
        else:
            (outcome,) = np.flatnonzero(pentanomial([halves / 4]))
            self._counts[int(outcome)] += 1

    def status(self) -> str:
        """The log-likelihood ratio and its bounds, for a progress bar."""
        low, high = self.test.bounds
        return f"LLR {signed(self.ratio, 2)} [{signed(low, 2)}, {signed(high, 2)}]"


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
        sprt: two differences in Elo, such as ``(0, 10)``, or a `parlour.arena.statistics.engine_testing.Sprt`: the
            match stops when a sequential test between them ends.
        confirm: how many further games are played after such a stop, for an estimate without bias.
        judge: in a game with dice, the player that values throws, so that the result is also given without their luck
            (`parlour.players.luck`): ``"champion"``, ``"value:FILE"``, one of these with ``:2turns``, or
            ``"exact:FOLDER"``; ``"none"`` for none. None: the champion, if it knows the variant. A sequential test then
            uses the results without luck.
        on_played: called with games as they finish.
        progress: whether a progress bar is shown; None: only if standard error is a terminal.
        exact: the folder of a table of `parlour.solve`, from which `Score.regrets` is computed; None for the table of a
            player ``exact:FOLDER``, if one plays.
        inputs: what players that are functions see: ``"planes"``, the observation; ``"thermometer"``,
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
    if test is None:
        return plan
    (series,) = plan.series
    more = (replace(series, games=confirm + confirm % 2, purpose=CONFIRMATION),) if confirm else ()
    config = {**plan.config, "sprt": dataclasses.asdict(test), "confirm": confirm}
    return replace(plan, series=(series, *more), config=config)


def play_match(
    plan: Plan,
    test: Sprt | None,
    workers: Workers,
    folder: Path | None,
    on_played: OnPlayed = lambda played: None,
    progress: bool | None = None,
) -> Score:
    """Plays the games of a match that ``folder`` does not have yet, and returns the result. With a test, games are
    played until it ends, and then all games of the confirmation."""
    first, *further = plan.series
    tally = Tally(first) if test is None else SequentialTally(first, test)
    confirming = [Tally(series) for series in further]
    with run_progress(plan.games, folder, progress, on_played) as bar, Run(plan, workers, folder) as run:

        def show(games: list[Played]) -> None:
            if isinstance(tally, SequentialTally):
                bar.describe(tally.status())
            bar(games)

        add = tallied({each.series.key: each for each in (tally, *confirming)}, show)
        run.play(add, [first], lambda: isinstance(tally, SequentialTally) and tally.ended)
        if further:
            run.play(add, further)
    if not isinstance(tally, SequentialTally):
        return tally.score()
    score, confirmation = tally.score(tally.pairs), next((each.score() for each in confirming), None)
    result = SequentialResult(tally.test, tally.verdict, tally.ratio, score.games, confirmation, tally.adjusts)
    return replace(score, sequential=result)


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
    games, seed = whole_number("games", games, 1), checked_seed(seed)
    others = [name for name in players if name not in field]
    if not others:
        raise ValueError("all players are in the field, so nobody is left to play against it")
    ruleset = read_ruleset(game, variant, overrides)
    choice = read_openings(openings, game, [ruleset], players.values(), seed)
    each = games + games % 2
    pairings = itertools.product(others, field) if field else itertools.combinations(others, 2)
    participants = Participants(game, players, inputs)
    series = tuple(participants.series(ruleset, first, second, each, seed, choice) for first, second in pairings)
    entries = {
        "variant": ruleset.label, "options": dict(overrides), "players": list(players), "field": list(field),
        "games": each, "seed": seed, "openings": choice.as_config(),
    }  # fmt: skip
    return Plan(
        game, series, participants.custom, participants.identities, participants.config(KIND, entries), inputs=inputs
    )


def play_contest(plan: Plan, workers: Workers, on_played: OnPlayed, folder: Path | None) -> list[Score]:
    """Plays the games that ``folder`` does not have yet, and returns the result of every pairing."""
    tallies = {series.key: Tally(series) for series in plan.series}
    play_plan(plan, workers, tallied(tallies, on_played), folder)
    return [tally.score() for tally in tallies.values()]
