"""How to play a game, in a few pictures: the positions of its guide's lessons, drawn by its own drawing."""

from __future__ import annotations

from parlour.engine.game import Game
from parlour.interfaces.aec import GameEnv
from parlour.rulebook.clauses import Lesson, holds


def lessons(game: Game, variant: str | None) -> list[tuple[str, GameEnv]]:
    """The lessons of a variant: each text, and the position to show with it. A game without lessons shows its start.
    ValueError for an unknown variant, and for a lesson that the rules refuse."""
    named, values = game.resolve(variant, {})
    told = [lesson for lesson in game.guide.LESSONS if holds(lesson.when, values)]
    shown = [(lesson, GameEnv(game, named.name, {}, None, "raise")) for lesson in told or [Lesson("The start.")]]
    for lesson, env in shown:
        env.reset(seed=0, options={"position": lesson.position or None, "dice": lesson.dice or None})
        for move in lesson.moves:
            env.step(env.parse_move(move))
    return [(lesson.text.format_map(env.values), env) for lesson, env in shown]
