"""Dice: what they are made of, their throws, and that a game with any of them works from end to end."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.engine.game import load_game
from parlour.engine.inlined import inlined
from parlour.rulebook.chance import (
    STREAM,
    Die,
    below,
    dice_tables,
    fair,
    multiset,
    outcomes,
    sequence,
    total,
    weigh,
    weighted,
)
from parlour.rulebook.state_records import records
from parlour.testing import check_game
from tests.players.search.test_expectimax import Looking, value_at_root
from tests.support.games import batch_of, begun

KNUCKLEBONE = weighted((1, 3, 4, 6), (0.1, 0.4, 0.4, 0.1))
BONES = "tests.toy_games.bones"
VARIANTS = {"bone": 4, "stick": 8, "three": 160}


def test_weights_are_whole_numbers_without_a_common_factor() -> None:
    assert Die((1, 3, 4, 6), (1, 4, 4, 1)) == KNUCKLEBONE == weighted((6, 4, 3, 1), (2, 8, 8, 2))
    assert weighted((0, 1), (Fraction(1, 3), Fraction(2, 3))) == Die((0, 1), (1, 2))
    assert fair(2, first=0) == Die((0, 1), (1, 1))
    assert fair(20).faces == tuple(range(1, 21))


@pytest.mark.parametrize(
    ("faces", "weights", "message"),
    [
        ((1, 2), (1,), "1 for 2 faces"),
        ((), (), "0 for 0 faces"),
        ((1, 128), (1, 1), r"from 0 to 127, not \(1, 128\)"),
        ((1, True), (1, 1), "from 0 to 127"),
        ((-1, 1), (1, 1), "from 0 to 127"),
        ((1, 1), (1, 1), "differ from one another"),
        ((1, 2), (1, 0), "above 0"),
        ((1, 2), (1, float("nan")), "not nan"),
        ((1, 2), (1, "x"), "not 'x'"),
        ((1, 2), (0.5, 0.6), "add up to 1"),
        ((1, 2), (1 / 3, 2 / 3), "add up to 1"),
        ((1, 2), (1, 10_000), "more than 10000"),
    ],
)
def test_dice_that_there_are_not(faces: Any, weights: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        weighted(faces, weights)


def test_a_die_has_a_whole_number_of_faces() -> None:
    for faces in (0, 2.5, True):
        with pytest.raises(ValueError, match="whole number of faces"):
            fair(faces)  # type: ignore[arg-type]


def test_throws_that_are_alike_count_once() -> None:
    """Two dice: 21 throws in any order, 36 in order, 11 sums; the first in ascending order stands for all."""
    dice = (fair(6), fair(6))
    assert [len(outcomes(dice, key)) for key in (multiset, sequence, total)] == [21, 36, 11]
    assert weigh(dice)[1, 6] == Fraction(2, 36)
    assert weigh(dice, total)[1, 6] == Fraction(6, 36)
    assert weigh((fair(2, first=0),) * 4) == {
        (0,) * (4 - ones) + (1,) * ones: Fraction(ways, 16) for ones, ways in enumerate((1, 4, 6, 4, 1))
    }


def test_four_knucklebones() -> None:
    """35 throws; Venus, four different faces, comes up in 24 · 0.1 · 0.4 · 0.4 · 0.1 of them."""
    throws = weigh((KNUCKLEBONE,) * 4)
    assert len(throws) == 35
    assert throws[1, 3, 4, 6] == Fraction(384, 10_000)
    assert throws[1, 1, 1, 1] == Fraction(1, 10_000)
    assert sum(throws.values()) == 1


def test_different_dice_in_any_order() -> None:
    """Each class of a mixed throw against all its orders, counted one by one."""
    dice = (fair(4), KNUCKLEBONE, fair(3))
    for key in (multiset, sequence, total):
        expected: dict[Any, Fraction] = {}
        for throw in product(*(zip(die.faces, die.weights) for die in dice)):
            faces = tuple(face for face, _ in throw)
            chance = Fraction(int(np.prod([weight for _, weight in throw])), 4 * 10 * 3)
            expected[key(faces)] = expected.get(key(faces), Fraction(0)) + chance
        assert {key(faces): chance for faces, chance in weigh(dice, key).items()} == expected


def test_too_many_throws() -> None:
    assert len(outcomes((fair(2),) * 40)) == 41
    with pytest.raises(ValueError, match="more than 100000"):
        outcomes((fair(2),) * 40, sequence)
    with pytest.raises(ValueError, match="more than 100000"):
        outcomes((fair(20),) * 8)


def test_a_die_is_drawn_as_its_weights_say() -> None:
    """One whole number below the sum of the weights gives the face: 1 of 10 gives the 1, the next 4 the 3, …"""
    tables = dice_tables((KNUCKLEBONE,))
    assert tables.sides.tolist() == [10]
    assert tables.faces.tolist() == [[1, 3, 3, 3, 3, 4, 4, 4, 4, 6]]
    assert tables.first.tolist() == [0, 1, 5]
    assert tables.chances[1:].tolist() == [0.1, 0.4, 0.4, 0.1]


def test_dice_are_drawn_from_the_stream() -> None:
    """The throws of a game, drawn once more by hand; and how often each face comes up (six standard deviations)."""
    rules, draw = load_game(BONES).rules, inlined(load_game(BONES)).next_faces
    faces, none = np.zeros(len(rules.DICE), np.int8), np.zeros((0, len(rules.DICE) + 1), np.int8)
    stream, twin = records(1, STREAM), records(1, STREAM)
    counts = dict.fromkeys(KNUCKLEBONE.faces, 0)
    for _ in range(4000):
        draw(len(rules.DICE), stream[0], none, faces)
        for k, die in enumerate(rules.DICE):
            face = faces[k]
            assert face == np.repeat(die.faces, die.weights)[below(twin[0], die.sides)]
            if k == 0:
                counts[face] += 1
    for face, chance in zip(KNUCKLEBONE.faces, (0.1, 0.4, 0.4, 0.1)):
        assert abs(counts[face] - 4000 * chance) < 6 * np.sqrt(4000 * chance * (1 - chance))


@pytest.fixture(scope="module")
def known() -> Any:
    from parlour.interfaces import registry

    before = dict(registry._GAMES)
    game = parlour.register(BONES)
    yield game.id
    registry._GAMES.clear()
    registry._GAMES.update(before)


@pytest.mark.parametrize("variant", VARIANTS)
def test_outcomes_are_those_of_the_dice_that_are_thrown(known: str, variant: str) -> None:
    env = begun(known, 1, variant=variant)
    throws = env.chance_outcomes()
    assert len(throws) == VARIANTS[variant]
    assert sum(chance for _, chance in throws) == pytest.approx(1, abs=1e-12)
    assert len(env.dice) == len(throws[0][0]) == env.values["thrown"]
    assert batch_of(known, 2, variant=variant).chance_outcomes(1) == throws


def test_throws_that_are_given(known: str) -> None:
    env = begun(known, 1, throws=[(6, 1), (3, 0)], variant="stick")
    assert env.dice == (6, 1)
    env.step(0)
    assert env.dice == (3, 0)
    with pytest.raises(ValueError, match=r"throw 0: 2 is no face of a die; faces: 1, 3, 4, 6"):
        env.set_dice([(2, 1)])
    with pytest.raises(ValueError, match=r"throw 0: 3 is no face of a die; faces: 0 to 1"):
        env.set_dice([(1, 3)])
    with pytest.raises(ValueError, match=r"throw 0: \(3, 0, 20\) comes where 2 dice are thrown"):
        env.set_dice([(3, 0, 20)])
    with pytest.raises(ValueError, match="a throw is a tuple of 3 faces"):
        env.set_dice([(3, 0, 20, 1)])


@pytest.mark.parametrize("variant", VARIANTS)
def test_searches_look_at_every_throw(known: str, variant: str) -> None:
    """What `expectimax` finds is what looking at every sequence of faces, by its weights, finds."""
    depth = 2 if variant == "three" else 3
    env = begun(known, 3, variant=variant, goal=6)
    games = env.games
    games.observe()
    values, action = value_at_root(games, depth)
    looking = Looking(games, depth)
    worths = [looking.of_action(other)[0] for other in (0, 1)]
    assert worths[0] != worths[1]
    assert worths[action] == max(worths)
    assert values[0] == pytest.approx(worths[action], abs=1e-9)


def test_a_game_of_bones_passes_every_check(known: str) -> None:
    check_game(BONES, checks=["dice", "state", "random_play", "texts", "copies", "records", "batch"], games=3)
