"""How strong a player is: its Elo on the ladder of a variant, from as few games as possible.

The player meets rungs of the ladder in pairs of games, a few pairs at a time. The next rung is always the one that is
expected to make the interval of the rating smallest. Games stop as soon as the interval is as small as the user wants.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.arena.matches.tally import RegretScore, RegretTally, Score, Tally, as_good_as, regret_lines
from parlour.arena.runs.playing import Run, Threads, Workers, run_progress
from parlour.arena.setting.ladder import Ladder, ladder_of
from parlour.arena.setting.openings import read_openings
from parlour.arena.setting.plans import OnPlayed, Participants, Plan, Played, exact_folder, named_player, with_judge
from parlour.arena.statistics import NOTHING, Estimate, Z, score
from parlour.arena.statistics.anchored_rating import AnchoredRating, played_all
from parlour.arena.statistics.ratings import ELO
from parlour.arena.statistics.tables import DataFrame, frame_of
from parlour.engine.game import Game
from parlour.interfaces.registry import find
from parlour.players import PlayerLike
from parlour.players.inputs import PLANES
from parlour.support.arguments import is_number, shown, whole_number
from parlour.support.signed import signed

KIND = "rating"
WITHIN, MIN_WITHIN, MAX_WITHIN = 30.0, 5.0, 400.0
PAIRS = 16
"""Pairs of games before the rating is computed again."""
MIN_PAIRS = 32
"""No rating ends with fewer pairs of games. A player is off the scale if it has won this many pairs, and all, against
the strongest rung, or lost this many, and all, against the weakest."""
DEFAULT_GAMES, MAX_GAMES = 4000, 1_000_000
ALL_WON = "all won"
SURPRISING = 3.0
"""A note says so if a score is more than this many standard errors from what the rating expects."""


@dataclass(frozen=True)
class Rating:
    """How strong a player is.

    Attributes:
        player: its name.
        game: the game's id.
        variant: the variant's name.
        zero: the rung whose Elo is 0.
        elo: its rating; NaN if it is off the scale.
        low, high: the ends of the 95 % interval, which includes the uncertainty of the ladder.
        games: how many games were counted.
        off_scale: ``"all won"`` or ``"below `random`"`` in place of a rating, else empty.
        sure_to_beat: the rungs that are weaker than the player with 97.5 % confidence each, the strongest first.
        rows: `against` as plain data.
        notes: sentences about games that are not counted, surprising scores, and a wide interval.
        regrets: with a table of exact values, what the player gave away, in all games played.
        judge: the player that valued throws; empty for none. With a judge ``elo``, ``low`` and ``high`` are without the
            luck of the dice (see `parlour.players.luck`), and ``raw`` and ``worth`` have a value.
        raw: the rating by the raw results.
        worth: how many times as many games would be needed for ``raw`` to be as exact.
    """

    player: str
    game: str
    variant: str
    zero: str
    elo: float
    low: float
    high: float
    games: int
    off_scale: str
    sure_to_beat: tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]
    notes: tuple[str, ...] = ()
    regrets: tuple[RegretScore, ...] = ()
    judge: str = ""
    raw: Estimate = NOTHING
    worth: float = math.nan

    @property
    def against(self) -> DataFrame:
        """The results as a DataFrame, a row for each rung that the player met: ``rung``, ``elo``, ``games``, ``wins``,
        ``draws``, ``losses``, ``score``, ``adjusted`` (the score adjusted for luck; NaN without a judge), ``expected``
        (the score by the rating), ``surprise`` (score minus expected, in standard errors)."""
        return frame_of(self.rows)

    def __str__(self) -> str:
        """A line with the rating, and further lines."""
        where = f"on the ladder of {self.game}, {self.variant} (zero: {self.zero})"
        off = (f"{self.off_scale}, ", ",") if self.off_scale else ("", "")
        elo = elo_in_words(self.elo, self.low, self.high)
        first = f"{self.player}: {off[0]}{elo}{off[1]} {where}, {self.games} games"
        beaten = f"sure to beat: {', '.join(self.sure_to_beat)}" if self.sure_to_beat else "sure to beat: no rung"
        return "\n".join([first, *self.with_luck, beaten, *regret_lines(self.regrets), *self.notes])

    @property
    def with_luck(self) -> list[str]:
        """With a judge, a sentence on the raw rating; nothing without one, or off the scale."""
        if not self.judge or self.off_scale:
            return []
        raw = elo_in_words(self.raw.value, self.raw.low, self.raw.high)
        return [f"adjusted for luck ({self.judge}); without that: {raw}", *as_good_as(self.worth)]


def elo_in_words(elo: float, low: float, high: float) -> str:
    """A rating with its interval; if it is off the scale (``elo`` is NaN), its bound."""
    if math.isnan(elo):
        return f"Elo {signed(low, 0)} or more" if math.isinf(high) else f"Elo {signed(high, 0)} or less"
    return f"Elo {signed(elo, 0)} [{signed(low, 0)}, {signed(high, 0)}]"


def rate(
    game: str,
    player: PlayerLike | Mapping[str, PlayerLike],
    *,
    variant: str | None = None,
    within: float = WITHIN,
    games: int = DEFAULT_GAMES,
    seed: int = 0,
    workers: Workers | None = None,
    folder: str | Path | None = None,
    on_played: OnPlayed = lambda played: None,
    progress: bool | None = None,
    exact: str | Path | None = None,
    judge: str | None = None,
    inputs: str = PLANES,
) -> Rating:
    """Rates a player on the ladder of a variant.

    Args:
        game: an id such as ``"agon-v0"``.
        player: as in `parlour.arena.match`.
        variant: a variant's name; None for the game's first.
        within: games stop when half the width of the 95 % interval is at most this, in Elo, from 5 to 400.
        games: the largest number of games.
        seed, workers, on_played, progress: as in `parlour.arena.match`.
        folder: a folder that saves every finished game. The same call resumes a run that was stopped.
        exact: the folder of a table of `parlour.solve`, from which `Rating.regrets` is computed; None for the table of
            a player ``exact:FOLDER``.
        judge: in a game with dice, the player that values throws, so that the rating is without their luck: as in
            `parlour.arena.match`.
        inputs: what the player sees if it is a function: as in `parlour.arena.match`.

    Raises:
        ValueError: for any argument that is not valid, for a variant without a ladder, and for a ladder that no longer
            fits.
        OSError: if the folder can't be written.
        parlour.IllegalMove: if the player plays an illegal action.
    """
    planned = plan_rating(find(game), player, variant, within, games, seed, exact, judge, inputs)
    plan, ladder = planned.plan, planned.ladder
    tallies, regrets = {series.key: Tally(series) for series in plan.series}, RegretTally()
    rating = AnchoredRating(ladder.scale(), np.zeros((len(ladder.rungs), 3, 3)))
    pairs = np.zeros(len(ladder.rungs), np.int64)
    path, workers = Path(folder) if folder else None, workers or Threads()
    with run_progress(planned.games, path, progress, on_played) as bar, Run(plan, workers, path) as run:

        def add(games: list[Played]) -> None:
            for played in games:
                tallies[played.spec.series].add(played)
                regrets.add(played)
            bar(games)

        while not _ended(planned, rating, pairs):
            rung = rating.next_opponent(PAIRS)
            pairs[rung] += PAIRS
            run.play(add, [replace(plan.series[rung], games=2 * int(pairs[rung]))])
            played = list(zip(tallies.values(), pairs.tolist()))
            tables = np.stack([tally.pair_table(count) for tally, count in played])
            adjusted = tuple(tally.adjusted_scores(count) for tally, count in played if tally.series.judge)
            rating = replace(rating, tables=tables, adjusted=adjusted)
            if rating.pairs.any():
                bar.describe(f"Elo {signed(rating.elo, 0)} ± {rating.half_width:.0f}")
    result = _result(planned, rating, list(tallies.values()), pairs)
    return replace(result, regrets=tuple(one for one in regrets.scores() if one.player == planned.player))


@dataclass(frozen=True)
class RatingPlan:
    """What a rating is made of: see `rate`. ``plan`` has a series of ``player`` against each rung."""

    plan: Plan
    player: str
    ladder: Ladder
    within: float
    games: int


def plan_rating(
    game: Game,
    player: PlayerLike | Mapping[str, PlayerLike],
    variant: str | None = None,
    within: float = WITHIN,
    games: int = DEFAULT_GAMES,
    seed: int = 0,
    exact: str | Path | None = None,
    judge: str | None = None,
    inputs: str = PLANES,
) -> RatingPlan:
    """The plan of a rating. ValueError as `rate` raises it."""
    if not is_number(within) or not MIN_WITHIN <= within <= MAX_WITHIN:
        raise ValueError(f"within must be from {MIN_WITHIN:g} to {MAX_WITHIN:g} Elo, not {shown(within)}")
    most = whole_number("games", games, 4 * MIN_PAIRS, MAX_GAMES)
    ladder, ruleset = ladder_of(game, variant)
    name, rated = named_player(player)
    if name in ladder.names:
        name += " (rated)"
    participants = Participants(game, {name: rated, **{rung: rung for rung in ladder.names}}, inputs)
    openings = read_openings(ladder.openings, game, [ruleset])
    series = tuple(participants.series(ruleset, name, rung, most + most % 2, seed, openings) for rung in ladder.names)
    entries = {
        "variant": ruleset.label, "players": [name, *ladder.names], "seed": seed, "games": most + most % 2,
        "openings": ladder.openings, "ladder": ladder.journal, "within": within,
    }  # fmt: skip
    plan = Plan(
        game, series, participants.custom, participants.identities, participants.config(KIND, entries),
        exact=exact_folder(exact, [name]), inputs=inputs,
    )  # fmt: skip
    return RatingPlan(with_judge(plan, judge), name, ladder, within, most)


def _ended(planned: RatingPlan, rating: AnchoredRating, pairs: NDArray[np.int64]) -> bool:
    """Whether enough games have been played, or all."""
    if 2 * (pairs.sum() + PAIRS) > planned.games:
        return True
    if rating.pairs.sum() < MIN_PAIRS:
        return False
    exact_enough = rating.half_width <= planned.within or _is_limited_by_ladder(planned, rating)
    return bool(exact_enough or _off_scale(planned.ladder, rating))


def _is_limited_by_ladder(planned: RatingPlan, rating: AnchoredRating) -> bool:
    """Whether more games would hardly help, since most of the interval comes from the ladder."""
    return rating.own_half_width <= planned.within / 2


def _off_scale(ladder: Ladder, rating: AnchoredRating) -> str:
    """Why a player has no rating; empty if it has one."""
    enough = rating.pairs >= MIN_PAIRS
    if enough[-1] and played_all(rating.tables, 2)[-1]:
        return ALL_WON
    lost = enough[0] and played_all(rating.tables, 0)[0]
    above, half_widths = rating.above() if rating.pairs.any() else (np.zeros(1), np.zeros(1))
    return f"below `{ladder.names[0]}`" if lost or above[0] + half_widths[0] < 0 else ""


def _result(planned: RatingPlan, rating: AnchoredRating, tallies: list[Tally], pairs: NDArray[np.int64]) -> Rating:
    ladder, off_scale = planned.ladder, _off_scale(planned.ladder, rating)
    elo, low, high = rating.elo, rating.elo - rating.half_width, rating.elo + rating.half_width
    if off_scale == ALL_WON:
        least = score(np.ones(int(rating.pairs[-1]))).low
        elo, low, high = math.nan, float(rating.scale.elo[-1]) + ELO * math.log(least / (1 - least)), math.inf
    elif off_scale:
        elo, low = math.nan, -math.inf
    beaten = [name for name, above, half_width in zip(ladder.names, *rating.above()) if above > half_width]
    scores = {k: tallies[k].score(int(pairs[k])) for k in np.flatnonzero(rating.pairs).tolist()}
    rows = [_row(each, ladder.rungs[k].elo, float(rating.expected()[k])) for k, each in scores.items()]
    notes = [f"against {each.second}: {note}" for each in scores.values() for note in each.notes]
    if not off_scale:
        notes += [
            f"against {row['rung']} it scored {row['score']:.3f}, where its rating expects {row['expected']:.3f}: how "
            "strong it is depends on the opponent"
            for row in rows
            if abs(row["surprise"]) > SURPRISING
        ]
        notes += _why_wide(planned, rating)
    result = Rating(
        planned.player, planned.plan.game.id, ladder.variant, ladder.zero, elo, low, high,
        int(2 * rating.pairs.sum()), off_scale, tuple(reversed(beaten)), tuple(rows), tuple(notes),
    )  # fmt: skip
    if not rating.adjusted:
        return result
    raw = replace(rating, adjusted=())
    estimate = Estimate(raw.elo, raw.elo - raw.half_width, raw.elo + raw.half_width, result.games)
    judge = planned.plan.series[0].judge
    return replace(result, judge=judge, raw=estimate, worth=raw.own_variance / rating.own_variance)


def _row(score: Score, elo: float, expected: float) -> dict[str, Any]:
    """A row of `Rating.rows`."""
    error = (score.score.high - score.score.low) / (2 * Z)
    return {
        "rung": score.second, "elo": elo,
        "games": score.games, "wins": score.wins, "draws": score.draws, "losses": score.losses,
        "score": score.score.value, "adjusted": score.adjusted.value, "expected": expected,
        "surprise": (score.score.value - expected) / error,
    }  # fmt: skip


def _why_wide(planned: RatingPlan, rating: AnchoredRating) -> list[str]:
    """A sentence if the interval is wider than the user wanted."""
    if rating.half_width <= planned.within:
        return []
    limited = _is_limited_by_ladder(planned, rating)
    why = "the ladder's own intervals allow no less" if limited else f"{planned.games} games were allowed"
    return [f"the interval is ± {rating.half_width:.0f} Elo, not ± {planned.within:g} as asked for: {why}"]
