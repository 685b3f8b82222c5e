"""Matches as ``.sgf``, the form in which GNU Backgammon saves them: SGF, the Smart Game Format, with games of type 6.

A game is ``(;GM[6]…;W[31hefe];B[…])``: properties of the game, then a node for each turn, throw and steps. The places
of a step are letters: ``a`` to ``x`` are White's own points 1 to 24, and Black's 24 to 1; ``y`` is the bar, ``z`` off
the board. Of variations the first is read. (*SGF FF[4], Backgammon properties*, and GNU Backgammon's own.)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from parlour.rulebook.protocol import NewGame, ReadGame, Replay, Span, Unreadable

from . import rules
from .matches import (
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

TYPE, FIRST = "6", ("W", "B")
"""The number of backgammon among SGF's games; the players as seats."""
OWN_PROPERTY = "PARLOUR"
"""Our own, which SGF allows: variant and options."""
TOKEN = re.compile(r"[();]|([A-Z]{1,20})\s*(?=\[)|\[((?:\\.|[^\]\\])*)(?:\]|\\?\Z)", re.DOTALL)
"""A value that never ends goes on to the end of the text: it is read once, not again from each bracket in it."""
TURN = re.compile(r"([1-6])([1-6])((?:[a-y][a-z]){0,4})")
RESULT = re.compile(r"([WB])\+([0-9]{1,5})(R?)")
SAID = {"double": "Doubles", "redouble": "Doubles", "take": "Takes", "beaver": "Beavers", "drop": "Drops"}
BAR, OFF = "y", "z"
TAGS = {"DT": "Date", "EV": "Event", "PC": "Site", "RO": "Round", "AN": "Annotator"}
"""Properties of a game that are tags of a record."""
SET_UP = ("AE", "AW", "AB")
Values = dict[str, list[str]]


def find_games(text: str) -> Iterator[Span]:
    """Where the games of a text are: its trees."""
    depth, number, start, line, counted = 0, 0, 0, 1, 0
    for match in TOKEN.finditer(text):
        if match[0] == "(":
            start = match.start() if depth == 0 else start
            depth += 1
        elif match[0] == ")" and depth:
            depth -= 1
            if depth == 0:
                number += 1
                line += text.count("\n", counted, start)
                counted = start
                yield Span(number, line, start, match.end())


def read_games(
    text: str, new_game: NewGame, max_plies: int | None = None, spans: Iterable[Span] | None = None
) -> Iterator[ReadGame]:
    """The games of a text with their records (`parlour.GameRecord`), or only those at some spans. ValueError if they
    have more than ``max_plies``."""
    return read_each(text, find_games(text) if spans is None else spans, partial(_game_at, text), new_game, max_plies)


def _game_at(text: str, span: Span) -> WrittenGame:
    """The main line of the game at a span. Raises `Unreadable`."""
    game = WrittenGame(span, [])
    for k, (node, place) in enumerate(_nodes(text, span)):
        if k == 0:
            _take_properties(game, node, place)
        if any(name in node for name in SET_UP):
            raise Unreadable("it begins at a position that was set up; only whole games are read", place)
        for seat, player in enumerate(FIRST):
            for value in node.get(player, []):
                game.actions.append(_action(seat, value, place))
        if node.get("C"):
            game.comments[len(game.actions)] = " ".join(" ".join(node["C"]).split())
    won = RESULT.fullmatch(game.tags.pop("Result", ""))
    if won is not None:
        seat, points = FIRST.index(won[1]), int(won[2])
        if won[3]:
            game.actions.append(Action(1 - seat, span.start, what="Resigns", is_over=True))
        game.actions.append(Action(seat, span.start, what="Wins", is_over=True, points=points))
    return game


def _nodes(text: str, span: Span) -> Iterator[tuple[Values, int]]:
    """The nodes of a game's main line: values by property, and the first character."""
    node: Values | None = None
    name, place = "", span.start
    for match in TOKEN.finditer(text, span.start, span.end):
        if match[0] in ";)":
            if node is not None:
                yield node, place
            if match[0] == ")":  # the end of the first variation
                return
            node, place = {}, match.start()
        elif match[1]:
            name = match[1]
        elif match[0] != "(" and node is not None:
            node.setdefault(name, []).append(re.sub(r"\\(.)", r"\1", match[2], flags=re.DOTALL))


