"""The web application: routes and their handlers."""

from __future__ import annotations

import json
import re
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from parlour.engine.game import Game
from parlour.people.choosing import Choosing
from parlour.records import GameRecord, parse_records
from parlour.registry import find, games
from parlour.replays.page import replay_page
from parlour.serve import pages
from parlour.serve.library import count_games, parse_upload, records_of
from parlour.serve.security import Guarded
from parlour.serve.sessions import GAME_CHANGED, Session
from parlour.serve.settings import (
    MAX_BODY,
    MAX_RECORDS,
    MAX_SESSIONS_IN_MEMORY,
    MAX_STREAMS,
    Settings,
)
from parlour.serve.setup import Setup, read_setup
from parlour.serve.store import Store
from parlour.serve.workers import Workers

STATIC = {
    "app.css": "text/css",
    "app.js": "text/javascript",
    "htmx.min.js": "text/javascript",
    "htmx-sse.min.js": "text/javascript",
    "LICENSE-htmx.md": "text/plain",
}
GAME_ID = re.compile(r"[A-Za-z0-9_-]{8,32}")
MAX_CLICKS, MAX_WORD = 8, 80
HEARTBEAT = 15.0
"""Seconds of silence after which an event stream sends a comment, so that the connection stays open."""
PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; frame-ancestors 'none'"
"""The content security policy of replay pages, which contain their script and load nothing."""
ACTIONS = ("undo", "hint", "step", "run", "stop")
LATEST = 30


