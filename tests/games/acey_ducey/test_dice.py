"""The dice: given from outside, rolled from the seed, and their probabilities; docs/common_rules.md."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

from scipy.stats import chi2

import parlour
from tests.games.acey_ducey.positions import GAME
from tests.support.texts import play

FAIR = {
    faces: count / 36
    for faces, count in Counter(tuple(sorted(faces)) for faces in product(range(1, 7), repeat=2)).items()
}
ALARM = 1e-6  # how rarely a fair die may fail a test of its frequencies, were the seed not fixed


def new(seed: int = 1, **options: Any) -> Any:
    env = parlour.make(GAME, illegal_move="raise")
    env.reset(seed=seed, options=options)
    return env


def deviates(counts: Counter[Any], expected: dict[Any, float]) -> bool:
    """Pearson's test: whether counts are as far from what is expected as chance brings about once in 1 / ALARM."""
    total = sum(counts.values())
    assert set(counts) <= set(expected)
    statistic = sum((counts[k] - total * p) ** 2 / (total * p) for k, p in expected.items())
    return bool(statistic > chi2.isf(ALARM, len(expected) - 1))


def test_dice_is_the_latest_throw() -> None:
    """“`raw.dice` is the latest throw of the game proper (opening throws are not shown), unchanged until the next”;
    “order within a throw kept”."""
    env = parlour.make(GAME)
    assert env.unwrapped.dice == ()
    env = new(dice=[(6, 5), (1, 1), (5, 3), (2, 4)])
    assert env.dice == (5, 3)
    play(env, "in:3")
    assert env.dice == (5, 3)
    play(env, "in:5")
    assert env.dice == (2, 4)


def test_the_opening_throws_are_given_too() -> None:
    """“the opening throws included (Acey Ducey: player_0's two dice, then player_1's, and so on while equal)”."""
    env = new(dice=[(1, 2), (2, 1), (3, 3), (4, 3), (6, 4)])
    assert env.agent_selection == "player_1"
    assert env.dice == (6, 4)


def test_frequencies_of_throws() -> None:
    """36 ordered throws, each as likely; and what follows a throw does not depend on it."""
    batch = parlour.make_batch(GAME, num_games=1024, seed=3)
    batch.reset()
    states = batch.games.states
    pairs: Counter[tuple[int, ...]] = Counter()
    following: Counter[tuple[int, ...]] = Counter()
    for _ in range(80):
        before, seats = states["dice"].copy(), states["to_act"].copy()
        batch.step(batch.sample_actions())
        handed_over = (states["to_act"] != seats) & (states["plies"] > 0)
        after = states["dice"][handed_over]
        pairs.update(map(tuple, after.tolist()))
        following.update(zip(before[handed_over, 0].tolist(), after[:, 0].tolist()))
    assert sum(pairs.values()) > 20_000
    assert not deviates(pairs, dict.fromkeys(product(range(1, 7), repeat=2), 1 / 36))
    shares: dict[Any, float] = {}
    for face in range(1, 7):
        seen = sum(count for (before_face, _), count in following.items() if before_face == face)
        shares |= {(face, after_face): seen / sum(following.values()) / 6 for after_face in range(1, 7)}
    assert not deviates(following, shares)


def test_the_test_of_frequencies_finds_a_loaded_die() -> None:
    """A die that shows a six 3 % too often in 60,000 throws is found out."""
    loaded = Counter(dict.fromkeys(range(1, 6), 9_700)) + Counter({6: 11_500})
    assert deviates(loaded, dict.fromkeys(range(1, 7), 1 / 6))


def test_frequencies_of_the_opening() -> None:
    """Each seat begins as often; the opening throws do not show in the first throw played."""
    batch = parlour.make_batch(GAME, num_games=20_000, seed=11)
    batch.reset()
    starters = Counter(batch.games.states["to_act"].tolist())
    assert not deviates(starters, {0: 0.5, 1: 0.5})
    first = Counter(tuple(sorted(faces)) for faces in batch.games.states["dice"].tolist())
    assert not deviates(first, FAIR)
