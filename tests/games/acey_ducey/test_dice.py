"""The dice: given from outside, rolled from the seed, and their probabilities; docs/common_rules.md."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

import parlour
from tests.games.acey_ducey.positions import GAME, at, part
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


def throws_of(env: Any, count: int) -> list[tuple[int, ...]]:
    """The throws to come, in play that always takes the first legal action."""
    found = []
    while len(found) < count:
        seat, plies_left = env.agent_selection, part(env, 6)
        env.step(int(np.flatnonzero(env.observe(seat)["action_mask"])[0]))
        if env.agent_selection != seat or len(part(env, 6)) >= len(plies_left):
            found.append(env.dice)
    return found


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


def test_when_the_list_is_used_up_the_environment_rolls_from_its_seed() -> None:
    first, second = (new(7, dice=[(6, 6), (1, 1), (5, 3)]) for _ in range(2))
    assert throws_of(first, 30) == throws_of(second, 30)
    assert len(set(throws_of(first, 30))) > 5


def test_with_a_position_there_is_no_opening() -> None:
    """“together with `position` there is no opening”: the first throw given is the next one."""
    env = play(at("20:r2 10:b2", "3 4", throws=[(6, 5), (3, 3)]), "20:3", "20:4")
    assert env.dice == (6, 5)
    assert env.agent_selection == "player_1"


def test_set_dice_gives_throws_in_mid_game() -> None:
    env = at("20:r2 10:b2", "3 4")
    env.set_dice([(1, 2), (6, 6)])
    assert env.dice == (3, 4)
    play(env, "20:3", "20:4")
    assert (env.dice, env.legal_moves()) == ((1, 2), ["again"])
    env.set_dice([])
    assert env.dice == (1, 2)


@pytest.mark.parametrize(
    "throws",
    [
        [(6, 7)], [(0, 3)], [(-1, 2)], [(6,)], [(1, 2, 3)], [()], [(1.0, 2)], [(True, 2)], [("1", 2)], [None], [5],
        "56", 12, {(1, 2): 3}, [(6, 5), (4, 4), (3, 9)],
    ],
)  # fmt: skip
def test_an_impossible_throw_is_refused(throws: Any) -> None:
    """“A wrong length or an impossible face is a `ValueError`”: nothing is changed by it."""
    env = at("20:r2 10:b2", "3 4", throws=[(6, 5)])
    before = env.position()
    with pytest.raises(ValueError, match=r"throw|dice"):
        env.set_dice(throws)
    with pytest.raises(ValueError, match=r"throw|dice"):
        env.reset(seed=2, options={"dice": throws})
    with pytest.raises(ValueError, match=r"throw|dice"):
        env.reset(options={"position": before, "dice": throws})
    assert env.position() == before
    assert play(env, "20:3", "20:4").dice == (6, 5)


def test_outcomes_of_the_next_throw() -> None:
    """“the distinct outcomes of the next throw not yet made, sorted faces with probability: 21 for two dice (1/36,
    2/36) …; `[]` when over”."""
    outcomes = at("20:r2 10:b2", "3 4").chance_outcomes()
    assert dict(outcomes) == FAIR
    assert [faces for faces, _ in outcomes] == sorted(FAIR)
    assert len(outcomes) == 21
    assert sum(chance for _, chance in outcomes) == pytest.approx(1, abs=1e-12)
    assert at("20:r2 10:b2", "1 2", "choose").chance_outcomes() == outcomes
    assert play(at("2:r1 22:b2", "5 3"), "2:5").chance_outcomes() == []


def test_a_clone_rolls_the_same_future() -> None:
    env = new(5)
    throws_of(env, 20)
    twin = env.clone()
    assert twin.position() == env.position()
    assert throws_of(twin, 40) == throws_of(env, 40)


def test_a_clone_with_a_seed_rolls_another() -> None:
    """Search needs it; the same seed gives the same stream, and the original is not disturbed."""
    env = new(5)
    throws_of(env, 20)
    one, two, other, same = env.clone(seed=1), env.clone(seed=1), env.clone(seed=2), env.clone()
    assert one.position() == env.position()
    futures = [throws_of(game, 40) for game in (one, two, other, same, env)]
    assert futures[0] == futures[1]
    assert futures[3] == futures[4]
    assert len({tuple(future) for future in futures}) == 3


def test_a_clone_keeps_the_throws_given() -> None:
    env = at("20:r2 10:b2", "3 4", throws=[(6, 5)])
    assert play(env.clone(), "20:3", "20:4").dice == (6, 5)
    assert play(env, "20:3", "20:4").dice == (6, 5)


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
