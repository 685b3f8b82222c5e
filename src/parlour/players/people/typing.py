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


@dataclass(frozen=True)
class Reading:
    """What a typed text means.

    Attributes:
        action: the legal action that it means; None if there is none, or more than one.
        matches: the names of the legal moves that begin like this, if there are several.
        problem: why it is no legal move; empty otherwise.
    """

    action: int | None = None
    matches: tuple[str, ...] = ()
    problem: str = ""


def pieces_of(text: str) -> tuple[str, ...]:
    """The parts of a move's name, without what links them: ``9x18`` and ``9 to 18`` have the same."""
    return tuple(PIECES.findall(LINKS.sub(" ", text.lower())))


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
    begin = [name for name in legal.values() if pieces_of(name)[: len(pieces)] == pieces]
    if begin:
        return Reading(matches=tuple(begin))
    return Reading(problem=_problem(env, text.strip()[:MAX_TYPED], pieces, list(legal.values())))


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
