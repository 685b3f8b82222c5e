"""Players from outside the package, whose every action is checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from parlour.engine.game import Game
from parlour.engine.games import Table
from parlour.errors import IllegalMove
from parlour.players.names import parse_player
from parlour.players.protocol import Function, Player, PlayerLike


@dataclass(frozen=True)
class CheckedPlayer:
    """A player from outside, whose every action is checked.

    Attributes:
        name: used in messages.
        player: a player, or None.
        function: a function of observations and masks, where it is no player.
    """

    name: str
    player: Player | None
    function: Function | None

    def choose(self, table: Table, rows: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """Writes a legal action into ``actions`` (N,) for each of ``rows`` (bool (N,)), whose observations and masks
        must be up to date. Raises what `answer` does."""
        chosen = rows.nonzero()[0]
        if self.player is not None:
            self.player.choose(table, rows, actions)
            self._check(actions[chosen], table.allows(chosen, actions[chosen]), table, chosen)
        else:
            actions[chosen] = self.answer(table.observation[chosen], table.action_mask[chosen], table, chosen)

    def answer(
        self, observation: Any, mask: NDArray[np.int8], table: Table, rows: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """The function's actions, int64 (M,), for observations and masks (int8 (M, A)), which are seen in ``rows`` (M,)
        of ``table``. ValueError unless they are M whole numbers, `parlour.IllegalMove` if one is not legal."""
        assert self.function is not None
        legal = mask == 1  # what the function is given, it may write into
        actions = np.asarray(self.function(observation, mask))
        if actions.shape != rows.shape or actions.dtype.kind not in "iu":
            raise ValueError(
                f"{self.name} must give whole numbers of shape {rows.shape}, not {actions.dtype} of shape "
                f"{actions.shape}"
            )
        within = (actions >= 0) & (actions < legal.shape[1])
        allowed = within & legal[np.arange(len(rows)), np.where(within, actions, 0)]
        self._check(actions, allowed, table, rows)
        return actions.astype(np.int64)

    def _check(self, actions: NDArray[Any], legal: NDArray[np.bool_], table: Table, rows: NDArray[np.int64]) -> None:
        """``legal``: bool (M,), whether each of ``actions`` (M,) is."""
        if legal.all():
            return
        action, row = int(actions[legal.argmin()]), int(rows[legal.argmin()])
        raise IllegalMove(
            f"{self.name} can't play action {action} as player_{table.states['to_act'][row]}", action, None,
            table.position(row), table.legal(row),
        )  # fmt: skip


def checked_player(player: PlayerLike, name: str, game: Game) -> CheckedPlayer:
    """The player for ``game`` that ``player`` stands for, called ``name`` in messages. ValueError if it is none."""
    if isinstance(player, str):
        return CheckedPlayer(name, parse_player(player, game), None)
    if hasattr(player, "choose"):
        return CheckedPlayer(name, cast(Player, player), None)
    if callable(player):
        return CheckedPlayer(name, None, player)
    raise ValueError(
        f"{name}: {player!r} is not valid; valid: a player's name, a player, or a function (observation, action_mask) "
        "-> actions"
    )
