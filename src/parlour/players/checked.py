"""Players from outside the package, whose every action is checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.player import Function, Player, max_rows_of
from parlour.engine.view import GamesView, games_of
from parlour.players.inputs import PLANES, inputs_of
from parlour.support.errors import IllegalMove


@dataclass(frozen=True)
class CheckedPlayer:
    """A player from outside, whose every action is checked.

    Attributes:
        name: used in messages.
        player: a player, or None.
        function: a function of observations and masks, if ``player`` is None.
        inputs: what the function sees, see `parlour.players.inputs`.
    """

    name: str
    player: Player | None
    function: Function | None
    inputs: str = PLANES

    @property
    def max_rows(self) -> int:
        """How many games to play side by side at most, to limit memory."""
        return max_rows_of(self.player)

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """`choose_in` for ``row_mask`` (bool (N,)), as any `parlour.players.Player`."""
        self.choose_in(view, row_mask.nonzero()[0], actions, self.inputs)

    def choose_in(
        self, view: GamesView, row_ids: NDArray[np.int64], actions: NDArray[np.int64], inputs: str = PLANES
    ) -> None:
        """Writes a legal action into ``actions`` (N,) for each of the rows ``row_ids`` (M,). A function sees ``inputs``
        (`parlour.players.inputs`), in new arrays. Raises what `answer` does."""
        if self.player is not None:
            row_mask = np.zeros(view.num_games, np.bool_)
            row_mask[row_ids] = True
            self.player.choose(view, row_mask, actions)
            answers = actions[row_ids]
        else:
            games = games_of(view)
            seen = inputs_of(inputs, games, row_ids, games.states["to_act"][row_ids], games.look(row_ids))
            answers = self._asked(seen, games.legal_in(row_ids))
        refused = games_of(view).put(row_ids, answers.astype(np.int64), actions)
        if refused >= 0:
            self._refuse(int(answers[refused]), view, int(row_ids[refused]))

    def answer(self, observation: Any, mask: NDArray[np.int8], view: GamesView) -> int:
        """The function's action for one observation and mask (int8 (A,)), those of the only game of ``view``.
        ValueError unless it is a whole number, `parlour.IllegalMove` if it is not legal."""
        legal = np.flatnonzero(mask == 1)  # the function may write into its arguments
        action = int(self._asked(observation[None], mask[None])[0])
        if action not in legal:
            self._refuse(action, view, 0)
        return action

    def _asked(self, observation: Any, mask: NDArray[np.int8]) -> NDArray[Any]:
        """The function's answers for M rows: (M,)."""
        assert self.function is not None
        shape = mask.shape[:1]
        actions = np.asarray(self.function(observation, mask))
        if actions.shape != shape or actions.dtype.kind not in "iu":
            raise ValueError(
                f"{self.name} must give whole numbers of shape {shape}, not {actions.dtype} of shape {actions.shape}"
            )
        return actions

    def _refuse(self, action: int, view: GamesView, row: int) -> None:
        raise IllegalMove(
            f"{self.name} can't play action {action} as player_{view.to_act[row]}", action, None,
            view.position(row), view.legal_moves(row),
        )  # fmt: skip
