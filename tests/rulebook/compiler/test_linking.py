"""Kernels compiled in one piece: what Python calls is machine code, what kernels call is linked in before anything is
optimised; with a Numba that this was not tested with, each by itself, and all the same results."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from parlour.rulebook.compiler.jit import IN_ONE_PIECE, TESTED, jit
from parlour.rulebook.compiler.linking import LARGE, inlining
from parlour.rulebook.compiling import COMPILED
from tests.rulebook.compiler.test_cache import PLAY
from tests.support.processes import ROOT, run_python

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled under NUMBA_DISABLE_JIT")


@functools.partial(jit, inline=True)
def doubled(x: Any) -> Any:
    return x + x


@functools.partial(jit, inline=False)
def doubled_sum(numbers: Any) -> Any:
    total = numbers[0] - numbers[0]
    for number in numbers:
        total += doubled(number)
    return total


@functools.partial(jit, inline=False)
def twice(numbers: Any) -> Any:
    return doubled_sum(numbers) + doubled_sum(numbers)


def test_the_installed_numba_was_tested() -> None:
    assert IN_ONE_PIECE, f"Numba {numba.__version__} is not in jit.TESTED: try it, and add it"


def test_the_oldest_tested_numba_is_the_oldest_allowed() -> None:
    oldest = ".".join(map(str, TESTED[0]))
    assert f'"numba>={oldest}"' in (ROOT / "pyproject.toml").read_text()


def test_only_what_python_calls_becomes_machine_code() -> None:
    numbers = np.arange(5.0)
    assert twice(numbers) == 40
    assert len(twice.overloads) == 1
    assert not doubled_sum.overloads
    assert not doubled.overloads


def test_a_kernel_is_called_by_python_and_by_kernels_with_the_same_types() -> None:
    numbers = np.arange(4)
    assert twice(numbers) == 24
    assert doubled_sum(numbers) == 12
    assert doubled(np.int64(3)) == 6
    assert twice(numbers.astype(np.float32)) == 24


def test_constants_have_no_kernel_of_their_own() -> None:
    @functools.partial(jit, inline=True)
    def added(x: Any, k: Any) -> Any:
        return x + k

    @functools.partial(jit, inline=False)
    def caller(x: Any) -> Any:
        return added(x, 1) + added(x, 2) + added(x, x)

    assert caller(np.int64(3)) == 15
    assert len(added._partial) == 1


def test_compiled_code_of_others_can_call_kernels() -> None:
    @numba.njit
    def caller(numbers: Any) -> Any:
        return doubled_sum(numbers) + doubled(1)

    assert caller(np.arange(4)) == 14


def function(name: str, lines: int, *called: str) -> str:
    """A function of so many lines besides its calls, in LLVM's language."""
    calls = "".join(f'  %.{k} = call i32 @"{other}"(i64 %x)\n' for k, other in enumerate(called))
    return f'define linkonce_odr i32 @"{name}"(i64 %x) #0 {{\n' + "  add\n" * lines + calls + "}\n\n"


def test_only_what_is_large_and_called_from_several_places_stays_a_function() -> None:
    module = (
        function("top", 1, "large", "large", "once", "small", "loop")
        + function("loop", 1, "small", "small", "outside")
        + function("large", 1, "part", "small")
        + function("part", LARGE)
        + function("once", 2 * LARGE, "small")
        + function("small", 3)
        + "declare i32 @outside(i64)\n"
    )
    assert inlining(module, {"large", "part", "once", "small"}) == {
        "large": "noinline", "part": "alwaysinline", "once": "alwaysinline", "small": "alwaysinline",
    }  # fmt: skip


UNTESTED = """
import numba
numba.version_info = numba.version_info._replace(short=(99, 0))
"""
TELL = "from parlour.rulebook.compiler.jit import IN_ONE_PIECE; print(IN_ONE_PIECE)"


def test_an_untested_numba_compiles_each_kernel_by_itself_to_the_same_results(tmp_path: Path) -> None:
    played = {
        "tested": run_python(PLAY + TELL, ROOT),
        "untested": run_python(UNTESTED + PLAY + TELL, ROOT, PARLOUR_CACHE_DIR=str(tmp_path)),
    }
    assert all(done.returncode == 0 for done in played.values()), [done.stderr for done in played.values()]
    answers = {name: done.stdout.split() for name, done in played.items()}
    assert [answer[-1] for answer in answers.values()] == ["True", "False"]
    assert answers["tested"][0] == answers["untested"][0]
