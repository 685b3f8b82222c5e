"""The optional kernel ``draw_legal`` of a game's rules: one legal action at random, without a mask. It draws what the
mask draws, and so uniformly (`tests.rulebook.test_kernels`)."""

from __future__ import annotations

import pytest

from parlour.interfaces.registry import find
from parlour.rulebook.chance import STREAM
from parlour.rulebook.masks import count_legal, random_legal
from parlour.rulebook.state_records import records
from tests.support.cases import PRINTED_GAMES, VARIANTS
from tests.support.games import batch_of

DRAWING = [(game, variant) for game, variant in VARIANTS if hasattr(find(game).rules, "draw_legal")]


def test_every_printed_game_has_it() -> None:
    assert {game for game, _ in DRAWING} >= set(PRINTED_GAMES)


@pytest.mark.long
@pytest.mark.parametrize(("game", "variant"), DRAWING)
def test_it_draws_what_the_mask_draws(game: str, variant: str) -> None:
    """From equal streams, in every position of random games, whatever the phase; the streams are equal after it. (In a
    few games the check `shortcuts` sees to that.)"""
    rows = 100
    batch = batch_of(game, rows, variant=variant, seed=0)
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
