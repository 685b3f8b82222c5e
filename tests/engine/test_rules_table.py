"""The functions of a game that kernels of the engine call by address."""

from __future__ import annotations

import importlib
import shutil
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.engine import rules_table as tables
from parlour.engine.game_functions import GameFunctions
from parlour.engine.inlined import inlined
from parlour.engine.kernels import alpha_beta, repeats, step
from parlour.engine.rules_table import FUNCTIONS, NUMBERS, RulesTable, called
from parlour.interfaces import registry
from parlour.interfaces.registry import find
from parlour.rulebook.compiling import COMPILED
from tests.support.cases import PRINTED_GAMES
from tests.support.processes import run_python

DIGESTS = """
from parlour.engine.inlined import inlined
from parlour.engine.kernels.step import step_rows
from parlour.engine.rules_table import FUNCTIONS, of_words
from parlour.interfaces.registry import find
from parlour.rulebook.compiler.dependencies import code_digest
game = find("royal_ur-v0")
layout = game.layout(game.resolve(None, {})[1])
forms = [of_words(name, getattr(inlined(game), name), game, layout) for name in FUNCTIONS]
print(*map(code_digest, [step_rows, *forms]))
"""
SHARED = """
import sys
import parlour
from parlour.engine import rules_table
from parlour.players import parse_players
from parlour.records import record_game
rules_table.LARGE = int(sys.argv[1])
named, name_code = [], rules_table.name_code
rules_table.name_code = lambda symbol, address: (named.append(symbol), name_code(symbol, address))
for players in (2, 5):  # arrays of other sizes
    batch = parlour.make_batch("crown_and_anchor-v0", 8, seed=3, players=players)
    batch.reset()
    for _ in range(50):
        batch.step(batch.sample_actions())
    print(batch.games.states.tobytes().hex())
env = parlour.make("royal_ur-v0", max_plies=60)
print(record_game(env, parse_players("mcts:4,expectimax:1", 2), seed=5))
print(len(set(named)))
"""
PIG = Path(__file__).parents[1] / "toy_games" / "pig"
compiled = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


@pytest.mark.parametrize("game", PRINTED_GAMES)
def test_every_game_has_all_that_the_engine_may_call(game: str) -> None:
    functions = inlined(find(game))
    for name in FUNCTIONS:
        part = getattr(functions, name)
        assert callable(part) or (name == "place" and not find(game).has_endings), name
    assert all(isinstance(getattr(functions, name), int) for name in NUMBERS)


@pytest.mark.parametrize("first", ["import numba.types", "import parlour.arena, parlour.learn, parlour.wrappers"])
def test_kept_code_is_the_same_whatever_was_imported_first(first: str, tmp_path: Path) -> None:
    usual, other = (run_python(before + DIGESTS, tmp_path) for before in ("import parlour", first))
    assert len(usual.stdout.split()) == 1 + len(FUNCTIONS), usual.stderr
    assert other.stdout == usual.stdout, other.stderr


def test_only_what_a_kernel_can_get_to_is_compiled() -> None:
    """A step of a batch needs three functions; without repetitions that are forbidden, and where nobody asks for
    potentials."""
    assert called(step.step_rows, False, False) == ("begin_game", "play_ply", "show")
    assert {"legal", "apply", "position_key"} < set(called(step.step_rows, True, False))
    assert {"potential", "note_events"} < set(called(step.step_rows, False, True))
    assert {"state_key", "list_marked", "play_on", "rank"} < set(called(alpha_beta.search_rows, False, False))


def test_a_kernel_that_is_named_itself_has_all_that_it_calls() -> None:
    """Also one of a module that other kernels do not get to where nothing is forbidden."""
    assert "legal" in called(repeats.legal, False, False)
    assert set(called(repeats.forbid, False, False)) >= {"apply", "position_key", "legal"}


def test_parameters_have_meanings() -> None:
    """Each is a number, a record or an array, by its name."""
    game = find("pig-v0")
    known = tables._meanings(game, game.layout(game.resolve(None, {})[1]))
    assert {name for function in FUNCTIONS for name in tables._arguments(function)} <= set(known)
    assert {getattr(GameFunctions, name).__annotations__["return"] for name in FUNCTIONS} == {
        "None", "int", "float", "np.uint64",
    }  # fmt: skip


@compiled
def test_a_function_that_was_not_compiled_is_an_error_and_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = parlour.make_batch("pig-v0", 4, seed=0)
    batch.reset()
    games: Any = batch.games
    games.rules = RulesTable(games.game, games.rules.layout)
    games.rules.ready_for(step.step_rows, False, False, ("show",))
    monkeypatch.setattr(games.rules, "_ready", {(step.step_rows, False, False)})
    with pytest.raises(RuntimeError, match="was not compiled for it"):
        batch.step(batch.sample_actions())


@compiled
def test_an_apply_that_is_compiled_once_plays_the_same(tmp_path: Path) -> None:
    """Also where another process has compiled it."""
    inlined, *called = (run_python(SHARED, tmp_path, large).stdout for large in ("1000000", "0", "0"))
    *played, shared = inlined.splitlines()
    assert (len(played), shared) == (3, "0")
    assert [one.splitlines() for one in called] == [[*played, "3"]] * 2  # three tables, each with an `apply` of its own


def test_rules_that_are_reloaded_change_no_game_that_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is compiled later would read and write past the ends of records that were made before."""
    shutil.copytree(PIG, tmp_path / "reloaded_pig")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "_GAMES", dict(registry._GAMES))
    game = parlour.register("reloaded_pig")
    batch = parlour.make_batch(game.id, 100, seed=0)
    batch.reset()
    file = tmp_path / "reloaded_pig" / "rules.py"
    file.write_text(file.read_text().replace("state_dtype(\n    [", 'state_dtype(\n    [\n("more", np.int64, (999,)),'))
    reloaded = importlib.reload(importlib.import_module("reloaded_pig.rules"))
    assert reloaded.STATE.itemsize > game.rules.STATE.itemsize == batch.games.states.dtype.itemsize
    batch.step(batch.sample_actions())  # compiled only now
    assert batch.games.states["plies"].tolist() == [1] * 100
    with pytest.raises(ValueError, match="reloaded_pig: its rules were reloaded after they were used"):
        parlour.register("reloaded_pig")
