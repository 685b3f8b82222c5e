"""The batch engine on a GPU: `parlour.make_batch` with ``device="cuda"``.

Axis letters: N games, C planes, H × W board, A actions, P seats.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
from numba import config, cuda

from parlour.engine.arrays import OUTPUTS, SAME_STEP, STREAMS, Arrays, Finals
from parlour.engine.games import Games
from parlour.engine.repetition import FILTER_WORDS
from parlour.engine.seeds import seed_words, stream_starts
from parlour.interfaces.batch import Batch
from parlour.support.arguments import one_of, reset_options, whole_numbers

CPU, CUDA = "cpu", "cuda"
DEVICES = (CPU, CUDA)
ROWS = ("states", "variants", *STREAMS, "history", *OUTPUTS)
"""Arrays with a row for each game"""
SHARED = ("forced_dice", "variant_records", "cumulative", "variant_planes")
"""Arrays of all games together"""


def check_device() -> None:
    """ImportError without numba-cuda, ValueError without a GPU (or CUDA's simulator, `NUMBA_ENABLE_CUDASIM=1`)."""
    if find_spec("numba_cuda") is None and not config.ENABLE_CUDASIM:
        raise ImportError("device='cuda' needs numba-cuda: python -m pip install 'parlour[cuda]'")
    if not cuda.is_available():
        raise ValueError("device='cuda': there is no GPU with a CUDA driver here; valid: device='cpu'")


class CudaBatch:
    """A `parlour.Batch` whose arrays are on a GPU. Game i plays exactly as there, ply for ply.

    What `reset` and `step` return has the names, shapes and types of `parlour.Batch`. The arrays are on the device
    (``__cuda_array_interface__``), so that ``torch.as_tensor(observation)`` shares their memory, and so does
    ``jax.dlpack.from_dlpack`` of that tensor. They are overwritten by the next step, unless the batch was made with
    ``copy=True``.

    Calls return before the GPU has done its work, which is done in their order, in the default stream, in which PyTorch
    works too. So an action that is not legal can't raise at once: no game changes in that step and in those after it,
    until `check` raises.

    Attributes: as those of `parlour.Batch`.
    """

    def __init__(self, batch: Batch) -> None:
        """``batch``: what to play, which is not changed. Raises what `check_device` does, and ValueError for variants
        that forbid repetitions (``repeats="forbidden"``)."""
        check_device()
        if batch.games.variant_mix.forbids_repeats:
            raise ValueError("repeats='forbidden' is not played on a GPU; valid: the other values, or device='cpu'")
        from parlour.engine.cuda.launches import launches_for

        self.game, self.variants, self.metadata, self.copy = batch.game, batch.variants, batch.metadata, batch.copy
        self.num_games, self.num_envs, self.num_seats = batch.num_games, batch.num_envs, batch.num_seats
        self.single_observation_space, self.observation_space = batch.single_observation_space, batch.observation_space
        self.single_action_space, self.action_space = batch.single_action_space, batch.action_space
        self._longest = 0
        self._mode = batch._autoreset
        self._launches = launches_for(batch.game, int(self.single_action_space.n))
        self._take_over(batch)

    @property
    def unwrapped(self) -> CudaBatch:
        """The batch itself, as beneath wrappers."""
        return self

    def close(self) -> None:
        """Does nothing: memory is freed with the batch."""

    def __repr__(self) -> str:
        return f"<CudaBatch of {self.num_games} games of {self.game.id}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.to(CPU),)

    def seed_of(self, i: int) -> int:
        """As `parlour.Batch.seed_of`."""
        return self._host.seed_of(i)

    def to(self, device: str) -> Any:
        """A batch of the same games on ``"cpu"`` or ``"cuda"``: with the same positions, earlier positions, streams and
        outputs. ValueError for another device. Waits for the GPU."""
        if one_of("device", device, DEVICES) == CUDA:
            return CudaBatch(self.to(CPU))
        return self._rows(slice(None))

    def reset(self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None) -> Any:
        """As `parlour.Batch.reset`. Positions are read by the CPU, so that setting one moves all games to the CPU and
        back."""
        options, host = reset_options(options), self._host
        if options.get("position") is not None:
            moved = self.to(CPU)
            moved.reset(seed=seed, options=options)
            self._take_over(moved)
            return self._observations(), self._infos()
        mask = options.get("reset_mask")
        on_device = None if mask is None else _on_device(mask)
        row_mask = host._rows_to_reset(mask if on_device is None else on_device.copy_to_host())
        variant_index = host._variant_index(options.get("variant"), row_mask)
        index = np.full(self.num_games, -1) if variant_index is None else variant_index
        host._seeds = host._seeds_with(seed, row_mask)
        continues = seed is None and host._has_reset
        starts = np.zeros((3, 0), np.uint64) if continues else stream_starts(seed_words(host._seeds))
        host._has_reset = True
        self._longest = max(self._longest, 1)
        self._launch("begin", *map(cuda.to_device, (row_mask, index, starts)), self._arrays, self._shown)
        return self._observations(), self._infos()

    def step(self, actions: Any) -> Any:
        """As `parlour.Batch.step`; ``actions`` (N,): on the device or not. ValueError for another shape, or numbers
        that are not whole; for actions that are not legal see `check`."""
        self._need_reset_before("step")
        self._launch("take", self._read(actions), self._actions, self._refused)
        self._make_room()
        self._launch("check", self._actions, self._mode, self._arrays, self._refused)
        self._launch(
            "step", self._actions, self._mode, self._arrays, self._finals, self._shown, self._refused, self._seen
        )  # fmt: skip
        self._longest += 1
        infos = self._infos()
        if self._mode == SAME_STEP:
            planes = self._finals.planes.reshape(self.num_games, *self._host.games.layout.shape)
            infos["_final_obs"] = self._out(self._shown.ended)
            infos["final_obs"] = {"observation": self._out(planes), "action_mask": self._no_actions}
            infos["final_to_act"] = self._out(self._finals.to_act)
        flags = (self._out(getattr(self._arrays, name)) for name in ("terminated", "truncated"))
        return self._observations(), self._out(self._shown.rewards), *flags, infos

    def check(self) -> None:
        """Waits for the GPU. `parlour.IllegalMove` if an action was not legal since the last call: for the first row of
        the first such step, since which no game has changed."""
        row = int(self._refused.copy_to_host()[0])
        if row < self.num_games:
            self._refused.copy_to_device(np.full(2, self.num_games))
            action = int(self._actions[row : row + 1].copy_to_host()[0])
            self._rows(slice(row, row + 1))._refuse(0, action, row)

    def sample_actions(self) -> Any:
        """As `parlour.Batch.sample_actions`: int64 (N,), on the device."""
        self._need_reset_before("sample_actions")
        self._launch("sample", self._arrays, self._sampled)
        return self._out(self._sampled)

    def position(self, i: int, form: str | None = None) -> str:
        """As `parlour.Batch.position`. Waits for the GPU."""
        row = self._host._row_id(i)
        self._need_reset_before("position")
        return self._rows(slice(row, row + 1)).position(0, form)

    def legal_moves(self, i: int) -> list[str]:
        """As `parlour.Batch.legal_moves`. Waits for the GPU."""
        row = self._host._row_id(i)
        self._need_reset_before("legal_moves")
        return self._rows(slice(row, row + 1)).legal_moves(0)

    def clone(self, row_ids: object = None, seed: int | None = None) -> CudaBatch:
        """As `parlour.Batch.clone`. Waits for the GPU, and moves the games to the CPU and back."""
        return CudaBatch(self.to(CPU).clone(row_ids, seed))

    # --- inside ---

    def _take_over(self, batch: Batch) -> None:
        """Copies the games of a batch to the device. What reads arguments and names moves stays here."""
        from parlour.engine.cuda.launches import Shown

        games, n = batch.games, self.num_games
        self._host = copy.copy(batch)
        self._host.games, self._host._seeds = Games(batch.game, games.variant_mix, 1), list(batch._seeds)
        rows = {name: cuda.to_device(getattr(games, name)) for name in ROWS}
        shared = {name: cuda.to_device(getattr(games, name)) for name in SHARED}
        words, plane_size = rows["masks"].view(np.uint64), games.layout.height * games.layout.width
        self._arrays = Arrays(**rows, **shared, words=words, plane_size=plane_size)
        to_act, _, *unused = games.finals
        self._finals = Finals(
            *map(cuda.to_device, (to_act, np.zeros_like(games.planes), *(part[:0] for part in unused)))
        )
        self._no_actions = cuda.to_device(np.zeros(games.action_mask.shape, np.int8))
        self._shown = Shown(cuda.to_device(games.rewards.astype(np.float32)), cuda.to_device(np.zeros(n, np.bool_)))
        self._actions, self._sampled = (cuda.to_device(np.zeros(n, np.int64)) for _ in range(2))
        self._longest = int(games.states["seen"].max())
        self._refused, self._seen = map(cuda.to_device, (np.full(2, n), np.array([self._longest], np.int32)))

    def _rows(self, rows: slice) -> Batch:
        """Some games as a batch on the CPU."""
        host, numbers = self._host, range(self.num_games)[rows]
        batch = Batch(host.game, len(numbers), host.games.variant_mix, 0, 1, self.metadata["autoreset_mode"], self.copy)
        for name in ROWS:
            setattr(batch.games, name, getattr(self._arrays, name)[rows].copy_to_host())
        batch.games.forced_dice = self._arrays.forced_dice.copy_to_host()
        batch.games._bind()
        batch._seeds, batch._has_reset = [host._seeds[row] for row in numbers], host._has_reset
        return batch

    def _read(self, actions: Any) -> Any:
        """Actions on the device. ValueError for another shape, or numbers that are not whole."""
        given = _on_device(actions)
        if given is None:
            return cuda.to_device(whole_numbers("actions", actions, (self.num_games,)))
        if given.shape != (self.num_games,) or given.dtype.kind not in "iu":
            raise ValueError(f"actions are whole numbers ({self.num_games},), not {given.dtype} {given.shape}")
        return given

    def _make_room(self) -> None:
        """Doubles the history before a row of it can overflow. Waits for the GPU only if it is likely."""
        narrow = self._arrays.history
        if FILTER_WORDS + self._longest + 1 < narrow.shape[1] or narrow.shape[1] == 1:
            return
        self._longest = int(self._seen.copy_to_host()[0])
        if FILTER_WORDS + self._longest + 1 >= narrow.shape[1]:
            wide = cuda.to_device(np.zeros((self.num_games, 2 * narrow.shape[1]), np.uint64))
            self._launch("widen", narrow, wide)
            self._arrays = self._arrays._replace(history=wide)
            self._seen.copy_to_device(np.array([self._longest], np.int32))

    def _launch(self, name: str, *arguments: Any) -> None:
        from parlour.engine.cuda.launches import THREADS, blocks

        getattr(self._launches, name)[blocks(self.num_games), THREADS](*arguments)

    def _need_reset_before(self, call: str) -> None:
        self._host._need_reset_before(call)

    def _infos(self) -> dict[str, Any]:
        infos = {"to_act": self._out(self._arrays.to_act)}
        return {**infos, "variant": self._out(self._arrays.variant_index)} if len(self.variants) > 1 else infos

    def _observations(self) -> dict[str, Any]:
        planes = self._arrays.planes.reshape(self.num_games, *self._host.games.layout.shape)
        masks = self._out(self._arrays.masks)[:, : self._no_actions.shape[1]]  # only whole arrays can be copied
        return {"observation": self._out(planes), "action_mask": masks}

    def _out(self, array: Any) -> Any:
        if not self.copy:
            return array
        twin = cuda.device_array(array.shape, array.dtype)
        twin.copy_to_device(array)
        return twin


def _on_device(array: object) -> Any:
    """An array of the device as Numba has it; None for any other object."""
    if hasattr(array, "copy_to_host"):
        return array
    return cuda.as_cuda_array(array) if hasattr(array, "__cuda_array_interface__") else None
