"""What an atlas measures in addition to a comparison. ``docs/measures.md`` defines all of it.

* Policies: openings sampled from them, their entropy, and the distance between the policies of two variants on the same
  positions.
* Finished games, which are replayed: the pieces on the board, the values of the positions by a network, the luck of the
  throws.
* The value of a piece: by logistic regression, and by its removal.

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
from parlour.arena.measures.outcomes import seat_score
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
"""Of `logistic`: the largest number of rounds, the change of a coefficient at which it stops, and the penalty."""
MIN_CLUSTERS = 10
"""Fewer clusters are too few to estimate how much they vary."""
EVERY = 6
"""Pieces are counted every so many plies. Counts of one game depend on each other; the intervals allow for that."""
RESAMPLES = 1000
LETTER, ITEM, LOOSE = re.compile(r"[A-Za-z]"), re.compile(r"(?<=[,BW])K?\d+"), re.compile(r"(?<=[BW]),|,(?=[,: ])")


class SampledOpenings(Struct, frozen=True):
    """Openings that a softened player has played under one variant.

    Attributes:
        entropies: (N, T), the entropy of the policy at each ply, in bits; 0 once the game is over.
        ends: (N,), the text of the position after the opening; empty where the game was over.
        inner: (N,), the text of the position before a ply of the opening that is drawn at random.
    """

    entropies: list[list[float]]
    ends: list[str]
    inner: list[str]

    def entropy(self) -> Estimate:
        """The entropy of openings of T plies, in bits: by the chain rule the mean over openings of the sum of the
        entropies of their plies. It is unbiased, however few openings there are."""
        return mean(np.array(self.entropies).sum(axis=1), low=0.0)

    def moves(self, plies: int | None = None) -> Estimate:
        """The effective number of moves per ply, over all plies or the first ``plies``: 2 to the power of the mean
        entropy of a ply."""
        means = np.array(self.entropies)[:, :plies].mean(axis=1)
        bits = Estimate(means[0], means[0], means[0], 1) if np.ptp(means) == 0 else mean(means, low=0.0)
        return Estimate(2**bits.value, 2**bits.low, 2**bits.high, bits.count)

    def different(self) -> Estimate:
        """The effective number of different positions after T plies."""
        known = [text for text in self.ends if text]
        numbers = {text: number for number, text in enumerate(dict.fromkeys(known))}
        return diversity([numbers[text] for text in known])


def sampled_openings(game: Game, ruleset: Ruleset, player: Soft, plies: int, count: int, seed: int) -> SampledOpenings:
    """``count`` openings of ``plies`` plies each under a ruleset, sampled from the policy of a softened player. The
    same seed gives the same openings. Raises the ValueError of the player."""
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
    """The value of each action in the positions ``texts`` (M,) under a ruleset, by the player that ``player`` softens:
    (M, A), NaN for illegal actions. ValueError for a text that is not a position under the ruleset, or of a game that
    is over."""
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
    """The rulesets in groups that begin with the same position and have the same actions."""
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
    """The Jensen–Shannon distance of two policies (M, A) in each of M positions: the square root of the divergence in
    bits, a metric from 0 to 1 (Endres and Schindelin, *A New Metric for Probability Distributions*, IEEE Transactions
    on Information Theory 49, 2003). (M,)"""
    divergence = entropy((first + second) / 2) - (entropy(first) + entropy(second)) / 2
    return np.sqrt(np.clip(divergence, 0.0, 1.0))


def agree(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether an action that is best by the values ``first`` (M, A) is also best by ``second`` (M, A), in each of M
    positions: (M,)."""
    return np.asarray((_best(first) & _best(second)).any(axis=1))


