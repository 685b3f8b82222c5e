"""Batches on a GPU: in CUDA's simulator beside the CPU, and compiled for a GPU without one."""

from __future__ import annotations

from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.interfaces import cuda_batch
from parlour.interfaces.registry import find
from tests.support.cases import GAMES, sampled
from tests.support.processes import run_simulated

HOPPER = 9, 0


@sampled("games", ["pig-v0"], GAMES)
def test_a_gpu_plays_as_the_cpu_does(games: list[str]) -> None:
    """Observations, masks, rewards, ends, streams and positions, in CUDA's simulator."""
    ran = run_simulated("-m", "tests.support.beside_cpu", *games)
    assert ran.stdout == "the same\n", ran.stderr


@pytest.mark.parametrize("game", GAMES)
def test_the_step_of_a_game_compiles_for_a_gpu(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba_cuda", reason="numba-cuda is not installed")
    from numba import cuda, int64, typeof
    from numba.cuda import dispatcher

    from parlour.engine.cuda.launches import Shown, launches_for

    device = SimpleNamespace(compute_capability=HOPPER)
    monkeypatch.setattr(dispatcher, "get_current_device", lambda: device)  # there need be none
    batch = parlour.make_batch(game, 4)
    games, n = batch.games, 4
    arrays = games.arrays._replace(states=games.states, variants=games.variants, variant_records=games.variant_records)
    shown = Shown(np.zeros(games.rewards.shape, np.float32), np.zeros(n, np.bool_))
    refused, longest, actions = np.zeros(2, np.int64), np.zeros(1, np.int32), np.zeros(n, np.int64)
    launches = launches_for(find(game), batch.single_action_space.n)
    arguments: dict[str, tuple[Any, ...]] = {
        "take": (actions, actions, refused),
        "begin": (np.zeros(n, np.bool_), actions, np.zeros((3, n), np.uint64), arrays, shown),
        "check": (actions, 0, arrays, refused),
        "step": (actions, 0, arrays, games.finals, shown, refused, longest),
        "sample": (arrays, actions),
    }
    for name, given in arguments.items():
        types = tuple(int64 if isinstance(each, int) else typeof(each) for each in given)
        code, _ = cuda.compile(getattr(launches, name).py_func, types, device=False, cc=HOPPER, abi="numba")
        assert ".visible .entry" in code, name


@pytest.mark.skipif(find_spec("numba_cuda") is not None, reason="numba-cuda is installed")
def test_the_extra_that_is_missing_is_named() -> None:
    with pytest.raises(ImportError, match=r"needs numba-cuda: python -m pip install 'parlour\[cuda\]'"):
        parlour.make_batch("pig-v0", 4, device="cuda")


def test_a_machine_without_a_gpu_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda_batch, "find_spec", lambda name: "found")
    monkeypatch.setattr(cuda_batch.cuda, "is_available", lambda: False)
    with pytest.raises(ValueError, match="there is no GPU with a CUDA driver here; valid: device='cpu'"):
        parlour.make_batch("pig-v0", 4, device="cuda")
    with pytest.raises(ValueError, match="device"):
        parlour.make_batch("pig-v0", 4, device="tpu")


def test_variants_that_forbid_repetitions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda_batch, "check_device", lambda: None)
    with pytest.raises(ValueError, match="repeats='forbidden' is not played on a GPU"):
        parlour.make_batch("checkers-v0", 4, device="cuda", repetition=2, repeats="forbidden")
