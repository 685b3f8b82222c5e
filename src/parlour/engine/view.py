"""The view of the games that a player gets: `GamesView`.

Axis letters: N games, M of them, C planes, H × W board, A actions, K actions or positions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.after_states import AfterStates, TurnEnds, after_states, turn_ends
from parlour.engine.games import Games


class GamesView:
    """What a player sees of N games side by side, in some of which it is to act; and its random numbers.

    A row is one game. Every array is a new copy: writing to it changes no game, and nothing that another player sees.

    Compiled searches read the arrays behind it: see `games_of`.
    """

    __slots__ = ("_games",)

    def __init__(self, games: Games) -> None:
        self._games = games

    # --- the kind of game ---

    @property
    def game_id(self) -> str:
        """Such as ``checkers-v0``."""
        return self._games.game.id

    @property
    def num_games(self) -> int:
        """N."""
        return self._games.num_games

    @property
    def num_seats(self) -> int:
        """How many seats each game has."""
        return self._games.layout.seats

    @property
    def num_actions(self) -> int:
        """A; the actions are 0 to A − 1."""
        return self._games.layout.actions

    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """C, H and W."""
        return self._games.layout.shape

    # --- the positions ---

    @property
    def observation(self) -> NDArray[np.int8]:
        """int8 (N, C, H, W), each game as its seat to act sees it."""
        return self._games.look(np.arange(self.num_games))

    @property
    def action_mask(self) -> NDArray[np.int8]:
        """int8 (N, A): 1 where an action is legal; all zeros for a game that is over."""
        return self._games.legal_in(np.arange(self.num_games))

    @property
    def legal_counts(self) -> NDArray[np.int64]:
        """int64 (N,): how many actions are legal."""
        return self._games.counts.copy()

    @property
    def to_act(self) -> NDArray[np.int8]:
        """int8 (N,): the seat to act."""
        return self._games.states["to_act"].copy()

    def position(self, row: int) -> str:
        """The position of a row as text."""
        return self._games.position(row)

    def legal_moves(self, row: int) -> list[str]:
        """The names of a row's legal actions, in action-index order; [] after the end."""
        return self._games.legal(row)

    def move_name(self, row: int, action: int) -> str:
        """The name of an action for the seat to act in a row. ValueError if it can never be played."""
        return self._games.move_name(row, action)

    def parse_move(self, row: int, text: str) -> int:
        """The action that a name means for the seat to act in a row. ValueError if it means none."""
        return self._games.parse_move(row, text)

    # --- looking ahead ---

    def after_states(self, row_ids: NDArray[np.int64]) -> AfterStates:
        """What every legal action leads to in the rows ``row_ids`` (M,), as `parlour.Batch.after_states`."""
        return after_states(self._games, row_ids)

    def turn_ends(self, row_ids: NDArray[np.int64]) -> TurnEnds:
        """Where whole turns lead to in the rows ``row_ids`` (M,), as `parlour.Batch.turn_ends`."""
        return turn_ends(self._games, row_ids)

    # --- random choices, from the rows' own streams ---

    def sample(self, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """Writes a legal action, uniformly at random, into ``actions`` (N,) for each row of ``row_mask`` (bool (N,));
        −1 for a game that is over."""
        self._games.sample(actions, row_mask)

    def random_numbers(self, row_ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """float64 (M,): a number uniform in [0, 1) for each of the rows ``row_ids`` (M,), all different."""
        return self._games.player_fractions(row_ids)


def games_of(source: Any) -> Games:
    """The arrays behind a view, a batch or an environment, for searches. ValueError for anything else."""
    if isinstance(source, GamesView):
        return source._games
    games = getattr(getattr(source, "unwrapped", source), "games", None)
    if not isinstance(games, Games):
        raise ValueError(
            f"a search needs a batch of parlour.make_batch(), an env of parlour.make(), or the view that a player is "
            f"given, not {source!r}"
        )
    return games
