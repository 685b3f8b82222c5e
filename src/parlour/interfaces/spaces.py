"""The spaces of observations and actions, the same for environments, batches and wrappers.

Axis letters: see `parlour.rulebook.protocol`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from parlour.rulebook.protocol import Layout


def observation_space(layout: Layout) -> spaces.Dict:
    """``{"observation": Box int8 (C, H, W), "action_mask": Box(0, 1, (A,), int8)}``, with each plane's own bounds."""
    low = np.empty(layout.shape, np.int8)
    high = np.empty(layout.shape, np.int8)
    for c, plane in enumerate(layout.planes):
        low[c], high[c] = plane.low, plane.high
    return spaces.Dict(
        {
            "observation": spaces.Box(low, high, dtype=np.int8),
            "action_mask": spaces.Box(0, 1, (layout.actions,), np.int8),
        }
    )


class ActionSpace(spaces.Discrete):
    """``Discrete(A)`` that samples with a mask several times faster. `sample` with a mask gives the same numbers as
    Gymnasium's own for the same seed, but does not check that the mask has only 0 and 1. The mask may also be a
    list."""

    _generator_state: dict[str, Any] | None = None
    """The state with which `np_random` begins, in a copy of a space that had drawn."""

    @property
    def np_random(self) -> np.random.Generator:
        """See `gymnasium.Space.np_random`."""
        if self._np_random is None:
            if self._generator_state is None:
                return super().np_random
            self._np_random = np.random.Generator(np.random.PCG64(0))
            self._np_random.bit_generator.state = self._generator_state
        return self._np_random

    def copy(self) -> ActionSpace:
        """A space that draws the same from here on, by its own generator, which is made when first used."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        if self._np_random is not None:
            twin.__dict__.update(_np_random=None, _generator_state=self._np_random.bit_generator.state)
        return twin

    def sample(self, mask: Any | None = None, probability: Any | None = None) -> np.int64:
        """See `gymnasium.spaces.Discrete.sample`. ``mask``: int8 (A,), or a list of A."""
        if isinstance(mask, list):  # as `MaskInInfo` gives it
            mask = np.frombuffer(bytes(mask), np.int8)
        usual = getattr(mask, "shape", None) == (self.n,) and getattr(mask, "dtype", None) == np.int8
        if mask is None or probability is not None or not usual:
            return super().sample(mask, probability)
        allowed = mask.nonzero()[0]
        return allowed[self.np_random.integers(len(allowed))] if len(allowed) else self.start
