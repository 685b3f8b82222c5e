"""The optional kernel ``draw_legal`` of a game's rules: one legal action at random, without a mask."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

import parlour
from parlour.interfaces.registry import find
from parlour.rulebook.chance import STREAM
from parlour.rulebook.masks import count_legal, random_legal
from parlour.rulebook.state_records import records
from tests.support.cases import PRINTED_GAMES, VARIANTS

DRAWING = [(game, variant) for game, variant in VARIANTS if hasattr(find(game).rules, "draw_legal")]


def test_every_printed_game_has_it() -> None:
    assert {game for game, _ in DRAWING} >= set(PRINTED_GAMES)


@pytest.mark.long
@pytest.mark.parametrize(("game", "variant"), DRAWING)
def test_it_draws_what_the_mask_draws(game: str, variant: str) -> None:
    """From equal streams, in every position of random games, whatever the phase; the streams are equal after it. (In a
    few games the check `shortcuts` sees to that.)"""
    rows = 100
    batch = parlour.make_batch(game, rows, variant=variant, seed=0)
    batch.reset()
    draw_legal, games = batch.game.rules.draw_legal, batch.games
    mine, masks = records(1, STREAM), records(1, STREAM)
    for step in range(40):
        for i in range(rows):
            mine["counter"] = masks["counter"] = rows * step + i
            drawn = draw_legal(games.states[i], games.variants[i], mine[0])
            words = games.words[i]
            assert drawn == random_legal(words, count_legal(words), masks[0]), batch.position(i)
            assert mine["counter"] == masks["counter"]
        batch.step(batch.sample_actions())


@pytest.mark.parametrize("game", ["acey_ducey-v0", "checkers-v0"])
def test_all_legal_actions_are_drawn_and_no_other_uniformly(game: str) -> None:
    """A chi-square test in each of some positions, at a level of one in a thousand for all of them together."""
    batch = parlour.make_batch(game, 8, seed=1)
    batch.reset()
    for _ in range(12):
        batch.step(batch.sample_actions())
    games, stream, lowest = batch.games, records(1, STREAM), 1.0
    for i in range(8):
        legal = np.flatnonzero(games.action_mask[i])
        drawn = [batch.game.rules.draw_legal(games.states[i], games.variants[i], stream[0]) for _ in range(2000)]
        actions, counts = np.unique(drawn, return_counts=True)
        assert set(actions.tolist()) <= set(legal.tolist())
        found: Any = np.zeros(len(legal))
        found[np.searchsorted(legal, actions)] = counts
        if len(legal) > 1:
            lowest = min(lowest, chisquare(found).pvalue)
    assert lowest > 0.001 / 8
