"""Null moves in a game that says they are sound: tic-tac-toe, in which a mark more never does harm where lines win.

None of the games that come with the package says so: there are positions in all of them in which it is bad to be to
act. So the game is made here, of that in examples/games.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlour
from parlour import registry
from parlour.engine.search_arrays import LEAF
from parlour.players import GamesView
from parlour.search.expectimax import EXACT_HEURISTICS, Expectimax
from tests.support.forced import after

ORIGINAL = Path(__file__).parents[2] / "examples" / "games" / "tic_tac_toe"
NAME = "tic_tac_toe_with_null_moves"
EVALUATION = '''
from parlour.rulebook.compiling import kernel

from .rules import LOSES


@kernel
def null_move_is_sound(state, variant):
    """Where lines lose, a seat may have to make one."""
    return variant.line != LOSES
'''
"""No potential: all positions look alike, so that a seat that passes sees by search alone what it would lose."""
WITH = replace(EXACT_HEURISTICS, null_move=True)
DEPTH = 20
"""All lines end within it, although each null move, of which none follows another, costs two plies more."""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Its id. It is known while these tests run alone."""
    folder, before = tmp_path_factory.mktemp("games"), dict(registry._GAMES)
    shutil.copytree(ORIGINAL, folder / NAME)
    (folder / NAME / "evaluation.py").write_text(EVALUATION, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield parlour.register(NAME).id
    registry._GAMES.clear()
    registry._GAMES.update(before)


def positions(game: str, variant: str, count: int) -> list[Any]:
    """Running games after one to four random plies."""
    rng, found = np.random.default_rng(0), []
    for seed in range(count):
        env = parlour.make(game, variant=variant).unwrapped
        env.reset(seed=seed)
        for _ in range(1 + seed % 4):
            mask = env.observe(env.agent_selection)["action_mask"]
            env.step(int(rng.choice(np.flatnonzero(mask))))
        found.append(env)
    return found


def result_of(env: Any, known: dict[str, int]) -> int:
    """What best play comes to for the seat to act, by looking at everything: 1, 0 or −1. ``known``: of positions."""
    position, seat = env.position(), env.agent_selection
    if position not in known:
        ends = [after(env, move) for move in env.legal_moves()]
        known[position] = max(int(end.rewards[seat]) if end.is_over() else -result_of(end, known) for end in ends)
    return known[position]


def analysis_of(env: Any, heuristics: Any) -> Any:
    """What a search tells that begins from nothing, each time with the same random choices."""
    twin = env.clone()
    twin.games.observe()
    return Expectimax(DEPTH, heuristics=heuristics).consider(GamesView(twin.games))


def test_results_are_those_of_looking_at_everything(game: str) -> None:
    """And the action that is chosen keeps the result."""
    known: dict[str, int] = {}
    changed, results = 0, set()
    for env in positions(game, "usual", 16):
        seat = env.possible_agents.index(env.agent_selection)
        found, without = analysis_of(env, WITH), analysis_of(env, EXACT_HEURISTICS)
        result = result_of(env, known)
        assert int(found.values[seat] > LEAF) - int(found.values[seat] < -LEAF) == result
        changed += found.nodes != without.nodes
        results.add(result)
        twin = after(env, env.move_name(found.principal_variation[0]))
        assert (twin.rewards[env.agent_selection] if twin.is_over() else -result_of(twin, known)) == result
    assert results == {-1, 0, 1}
    assert changed > 8


def test_nothing_is_passed_where_it_is_not_sound(game: str) -> None:
    for env in positions(game, "misere", 8):
        found = [analysis_of(env, used) for used in (WITH, EXACT_HEURISTICS)]
        assert found[0].nodes == found[1].nodes
        assert found[0].values.tolist() == found[1].values.tolist()