def lost(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much the best action by the values ``first`` (M, A) loses by the values ``second`` (M, A): (M,). Of several
    best actions that which loses least counts; ∞ where none of them is legal by ``second``."""
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
    """Logistic regression of ``outcomes`` (n,), from 0 to 1, on ``features`` (n, K) and an intercept: the coefficients
    of the features in the log odds, with 95 % intervals (K,).

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
        values: (T,), the value of the position before each ply for seat 0 by a network, from −1 to 1; empty without a
            network, and unless there are two seats.
        points, luck: half of the return of seat 0 minus that of seat 1, and the luck in it by a judge; NaN without a
            judge.
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
    """Enters in each game of a replay what is seen before its plies."""

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
    followed = [Followed(seat_score(0, row.played), row.played.winner, row.line.position) for row in rows]
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


def settled(games: Sequence[Followed]) -> Estimate:
    """The percentage of a decided game after which the winner stays ahead, by the values of the network."""
    shares = []
    for values in _values_of_winners(games):
        behind = np.flatnonzero(values <= 0)
        shares.append(100 * (float(behind[-1]) + 1 if len(behind) else 0.0) / len(values))
    return PERCENT.estimate(shares)


def turned(games: Sequence[Followed]) -> Estimate:
    """The percentage of decided games whose winner once had a value of −0.5 or less by the network: an expected score
    of a quarter."""
    return PERCENT.estimate([100.0 * (min(values) <= -0.5) for values in _values_of_winners(games)])


def _values_of_winners(games: Sequence[Followed]) -> list[NDArray[np.float64]]:
    """Of each decided game the values of its positions for the winner, by the network (T,)."""
    decided = [game for game in games if game.winner in (0, 1) and game.values]
    return [np.array(game.values) * (1 if game.winner == 0 else -1) for game in decided]


def luck_share(games: Sequence[Followed]) -> Estimate:
    """The share of the variance of results that luck explains, in %: their squared correlation, with the percentile
    interval of the bootstrap over games. `NOTHING` without a judge, or where results do not vary."""
    both = np.array([(game.points, game.luck) for game in games if not math.isnan(game.luck)]).reshape(-1, 2)
    if len(both) < MIN_CLUSTERS or np.ptp(both, axis=0).min() == 0:
        return NOTHING
    drawn = np.random.default_rng(len(both)).integers(0, len(both), (RESAMPLES, len(both)))
    points, luck = np.moveaxis(both[drawn] - both[drawn].mean(axis=1, keepdims=True), 2, 0)
    spread = (points**2).sum(axis=1) * (luck**2).sum(axis=1)
    shares = (points * luck).sum(axis=1)[spread > 0] ** 2 / spread[spread > 0]
    share = float(np.corrcoef(both.T)[0, 1] ** 2)
    low, high = np.quantile(shares, [0.025, 0.975]).tolist()
    return Estimate(100 * share, 100 * min(low, share), 100 * max(high, share), len(both))  # near 0, few are below it


def counted(games: Sequence[Followed]) -> NDArray[np.int64]:
    """The counts of pieces of all games together, at least one of which has some: (M, 2, C)."""
    return np.concatenate([np.array(game.counts) for game in games if game.counts])


def piece_planes(game: Game, ruleset: Ruleset, counts: NDArray[np.int64]) -> list[tuple[int, int]]:
    """The planes that show pieces, in pairs: the plane of the seat's pieces and that of the other seat's pieces of the
    same kind. They are recognised by their sums ``counts`` (M, 2, C): these vary, and what one seat sees in the first
    plane the other seat always sees in the second."""
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
    """The value of one more piece of a kind to a seat, in log odds of its score: by the meaning of the plane that shows
    such pieces, and the seat's name. By logistic regression on the counts of all kinds together; positions from the
    same opening are one cluster. Empty if no kind varies, or if there are too few games."""
    with_counts = [game for game in games if game.counts]
    if len(with_counts) < MIN_CLUSTERS:
        return {}
    counts = counted(with_counts)
    game_numbers = np.repeat(np.arange(len(with_counts)), [len(game.counts) for game in with_counts])
    results = np.array([game.result for game in with_counts])[game_numbers]
    starts = {game.start: number for number, game in enumerate(with_counts) if game.start}
    openings = np.array([starts.get(game.start, number) for number, game in enumerate(with_counts)])[game_numbers]
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
"""A kind of pieces: the plane in which their owner sees them, and the owner's seat."""


def without_one(
    game: Game, ruleset: Ruleset, text: str, kinds: Sequence[Kind], planes: Sequence[int]
) -> dict[Kind, list[str]]:
    """By kind, the positions of a running game that have one such piece less than the position ``text``, and otherwise
    the same pieces. They are found by changing the text: a letter becomes an empty cell, or an item of a list is left
    out. ``planes``: all that show pieces."""
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
    """The text with each of its pieces left out: an empty cell joins the runs of empty cells around it, or an item of a
    list is missing."""
    emptied = []
    for match in LETTER.finditer(text):
        before, after = text[: match.start()], text[match.end() :]
        left, right = len(before) - len(before.rstrip("0123456789")), len(after) - len(after.lstrip("0123456789"))
        run = int(before[len(before) - left :] or 0) + 1 + int(after[:right] or 0)
        emptied.append(f"{before[: len(before) - left]}{run}{after[right:]}")
    return emptied + [LOOSE.sub("", text[: one.start()] + text[one.end() :]) for one in ITEM.finditer(text)]


def log_odds_lost(whole: NDArray[np.float64], less: NDArray[np.float64]) -> Estimate:
    """By how much the log odds of the score in games with a piece, ``whole`` (M,), are above those in the same games
    without it, ``less`` (M,). Half a game is added to each of the four outcomes of a pair (Agresti and Min, *Simple
    Improved Confidence Intervals for Comparing Matched Proportions*, Statistics in Medicine 24, 2005). The interval
    comes from the delta method."""
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
