"""Batches on CUDA beside batches on the CPU, to the byte. On a machine without a GPU it runs in CUDA's simulator:

NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1 python -m tests.support.beside_cpu royal_ur-v0 checkers-v0
"""

from __future__ import annotations

import pickle
import sys
from typing import Any

import numpy as np

import parlour

parlour.register("tests.toy_games.pig")

ROWS, PLIES = 5, 45
SHORT = {"max_plies": 20}


def on_cpu(shown: Any) -> Any:
    """What a call has returned, as arrays of NumPy."""
    if isinstance(shown, dict):
        return {name: on_cpu(part) for name, part in shown.items()}
    return shown.copy_to_host() if hasattr(shown, "copy_to_host") else np.asarray(shown)


def check_same(one: Any, other: Any, rows: Any = slice(None)) -> None:
    """That two results of `step` or `reset` have the same names, types and numbers. What is shown of ends counts where
    games have ended, ``rows``."""
    if isinstance(one, tuple):
        assert len(one) == len(other)
        for part, counterpart in zip(one, other):
            check_same(part, counterpart)
    elif isinstance(one, dict):
        assert one.keys() == other.keys()
        ended = one.get("_final_obs", rows)
        for name, part in one.items():
            check_same(part, other[name], ended if name in ("final_obs", "final_to_act") else rows)
    else:
        assert one.dtype == on_cpu(other).dtype
        np.testing.assert_array_equal(one[rows], on_cpu(other)[rows])


def both(game: str, **options: Any) -> tuple[Any, Any]:
    """The same batch on both devices, begun."""
    cpu, gpu = (parlour.make_batch(game, ROWS, seed=3, device=device, **options) for device in ("cpu", "cuda"))
    check_same(cpu.reset(), gpu.reset())
    return cpu, gpu


def play(cpu: Any, gpu: Any, plies: int) -> int:
    """Random plies on both. How many games have ended."""
    ended = 0
    for _ in range(plies):
        actions, drawn = cpu.sample_actions(), gpu.sample_actions()
        check_same(actions, drawn)
        result = cpu.step(actions)
        check_same(result, gpu.step(drawn))
        ended += int((result[2] | result[3]).sum())
    gpu.check()
    assert [cpu.position(i) for i in range(ROWS)] == [gpu.position(i) for i in range(ROWS)]
    return ended


def play_every_way(game: str) -> None:
    """Each autoreset mode, several variants, new games in some rows, a position, and other forms of a batch."""
    for mode in ("same_step", "next_step"):
        assert play(*both(game, autoreset=mode, **SHORT), PLIES) >= ROWS
    variants = list(parlour.variants(game))
    cpu, gpu = both(game, variant=variants, variant_planes="variant", autoreset="disabled", **SHORT)
    play(cpu, gpu, PLIES)
    again = {"reset_mask": np.arange(ROWS) % 2 == 0, "variant": variants[-1]}
    check_same(cpu.reset(options=again), gpu.reset(options=again))
    check_same(cpu.reset(seed=9), gpu.reset(seed=9))
    play(cpu, gpu, 5)
    first = {"variant": variants[0]}
    check_same(cpu.reset(options=first), gpu.reset(options=first))
    play(cpu, gpu, 5)
    place = {"position": cpu.position(1), **first}
    check_same(cpu.reset(options=place), gpu.reset(options=place))
    for moved in (gpu.clone(), pickle.loads(pickle.dumps(gpu))):
        assert moved.legal_moves(0) == cpu.legal_moves(0)
        play(cpu.clone(), moved, 5)


def refuse() -> None:
    """An action that is not legal changes nothing, in that step and those after it, until `check` tells."""
    cpu, gpu = both("royal_ur-v0")
    before = gpu.position(0), gpu.position(3)
    illegal = cpu.games.action_mask.argmax(axis=1)
    illegal[2] = cpu.games.action_mask[2].argmin()
    errors = []
    for call in (lambda: cpu.step(illegal), lambda: (gpu.step(illegal), gpu.step(gpu.sample_actions()), gpu.check())):
        try:
            call()
        except parlour.IllegalMove as error:
            errors.append(str(error))
    assert errors[0] == errors[1], errors
    assert before == (gpu.position(0), gpu.position(3))
    cpu.sample_actions()
    play(cpu, gpu, 3)


def grow() -> None:
    """Longer games than the history has room for at first, also where they come from the CPU when it is full."""
    cpu, gpu = both("swords_and_shields-v0", autoreset="disabled", copy=True)
    play(cpu, gpu, 58)
    play(cpu, gpu.clone(), 90)


def main() -> None:
    """Plays the games that are named."""
    refuse()
    for game in sys.argv[1:]:
        play_every_way(game)
    if "swords_and_shields-v0" in sys.argv:
        grow()
    print("the same")


if __name__ == "__main__":
    main()
