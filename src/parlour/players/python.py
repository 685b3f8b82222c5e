"""Players written in Python, by name: ``python:module:name``.

The name in the module may be

* a function ``(observation, action_mask) -> actions``: int8 (M, C, H, W) and int8 (M, A) of the M games that wait, to
  whole numbers (M,);
* a player, an object with the method ``choose(view, row_mask, actions)`` of `parlour.players.Player`, which is
  copied for each use; or
* a class of such players, made without arguments for each use.

Every action is checked. An attribute ``version`` distinguishes states of a player (see
`parlour.players.identity`); ``deterministic`` says whether it always gives the same answer to a position.
"""

from __future__ import annotations

import copy
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.game import Game
from parlour.engine.player import Function
from parlour.engine.view import GamesView
from parlour.players.checked import CheckedPlayer
from parlour.players.kind import NotInForm, PlayerKind
from parlour.support.errors import listing
from parlour.support.paths import Paths

UNKNOWN = "unknown"
"""The version of a Python player without one."""
ABILITIES = ("action_values", "consider", "depth", "max_rows", "network", "seconds", "values")
"""What an object may have beside `choose`, as built-in players do: see `parlour.players.Considering`, `Estimating` and
`parlour.players.soft.Valuing`, and ``max_rows``, the most games side by side."""


class PythonPlayer(PlayerKind):
    """A player written in Python, every action of which is checked."""

    KIND, NAMES = "python", {"python:my_players:best": "a function, player or class of yours: best in my_players.py"}

    def __init__(self, module: str, name: str) -> None:
        self.module, self.attribute = module, name
        self.name = f"python:{module}:{name}"
        given = _object_called(module, name)
        self.identity = python_identity(given)
        self.deterministic = bool(getattr(given, "deterministic", True))
        player, called = _own_copy(self.name, given), f"player {self.name!r}"
        if hasattr(player, "choose"):
            self._player = CheckedPlayer(called, player, None)
            vars(self).update({name: getattr(player, name) for name in ABILITIES if hasattr(player, name)})
        else:
            self._player = CheckedPlayer(called, None, player)

    @classmethod
    def parse(cls, text: str | None, game: Game | None, paths: Paths) -> PythonPlayer:
        """``python:module:name``: see `parlour.players.kind.PlayerKind`."""
        module, colon, name = (text or "").partition(":")
        if not (colon and name.isidentifier() and all(part.isidentifier() for part in module.split("."))):
            raise NotInForm("a module and a name in it are missing")
        return cls(module, name)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles keep only its name."""
        return type(self), (self.module, self.attribute)

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `parlour.players.Player`. Raises as `parlour.players.CheckedPlayer` does, and what the player raises."""
        self._player.choose(view, row_mask, actions)


def python_identity(player: Any) -> dict[str, str]:
    """What distinguishes a function or player from others: where it is defined, its ``version``, its ``identity``."""
    named = player if hasattr(player, "__qualname__") else type(player)
    return {
        "python": f"{named.__module__}.{named.__qualname__}",
        "version": str(getattr(player, "version", UNKNOWN)),
        **getattr(player, "identity", {}),
    }


class OneAtATime:
    """A function behind a lock: one thread at a time may call it."""

    def __init__(self, function: Function) -> None:
        self.function, self.lock = function, Lock()

    def __call__(self, observation: Any, action_mask: NDArray[np.int8]) -> Any:
        """Calls the function."""
        with self.lock:
            return self.function(observation, action_mask)

    def __reduce__(self) -> tuple[Any, ...]:
        """With a lock of its own in another process."""
        return type(self), (self.function,)


_one_at_a_time = cache(OneAtATime)  # one lock for each function


def _own_copy(player: str, given: Any) -> Any:
    """The player for one use of the object: a copy, or a function behind a lock."""
    if isinstance(given, type) or hasattr(given, "choose"):
        try:
            return given() if isinstance(given, type) else copy.deepcopy(given)
        except Exception as error:
            done = "made without arguments" if isinstance(given, type) else "copied"
            raise ValueError(f"player {player!r} can't be {done}: {type(error).__name__}: {error}") from None
    if callable(given):
        return _one_at_a_time(given)
    raise ValueError(
        f"player {player!r} is {given!r:.80}; valid: a function (observation, action_mask) -> actions, a player with a "
        "method choose(view, row_mask, actions), or a class of these"
    )


def _object_called(module: str, name: str) -> Any:
    """The object of that name. ValueError if there is none."""
    loaded = _imported(module)
    if not hasattr(loaded, name):
        names = [known for known in vars(loaded) if not known.startswith("_") and callable(getattr(loaded, known))]
        raise ValueError(f"module {module!r} has no {name!r}; what can be called in it: {listing(names)}")
    return getattr(loaded, name)


def _imported(module: str) -> ModuleType:
    """The module, which may lie in the current folder. ValueError if it can't be imported."""
    here = str(Path.cwd())
    if here not in sys.path:  # commands are not run with it, unlike python -m
        sys.path.append(here)
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{module}.".startswith(f"{error.name}."):
            raise ValueError(f"there is no module {error.name!r} for the player python:{module}:…") from None
        raise ValueError(f"module {module!r} can't be imported: {error}") from None
    except Exception as error:
        raise ValueError(f"module {module!r} can't be imported: {type(error).__name__}: {error}") from None
