"""What an atlas measures besides: policies, by openings drawn from what players would play, their entropy, and how far
the policies of two variants lie apart on the same positions; and what is read off finished games by replaying them: the
pieces on the board through the game, the path of its value by a network, the luck of its throws; what a piece is worth,
by logistic regression and by its removal. ``docs/measures.md`` defines all of these.

Axis letters: M positions, N openings, T plies, A actions, C planes, G games, K kinds of pieces.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from parlour.arena.measures.kinds import PERCENT
from parlour.arena.runs.journal import Row
from parlour.arena.setting.rulesets import Ruleset
from parlour.arena.statistics import NOTHING, Estimate, Z, diversity, mean, scipy_stats
from parlour.engine.analysis import drawn
from parlour.engine.arrays import DISABLED
from parlour.engine.game import Game
from parlour.engine.games import Games
from parlour.engine.player import Player
from parlour.engine.rows import load_positions, read_positions
from parlour.engine.seeds import seed_words
from parlour.engine.variant_mix import single
from parlour.engine.view import GamesView
from parlour.players.luck import Judge, LuckRecorder
from parlour.players.simulate import Observer, Results, replay_games
from parlour.players.soft import Soft
from parlour.players.value_players import ValuePlayer
from parlour.rulebook.chance import row_seeds
from parlour.support.typed_json import Struct

ALIKE = 1e-9
"""Two values that differ by less are the same."""
ROUNDS, PRECISE, RIDGE = 100, 1e-9, 1e-3
MIN_CLUSTERS = 10
"""With fewer clusters nothing is said about how much they vary."""
EVERY = 6
"""Pieces are counted every so many plies; their positions are dependent, which the errors allow for."""
RESAMPLES = 1000
LETTER, ITEM, LOOSE = re.compile(r"[A-Za-z]"), re.compile(r"(?<=[,BW])K?\d+"), re.compile(r"(?<=[BW]),|,(?=[,: ])")


class SampledOpenings(Struct, frozen=True):
    """Openings that a softened player has played under one variant.

    Attributes:
        entropies: (N, T), that of the policy at each ply, in bits; 0 once the game is over.
        ends: (N,), the text of the position after them; empty where the game was over.
        inner: (N,), the text of the position before a ply drawn at random.
    """

    entropies: list[list[float]]
    ends: list[str]
    inner: list[str]

    def entropy(self) -> Estimate:
        """The entropy of openings of T plies, in bits: by the chain rule the mean of the sum of the entropies of the
        policies along each, which is unbiased however few openings there are."""
        return mean(np.array(self.entropies).sum(axis=1), low=0.0)

    def moves(self, plies: int | None = None) -> Estimate:
        """The effective number of moves a ply, of all plies or the first ``plies``: 2 to the mean entropy of a ply."""
        each = np.array(self.entropies)[:, :plies].mean(axis=1)
        bits = Estimate(each[0], each[0], each[0], 1) if np.ptp(each) == 0 else mean(each, low=0.0)
        return Estimate(2**bits.value, 2**bits.low, 2**bits.high, bits.count)

    def different(self) -> Estimate:
        """The effective number of different positions after T plies."""
        known = [text for text in self.ends if text]
        numbers = {text: number for number, text in enumerate(dict.fromkeys(known))}
        return diversity([numbers[text] for text in known])


def sampled_openings(game: Game, ruleset: Ruleset, player: Soft, plies: int, count: int, seed: int) -> SampledOpenings:
    """``count`` openings of ``plies`` plies each under a ruleset, played by a softened player. The same seed gives the
    same openings. ValueError as the player raises it."""
    games = Games(game, single(game, ruleset.values), count)
    games.begin(seed_words(row_seeds(seed, count).tolist()))
    view, entropies, actions = GamesView(games), np.zeros((count, plies)), np.zeros(count, np.int64)
    chosen, inner = np.random.default_rng(seed).integers(0, plies, count), [""] * count
    for ply in range(plies):
        rows = np.flatnonzero(games.states["end"] == 0)
        for row in rows[chosen[rows] >= ply].tolist():
            inner[row] = games.position(row)
        policies = player.policies(view, rows)
        entropies[rows, ply] = entropy(policies)
        actions[:] = -1
        actions[rows] = drawn(policies, view.random_numbers(rows))
        games.step(actions, DISABLED)
    ends = ["" if games.states["end"][row] else games.position(row) for row in range(count)]
    return SampledOpenings(entropies.tolist(), ends, inner)


def values_on(game: Game, ruleset: Ruleset, player: Soft, texts: Sequence[str]) -> NDArray[np.float64]:
    """What each action is worth in the positions ``texts`` (M,) under a ruleset, by the player that ``player`` softens:
    (M, A), NaN for illegal ones. ValueError for a text that is no position under the ruleset, or of a game that is
    over."""
    return player.player.action_values(GamesView(games_from(game, ruleset, texts)), np.arange(len(texts)))


def games_from(game: Game, ruleset: Ruleset, texts: Sequence[str]) -> Games:
    """Games in the positions ``texts`` under a ruleset. ValueError as in `values_on`."""
    games = Games(game, single(game, ruleset.values), len(texts))
    games.begin(seed_words([0] * len(texts)))
    loaded = read_positions(games, texts)
    if loaded.states["end"].any():
        raise ValueError(f"the game is over in {texts[int(loaded.states['end'].argmax())]!r}")
    load_positions(games, loaded)
    return games


def allowed(game: Game, rulesets: Sequence[Ruleset], texts: Sequence[str]) -> list[str]:
    """The texts that are positions of a running game under all of the rulesets, each once."""
    valid = list(dict.fromkeys(text for text in texts if text))
    for ruleset in rulesets:
        games = Games(game, single(game, ruleset.values), 1)
        valid = [text for text in valid if _runs(games, text)]
    return valid


def _runs(games: Games, text: str) -> bool:
    try:
        return not read_positions(games, [text]).states["end"][0]
    except ValueError:
        return False


def families(game: Game, rulesets: Sequence[Ruleset]) -> list[list[Ruleset]]:
    """The rulesets that begin with the same position and have the same actions, together."""
    by_start: dict[tuple[str, int], list[Ruleset]] = {}
    for ruleset in rulesets:
        games = Games(game, single(game, ruleset.values), 1)
        games.begin(seed_words([0]))
        by_start.setdefault((games.position(0), games.layout.actions), []).append(ruleset)
    return list(by_start.values())


def entropy(policies: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shannon's entropy of each row of ``policies`` (M, A), in bits: (M,)."""
    bits: NDArray[np.float64] = -(policies * np.log2(np.maximum(policies, np.finfo(float).tiny))).sum(axis=1)
    return np.maximum(bits, 0.0)


