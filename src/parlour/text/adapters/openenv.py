"""Games in words as an OpenEnv environment (package ``openenv``): each session plays a game of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from openenv.core.env_server import create_fastapi_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, ConcurrencyConfig, EnvironmentMetadata, Observation, State
from pydantic import Field
from starlette.requests import Request
from starlette.responses import JSONResponse

from parlour.interfaces.game_record import VERSION
from parlour.interfaces.rendering import svg
from parlour.rulebook.state_records import as_record
from parlour.text.game import TextGame

NOT_BEGUN = "No game has begun: reset first. (Over HTTP each request is a session of its own; games need /ws.)"
IDLE = 300.0
"""After so many seconds without a request a session without a web socket ends."""
OVER = "The game is over: reset begins another."


class TextAction(Action):  # noqa: D101  # its docstring would be told to clients
    reply: str = Field(description="What the model says; best with a line 'Move: …'.")


class TextObservation(Observation):  # noqa: D101
    text: str = Field(description="What the model is told: what is new, the position, what to do.")
    info: dict[str, Any] = Field(default_factory=dict, description="See parlour.text.Reply.")


class OpenEnvGame(Environment):
    """One session: a `TextGame` that is made when it is first reset."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, make_game: Callable[[], TextGame], pool: ThreadPoolExecutor) -> None:
        """``pool``: the threads in which games are played."""
        super().__init__()
        self._make_game, self._pool = make_game, pool
        self._game: TextGame | None = None
        self._episode: str | None = None
        self._steps = 0

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, position: str | None = None
    ) -> TextObservation:
        """Begins a game. ValueError for a seed or position that is not valid."""
        self._game = self._game or self._make_game()
        text = self._game.reset(seed=seed, position=position)
        self._episode, self._steps = episode_id, 0
        return TextObservation(text=text, info={"to_act": self._game.to_act})

    def step(self, action: TextAction) -> TextObservation:
        """Plays a reply."""
        if self._game is None or self._game.done:
            return TextObservation(text=OVER if self._game else NOT_BEGUN, done=self._game is not None)
        self._steps += 1
        reply = self._game.step(action.reply)
        return TextObservation(text=reply.text, reward=reply.reward, done=reply.done, info=reply.info)

    async def reset_async(
        self, seed: int | None = None, episode_id: str | None = None, position: str | None = None
    ) -> TextObservation:
        """`reset` in the pool."""
        return await self._in_pool(self.reset, seed, episode_id, position)

    async def step_async(self, action: TextAction) -> TextObservation:
        """`step` in the pool."""
        return await self._in_pool(self.step, action)

    async def _in_pool(self, work: Callable[..., TextObservation], *arguments: object) -> TextObservation:
        return await asyncio.get_running_loop().run_in_executor(self._pool, work, *arguments)

    @property
    def state(self) -> State:
        """The position as text, and how many replies there have been."""
        position = self._game.position() if self._game else ""
        return State(episode_id=self._episode, step_count=self._steps, position=position)

    def get_metadata(self) -> EnvironmentMetadata:
        """What the server tells about itself."""
        return EnvironmentMetadata(name="parlour", description=f"{__doc__}", version=VERSION)

    def render_web(self, observation: dict[str, Any]) -> str | None:
        """The board as SVG."""
        if self._game is None:
            return None
        games = self._game.batch.batch.games
        return svg(games.game, as_record(games.states, 0), as_record(games.variants, 0))

    def web_actions(self, observation: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
        """A button for each legal move."""
        return [(move, {"reply": move}) for move in self._game.legal_moves()] if self._game else []


async def _bad_request(request: Request, error: Exception) -> JSONResponse:
    """Such as a position or a seed that is not valid."""
    return JSONResponse({"detail": str(error)}, 422)


def make_app(
    make_game: Callable[[], TextGame], sessions: int, pool: ThreadPoolExecutor, web: bool = False, idle: float = IDLE
) -> Any:
    """The server's application, for so many sessions; ``pool``: threads for games; ``web``: with a page at ``/web``;
    ``idle``: as `IDLE`."""
    create: Callable[..., Any] = create_fastapi_app
    if web:
        from openenv.core.env_server.web_interface import create_web_interface_app

        create = create_web_interface_app
    new_session = partial(OpenEnvGame, make_game, pool)
    limits = ConcurrencyConfig(max_concurrent_envs=sessions, session_timeout=idle)
    app = create(new_session, TextAction, TextObservation, concurrency_config=limits, env_name="parlour")
    app.add_exception_handler(ValueError, _bad_request)
    return app
