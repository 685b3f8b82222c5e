"""`Symmetry`: a random symmetry of the board for each episode."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from parlour.engine.seeds import check_seed
from parlour.interfaces.registry import find, games
from parlour.rulebook.protocol import Symmetries
from parlour.support.arguments import reset_options, shown
from parlour.support.errors import listing
from parlour.wrappers.base import ObservationWrapper, bottom_of, index_of, parts_of, planes_of

Indices = NDArray[np.int64]
PURPOSE = 0x59113717  # sets the stream of symmetries apart from the others of one seed


@lru_cache(1024)
def sources_of(symmetries: Symmetries, number: int, shape: tuple[int, int, int]) -> tuple[Indices, Indices, Indices]:
    """Where what is shown in each place is taken from: in a plane (H · W,), in all planes (C, H, W), in a mask (A,)."""
    channels, height, width = shape
    cells, actions = np.argsort(symmetries.cells[number]), np.argsort(symmetries.actions[number])
    return cells, (np.arange(channels)[:, None] * (height * width) + cells).reshape(shape), actions


class Symmetry(ObservationWrapper):
    """Transforms each episode by a symmetry of the game, drawn uniformly at random; it is the same for all seats.

    * observation: int8 (C, H, W), the cells of every plane moved by the symmetry; the mask likewise, action by action.
      So is `state`.
    * action: 0 to A − 1, of the transformed board: masks, actions and observations agree.
    * reward, info: unchanged.

    Names of moves, position texts, pictures and errors refer to the untransformed board. The symmetries are
    drawn from the seed; ``reset(options={"symmetry": …})`` forces one, by its name or number.

    Attributes:
        names: the names of the symmetries, in the order of their numbers; the first is the identity.
        symmetry: the name of the current one.
    """

    made = frozenset({"observation", "action_mask"})

    def __init__(self, env: AECEnv[str, Any, Any]) -> None:
        """``env``: an environment of a game that declares symmetries (`parlour.rulebook.protocol.Symmetries`), its
        actions as they are and its observation made of planes and the mask; ValueError for any other."""
        game_env = bottom_of(env)
        if not game_env.game.has_symmetries:
            having = [name for name in games() if find(name).has_symmetries]
            raise ValueError(f"{game_env.game.id} has no symmetries; games that have: {listing(having)}")
        self._actions = game_env.games.layout.actions
        super().__init__(env)
        self._generator: np.random.Generator | None = None
        self._declared = game_env.game.symmetries(game_env.values)
        self._show(0)

    @property
    def names(self) -> tuple[str, ...]:
        """What the symmetries are called."""
        return self._declared.names

    def seen_space(self, space: spaces.Space[Any]) -> spaces.Space[Any]:
        """The same: a plane has the same bounds in all cells."""
        self._shape = planes_of(space).shape
        if len(parts_of(space)) > 2:
            raise ValueError(f"Symmetry goes beneath wrappers that split observations: {space}")
        return space

    def see(self, observation: Any, agent: str) -> Any:
        """Planes and mask under the symmetry."""
        return {
            "observation": observation["observation"].take(self._from_cell),
            "action_mask": observation["action_mask"].take(self._own),
        }

    def state(self) -> NDArray[np.int8]:
        """See `GameEnv.state`; under the symmetry."""
        planes = self.env.state()
        return planes.reshape(len(planes), -1)[:, self._sources].reshape(planes.shape)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game under the next symmetry: see `GameEnv.reset`."""
        remaining = reset_options(options)
        forced = remaining.pop("symmetry", None)
        if forced is not None:
            self._number(forced)  # before anything has changed
        self.env.reset(seed, remaining)
        if seed is not None or self._generator is None:
            self._generator = np.random.default_rng([check_seed(seed), PURPOSE])
        game_env = self.game_env
        self._declared = game_env.game.symmetries(game_env.values)  # the variant may be another one
        drawn = self._generator.integers(len(self.names)) if forced is None else self._number(forced)
        self._show(int(drawn))

    def step(self, action: int | None) -> None:
        """See `GameEnv.step`."""
        index = index_of(action, self._actions)
        self.env.step(action if index is None else self._own.item(index))

    def legal_moves(self) -> list[str]:
        """See `GameEnv.legal_moves`; in the order of the actions as they are shown."""
        return sorted(self.env.legal_moves(), key=self.parse_move)

    def move_name(self, action: int) -> str:
        """See `GameEnv.move_name`."""
        index = index_of(action, self._actions)
        return self.env.move_name(action if index is None else self._own.item(index))

    def parse_move(self, text: str) -> int:
        """See `GameEnv.parse_move`."""
        return int(self._declared.actions[self._shown, self.env.parse_move(text)])

    def _number(self, symmetry: object) -> int:
        """The place of a symmetry: of its name, or of its number."""
        if isinstance(symmetry, str) and symmetry in self.names:
            return self.names.index(symmetry)
        index = index_of(symmetry, len(self.names))
        if index is None:
            raise ValueError(f"there is no symmetry {shown(symmetry)}; symmetries: {listing(self.names)}")
        return index

    def _show(self, number: int) -> None:
        self._shown, self.symmetry = number, self.names[number]
        self._sources, self._from_cell, self._own = sources_of(self._declared, number, self._shape)
