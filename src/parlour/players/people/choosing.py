"""From clicks to an action: one place after another, until one action is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from parlour.interfaces.aec import GameEnv
from parlour.interfaces.moves import named_actions
from parlour.players.people.board import clicks, hit_areas, legal_actions, why_not

Clicks: TypeAlias = tuple[str, ...]
Ways: TypeAlias = dict[int, Clicks]
"""For each legal action the clicks that choose it."""


@dataclass(frozen=True)
class Choosing:
    """The state of a person's choice of an action.

    Attributes:
        chosen: the places clicked so far that count.
        places: those that can be clicked next.
        buttons: further choices that are not places: the text to show, and the clicks that it stands for.
        action: the action that was chosen; None while there is more to choose.
        problem: why the last click had no effect; empty otherwise.
    """

    chosen: tuple[str, ...] = ()
    places: frozenset[str] = frozenset()
    buttons: tuple[tuple[str, tuple[str, ...]], ...] = ()
    action: int | None = None
    problem: str = ""


def choose(env: GameEnv, clicked: Sequence[str]) -> Choosing:
    """The choice after clicking places and buttons in this order. Nothing is played.

    A click that doesn't continue the choice begins another one, or takes it back if it is on the place chosen last.
    """
    places = [area.name for area in hit_areas(env)]
    ways = {action: clicks(env, action, places) for action in legal_actions(env)}
    return _follow(env, ways, tuple(clicked), frozenset(places))


def _follow(env: GameEnv, ways: Ways, clicked: Clicks, known: frozenset[str]) -> Choosing:
    count = len(clicked)
    fitting = {action: way for action, way in ways.items() if way[:count] == clicked}
    if not fitting and clicked:
        return _start_anew(env, ways, clicked, known)
    done = [action for action, way in fitting.items() if len(way) == count]
    if len(done) == 1 == len(fitting) and clicked:
        return Choosing(clicked, action=done[0])
    going_on = {way[count] for way in fitting.values() if len(way) > count}
    names = {env.move_name(action): (*clicked, env.move_name(action)) for action in done}
    words = {word: (*clicked, word) for way in fitting.values() for word in way[count : count + 1] if word not in known}
    return Choosing(clicked, known & going_on, tuple((names | words).items()))


def _start_anew(env: GameEnv, ways: Ways, clicked: Clicks, known: frozenset[str]) -> Choosing:
    """After a last click that doesn't continue the clicks before."""
    *before, last = clicked
    named = [action for action, way in ways.items() if env.move_name(action) == last and way == tuple(before)]
    if named:  # a button that distinguishes actions with the same clicks
        return Choosing(clicked, action=named[0])
    if before and last == before[-1]:
        return _follow(env, ways, (), known)
    problem = explain(env, clicked, known)
    begins = any(way[:1] == (last,) for way in ways.values())
    start = _follow(env, ways, (last,) if begins and before else (), known)
    return Choosing(start.chosen, start.places, start.buttons, start.action, "" if start.chosen else problem)


def explain(env: GameEnv, clicked: Clicks, known: frozenset[str]) -> str:
    """Why these clicks lead to no legal action."""
    if env.is_over():
        return "The game is over."
    reasons: dict[str, None] = {}
    for action in named_actions(env.games, 0):
        if clicks(env, action, sorted(known))[: len(clicked)] == clicked:
            reasons[why_not(env, action)] = None
    texts = [reason for reason in reasons if reason]
    words = " to ".join(clicked)
    if not texts or len(texts) > 3:
        return f"Nothing can be played on {words}." if len(clicked) == 1 else f"{words} is not legal here."
    return f"Not legal: {texts[0]}." if len(clicked) > 1 else f"Nothing to play on {words}: {'; '.join(texts)}."
