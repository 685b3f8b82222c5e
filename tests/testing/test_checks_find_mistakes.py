"""Each check fails on a game with a mistake that it is there for, and says what is wrong."""

from __future__ import annotations

import json
import os
import pickle
import re
import subprocess
import sys
from functools import partialmethod
from pathlib import Path

import pytest

from parlour.interfaces.registry import find
from parlour.rulebook.compiling import COMPILED
from parlour.testing import CHECKS, CheckFailed, Subject, check_game, run_check, subjects_of
from tests.support.command_line import Run
from tests.support.own_games import PIG, TIC_TAC_TOE, copy_game
from tests.support.processes import ROOT
from tests.testing.mutants import MUTANTS, UNTESTED


@pytest.fixture(scope="module")
def messages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the checks say of all mutants."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.testing.mutants", str(tmp_path_factory.mktemp("mutants"))],
        cwd=ROOT, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-3000:]
    return json.loads(ran.stdout.splitlines()[-1])  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mistake_is_found(name: str, messages: dict[str, str]) -> None:
    mutant = MUTANTS[name]
    number = list(MUTANTS).index(name)
    assert f"mutant_{number}-v0, variant " in messages[name]
    assert f"check {mutant.check!r}" in messages[name]
    assert mutant.message in messages[name]


def test_every_check_has_a_mutant() -> None:
    assert {mutant.check for mutant in MUTANTS.values()} == set(CHECKS) - UNTESTED


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled under NUMBA_DISABLE_JIT")
def test_numbers_that_overflow_only_uncompiled_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """int8 · int is int64 in machine code and int8 in NumPy: 15 · 25 is 375 or 119."""
    edit = "evaluation.py", "    return (state.scores", "    return 0.001 * (state.dice[0] * 100) + (state.scores"
    copy_game(PIG, tmp_path / "overflowing_pig", edit)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(CheckFailed, match=r"(?s)check 'interpreted'.*uncompiled: .*compiled:  "):
        check_game("overflowing_pig", checks=["interpreted"])
    listed = "@kernel\ndef moves(state, variant, actions):\n    actions[0], actions[1] = 150 + state.dice[0], 1\n"
    edit = "rules.py", "@kernel\ndef legal(", f"{listed}    actions[0] = 0\n    return 2\n\n\n@kernel\ndef legal("
    copy_game(PIG, tmp_path / "listing_pig", edit)
    with pytest.raises(CheckFailed, match=r"rules.py, line \d+: actions.*Python integer 150 out of bounds for int8"):
        check_game("listing_pig", checks=["interpreted"])


def test_a_game_that_never_ends_needs_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reversi takes some 60 plies, and has no limit; Bones has one."""
    monkeypatch.setattr(Subject, "play", partialmethod(Subject.play, plies=20))
    run_check("random_play", subjects_of("tests.toy_games.bones", games=2)[0])
    with pytest.raises(CheckFailed, match=r"no random game has ended in 3000 plies; set a limit \(max_plies\)"):
        run_check("random_play", subjects_of("tests.toy_games.reversi", games=2)[0])


HARMFUL = {
    "rewards": ("rewards[winner] +=", "rewards[winner + seat + np.int64(99)] +=", r"rules.py, line \d+: .*IndexError"),
    "int8": ("rewards[winner] +=", "rewards[winner + 5000] +=", r"rules.py, line \d+: .*OverflowError"),
    "seat": ("state.to_act = 1 - seat", "state.to_act = 5", "state.to_act is 5, not 0 to 1: "),
    "end": ("state.end = LINE_MADE", "state.end = 99", "state.end is 99, not 0 to 4: "),
    "mask": ("mask[cell] = 1", "mask[cell] = 2", r"legal\(\) writes \[2\] into the mask, not 0 and 1"),
    "no move": ("mask[cell] = 1", "mask[cell] = 0", r"legal\(\) allows no action, and the game is not over"),
}  # fmt: skip


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled under NUMBA_DISABLE_JIT")
@pytest.mark.parametrize("what", HARMFUL)
def test_rules_that_crash_or_never_end_once_compiled_are_only_run_uncompiled(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    right, wrong, message = HARMFUL[what]
    name = f"harmful_{list(HARMFUL).index(what)}"
    copy_game(TIC_TAC_TOE, tmp_path / name, ("rules.py", right, wrong))
    monkeypatch.syspath_prepend(str(tmp_path))
    ran = run("check", name, "--variant", "usual")
    assert re.search(f"check 'interpreted': uncompiled, the game fails after .*{message}", ran.out)
    assert "Left out: the other checks." in ran.out
    assert ran.status == 1


def test_a_failure_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    def invariant(env: object) -> None:
        assert env.games.states["plies"][0] < 3, "three plies"  # type: ignore[attr-defined]

    with pytest.raises(CheckFailed) as caught:
        check_game("tests.toy_games.pig", invariant, checks=["random_play"])
    failure = pickle.loads(pickle.dumps(caught.value))
    assert (failure.check, failure.game, failure.variant, failure.seed) == ("random_play", "pig-v0", "pig", 0)
    assert failure.problem.startswith("three plies")
    assert failure.position.endswith("| 3")
    assert str(failure).startswith("pig-v0, variant 'pig', check 'random_play', seed 0, position 'scores ")


def test_arguments_that_are_not_valid() -> None:
    with pytest.raises(ValueError, match="no variant 'chess'; variants: 'pig' and 'strict'"):
        check_game("tests.toy_games.pig", variants=["chess"])
    with pytest.raises(ValueError, match="there is no check 'spelling'; checks: 'parts', 'layout'"):
        check_game("tests.toy_games.pig", checks=["spelling"])
    with pytest.raises(ValueError, match="games must be a whole number from 1 up, not 0"):
        subjects_of("tests.toy_games.pig", games=0)
    with pytest.raises(ValueError, match=r"is not the package of a game: it does not define 'TITLE'"):
        check_game("tests.toy_games")
    run_check("parts", Subject(find("pig"), "pig"))
