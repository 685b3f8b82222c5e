"""The worth of a piece by removing it: positions with one piece less, and what the same games from there score.

Axis letters: M positions, K kinds of pieces and their owners, C planes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from parlour.arena.setting.rulesets import Ruleset
from parlour.arena.statistics import NOTHING, Estimate, Z
from parlour.arena.statistics.regression import MIN_CLUSTERS
from parlour.arena.study.atlas.policies import allowed, games_from
from parlour.engine.game import Game

LETTER, ITEM, LOOSE = re.compile(r"[A-Za-z]"), re.compile(r"(?<=[,BW])K?\d+"), re.compile(r"(?<=[BW]),|,(?=[,: ])")
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
    found: dict[Kind, list[str]] = {kind: [] for kind in kinds}
    for plane, seat in kinds:
        lost = fewer[:, seat, planes.index(plane)] == 1
        alone = np.abs(fewer[:, seat]).sum(axis=1) == 1
        found[plane, seat] = [texts[row] for row in np.flatnonzero(lost & alone)]
    return found


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
