"""Pins: what files say of the rules under which they were made, so that they are refused where the rules have changed.

`parlour.players.value.inputs.play_digest` is of the first plies of games alone, and every file has it. A pin
(`Pin`) is of whole games of random play. Files of version 0.3.0 and before have none; for what comes with a game, the
file ``play.json`` of the game's folder has pins (`PLAY`).

A pin can't notice a rule that random play never meets, so it also has a digest of the sources of the rules. Where these
alone differ, that is told once a process.

Without compiling (``NUMBA_DISABLE_JIT=1``) no pins are made or looked at: whole games would take minutes.
"""

from __future__ import annotations

import hashlib
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import numpy as np
from msgspec import UNSET, Meta, UnsetType

from parlour.engine.arrays import DISABLED
from parlour.engine.game import Game
from parlour.engine.games import Games
from parlour.engine.seeds import seed_words
from parlour.engine.variant_mix import Entry, single
from parlour.players.value.inputs import DIGEST_GAMES, numbers_of
from parlour.rulebook.compiler.cache import sources_digest
from parlour.rulebook.compiler.dependencies import reachable
from parlour.rulebook.compiling import COMPILED
from parlour.rulebook.options import Value
from parlour.rulebook.protocol import RUNNING
from parlour.support.errors import listing
from parlour.support.typed_json import Count, Struct, read_json

PLAY = "play.json"
"""The name of a file in a game's folder: see `Pins`. ``python -m tests.golden`` writes it."""
WHOLE_GAMES, MOST_PLIES = 32, 2000
"""Random games in each variant; plies of each at most."""
LOOK_EVERY = 64
"""At every so many plies it counts what a network sees."""
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]


class Pin(Struct, frozen=True):
    """The rules under which something was made, for the option values under which it was."""

    play: Digest
    """Of whole games of random play: who acts, what is legal, rewards, how games end, and what a network sees"""
    positions: Count
    """How many positions it is of"""
    sources: Digest
    """Of the source files of the rules: see `sources_of`"""


class Pins(Struct, frozen=True):
    """What stands in ``play.json``: pins of the files that come with a game, as long as they fit (`latest`)."""

    game: str
    variants: dict[str, Pin]
    """Of the named variants"""


def pin_of(game: Game, values: Mapping[str, Value]) -> Pin | UnsetType:
    """The pin of the rules as they are now, under these option values; UNSET without compiling."""
    return Pin(*_whole_play(game, tuple(sorted(values.items()))), sources_of(game)) if COMPILED else UNSET


@lru_cache(1024)
def _whole_play(game: Game, option_values: tuple[tuple[str, Value], ...]) -> tuple[str, int]:
    """`Pin.play` and `Pin.positions`, once for each game and its options."""
    games = Games(game, single(game, dict(option_values)), WHOLE_GAMES)
    rows, actions = np.arange(WHOLE_GAMES), np.zeros(WHOLE_GAMES, np.int64)
    digest, positions = hashlib.sha256(), 0
    games.begin(seed_words(range(DIGEST_GAMES, DIGEST_GAMES + WHOLE_GAMES)))  # others than those of `play_digest`
    for ply in range(MOST_PLIES):
        for array in (games.states["to_act"], games.legal_bits, games.rewards, games.states["end"]):
            digest.update(array.tobytes())
        if ply % LOOK_EVERY == 0:
            digest.update(numbers_of(games, rows, games.states["to_act"]).tobytes())
        running = int(np.count_nonzero(games.states["end"] == RUNNING))
        if not running:
            break
        positions += running
        games.sample(actions)
        games.step(actions, DISABLED)
    return digest.hexdigest()[:16], positions


@cache
def sources_of(game: Game) -> str:
    """Sixteen hex digits of the files of a game's rules: of ``rules.py`` and ``variants.py``, of all that the kernels
    come from, in whatever folders, and of the game's modules that ``rules.py`` names. The engine, which is not the
    game's, is left out."""
    within = f"{game.package}."
    used = list(vars(game.rules).values())
    kernels = [value for value in used if hasattr(value, "py_func")]
    modules = {_module_of(each) for each in (game.rules, import_module(f"{within}variants"), *used, *reachable(used))}
    files = {
        *(str(sys.modules[name].__file__) for name in modules if name.startswith(within)),
        *(each.__code__.co_filename for each in reachable(kernels) if not _is_pythons(each.__module__)),
    }
    return sources_digest(tuple(sorted(path for path in map(Path, files) if path.is_file())))


def _module_of(value: Any) -> str:
    """The name of a module, or of that in which a function was defined; empty for anything else."""
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "")
    return str(name) if name in sys.modules else ""


def _is_pythons(module: str | None) -> bool:
    return (module or "").partition(".")[0] in sys.stdlib_module_names


def read_pins(game: Game) -> Mapping[str, Pin]:
    """The pins in a game's ``play.json``, by variants; none if there is no file. ValueError for anything else."""
    path = game.folder / PLAY
    if not path.exists():
        return {}
    pins = read_json(path, Pins)
    if pins.game != game.id:
        raise ValueError(f"{path}: pins of {pins.game!r:.80}, not of {game.id}")
    valid = [variant.name for variant in game.variants]
    for name in pins.variants:
        if name not in valid:
            raise ValueError(f"{path}: {game.id} has no variant {name!r:.80}; variants: {listing(valid)}")
    return pins.variants


def pins_beside(file: Path, game: Game, entries: Sequence[Entry]) -> list[Pin | UnsetType]:
    """What a game's ``play.json`` says of these variants, for a file in the game's folder. UNSET for a file elsewhere,
    and for option values that are not the variant's. ValueError as `read_pins` raises it."""
    pins = read_pins(game) if file.parent.resolve() == game.folder.resolve() else {}
    return [
        pins[entry.variant]
        if entry.variant in pins and entry.values == game.resolve(entry.variant, {})[1]
        else UNSET
        for entry in entries
    ]  # fmt: skip


def latest(pin: Pin | UnsetType, beside: Pin | UnsetType) -> Pin | UnsetType:
    """The pin to go by, of the ``pin`` of a file which comes with a game and that in ``play.json``: the second, unless
    play is another. Its sources are those of which the author has last found that they change no play."""
    return beside if isinstance(beside, Pin) and (pin is UNSET or pin.play == beside.play) else pin


def fits(what: str, pins: Sequence[Pin | UnsetType], now: Callable[[int], Pin | UnsetType]) -> bool:
    """Whether the rules play as pins say. Where the sources alone differ, a warning says so, once a process.

    ``what``: has the pins, for the warning; ``now``: what the pin with this number would be today."""
    known = [
        (pin, today)
        for number, pin in enumerate(pins)
        if isinstance(pin, Pin) and isinstance(today := now(number), Pin)
    ]
    if any(pin.play != today.play for pin, today in known):
        return False
    if any(pin.sources != today.sources for pin, today in known):
        _tell(what, sum(today.positions for _, today in known))
    return True


@cache
def _tell(what: str, positions: int) -> None:
    warnings.warn(
        f"{what}: the sources of the rules differ from those that it was made with; play in {positions:,} positions is "
        "the same",
        stacklevel=2,
    )