def distances(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """The Jensen–Shannon distance of two policies in each of M positions: the square root of the divergence in bits, a
    metric from 0 to 1 (Endres and Schindelin, *A New Metric for Probability Distributions*, IEEE Transactions on
    Information Theory 49, 2003). Arrays (M, A) to (M,)."""
    divergence = entropy((first + second) / 2) - (entropy(first) + entropy(second)) / 2
    return np.sqrt(np.clip(divergence, 0.0, 1.0))


def agree(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether an action that is best by the values ``first`` (M, A) is also best by ``second`` (M, A), in each of M
    positions: (M,)."""
    return np.asarray((_best(first) & _best(second)).any(axis=1))


def lost(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much is lost by the values ``second`` (M, A) by whoever plays what is best by ``first`` (M, A): at the least
    of several best actions; ∞ where none of them is legal any more. (M,)"""
    of_best = np.where(_best(first) & ~np.isnan(second), second, -np.inf).max(axis=1)
    missing: NDArray[np.float64] = np.nanmax(second, axis=1) - of_best
    return missing


def _best(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    with np.errstate(invalid="ignore"):
        best: NDArray[np.bool_] = values >= np.nanmax(values, axis=1, keepdims=True) - ALIKE
    return best


def plane_of(between: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points in the plane whose distances are as near as possible to ``between`` (K, K): classical scaling (Torgerson,
    *Multidimensional Scaling: I*, Psychometrika 17, 1952). (K, 2)"""
    count = len(between)
    centring = np.eye(count) - 1 / count
    values, vectors = np.linalg.eigh(-0.5 * centring @ (between**2) @ centring)
    largest = np.argsort(values)[::-1][:2]
    points = vectors[:, largest] * np.sqrt(np.maximum(values[largest], 0.0))
    signs = np.where(points[np.abs(points).argmax(axis=0), range(points.shape[1])] < 0, -1.0, 1.0)
    return np.pad(points * signs, ((0, 0), (0, 2 - points.shape[1])))


def logistic(
    features: NDArray[np.float64], outcomes: NDArray[np.float64], clusters: NDArray[np.int64]
) -> list[Estimate]:
    """The coefficients of ``features`` (n, K) in the log odds of ``outcomes`` (n,) from 0 to 1, with an intercept
    beside them, and their 95 % intervals: (K,).

    Observations of the same cluster (``clusters``, (n,)), such as the positions of one game, depend on each other: the
    covariance is the sandwich of clusters (Liang and Zeger, *Longitudinal Data Analysis Using Generalized Linear
    Models*, Biometrika 73, 1986), with Student's quantiles of G − 1 for G clusters. A ridge of `RIDGE` keeps
    coefficients finite where a feature decides all outcomes. ValueError for fewer than `MIN_CLUSTERS` clusters.
    """
    names, places = np.unique(clusters, return_inverse=True)
    count = len(names)
    if count < MIN_CLUSTERS:
        raise ValueError(f"a regression needs {MIN_CLUSTERS} clusters or more, not {count}")
    design = np.column_stack([features, np.ones(len(features))])
    penalty = np.diag([RIDGE] * features.shape[1] + [0.0])
    weights = np.zeros(design.shape[1])
    for _ in range(ROUNDS):
        expected = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        slope = design.T @ (outcomes - expected) - penalty @ weights
        curvature = (design * (expected * (1 - expected))[:, None]).T @ design + penalty
        step = np.linalg.lstsq(curvature, slope, rcond=None)[0]
        weights += step
        if np.abs(step).max() < PRECISE:
            break
    scores = np.zeros((count, design.shape[1]))
    np.add.at(scores, places, design * (outcomes - expected)[:, None])
    inverse = np.linalg.pinv(curvature)
    covariance = inverse @ (scores.T @ scores) @ inverse * count / (count - 1)
    reach = float(scipy_stats().t.ppf(0.975, count - 1)) * np.sqrt(np.diag(covariance))
    return [
        Estimate(float(weight), float(weight - width), float(weight + width), count)
        for weight, width in zip(weights[:-1], reach)
    ]


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
            game, ply = self._followed[number], int(self._plies[number])
            if ply == self._chosen[number]:
                game.position = games.position(row)
            if ply % EVERY == 0 and games.layout.seats == 2:
                seen = [games.observe_seat(row, seat)[0].sum(axis=(1, 2), dtype=np.int64) for seat in (0, 1)]
                game.counts.append(np.array(seen))
            if values is not None:
                game.values.append(float(values[row, 0]))
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
            first, other = results.returns[number]
            followed[number].points, followed[number].luck = (first - other) / 2, float(luck.luck_of(number)[0])

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
    for game in games:
        if game.winner in (0, 1) and game.values:
            path = np.array(game.values) * (1 if game.winner == 0 else -1)
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
    for plane in range(len(planes)):
        for other in range(plane + 1, len(planes)):
            mirrored = (counts[:, 0, plane] == counts[:, 1, other]).all() and (
                counts[:, 1, plane] == counts[:, 0, other]
            ).all()
            if mirrored and planes[plane].kind == "board" and np.ptp(counts[:, :, plane]) > 0:
                pairs.append((plane, other))
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
    for plane, _ in piece_planes(game, ruleset, counts):
        for seat in (0, 1):
            column = counts[:, seat, plane].astype(np.float64) * (1 if seat == 0 else -1)
            before = np.column_stack([np.ones(len(column)), *columns])
            if np.linalg.matrix_rank(np.column_stack([before, column])) > before.shape[1]:
                names.append((planes[plane].meaning, game.seat_name(seat)))
                columns.append(column)
    if not columns or np.ptp(results) == 0 or len(np.unique(openings)) < MIN_CLUSTERS:
        return {}
    return dict(zip(names, logistic(np.column_stack(columns), results, openings)))


Kind = tuple[int, int]
"""The plane that counts pieces of a kind for their owner, and the owner's seat."""


def without_one(
    game: Game, ruleset: Ruleset, text: str, kinds: Sequence[Kind], planes: Sequence[int]
) -> dict[Kind, list[str]]:
    """By kind, the positions that have one such piece less than that in a text and are else the same: texts in which a
    letter is an empty cell, or an item of a list is missing, if these are positions of a running game. ``planes``: all
    that count pieces."""
    texts = [text, *allowed(game, [ruleset], list(_shortened(text)))]
    games, rows = games_from(game, ruleset, texts), range(len(texts))
    seen = np.array([[games.observe_seat(row, seat)[0].sum(axis=(1, 2)) for seat in (0, 1)] for row in rows])
    fewer = (seen[0] - seen)[:, :, planes]
    positions: dict[Kind, list[str]] = {kind: [] for kind in kinds}
    for plane, seat in kinds:
        lost = fewer[:, seat, planes.index(plane)] == 1
        alone = np.abs(fewer[:, seat]).sum(axis=1) == 1
        positions[plane, seat] = [texts[row] for row in np.flatnonzero(lost & alone)]
    return positions


def _shortened(text: str) -> list[str]:
    """Texts with a cell of the board empty, between runs of empty cells, or an item of a list missing."""
    emptied = []
    for match in LETTER.finditer(text):
        before, after = text[: match.start()], text[match.end() :]
        left, right = len(before) - len(before.rstrip("0123456789")), len(after) - len(after.lstrip("0123456789"))
        run = int(before[len(before) - left :] or 0) + 1 + int(after[:right] or 0)
        emptied.append(f"{before[: len(before) - left]}{run}{after[right:]}")
    return emptied + [LOOSE.sub("", text[: one.start()] + text[one.end() :]) for one in ITEM.finditer(text)]


def log_odds_lost(whole: NDArray[np.float64], less: NDArray[np.float64]) -> Estimate:
    """By how much the log odds of a score are lower in games without a piece, ``less`` (M,), than in the same games
    with it, ``whole`` (M,). Half a game is added to each of the four outcomes of a pair (Agresti and Min, *Simple
    Improved Confidence Intervals for Comparing Matched Proportions*, Statistics in Medicine 24, 2005); the error is
    that of the delta method."""
    pairs = np.array([whole, less]).T
    pairs = pairs[~np.isnan(pairs).any(axis=1)]
    if len(pairs) < MIN_CLUSTERS:
        return NOTHING
    weights = np.repeat([1.0, 0.5], [len(pairs), 4])
    pairs = np.concatenate([pairs, [[0.0, 0], [0, 1], [1, 0], [1, 1]]])
    scores = np.average(pairs, axis=0, weights=weights)
    pulls = ((pairs - scores) / (scores * (1 - scores))) @ [1.0, -1.0]
    error = math.sqrt(float(weights @ pulls**2)) / float(weights.sum())
    value = float(np.log(scores / (1 - scores)) @ [1.0, -1.0])
    return Estimate(value, value - Z * error, value + Z * error, len(weights) - 4)
