"""One game that is being played, by people who click and by players that choose in threads."""

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
"""Seconds that a response waits for the players' plies; pages learn about later plies from the event stream."""
DELAYS = {"slow": 2.0, "normal": 0.8, "fast": 0.15}
"""Seconds between plies in games without people."""
NOT_YOUR_TURN = "It is not your turn."
GAME_CHANGED = "The game has changed; this is the current position."


class Session:
    """A game with its seats.

    Attributes:
        env: the environment, in the current position.
        version: a number that grows with every change that a page shows.
        potentials: `potential_of` at the start and after each ply.
        moves: for each ply the name of the action and the seat that acted.
        running, speed: in a game without people, whether it continues automatically, and how fast.
        thinking: the seat whose player is choosing; None if no player is.
        guard: a lock, held while the game changes and while a page is made from it, since both happen in threads.
        kept: whether changes are still saved; false after the game was deleted.
    """

    def __init__(
        self, name: str, setup: Setup, settings: Settings, workers: Workers, save: Callable[[Session], None]
    ) -> None:
        """``save``: called in a thread after every change of the game, while `kept` is true."""
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

    # --- state ---

    @property
    def people(self) -> bool:
        """Whether at least one seat is played by a person."""
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
        """Whether a page shows the game, or it is being changed."""
        thinking = self._advancing is not None and not self._advancing.done()
        return self.streams > 0 or thinking or self._lock.locked()

    @property
    def can_undo(self) -> bool:
        """Whether there is a ply that can be taken back."""
        return bool(self._target_of_undo() is not None)

    def record(self) -> GameRecord:
        """The game so far."""
        with self.guard:
            return self.env.record(list(self.setup.seats))

    # --- playing ---

    def replay(self, record: GameRecord) -> None:
        """Plays the moves of a stored record from the start."""
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

    def _play_clicked(self, clicked: list[str], ply: str) -> Choosing:
        """Plays the action that the clicks choose, if they choose one."""
        if str(len(self.moves)) != ply or not self.person_to_act:  # the game was changed from another page
            return Choosing(problem=GAME_CHANGED)
        choosing = choose(self.env, clicked)
        if choosing.action is not None:
            self._play_and_save(choosing.action)
        return choosing

    def _play_typed(self, text: str) -> str:
        """Plays a typed move. Returns why it can't be played; an empty text if it was played."""
        if not self.person_to_act:
            return NOT_YOUR_TURN
        reading = read_move(self.env, text)
        if reading.action is None:
            more = f"{text.strip()[:40]!r} begins {', '.join(reading.matches[:12])}" if reading.matches else ""
            return reading.problem or more
        self._play_and_save(reading.action)
        return ""

    async def click(self, clicked: list[str], ply: str) -> Choosing:
        """Plays the action that a person's clicks choose, if they choose one. Returns the state of the choice. ``ply``:
        the number of plies in the position that the page showed."""
        if not self.person_to_act:
            return Choosing(problem=NOT_YOUR_TURN if not self.env.is_over() else "The game is over.")
        async with self._lock:
            choosing = await self.workers.run(self._play_clicked, clicked, ply)
            if choosing.action is None:
                return choosing
        await self.changed()
        await self.let_players_act()
        return Choosing()

    async def type_move(self, text: str) -> str:
        """Plays a move that a person typed. Returns why it can't be played; an empty text if it was played."""
        if not self.person_to_act:
            return NOT_YOUR_TURN
        async with self._lock:
            problem = await self.workers.run(self._play_typed, text)
            if problem:
                return problem
        await self.changed()
        await self.let_players_act()
        return ""

    async def undo(self) -> None:
        """Goes back to the previous position in which a person was to act; in a game without people by one ply."""
        async with self._lock:
            target = self._target_of_undo()
            if target is None:
                return
            await self.workers.run(self._go_back, target)
        await self.changed()
        await self.let_players_act()

    def _go_back(self, target: int) -> None:
        with self.guard:
            self.env = self.before[target].clone()
            del self.moves[target:], self.before[target + 1 :], self.potentials[target + 1 :]
            self.hint, self.running, self.problem = None, False, ""
            self._save()

    def _target_of_undo(self) -> int | None:
        """The number of plies that `undo` leaves; None if there is nothing to take back."""
        for ply in range(len(self.moves) - 1, -1, -1):
            if not self.people or self.moves[ply][1] not in self.players:
                return ply
        return None

    async def ask_for_hint(self) -> None:
        """Lets `HINTS` search the position, and keeps the result as `hint`."""
        if self.env.is_over():
            return
        trial, moves = await self.workers.run(self._copied)
        thought = await self.workers.think(think, trial, parse_player(HINTS))
        if moves == self.moves:
            self.hint = thought
        await self.changed()

    def _copied(self) -> tuple[GameEnv, list[tuple[str, int]]]:
        """A copy of the game and of its moves."""
        with self.guard:
            return self.before[-1].clone(), self.moves.copy()

    async def run(self, running: bool, speed: str) -> None:
        """Starts or pauses a game without people."""
        self.running, self.speed = running, speed if speed in DELAYS else self.speed
        await self.changed()
        await self.let_players_act()

    async def step(self) -> None:
        """Plays one ply of a game without people."""
        self.running = False
        if not self.env.is_over() and not self.person_to_act:
            await self._ply_of_player()

    # --- the players' plies ---

    async def let_players_act(self) -> None:
        """Lets players act until a person is to act, and waits up to `PATIENCE` seconds for them."""
        due = not self.env.is_over() and not self.person_to_act and (self.people or self.running)
        if due and (self._advancing is None or self._advancing.done()):
            self._advancing = asyncio.create_task(self._advance())
        if self._advancing is not None:
            await asyncio.wait([self._advancing], timeout=PATIENCE if self.people else 0)

    async def _advance(self) -> None:
        """Lets players act until a person is to act or the game is over. A game without people stops when no page shows
        it."""
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
        """Plays the ply of the player to act. Returns False if that fails; pages then show `problem`."""
        async with self._lock:
            if self.env.is_over() or self.person_to_act:
                return False
            seat = self.thinking = self.seat
            player = self.players[seat]
            ask = self.workers.run if is_quick(player, self.env.game) else self.workers.think
            try:
                await ask(self._play_of, player)
            except Exception as error:  # any exception of a player
                self.problem, self.running = f"{self.setup.seats[seat]} can't play: {error}", False
                return False
            finally:
                self.thinking = None
                await self.changed()
        return True

    def _play_of(self, player: Player) -> None:
        self._play_and_save(self.env.ask(player))

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
        """The state of the game in words."""
        return status(self.env)
