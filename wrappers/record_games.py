"""`RecordGames`: every finished game as a line of a file."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from pettingzoo import AECEnv

from parlour.interfaces.game_record import seat_names
from parlour.interfaces.registry import game_with_form
from parlour.rulebook.protocol import RUNNING
from parlour.wrappers.base import Wrapper, bottom_of


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
            ValueError: for a file that can't be written, or for players that are not one text per seat.
        """
        super().__init__(env)
        self._game_env = bottom_of(env)
        self.players = seat_names(players, env.possible_agents)
        if not isinstance(path, (str, PathLike)):
            raise ValueError(f"path must name a file, not {path!r}")
        self.path = Path(path).absolute()
        if game_with_form(self.path.suffix):
            raise ValueError(
                f"games can't be recorded in {str(path)!r}: the ending of its name is not that of JSON lines"
            )
        try:
            with self.path.open("ab"):
                pass
        except (OSError, ValueError) as error:  # a path with a zero byte in it is a ValueError
            raise ValueError(f"games can't be recorded in {str(path)!r}: {error}") from None
        self._recording = False

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """See `GameEnv.reset`."""
        self.env.reset(seed, options)
        self._recording = self._running()

    def step(self, action: int | None) -> None:
        """See `GameEnv.step`; the last ply of a game writes it. OSError where that can't be done any more."""
        self.env.step(action)
        if self._recording and not self._running():
            self._recording = False
            self._game_env.record(self.players).append_to(self.path)

    def _running(self) -> bool:
        """Whether the game goes on by its rules: not ended by these, nor cut by `max_plies`."""
        return bool(self._game_env.games.states["end"][0] == RUNNING)
