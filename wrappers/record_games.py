"""`RecordGames`: every finished game as a line of a file."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv

from parlour.engine.seeds import check_seed, seed_words, stream_starts
from parlour.records import GameRecord, append_record
from parlour.registry import record_form
from parlour.rulebook.protocol import RUNNING
from parlour.rulebook.state_records import as_record
from parlour.wrappers.base import Wrapper, bottom_of

FIRST_THROWS = 64


class RecordGames(Wrapper):
    """Writes each game that ends to a file, as one line of JSON: a `parlour.records.GameRecord`. The command ``parlour
    replay FILE`` shows the games and verifies them.

    * observation, action, reward, info: unchanged.

    A record has the game's id, the version of this package, the variant and the value of every option, the seed (null
    for a game that follows on another in the same stream), the position in which it began if `reset` was given one, all
    throws of dice, the names of all actions, the returns (the game's own rewards, whatever wrappers make of them) and
    how it ended. A game that a `reset` cuts short, or that an illegal move ends, is not recorded.

    Each line is appended in one write, so that several environments and processes may share a file. A copy of the
    environment records its own games to the same file; a game that was copied midway is recorded by each copy that
    finishes it.
    """

    def __init__(
        self, env: AECEnv[str, Any, Any], path: str | PathLike[str], players: Sequence[str] | None = None
    ) -> None:
        """
        Args:
            env: an environment of `parlour.make`, in wrappers or not.
            path: the file; it is created if it is missing.
            players: a name for each seat's player; None: the agents' names.

        Raises:
            ValueError: for a file that can't be written, or for players that are not a text a seat.
        """
        super().__init__(env)
        self._game_env = bottom_of(env)
        named = list(env.possible_agents) if players is None else players
        texts = isinstance(named, (list, tuple)) and all(isinstance(name, str) for name in named)
        if not texts or len(named) != len(env.possible_agents):
            raise ValueError(f"players must be {len(env.possible_agents)} texts, one a seat, not {players!r}")
        if not isinstance(path, (str, PathLike)):
            raise ValueError(f"path must name a file, not {path!r}")
        self.players = list(named)
        self.path = Path(path).absolute()
        if record_form(self.path.suffix):
            raise ValueError(f"games can't be recorded in {str(path)!r}: by its name it is no file of JSON lines")
        try:
            with self.path.open("ab"):
                pass
        except (OSError, ValueError) as error:  # a path with a zero byte in it is a ValueError
            raise ValueError(f"games can't be recorded in {str(path)!r}: {error}") from None
        self._recording = False
        self._dicey = bool(self._game_env.game.rules.DICE)
        self._bind()

    def _bind(self) -> None:
        """Views of the table's row, and a copy of its state as it was before the ply, read as quickly as Python can."""
        states: Any = self._game_env.table.states
        fields = ("plies", "last_action", "end")
        self._plies, self._last, self._end = (memoryview(states[name]) for name in fields)
        was: Any = np.zeros_like(states)
        self._now, self._copy = memoryview(states.view(np.uint8)), memoryview(was.view(np.uint8))
        self._was = as_record(was, 0)
        self._name = self._game_env.game.notation.move_name
        self._version = version("parlour")

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the views."""
        made_anew = ("_plies", "_last", "_end", "_now", "_copy", "_was", "_name", "_version")
        return {name: value for name, value in self.__dict__.items() if name not in made_anew}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """The opposite of ``__getstate__``."""
        self.__dict__.update(kept)
        self._bind()

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """See `GameEnv.reset`."""
        if seed is None and not self._game_env.seeded:
            seed = check_seed(None)  # so that the record can name it
        dice_rng = self._game_env.table.dice_rng.copy()
        self.env.reset(seed, options)
        self._recording = self._end[0] == RUNNING
        self._moves: list[str] = []
        self._returns = [0.0] * len(self.possible_agents)
        self._seed = None if seed is None else check_seed(seed)
        self._start = self._game_env.position() if options and options.get("position") is not None else ""
        if self._dicey:
            self._begin_dice(dice_rng)

    def _begin_dice(self, dice_rng: NDArray[Any]) -> None:
        """The throws of a new game are those from ``dice_rng`` on, as it was before the reset, or from the seed."""
        self._throws: list[list[int]] = []
        if self._start:
            self._open_stretch(self._game_env.table.dice_rng.copy(), False)
            return
        if self._seed is not None:
            dice_rng["counter"] = stream_starts(seed_words([self._seed]))[0]
        dice_rng["forced_used"] = dice_rng["misfit"] = 0
        dice_rng["given_end"] = len(self._game_env.table.forced_dice)
        self._open_stretch(dice_rng, True)

    def step(self, action: int | None) -> None:
        """See `GameEnv.step`; the last ply of a game writes it. OSError where that can't be done any more."""
        if not self._recording:
            self.env.step(action)
            return
        if self._dicey:
            self._look_for_other_throws()
        self._copy[:] = self._now
        plies = self._plies[0]
        self.env.step(action)
        if self._plies[0] == plies:  # an illegal move, or half an action of `FactoredActions`
            return
        last = self._last[0]
        self._moves.append(self._name(last, self._was))
        if self._dicey:
            self._actions.append(last)
            self._counter = self._game_env.table.dice_rng["counter"][0]
        rewards = self._game_env.rewards.values()
        if any(rewards):
            self._returns = [total + reward for total, reward in zip(self._returns, rewards)]
        if self._end[0] != RUNNING:
            self._recording = False
            append_record(self.path, self._record())

    def _record(self) -> GameRecord:
        game_env = self._game_env
        if self._dicey:
            self._close_stretch()
        return GameRecord(
            game_env.game.id, self._version, game_env.variant, game_env.values, self._seed,
            self.players, self._moves, self._returns, game_env.table.ending(0), self._start,
            self._throws if self._dicey else None,
        )  # fmt: skip

    # A stretch is a part of a game in which the dice come from one stream and one list of given throws. At its end the
    # plies are played again in one call, which lists the throws: the engine itself keeps only the latest.

    def _open_stretch(self, dice_rng: NDArray[Any], begins: bool) -> None:
        """From here on, the stream for dice being at ``dice_rng``; ``begins``: before the throws that begin a game."""
        table = self._game_env.table
        self._stretch = begins, table.states.copy(), dice_rng, table.forced_dice
        self._counter = table.dice_rng["counter"][0]
        self._actions: list[int] = []

    def _look_for_other_throws(self) -> None:
        """Begins a new stretch where `set_dice` or `clone` with a seed has changed the throws to come."""
        table = self._game_env.table
        if table.forced_dice is not self._stretch[3] or table.dice_rng["counter"][0] != self._counter:
            self._close_stretch()
            self._open_stretch(table.dice_rng.copy(), False)

    def _close_stretch(self) -> None:
        """Adds the stretch's throws to those of the game."""
        table, (begins, states, dice_rng, given) = self._game_env.table, self._stretch
        actions, rewards = np.array(self._actions, np.int64), np.zeros(len(self.possible_agents))
        room = FIRST_THROWS
        while True:
            throws = np.zeros((room, given.shape[1]), np.int8)
            count = table.game.compiled.stepwise.list_throws(
                begins, actions, states.copy(), table.variants, dice_rng.copy(), given, table.history.copy(), rewards,
                throws,
            )  # fmt: skip
            if count <= room:
                break
            room = count
        self._throws += [faces[: faces[-1]] for faces in throws[:count].tolist()]
