"""What `greedy` prefers, the potential, and the events of a ply."""

from __future__ import annotations

from collections import Counter
from functools import partial

import numpy as np
import pytest

from parlour.envs.checkers.evaluation import potential
from parlour.rulebook.state_records import as_record
from tests.support import texts
from tests.support.evaluation import greedy_moves, happened
from tests.support.games import begun
from tests.support.texts import play

GAME = "checkers-v0"
resumed = partial(texts.resumed, GAME)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("B:W18,30:B14,1,26,5", {"14x23"}),  # the only jump
        ("B:W15,22,16,32:BK11,12,1", {"11x18"}),  # two pieces rather than one
        ("B:W12,28:B25,9,2", {"25-29", "25-30"}),  # crowns
        ("B:W12:B3,4,5", {"4-8"}),  # wins
        ("B:W28,32:B2,13", {"13-17"}),  # keeps the back row
        ("W:W31,20:B1,5", {"20-16"}),  # White's back row too
        ("B:W12:BK29", {"29-25"}),
    ],
)
def test_greedy(text: str, expected: set[str]) -> None:
    assert greedy_moves(resumed(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("B:W32:B1", 0.0),
        ("B:W32:BK1", (3 - 2) / (3 + 2)),
        ("W:W30,31,32:B1", (2 - 6) / (2 + 6)),
        ("B:WK32,31:BK1,K2,3", (8 - 5) / (8 + 5)),
        ("W:W:B1 end=no_move", 1.0),
    ],
)
def test_potential(text: str, expected: float) -> None:
    """(own − other) / (own + other), a man counting 2, a king 3."""
    env = resumed(text)
    state, variant = env.games.states[0], env.games.variants[0]
    assert potential(state, variant, 0) == pytest.approx(expected)
    assert potential(state, variant, 1) == pytest.approx(-expected)


@pytest.mark.parametrize(
    ("text", "move", "expected"),
    [
        ("B:W18,32:B14", "14x23", {"man_captured": 1}),
        ("B:WK18,32:B14", "14x23", {"king_captured": 1}),
        ("B:W15,22,32:B11", "11x18", {"man_captured": 1, "multi_jump": 1}),
        ("B:W15,22,32:B11", "11x18 18x25", {"man_captured": 1}),
        ("B:W12,28:B25", "25-29", {"man_crowned": 1}),
        ("B:W26,12:BK1,22", "22x31", {"man_captured": 1, "man_crowned": 1}),
        ("B:W32:B1,K9", "1-5", {"back_row_left": 1}),
        ("W:W32,K9:B1", "32-27", {"back_row_left": 1}),
        ("B:W32:B13,K1", "1-6", {"king_step": 1}),
        ("B:W32:B13,K1", "13-17", {}),
    ],
)
def test_events(text: str, move: str, expected: dict[str, int]) -> None:
    """Those of the last of the moves."""
    *before, last = move.split()
    assert happened(play(resumed(text), *before), last) == expected


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
