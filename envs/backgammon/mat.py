"""Matches as ``.mat``, the form of JellyFish, which most backgammon programs read and write.

A match is a line with its length, then games: a line with both names and scores, and numbered lines with a throw and a
turn of each player.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from parlour.rulebook.protocol import NewGame, ReadGame, Replay, Span, Unreadable

from .matches import (
    OWN_TAG,
    Action,
    WrittenGame,
    check_start,
    length_of,
    own_tag,
    read_each,
    score_before,
    turns_of,
    won_by,
)

GAME = re.compile(r"^[ \t]*Game[ \t]+[0-9]+[ \t]*$", re.MULTILINE | re.IGNORECASE)
TAG = re.compile(r'^;[ \t]*\[(\w+)[ \t]+"([^"\n]*)"\]', re.MULTILINE)
LENGTH = re.compile(r"^[ \t]*([0-9]{1,5}) point match", re.MULTILINE | re.IGNORECASE)
SCORE = re.compile(r":[ \t]*(-?[0-9]{1,6})(?![^ \t])")
STEP = r"(?:bar|[0-9]{1,2})(?:[/-](?:bar|off|[0-9]{1,2})\*?)+(?:\([1-4]\))?"
NUMBERED = re.compile(r"^[ \t]*[0-9]{1,5}\)")
ACTION = re.compile(
    rf"(?P<dice>[1-6][1-6]):(?P<steps>(?:[ \t]+{STEP})*)(?:[ \t]+(?:Cannot Move|\?+))?"
    r"|(?P<cube>(?:Doubles|Redoubles|Beavers|Raccoons)(?:[ \t]*=>[ \t]*[0-9]{1,5})?|Takes|Accepts)"
    r"|(?P<over>Drops|Passes|Resigns|Wins[ \t]+(?P<points>[0-9]{1,5})[ \t]+points?(?:[ \t]+and[ \t]+the[ \t]+match)?)",
    re.IGNORECASE,
)
LEFT_COLUMN = 20
"""An action that begins before this column is the left player's."""
LEFT_WIDTH, WINS_LEFT, WINS_RIGHT = 28, 6, 34
"""Columns as GNU Backgammon writes them."""
RENAMED = {"EventDate": "Date"}
"""Names of tags in these files, and in records."""
OF_A_GAME = ("Match", "Score", "Result", "Points")
"""Tags that are no lines of their own before a match."""


def find_games(text: str) -> Iterator[Span]:
    """Where the games of a text are."""
    starts = [match.start() for match in GAME.finditer(text)]
    line, before = 1, 0
    for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(text)]), 1):
        line += text.count("\n", before, start)
        before = start
        yield Span(number, line, start, end)


def read_games(
    text: str, new_game: NewGame, max_plies: int | None = None, spans: Iterable[Span] | None = None
) -> Iterator[ReadGame]:
    """The games of a text with their records (`parlour.GameRecord`), or only those at some spans. ValueError if they
    have more than ``max_plies``."""
    places = list(find_games(text))
    first = places[0].start if places else 0
    tags = {RENAMED.get(name, name): value for name, value in TAG.findall(text[:first]) if name != OWN_TAG}
    length = LENGTH.search(text, 0, first)
    if length is not None:
        tags["Match"] = f"{length[1]} point match"
    parse = partial(_game_at, text, {place.number: place for place in places}, tags)
    return read_each(text, places if spans is None else spans, parse, new_game, max_plies)


def _game_at(text: str, places: dict[int, Span], tags: dict[str, str], span: Span) -> WrittenGame:
    """The game at a span; our own tag stands before it. Raises `Unreadable`."""
    before = places[span.number - 1].start if span.number > 1 else 0
    own_tags = [value for name, value in TAG.findall(text[before : span.start]) if name == OWN_TAG]
    game = WrittenGame(span, list(actions_of(text, span)), tags=dict(tags), own_tag=own_tags[-1] if own_tags else "")
    header, _ = _names_at(text, text.find("\n", span.start, span.end) + 1 or span.end, span.end)
    if header is not None:
        game.names, scores = header
        game.tags["Score"] = f"{scores[0]}-{scores[1]}"
    return game


