"""The errors that playing raises, besides plain ``ValueError`` for bad options, names and texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

SHOWN = 12
"""A message names at most this many legal actions; the attribute ``legal`` has all."""


MOST = 2000
"""Characters of a message about something that others have written."""


def shortened(message: str) -> str:
    """A message without its middle, if it is very long: it then quotes something that is."""
    return message if len(message) <= MOST else f"{message[: MOST // 2]} … {message[-MOST // 2 :]}"


class IllegalMove(ValueError):
    """An action that is not legal in the position; the game's state has not changed.

    Attributes:
        action: what was given.
        name: the action's name, or None if it has none.
        position: the position's text.
        legal: the names of all legal actions, in action-index order.
    """

    def __init__(self, problem: str, action: object, name: str | None, position: str, legal: Sequence[str]) -> None:
        self.action, self.name, self.position, self.legal = action, name, position, list(legal)
        more = f" … ({len(self.legal)} in all)" if len(self.legal) > SHOWN else ""
        allowed = ", ".join(self.legal[:SHOWN]) + more if self.legal else "none, the game is over"
        super().__init__(f"{problem}; position: {position!r}; legal: {allowed}")
        self._arguments = (problem, action, name, position, self.legal)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), self._arguments


class ActionOutOfRange(IllegalMove, AssertionError):
    """An action that is not in the action space; an AssertionError, too, as PettingZoo's wrapper raises it."""


def listing(names: Sequence[object]) -> str:
    """Names for a message: 'a', 'b' and 'c'."""
    quoted = [repr(name) for name in names]
    return " and ".join(filter(None, [", ".join(quoted[:-1]), *quoted[-1:]])) if quoted else "none"


def near_miss(text: object, names: Iterable[str]) -> str:
    """The end of a message about an unknown name: ``; did you mean 'agon'?``, or empty if no name is similar."""
    if not isinstance(text, str):
        return ""
    matches = get_close_matches(text[:80].lower(), list(names), 1, 0.6)
    return f"; did you mean {matches[0]!r}?" if matches else ""
