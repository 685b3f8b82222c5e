"""From a reply to the move that it chooses; `RULE` says how, in the words that a player is told."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from parlour.interfaces.moves import MAX_TYPED, MoveReader, pieces_of

RULE = (
    'What counts is what follows the last "Move:", or else the last "I play" or "My move is"; else what stands in '
    "**bold** or `code`, or alone in the last line; else the only legal move that you name, without those in brackets "
    'or after "not". If several can be meant, you are asked.'
)
READ = 4_000
"""So many characters at the end of a reply are read, of those that are no thoughts."""
MAX_RUNS = 12
"""In so many parts of a reply a turn of several plies is looked for."""
THOUGHT = re.compile(r"<(think(?:ing)?|reasoning)>.*?(?:</\1>|\Z)|\A.*</(?:think(?:ing)?|reasoning)>", re.S)
"""What a model thinks before it replies."""
NUMBERED = re.compile(r"^[^\S\n]*\d{1,2}[.)]\s(?=\s*\S)", re.M)
"""The number of a line in a list."""
MARK = re.compile(r"\b(?:move|answer|choice|action)\W{0,4}[:=]([^\n]*)")
"""What announces the move that counts."""
PHRASE = re.compile(
    r"(?<!if )(?<!when )(?<!should )(?<!could )(?<!can )(?<!after )\b"
    r"(?:(?:i|i'll|i’ll|i will|let me|let's|let’s)\s+(?:play|choose|pick|select|take|move|go with|go for)"
    r"|(?:i am|i'm|i’m)\s+(?:playing|choosing|moving|going with|going for)"
    r"|(?:my|final)\s+(?:(?:best|final|next)\s+)?(?:move|choice|answer|play)\s+(?:is|will be|would be))\b"
)
"""What announces a move that stands right behind it."""
STRESSED = re.compile(
    r"\*\*([^*\n]+(?:\*[^*\n]+)*)\*\*|__([^_\n]+)__|`([^`\n]+)`|\\boxed\{([^}\n]{0,99})\}|<(?:move|answer)>([^<\n]*)</|\[([^\[\]\n]*)\]"
)
BRACKETS = re.compile(r"\((?![1-9]\))[^()\n]*\)")
DENIED = re.compile(r"\b(?:not|instead of|rather than)\W{1,3}$")
SIGNS = r"[^\w\n.;!?]{0,4}"
GAP = re.compile(rf"{SIGNS}(?:(?:to|takes|x|and|then){SIGNS}){{0,2}}")
"""What may stand between two parts of a move."""
OR = re.compile(r"\W{0,4}or\b")
PART = re.compile(r",|\band\b|\bthen\b|$")
"""Where a move may end and something else follow."""
MAX_FILLED = 8
"""How many signs may stand between what announces a move and the move."""


@dataclass(frozen=True)
class Choice:
    """What a reply chooses.

    Attributes:
        actions: the plies; empty if it chooses none.
        problem: why it chooses none; else what was wrong with it though it was clear, or empty.
        asks: the moves that it can mean, if these are several and the seat must say which.
    """

    actions: tuple[int, ...] = ()
    problem: str = ""
    asks: tuple[str, ...] = ()


class ReplyReader:
    """Reads replies for the seat to act in a position."""

    def __init__(self, reader: MoveReader, words: Iterable[str]) -> None:
        """``words``: those of which names of actions consist, beside numbers."""
        self._reader, self._piece = reader, _pieces(frozenset(words))
        self._left = MAX_RUNS

    def choose(self, reply: str) -> Choice:
        """The move that a reply chooses. In time proportional to its length, of which `READ` characters are read."""
        text = NUMBERED.sub("", THOUGHT.sub("\n", reply.lower())[-READ:])  # else a thought is cut from its beginning
        marked = [line for line in MARK.findall(text) if re.search(r"[^\W_]", line)]
        if marked:
            last = marked[-1]
            return self._move_at_start(last) or self._only_move([last]) or self._no_move(last.strip())
        choices = (self._move_at_start(text[match.end() :]) for match in reversed([*PHRASE.finditer(text)][-MAX_RUNS:]))
        stressed = ["".join(parts) for parts in STRESSED.findall(text)]
        return (
            next(filter(None, choices), None)
            or self._only_move(stressed)
            or self._last_line(text)
            or self._only_move([BRACKETS.sub(" | ", text)])
            or self._only_move([text])
            or self._why_no_move(stressed, text)
        )

    def _move_at_start(self, text: str) -> Choice | None:
        """The move at the beginning of a text, legal or not; None if something else stands there."""
        run = next(self._runs(text[: MAX_TYPED + MAX_FILLED]), None)
        if run is None or run[0] > MAX_FILLED or re.search(r"\w", text[: run[0]].removeprefix(" from")):
            return None
        if OR.match(text, run[1]):
            return self._only_move([text.partition("\n")[0]])
        part = text[run[0] : run[1]]
        for end in PART.finditer(part):  # a move that ends the turn, and more behind it; else all of it
            meaning = self._reader.meaning(part[: end.start()])
            whole = end.start() == len(part)
            if meaning and meaning.actions and (whole or self._reader.ends_turn(meaning.actions)):
                return Choice(meaning.actions, meaning.note)
            if meaning and meaning.matches and whole:
                return self._question(meaning.matches)
        return self._no_move(part)

    def _last_line(self, text: str) -> Choice | None:
        """The legal move that stands alone in the last line, under others."""
        above, _, line = text.strip().rpartition("\n")
        run = next(self._runs(line), None)
        if run is None or re.search(r"\w", line[: run[0]] + line[run[1] :]) or not re.search(r"[^\W\d_]{3}", above):
            return None
        meaning = self._reader.meaning(line[run[0] : run[1]])
        return Choice(meaning.actions, meaning.note) if meaning and meaning.actions else None

    def _only_move(self, texts: Iterable[str]) -> Choice | None:
        """The only legal move in some texts; a question if there are several; None if there is none."""
        choices: dict[tuple[int, ...], Choice] = {}
        for text in texts:
            for start, end in self._runs(text):
                if not DENIED.search(text, max(0, start - 20), start):
                    for choice in self._legal_in(text[start:end]):
                        choices.setdefault(tuple(sorted(choice.actions)), choice)
        counts = {key: Counter(key) for key in choices}
        whole = [key for key in choices if not any(key != other and counts[key] <= counts[other] for other in choices)]
        if len(whole) > 1:
            return self._question([self._reader.names_of(choices[key].actions) for key in whole])
        return choices[whole[0]] if whole else None

    def _legal_in(self, run: str) -> list[Choice]:
        """The legal moves in a run of parts: itself, or the names in it."""
        legal = self._reader.by_pieces
        pieces = pieces_of(run)
        if pieces not in legal and len(pieces) > 1 and self._left > 0:
            self._left -= 1
            meaning = self._reader.meaning(run)
            if meaning and meaning.actions:
                return [Choice(meaning.actions, meaning.note)]
        longest = max(map(len, legal), default=0)
        moves, first = [], 0
        while first < len(pieces):
            for size in range(longest, 0, -1):
                actions = legal.get(pieces[first : first + size], ())
                if actions and first + size <= len(pieces):
                    if len(actions) > 1:
                        named = [action for action in actions if self._reader.legal[action].lower() in run]
                        actions = named if len(named) == 1 else actions
                    moves += [Choice((action,)) for action in actions]
                    first += size - 1
                    break
            first += 1
        return moves

    def _runs(self, text: str) -> Iterator[tuple[int, int]]:
        """Where parts of moves stand one after another, with the signs around them."""
        start = end = -1
        for match in self._piece.finditer(text):
            low = match.start()
            if start >= 0 and not GAP.fullmatch(text, end, low):
                yield self._with_signs(text, start, end)
                start = -1
            if start < 0:
                start = low
            end = match.end()
        if start >= 0:
            yield self._with_signs(text, start, end)

    @staticmethod
    def _with_signs(text: str, start: int, end: int) -> tuple[int, int]:
        """A run with a sign before it and those behind it that belong to names: ``@c4``, ``c4^``, ``20*``, ``(2)``. The
        ``**`` at the end of bold text does not."""
        start, run_end = start - (text[start - 1 : start] == "@"), end
        while end < len(text) and text[end] in "*^)":
            end += 1
        bold_end = text.rfind("**", run_end, end)
        return start, end if bold_end < 0 else bold_end

    def _question(self, moves: Iterable[str]) -> Choice:
        """No move, since each of these can be meant."""
        several = tuple(moves)
        return Choice(problem=f"that can mean {' or '.join(several[:12])}; name one", asks=several)

    def _no_move(self, text: str) -> Choice:
        """No move: the text that should be one is none, and why."""
        return Choice(problem=self._reader.read(text).problem or f"{text!r:.80} is not the whole name of a move")

    def _why_no_move(self, stressed: Iterable[str], text: str) -> Choice:
        """No move, and why the last text of a reply that looks like one is none."""
        for part in (*stressed, text):
            for start, end in [*self._runs(part)][: -MAX_RUNS - 1 : -1]:
                run = part[start:end]
                if self._reader.spelled(run) is not None or len(pieces_of(run)) > 1:
                    return self._no_move(run)
        form = self._reader.notation.MOVE_FORM
        return Choice(problem=f"there is no move in your reply; moves look like {form}")


@lru_cache(64)
def _pieces(words: frozenset[str]) -> re.Pattern[str]:
    """Numbers, and ``words`` that are not part of longer words."""
    known = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return re.compile(rf"(?<![^\W\d_])(?:{known})(?![^\W\d_])|[0-9]+" if known else "[0-9]+")
