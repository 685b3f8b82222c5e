"""Pictures of games, drawn by a process of its own with plain Python rules: in seconds, without compiling any."""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from functools import cache, lru_cache
from subprocess import TimeoutExpired
from threading import Lock

from parlour.engine.game import Game, load_game
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
    """The board at the start of a game, as SVG; empty if it can't be drawn. The boards of Parlour's games are drawn at
    once, the first time; that of any other by itself, so that its mistakes are its own."""
    shipped = tuple(package for name in games() if (package := find(name).package).startswith("parlour.envs."))
    packages = shipped if game.package in shipped else (game.package,)
    with _drawing:
        return _boards(packages).get(game.package, "")


@cache
def _boards(packages: tuple[str, ...]) -> dict[str, str]:
    return dict(zip(packages, _drawn("boards", *packages)))


def pictured_lessons(game: Game, variant: str) -> list[tuple[str, str]]:
    """The lessons of a variant: each text, and its picture as SVG; none if they can't be drawn."""
    with _drawing:
        return _lessons(game, variant)


@lru_cache(maxsize=MAX_LESSONS)
def _lessons(game: Game, variant: str) -> list[tuple[str, str]]:
    flat = _drawn("lessons", game.package, variant)
    return list(zip(flat[::2], flat[1::2]))


def _drawn(what: str, package: str, *words: str) -> list[str]:
    """What a child process prints. If it fails, nothing, and the terminal says why in one line."""
    try:
        printed, problem = run_uncompiled(__name__, what, package, *words, seconds=MAX_SECONDS)
    except TimeoutExpired:
        printed, problem = "", f"no end within {MAX_SECONDS:.0f} seconds"
    if problem:
        print(f"parlour: the {what} of {package} can't be drawn: {problem}", file=sys.stderr)
        return []
    pictures: list[str] = json.loads(printed)
    return pictures


def _start(package: str) -> str:
    env = GameEnv(register(package), None, {}, None, "raise")
    env.reset(seed=0)
    return env.svg()


def _pictures(what: str, package: str, *words: str) -> list[str]:
    if what == "boards":
        return list(map(_start, (package, *words)))
    return [part for text, env in lessons(register(package), *words) for part in (text, env.svg())]


def main(what: str, package: str, *words: str) -> None:
    """What the child process runs: prints the pictures as JSON, or ends with what is wrong in the game's files."""
    try:
        with redirect_stdout(sys.stderr):  # where an author's own files print
            pictures = _pictures(what, package, *words)
    except Exception as error:  # any exception of the game's own code
        from parlour.interfaces.mistakes import mistake_in  # only here: it imports the compiler

        if mistake := mistake_in(load_game(package), error):
            sys.exit(" ".join(mistake.split()))
        raise
    print(json.dumps(pictures))
