"""Hints for people: who gives them, and what they say."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import pytest

from parlour.players import parse_player
from parlour.players.people.advice import ABOUT_EQUAL, Thought, advise, adviser, marks, think
from parlour.support.signed import signed
from tests.support.games import begun

BOX = re.compile(r'<rect x="([-\d.]+)" y="([-\d.]+)" width="([-\d.]+)" height="([-\d.]+)"')


def at_start(game: str, variant: str | None = None) -> Any:
    return begun(game, 1, variant=variant, illegal_move="raise")


@pytest.mark.parametrize(
    ("game", "opponent", "expected"),
    [
        ("checkers", "greedy", "champion"),
        ("checkers", "champion:2", "champion"),
        ("checkers", "expectimax:6", "champion:6"),
        ("checkers", "champion:8", "champion:8"),
        ("checkers", "mcts:0.5s", "champion:2s"),
        ("checkers", "mcts:3s", "champion:3s"),
        ("acey_ducey", "greedy", "champion"),
        ("acey_ducey", "champion:3", "champion:3"),
        ("backgammon hyper", "greedy", "mcts:2s"),
        ("backgammon hyper", "mcts:3s", "mcts:3s"),
        ("backgammon hyper", "expectimax:3", "expectimax:3"),
    ],
)
def test_hints_are_not_weaker_than_the_opponent(game: str, opponent: str, expected: str) -> None:
    """Hyper-Backgammon has no champion."""
    env = at_start(*game.split())
    assert adviser(env, [parse_player("random", env.game), parse_player(opponent, env.game)]).name == expected


def test_a_hint_values_moves_and_says_which_are_about_equal() -> None:
    env = at_start("checkers")
    before = env.position()
    thought = think(env, parse_player("champion", env.game))
    assert thought is not None
    assert env.position() == before
    values = [value for value in thought.values if value is not None]
    assert len(values) == len(thought.moves) == 5
    assert values == sorted(values, reverse=True)
    equal = [move for (move, _), value in zip(thought.moves, values) if values[0] - value < ABOUT_EQUAL]
    assert f"{signed(values[0], 2)} after {thought.moves[0][0]}." in thought.why
    assert ("These are about equal: " + ", ".join(equal) in thought.why) == (len(equal) > 1)
    one = Thought((("a", 0.6), ("b", 0.4)), 0.5, (), (0.5, 0.4))
    assert "about equal" not in one.why


def test_a_win_at_once_is_the_hint() -> None:
    """The value of a move that ends the game is its result."""
    env = at_start("checkers")
    env.reset(seed=1, options={"position": "W:W22,27:B18"})
    thought = think(env, parse_player("champion:1", env.game))
    assert thought is not None
    assert thought.value_of(0) == 1.0


@pytest.mark.parametrize("game", ["royal_ur", "acey_ducey", "backgammon"])
def test_hints_in_games_with_dice_weigh_every_throw_and_look_at_none(game: str) -> None:
    """The same hint whatever the game will throw, and the game is left as it was."""
    env = at_start(game)
    player, greedy = adviser(env, []), parse_player("greedy", env.game)
    while len(env.legal_moves()) < 2:
        env.step(env.ask(greedy))
    before = env.games.dice_rng.copy()
    told = [advise(env.clone(seed), player) for seed in (None, 1, 2)]
    assert told[0] is not None
    assert told[0] == told[1] == told[2]
    assert (env.games.dice_rng == before).all()
    assert len(told[0].values) == len(told[0].moves) > 1
    assert f"before, {signed(told[0].value_of(0) or 0.0, 2)} after {told[0].moves[0][0]}" in told[0].why


def test_a_hint_tells_what_happens_by_the_move_in_the_words_of_the_game() -> None:
    env = at_start("checkers")
    env.reset(seed=1, options={"position": "W:W22,27:B18,6,2"})
    thought = advise(env, parse_player("champion:1", env.game))
    assert thought is not None
    assert thought.why == "22x15 is the only legal move."
    env.reset(seed=1, options={"position": "W:W22,23:B18,19"})
    thought = advise(env, parse_player("champion:1", env.game))
    assert thought is not None
    assert "(man captured" in thought.why


@pytest.mark.parametrize("game", ["backgammon", "agon", "royal_ur"])
def test_values_on_arrows_hide_none_of_each_other_and_stay_in_the_picture(game: str) -> None:
    """In Backgammon arrows along one row have middles side by side."""
    env = at_start(game)
    moves = tuple((move, 0.2) for move in env.legal_moves()[:8])
    shown = marks(env, Thought(moves, 0.0, (), (-0.123,) * len(moves)))
    boxes = [tuple(map(float, found)) for found in BOX.findall(shown)]
    assert boxes
    right, bottom = ElementTree.fromstring(env.svg()).attrib["viewBox"].split()[2:]
    for x, y, width, height in boxes:
        assert 0 <= x <= float(right) - width
        assert 0 <= y <= float(bottom) - height
    for (x, y, width, height), (other_x, other_y, *_) in combinations(boxes, 2):
        assert abs(x - other_x) >= width - 0.2 or abs(y - other_y) >= height - 0.2
    assert set(re.findall(r">([^<>]+)</text>", shown)) == {"−0.12"}


def test_numbers_have_a_true_minus_and_nothing_has_no_sign() -> None:
    assert [signed(value, 2) for value in (0.5, -0.06, -0.001, 0.001, 0.0)] == [
        "+0.50",
        "−0.06",
        "0.00",
        "0.00",
        "0.00",
    ]
    assert signed(-1205.4, 0) == "−1205"


def test_a_value_is_told_in_words() -> None:
    stands = [(-1.0, "Losing."), (-0.2, "A little behind."), (0.05, "About even."), (0.5, "Ahead."), (1, "Winning.")]
    for value, words in stands:
        assert Thought((("a", 1.0),), value, (), (value,)).why.startswith(f"{words} Expected result ")
