"""How a game stands after each ply, by exact values or as the champion sees it: for the bar and graph on its page."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from parlour.interfaces.aec import GameEnv
from parlour.players.exact import Exact
from parlour.records.standing import Judged, Standing
from parlour.serve.positions import Positions
from parlour.serve.sessions import Session

SECONDS = 1.0
"""How long a request may take; the page asks again for what is missing."""
DIGITS = 4


class SessionJudge(Standing):
    """Values the positions of one session, each once."""

    def __init__(self, env: GameEnv, tables: Sequence[Exact] = ()) -> None:
        """``env``: any position of the game. ``tables``: of its rules."""
        super().__init__(env, tables)
        self.known: dict[int, Judged] = {}
        self.actions: list[int] = []

    def values(self, positions: Positions) -> tuple[list[Judged], bool]:
        """How positions stand, ply by ply, and whether all of them are valued. The last ones come first."""
        self._forget_others(positions.actions)
        end, plies = time.monotonic() + SECONDS, range(len(positions))
        if len(self.known) < len(positions):
            for ply, env in zip(reversed(plies), reversed(positions)):
                if ply not in self.known:
                    if time.monotonic() > end:
                        break
                    self.known[ply] = self.value(env)
        return [self.known.get(ply, Judged(None)) for ply in plies], len(self.known) == len(positions)

    def _forget_others(self, actions: list[int]) -> None:
        """Forgets positions that the game with these ``actions`` does not have, since plies were taken back."""
        pairs = enumerate(zip(self.actions, actions))
        same = next((ply for ply, (old, new) in pairs if old != new), min(len(self.actions), len(actions)))
        self.known = {ply: value for ply, value in self.known.items() if ply <= same}
        self.actions = actions.copy()


def judged(session: Session) -> dict[str, Any]:
    """The values of all positions for the only person, or the first seat, for the page's script; which are exact."""
    table = session.table
    with table.guard:
        positions, resigned = table.before.copy(), table.setup.resigned
    with session.judging:
        session.judge = session.judge or SessionJudge(positions[0], session.exact)
        values, complete = session.judge.values(positions)
        by = session.judge.by
    exact = [is_exact for _, is_exact in values]
    if any(exact):
        by = f"exact values where a table has them, elsewhere {by}"
    seat = max(table.setup.you, 0)
    if resigned >= 0 and len(table.setup.seats) == 2:
        values[-1] = Judged(-1.0 if resigned == 0 else 1.0)
        exact[-1] = False
    seen = [None if value is None else round(-value if seat else value, DIGITS) for value, _ in values]
    name = table.env.game.seat_name(seat)
    return {"by": by, "seat": name, "you": table.setup.you >= 0, "values": seen, "exact": exact, "complete": complete}
