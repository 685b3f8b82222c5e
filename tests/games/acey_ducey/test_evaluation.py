"""Greedy, potential, events and features of Acey Ducey: a position for each clause of the README's paragraph."""

from __future__ import annotations

from functools import partial

from tests.support import evaluation
from tests.support.texts import resumed

at = partial(resumed, "acey_ducey-v0")


def test_greedy_keeps_its_men_together() -> None:
    """Of two plies alike in pips, the one that leaves no single man before the enemy's."""
    text = "24:r9 13:r2 8:r2 7:r2 4:b1 1:b14 | in 0 0 | dog 0 0 | off 0 0 | r | dice 1 1 | left 1 1 | - | 50"
    assert not evaluation.greedy_moves(at(text)) & {"13:1", "8:1"}


def test_features() -> None:
    """Red's last men face a row of five points. Single are Red's man on 4, which Black's on 2 may hit, and that one."""
    env = at(
        "24:r2 23:b4 22:b2 21:b2 20:b2 19:b4 6:r5 5:r7 4:r1 2:b1 | in 0 0 | dog 0 0 | off 0 0 | r | dice 1 2 | "
        "left 1 2 | again | 50"
    )
    found, others = evaluation.features(env), evaluation.features(env, 1)
    own, other = 2 * 24 + 5 * 6 + 7 * 5 + 4, 4 * 2 + 2 * (3 + 4 + 5) + 4 * 6 + 23
    for words, numbers in {
        "how often": [1, 1, 0, 0, 0, 0],
        "1 when the seat to act must choose": [0],
        "1 when a further throw": [1],
        "pips that the seat": [0, own - other],
        "pips in which": [22],
        # 2: 1-1, 2-2, 1-2; 3: 1-2, all with a 3; 4: 2-2, all with a 4 (but for 1-3: see the dice in the README)
        "pips that single": [round(4 * 21 * 4 / 36), round(4 * 2 * (1 - 32 / 36 * 23 / 36 * 24 / 36))],
        "points made before": [3, 5],  # Red's 24 is one of them
        "points made in the home": [2, 5],
        "the longest row": [2, 5],
        "pips until": [2 * 18, 17],
    }.items():
        assert evaluation.starting(found, words) == numbers
        if len(numbers) == 2:
            assert evaluation.starting(others, words) == numbers[::-1]


def test_men_that_are_still_to_enter_are_before_the_first_step() -> None:
    """At the start all are. Later Black's man in the Dog House has Red's six points before it, and may hit on them."""
    start = evaluation.features(at("- | in 15 15 | dog 0 0 | off 0 0 | r | dice 3 4 | left 3 4 | - | 0"))
    assert evaluation.starting(start, "pips in which") == [25]
    assert evaluation.starting(start, "pips until") == [127, 127]  # 285
    later = "24:b14 6:r2 5:r2 4:r2 3:r2 2:r2 1:r5 | in 0 0 | dog 0 1 | off 0 0 | r | dice 3 4 | left 3 4 | - | 50"
    found = evaluation.features(at(later))
    assert evaluation.starting(found, "pips in which") == [23 - 18 + 1]
    assert evaluation.starting(found, "points made before") == [6, 0]
    assert evaluation.starting(found, "the longest row") == [6, 0]
    assert evaluation.starting(found, "pips until") == [0, 19]
    assert evaluation.starting(found, "pips that single") == [0, 0]
    alone = evaluation.features(at(later.replace("4:r2 3:r2", "4:r1 3:r3")))
    assert evaluation.starting(alone, "pips that single") == [4 * 21 * 12 // 36, 0]
