"""One game that is being played: by people who click, and players that are asked in threads."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

from parlour.aec import GameEnv
from parlour.people.advice import Thought, think
from parlour.people.board import status
from parlour.people.choosing import Choosing, choose
from parlour.people.typing import read_move
from parlour.players import Player, parse_player
from parlour.records import GameRecord
from parlour.replays.frames import potential_of
from parlour.serve.opponents import HINTS, PERSON, is_quick, parse_opponent
from parlour.serve.settings import Settings
from parlour.serve.setup import Setup
from parlour.serve.workers import Workers

PATIENCE = 0.15
"""Seconds that an answer waits for the players' plies; slower ones are told by the event stream."""
DELAYS = {"slow": 2.0, "normal": 0.8, "fast": 0.15}
"""Seconds between plies where only players play."""
NOT_YOURS = "It is not your turn."
GONE_ON = "The game has gone on meanwhile; here is how it stands."


class Session:
    """A game with its seats.

    Attributes:
        env: the game as it stands.
        version: grows with every change that a page shows.
        potentials: `potential_of` at the start and after each ply.
        moves: names of all plies, and who played them.
        running, speed: whether a game between players alone goes on by itself, and how fast.
        thinking: the seat whose player is being asked; None while none is.
        guard: held while the game changes, and while a page of it is made: both happen in threads.
    """

    def __init__(
        self, name: str, setup: Setup, settings: Settings, workers: Workers, save: Callable[[Session], None]
    ) -> None:
        """``save``: called after every change of the game, in a thread, until `kept` is false."""
        self.name, self.setup, self.workers, self.save = name, setup, workers, save
        self.guard, self.kept = threading.RLock(), True
        self.env: GameEnv = setup.make()
        self.players: dict[int, Player] = {
            seat: parse_opponent(player, self.env.game, settings)
            for seat, player in enumerate(setup.seats)
            if player != PERSON
        }
        self.version = 0
        self.moves: list[tuple[str, int]] = []
        self.potentials: list[float | None] = [potential_of(self.env)]
        self.before: list[GameEnv] = [self.env.clone()]
        self.running, self.speed = False, "normal"
        self.thinking: int | None = None
        self.hint: Thought | None = None
        self.problem = ""
        self._lock, self._changed = asyncio.Lock(), asyncio.Condition()
        self._advancing: asyncio.Task[None] | None = None
        self.streams = 0

    # --- what it is like now ---

    @property
    def people(self) -> bool:
        """Whether a person plays."""
        return len(self.players) < len(self.setup.seats)

    @property
    def seat(self) -> int:
        """The seat to act."""
        return self.env.possible_agents.index(self.env.agent_selection)

    @property
    def person_to_act(self) -> bool:
        """Whether a person is to act."""
        return not self.env.is_over() and self.seat not in self.players

    @property
    def busy(self) -> bool:
        """Whether a page follows the game, or something is being done in it."""
        thinking = self._advancing is not None and not self._advancing.done()
        return self.streams > 0 or thinking or self._lock.locked()

    @property
    def can_undo(self) -> bool:
        """Whether there is something to take back."""
        return bool(self._target_of_undo() is not None)

    def record(self) -> GameRecord:
        """The game so far."""
        with self.guard:
            return self.env.record(list(self.setup.seats))

    # --- playing ---

    def replay(self, record: GameRecord) -> None:
        """Plays the moves of a record, which was kept, from the start."""
        for move in record.moves:
            self._play(self.env.parse_move(move))

    def _play(self, action: int) -> None:
        with self.guard:
            self.moves.append((self.env.move_name(action), self.seat))
            self.env.step(action)
            self.before.append(self.env.clone())
            self.potentials.append(potential_of(self.env))
            self.hint, self.problem = None, ""

    def _play_and_save(self, action: int) -> None:
        with self.guard:
            self._play(action)
            self._save()

    def _save(self) -> None:
        if self.kept:
            self.save(self)

    def _play_clicked(self, clicked: list[str], ply: int) -> Choosing:
        """Plays the action that the clicks choose, if they do."""
        if len(self.moves) != ply or not self.person_to_act:  # another page was quicker
            return Choosing(problem=GONE_ON)
        choosing = choose(self.env, clicked)
        if choosing.action is not None:
            self._play_and_save(choosing.action)
        return choosing

    def _play_typed(self, text: str) -> str:
        """Plays what was typed; why it can't be played, or empty."""
        if not self.person_to_act:
            return NOT_YOURS
        reading = read_move(self.env, text)
        if reading.action is None:
            more = f"{text.strip()[:40]!r} begins {', '.join(reading.matches[:12])}" if reading.matches else ""
            return reading.problem or more
        self._play_and_save(reading.action)
        return ""

    async def click(self, clicked: list[str], ply: int) -> Choosing:
        """Clicks of a person, in order, on the page that shows the position after ``ply`` plies: plays the action that
        they choose."""
        if not self.person_to_act:
            return Choosing(problem=NOT_YOURS if not self.env.is_over() else "The game is over.")
        async with self._lock:
            choosing = await self.workers.run(self._play_clicked, clicked, ply)
            if choosing.action is None:
                return choosing
        await self.changed()
        await self.go_on()
        return Choosing()

    async def type_move(self, text: str) -> str:
        """Plays what a person has typed; why it can't be played, or empty."""
        if not self.person_to_act:
            return NOT_YOURS
        async with self._lock:
            problem = await self.workers.run(self._play_typed, text)
            if problem:
                return problem
        await self.changed()
        await self.go_on()
        return ""

    async def undo(self) -> None:
        """Goes back to where a person was to act before; where only players play, by one ply."""
        async with self._lock:
            target = self._target_of_undo()
            if target is None:
                return
            await self.workers.run(self._go_back, target)
        await self.changed()
        await self.go_on()

    def _go_back(self, target: int) -> None:
        with self.guard:
            self.env = self.before[target].clone()
            del self.moves[target:], self.before[target + 1 :], self.potentials[target + 1 :]
            self.hint, self.running, self.problem = None, False, ""
            self._save()

    def _target_of_undo(self) -> int | None:
        """The number of plies to which `undo` goes back."""
        for ply in range(len(self.moves) - 1, -1, -1):
            if not self.people or self.moves[ply][1] not in self.players:
                return ply
        return None

    async def ask_for_hint(self) -> None:
        """Has the position looked at."""
        if self.env.is_over():
            return
        trial, moves = await self.workers.run(self._copied)
        thought = await self.workers.think(think, trial, parse_player(HINTS))
        if moves == self.moves:
            self.hint = thought
        await self.changed()

    def _copied(self) -> tuple[GameEnv, list[tuple[str, int]]]:
        """The game as it stands, and its moves."""
        with self.guard:
            return self.before[-1].clone(), self.moves.copy()

    async def run(self, running: bool, speed: str) -> None:
        """Lets a game between players alone go on, or stop."""
        self.running, self.speed = running, speed if speed in DELAYS else self.speed
        await self.changed()
        await self.go_on()

    async def step(self) -> None:
        """One ply of a game between players alone."""
        self.running = False
        if not self.env.is_over() and not self.person_to_act:
            await self._ply_of_player()

    # --- the players' plies ---

    async def go_on(self) -> None:
        """Has the players play who are to act, and waits a moment for them."""
        due = not self.env.is_over() and not self.person_to_act and (self.people or self.running)
        if due and (self._advancing is None or self._advancing.done()):
            self._advancing = asyncio.create_task(self._advance())
        if self._advancing is not None:
            await asyncio.wait([self._advancing], timeout=PATIENCE if self.people else 0)

    async def _advance(self) -> None:
        """Players play until a person is to act or the game is over; without people, while somebody watches."""
        while not self.env.is_over() and not self.person_to_act:
            if not self.people:
                if not self.running:
                    return
                await asyncio.sleep(DELAYS[self.speed])
                if not self.streams or not self.running:
                    self.running = False
                    return
            if not await self._ply_of_player():
                return

    async def _ply_of_player(self) -> bool:
        """The ply of the player to act; False where it fails, which pages are told."""
        async with self._lock:
            if self.env.is_over() or self.person_to_act:
                return False
            seat = self.thinking = self.seat
            player = self.players[seat]
            ask = self.workers.run if is_quick(player, self.env.game) else self.workers.think
            try:
                await ask(self._play_of, player)
            except Exception as error:  # whatever a player raises
                self.problem, self.running = f"{self.setup.seats[seat]} can't play: {error}", False
                return False
            finally:
                self.thinking = None
                await self.changed()
        return True

    def _play_of(self, player: Player) -> None:
        self._play_and_save(self.env.ask(player))

    # --- telling pages ---

    async def changed(self) -> None:
        """Tells all pages that there is something to show."""
        self.version += 1
        async with self._changed:
            self._changed.notify_all()

    async def wait_for_change(self, version: int, seconds: float) -> int:
        """The version, as soon as it is another than ``version``, or after so long."""
        try:
            async with self._changed:
                await asyncio.wait_for(self._changed.wait_for(lambda: self.version != version), seconds)
        except asyncio.TimeoutError:
            pass
        return self.version

    @property
    def status(self) -> str:
        """In words."""
        return status(self.env)
