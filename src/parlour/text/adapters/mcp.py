"""Games in words as a server of the Model Context Protocol (package ``mcp``), over standard input and output.

A client names a game and its settings when it begins one, and gets the number of the game; the last games are kept.
"""

from __future__ import annotations

import functools
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from parlour.interfaces.game_record import VERSION
from parlour.interfaces.registry import find, games
from parlour.players import Player
from parlour.players.people.advice import advise, adviser
from parlour.players.people.rule_texts import sheet
from parlour.text.game import TextGame
from parlour.text.messages import ASK

MAX_GAMES = 100
Function = TypeVar("Function", bound=Callable[..., Any])


class Desk:
    """The tools. Each refusal is told in words, and changes nothing."""

    def __init__(self, find_opponent: Callable[[str, str], Player]) -> None:
        """``find_opponent``: from a game and a name to the player; ValueError for one that clients may not have."""
        self._find_opponent = find_opponent
        self._games: OrderedDict[int, TextGame] = OrderedDict()
        self._begun = 0

    def list_games(self) -> list[str]:
        """The ids of all games, with their variants."""
        return [f"{name}: {', '.join(variant.name for variant in find(name).variants)}" for name in games()]

    def rules(self, game: str, variant: str | None = None, options: dict[str, Any] | None = None) -> str:
        """The rules of a game in words, under a variant and option values."""
        known = find(game)
        return sheet(known, known.resolve(variant, options or {})[1], False)

    def new_game(
        self,
        game: str,
        variant: str | None = None,
        opponent: str = "greedy",
        seat: str = "random",
        seed: int | None = None,
        options: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Begins a game; seat: a name such as Light, a number, or random. The answer has the number of the game, its
        rules, the board and the legal moves."""
        find(game).resolve(variant, options or {})  # refuses anything but options of the game
        player, place = self._find_opponent(game, opponent), int(seat) if seat.isdecimal() else seat
        begun = TextGame(game, variant=variant, opponent=player, seat=place, illegal="penalty:0", **(options or {}))
        text = begun.reset(seed=seed)
        self._begun += 1
        self._games[self._begun] = begun
        while len(self._games) > MAX_GAMES:
            self._games.popitem(last=False)
        return {"number": self._begun, "text": text.replace(ASK, "Call play with your move.")}

    def legal_moves(self, number: int) -> list[str]:
        """The legal moves of a game; none after its end."""
        return self._find(number).legal_moves()

    def play(self, number: int, move: str) -> dict[str, Any]:
        """Plays a move, and what the opponent answers. An illegal move changes nothing; the text says why."""
        game = self._find(number)
        if game.done:
            raise ValueError(f"game {number} is over")
        reply = game.step(move)
        text = reply.text.replace(ASK, "Call play with your move.")
        return {"text": text, "move": reply.info["move"], "done": reply.done, "result": reply.info["result"]}

    def hint(self, number: int) -> str:
        """What a strong player would do, and what the seat to act can expect."""
        env = self._find(number).batch.at_desk(0)
        if env.is_over():
            raise ValueError(f"game {number} is over")
        thought = advise(env, adviser(env, ()))
        return f"{thought.moves[0][0]}. {thought.why}" if thought and thought.moves else "No player can say."

    def replay(self, number: int) -> str:
        """The game so far as a record: a line of JSON that `parlour replay` shows."""
        return self._find(number).batch.record(0).line()

    def _find(self, number: int) -> TextGame:
        if number not in self._games:
            raise ValueError(f"there is no game {number}; games: {', '.join(map(str, self._games)) or 'none yet'}")
        return self._games[number]


def make_server(find_opponent: Callable[[str, str], Player]) -> MCPServer[Any]:
    """The server; its `run` answers until its input ends. ``find_opponent``: see `Desk`."""
    desk, lock = Desk(find_opponent), threading.Lock()
    server = MCPServer("parlour", version=VERSION, log_level="ERROR")
    for tool in (desk.list_games, desk.rules, desk.new_game, desk.legal_moves, desk.play, desk.hint, desk.replay):
        server.tool()(_refusing(tool, lock))
    return server


def _refusing(tool: Function, lock: threading.Lock) -> Function:
    """The tool, one call at a time since it is called in threads, with ValueError as a refusal to the client."""

    @functools.wraps(tool)
    def called(*arguments: Any, **named: Any) -> Any:
        try:
            with lock:
                return tool(*arguments, **named)
        except ValueError as error:
            raise ToolError(str(error)) from None

    return called  # type: ignore[return-value]
