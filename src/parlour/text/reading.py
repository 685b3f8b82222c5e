"""From a reply to a move: the last thing in it that can be a move counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from parlour.players.people.typing import LINKS, pieces_of

READ = 4_000
"""So many characters at the end of a reply are read."""
MAX_NAMED = 200
"""So many runs of pieces are looked at, the last ones first, for a name of an action that is not legal."""
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

    def __init__(self, legal: Mapping[int, str], is_name: Callable[[str], bool], words: Iterable[str] = ()) -> None:
        """``legal``: the names of the legal actions. ``is_name``: whether a text names an action, legal or not.
        ``words``: those that names of other actions consist of, beside numbers; no other word can be in a name."""
        self._is_name, self._names = is_name, legal
        self._words = {*words, *(piece for name in legal.values() for piece in pieces_of_name(name))}
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
        """In time proportional to the text."""
        links = {match.start() for match in LINKS.finditer(text)}
        places = [match.span() for match in PIECE.finditer(text)]
        pieces = [() if low in links else self._piece(text[low:high]) for low, high in places]
        left = MAX_NAMED
        for last in range(len(places) - 1, -1, -1):
            runs: list[tuple[int, Pieces]] = []
            first, run = last, pieces[last]
            while run is not None:
                runs.append((places[first][0], run))
                first -= 1
                before = pieces[first] if first >= 0 else None
                if before is None or len(runs) == self._longest:
                    break
                if not GAP.fullmatch(text, places[first][1], places[first + 1][0]):
                    break
                run = before + run
            for start, run in reversed(runs):
                found = self._legal_at(text, start, places[last][1], run)
                if found is None and left > 0:
                    found, left = self._named_at(text, start, places[last][1]), left - 1
                if found is not None:
                    return found
        return None

    def _piece(self, text: str) -> Pieces | None:
        """A part of a text as a part of a name, without leading zeros; None if it is in no name."""
        if text[0].isalpha():
            return (text,) if text in self._words else None
        return (text.lstrip("0") or text,)

    def _legal_at(self, text: str, start: int, end: int, run: Pieces) -> FoundMove | None:
        """The legal move that is named from ``start`` to ``end``, with signs before and after it where names have
        any."""
        actions = self._by_pieces.get(run, [])
        around = text[max(0, start - 2) : end + 2]
        exact = [action for action in actions if self._names[action].lower() in around]
        return FoundMove(text[start:end], tuple(exact if len(exact) == 1 else actions)) if actions else None

    def _named_at(self, text: str, start: int, end: int) -> FoundMove | None:
        """The same for any action."""
        for low, high in ((start, end), (start - 1, end), (start, end + 1)):
            if low >= 0 and self._is_name(text[low:high].strip()):
                return FoundMove(text[low:high].strip(), ())
        return None
