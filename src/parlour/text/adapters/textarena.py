"""Games in words as TextArena's environments (package ``textarena``).

ta.register("checkers", TextArenaGame, [LLMObservationWrapper], game="checkers-v0")
env = ta.make("checkers")
"""

from __future__ import annotations

from typing import Any

import textarena as ta

from parlour.text.game import TextGame


class TextArenaGame(ta.Env):
    """A game in which every seat is played by the caller; `step` takes the reply of the seat to act."""

    def __init__(self, game: str, **settings: Any) -> None:
        """``settings``: those of `parlour.text.TextBatch`, except ``seat``."""
        self._game = TextGame(game, seat="all", **settings)

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Begins a game. ValueError for a seed that is not valid, or another number of players than the game has."""
        known, seats = self._game.batch.batch.game, self._game.batch.batch.num_seats
        if num_players != seats:
            raise ValueError(f"{known.id} has {seats} seats here, not {num_players!r}")
        text = self._game.reset(seed=seed)
        self.state = ta.State(num_players)  # it is given no seed, since it would seed the whole process
        self.state.standard_resets(role_mapping={seat: known.seat_name(seat) for seat in range(seats)})
        self._returns = dict.fromkeys(range(seats), 0.0)
        self._tell(text)

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Plays a reply. Whether the game is over, and the reply's info: see `parlour.text.Reply`."""
        reply = self._game.step(action)
        for seat, reward in enumerate(reply.info["rewards"]):
            self._returns[seat] += reward
        self.state.step()
        self.state.done, self.state.rewards = reply.done, dict(self._returns) if reply.done else None
        told = self.state.game_info[reply.info["seat"]]
        told["turn_count"] += 1
        told["invalid_move"] = reply.info["result"] == "forfeited"
        self._tell(reply.text)
        return reply.done, reply.info

    def _tell(self, text: str) -> None:
        """Gives a message to the seat to act; after the end, to the one that has replied last."""
        if not self._game.done:
            self.state.current_player_id = self._game.to_act
        self.state.add_observation(text, ta.ObservationType.GAME_BOARD, to_id=self.state.current_player_id)
