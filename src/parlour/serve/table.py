"""One game that is being played: its position, its plies, how it is saved, and its state in words."""

from __future__ import annotations

import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from parlour.interfaces.aec import GameEnv
from parlour.interfaces.game_record import GameRecord
from parlour.interfaces.moves import read_move
from parlour.players import Player
from parlour.players.people.advice import Thought
from parlour.players.people.board import status, verdict
from parlour.players.people.choosing import Choosing, choose
from parlour.records.files import parse_records
from parlour.serve.opponents import PERSON, parse_opponent
from parlour.serve.positions import Positions
from parlour.serve.settings import Settings
from parlour.serve.setup import Setup
from parlour.serve.store import Stale, Store, Stored

NOT_YOUR_TURN = "It is not your turn."
GAME_CHANGED = "The game has changed; this is the current position."


class NotSaved(Exception):
    """A change of a game could not be saved. The game is as it was before, or as another server has saved it."""


class Table:
    """A game with its seats. Whatever changes it is saved at once, or raises `NotSaved`.

    Attributes:
        env: the environment, in the current position.
        players: the player of each seat that no person has.
        moves: for each ply the name of the action and the seat that acted.
        before: all positions so far.
        hint: what a player has advised in this position; None if nobody was asked.
        problem, note: what a player did wrong; and what was wrong with the latest typed move though it was played.
        guard: a lock, held while the game changes and while a page is made from it, since both happen in threads.
        is_saved: whether changes are still saved; false after the game was deleted.
        revision: that of the stored game (`Stored`); 0 before it is stored.
    """

    def __init__(self, name: str, setup: Setup, settings: Settings, store: Store) -> None:
        """A game at its start, not stored yet. ValueError if the setup is not valid."""
        self.name, self.setup, self.settings, self.store = name, setup, settings, store
        self.guard, self.is_saved, self.revision = threading.RLock(), True, 0
        self.env: GameEnv = setup.make()
        self.players: dict[int, Player] = {
            seat: parse_opponent(player, self.env.game, settings)
            for seat, player in enumerate(setup.seats)
            if player != PERSON
        }
        self.moves: list[tuple[str, int]] = []
        self.before = Positions(self.env)
        self.hint: Thought | None = None
        self.problem = self.note = ""

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
    def over(self) -> bool:
        """Whether the game has ended, also by a person who has given up."""
        return self.setup.resigned >= 0 or self.env.is_over()

    @property
    def person_to_act(self) -> bool:
        """Whether a person is to act."""
        return not self.over and self.seat not in self.players

    @property
    def player_to_act(self) -> bool:
        """Whether a player is to act."""
        return not self.over and self.seat in self.players

    @property
    def can_undo(self) -> bool:
        """Whether there is a ply that can be taken back."""
        return self._target_of_undo() is not None

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

    def copied(self) -> tuple[GameEnv, list[tuple[str, int]]]:
        """The position, to try plies on, and the moves that have led to it."""
        with self.guard:
            return self.before[-1], self.moves.copy()

    @property
    def status(self) -> str:
        """The state of the game in words; after the end, first of all what it is for the only person."""
        resigned, you, sentence = self.setup.resigned, self.setup.you, status(self.env)
        names = [self.env.game.seat_name(seat) for seat in range(len(self.setup.seats))]
        if resigned >= 0:
            sentence = f"{names[resigned]} resigned" + (f"; {names[1 - resigned]} won" if len(names) == 2 else "")
            sentence = "You resigned" if resigned == you else sentence
        elif self.person_to_act and you >= 0:
            return sentence.replace(f"{names[you]} to act", f"Your turn ({names[you]})", 1)
        if not self.over or you < 0:
            return sentence
        result = verdict(self.env, you) if resigned < 0 else "You lose." if resigned == you else "You win."
        return f"{result} {sentence}".strip()

    # --- playing ---

    def play(self, *actions: int) -> None:
        """Plays plies of the seat to act."""
        with self._saving():
            for action in actions:
                self._add(action)

    def play_clicked(self, clicked: list[str], ply: str) -> Choosing:
        """Plays the action that a person's clicks choose, if they choose one. Returns the state of the choice. ``ply``:
        the number of plies in the position that the page showed."""
        if str(len(self.moves)) != ply or not self.person_to_act:  # the game was changed from another page
            return Choosing(problem=GAME_CHANGED)
        choosing = choose(self.env, clicked)
        if choosing.action is not None:
            self.play(choosing.action)
            self.note = ""
        return choosing

    def play_typed(self, text: str) -> str:
        """Plays a typed move. Returns why it can't be played; an empty text if it was played. What was wrong with it
        though it was clear, as a hit that is none, stands in ``note`` until a person acts again."""
        if not self.person_to_act:
            return NOT_YOUR_TURN
        reading = read_move(self.env.games, 0, text)
        if not reading.actions:
            more = f"{text.strip()[:40]!r} can be {', '.join(reading.matches[:12])}" if reading.matches else ""
            return reading.problem or more
        self.play(*reading.actions)
        self.note = f"{reading.note[0].upper()}{reading.note[1:]}." if reading.note else ""
        return ""

    def undo(self) -> None:
        """Goes back to the previous position in which a person was to act; in a game without people by one ply."""
        target = self._target_of_undo()
        if target is not None:
            with self._saving():
                self._cut(target)
                self.setup = replace(self.setup, resigned=-1)
                self.hint, self.problem, self.note = None, "", ""

    def resign(self) -> str:
        """Ends the game: the person to act gives up. Returns why not; an empty text if done."""
        if not self.person_to_act:
            return NOT_YOUR_TURN
        with self._saving():
            self.setup, self.hint = replace(self.setup, resigned=self.seat), None
        return ""

    def _target_of_undo(self) -> int | None:
        """How many plies `undo` leaves; None: nothing to take back."""
        if self.setup.resigned >= 0:
            return len(self.moves)
        for ply in range(len(self.moves) - 1, -1, -1):
            if not self.people or self.moves[ply][1] not in self.players:
                return ply
        return None

    # --- saving ---

    def load(self, stored: Stored) -> None:
        """Goes to the position of the stored game. ValueError if that can't be played."""
        record = parse_records(stored.record, "the stored game", ".jsonl")[0]
        with self.guard:
            self._cut(0)
            for number, move in enumerate(record.moves, 1):
                try:
                    self._add(self.env.parse_move(move))
                except ValueError as error:
                    raise ValueError(f"move {number}, {move!r:.80}: {error}") from None
            self.setup, self.revision = Setup.from_json(stored.setup), stored.revision

    def _cut(self, plies: int) -> None:
        """Goes back to the position after this number of plies."""
        self.env = self.before[plies]
        del self.moves[plies:]
        self.before.cut(plies)

    def _add(self, action: int) -> None:
        with self.guard:
            self.moves.append((sys.intern(self.env.move_name(action)), self.seat))
            self.env.step(action)
            self.before.append(action, self.env)
            self.hint, self.problem = None, ""

    def save(self) -> None:
        """Saves a new game."""
        with self._saving():
            pass

    @contextmanager
    def _saving(self) -> Iterator[None]:
        """Saves the change within, or takes it back (`NotSaved`), or goes to what another server has saved."""
        with self.guard:
            before = self.moves.copy(), self.before.copy(), self.hint, self.problem, self.setup
            try:
                yield
                if self.is_saved:
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
        self.is_saved = False
        return "Not saved: the game has been deleted."
