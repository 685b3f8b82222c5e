"""How a game stands after each ply, by exact values or as the champion sees it: for the bar and graph on its page."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from parlour.engine.view import GamesView
from parlour.interfaces.aec import GameEnv
from parlour.players import Considering
from parlour.players.champion import NAME as CHAMPION
from parlour.players.champion import champion_plays
from parlour.players.exact import Exact
from parlour.players.names import parse_player
from parlour.records.frames import potential_of
from parlour.serve.sessions import Session

SECONDS = 1.0
"""How long a request may take; the page asks again for what is missing."""
DIGITS = 4


class Judged(NamedTuple):
    """What the first of two seats can expect in a position, from −1 to 1."""

    value: float | None
    """The expected result, or the result itself after the end; None if nobody knows it."""
    exact: bool = False
    """Whether the value is that of a table."""


class SessionJudge:
    """Values the positions of one session, each once."""

    def __init__(self, env: GameEnv, tables: Sequence[Exact] = ()) -> None:
        """``env``: any position of the game. ``tables``: of its rules."""
        two = len(env.possible_agents) == 2
        knows = two and champion_plays(env.game, [env.values])
        player = parse_player(CHAMPION, env.game) if knows else None
        self.player = player if isinstance(player, Considering) else None
        self.tables = tables
        self.known: dict[int, tuple[GameEnv, Judged]] = {}

    def value(self, env: GameEnv) -> Judged:
        """How a position stands."""
        if env.is_over():
            return Judged(potential_of(env))
        trial = env.clone()
        trial.render_mode = None
        view = GamesView(trial.games)
        table = next((one for one in self.tables if one.knows(view)), None)
        player = table or self.player
        if player is None:
            return Judged(potential_of(env))
        values = player.consider(view).values
        return Judged(None if values is None else min(max(float(values[0]), -1.0), 1.0), table is not None)

    def values(self, positions: list[GameEnv]) -> tuple[list[Judged], bool]:
        """How positions stand, ply by ply, and whether all of them are valued. The last ones come first."""
        end, complete = time.monotonic() + SECONDS, True
        for ply in reversed(range(len(positions))):
            if ply in self.known and self.known[ply][0] is positions[ply]:
                continue
            if time.monotonic() > end:
                complete = False
                break
            self.known[ply] = positions[ply], self.value(positions[ply])
        unknown = None, Judged(None)
        found = [self.known.get(ply, unknown) for ply in range(len(positions))]
        return [one if env is positions[ply] else Judged(None) for ply, (env, one) in enumerate(found)], complete


def judged(session: Session) -> dict[str, Any]:
    """The values of all positions for the only person, or the first seat, for the page's script; which are exact."""
    with session.guard:
        positions, over = list(session.before), session.setup.resigned
    with session.judging:
        session.judge = session.judge or SessionJudge(positions[0], session.tables)
        found, complete = session.judge.values(positions)
        by = "the champion" if session.judge.player is not None else "the game's own estimate"
    if any(one.exact for one in found):
        by = f"exact values where a table has them, elsewhere {by}"
    seat = max(session.you, 0)
    if over >= 0 and len(session.setup.seats) == 2:
        found[-1] = Judged(-1.0 if over == 0 else 1.0)
    own = [None if value is None else round(-value if seat else value, DIGITS) for value, _ in found]
    exact = [one.exact for one in found]
    name = session.env.game.seat_name(seat)
    return {"by": by, "seat": name, "you": session.you >= 0, "values": own, "exact": exact, "complete": complete}