def _take_properties(game: WrittenGame, node: Values, place: int) -> None:
    """What the first node says of the game."""
    if node.get("GM", [TYPE])[0].strip() != TYPE:
        raise Unreadable(f"GM[{node['GM'][0]}] is another game; that of backgammon is {TYPE}", place)
    game.names = [" ".join(node.get(name, ["?"])[0].split()) or "?" for name in ("PW", "PB")]
    game.own_tag = node.get(OWN_PROPERTY, [""])[0]
    game.tags |= {tag: " ".join(node[name][0].split()) for name, tag in TAGS.items() if name in node}
    match = dict(value.partition(":")[::2] for value in node.get("MI", []))
    if "length" in match:
        game.tags["Match"] = f"{match['length']} point match"
    if "ws" in match and "bs" in match:
        game.tags["Score"] = f"{match['ws']}-{match['bs']}"
    if "RE" in node:
        game.tags["Result"] = node["RE"][0].strip()


def _action(seat: int, value: str, place: int) -> Action:
    """What a player does in a node. Raises `Unreadable`."""
    what = SAID.get(value.strip())
    if what is not None:
        return Action(seat, place, what=what, is_over=what == "Drops")
    turn = TURN.fullmatch(value.strip())
    if turn is None:
        raise Unreadable(f"{FIRST[seat]}[{value}] is no turn; one looks like {FIRST[seat]}[31hefe]"[:160], place)
    letters = turn[3]
    steps = [f"{_place(seat, a)}/{_place(seat, b)}" for a, b in zip(letters[::2], letters[1::2])]
    return Action(seat, place, (int(turn[1]), int(turn[2])), " ".join(steps))


def _place(seat: int, letter: str) -> str:
    """A place by a seat's own number."""
    if letter in (BAR, OFF):
        return "bar" if letter == BAR else "off"
    point = ord(letter) - ord("a") + 1
    return str(point if seat == rules.WHITE else rules.STEPS + 1 - point)


# --- writing ---


def write_games(records: Sequence[Any], replay: Replay) -> str:
    """Records (`parlour.GameRecord`), a tree each. ValueError for one that breaks the rules or does not begin at the
    start."""
    return "".join(f"{''.join(_game(record, number, replay))}\n" for number, record in enumerate(records))


def _game(record: Any, number: int, replay: Replay) -> Iterator[str]:
    """The parts of a game."""
    where = f"game {number + 1}"
    check_start(record, where)
    white, black = score_before(record)
    yield f"(;FF[4]GM[{TYPE}]CA[UTF-8]AP[Parlour:{record.parlour}]"
    yield f"MI[length:{length_of(record)}][game:{number}][ws:{white}][bs:{black}]"
    yield f"PW[{escaped(record.players[0])}]PB[{escaped(record.players[1])}]"
    yield from (f"{name}[{escaped(record.tags[tag])}]" for name, tag in TAGS.items() if tag in record.tags)
    winner, points = won_by(record)
    if winner is not None:
        yield f"RE[{FIRST[winner]}+{points}{'' if any(record.returns) else 'R'}]"
    yield f"{OWN_PROPERTY}[{escaped(own_tag(record))}]"
    for seat, dice, steps in turns_of(replay(record, where)):
        letters = "".join(_letter(seat, place) for step in steps for place in step.rstrip("*").split("/"))
        yield f"\n;{FIRST[seat]}[{dice}{letters}]"
    yield ")"


def _letter(seat: int, place: str) -> str:
    """The letter of a place by a seat's own number, 25 the bar and 0 off."""
    point = int(place)
    if point in (0, rules.STEPS + 1):
        return BAR if point else OFF
    return chr(ord("a") + (point if seat == rules.WHITE else rules.STEPS + 1 - point) - 1)


def escaped(value: str) -> str:
    """A text as a property's value."""
    return value.replace("\\", "\\\\").replace("]", "\\]").replace(":", "\\:")
