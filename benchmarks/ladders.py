"""Writes the table of all ladders into `docs/ladders_measured.md`, and draws one of them.

python benchmarks/ladders.py
"""

from __future__ import annotations

from pathlib import Path

import parlour
from parlour.arena.setting.ladder import Ladder, read_ladders
from parlour.interfaces.registry import find
from parlour.support.signed import signed

PAGE = Path(__file__).resolve().parents[1] / "docs/ladders_measured.md"
PICTURE, DRAWN = PAGE.parent / "ladder.svg", ("royal_ur-v0", "finkel")
HEIGHT, TOP, BETWEEN, MIDDLE, WIDTH = 330, 24, 19, 60, 360
"""Of the picture, in pixels: of the scale, above it, between two names, to the scale, and of all."""
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


def drawing(ladder: Ladder) -> str:
    """A scale with a rung for each player: its interval to the left, its Elo and name to the right."""
    high, low = ladder.rungs[-1].elo, ladder.rungs[0].elo

    def place(elo: float) -> float:
        return TOP + HEIGHT * (high - elo) / (high - low)

    parts, free = [f'<path d="M{MIDDLE} {TOP}v{HEIGHT}" class="scale"/>'], 0.0
    for rung in reversed(ladder.rungs):
        y = place(rung.elo)
        free = max(y, free + BETWEEN)  # names of rungs that are close to each other stand one below the other
        reach = f"M{MIDDLE - 24} {place(rung.high):.1f}V{place(rung.low):.1f}"
        parts += [
            f'<path d="{reach}" class="reach"/>',
            f'<path d="M{MIDDLE - 8} {y:.1f}h16L{MIDDLE + 34} {free:.1f}" class="rung"/>',
            f'<text x="{MIDDLE + 90}" y="{free + 4:.1f}" text-anchor="end">{signed(rung.elo, 0)}</text>',
            f'<text x="{MIDDLE + 104}" y="{free + 4:.1f}" class="name">{rung.player}</text>',
        ]
    style = (
        "text{font:14px sans-serif;fill:#555}.name{font-family:monospace;fill:#111}"
        ".scale,.rung{fill:none;stroke:#2a7f62;stroke-width:2}.scale{stroke-width:5}.reach{stroke:#bbb;stroke-width:5}"
    )
    box = f'<rect width="{WIDTH}" height="{HEIGHT + 2 * TOP + 8}" rx="8" fill="#fff"/>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT + 2 * TOP + 8}" width="{WIDTH}">'
    return "\n".join([head, f"<style>{style}</style>", box, *parts, "</svg>"]) + "\n"


def drawn() -> str:
    """The picture of the ladder that is drawn."""
    game, variant = DRAWN
    return drawing(read_ladders(find(game))[variant])


if __name__ == "__main__":
    PICTURE.write_text(drawn(), encoding="utf-8")
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
