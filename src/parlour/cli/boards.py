"""Boards and their legend on a terminal, in colours if it supports them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.table import Table as Grid
from rich.text import Text

Legend = Sequence[tuple[str, str, str]]
"""Signs, meanings, styles: see `parlour.rulebook.protocol.Guide`."""
WORD = re.compile(r"[A-Za-z]{3}")
"""What a board's rows don't have, but each line below them."""
SIGN = re.compile(r"[\[(][^\])]*[\])]|[^\s\[(]+")
"""What stands on a place, with its brackets, or beside a row."""
MARK = re.compile(r"(?<=[A-Za-z])[!?*]")
"""What a game says of a piece, behind its letter: it has no column of its own."""


def turned(board: str) -> str:
    """`Drawing.ansi`'s board as one sees it from the other side: a half turn of its rows, with each sign upright. The
    lines below stay; so does a board that has no rows."""
    lines = board.split("\n")
    count = next((number for number, line in enumerate(lines) if WORD.search(line)), len(lines))
    width = max((len(line.rstrip()) for line in lines[:count]), default=0)
    return "\n".join([*(_turned_row(row, width) for row in reversed(lines[:count])), *lines[count:]])


def _turned_row(row: str, width: int) -> str:
    text = ""
    for sign in reversed(list(SIGN.finditer(row))):
        word = sign[0]
        if word[0] in "[(":  # what fills up the place changes sides
            inner = word[1:-1]
            filling = " " * (len(inner) - len(inner.strip()))
            word = word[0] + (inner.strip() + filling if inner.startswith(" ") else filling + inner.strip()) + word[-1]
        text = text.ljust(width - sign.end() + len(MARK.findall(word))) + word
    return text


def coloured(board: str, legend: Legend) -> Text:
    """`Drawing.ansi`'s board with every sign in its style, but the last line, a sentence, and rows of coordinates."""
    text, start = Text(), 0
    styles = {sign[0]: style for sign, _, style in legend if sign[0].isalpha() and len(sign) <= 2 and style}
    *rows, status = board.split("\n")
    for row in rows:
        text.append(row + "\n")
        if not _are_coordinates(row):
            for letter, style in styles.items():
                for match in re.finditer(rf"(?<![^ (\[]){letter}[0-9]*(?=[ )\]!?*]|$)", row):
                    text.stylize(style, start + match.start(), start + match.end())
        start += len(row) + 1
    return text.append(status)


def _are_coordinates(row: str) -> bool:
    """Whether a row has only the names of columns."""
    names = row.split()
    return all(name.isalnum() for name in names) and len(set(names)) == len(names)


def legend(signs: Legend) -> list[Grid]:
    """A small table of the signs and their meanings; an empty list for a game without signs."""
    if not signs:
        return []
    grid = Grid(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column()
    for sign, meaning, style in signs:
        grid.add_row(Text(sign, style), meaning)
    return [grid]
