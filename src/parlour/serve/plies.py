"""The plies of a game as its page shows them: each position, how the ply moved, and what it brought."""

from __future__ import annotations

from typing import Any

from parlour.interfaces.aec import GameEnv
from parlour.players.people.board import has_thrown, hit_areas, outcomes, status, way
from parlour.serve.table import Table

MAX_TRAIL = 12
"""How many plies of the others' turns are marked at most."""


def shown_ply(table: Table, ply: int) -> dict[str, Any] | None:
    """A position for the page's script; None if there is none. ``ply``: 0 is the start."""
    with table.guard:
        if not 0 <= ply < len(table.before):
            return None
        env = table.before[ply]
        shown = {"ply": ply, "picture": env.svg(), "status": f"Start: {status(env)}"}
        if ply == 0:
            return {**shown, "way": [], "thrown": False, "outcomes": []}
        before, move = table.before[ply - 1], table.moves[ply - 1][0]
        return {
            **shown,
            "status": f"{ply}. {move}: {status(env)}",
            "way": _way(before, env, move),
            "thrown": has_thrown(before, env),
            "outcomes": outcomes(before, env, table.setup.you),
        }


def _way(before: GameEnv, after: GameEnv, move: str) -> list[dict[str, Any]]:
    """The places of a move: the middle of each, and the ids of the pieces that stood there, and that stand there."""
    pieces = {place.name: place.piece for place in hit_areas(after)}
    places = way(before, before.parse_move(move))
    return [{"x": at.x, "y": at.y, "piece": at.piece, "lands": pieces.get(at.name, "")} for at in places]


def turn_of_others(table: Table) -> range:
    """The plies, from 1 up, since a person played last: what the others have done meanwhile. Empty without people."""
    last = len(table.moves)
    first = last
    while first and table.moves[first - 1][1] in table.players:
        first -= 1
    return range(first + 1, last + 1) if table.people else range(0)


def latest_outcomes(table: Table) -> list[str]:
    """What the latest ply that brought anything has brought to each seat; empty if that was before the last turns."""
    for ply in range(len(table.moves), max(len(table.moves) - 2 * len(table.setup.seats), 0), -1):
        outcome_lines = outcomes(table.before[ply - 1], table.before[ply], table.setup.you)
        if outcome_lines:
            return outcome_lines
    return []


def trail(table: Table) -> str:
    """SVG over the picture: the ways of the others' plies before the last one, which the picture itself marks."""
    plies = turn_of_others(table)[-MAX_TRAIL:-1]
    lines = []
    for ply in plies:
        before, move = table.before[ply - 1], table.moves[ply - 1][0]
        points = [f"{place.x:g} {place.y:g}" for place in way(before, before.parse_move(move))]
        if len(points) > 1:
            lines.append(f'<path d="M{"L".join(points)}"/>')
    return f'<g class="trail">{"".join(lines)}</g>' if lines else ""
