"""The frames of a recorded game: one before the first ply, and one after each ply."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from parlour.interfaces.aec import GameEnv
from parlour.interfaces.game_record import GameRecord
from parlour.players.people.advice import Thought, marks
from parlour.records.replaying import read_thought, replay


@dataclass(frozen=True)
class Frame:
    """One position of a game, as it is shown.

    Attributes:
        picture: the board as SVG.
        text: the position's text, from which a game can be continued.
        move: the name of the action that led to the position; None at the start.
        seat: the seat that played it; None at the start.
        dice: the faces of the latest throw; () if there is none.
        potential: the estimate of the position for ``player_0``, from −1 to 1, by the game's `evaluation.potential`; at
            the end the result. None in games without potential or with more than two seats.
        thought: the values and move probabilities of the player of the next ply, if the record has them.
        marks: SVG that shows the thought over the picture.
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
    """The frames of a game. ``where``: names the record in errors. ValueError as in `parlour.records.replay`."""
    seat = None
    for ply, env in enumerate(replay(record, where)):
        move = record.moves[ply - 1] if ply else None
        known = record.thoughts[ply] if record.thoughts and ply < len(record.moves) else None
        thought = read_thought(known, env.legal_moves()) if known else None
        shown = marks(env, thought) if thought else ""
        yield Frame(env.svg(), env.position(), move, seat, env.dice, potential_of(env), thought, shown)
        seat = env.possible_agents.index(env.agent_selection) if env.agents else None


def potential_of(env: GameEnv) -> float | None:
    """`Frame.potential` of the current position of an environment."""
    if len(env.possible_agents) != 2 or not env.game.has_potential:
        return None
    if env.is_over() and any(env.rewards.values()):
        first, second = env.rewards.values()
        return float((first > second) - (first < second))
    return float(env.games.potential_one(0))
