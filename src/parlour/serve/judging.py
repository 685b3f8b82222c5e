"""How a game stands after each ply, by exact values or as the champion sees it: for the bar and graph on its page."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from parlour.interfaces.aec import GameEnv
from parlour.players.exact import Exact
from parlour.records.standing import Judged, Standing
from parlour.serve.sessions import Session

SECONDS = 1.0
"""How long a request may take; the page asks again for what is missing."""
DIGITS = 4


class SessionJudge(Standing):
    """Values the positions of one session, each once."""

    def __init__(self, env: GameEnv, tables: Sequence[Exact] = ()) -> None:
        """``env``: any position of the game. ``tables``: of its rules."""
        super().__init__(env, tables)
        self.known: dict[int, tuple[GameEnv, Judged]] = {}

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
        by = session.judge.by
    if any(one.exact for one in found):
        by = f"exact values where a table has them, elsewhere {by}"
    seat = max(session.you, 0)
    if over >= 0 and len(session.setup.seats) == 2:
        found[-1] = Judged(-1.0 if over == 0 else 1.0)
    own = [None if value is None else round(-value if seat else value, DIGITS) for value, _ in found]
    exact = [one.exact for one in found]
    name = session.env.game.seat_name(seat)
    return {"by": by, "seat": name, "you": session.you >= 0, "values": own, "exact": exact, "complete": complete}
