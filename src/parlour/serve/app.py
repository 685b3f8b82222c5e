"""The web application: routes and their handlers."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any
from weakref import WeakValueDictionary

from starlette.applications import Starlette
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from parlour.engine.game import Game
from parlour.interfaces.registry import find, games
from parlour.players.people.choosing import Choosing
from parlour.records.files import parse_records
from parlour.records.page import replay_page
from parlour.serve import pages
from parlour.serve.drawn import board
from parlour.serve.judging import judged
from parlour.serve.library import count_games, parse_upload, records_of
from parlour.serve.plies import shown_ply
from parlour.serve.security import Guarded
from parlour.serve.sessions import Session
from parlour.serve.settings import MAX_BODY, MAX_RECORDS, MAX_SESSIONS_IN_MEMORY, MAX_STREAMS, Settings
from parlour.serve.setup import Setup, read_setup
from parlour.serve.store import Store, Stored
from parlour.serve.table import GAME_CHANGED, NotSaved, Table
from parlour.serve.workers import Busy, ThreadPools

FOR_AN_HOUR = {"Cache-Control": "public, max-age=3600"}
STATIC = {
    "app.css": "text/css",
    "app.js": "text/javascript",
    "htmx.min.js": "text/javascript",
    "htmx-sse.min.js": "text/javascript",
    "LICENSE-htmx.md": "text/plain",
}
SVG = "image/svg+xml"
MAX_CLICKS, MAX_WORD = 8, 80
"""How many areas a request may have clicked, and the characters of each on average."""
HEARTBEAT = 15.0
"""Seconds of silence after which an event stream sends a comment, so that the connection stays open."""
PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; frame-ancestors 'none'"
"""The content security policy of replay pages, which contain their script and load nothing."""
LATEST = 30
"""How many stored games the start page shows."""


class Unloadable(Exception):
    """A stored game can't be played on; the message says why."""

    def __init__(self, stored: Stored, reason: str) -> None:
        super().__init__(reason)
        self.stored = stored


