"""From a reply to a move: the last thing in it that can be a move counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from parlour.players.people.typing import pieces_of

READ = 4_000
"""So many characters at the end of a reply are read."""
MARK = re.compile(r"move\W{0,4}[:=]([^\n]*)")
"""What announces the move that counts."""
PIECE = re.compile(r"[^\W\d_]+|[0-9]+")
GAP = re.compile(r"[^\w\n.,;!?]{0,3}")
"""What may stand between two parts of a name."""
LINKED = 2
"""A name that is written with words between its parts is at most so many parts longer."""
Pieces = tuple[str, ...]
pieces_of_name = lru_cache(1 << 14)(pieces_of)
"""Names come again at every ply."""


@dataclass(frozen=True)
class FoundMove:
    """A move in a reply: the text that names it, and the legal actions that it can mean."""

    text: str
    actions: tuple[int, ...]


class Names:
    """The legal moves of a position by the parts of their names."""

    def __init__(self, legal: Mapping[int, str], is_name: Callable[[str], bool]) -> None:
        """``legal``: the names of the legal actions. ``is_name``: whether a text names an action, legal or not."""
        self._is_name = is_name
        self._names = legal
        self._by_pieces: dict[Pieces, list[int]] = {}
        for action, name in legal.items():
            self._by_pieces.setdefault(pieces_of_name(name), []).append(action)
        self._longest = max(map(len, self._by_pieces), default=0) + LINKED

    def find(self, reply: str) -> FoundMove | None:
        """The last thing in a reply that can be a move; None if there is none."""
        text = reply[-READ:].lower()
        marked = [line for line in MARK.findall(text) if PIECE.search(line)]
        if marked:
            return self._find_in(marked[-1]) or FoundMove(marked[-1].strip(), ())
        return self._find_in(text)

    def _find_in(self, text: str) -> FoundMove | None:
        places = [(match.start(), match.end()) for match in PIECE.finditer(text)]
        for last in range(len(places) - 1, -1, -1):
            runs = [last]
            while (
                runs[-1] > 0
                and len(runs) < self._longest
                and GAP.fullmatch(text, places[runs[-1] - 1][1], places[runs[-1]][0])
            ):
                runs.append(runs[-1] - 1)
            for first in reversed(runs):
                found = self._at(text, places[first][0], places[last][1])
                if found is not None:
                    return found
        return None

    def _at(self, text: str, start: int, end: int) -> FoundMove | None:
        """The move that is named from ``start`` to ``end``, with signs before and after it where names have any."""
        actions = self._by_pieces.get(pieces_of(text[start:end]), [])
        around = text[max(0, start - 2) : end + 2]
        exact = [action for action in actions if self._names[action].lower() in around]
        if actions:
            return FoundMove(text[start:end], tuple(exact if len(exact) == 1 else actions))
        for low, high in ((start, end), (start - 1, end), (start, end + 1)):
            if low >= 0 and self._is_name(text[low:high].strip()):
                return FoundMove(text[low:high].strip(), ())
        return None
