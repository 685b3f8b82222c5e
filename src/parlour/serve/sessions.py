"""One game that is being played, by people who click and by players that choose in threads."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cached_property
from typing import Any

from parlour.interfaces.aec import GameEnv
from parlour.interfaces.game_record import GameRecord
from parlour.interfaces.moves import read_move
from parlour.players import Player
from parlour.players.exact import Exact
from parlour.players.people.advice import Thought, advise, adviser, think_exactly
from parlour.players.people.board import status, verdict
from parlour.players.people.choosing import Choosing, choose
from parlour.records.files import parse_records
from parlour.serve.opponents import PERSON, is_quick, parse_opponent, tables_for
from parlour.serve.positions import Positions
from parlour.serve.settings import Settings
from parlour.serve.setup import Setup
from parlour.serve.store import Stale, Store, Stored
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
NOT_YOUR_TURN = "It is not your turn."
GAME_CHANGED = "The game has changed; this is the current position."


class NotSaved(Exception):
    """A change of a game could not be saved. The game is as it was before, or as another server has saved it."""


class Session:
    """A game with its seats.

    Attributes:
        env: the environment, in the current position.
        version: a number that grows with every change that a page shows.
        moves: for each ply the name of the action and the seat that acted.
        before: all positions so far.
        running, speed: in a game without people, whether it continues automatically, and how fast.
        thinking: the seat whose player is choosing; None if no player is.
        problem, note: what a player did wrong; and what was wrong with the latest typed move though it was played.
        guard: a lock, held while the game changes and while a page is made from it, since both happen in threads.
        kept: whether changes are still saved; false after the game was deleted.
        revision: that of the stored game (`Stored`); 0 before it is stored.
        root: the path before all addresses of the server.
        judge, judging: what values the positions for the page's graph (`parlour.serve.judging`), and the lock of it and
            of `tables`.
    """

    def __init__(self, name: str, setup: Setup, settings: Settings, workers: ThreadPools, store: Store) -> None:
        """A game at its start, not stored yet. ValueError if the setup is not valid."""
        self.name, self.setup, self.workers, self.store = name, setup, workers, store
        self._settings, self.root = settings, settings.root_path
        self.guard, self.kept, self.revision = threading.RLock(), True, 0
        self.env: GameEnv = setup.make()
        self.players: dict[int, Player] = {
            seat: parse_opponent(player, self.env.game, settings)
            for seat, player in enumerate(setup.seats)
            if player != PERSON
        }
        self.version = 0
        self.moves: list[tuple[str, int]] = []
        self.before = Positions(self.env)
        self.running, self.speed = False, "normal"
        self.thinking: int | None = None
        self.hint: Thought | None = None
        self._advising = False
        self.problem = self.note = ""
        self._lock, self._changed = asyncio.Lock(), asyncio.Condition()
        self._advancing: asyncio.Task[None] | None = None
        self.streams = 0
        self.judge: Any = None
        self.judging = threading.Lock()

    # --- state ---

    @property
    def people(self) -> bool:
        """Whether at least one seat is played by a person."""
        return len(self.players) < len(self.setup.seats)

    @property
    def you(self) -> int:
        """The seat of the only person: `Setup.you`."""
        return self.setup.you

    @property
    def seat(self) -> int:
        """The seat to act."""
        return self.env.possible_agents.index(self.env.agent_selection)

    @property
    def over(self) -> bool:
        """Whether the game has ended, also by a person who has given up."""
        return self.setup.resigned >= 0 or self.env.is_over()

    @property
    def person_to_act(self) -> bool:
        """Whether a person is to act."""
        return not self.over and self.seat not in self.players

    @property
    def can_undo(self) -> bool:
        """Whether there is a ply that can be taken back."""
        return bool(self._target_of_undo() is not None)

    def record(self) -> GameRecord:
        """The game so far."""
        with self.guard:
            record, resigned = self.env.record(list(self.setup.seats)), self.setup.resigned
            if resigned >= 0 and len(self.setup.seats) == 2:
                record.tags["Result"] = ("0-1", "1-0")[resigned]
            return record

    def picture(self) -> str:
        """The board, as SVG."""
        with self.guard:
            return self.env.svg()

    # --- playing ---

    def load(self, stored: Stored) -> None:
        """Goes to the position of the stored game. ValueError if that can't be played."""
        record = parse_records(stored.record, "the stored game", ".jsonl")[0]
        with self.guard:
            self._cut(0)
            for number, move in enumerate(record.moves, 1):
                try:
                    self._play(self.env.parse_move(move))
                except ValueError as error:
                    raise ValueError(f"move {number}, {move!r:.80}: {error}") from None
            self.setup, self.revision = Setup.from_json(stored.setup), stored.revision

    def _cut(self, plies: int) -> None:
        """Goes back to the position after this number of plies."""
        self.env = self.before[plies]
        del self.moves[plies:]
        self.before.cut(plies)

    def _play(self, action: int) -> None:
        with self.guard:
            self.moves.append((sys.intern(self.env.move_name(action)), self.seat))
            self.env.step(action)
            self.before.append(action, self.env)
            self.hint, self.problem = None, ""

    def _play_and_save(self, *actions: int) -> None:
        """`NotSaved` as from `_saving`."""
        with self._saving():
            for action in actions:
                self._play(action)

    def save(self) -> None:
        """Saves a new game. `NotSaved` if that fails."""
        with self._saving():
            pass

    @contextmanager
    def _saving(self) -> Iterator[None]:
        """Saves the change within, or takes it back (`NotSaved`), or goes to what another server has saved."""
        with self.guard:
            before = self.moves.copy(), self.before.copy(), self.hint, self.problem, self.setup
            try:
                yield
                if self.kept:
                    line = self.record().line()
                    self.revision = self.store.save(self.name, self.setup.json(), line, self.status, self.revision)
            except BaseException as error:
                self.moves, self.before, self.hint, self.problem, self.setup = before
                self.env = self.before[-1]
                if isinstance(error, Stale):
                    raise NotSaved(self._reload()) from None
                if isinstance(error, (sqlite3.Error, OSError)):
                    raise NotSaved(f"Not saved, so the game stays as it was: {error}.") from error
                raise

    def _reload(self) -> str:
        """Goes to the position that is stored. Returns what has happened, in words."""
        try:
            stored = self.store.load(self.name)
            if stored is not None:
                self.load(stored)
                return GAME_CHANGED
        except (sqlite3.Error, OSError, ValueError) as error:
            return f"Not saved: the game was changed elsewhere, and that can't be read ({error})."
        self.kept = False
        return "Not saved: the game has been deleted."

    def _play_clicked(self, clicked: list[str], ply: str) -> Choosing:
        if str(len(self.moves)) != ply or not self.person_to_act:  # the game was changed from another page
            return Choosing(problem=GAME_CHANGED)
        choosing = choose(self.env, clicked)
        if choosing.action is not None:
            self._play_and_save(choosing.action)
            self.note = ""
        return choosing

    def _play_typed(self, text: str) -> str:
        """Plays a typed move. Returns why it can't be played; an empty text if it was played. What was wrong with it
        though it was clear, as a hit that is none, stands in ``note`` until a person acts again."""
        if not self.person_to_act:
            return NOT_YOUR_TURN
        reading = read_move(self.env.games, 0, text)
        if not reading.actions:
            more = f"{text.strip()[:40]!r} can be {', '.join(reading.matches[:12])}" if reading.matches else ""
            return reading.problem or more
        self._play_and_save(*reading.actions)
        self.note = f"{reading.note[0].upper()}{reading.note[1:]}." if reading.note else ""
        return ""

    async def click(self, clicked: list[str], ply: str) -> Choosing:
        """Plays the action that a person's clicks choose, if they choose one. Returns the state of the choice. ``ply``:
        the number of plies in the position that the page showed."""
        if not self.person_to_act:
            return Choosing(problem=NOT_YOUR_TURN if not self.over else "The game is over.")
        async with self._lock:
            try:
                choosing = await self.workers.run(self._play_clicked, clicked, ply)
            except NotSaved as error:
                await self.changed()
                return Choosing(problem=str(error))
        if choosing.action is None:
            return choosing
        await self._go_on()
        return Choosing()

    async def type_move(self, text: str) -> str:
        """Plays a typed move. Returns why it can't be played; empty if it was."""
        if not self.person_to_act:
            return NOT_YOUR_TURN
        async with self._lock:
            problem = await self._done(self._play_typed, text)
        if not problem:
            await self._go_on()
        return problem

    async def undo(self) -> str:
        """Goes back to the previous position in which a person was to act; in a game without people by one ply. Returns
        why that can't be saved; an empty text if it was done, or if there is nothing to take back."""
        async with self._lock:
            target = self._target_of_undo()
            problem = "" if target is None else await self._done(self._go_back, target)
        if target is not None and not problem:
            await self._go_on()
        return problem

    async def _done(self, work: Callable[..., str | None], *arguments: object) -> str:
        """Does work in a thread that may change the game. Returns what it returns, or why it can't be saved."""
        try:
            return await self.workers.run(work, *arguments) or ""
        except NotSaved as error:
            await self.changed()
            return str(error)

    async def _go_on(self) -> None:
        """After a change: tells pages of it, and lets players act."""
        await self.changed()
        await self.let_players_act()

    def _go_back(self, target: int) -> None:
        with self._saving():
            self._cut(target)
            self.setup = replace(self.setup, resigned=-1)
            self.hint, self.running, self.problem, self.note = None, False, "", ""

    async def resign(self) -> str:
        """Ends the game: the person to act gives up. Returns why not; empty if done."""
        if not self.person_to_act:
            return NOT_YOUR_TURN
        async with self._lock:
            problem = await self._done(self._give_up, self.seat)
            await self.changed()
        return problem

    def _give_up(self, seat: int) -> None:
        with self._saving():
            self.setup, self.hint = replace(self.setup, resigned=seat), None

    def _target_of_undo(self) -> int | None:
        """The plies that `undo` leaves; None: nothing to take back."""
        if self.setup.resigned >= 0:
            return len(self.moves)
        for ply in range(len(self.moves) - 1, -1, -1):
            if not self.people or self.moves[ply][1] not in self.players:
                return ply
        return None

    async def ask_for_hint(self) -> str:
        """Lets a player search the position for a `hint`. Returns why there is none; an empty text if there is one."""
        if self.over or self._advising:
            return "" if self.over else "A hint is on its way."
        self._advising = True
        try:
            trial, moves = await self.workers.run(self._copied)
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
        if moves == self.moves:
            self.hint = thought
        await self.changed()
        return ""

    @cached_property
    def tables(self) -> list[Exact]:
        """Tables of exact values of the game's rules."""
        return tables_for(self.before[0], self._settings)

    def _advice(self, trial: GameEnv) -> Thought | None:
        with self.judging:
            exact = think_exactly(trial, self.tables, MAX_VALUED)
        return exact or advise(trial, adviser(trial, self.players.values()))

    def _copied(self) -> tuple[GameEnv, list[tuple[str, int]]]:
        with self.guard:
            return self.before[-1], self.moves.copy()

    async def run(self, running: bool, speed: str) -> None:
        """Starts or pauses a game without people."""
        self.running, self.speed = running, speed if speed in DELAYS else self.speed
        await self._go_on()

    async def step(self) -> None:
        """Plays one ply of a game without people."""
        self.running = False
        if not self.over and not self.person_to_act:
            with suppress(NotSaved):  # the page says so
                await self._ply_of_player()

    # --- the players' plies ---

    async def let_players_act(self) -> None:
        """Lets players act until a person is to act, and waits up to `PATIENCE` seconds for them."""
        due = not self.over and not self.person_to_act and (self.people or self.running)
        if due and (self._advancing is None or self._advancing.done()):
            self._advancing = asyncio.create_task(self._advance())
        if self._advancing is not None:
            await asyncio.wait([self._advancing], timeout=PATIENCE if self.people else 0)

    async def _advance(self) -> None:
        """Lets players act until a person is to act or the game is over. A game without people stops when no page shows
        it. A ply that can't be saved is tried again."""
        retries = 0
        while self.kept and not self.over and not self.person_to_act:
            if not self.people:
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
                    self.problem = "Not saved. Load this page again to go on."
                    await self.changed()
                    return
                await asyncio.sleep(RETRY)

    async def _ply_of_player(self) -> bool:
        """Plays the ply of the player to act. False if it fails, or `NotSaved`; pages then show `problem`."""
        async with self._lock:
            if self.over or self.person_to_act:
                return False
            seat = self.thinking = self.seat
            player = self.players[seat]
            ask = self.workers.run if is_quick(player, self.env.game) else self.workers.think
            try:
                await ask(lambda: self._play_and_save(self.env.ask(player)))
            except NotSaved as error:
                self.problem = f"{error} {self.setup.seats[seat]} tries again."
                raise
            except Exception as error:  # any exception of a player
                self.problem, self.running = f"{self.setup.seats[seat]} can't play: {error}", False
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
        try:
            async with self._changed:
                await asyncio.wait_for(self._changed.wait_for(lambda: self.version != version), seconds)
        except asyncio.TimeoutError:
            pass
        return self.version

    @property
    def status(self) -> str:
        """The state of the game in words; after the end, first of all what it is for `you`, if that is a seat."""
        resigned, names = self.setup.resigned, [self.env.game.seat_name(seat) for seat in range(len(self.setup.seats))]
        told = status(self.env)
        if resigned >= 0:
            told = f"{names[resigned]} resigned" + (f"; {names[1 - resigned]} won" if len(names) == 2 else "")
            told = "You resigned" if resigned == self.you else told
        elif self.person_to_act and self.you >= 0:
            return told.replace(f"{names[self.you]} to act", f"Your turn ({names[self.you]})", 1)
        if not self.over or self.you < 0:
            return told
        own = verdict(self.env, self.you) if resigned < 0 else "You lose." if resigned == self.you else "You win."
        return f"{own} {told}".strip()
