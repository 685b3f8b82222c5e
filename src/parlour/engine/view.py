"""What a player is given of the games that it plays: `GamesView`.

Axis letters: N games, M of them, C planes, H × W board, A actions, K actions or positions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.after_states import AfterStates, TurnEnds, after_states, turn_ends
from parlour.engine.games import Table


class GamesView:
    """N games side by side, in some of which a player is to act: what a player may look at and draw from.

    A row is one game. Arrays show the present positions: they are overwritten by the next ply, so a player copies what
    it keeps. Nothing that a player does with them changes a game.

    Players that run compiled search read the arrays behind it: see `table_of`.
    """

    __slots__ = ("_table",)

    def __init__(self, table: Table) -> None:
        """``table``: the games."""
        self._table = table

    # --- the kind of game ---

    @property
    def game_id(self) -> str:
        """Such as ``checkers-v0``."""
        return self._table.game.id

    @property
    def num_games(self) -> int:
        """N."""
        return self._table.num_games

    @property
    def num_seats(self) -> int:
        """How many seats each game has."""
        return self._table.layout.seats

    @property
    def num_actions(self) -> int:
        """A; the actions are 0 to A − 1."""
        return self._table.layout.actions

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """C, H and W."""
        return self._table.layout.shape

    # --- the positions ---

    @property
    def observation(self) -> NDArray[np.int8]:
        """int8 (N, C, H, W), each game as its seat to act sees it."""
        return self._table.observation

    @property
    def action_mask(self) -> NDArray[np.int8]:
        """int8 (N, A): 1 where an action is legal; all zeros for a game that is over."""
        return self._table.action_mask

    @property
    def legal_counts(self) -> NDArray[np.int64]:
        """int64 (N,): how many actions are legal."""
        return self._table.counts

    @property
    def to_act(self) -> NDArray[np.int8]:
        """int8 (N,): the seat to act."""
        return self._table.to_act

    def position(self, row: int) -> str:
        """The position of a row as text."""
        return self._table.position(row)

    def legal_moves(self, row: int) -> list[str]:
        """The names of a row's legal actions, in action-index order; [] after the end."""
        return self._table.legal(row)

    def move_name(self, row: int, action: int) -> str:
        """The name of an action for the seat to act in a row. ValueError if it can never be played."""
        return self._table.move_name(row, action)

    def parse_move(self, row: int, text: str) -> int:
        """The action that a name means for the seat to act in a row. ValueError if it means none."""
        return self._table.parse_move(row, text)

    # --- looking ahead ---

    def after_states(self, row_ids: NDArray[np.int64]) -> AfterStates:
        """What every legal action leads to in the rows ``row_ids`` (M,), as `parlour.batch.Batch.after_states`."""
        return after_states(self._table, row_ids)

    def turn_ends(self, row_ids: NDArray[np.int64]) -> TurnEnds:
        """Where whole turns lead to in the rows ``row_ids`` (M,), as `parlour.batch.Batch.turn_ends`."""
        return turn_ends(self._table, row_ids)

    # --- random choices, from the rows' own streams ---

    def sample(self, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """Writes a legal action, uniformly at random, into ``actions`` (N,) for each row of ``row_mask`` (bool (N,));
        −1 for a game that is over."""
        self._table.sample(actions, row_mask)

    def random_numbers(self, row_ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """float64 (M,): a number uniform in [0, 1) for each of the rows ``row_ids`` (M,), no two alike."""
        return self._table.player_fractions(row_ids)


def table_of(games: Any) -> Table:
    """The arrays and compiled calls behind a view, a batch or an environment, for searches. ValueError for anything
    else."""
    if isinstance(games, GamesView):
        return games._table
    table = getattr(getattr(games, "unwrapped", games), "table", None)
    if not isinstance(table, Table):
        raise ValueError(
            f"a search needs a batch of parlour.make_batch(), an env of parlour.make(), or the view that a player is "
            f"given, not {games!r}"
        )
    return table