class Server:
    """What all pages share: the sessions in memory, the store, and the threads in which players choose; the handlers.

    Attributes:
        live: every session that anything holds. So no game has two sessions, which would save over each other.
        latest: those used last, which are held although nothing else may hold them.
        streams: how many event streams are open.
        root: the path before all addresses.
    """

    def __init__(self, settings: Settings) -> None:
        """Opens the store. OSError or sqlite3.Error if that fails."""
        self.settings, self.store, self.root = settings, Store(settings.database), settings.root_path
        self.workers = ThreadPools()
        self.live: WeakValueDictionary[str, Session] = WeakValueDictionary()
        self.latest: OrderedDict[str, Session] = OrderedDict()
        self.streams = 0
        self.static = {name: (files("parlour.serve") / "static" / name).read_bytes() for name in STATIC}

    async def session(self, request: Request) -> Session:
        """The session of a request's address. HTTPException 404 without one; `Unloadable` if it can't be played on."""
        name = request.path_params["name"]
        session = self.live.get(name)
        if session is not None and not session.table.is_saved:  # another server has deleted it
            self.drop(name)
            session = None
        if session is None:
            loaded = await self.workers.run(self._load, await self.stored(name))
            session = self.live.setdefault(name, loaded)  # another request may have loaded it meanwhile
        self.hold(session)
        return session

    async def stored(self, name: str) -> Stored:
        """The stored game with an id. HTTPException 404 if there is none."""
        stored = await self.workers.run(self.store.load, name)
        if stored is None:
            raise HTTPException(404, "There is no such game.")
        return stored

    def _load(self, stored: Stored) -> Session:
        try:
            table = Table(stored.id, Setup.from_json(stored.setup), self.settings, self.store)
            table.load(stored)
        except Exception as error:  # also any exception of a game or a player that is not from this package
            reason = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
            raise Unloadable(stored, f"This game can't be continued: {reason}") from error
        return Session(table, self.workers)

    def hold(self, session: Session) -> None:
        """Keeps a session in memory, as the one used last."""
        name = session.table.name
        self.live[name] = self.latest[name] = session
        self.latest.move_to_end(name)
        while len(self.latest) > MAX_SESSIONS_IN_MEMORY:
            self.latest.popitem(last=False)

    def drop(self, name: str) -> None:
        """Forgets a session."""
        self.live.pop(name, None)
        self.latest.pop(name, None)

    # --- pages ---

    async def home(self, request: Request) -> Response:
        """The start page: all games, and games in progress."""
        latest = await self.workers.run(self.store.latest, LATEST)
        return pages.page(
            "home.html",
            self.root,
            games=[find(game) for game in games()],
            playing=[stored for stored in latest if not pages.is_finished(stored)],
            finished=[stored for stored in latest if pages.is_finished(stored)],
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
            session = await self.workers.run(self._create, game, form)
        except ValueError as error:
            return pages.setup_page(game, self.settings, form, str(error), 422)
        except NotSaved as error:
            return pages.setup_page(game, self.settings, form, str(error), 503)
        self.hold(session)
        await session.let_players_act()
        return RedirectResponse(f"{self.root}/games/{session.table.name}", 303)

    def _create(self, game: Game, form: dict[str, str]) -> Session:
        table = Table(secrets.token_urlsafe(9), read_setup(game, form, self.settings), self.settings, self.store)
        table.save()
        return Session(table, self.workers)

    async def game(self, request: Request) -> Response:
        """The page of a game."""
        session = await self.session(request)
        await session.let_players_act()
        return await self.workers.run(pages.game_page, session)

    async def table(self, request: Request) -> Response:
        """The part of a game's page that changes, in its current state."""
        return await self._table(await self.session(request), Choosing())

    async def ply(self, request: Request) -> Response:
        """An earlier position, or the ply that led to it, for the script of the page."""
        session = await self.session(request)
        shown = await self.workers.run(shown_ply, session.table, request.path_params["ply"])
        if shown is None:
            raise HTTPException(404, "There is no such ply.")
        return JSONResponse(shown)

    async def values(self, request: Request) -> Response:
        """How the game stands after each ply, for the page's script."""
        return JSONResponse(await self.workers.think(judged, await self.session(request)))

    async def click(self, request: Request) -> Response:
        """Handles a person's clicks."""
        session = await self.session(request)
        form = await request.form(max_files=0)
        ply = str(form.get("ply"))
        if str(form.get("version")) != str(session.version) and ply != str(len(session.table.moves)):
            return await self._table(session, Choosing(problem=GAME_CHANGED))
        return await self._table(session, await session.click(_clicks(form.get("clicks")), ply))

    async def move(self, request: Request) -> Response:
        """Handles a move that a person typed."""
        session = await self.session(request)
        text = str((await request.form(max_files=0)).get("move", ""))
        problem = await session.type_move(text)
        return await self._table(session, Choosing(problem=problem), text if problem else "")

    async def act(self, request: Request) -> Response:
        """Handles undo, hint, resigning, and the controls of a game without people."""
        session, action = await self.session(request), request.path_params["action"]
        acts = {"undo": session.undo, "hint": session.ask_for_hint, "resign": session.resign, "step": session.step}
        if action in acts:
            return await self._table(session, Choosing(problem=await acts[action]()))
        if action not in ("run", "stop"):
            raise HTTPException(404, "There is no such page.")
        await session.run(action == "run", str((await request.form(max_files=0)).get("speed", "")))
        return await self._table(session, Choosing())

    async def _table(self, session: Session, choosing: Choosing, typed: str = "") -> Response:
        """The part of a game's page that changes, made in a thread."""
        return await self.workers.run(pages.table, session, choosing, typed)

    async def events(self, request: Request) -> Response:
        """An event stream with the version of the session whenever it changes."""
        session = await self.session(request)
        if self.streams >= MAX_STREAMS * (1 if self.settings.is_local else 4):
            raise HTTPException(503, "Too many pages are open.")
        return EventStream(self, session, request)

    async def delete(self, request: Request) -> Response:
        """Deletes a game, also one that can't be loaded."""
        name = request.path_params["name"]
        if not await self.workers.run(self._delete, name, self.live.get(name)):
            raise HTTPException(404, "There is no such game.")
        self.drop(name)
        return RedirectResponse(f"{self.root}/", 303)

    def _delete(self, name: str, session: Session | None) -> bool:
        """Deletes a game from the store. A player that is still choosing does not save it again."""
        if session is None:
            return self.store.delete(name)
        with session.table.guard:
            deleted = self.store.delete(name)
            session.table.is_saved = session.running = False
        return deleted

    async def save_page(self, request: Request) -> Response:
        """The game so far as a replay page, to download."""
        stored = await self.stored(request.path_params["name"])

        def make() -> Response:
            record = parse_records(stored.record, "the stored game", ".jsonl")[0]
            return _page(replay_page([record]), f"{_name_of(stored)}.html")

        return await self._shown(make)

    async def save_record(self, request: Request) -> Response:
        """The game so far as a record, to download."""
        stored = await self.stored(request.path_params["name"])
        headers = {"Content-Disposition": f'attachment; filename="{_name_of(stored)}.jsonl"'}
        return Response(stored.record + "\n", media_type="application/json", headers=headers)

    async def rules(self, request: Request) -> Response:
        """A game's rules with their sources."""
        return await self.workers.run(pages.rules, _game(request), self.root)

    async def board(self, request: Request) -> Response:
        """A picture of a game's board at the start."""
        picture = await self.workers.run(board, _game(request))
        if not picture:
            raise HTTPException(404, "There is no such picture.")
        return Response(picture, media_type=SVG, headers=FOR_AN_HOUR)

    async def thumbnail(self, request: Request) -> Response:
        """The board of a stored game, for the first page."""
        session = await self.session(request)
        return Response(await self.workers.run(session.table.picture), media_type=SVG)

    async def how(self, request: Request) -> Response:
        """How a game is played, in a few pictures."""
        game, variant = _game(request), request.query_params.get("variant")
        return await self.workers.run(pages.how, game, _variant(game, variant), self.root)

    async def lesson(self, request: Request) -> Response:
        """One of the pictures of `how`."""
        game = _game(request)
        variant, number = _variant(game, request.path_params["variant"]), request.path_params["number"]
        picture = await self.workers.run(pages.lesson, game, variant, number)
        if picture is None:
            raise HTTPException(404, "There is no such picture.")
        return Response(picture, media_type=SVG, headers=FOR_AN_HOUR)

    async def show_records(self, request: Request) -> Response:
        """An uploaded file of records, as a replay page."""
        form = await request.form(max_files=1, max_fields=4, max_part_size=MAX_BODY)
        upload = form.get("file")
        if isinstance(upload, UploadFile) and upload.size:
            data, name = await upload.read(), upload.filename or ""
        else:
            data, name = str(form.get("text", "")).encode(), ""
        return await self._shown(lambda: _page(replay_page(*parse_upload(data, name))))

    async def show_library(self, request: Request) -> Response:
        """Games of a named file or folder as a replay page; if they are too many for one page, a list of pages."""
        number, first, named = request.path_params["number"], request.path_params.get("first"), self.settings.records
        if number >= len(named):
            raise HTTPException(404, "There are no such records.")
        name, path = list(named.items())[number]

        def make() -> Response:
            count = count_games(path)
            if first is None and count > MAX_RECORDS:
                return pages.records(name, self.root, f"/records/{number}", count)
            if first is not None and not 1 <= first <= count:
                raise HTTPException(404, "There are no such games.")
            return _page(replay_page(*records_of(path, first or 1)))

        return await self._shown(make)

    async def _shown(self, make: Callable[[], Response]) -> Response:
        """The page of a replay that ``make`` prepares, or of what is wrong with the records."""
        try:
            return await self.workers.replay(make)
        except ValueError as error:
            return pages.problem(str(error), self.root, 422)
        except Busy as error:
            return pages.problem(str(error), self.root, 503)

    async def file(self, request: Request) -> Response:
        """One of the `STATIC` files, which were read when the server was started."""
        name = request.path_params["name"]
        if name not in STATIC:
            raise HTTPException(404, "There is no such file.")
        return Response(self.static[name], media_type=STATIC[name], headers=FOR_AN_HOUR)

    # --- errors ---

    async def http_problem(self, request: Request, error: Exception) -> Response:
        """Such as an address that leads nowhere."""
        assert isinstance(error, HTTPException)
        return pages.problem(error.detail, self.root, error.status_code)

    async def unloadable(self, request: Request, error: Exception) -> Response:
        """A stored game that can't be played on; the page offers to delete it."""
        assert isinstance(error, Unloadable)
        return pages.problem(str(error), self.root, 422, error.stored.id)

    async def file_problem(self, request: Request, error: Exception) -> Response:
        """Such as of the file of games: locked, on a full disk, read-only, damaged."""
        return pages.problem(f"A file can't be used now: {error}. Try again later.", self.root, 503)

    async def gone(self, request: Request, error: Exception) -> Response:
        """The connection was closed before the request had arrived: nobody reads this."""
        return Response(status_code=400)

    async def fault(self, request: Request, error: Exception) -> Response:
        """Any other exception; the server also prints it."""
        message = "The server has a fault; its terminal says which. The game is as it was last saved."
        return pages.problem(message, self.root, 500)

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
        Route("/how/{game}", server.how),
        Route("/how/{game}/{variant}/{number:int}.svg", server.lesson),
        Route("/boards/{game}.svg", server.board),
        Route("/records", server.show_records, methods=["POST"]),
        Route("/records/{number:int}", server.show_library),
        Route("/records/{number:int}/{first:int}", server.show_library),
        Route(game, server.game),
        Route(f"{game}/table", server.table),
        Route(f"{game}/events", server.events),
        Route(f"{game}/plies/{{ply:int}}", server.ply),
        Route(f"{game}/values", server.values),
        Route(f"{game}/board.svg", server.thumbnail),
        Route(f"{game}/click", server.click, methods=["POST"]),
        Route(f"{game}/move", server.move, methods=["POST"]),
        Route(f"{game}/delete", server.delete, methods=["POST"]),
        Route(f"{game}/replay.html", server.save_page),
        Route(f"{game}/record.jsonl", server.save_record),
        Route(f"{game}/{{action}}", server.act, methods=["POST"]),
    ]
    handlers: Any = {
        HTTPException: server.http_problem,
        Unloadable: server.unloadable,
        sqlite3.Error: server.file_problem,
        OSError: server.file_problem,
        ClientDisconnect: server.gone,
        Exception: server.fault,
    }
    return Guarded(Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan), settings)


