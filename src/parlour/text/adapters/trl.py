"""Games in words as tools for TRL: ``GRPOTrainer(environment_factory=partial(ToolGame, "checkers-v0"))``."""

from __future__ import annotations

from typing import Any

from parlour.text.game import TextGame
from parlour.text.messages import ASK


class ToolGame:
    """An environment for TRL's ``environment_factory``: the model calls the tool `play` for each of its plies.

    The column ``seed`` of the training data says which game a row is: all generations of a row then begin alike.
    """

    def __init__(self, game: str, unfinished: float = -1.0, **settings: Any) -> None:
        """``settings``: those of `parlour.text.TextBatch`; ``unfinished``: the reward besides if the model stops in the
        middle of a game, since otherwise it need never lose."""
        self._game, self._unfinished, self._return = TextGame(game, **settings), unfinished, 0.0

    def reset(self, seed: int | None = None, **columns: object) -> str:
        """Begins a game: the end of the prompt."""
        self._return = 0.0
        return self._told(self._game.reset(seed=seed))

    def play(self, move: str) -> str:
        """Plays a move of the game and tells what follows.

        Args:
            move: The move, written as in the list of legal moves.

        Returns:
            The opponent's moves and the new position, or why the move is not legal.
        """
        if self._game.done:
            raise ValueError("the game is over")
        reply = self._game.step(move)
        self._return += reply.reward
        return self._told(reply.text)

    def get_reward(self) -> float:
        """The sum of the rewards of the game so far."""
        return self._return + (0.0 if self._game.done else self._unfinished)

    def _told(self, text: str) -> str:
        return text.replace(ASK, "Call play with your move.")