class Server:
    """What all pages share: the sessions in memory, the store, and the threads in which players choose."""

    def __init__(self, settings: Settings) -> None:
        """Opens the store. OSError or sqlite3.Error if that fails."""
        self.settings, self.store = settings, Store(settings.database)
        self.workers = Workers()
        self.sessions: OrderedDict[str, Session] = OrderedDict()
        self.static = {name: (files("parlour.serve") / "static" / name).read_bytes() for name in STATIC}

    def save(self, session: Session) -> None:
        """Saves a session's game. The caller holds the session's guard, so that states are saved in order."""
        self.store.save(session.name, session.setup.json(), session.record().line(), session.status)

    async def session(self, request: Request) -> Session:
        """The session that a request's address names. HTTPException 404 if there is none."""
        name = request.path_params["name"]
        if name in self.sessions:
            self.sessions.move_to_end(name)
            return self.sessions[name]
        stored = await self.workers.run(self.store.load, name) if GAME_ID.fullmatch(name) else None
        if stored is None:
            raise HTTPException(404, "There is no such game.")
        record = parse_records(stored.record, "the stored game", ".jsonl")[0]
        session = await self.open(name, Setup.from_json(stored.setup), record)
        return self.sessions.setdefault(name, session)

    async def open(self, name: str, setup: Setup, record: GameRecord | None) -> Session:
        """A new session. ``record``: moves to play, or None. It is made in a thread, since compiling rules takes
        time."""

        def make() -> Session:
            session = Session(name, setup, self.settings, self.workers, self.save)
            if record is not None:
                session.replay(record)
            return session

        session = await self.workers.run(make)
        for other in list(self.sessions):
            if len(self.sessions) < MAX_SESSIONS_IN_MEMORY:
                break
            if not self.sessions[other].busy:
                del self.sessions[other]
        return session

    # --- pages ---

    async def home(self, request: Request) -> Response:
        """The start page: all games, and games in progress."""
        latest = await self.workers.run(self.store.latest, LATEST)
        return pages.page(
            "home.html",
            games=[find(game) for game in games()],
            latest=latest,
            settings=self.settings,
            max_records=MAX_RECORDS,
        )

    async def new(self, request: Request) -> Response:
        """The form for a new game."""
        return pages.setup_page(_game(request), self.settings, dict(request.query_params), "")

    async def create(self, request: Request) -> Response:
        """Makes a new game from the form; if that fails, shows the form again with an error message."""
        game = _game(request)
        form = {name: value for name, value in (await request.form(max_files=0)).items() if isinstance(value, str)}
        try:
            setup = await self.workers.run(read_setup, game, form, self.settings)
            name = secrets.token_urlsafe(9)
            session = await self.open(name, setup, None)
        except ValueError as error:
            return pages.setup_page(game, self.settings, form, str(error), 422)
        await self.workers.run(self.save, session)
        self.sessions[name] = session
        await session.let_players_act()
        return RedirectResponse(f"/games/{name}", 303)

    async def game(self, request: Request) -> Response:
        """The page of a game."""
        session = await self.session(request)
        await session.let_players_act()
        return await self.workers.run(pages.game_page, session)

    async def table(self, request: Request) -> Response:
        """The part of a game's page that changes, in its current state."""
        return await self._table(await self.session(request))

    async def click(self, request: Request) -> Response:
        """Handles a person's clicks."""
        session = await self.session(request)
        form = await request.form(max_files=0)
        ply = str(form.get("ply"))
        if str(form.get("version")) != str(session.version) and ply != str(len(session.moves)):
            return await self._table(session, Choosing(problem=GAME_CHANGED))
        return await self._table(session, await session.click(_clicks(form.get("clicks")), ply))

    async def move(self, request: Request) -> Response:
        """Handles a move that a person typed."""
        session = await self.session(request)
        text = str((await request.form(max_files=0)).get("move", ""))
        problem = await session.type_move(text)
        return await self._table(session, Choosing(problem=problem), text if problem else "")

    async def act(self, request: Request) -> Response:
        """Handles undo, hint, and the controls of a game without people."""
        session, action = await self.session(request), request.path_params["action"]
        if action not in ACTIONS:
            raise HTTPException(404, "There is no such page.")
        if action == "undo":
            await session.undo()
        elif action == "hint":
            await session.ask_for_hint()
        elif action == "step":
            await session.step()
        else:
            speed = str((await request.form(max_files=0)).get("speed", ""))
            await session.run(action == "run", speed)
        return await self._table(session)

    async def _table(self, session: Session, choosing: Choosing | None = None, typed: str = "") -> Response:
        """The part of a game's page that changes, made in a thread."""
        return await self.workers.run(pages.table, session, choosing, typed)

    async def events(self, request: Request) -> Response:
        """An event stream with the version of the session whenever it changes."""
        session = await self.session(request)
        if sum(each.streams for each in self.sessions.values()) >= MAX_STREAMS * (1 if self.settings.is_local else 4):
            raise HTTPException(503, "Too many pages are open.")
        return StreamingResponse(_stream(request, session), media_type="text/event-stream")

    async def delete(self, request: Request) -> Response:
        """Deletes a game."""
        session = await self.session(request)
        session.running = False
        await self.workers.run(self._forget, session)
        self.sessions.pop(session.name, None)
        return RedirectResponse("/", 303)

    def _forget(self, session: Session) -> None:
        """Deletes a game from the store. A player that is still choosing does not save it again."""
        with session.guard:
            session.kept = False
            self.store.delete(session.name)

    async def save_page(self, request: Request) -> Response:
        """The game so far as a replay page, to download."""
        session = await self.session(request)
        return await self.workers.run(lambda: _replay([session.record()], f"{session.env.game.name}.html"))

    async def save_record(self, request: Request) -> Response:
        """The game so far as a record, to download."""
        session = await self.session(request)
        name = f"{session.env.game.name}.jsonl"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        record = await self.workers.run(session.record)
        return Response(record.line() + "\n", media_type="application/json", headers=headers)

    async def rules(self, request: Request) -> Response:
        """A game's rules with their sources."""
        return await self.workers.run(pages.rules, _game(request))

    async def show_records(self, request: Request) -> Response:
        """An uploaded file of records, as a replay page."""
        form = await request.form(max_files=1, max_fields=4, max_part_size=MAX_BODY)
        upload = form.get("file")
        if isinstance(upload, UploadFile) and upload.size:
            data, name = await upload.read(), upload.filename or ""
        else:
            data, name = str(form.get("text", "")).encode(), ""
        return await self._shown(lambda: _replay(parse_upload(data, name), None))

    async def show_library(self, request: Request) -> Response:
        """Games of a file or folder that was named when the server was started, as a replay page; if there are too many
        games for one page, a list of pages."""
        number, names = request.path_params["number"], list(self.settings.records)
        if number >= len(names):
            raise HTTPException(404, "There are no such records.")
        name, first = names[number], request.path_params.get("first")
        path = self.settings.records[name]

        def make() -> Response:
            count = count_games(path)
            if first is None and count > MAX_RECORDS:
                return pages.records(name, f"/records/{number}", count)
            if first is not None and not 1 <= first <= count:
                raise HTTPException(404, "There are no such games.")
            return _replay(records_of(path, first or 1), None)

        return await self._shown(make)

    async def _shown(self, make: Callable[[], Response]) -> Response:
        """A replay page, made in a thread. ``read``: reads the records."""
        try:
            return await self.workers.run(make)
        except ValueError as error:
            return pages.problem(str(error), 422)

    async def file(self, request: Request) -> Response:
        """One of the `STATIC` files, which were read when the server was started."""
        name = request.path_params["name"]
        if name not in STATIC:
            raise HTTPException(404, "There is no such file.")
        headers = {"Cache-Control": "public, max-age=3600"}
        return Response(self.static[name], media_type=STATIC[name], headers=headers)

    def close(self) -> None:
        """Stops the threads and closes the store."""
        self.workers.close()
        self.store.close()


