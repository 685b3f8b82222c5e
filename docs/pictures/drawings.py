"""Draws how a batch is laid out, for the page on training, and how a study is played, for the page on comparisons.

python docs/pictures/drawings.py
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

DOCS = Path(__file__).parents[1]
STYLE = (
    "text{font:14px sans-serif;fill:#333}.small{font-size:12px;fill:#666}.code{font-family:monospace;fill:#111}"
    ".box{fill:#eef5f2;stroke:#2a7f62;stroke-width:1.5}.plane{fill:#fff;stroke:#2a7f62}.on{fill:#2a7f62}.off{fill:#dde3e0}"
    ".line{fill:none;stroke:#2a7f62;stroke-width:2}.bar{fill:#2a7f62}"
)


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "middle") -> str:
    """A line of words at a place."""
    return f'<text x="{x:g}" y="{y:g}" class="{kind}" text-anchor="{anchor}">{words}</text>'


def rectangle(x: float, y: float, width: float, height: float, kind: str) -> str:
    """A rectangle with its corner at a place."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="2" class="{kind}"/>'


def arrow(x: float, y: float, length: float) -> str:
    """An arrow to the right."""
    return f'<path d="M{x:g} {y:g}h{length:g}m-6 -5l6 5l-6 5" class="line"/>'


def svg(width: int, height: int, parts: Sequence[str]) -> str:
    """The whole picture, on white."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}">'
    paper = f'<rect width="{width}" height="{height}" fill="#fff"/>'
    return "\n".join([head, f"<style>{STYLE}</style>", paper, *parts, "</svg>"]) + "\n"


def batch() -> str:
    """Rows of games: the planes of each, its mask of actions, whose turn it is."""
    top, row, games = 64, 58, ("game 0", "game 1", "game N − 1")
    parts = [
        text(185, 24, "observation", "code"), text(185, 42, "int8 (N, C, H, W)", "small"),
        text(405, 24, "action_mask", "code"), text(405, 42, "int8 (N, A)", "small"),
        text(575, 24, "to_act", "code"), text(575, 42, "int8 (N,)", "small"),
    ]  # fmt: skip
    for k, name in enumerate(games):
        y = top + k * row + (16 if k == 2 else 0)
        parts += [rectangle(90, y - 6, 530, 50, "box"), text(80, y + 24, name, anchor="end")]
        for plane in range(5):
            left, high = 112 + plane * 30, y + 6
            parts.append(rectangle(left, high, 26, 26, "plane"))
            for cell in range(9):
                kind = "on" if (cell * 7 + plane * 3 + k * 5) % 8 == 0 else "off"
                parts.append(rectangle(left + 2 + 8 * (cell % 3), high + 2 + 8 * (cell // 3), 6, 6, kind))
        for action in range(12):
            kind = "on" if (action * 5 + k * 3) % 7 < 2 else "off"
            parts.append(rectangle(318 + action * 15, y + 12, 12, 12, kind))
        parts.append(text(575, y + 25, str(k % 2), "code"))
    parts.append(text(355, top + 2 * row + 4, "⋮"))
    bottom = top + 3 * row + 26
    parts.append(text(112, bottom, "C planes, seen by the seat to act", "small", "start"))
    parts.append(text(318, bottom, "the A actions: legal or not", "small", "start"))
    parts.append(text(575, bottom, "the seat", "small"))
    parts.append(
        text(355, bottom + 26, "actions (N,) step all N games at once; T steps are a rollout: arrays (T, N, …)")
    )
    return svg(640, bottom + 42, parts)


def study() -> str:
    """From rulesets and groups of players to games, measures, tests and findings."""
    boxes = (
        ("games", "each ruleset ×", "each group"), ("measures", "decided, fair,", "length, skill …"),
        ("tests", "every difference,", "corrected together"), ("findings", "sentences that", "the tests allow"),
    )  # fmt: skip
    parts = []
    for k, (name, rows) in enumerate(
        (("rulesets", ("classic", "bloody_queen")), ("groups", ("even: mcts:200", "skill: 50 – 500")))
    ):
        y = 16 + k * 96
        parts += [rectangle(16, y, 150, 78, "box"), text(91, y + 22, name)]
        parts += [text(91, y + 44 + 20 * j, line, "small code") for j, line in enumerate(rows)]
    parts.append(text(91, 108, "×"))
    parts.append('<path d="M166 55h20v48M166 151h20v-48M186 103h24m-6 -5l6 5l-6 5" class="line"/>')
    for k, (name, first, second) in enumerate(boxes):
        x = 210 + k * 160
        parts += [rectangle(x, 64, 130, 78, "box"), text(x + 65, 88, name)]
        parts += [text(x + 65, 108, first, "small"), text(x + 65, 126, second, "small")]
        parts += [arrow(x + 130, 103, 30)] if k < len(boxes) - 1 else []
    return svg(836, 206, parts)


if __name__ == "__main__":
    for name, picture in (("batch", batch()), ("study", study())):
        (DOCS / f"{name}.svg").write_text(picture, encoding="utf-8")
