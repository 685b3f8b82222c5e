"""Writes the table of all ladders into `docs/strength.md`.

python benchmarks/ladders.py
"""

from __future__ import annotations

from pathlib import Path

import parlour
from parlour.arena.setting.ladder import Ladder, read_ladders
from parlour.interfaces.registry import find
from parlour.support.signed import signed

PAGE = Path(__file__).resolve().parents[1] / "docs/strength.md"
HEAD = "| game | variant | rungs | games | ± Elo | departs | strongest rung |\n|---|---|---|---|---|---|---|\n"


def row(title: str, ladder: Ladder) -> str:
    """A ladder as a row of the table."""
    games, best = sum(rung.games for rung in ladder.rungs) // 2, ladder.rungs[-1]
    cells = (
        title, f"`{ladder.variant}`", len(ladder.rungs), f"{games:,}", f"{ladder.reach:.0f}",
        f"{ladder.intransitivity:.0f}", f"`{best.player}` {signed(best.elo, 0)}",
    )  # fmt: skip
    return f"| {' | '.join(map(str, cells))} |\n"


def renewed(page: str) -> str:
    """The page with the ladders as they are now."""
    before, head, after = page.partition(HEAD)
    games = [find(game) for game in parlour.games()]
    rows = "".join(row(game.title, ladder) for game in games for ladder in read_ladders(game).values())
    return before + head + rows + after[after.index("\n\n") + 1 :]


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