def make_app(settings: Settings) -> Guarded:
    """The application with its checks. OSError or sqlite3.Error if the database can't be opened."""
    server = Server(settings)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        server.close()

    game = "/games/{name}"
    routes = [
        Route("/", server.home),
        Route("/static/{name}", server.file),
        Route("/new/{game}", server.new),
        Route("/new/{game}", server.create, methods=["POST"]),
        Route("/rules/{game}", server.rules),
        Route("/records", server.show_records, methods=["POST"]),
        Route("/records/{number:int}", server.show_library),
        Route("/records/{number:int}/{first:int}", server.show_library),
        Route(game, server.game),
        Route(f"{game}/table", server.table),
        Route(f"{game}/events", server.events),
        Route(f"{game}/click", server.click, methods=["POST"]),
        Route(f"{game}/move", server.move, methods=["POST"]),
        Route(f"{game}/delete", server.delete, methods=["POST"]),
        Route(f"{game}/replay.html", server.save_page),
        Route(f"{game}/record.jsonl", server.save_record),
        Route(f"{game}/{{action}}", server.act, methods=["POST"]),
    ]
    handlers: Any = {HTTPException: _http_problem}
    return Guarded(Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan), settings)


async def _http_problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return pages.problem(error.detail, error.status_code)


def _game(request: Request) -> Game:
    """The game that a request's address names. HTTPException 404 if there is none."""
    try:
        return find(request.path_params["game"])
    except ValueError as error:
        raise HTTPException(404, str(error)[:300]) from None


def _clicks(text: object) -> list[str]:
    """The names of the clicked areas, from a JSON list of texts. HTTPException 400 for anything else."""
    try:
        clicks = json.loads(text) if isinstance(text, str) and len(text) < MAX_CLICKS * MAX_WORD else None
    except (ValueError, RecursionError):
        clicks = None
    if not isinstance(clicks, list) or len(clicks) > MAX_CLICKS or not all(isinstance(word, str) for word in clicks):
        raise HTTPException(400, "The clicks are not valid.")
    return clicks


def _replay(records: list[GameRecord], name: str | None) -> Response:
    """A replay page of games. ``name``: the file name if it is a download, or None."""
    headers = {"Content-Security-Policy": PAGE_POLICY}
    if name is not None:
        headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return HTMLResponse(replay_page(records), headers=headers)


async def _stream(request: Request, session: Session) -> AsyncIterator[str]:
    """Events with the version of a session, one immediately and one after each change."""
    session.streams += 1
    try:
        version = -1
        while not await request.is_disconnected():
            latest = await session.wait_for_change(version, HEARTBEAT)
            yield f"event: changed\ndata: {latest}\n\n" if latest != version else ": still here\n\n"
            version = latest
    finally:
        session.streams -= 1
