"""GNU Backgammon (``apt-get install gnubg``) as a program beside this one: its moves, and its equities of positions."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Any

import peers  # noqa: F401  with which the helpers of the tests can be imported

from parlour.interfaces.aec import GameEnv
from parlour.players import Player
from tests.support.backgammon_turns import Position

SERVICE = Path(__file__).with_name("gnubg_service.py")
STEP = re.compile(r"(bar|\d+)((?:/(?:off|\d+)\*?)+)(?:\((\d)\))?")
BAR, OFF = 25, 0


def command(script: Path) -> list[str]:
    """What runs a script of GNU Backgammon's Python. FileNotFoundError if the program is not installed."""
    program = shutil.which("gnubg", path=f"{os.environ.get('PATH', '')}:/usr/games")
    if program is None:
        raise FileNotFoundError("GNU Backgammon is not installed: no program gnubg; on Debian, apt-get install gnubg")
    Path.home().joinpath(".gnubg").mkdir(exist_ok=True)  # several that start at once would each make it, and fail
    return [program, "-t", "-q", "-p", str(script)]


class Gnubg:
    """A running GNU Backgammon. Its network and bear-off tables are those of the installed package."""

    def __init__(self) -> None:
        """FileNotFoundError if the program is not installed."""
        (asks, self._asks), (self._says, says) = os.pipe(), os.pipe()
        self._program = subprocess.Popen(
            command(SERVICE), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            pass_fds=(asks, says), env={**os.environ, "GNUBG_ASKS": str(asks), "GNUBG_SAYS": str(says)},
        )  # fmt: skip
        os.close(asks)
        os.close(says)
        self._out, self._in = os.fdopen(self._asks, "w"), os.fdopen(self._says)

    def __enter__(self) -> Gnubg:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._out.close()
        self._program.wait(10)
        self._in.close()

    def _ask(self, requests: list[dict[str, Any]]) -> list[Any]:
        """The answers, in one exchange: on a busy machine each takes long."""
        self._out.write(json.dumps(requests) + "\n")
        self._out.flush()
        answers = self._in.readline()
        if not answers:
            raise RuntimeError(f"GNU Backgammon ended at {requests}")
        return list(json.loads(answers))

    def best(self, position: Position, dice: tuple[int, int], plies: int) -> Position:
        """The position after the move that it likes best, seen by the same seat."""
        return self.best_of_each(position, [dice], plies)[0]

    def best_of_each(self, position: Position, throws: list[tuple[int, int]], plies: int = 0) -> list[Position]:
        """`best` for each of the ``throws``."""
        moves = self._ask([request("best", position, dice, plies) for dice in throws])
        return [moved(position, list(zip(steps[::2], steps[1::2]))) for steps in moves]

    def equities(self, positions: list[Position], plies: int = 0) -> list[float]:
        """Of the seat that sees a position, and whose throw is due there."""
        return [float(equity) for equity in self._ask([request("equity", each, plies=plies) for each in positions])]

    def after_turn(self, position: Position, dice: tuple[int, int]) -> set[Position]:
        """The position after each of its legal moves, seen by the same seat."""
        (moves,) = self._ask([request("moves", position, dice)])
        return {moved(position, steps_of(move)) for move in moves} or {position}


def request(what: str, position: Position, dice: tuple[int, int] = (1, 1), plies: int = 0) -> dict[str, Any]:
    """What `gnubg_service.py` answers."""
    seat, other = board_of(position)
    return {"ask": what, "board": [other, seat], "dice": dice, "plies": plies}


def board_of(position: Position) -> tuple[list[int], list[int]]:
    """Of either seat the men on its points 1 to 24, then on the bar."""
    halves = position[:25], position[25:]
    return [*halves[0][:0:-1], halves[0][0]], [*halves[1][:0:-1], halves[1][0]]


def swapped(position: Position) -> Position:
    """As the other seat sees it."""
    return (*position[25:], *position[:25])


def steps_of(move: str) -> list[tuple[int, int]]:
    """``bar/22/18* 6/5(2)``: from and to of every step, 25 for the bar, 0 for off."""
    steps: list[tuple[int, int]] = []
    for start, way, times in STEP.findall(move):
        points = [BAR if start == "bar" else int(start)]
        points += [OFF if stop == "off" else int(stop) for stop in way.replace("*", "").split("/")[1:]]
        steps += list(pairwise(points)) * int(times or 1)
    return steps


def moved(position: Position, steps: list[tuple[int, int]]) -> Position:
    """The position after these steps of the seat that sees it. Two steps of one man may be one, ``13/7`` for
    ``13/9/7``, where he hits nobody between."""
    men = list(position)
    for start, stop in steps:
        men[BAR - start] -= 1
        if stop <= OFF:
            continue
        men[BAR - stop] += 1
        opposite = 25 + stop  # the other seat's step on that point, after its bar
        if men[opposite]:
            men[opposite], men[25] = 0, men[25] + 1
    return tuple(men)


def play_turn(env: GameEnv, player: Player) -> None:
    """Plays the plies of one turn, or those up to the end of the game."""
    turn_over = False
    while not turn_over:
        env.step(env.ask(player))
        turn_over = env.is_over() or bool(env.games.states["turn_over"][0])
