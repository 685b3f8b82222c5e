"""Texts of PDN taken apart: where each game is, its tags, moves, comments and result. Nothing is played here.

A game ends at its result, or where a line of tags comes after moves. What can't be read spoils its own game alone: the
next one begins there in the same way, and behind a bracket that is never closed at the next line of tags."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from parlour.rulebook.protocol import Span

from .notation import DASHES
from .notation import TIMES as TIMES_SIGNS

DASH, TIMES = re.escape(DASHES), re.escape(TIMES_SIGNS)
LINK = rf"\s*[{DASH}{TIMES}]\s*"
HALF = "(?:1/2|½)"
RESULT = "|".join([rf"{HALF}(?:\s*[{DASH}]\s*{HALF})?", *(
    rf"{first}\s*[{DASH}]\s*{second}" for first, second in ("10", "01", "20", "02", "11", "00")
)])  # fmt: skip
TOKEN = re.compile(
    rf"""(?:[\s\ufeff]+ | [0-9]{{1,4}}(?:\.+|\)) | [0-9]{{1,3}}(?=[\s\[({{;]|\Z)(?!{LINK}) | \$[0-9]+ | [!?]+ | \.+)*
    (?:(?P<result>(?:{RESULT})(?![\w/{DASH}{TIMES}]))
    | (?P<move>[0-9]+(?:{LINK}[0-9]+)+(?!\w) | [0-9]{{4}}(?!\w))
    | (?P<tag>\[\s*(?P<name>\w+)\s*(?:"(?P<plain>(?:[^"\\]|\\.)*)" | ["“”„](?P<value>[^\n\[]*?)["“”])\s*\])
    | (?P<star>\*)
    | (?P<comment>;[^\n]* | ^%[^\n]*)
    | (?P<opening>[({{])
    | (?P<strange>\[?[^\s(){{}}\[\]]+ | .)
    | (?P<end>\Z))""",
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
"""What says nothing (blanks, numbers of moves, glyphs), and the token behind it. One alternative always fits there, so
that no text is looked at twice."""
TAG_LINE = re.compile(r'^[ \t]*\[\s*\w+\s*["“”„]', re.MULTILINE)
BRACKET = re.compile(rf"[(){{}}]|{TAG_LINE.pattern}", re.MULTILINE)
STAR_ENDS = re.compile(r"\s*(?:\[|\Z|1\s*[.)])")
"""What follows a star that is a result, not the strength of a move."""
MEANT = re.compile(r"[0-9\[\](){}]")
"""What a word has that is more than a remark."""
MAX_LOOKED = 4
"""Comments end at their first ``}`` where the search for pairs has looked at this many times the text in vain."""
CLOSERS = {"(": ")", "{": "}"}
NAMES = {name.casefold(): name for name in (
    "Event", "Site", "Date", "Round", "Black", "White", "Result", "GameType", "SetUp", "FEN", "Parlour",
    "ParlourPosition",
)} | {"red": "Black"}  # fmt: skip
"""Names of tags, in any case, as PDN has them."""
RESULTS = {"1-0": "1-0", "2-0": "1-0", "0-1": "0-1", "0-2": "0-1", "0-0": "0-0"}
"""Words for results; all others are draws. A win may count two points and a draw one."""
DRAW = "1/2-1/2"


def result_named(text: str) -> str:
    """A result in PDN's own words; ``*`` for what is none."""
    if not re.fullmatch(RESULT, text.strip()):
        return "*"
    return RESULTS.get(re.sub(rf"\s*[{DASH}]\s*", "-", text.strip()), DRAW)


@dataclass
class Tokens:
    """One game's: where it begins and what it has, each with the place of its first character."""

    start: int = -1
    tags: dict[str, tuple[str, int]] = field(default_factory=dict)
    moves: list[tuple[str, int]] = field(default_factory=list)
    comments: list[tuple[int, str]] = field(default_factory=list)
    """after how many moves, and the words"""
    prose: list[tuple[str, int]] = field(default_factory=list)
    """Words behind the last move, up to now."""
    result: tuple[str, int] = ("", 0)
    """As it stands behind the moves; empty if there is none."""
    problem: tuple[str, int] | None = None

    in_moves: bool = False
    """Whether a line of tags would be the next game's."""

    @property
    def begun(self) -> bool:
        """Whether it has more than comments."""
        return bool(self.tags or self.moves or self.result[0] or self.problem)

    def repeats(self, name: str, value: str) -> bool:
        """Whether a tag shows that another game begins: it comes again, as the first one or with another value."""
        return name in self.tags and (name == next(iter(self.tags)) or self.tags[name][0] != value)

    def spoil(self, reason: str, place: int) -> None:
        """It can't be read; the first reason stays."""
        self.problem = self.problem or (reason, place)

    def add_comment(self, text: str) -> None:
        """Notes what is said after the moves up to now."""
        if words := " ".join(text.split()):
            self.comments.append((len(self.moves), words))

    def add_word(self, word: str, place: int) -> None:
        """A word that is no token of PDN: behind the last move it is a remark, if it can't be meant as a move."""
        if self.moves and not MEANT.search(word):
            self.prose.append((word, place))
        else:
            self.spoil(f"{word!r} has no meaning in PDN{hint(word)}", place)
            self.in_moves |= not word.startswith("[")

    def add_move(self, text: str, place: int) -> None:
        """A move; a remark before it was none. In a remark four digits are a year."""
        if self.prose and text.isdigit():
            self.prose.append((text, place))
            return
        if self.prose:
            word, before = self.prose[0]
            self.spoil(f"{word!r} has no meaning in PDN{hint(word)}", before)
        self.moves.append((text, place))
        self.in_moves = True


def hint(word: str) -> str:
    """What the text may have meant."""
    if word == ")":
        return ": it closes a variation that was never opened"
    if word.startswith("["):
        return '; a tag is [Name "value"]'
    return "; moves look like 11-15, 15x22 or 10x19x28"


def games_in(text: str, max_tokens: int | None = None) -> Iterator[tuple[Span, Tokens]]:
    """The games of a text, each with its tokens. ValueError for a text with more than ``max_tokens`` of them."""
    number, line, counted = 1, 1, 0
    last: Tokens | None = None
    for game in _split(text, 0, len(text), max_tokens):
        if last is not None:
            yield Span(number, line, last.start, game.start), last
            number += 1
        line += text.count("\n", counted, game.start)
        counted, last = game.start, game
    if last is not None:
        yield Span(number, line, last.start, len(text)), last


def game_at(text: str, span: Span) -> tuple[Span, Tokens]:
    """The game at a span that `games_in` has found in the same text."""
    nothing = Tokens(span.start, problem=("no game of PDN", span.start))
    return span, next(_split(text, span.start, span.end), nothing)


def _split(text: str, place: int, stop: int, max_tokens: int | None = None) -> Iterator[Tokens]:
    """The games from a place on."""
    game, flat_until, looked = Tokens(), place, 0
    count = 0
    while place < stop:
        if count == max_tokens:
            number = text.count("\n", 0, place) + 1
            raise ValueError(f"line {number}: the text has more than {max_tokens} words")
        count += 1
        match = TOKEN.match(text, place, stop)
        assert match is not None  # any character is a token
        kind = match.lastgroup or ""
        at, place = match.span(kind)
        if kind == "move" and not game.result[0]:
            game.start = at if game.start < 0 else game.start
            game.add_move(match[kind], at)
            continue
        if kind == "end":
            break
        if game.start < 0:
            game.start = at
        if kind == "opening":
            closed, unpaired = closing(text, at, stop, stop if looked > MAX_LOOKED * len(text) else flat_until)
            looked += unpaired - at if unpaired != flat_until else 0
            flat_until = unpaired
            if closed < 0:
                if game.result[0]:
                    yield closed_game(game)
                    game = Tokens(at)
                game.spoil(never_closed(text, at), at)
                game.in_moves = True
                line = TAG_LINE.search(text, place, stop)
                place = line.start() if line else stop
            else:
                if text[at] == "{":
                    game.add_comment(text[at + 1 : closed - 1])
                place = closed
            continue
        if kind == "comment":
            if text[at] == ";":
                game.add_comment(match[kind][1:])
            continue
        ended = bool(game.result[0])
        is_remark = kind == "strange" and not MEANT.search(match[kind])
        if ended and (is_remark or (game.prose and match[kind].isdigit())):
            game.prose.append((match[kind], at))
            continue
        name = NAMES.get(match["name"].casefold(), match["name"]) if kind == "tag" else ""
        is_result = kind == "result" or (kind == "star" and (not game.moves or STAR_ENDS.match(text, place, stop)))
        if kind == "star" and not is_result:
            continue
        value = value_of(match) if name else ""
        if ended or (name and (game.in_moves or game.repeats(name, value))):
            yield closed_game(game)
            game, flat_until = Tokens(at), at
        if name:
            game.tags[name] = (value, at)
        elif is_result:
            game.result = (match[kind], at)
        elif kind == "move":
            game.add_move(match[kind], at)
        else:
            game.add_word(match[kind], at)
    if game.begun:
        yield closed_game(game)


def closed_game(game: Tokens) -> Tokens:
    """The game, whole: the words behind its last move are a comment."""
    game.add_comment(" ".join(word for word, _ in game.prose))
    return game


def value_of(match: re.Match[str]) -> str:
    """A tag's value: what its backslashes protect, where they are PDN's; else as it stands."""
    return match["value"] or "" if match["plain"] is None else re.sub(r"\\(.)", r"\1", match["plain"], flags=re.DOTALL)


def closing(text: str, place: int, stop: int, flat_until: int) -> tuple[int, int]:
    """The place behind the bracket that closes the one at ``place``, others inside it too; −1 if a line of tags or the
    end comes first. A comment where the numbers of ``{`` and ``}`` differ ends at its first ``}``, and so do all
    up to there, which is the second number."""
    opener, opened = text[place], [text[place]]
    if opener == "{" and place < flat_until:
        return text.find("}", place, flat_until) + 1 or -1, flat_until
    end = stop
    for match in BRACKET.finditer(text, place + 1, stop):
        sign = match[0]
        if sign in CLOSERS:
            if sign == "{" or opened[-1] == "(":
                opened.append(sign)
        elif sign == CLOSERS[opened[-1]]:
            opened.pop()
            if not opened:
                return match.end(), flat_until
        elif sign not in ")}":
            end = match.start()
            break
    if opener == "(":
        return -1, flat_until
    return text.find("}", place, end) + 1 or -1, end


def never_closed(text: str, place: int) -> str:
    """The reason against a game with an open bracket."""
    if text[place] == "(":
        return "'(' opens a variation that is never closed"
    word = re.match(r"\S{1,40}", text[place : place + 40])
    return f"{word[0] if word else '{'!r} has no meaning in PDN: the comment is never closed"
