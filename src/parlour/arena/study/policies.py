"""Measures of policies: openings drawn from what players would play, their entropy, and how far the policies of two
variants lie apart on the same positions. ``docs/measures.md`` defines them.

Axis letters: M positions, N openings, T plies, A actions.

"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from parlour.arena.setting.rulesets import Ruleset
from parlour.arena.statistics import Estimate, diversity, mean
from parlour.engine.analysis import drawn
from parlour.engine.arrays import DISABLED
from parlour.engine.game import Game
from parlour.engine.games import Games
from parlour.engine.rows import load_positions, read_positions
from parlour.engine.seeds import seed_words
from parlour.engine.variant_mix import single
from parlour.engine.view import GamesView
from parlour.players.soft import Soft
from parlour.rulebook.chance import row_seeds
from parlour.support.typed_json import Struct

ALIKE = 1e-9
"""Two values that differ by less are the same."""


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
        found = Estimate(each[0], each[0], each[0], 1) if np.ptp(each) == 0 else mean(each, low=0.0)
        return Estimate(2**found.value, 2**found.low, 2**found.high, found.count)

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
    kept = list(dict.fromkeys(text for text in texts if text))
    for ruleset in rulesets:
        games = Games(game, single(game, ruleset.values), 1)
        kept = [text for text in kept if _runs(games, text)]
    return kept


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
    found: NDArray[np.float64] = -(policies * np.log2(np.maximum(policies, np.finfo(float).tiny))).sum(axis=1)
    return np.maximum(found, 0.0)


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
