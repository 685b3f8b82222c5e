"""Pictures of games, drawn by a process of its own with plain Python rules: in seconds, without compiling any."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache, lru_cache
from threading import Lock

from parlour.engine.game import Game
from parlour.interfaces.aec import GameEnv
from parlour.interfaces.registry import find, games, register
from parlour.players.people.rule_texts import lessons
from parlour.support.uncompiled import run_uncompiled

MAX_SECONDS = 120.0
MAX_LESSONS = 32
"""How many variants' lessons are held in memory."""
_drawing = Lock()
"""Held while pictures are drawn, so that those who ask meanwhile wait for the same ones."""


def board(game: Game) -> str:
    """The board at the start of a game, as SVG. All boards are drawn at once, the first time."""
    packages = tuple(find(name).package for name in games())
    with _drawing:
        return _boards(packages)[game.package]


@cache
def _boards(packages: tuple[str, ...]) -> dict[str, str]:
    return dict(zip(packages, _drawn("boards", packages)))


def pictured_lessons(game: Game, variant: str) -> list[tuple[str, str]]:
    """The lessons of a variant: each text, and its picture as SVG."""
    with _drawing:
        return _lessons(game, variant)


@lru_cache(maxsize=MAX_LESSONS)
def _lessons(game: Game, variant: str) -> list[tuple[str, str]]:
    flat = _drawn("lessons", (game.package, variant))
    return list(zip(flat[::2], flat[1::2]))


def _drawn(what: str, words: Sequence[str]) -> list[str]:
    """What a child process prints. RuntimeError with its last line if it fails."""
    printed, problem = run_uncompiled(__name__, what, *words, seconds=MAX_SECONDS)
    if problem:
        raise RuntimeError(f"the {what} can't be drawn: {problem}")
    pictures: list[str] = json.loads(printed)
    return pictures


def _start(package: str) -> str:
    env = GameEnv(register(package), None, {}, None, "raise")
    env.reset(seed=0)
    return env.svg()


def main(what: str, *words: str) -> None:
    """What the child process runs: prints the pictures as JSON."""
    if what == "boards":
        shown = list(map(_start, words))
    else:
        package, variant = words
        shown = [part for text, env in lessons(register(package), variant) for part in (text, env.svg())]
    print(json.dumps(shown))