def actions_of(text: str, span: Span) -> Iterator[Action]:
    """What is done in a game, in order. Raises `Unreadable` for what can't be understood."""
    place = text.find("\n", span.start, span.end) + 1 or span.end
    place = _names_at(text, place, span.end)[1]
    while place < span.end:
        line_end = text.find("\n", place, span.end)
        line_end = span.end if line_end < 0 else line_end
        line = text[place:line_end]
        begun = NUMBERED.match(line)
        last = begun.end() if begun else 0
        if begun or line.strip()[:4].lower() == "wins":
            for k, match in enumerate(ACTION.finditer(line, last)):
                if line[last : match.start()].strip():
                    raise Unreadable(f"{line[last : match.start()].strip()!r:.80} is no turn", place + last)
                last = match.end()
                yield _action(match, 0 if k == 0 and match.start() < LEFT_COLUMN else 1, place)
        if line[last:].strip() and not line.lstrip().startswith(";"):
            raise Unreadable(f"{line[last:].strip()!r:.80} is no turn", place + last)
        place = line_end + 1


def _action(match: re.Match[str], seat: int, line: int) -> Action:
    dice = tuple(int(face) for face in match["dice"] or "")
    what = "" if dice else " ".join(match[0].split())
    points = int(match["points"] or 0)
    return Action(seat, line + match.start(), dice, match["steps"] or "", what, match["over"] is not None, points)


def _names_at(text: str, place: int, end: int) -> tuple[tuple[list[str], list[str]] | None, int]:
    """Names and scores from their line, and where the next one begins; None, and the same place, if there is none."""
    for line in text[place:end].splitlines(keepends=True):
        if line.strip():
            header = _header(line.rstrip("\n"))
            return header, place + (len(line) if header else 0)
        place += len(line)
    return None, place


def _header(line: str) -> tuple[list[str], list[str]] | None:
    """The two names in a line and their scores; ``?`` and 0 for the second if there is one alone. None for any other
    line."""
    scores = list(SCORE.finditer(line))
    if not scores or scores[-1].end() != len(line.rstrip(" \t")):
        return None
    first, last = scores[0], scores[-1]
    if first is last:
        names, points = [line[: first.start()].strip(), "?"], [first[1], "0"]
    else:
        names, points = [line[: first.start()].strip(), line[first.end() : last.start()].strip()], [first[1], last[1]]
    return (names, points) if all(names) else None


# --- writing ---


def write_games(records: Sequence[Any], replay: Replay) -> str:
    """Records (`parlour.GameRecord`) as games of one match. ValueError for one that breaks the rules or does not begin
    at the start."""
    tags, named = records[0].tags if records else {}, {ours: name for name, ours in RENAMED.items()}
    plain = {name: " ".join(tags[name].replace('"', "'").split()) for name in tags if re.fullmatch(r"\w+", name)}
    lines = [f'; [{named.get(name, name)} "{value}"]' for name, value in plain.items() if name not in OF_A_GAME]
    lines += ["", f" {length_of(records[0]) if records else 0} point match"]
    score, names = [0, 0], ["", ""]
    for number, record in enumerate(records, 1):
        players = [" ".join(name.replace(":", " ").split()) or "?" for name in record.players]
        if players != names:
            score, names = score_before(record), players
        lines += ["", *_game(record, number, players, score, replay)]
    return "\n".join(lines) + "\n"


def _game(record: Any, number: int, names: list[str], score: list[int], replay: Replay) -> Iterator[str]:
    """The lines of a game. Adds what is won to ``score``."""
    where = f"game {number}"
    check_start(record, where)
    yield f'; [{OWN_TAG} "{own_tag(record)}"]'
    yield f" Game {number}"
    left = f" {names[0]} : {score[0]}"
    yield f"{left:<{LEFT_WIDTH + 3}} {names[1]} : {score[1]}"
    cells: list[str] = []
    for seat, dice, steps in turns_of(replay(record, where)):
        cells += [""] if len(cells) % 2 != seat else []
        cells.append(f"{dice}: {' '.join(steps)}".rstrip())
    for row, (first, second) in enumerate(zip(cells[::2], [*cells[1::2], ""]), 1):
        yield f"{row:3}) {first:<{LEFT_WIDTH - 1}} {second}".rstrip()
    winner, points = won_by(record)
    if winner is not None:
        score[winner] += points
        yield f"{'':{WINS_RIGHT if winner else WINS_LEFT}}Wins {points} point{'s' if points > 1 else ''}"
