"""From what a person types to an action: names in any spelling, parts of names, and a reason if nothing fits."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches

from parlour.interfaces.aec import GameEnv
from parlour.players.people.board import legal_actions, named_actions, why_not

PIECES = re.compile(r"[^\W\d_]+|[0-9]+")
LINKS = re.compile(r"(?<=\d)x(?=\d)|\b(?:to|takes)\b")
"""What people write between the parts of a move and what says nothing of its own: ``9x18``, ``9 to 18``."""
MAX_TYPED = 200
"""At most this many characters of an input are read."""
MAX_TRIED = 200
"""At most this many plies are tried to find a turn of several."""


@dataclass(frozen=True)
class Reading:
    """What a typed text means.

    Attributes:
        action: the legal action that it means; None if there is none, or more than one.
        then: the actions that follow it, if a turn of several plies was typed as one move, such as ``11x18x25``.
        matches: the names of the legal moves that begin like this, if there are several.
        problem: why it is no legal move; empty otherwise.
    """

    action: int | None = None
    matches: tuple[str, ...] = ()
    problem: str = ""
    then: tuple[int, ...] = ()


def pieces_of(text: str) -> tuple[str, ...]:
    """The parts of a move's name, without what links them: ``9x18``, ``9 to 18`` and ``09-18`` have the same."""
    return tuple(piece.lstrip("0") or piece for piece in PIECES.findall(LINKS.sub(" ", text.lower())))


def read_move(env: GameEnv, text: str) -> Reading:
    """What ``text`` means for the seat to act. Case, spaces and the signs between the parts of a name don't matter."""
    typed = text.strip().lower()[:MAX_TYPED]
    pieces = pieces_of(typed)
    legal = {action: env.move_name(action) for action in legal_actions(env)}
    if not pieces:
        return Reading(problem=f"{text!r} is no move; moves look like {env.game.notation.MOVE_FORM}")
    exact = [action for action, name in legal.items() if name == typed]
    same = exact or [action for action, name in legal.items() if pieces_of(name) == pieces]
    if len(same) == 1:
        return Reading(same[0])
    if typed in named_actions(env).values():
        return Reading(problem=_problem(env, typed, pieces, list(legal.values())))
    turns = _turns(env, pieces)
    if len(turns) == 1:
        return Reading(turns[0][0], then=turns[0][1:])
    begin = [name for name in legal.values() if pieces_of(name)[: len(pieces)] == pieces]
    if begin:
        return Reading(matches=tuple(begin))
    spelled = _spelled(env, typed) if len(pieces) == 1 else None
    if spelled in legal:
        return Reading(spelled)
    if spelled is not None:
        typed = text = env.move_name(spelled)
        pieces = pieces_of(typed)
    return Reading(problem=_problem(env, text.strip()[:MAX_TYPED], pieces, list(legal.values())))


def _spelled(env: GameEnv, typed: str) -> int | None:
    """The action that the game's own reading of names finds; None if it finds none."""
    try:
        return env.parse_move(typed)
    except ValueError:
        return None


def _turns(env: GameEnv, pieces: tuple[str, ...]) -> list[tuple[int, ...]]:
    """The turns of several plies, each from where the one before it came, that pass these places in this order:
    ``11x18`` and ``18x25`` for 11, 18, 25. Places between may be left out. One for each position where they lead."""
    found: dict[str, tuple[int, ...]] = {}
    open_turns: list[tuple[GameEnv, tuple[str, ...], tuple[int, ...]]] = [(env, pieces, ())]
    tried = 0
    while open_turns and len(pieces) > 1:
        now, places, plies = open_turns.pop()
        for action in legal_actions(now):
            parts = pieces_of(now.move_name(action))
            if len(parts) != 2 or parts[0] != places[0]:
                continue
            tried += 1
            if tried > MAX_TRIED:
                return []
            after, way = now.clone(), (*plies, action)
            after.step(action)
            left = places[1:] if parts[1] == places[1] else (parts[1], *places[1:])
            if len(left) == 1 and way[1:]:
                found.setdefault(after.position(), way)
            if len(left) > 1 and not after.is_over() and not after.games.states["turn_over"][0]:
                open_turns.append((after, left, way))
    return list(found.values())


def _problem(env: GameEnv, text: str, pieces: tuple[str, ...], legal: list[str]) -> str:
    named = named_actions(env)
    exact = [action for action, name in named.items() if name == text.lower()]
    longer = [action for action, name in named.items() if _begins(name, pieces)]
    meant = exact or [action for action, name in named.items() if pieces_of(name) == pieces]
    if meant and (exact or not longer):
        reason = next((reason for action in meant if (reason := why_not(env, action))), "")
        return f"{named[meant[0]]} is not legal here" + (f": {reason}" if reason else "")
    reasons = dict.fromkeys(reason for action in longer if (reason := why_not(env, action)))
    if 0 < len(reasons) <= 3:
        return f"{text} can't be played: {'; '.join(reasons)}"
    near = get_close_matches(text.lower(), legal, 3, 0.5)
    also = f"; did you mean {' or '.join(near)}?" if near else ""
    what = "begins no legal move" if longer else f"is no move; moves look like {env.game.notation.MOVE_FORM}"
    return f"{text!r} {what}{also}"


def _begins(name: str, pieces: tuple[str, ...]) -> bool:
    """Whether a name begins with these pieces and has more."""
    found = pieces_of(name)
    return len(found) > len(pieces) and found[: len(pieces)] == pieces
