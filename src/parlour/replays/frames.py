"""A recorded game played again, as what can be shown of it: a frame before the first ply, and one after each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from parlour.aec import GameEnv
from parlour.people.advice import Thought, marks
from parlour.records import GameRecord, read_thought, replay


@dataclass(frozen=True)
class Frame:
    """What is seen at one moment of a game.

    Attributes:
        picture: the SVG.
        text: the position's text, from which a game can go on.
        move: the ply that led here; None at the start.
        seat: who played it.
        dice: the faces of the latest throw; () where there is none.
        potential: how well ``player_0`` stands, from −1 to 1, by the game's own judgement (`evaluation.potential`), or
            the result; None in a game without one, or with more than two seats.
        thought: what the player of the next ply thought, where the record has it.
        marks: SVG that shows it over the picture.
    """

    picture: str
    text: str
    move: str | None
    seat: int | None
    dice: tuple[int, ...]
    potential: float | None
    thought: Thought | None = None
    marks: str = ""


def frames_of(record: GameRecord, where: str) -> Iterator[Frame]:
    """The frames of a game. Raises ValueError as `parlour.records.replay` does: ``where`` says which record it is."""
    seat = None
    for ply, env in enumerate(replay(record, where)):
        move = record.moves[ply - 1] if ply else None
        thought = _thought(record, ply, env, where)
        shown = marks(env, thought) if thought else ""
        yield Frame(env.svg(), env.position(), move, seat, env.dice, potential_of(env), thought, shown)
        seat = env.possible_agents.index(env.agent_selection) if env.agents else None


def _thought(record: GameRecord, ply: int, env: GameEnv, where: str) -> Thought | None:
    """What the player of the next ply thought. ValueError for what is no thought of this position."""
    if record.thoughts is None or ply >= len(record.thoughts):
        return None
    try:
        return read_thought(record.thoughts[ply], env.legal_moves())
    except ValueError as error:
        raise ValueError(f"{where}, ply {ply + 1}: {error}") from None


def potential_of(env: GameEnv) -> float | None:
    """`Frame.potential` of the position in which a game stands."""
    if len(env.possible_agents) != 2 or not env.game.has_potential:
        return None
    if env.is_over() and any(env.rewards.values()):
        first, second = env.rewards.values()
        return float((first > second) - (first < second))
    return float(env.games.potential_one(0))
