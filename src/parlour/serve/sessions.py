"""Drives games that are being played: people click, players choose in threads, and pages are told of changes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from typing import Any

from parlour.interfaces.aec import GameEnv
from parlour.players.exact import Exact
from parlour.players.people.advice import Thought, advise, adviser, think_exactly
from parlour.players.people.choosing import Choosing
from parlour.serve.opponents import is_quick, tables_for
from parlour.serve.table import NOT_YOUR_TURN, NotSaved, Table
from parlour.serve.workers import ThreadPools

PATIENCE = 0.15
"""Seconds that a response waits for the players' plies; pages learn about later plies from the event stream."""
DELAYS = {"slow": 2.0, "normal": 0.8, "fast": 0.15}
"""Seconds between plies in games without people."""
RETRY, MAX_RETRIES = 2.0, 30
"""Seconds after which a player's ply that could not be saved is tried again, and how often."""
MAX_HINT = 60.0
"""Seconds after which a hint is given up: others were searching, or rules were compiled, which takes half a minute."""
MAX_VALUED = 24
"""How many moves a hint values at most, where exact values are known."""


class Session:
    """Drives the game of a `Table`: one change at a time, in threads.

    Attributes:
        table: the game.
        version: a number that grows with every change that a page shows.
        running, speed: in a game without people, whether it continues automatically, and how fast.
        thinking: the seat whose player is choosing; None if no player is.
        streams: how many event streams show the game.
        root: the path before all addresses of the server.
        judge, judging: what values the positions for the page's graph (`parlour.serve.judging`); the lock that guards
            it and `exact`.
    """

    def __init__(self, table: Table, workers: ThreadPools) -> None:
        """``table``: a game that no other session drives."""
        self.table, self.workers, self.root = table, workers, table.settings.root_path
        self.version, self.streams = 0, 0
        self.running, self.speed = False, "normal"
        self.thinking: int | None = None
        self._advising = False
        self._lock, self._changed = asyncio.Lock(), asyncio.Condition()
        self._advancing: asyncio.Task[None] | None = None
        self.judge: Any = None
        self.judging = threading.Lock()

    # --- people ---

    async def click(self, clicked: list[str], ply: str) -> Choosing:
        """See `Table.play_clicked`."""
        if not self.table.person_to_act:
            return Choosing(problem=NOT_YOUR_TURN if not self.table.over else "The game is over.")
        async with self._lock:
            try:
                choosing = await self.workers.run(self.table.play_clicked, clicked, ply)
            except NotSaved as error:
                await self.changed()
                return Choosing(problem=str(error))
        if choosing.action is None:
            return choosing
        await self._go_on()
        return Choosing()

    async def type_move(self, text: str) -> str:
        """Plays a typed move. Returns why it can't be played; empty if it was."""
        return await self._do(self.table.play_typed, text) if self.table.person_to_act else NOT_YOUR_TURN

    async def undo(self) -> str:
        """See `Table.undo`. Returns why it can't be saved; empty if it was, or if there is nothing to take back."""
        self.running = False
        return await self._do(self.table.undo)

    async def _do(self, change: Callable[..., str | None], *arguments: object) -> str:
        """Changes the game in a thread, and lets players act. Returns why that can't be done, or be saved."""
        async with self._lock:
            try:
                problem = await self.workers.run(change, *arguments)
            except NotSaved as error:
                await self.changed()
                return str(error)
        if problem:
            return problem
        await self._go_on()
        return ""

    async def _go_on(self) -> None:
        """After a change: tells pages of it, and lets players act."""
        await self.changed()
        await self.let_players_act()

    async def resign(self) -> str:
        """Ends the game: the person to act gives up. Returns why not; empty if done."""
        return await self._do(self.table.resign) if self.table.person_to_act else NOT_YOUR_TURN

    async def ask_for_hint(self) -> str:
        """Lets a player search the position for a `hint`. Returns why there is none; an empty text if there is one."""
        if self.table.over or self._advising:
            return "" if self.table.over else "A hint is on its way."
        self._advising = True
        try:
            trial, moves = await self.workers.run(self.table.copied)
            thought = await asyncio.wait_for(self.workers.think(self._advice, trial), MAX_HINT)
        except asyncio.TimeoutError:
            return (
                f"There is no hint after {MAX_HINT:g} seconds: rules are being compiled, or others are searching. "
                "Try again later."
            )
        except Exception as error:  # any exception of a game that is not from this package
            return f"There is no hint: {error}"
        finally:
            self._advising = False
        if moves == self.table.moves:
            self.table.hint = thought
        await self.changed()
        return ""

    @cached_property
    def exact(self) -> list[Exact]:
        """Tables of exact values of the game's rules."""
        return tables_for(self.table.before[0], self.table.settings)

    def _advice(self, trial: GameEnv) -> Thought | None:
        with self.judging:
            exact = think_exactly(trial, self.exact, MAX_VALUED)
        return exact or advise(trial, adviser(trial, self.table.players.values()))

    async def run(self, running: bool, speed: str) -> None:
        """Starts or pauses a game without people."""
        self.running, self.speed = running, speed if speed in DELAYS else self.speed
        await self._go_on()

    async def step(self) -> str:
        """Plays one ply of a game without people. Returns an empty text: `Table.problem` has what is wrong."""
        self.running = False
        if self.table.player_to_act:
            with suppress(NotSaved):
                await self._ply_of_player()
        return ""

    # --- the players' plies ---

    async def let_players_act(self) -> None:
        """Lets players act until a person is to act, and waits up to `PATIENCE` seconds for them."""
        due = self.table.player_to_act and (self.table.people or self.running)
        if due and (self._advancing is None or self._advancing.done()):
            self._advancing = asyncio.create_task(self._advance())
        if self._advancing is not None:
            await asyncio.wait([self._advancing], timeout=PATIENCE if self.table.people else 0)

    async def _advance(self) -> None:
        """Lets players act until a person is to act or the game is over. A game without people stops when no page shows
        it. A ply that can't be saved is tried again."""
        retries = 0
        while self.table.is_saved and self.table.player_to_act:
            if not self.table.people:
                if not self.running:
                    return
                await asyncio.sleep(DELAYS[self.speed])
                if not self.streams or not self.running:
                    self.running = False
                    return
            try:
                if not await self._ply_of_player():
                    return
                retries = 0
            except NotSaved:
                retries += 1
                if retries > MAX_RETRIES:
                    self.table.problem = "Not saved. Load this page again to go on."
                    await self.changed()
                    return
                await asyncio.sleep(RETRY)

    async def _ply_of_player(self) -> bool:
        """Plays the ply of the player to act. False if it fails, or `NotSaved`; pages then show `problem`."""
        async with self._lock:
            if not self.table.player_to_act:
                return False
            seat = self.thinking = self.table.seat
            player = self.table.players[seat]
            ask = self.workers.run if is_quick(player, self.table.env.game) else self.workers.think
            try:
                await ask(lambda: self.table.play(self.table.env.ask(player)))
            except NotSaved as error:
                self.table.problem = f"{error} {self.table.setup.seats[seat]} tries again."
                raise
            except Exception as error:  # any exception of a player
                self.table.problem, self.running = f"{self.table.setup.seats[seat]} can't play: {error}", False
                return False
            finally:
                self.thinking = None
                await self.changed()
        return True

    # --- notifying pages ---

    async def changed(self) -> None:
        """Notifies all pages of a change."""
        self.version += 1
        async with self._changed:
            self._changed.notify_all()

    async def wait_for_change(self, version: int, seconds: float) -> int:
        """Waits until the version differs from ``version``, at most ``seconds``. Returns the current version."""
        with suppress(asyncio.TimeoutError):
            async with self._changed:
                await asyncio.wait_for(self._changed.wait_for(lambda: self.version != version), seconds)
        return self.version