def _game(request: Request) -> Game:
    """The game that a request's address names. HTTPException 404 if there is none."""
    try:
        return find(request.path_params["game"])
    except ValueError as error:
        raise HTTPException(404, str(error)[:300]) from None


def _variant(game: Game, name: str | None) -> str:
    """The name of a game's variant; None: the first. HTTPException 404 if there is none of that name."""
    names = [variant.name for variant in game.variants]
    if name is not None and name not in names:
        raise HTTPException(404, "There is no such variant.")
    return name or names[0]


def _name_of(stored: Stored) -> str:
    """The name of a stored game's rules, for files; of one that can't be loaded ``game``."""
    try:
        return find(Setup.from_json(stored.setup).game).name
    except ValueError:
        return "game"


def _clicks(text: object) -> list[str]:
    """The names of the clicked areas, from a JSON list of texts. HTTPException 400 for anything else."""
    try:
        clicks = json.loads(text) if isinstance(text, str) and len(text) < MAX_CLICKS * MAX_WORD else None
    except (ValueError, RecursionError):
        clicks = None
    if not isinstance(clicks, list) or len(clicks) > MAX_CLICKS or not all(map(_is_word, clicks)):
        raise HTTPException(400, "The clicks are not valid.")
    return clicks


def _is_word(word: object) -> bool:
    """Whether this can be the name of an area: half a surrogate pair, which JSON may have, can't be in a page."""
    return isinstance(word, str) and word != "" and word.isprintable()


def _page(text: str, name: str | None = None) -> Response:
    """A replay page. ``name``: the file name if it is a download, or None."""
    headers = {"Content-Security-Policy": PAGE_POLICY}
    if name is not None:
        headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return HTMLResponse(text, headers=headers)


class EventStream(StreamingResponse):
    """Events with a session's version, at once and after each change. It counts as a stream until it has ended."""

    def __init__(self, server: Server, session: Session, request: Request) -> None:
        super().__init__(_events(request, session), media_type="text/event-stream")
        self.server, self.session = server, session
        server.streams += 1
        session.streams += 1

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.server.streams -= 1
            self.session.streams -= 1


async def _events(request: Request, session: Session) -> AsyncIterator[str]:
    version = -1
    while not await request.is_disconnected():
        latest = await session.wait_for_change(version, HEARTBEAT)
        yield f"event: changed\ndata: {latest}\n\n" if latest != version else ": still here\n\n"
        version = latest
