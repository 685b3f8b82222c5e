"""`BothSeatsRollout` on a GPU, with PyTorch: in CUDA's simulator, which needs none, beside the CPU."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

from torch.utils._python_dispatch import TorchDispatchMode

import parlour
from parlour.engine.cuda import launches
from parlour.interfaces import cuda_batch
from parlour.wrappers import BothSeatsRollout, both_seats
from tests.support.processes import run_simulated

GAMES = ("royal_ur-v0", "swords_and_shields-v0")
ROWS, STEPS = 3, 11


def test_a_rollout_stays_on_the_gpu() -> None:
    """With dice and without: the same rollout as on the CPU, and nothing is copied between GPU and host."""
    ran = run_simulated("-m", "tests.libraries.test_rollout_on_a_gpu")
    assert ran.stdout == "the same\n", ran.stderr


def pick(observation: Any, mask: Any) -> Any:
    """A legal action that depends on the row alone, and two extras: arrays of NumPy or tensors in, the same out."""
    legal, seen = torch.as_tensor(mask).long(), torch.as_tensor(observation).long().flatten(1).abs().sum(1)
    wanted = 7 * seen % legal.sum(1)
    actions = ((legal.cumsum(1) > wanted[:, None]) & (legal > 0)).int().argmax(1)
    answer, extras = actions, {"value": seen.float() / 3, "pair": torch.stack([seen, wanted], 1)}
    if isinstance(mask, torch.Tensor):
        return answer, extras
    return answer.numpy(), {name: part.numpy() for name, part in extras.items()}


def check_same(on_cpu: Any, on_gpu: Any) -> None:
    """That two rollouts have the same fields, types and numbers."""
    one, other = ({**vars(rollout), **rollout.extras} for rollout in (on_cpu, on_gpu))
    assert one.pop("extras").keys() == other.pop("extras").keys()
    assert one.keys() == other.keys()
    for name, part in one.items():
        assert isinstance(other[name], torch.Tensor), name
        assert torch.equal(torch.as_tensor(part), other[name]), name
        assert torch.as_tensor(part).dtype == other[name].dtype, name


def forbidden(*unused: Any) -> Any:
    """In place of a copy."""
    raise AssertionError("copied between host and GPU")


class NeverWaits(TorchDispatchMode):  # type: ignore[misc]  # PyTorch may be missing
    """Refuses what makes PyTorch wait for a GPU: sizes and numbers that the host must know, and numbers of the host
    that are written by an index."""

    def __torch_dispatch__(self, call: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name, *_ = call.overloadpacket.__name__.split(".")
        assert name not in ("nonzero", "_local_scalar_dense", "masked_select"), name
        if name in ("index", "index_put_"):
            assert all(part is None or part.dtype == torch.int64 for part in args[1]), "a mask as index"
            assert all(value.dim() for value in args[2:3]), "a number of the host"
        return call(*args, **(kwargs or {}))


def simulate(rows: int) -> Any:
    """From now on the GPU is simulated: its arrays lie in the host's memory, as tensors too. Gives their type."""
    simulated = type(cuda_batch.cuda.to_device(np.zeros(1)))
    both_seats.GPU, launches.THREADS = "cpu", rows  # the simulator starts a thread of Python for each
    cuda_batch._on_device = lambda array: None if array is None else simulated(array.numpy())
    return simulated


def main() -> None:
    """Plays the same games on both."""
    simulated = simulate(ROWS)
    for game in GAMES:
        batches = [parlour.make_batch(game, ROWS, seed=3, max_plies=20, device=device) for device in ("cpu", "cuda")]
        on_cpu, on_gpu = (BothSeatsRollout(batch, STEPS) for batch in batches)
        on_gpu.reset()
        for _ in range(2):
            expected = on_cpu.collect(pick)
            with (
                patch.object(simulated, "copy_to_host", forbidden),
                patch.object(cuda_batch.cuda, "to_device", forbidden),
                NeverWaits(),
            ):
                played = on_gpu.collect(pick)
            check_same(expected, played)
        assert (played.truncated | played.terminated).any()
        batches[1].check()
    print("the same")


if __name__ == "__main__":
    main()
