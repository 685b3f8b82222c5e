"""`TextGame`: one game in words."""

from __future__ import annotations

from typing import Any

from parlour.support.copied import CopiedWhole
from parlour.text.batch import TextBatch
from parlour.text.state import Reply


class TextGame(CopiedWhole):
    """One game in words: a `TextBatch` of one, with the same arguments."""

    def __init__(self, game: str, **arguments: Any) -> None:
        """See `TextBatch`."""
        self.batch = TextBatch(game, 1, **arguments)

    def reset(self, seed: int | None = None, position: str | None = None) -> str:
        """Begins a new game, from a position's text if one is given. Returns the first message: rules, board, whose
        turn. With None the random streams continue. ValueError for a seed or position that is not valid."""
        return self.batch.reset(seed=None if seed is None else [seed], position=position)[0]

    def step(self, reply: str) -> Reply:
        """What follows a reply of the seat to act. ValueError if the game is over, AssertionError before `reset`."""
        if reply is None:
            raise ValueError("a reply must be a text, not None")
        answer = self.batch.step([reply])[0]
        assert answer is not None
        return answer

    @property
    def to_act(self) -> int:
        """The seat that is to reply."""
        return self.batch.to_act(0)

    @property
    def done(self) -> bool:
        """Whether the game is over."""
        return self.batch.done(0)

    def legal_moves(self) -> list[str]:
        """The names of the legal moves; [] after the end."""
        return [] if self.done else self.batch.batch.legal_moves(0)

    def position(self) -> str:
        """The position as text: see `parlour.GameEnv.position`."""
        return self.batch.batch.position(0)
