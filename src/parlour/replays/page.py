"""Recorded games as one HTML page that needs nothing else: no server, no network, no font."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from html import escape, unescape
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from parlour.records import GameRecord
from parlour.registry import find
from parlour.replays.frames import Frame, frames_of

TEMPLATES = Environment(
    loader=PackageLoader("parlour", "replays"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
)
TAG, WORD = re.compile("(?=<)"), re.compile("(?<=[ ,/|])")
"""Where pictures and positions are cut into pieces."""
TITLE = re.compile("<title>([^<]*)</title>\\n?")
PLACES = 3
"""Digits after the point of a value in the graph."""


def replay_page(records: Sequence[GameRecord], labels: Sequence[str] | None = None) -> str:
    """A page on which the games can be stepped through, with a list of them where there are several.

    ``labels``: what each game is called in that list. Raises ValueError for no game, or one that the rules belie.
    """
    if not records:
        raise ValueError("a page needs at least one game")
    names = labels or [f"{number}: {_label(record)}" for number, record in enumerate(records, 1)]
    games = [_game(record, name, f"game {number}") for number, (record, name) in enumerate(zip(records, names), 1)]
    room = files("parlour.replays")
    return TEMPLATES.get_template("page.html").render(
        title=games[0]["title"],
        style=Markup((room / "page.css").read_text(encoding="utf-8")),
        script=Markup((room / "page.js").read_text(encoding="utf-8")),
        data=Markup(_json({"games": games})),
    )


def replay_frame(record: GameRecord) -> str:
    """The page in a frame of its own, for notebooks."""
    page = escape(replay_page([record]), quote=True)
    style = "width: 100%; height: 900px; border: 0"
    return f'<iframe srcdoc="{page}" style="{style}" sandbox="allow-scripts allow-downloads"></iframe>'


def _label(record: GameRecord) -> str:
    return f"{' – '.join(record.players)}, {len(record.moves)} plies, {record.end or 'not ended'}"


def _game(record: GameRecord, label: str, where: str) -> dict[str, Any]:
    """What page.js shows of a game."""
    game, frames = find(record.game), list(frames_of(record, where))
    seats = [game.seat_name(seat) for seat in range(len(record.players))]
    titles = [title_of(frame.picture).removeprefix(f"{game.title}. ") for frame in frames]
    tokens = Tokens()
    pictures = [tokens.numbers(TAG, without_title(frame.picture)) for frame in frames]
    positions = [tokens.numbers(WORD, frame.text) for frame in frames]
    seated = ", ".join(f"{seat}: {player}" for seat, player in zip(seats, record.players))
    seed = "" if record.seed is None else f"; seed {record.seed}"
    return {
        "label": label,
        "title": f"{game.title}, {record.variant}",
        "about": f"{seated}{seed}. {len(record.moves)} plies, {record.end or 'not ended'}.",
        "seats": seats,
        "moves": record.moves,
        "movers": [frame.seat for frame in frames[1:]],
        "titles": titles,
        "tokens": list(tokens.number),
        "pictures": changes(pictures),
        "positions": changes(positions),
        "potentials": [_rounded(frame.potential) for frame in frames],
        "judge": "Judgement of the position by the game's own rule of thumb",
        "thoughts": [_thought(frame) for frame in frames],
        "record": record.line(),
    }


def _thought(frame: Frame) -> dict[str, Any] | None:
    """What the player that played next thought at this moment."""
    if frame.thought is None:
        return None
    moves = [(name, _rounded(share), None) for name, share in frame.thought.moves]
    value = _rounded(frame.thought.value)
    return {"actions": moves, "value": value, "line": frame.thought.line, "marks": frame.marks}


class Tokens:
    """Different pieces of texts, numbered as they come: a game's pictures have most of theirs in common."""

    def __init__(self) -> None:
        """None yet."""
        self.number: dict[str, int] = {}

    def numbers(self, cut: re.Pattern[str], text: str) -> list[int]:
        """The pieces of ``text``, cut before each match of ``cut``."""
        return [self.number.setdefault(piece, len(self.number)) for piece in cut.split(text)]


def title_of(svg: str) -> str:
    """What a picture is called; empty where it has no title."""
    found = TITLE.search(svg)
    return unescape(found[1]) if found else ""


def without_title(svg: str) -> str:
    """A picture without its ``<title>``, which changes with every ply."""
    return TITLE.sub("", svg, count=1)


def changes(lists: Sequence[Sequence[int]]) -> list[list[Any]]:
    """Each list as the changes that make it of an earlier one: how many places back that is (beyond the first there is
    an empty list), then for each change from where, how many numbers go, and which come. The last in the list stands
    first, so that places hold while changes are made.

    The list two places back is often the shorter way, since the same seat is to act there.
    """
    found = []
    for k, now in enumerate(lists):
        ways = [[back, *_steps(lists[k - back] if back <= k else [], now)] for back in (1, 2)]
        found.append(min(ways, key=lambda way: len(str(way))))
    return found


def _steps(old: Sequence[int], new: Sequence[int]) -> list[int | Sequence[int]]:
    """The changes that make ``new`` of ``old``, flat: place, how many go, which come."""
    first = _in_common(old, new)
    last = _in_common(old[first:][::-1], new[first:][::-1])
    middle = SequenceMatcher(None, old[first : len(old) - last], new[first : len(new) - last])
    flat: list[int | Sequence[int]] = []
    for tag, start, end, low, high in reversed(middle.get_opcodes()):
        if tag != "equal":
            flat += [first + start, end - start, new[first + low : first + high]]
    return flat


def _in_common(one: Sequence[int], other: Sequence[int]) -> int:
    """How many numbers two lists have in common at their beginnings."""
    return next((k for k, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, PLACES)


def _json(value: object) -> str:
    """JSON that may stand in an HTML script element: it can't end the element, whatever its texts hold."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
