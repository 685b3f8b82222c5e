"""What is read off finished games by replaying them: one position of each, the pieces on the board through the game,
the path of its value by a network, and the luck of its throws.

Axis letters: T plies, C planes, M positions, G games, K kinds of pieces.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from parlour.arena.measures.kinds import PERCENT
from parlour.arena.runs.rows import Row
from parlour.arena.setting.rulesets import Ruleset
from parlour.arena.statistics import NOTHING, Estimate
from parlour.arena.statistics.regression import MIN_CLUSTERS, logistic
from parlour.engine.game import Game
from parlour.engine.games import Games
from parlour.engine.player import Player
from parlour.engine.view import GamesView
from parlour.players.luck import Judge, LuckRecorder
from parlour.players.simulate import Observer, Results, replay_games
from parlour.players.value_players import ValuePlayer

EVERY = 6
"""Pieces are counted every so many plies; their positions are dependent, which the errors allow for."""
RESAMPLES = 1000


@dataclass
class Followed:
    """A game that was replayed.

    Attributes:
        result: the score of seat 0: 1, ½ or 0.
        winner: the seat that won; −1 for none.
        start: the text of the position from which it began; empty for the usual start.
        position: the text of the position before a ply drawn at random.
        counts: int64 (M, 2, C), the sum of each plane as each of two seats sees it, every `EVERY` plies.
        values: (T,), what the position before each ply is worth to seat 0 by a network, from −1 to 1; empty without a
            network, and in games of other than two seats.
        points, luck: the result for seat 0, half of its difference to the other seat, and the luck in it by a judge;
            NaN without a judge.
    """

    result: float
    winner: int
    start: str = ""
    position: str = ""
    counts: list[NDArray[np.int64]] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    points: float = math.nan
    luck: float = math.nan


class _Follower(Observer):
    def __init__(self, games: Sequence[Followed], plies: NDArray[np.int64], player: Player) -> None:
        """``plies``: before which ply the position of each game is taken (G,)."""
        self._followed, self._chosen = games, plies
        self._player = player if isinstance(player, ValuePlayer) else None
        self._plies = np.zeros(len(games), np.int64)

    def before_step(
        self, games: Games, row_ids: NDArray[np.int64], game_numbers: NDArray[np.int64], actions: NDArray[np.int64]
    ) -> None:
        """See `Observer`."""
        values = None
        if self._player is not None and games.layout.seats == 2:
            values = self._player.network_values(GamesView(games))
        for row, number in zip(row_ids.tolist(), game_numbers.tolist()):
            one, ply = self._followed[number], int(self._plies[number])
            if ply == self._chosen[number]:
                one.position = games.position(row)
            if ply % EVERY == 0 and games.layout.seats == 2:
                seen = [games.observe_seat(row, seat)[0].sum(axis=(1, 2), dtype=np.int64) for seat in (0, 1)]
                one.counts.append(np.array(seen))
            if values is not None:
                one.values.append(float(values[row, 0]))
        self._plies[game_numbers] += 1


def follow(
    game: Game, ruleset: Ruleset, rows: Sequence[Row], player: Player, seed: int, judge: Judge | None = None
) -> list[Followed]:
    """Replays games of a journal that were played under a ruleset. ``player``: whose network values positions, if it
    has one; ``seed``: of the draw of positions; ``judge``: what values throws."""
    followed = [Followed(*_result(row), row.line.position) for row in rows]
    lengths = np.array([len(row.moves) for row in rows], np.int64)
    plies = (np.random.default_rng(seed).random(len(rows)) * lengths).astype(np.int64)
    observers: list[Observer] = [_Follower(followed, plies, player)]
    luck = LuckRecorder(judge, [row.line.random_plies for row in rows]) if judge else None

    def finished(results: Results, game_numbers: NDArray[np.int64]) -> None:
        if luck is None:
            return
        for number in game_numbers.tolist():
            own, other = results.returns[number]
            followed[number].points, followed[number].luck = (own - other) / 2, float(luck.luck_of(number)[0])

    replay_games(
        game, ruleset.values, [row.moves for row in rows], [row.line.seed for row in rows], on_finished=finished,
        positions=[row.line.position for row in rows], observers=[*observers, *([luck] if luck else [])],
    )  # fmt: skip
    return followed


def _result(row: Row) -> tuple[float, int]:
    """The score of seat 0 against the others, and the seat that won."""
    returns, best = row.line.returns, max(row.line.returns)
    if row.line.truncated or sum(value == best for value in returns) > 1:
        return 0.5, -1
    return float(returns[0] == best), returns.index(best)


def settled(games: Sequence[Followed]) -> Estimate:
    """The share of a decided game, in %, after which the winner is ahead by the network for good."""
    shares = []
    for one in games:
        if one.winner in (0, 1) and one.values:
            path = np.array(one.values) * (1 if one.winner == 0 else -1)
            behind = np.flatnonzero(path <= 0)
            shares.append(100 * (float(behind[-1]) + 1 if len(behind) else 0.0) / len(path))
    return PERCENT.estimate(shares)


def turned(games: Sequence[Followed], against: float = -0.5) -> Estimate:
    """The share of decided games, as 0 or 1 each in %, whose winner once stood at ``against`` or worse by the network:
    −0.5 is an expected score of a quarter."""
    decided = [one for one in games if one.winner in (0, 1) and one.values]
    hits = [100.0 * (min(np.array(one.values) * (1 if one.winner == 0 else -1)) <= against) for one in decided]
    return PERCENT.estimate(hits)


def luck_share(games: Sequence[Followed]) -> Estimate:
    """The share of the variance of results that luck explains, in %: their squared correlation, with the percentile
    interval of the bootstrap over games. Nothing where there is no judge or results do not vary."""
    both = np.array([(one.points, one.luck) for one in games if not math.isnan(one.luck)]).reshape(-1, 2)
    if len(both) < MIN_CLUSTERS or np.ptp(both, axis=0).min() == 0:
        return NOTHING
    drawn = np.random.default_rng(len(both)).integers(0, len(both), (RESAMPLES, len(both)))
    points, luck = np.moveaxis(both[drawn] - both[drawn].mean(axis=1, keepdims=True), 2, 0)
    spread = (points**2).sum(axis=1) * (luck**2).sum(axis=1)
    shares = (points * luck).sum(axis=1)[spread > 0] ** 2 / spread[spread > 0]
    low, high = (100 * np.quantile(shares, [0.025, 0.975])).tolist()
    return Estimate(100 * float(np.corrcoef(both.T)[0, 1] ** 2), low, high, len(both))


def counted(games: Sequence[Followed]) -> NDArray[np.int64]:
    """All counts of pieces of some games, at least one with any: (M, 2, C)."""
    return np.concatenate([np.array(one.counts) for one in games if one.counts])


def piece_planes(game: Game, ruleset: Ruleset, counts: NDArray[np.int64]) -> list[tuple[int, int]]:
    """The planes that count pieces: pairs of an own plane and that of the other seat, so that what one seat sees in the
    first the other seat always sees in the second, and whose numbers vary. ``counts``: (M, 2, C)."""
    planes = game.layout(dict(ruleset.values)).planes
    pairs = []
    for own in range(len(planes)):
        for other in range(own + 1, len(planes)):
            mirrored = (counts[:, 0, own] == counts[:, 1, other]).all() and (
                counts[:, 1, own] == counts[:, 0, other]
            ).all()
            if mirrored and planes[own].kind == "board" and np.ptp(counts[:, :, own]) > 0:
                pairs.append((own, other))
                break
    return pairs


def worth(game: Game, ruleset: Ruleset, games: Sequence[Followed]) -> dict[tuple[str, str], Estimate]:
    """What one more piece of a kind is worth to a seat, in log odds of its score: by the meaning of the plane that
    counts such pieces, and the seat's name. By logistic regression on the counts of all kinds together, positions from
    the same opening as one cluster. Empty if no kind varies, or if there are too few games."""
    with_counts = [one for one in games if one.counts]
    if len(with_counts) < MIN_CLUSTERS:
        return {}
    counts = counted(with_counts)
    clusters = np.repeat(np.arange(len(with_counts)), [len(one.counts) for one in with_counts])
    results = np.array([one.result for one in with_counts])[clusters]
    starts = {one.start: number for number, one in enumerate(with_counts) if one.start}
    openings = np.array([starts.get(one.start, number) for number, one in enumerate(with_counts)])[clusters]
    planes = game.layout(dict(ruleset.values)).planes
    names: list[tuple[str, str]] = []
    columns: list[NDArray[np.float64]] = []
    for own, _ in piece_planes(game, ruleset, counts):
        for seat in (0, 1):
            column = counts[:, seat, own].astype(np.float64) * (1 if seat == 0 else -1)
            before = np.column_stack([np.ones(len(column)), *columns])
            if np.linalg.matrix_rank(np.column_stack([before, column])) > before.shape[1]:
                names.append((planes[own].meaning, game.seat_name(seat)))
                columns.append(column)
    if not columns or np.ptp(results) == 0 or len(np.unique(openings)) < MIN_CLUSTERS:
        return {}
    return dict(zip(names, logistic(np.column_stack(columns), results, openings)))
