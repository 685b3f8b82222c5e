"""What `greedy` prefers, the potential, and the events of a ply."""

from __future__ import annotations

from collections import Counter
from functools import partial

import numpy as np

from parlour.rulebook.state_records import as_record
from tests.support import texts
from tests.support.evaluation import happened
from tests.support.games import begun

GAME = "checkers-v0"
resumed = partial(texts.resumed, GAME)


def test_a_multi_jump_counts_once_however_long() -> None:
    env, counts = resumed("B:W6,14,22,32:B1"), Counter[str]()
    for name in ("1x10", "10x17", "17x26"):
        counts.update(happened(env, name))
    assert counts == {"multi_jump": 1, "man_captured": 3, "back_row_left": 1}


def test_events_of_whole_games_add_up() -> None:
    """Every piece that is gone was captured, and every king was crowned."""
    rng = np.random.default_rng(0)
    for seed in range(5):
        env, total = begun(GAME, seed), Counter[str]()
        while not env.is_over():
            total.update(happened(env, str(rng.choice(env.legal_moves()))))
        letters = env.game.notation.piece_letters(as_record(env.games.states, 0))
        gone = letters.count(".") - 8
        assert total["man_captured"] + total["king_captured"] == gone
        assert total["man_crowned"] - total["king_captured"] == letters.count("B") + letters.count("W")
