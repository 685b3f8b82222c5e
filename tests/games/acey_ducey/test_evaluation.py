"""Greedy, the potential and the events of Acey Ducey: a position for each clause of the README's paragraph."""

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
