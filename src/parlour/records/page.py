"""Recorded games as one self-contained HTML page: it needs no server, no network and no fonts."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Sequence
from html import escape, unescape
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from parlour.interfaces.game_record import GameRecord
from parlour.interfaces.registry import find
from parlour.players.people.board import for_people
from parlour.records.frames import Frame, frames_of

TEMPLATES = Environment(
    loader=PackageLoader("parlour", "records"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
)
WORD, TAG = re.compile("(?<=[ ,/|])"), re.compile("(?=<)")
"""Where texts of positions, and pictures, are split into tokens."""
TITLE = re.compile("<title>([^<]*)</title>\\n?")
MAX_PLAIN = 50_000
"""The most letters of data that a page holds as they are; more are packed, to a sixth or less."""
PLACES = 3
"""Decimal places of the values in the graph."""


def replay_page(records: Sequence[GameRecord], labels: Sequence[str] | None = None, notes: Sequence[str] = ()) -> str:
    """A page that replays the games, with a list of them if there are several.

    ``labels``: the names of the games in that list; ``notes``: sentences above the games, such as which were left out.
    ValueError if there is no game, or if a record contradicts the rules.
    """
    if not records:
        raise ValueError("a page needs at least one game")
    labels = labels or [f"{number}: {label(record)}" for number, record in enumerate(records, 1)]
    games = [_game(record, text, f"game {number}") for number, (record, text) in enumerate(zip(records, labels), 1)]
    folder, data = files("parlour.records"), _json({"games": games})
    packed = len(data) > MAX_PLAIN
    return TEMPLATES.get_template("page.html").render(
        title=games[0]["title"],
        style=Markup((folder / "page.css").read_text(encoding="utf-8")),
        script=Markup((folder / "page.js").read_text(encoding="utf-8")),
        data=Markup(_packed(data) if packed else data),
        packed=packed,
        notes=notes,
    )


def replay_frame(record: GameRecord) -> str:
    """The page in an iframe, for notebooks."""
    page = escape(replay_page([record]), quote=True)
    style = "width: 100%; height: 900px; border: 0"
    return f'<iframe srcdoc="{page}" style="{style}" sandbox="allow-scripts allow-downloads"></iframe>'


def label(record: GameRecord) -> str:
    """A game in a list of games."""
    outcome = record.end or told_of(record) or "not ended"
    return f"{' – '.join(record.players)}, {len(record.moves)} plies, {outcome}"


def told_of(record: GameRecord) -> str:
    """What the file that a game is from says of its result, in words; empty if it says nothing."""
    first, second = [find(record.game).seat_name(seat) for seat in (0, 1)]
    words = {"1-0": f"{first} won", "0-1": f"{second} won", "1/2-1/2": "drawn", "0-0": "both lost", "": ""}
    return words[record.told()]


def course_of(record: GameRecord) -> str:
    """How long a game was and how it ended, by the rules and by its file."""
    result = told_of(record)
    if result and not record.end:
        return f"{len(record.moves)} plies, {result}: resigned or agreed, the board has not ended."
    return f"{len(record.moves)} plies, {record.end or 'not ended'}{f'; by its file {result}' if result else ''}."


def occasion_of(record: GameRecord) -> str:
    """Where and when a game was played, as far as its file says so: a sentence and a blank, or empty."""
    known = {name: value for name, value in record.tags.items() if re.search(r"\w", value)}
    parts = [known[name] for name in ("Event", "Site", "Date") if name in known]
    parts += [f"round {known['Round']}"] if "Round" in known else []
    return f"{', '.join(parts)}. " if parts else ""


def _game(record: GameRecord, label: str, where: str) -> dict[str, Any]:
    """A game for page.js; ``where``: names it in errors."""
    game, frames = find(record.game), list(frames_of(record, where))
    seats = [game.seat_name(seat) for seat in range(len(record.players))]
    titles = [for_people(title_of(frame.picture).removeprefix(f"{game.title}. ")) for frame in frames]
    number: dict[str, int] = {}  # of each token, by first occurrence: most occur in many of the pictures
    pictures = [_numbers(TAG.split(without_title(frame.picture)), number) for frame in frames]
    positions = [_numbers(WORD.split(frame.text), number) for frame in frames]
    seated = ", ".join(f"{seat}: {player}" for seat, player in zip(seats, record.players))
    seed = "" if record.seed is None else f"; seed {record.seed}"
    return {
        "label": label,
        "title": f"{game.title}, {record.variant}",
        "about": f"{occasion_of(record)}{seated}{seed}. {course_of(record)}",
        "comments": record.comments,
        "seats": seats,
        "moves": record.moves,
        "movers": [frame.seat for frame in frames[1:]],
        "titles": titles,
        "tokens": list(number),
        "pictures": changes(pictures),
        "positions": changes(positions),
        "potentials": [_rounded(frame.potential) for frame in frames],
        "judge": "Estimate of the position by the game's evaluation",
        "thoughts": [_thought(frame) for frame in frames],
        "record": record.line(),
    }


def _thought(frame: Frame) -> dict[str, Any] | None:
    """The recorded thought of the player of the next ply, for page.js."""
    if frame.thought is None:
        return None
    moves = [(name, _rounded(share), None) for name, share in frame.thought.moves]
    value = _rounded(frame.thought.value)
    return {"actions": moves, "value": value, "line": frame.thought.line, "marks": frame.marks}


def _numbers(tokens: Sequence[str], number: dict[str, int]) -> list[int]:
    """The numbers of tokens; new ones are added to ``number``."""
    return [number.setdefault(token, len(number)) for token in tokens]


def title_of(svg: str) -> str:
    """The title of a picture; empty if it has none."""
    match = TITLE.search(svg)
    return unescape(match[1]) if match else ""


def without_title(svg: str) -> str:
    """A picture without its ``<title>``, which changes with every ply."""
    return TITLE.sub("", svg, count=1)


def changes(lists: Sequence[Sequence[int]]) -> list[list[Any]]:
    """Each list as its difference from one of the two before it, the smaller one: how many lists back that is (there is
    an empty list before the first), and if they differ, from which index on, how many numbers are removed there, and
    the numbers inserted.

    The list before the previous one is often nearer, since the same seat is to act there. Differences in several places
    would make pages no smaller once these are packed.
    """
    result = []
    for k, new in enumerate(lists):
        candidates = ([back, *_difference(lists[k - back] if back <= k else [], new)] for back in (1, 2))
        result.append(min(candidates, key=lambda candidate: len(str(candidate))))
    return result


def _difference(old: Sequence[int], new: Sequence[int]) -> list[int | Sequence[int]]:
    """Where ``new`` differs from ``old``: the index, how many numbers are removed, and which are inserted."""
    if old == new:
        return []
    first = _in_common(old, new)
    last = _in_common(old[first:][::-1], new[first:][::-1])
    return [first, len(old) - first - last, new[first : len(new) - last]]


def _in_common(old: Sequence[int], new: Sequence[int]) -> int:
    """How many numbers at the beginning of two lists are the same."""
    return next((k for k, (before, after) in enumerate(zip(old, new)) if before != after), min(len(old), len(new)))


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, PLACES)


def _json(value: object) -> str:
    """JSON that is safe in an HTML script element: no text in it can end the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _packed(text: str) -> str:
    """A text deflated, in base64, as page.js unpacks it."""
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()
