"""A small comparison of Swords and Shields, which several test files read."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from parlour.arena.runs.journal import JOURNAL

SWORDS = "swords_and_shields"
PLAYERS = ("--players", "random", "--skill", "random,greedy")
ASK = ("compare", SWORDS, "--variants", "milton_bradley,corner_escape", *PLAYERS)
GAMES = 40
SMALL = (*ASK, "--games", GAMES, "--seed", 4, "--threads", 2)


def read_csv(file: Path) -> list[dict[str, str]]:
    with file.open(newline="") as lines:
        return list(csv.DictReader(lines))


def journal(folder: Path) -> dict[tuple[str, int], dict[str, Any]]:
    """The games, by series and place there."""
    games = [json.loads(line) for line in (folder / JOURNAL).read_text().splitlines()]
    return {(game["series"], game["index"]): game for game in games}
