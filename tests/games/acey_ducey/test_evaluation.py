"""Greedy, potential, events and features of Acey Ducey: a position for each clause of the README's paragraph."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

from tests.support import evaluation
from tests.support.texts import resumed

at = partial(resumed, "acey_ducey-v0")


def happened(text: str, move: str, **options: Any) -> dict[str, int]:
    """The events of a ply."""
    env = at(text, **options)
    env.set_dice([(3, 4)])
    return evaluation.happened(env, move)


HIT = "24:b8 9:r1 8:b1 7:b2 6:b2 5:r1 3:b2 | in 0 0 | dog 0 0 | off 13 0 | r | dice 1 2 | left 1 2 | again | 0"


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("24:b15 1:r1 | in 0 0 | dog 0 0 | off 14 0 | r | dice 1 1 | left 1 1 | - | 50", {}, {"1:1"}),  # it wins
        (HIT, {}, {"9:1"}),  # it hits, a further throw being due or not
        (HIT.replace("| again |", "| - |"), {"dice": "plain"}, {"9:1"}),
        ("24:b15 6:r3 1:r2 | in 0 0 | dog 0 0 | off 10 0 | r | dice 1 1 | left 1 1 | - | 50", {}, {"1:1"}),  # bears off
        ("24:r13 23:b1 2:b1 1:r2 | in 0 0 | dog 0 0 | off 0 13 | r | dice 1 2 | left choose | - | 50",
         {}, {"send 23"}),  # it sends the man who has come farthest: Black runs towards 24
    ],
)  # fmt: skip
def test_what_greedy_plays(text: str, options: dict[str, Any], expected: set[str]) -> None:
    assert evaluation.greedy_moves(at(text, **options)) == expected


def test_greedy_keeps_its_men_together() -> None:
    """Of two plies alike in pips, the one that leaves no single man before the enemy's."""
    text = "24:r9 13:r2 8:r2 7:r2 4:b1 1:b14 | in 0 0 | dog 0 0 | off 0 0 | r | dice 1 1 | left 1 1 | - | 50"
    assert not evaluation.greedy_moves(at(text)) & {"13:1", "8:1"}


@pytest.mark.parametrize(
    ("text", "move", "events"),
    [
        ("- | in 15 15 | dog 0 0 | off 0 0 | r | dice 3 4 | left 3 4 | - | 0", "in:3", {"entered": 1}),
        ("24:r14 1:b15 | in 0 0 | dog 1 0 | off 0 0 | r | dice 3 4 | left 3 4 | - | 9", "dog:3", {"reentered": 1}),
        (HIT, "9:1", {"hit": 1}),
        ("24:r14 23:b1 2:r1 1:b14 | in 0 0 | dog 0 0 | off 0 0 | r | dice 1 2 | left choose | - | 9", "send 23",
         {"sent": 1}),
        ("24:r14 23:b1 2:r1 1:b14 | in 0 0 | dog 0 0 | off 0 0 | r | dice 1 2 | left choose | - | 9", "again",
         {"again": 1}),
        ("24:b15 3:r2 | in 0 0 | dog 0 0 | off 13 0 | r | dice 3 4 | left 3 4 | - | 9", "3:3", {"borne_off": 1}),
        ("24:r14 22:b5 21:b10 | in 0 0 | dog 1 0 | off 0 0 | r | dice 3 4 | left 3 4 | - | 9", "pass", {"passed": 1}),
    ],
)  # fmt: skip
def test_events(text: str, move: str, events: dict[str, int]) -> None:
    assert happened(text, move) == events


def test_potential() -> None:
    """(the other seat's pips − the own) / (the sum of both)."""
    env = at("24:b1 4:r1 1:r1 | in 0 0 | dog 1 2 | off 12 12 | r | dice 3 4 | left 3 4 | - | 9")
    red, black = 4 + 1 + 25, 1 + 2 * 25  # Red's point 24 is Black's point 1
    out = np.zeros((1, 2), np.float32)
    env.games.potentials(out)
    assert out[0] == pytest.approx([(black - red) / (black + red), (red - black) / (black + red)])


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
