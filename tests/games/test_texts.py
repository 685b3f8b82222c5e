"""Texts of positions and names of moves: what docs/common_rules.md says of all games, by each game's ``texts.py``."""

from __future__ import annotations

import random
import re
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.interfaces.aec import GameEnv
from parlour.interfaces.registry import find
from tests.support.beside_referee import taking_back
from tests.support.cases import GAMES, PRINTED_GAMES
from tests.support.games import begun
from tests.support.texts import play, resumed, standing

TEXTS = {game: import_module(f"tests.games.{find(game).name}.texts") for game in PRINTED_GAMES}
"""Of each module: PLAYED, starts (none: the set-up) and options of games; READ, texts with options; REWRITTEN, texts
that are written otherwise; REFUSED, those that are not read, by what is said; REFUSED_UNDER, the same under options;
NAMED, texts with options and the names of all actions there (none: ""); NO_MOVES, what is no move, and NO_NAMES, what
is no name, though it may be read as a move."""


def of_all(table: str) -> list[tuple[Any, ...]]:
    """The rows of a table of each game, the game first."""
    return [(game, *row) for game, module in TEXTS.items() for row in getattr(module, table, ())]


@cache
def under_way(game: str, options: tuple[tuple[str, Any], ...] = ()) -> GameEnv:
    """A game that nothing which is refused changes."""
    env = begun(game, seed=1, illegal_move="raise", **dict(options))
    for _ in range(3):
        play(env, env.legal_moves()[-1])
    return env


# --- what is read ---


@pytest.mark.parametrize(("game", "start", "options"), of_all("PLAYED"), ids=str)
def test_every_position_of_a_game_reads_back_and_goes_on_alike(game: str, start: str, options: dict[str, Any]) -> None:
    """“every position has a *text* that can be read back”, in mid-turn and finished ones included: nothing that can be
    seen differs, and a game resumed early goes on with the same dice and ends like the original."""
    rng, choose = random.Random(7), taking_back(0.7)
    env, again, twin = (resumed(game, start or None, **options) for _ in range(3))
    while True:
        again.reset(options={"position": env.position()})
        assert standing(again) == standing(env) == standing(twin)
        assert not any(again.rewards.values())
        assert twin.rewards == env.rewards
        if env.is_over():
            break
        if rng.random() < 0.2:
            twin = resumed(game, env.position(), **options)
            twin.games.dice_rng[:] = env.games.dice_rng
        move = choose(rng, env, env.legal_moves())
        for each in (env, twin):
            play(each, move)


@pytest.mark.parametrize(("game", "text", "options"), of_all("READ"))
def test_texts_are_written_as_they_are_read(game: str, text: str, options: dict[str, Any]) -> None:
    """Up to the limits of what is refused. A text of a finished game may show what no running game can."""
    env = resumed(game, text, **options)
    assert env.position() == text
    assert env.is_over() == (" end=" in text)
    assert env.is_over() != bool(env.legal_moves())


@pytest.mark.parametrize(("game", "text", "written", "options"), of_all("REWRITTEN"))
def test_other_ways_to_write_the_same(game: str, text: str, written: str, options: dict[str, Any]) -> None:
    assert resumed(game, text, **options).position() == written


# --- what is refused ---


REFUSED = [
    *(
        (game, text, said, {})
        for game, module in TEXTS.items()
        for said, texts in module.REFUSED.items()
        for text in texts
    ),
    *of_all("REFUSED_UNDER"),
]


@pytest.mark.parametrize(("game", "text", "said", "options"), REFUSED)
def test_other_texts_are_refused(game: str, text: str, said: str, options: dict[str, Any]) -> None:
    """By a `ValueError` that names the text and what is wrong with it; the game that was under way stands as before."""
    env = under_way(game, tuple(options.items()))
    before, rewards = standing(env), env.rewards
    with pytest.raises(ValueError) as caught:
        env.reset(seed=2, options={"position": text})
    named, _, problem = str(caught.value).partition(f"{text!r}: ")
    assert named == "position "
    assert said in problem
    assert (standing(env), env.rewards) == (before, rewards)
    if not env.is_over():
        play(env.clone(), env.legal_moves()[0])


@pytest.mark.parametrize("game", PRINTED_GAMES)
def test_a_refused_text_before_any_game_leaves_none(game: str) -> None:
    """An environment that was never reset still isn't."""
    env = parlour.make(game)
    with pytest.raises(ValueError, match="position 'nonsense'"):
        env.reset(options={"position": "nonsense"})
    with pytest.raises(AssertionError, match="reset"):
        env.position()


# --- names of moves ---


@pytest.mark.parametrize(("game", "text", "options", "names"), of_all("NAMED"))
def test_names_of_all_actions(game: str, text: str, options: dict[str, Any], names: list[str]) -> None:
    """“Every action has a *name*”, by its index; one that can never be played has none."""
    env = resumed(game, text, **options)
    assert env.action_space("player_0").n == len(names)
    for action, name in enumerate(names):
        if name:
            assert env.move_name(action) == name
            assert env.parse_move(name) == action
        else:
            with pytest.raises(ValueError, match=str(action)):
                env.move_name(action)


NO_NAMES = [
    (game, text, table == "NO_MOVES")
    for game, module in TEXTS.items()
    for table in ("NO_MOVES", "NO_NAMES")
    for text in getattr(module, table, ())
]


@pytest.mark.parametrize(("game", "text", "in_any_spelling"), NO_NAMES)
def test_other_texts_are_no_names(game: str, text: str, in_any_spelling: bool) -> None:
    """A `ValueError` that names the text and the position."""
    env = under_way(game)
    before = standing(env)
    with pytest.raises(ValueError) as caught:
        env.parse_move(text) if in_any_spelling else env.games.parse_move(0, text)
    assert repr(text) in str(caught.value)
    assert repr(env.position()) in str(caught.value)
    assert standing(env) == before


@pytest.mark.parametrize("given", [5, 0, None, True, 1.5, b"pass", ["pass"], ("d9", "d6")], ids=repr)
@pytest.mark.parametrize("game", GAMES)
def test_what_is_no_text_is_no_name(game: str, given: Any) -> None:
    with pytest.raises(ValueError, match=re.escape(repr(given))):
        under_way(game).parse_move(given)


@pytest.mark.parametrize(
    "action", [-1, -1296, 10**9, 2**63, -(2**70), "x", "0", None, True, False, 1.0, [1], np.bool_(True)], ids=repr
)
@pytest.mark.parametrize("game", GAMES)
def test_other_indices_have_no_name(game: str, action: Any) -> None:
    """“`move_name` raises for an index that can never be played”; “Wrong types are `ValueError`s too; booleans are not
    counts”."""
    env = under_way(game)
    for given in (action, env.games.layout.actions):
        with pytest.raises(ValueError, match=re.escape(str(given) if type(given) is int else repr(given))):
            env.move_name(given)
