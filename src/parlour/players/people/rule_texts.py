"""The rules of a variant in words, from the game's README, and as positions to show, from its guide: for people at the
board and for language models."""

from __future__ import annotations

from collections.abc import Mapping

from parlour.engine.game import Game
from parlour.interfaces.aec import GameEnv
from parlour.rulebook.clauses import Clause, Lesson, filled, holds, in_force
from parlour.rulebook.options import Value

OCCURS = "If the same position occurs `repetition` times at the end of a turn, the"
REPEATED = (
    Clause("", f"{OCCURS} game is a draw.", "repeats=draw"),
    Clause("", f"{OCCURS} seat whose turn it was loses.", "repeats=loses"),
    Clause(
        "",
        "A turn may not end in a position that would then have occurred `repetition` times. A seat that has no other"
        " ply is a seat without a legal ply.",
        "repeats=forbidden",
    ),
)
LIMITED = (
    Clause("", "A game that is still undecided after `max_plies` plies (single actions) is stopped without a winner."),
)


def goal(game: Game, values: Mapping[str, Value]) -> str:
    """The goal under these option values, for someone who has never seen the game; may be empty."""
    return " ".join(clause.text for clause in in_force(game.clauses[0], values))


def rules(game: Game, values: Mapping[str, Value]) -> list[Clause]:
    """The rules under these option values. A game whose README has none by `parlour.rulebook.clauses` tells its options
    and their values."""
    clauses = in_force(game.clauses[1], values)
    if not clauses:
        return [Clause(option.name, f"{values[option.name]!r} ({option.meaning}).") for option in game.options]
    limits = [*(REPEATED if values.get("repetition") else ()), *(LIMITED if values.get("max_plies") else ())]
    return clauses + in_force(limits, {"repeats": "draw", **values})


def sheet(game: Game, values: Mapping[str, Value], with_sources: bool) -> str:
    """Goal, rules, signs of the board, how moves are written. ``with_sources``: each rule with what its source says."""
    lines = [f"# {game.title}", "", goal(game, values) or game.summary, "", "Rules:"]
    for clause in rules(game, values):
        title = f"{clause.title}: " if clause.title else ""
        source = f" (Source: {clause.source})" if with_sources and clause.source else ""
        lines.append(f"- {title}{clause.text}{source}")
    signs = "; ".join(f"{sign} {meaning}" for sign, meaning, _ in game.guide.LEGEND)
    lines += ["", f"Signs: {signs}."] if signs else []
    return "\n".join([*lines, "", f"Moves look like {game.notation.MOVE_FORM}."])


def lessons(game: Game, variant: str | None) -> list[tuple[str, GameEnv]]:
    """The lessons of a variant: each text, and the position to show with it. A game without lessons shows its start.
    ValueError for an unknown variant, and for a lesson that the rules refuse."""
    named, values = game.resolve(variant, {})
    chosen = [lesson for lesson in game.guide.LESSONS if holds(lesson.when, values)]
    shown = [(lesson, GameEnv(game, named.name, {}, None, "raise")) for lesson in chosen or [Lesson("The start.")]]
    for lesson, env in shown:
        env.reset(seed=0, options={"position": lesson.position or None, "dice": lesson.dice or None})
        for move in lesson.moves:
            env.step(env.parse_move(move))
    return [(filled(lesson.text, env.values), env) for lesson, env in shown]
