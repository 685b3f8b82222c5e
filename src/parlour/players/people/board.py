"""A game as people see it: its places, and what its guide says of the position."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from parlour.engine.game import Game
from parlour.interfaces.aec import GameEnv
from parlour.rulebook.protocol import HitArea
from parlour.rulebook.state_records import as_record

THIRD_PERSON = ("gets", "wins", "loses")
"""For a change of 0, above 0 and below 0."""
WORDS, SEAT = re.compile(r"[a-z0-9]+"), re.compile(r" \(player_\d+\)")
NUMBERED = re.compile(r"player_(\d+)")


def _records(env: GameEnv) -> tuple[Any, Any]:
    """State and variant of the only game."""
    return as_record(env.games.states, 0), as_record(env.games.variants, 0)


def hit_areas(env: GameEnv) -> list[HitArea]:
    """The places of the picture that can be clicked; none if the game doesn't define them."""
    find = getattr(env.game.drawing, "hit_areas", None)
    return list(find(*_records(env))) if find else []


def sees_turned(game: Game, seat: int) -> bool:
    """Whether the board is turned for a person in a seat, who plays from its other side; −1 is nobody's."""
    bottom = getattr(game.drawing, "BOTTOM_SEAT", None)
    return bottom is not None and seat not in (-1, bottom)


def instruction(env: GameEnv) -> str:
    """What the seat to act has to do; empty after the end."""
    return "" if env.is_over() else str(env.game.guide.instruction(*_records(env)))


def status(env: GameEnv) -> str:
    """Whose turn it is, or how the game has ended, in words."""
    return for_people(env.ansi().splitlines()[-1])


def for_people(text: str) -> str:
    """A text of a game without the names of agents: ``Light to act (player_0)`` is ``Light to act``."""
    return NUMBERED.sub(r"Player \1", SEAT.sub("", text))


def verdict(env: GameEnv, seat: int) -> str:
    """How a finished game has ended for a seat: "You win." or "You lose."; empty where nobody wins alone."""
    returns = env.record().returns
    if returns.count(max(returns)) > 1:
        return ""
    return "You win." if returns[seat] == max(returns) else "You lose."


def legal_actions(env: GameEnv) -> list[int]:
    """The legal actions of the seat to act, in order."""
    return [] if env.is_over() else env.observe(env.agent_selection)["action_mask"].nonzero()[0].tolist()


def clicks(env: GameEnv, action: int, places: Sequence[str]) -> tuple[str, ...]:
    """The places to click for an action, in order; a name that is not among ``places`` is a button.

    Without ``guide.clicks`` these are the places in the action's name, or, if there are none, a button with that name.
    For an action that is not legal this is a guess.
    """
    name = env.move_name(action)
    if env.game.guide.clicks is not None:
        return tuple(env.game.guide.clicks(action, *_records(env)))
    return tuple(word for word in WORDS.findall(name) if word in places) or (name,)


def way(env: GameEnv, action: int) -> list[HitArea]:
    """The places of the picture between which an action moves, in order; none for one that is no place's."""
    areas = {area.name: area for area in hit_areas(env)}
    return [areas[place] for place in clicks(env, action, list(areas)) if place in areas]


def has_thrown(before: GameEnv, after: GameEnv) -> bool:
    """Whether dice have been thrown between two positions of a game."""
    first, second = before.games.dice_rng[0], after.games.dice_rng[0]
    return bool(first["counter"] != second["counter"] or first["forced_used"] != second["forced_used"])


def thrown(env: GameEnv) -> str:
    """The faces of the latest throw in words; empty if there is none."""
    names = env.game.guide.FACES
    return ", ".join(names.get(face, str(face)) for face in env.dice)


def outcomes(before: GameEnv, after: GameEnv, you: int = -1) -> list[str]:
    """What a ply has brought to each seat, in words, if the game's guide tells it: ``heart × 2: you win 4``. ``before``
    and ``after``: the same game, a ply apart. ``you``: the seat of the reader; −1: nobody's."""
    state, variant = _records(before)
    sentences = []
    for seat, what, change in before.game.guide.outcomes(state, _records(after)[0], variant):
        who, verbs = ("you", ("get", "win", "lose")) if seat == you else (before.game.seat_name(seat), THIRD_PERSON)
        verb, amount = verbs[(change > 0) - (change < 0)], str(abs(change)) if change else "nothing"
        sentences.append(f"{what}: {who} {verb} {amount}")
    return sentences


def why_not(env: GameEnv, action: int) -> str:
    """Why an action is not legal here; empty if there is no better reason to give."""
    return env.game.guide.why_not(action, *_records(env))
