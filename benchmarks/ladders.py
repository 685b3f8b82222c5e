"""Writes the table of all ladders into `docs/strength.md`.

python benchmarks/ladders.py
"""

from __future__ import annotations

from pathlib import Path

import parlour
from parlour.arena.ladder import Ladder, read_ladders
from parlour.interfaces.registry import find
from parlour.support.signed import signed

PAGE, HEAD = Path(__file__).resolve().parents[1] / "docs/strength.md", "|---|---|---|---|---|---|---|---|---|\n"


def row(title: str, ladder: Ladder) -> str:
    """A ladder as a row of the table."""
    elo = {rung.player: signed(rung.elo, 0) for rung in ladder.rungs}
    games, best = sum(rung.games for rung in ladder.rungs) // 2, ladder.names[-1]
    cells = (
        title, f"`{ladder.variant}`", len(elo), f"{games:,}", f"{ladder.reach:.0f}", f"{ladder.intransitivity:.0f}",
        elo["random"], elo.get("champion") or elo.get("champion:4", "–"), f"`{best}` {elo[best]}",
    )  # fmt: skip
    return f"| {' | '.join(map(str, cells))} |\n"


if __name__ == "__main__":
    before, head, after = PAGE.read_text(encoding="utf-8").partition(HEAD)
    games = [find(game) for game in parlour.games()]
    rows = "".join(row(game.title, ladder) for game in games for ladder in read_ladders(game).values())
    PAGE.write_text(before + head + rows + after[after.index("\n\n") + 1 :], encoding="utf-8")
