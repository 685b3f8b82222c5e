"""Openings: how the games of a run begin, so that players who always play the same do not play one game many times.

* ``none``: at the start of the game;
* ``random:8``: with 8 plies drawn uniformly at random from the legal ones, by the seed of the pair;
* a file: at its positions in turn, one a line; empty lines and lines that begin with # are skipped;
* ``auto``: ``random:8`` between deterministic players in a game without dice, else ``none``.

Both games of a pair have the same opening, with the seats exchanged, so that an opening that favours one seat favours
neither player.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from parlour.arena.rulesets import Ruleset
from parlour.engine.game import Game
from parlour.engine.games import Games
from parlour.engine.variant_mix import single
from parlour.files import read_file

AUTO, NONE, RANDOM = "auto", "none", "random"
AUTOMATIC_PLIES = 8
"""The random plies of ``auto``. Eight give Checkers, which has the fewest legal plies, hundreds of thousands of
different starts, and are an even number, so that the seat that usually begins does."""
MAX_RANDOM_PLIES = 1000
OpeningsLike: TypeAlias = "str | Sequence[str]"
"""``"auto"``, ``"none"``, ``"random:8"``, the path of a file, or a list of positions."""
FORM = "auto, none, random:PLIES, or a file of positions"


@dataclass(frozen=True)
class Openings:
    """How the games of a series begin.

    Attributes:
        random_plies: plies drawn at random.
        positions: texts of positions, taken in turn; none for the start of the game.
    """

    random_plies: int = 0
    positions: tuple[str, ...] = ()

    def position(self, place: int) -> str:
        """The text of the position for the pair (or the game without a pair) number ``place``; empty for none."""
        return self.positions[place % len(self.positions)] if self.positions else ""

    def __str__(self) -> str:
        """In words."""
        if self.positions:
            return f"{len(self.positions)} positions in turn"
        return f"{self.random_plies} random plies" if self.random_plies else "the start of the game"


@dataclass(frozen=True)
class OpeningChoice:
    """What was asked for: certain openings, or None for ``auto``."""

    openings: Openings | None

    def between(self, fixed: bool) -> Openings:
        """The openings of a series. ``fixed``: whether all its games would be the same from the start: the game has no
        dice, and all players are deterministic."""
        if self.openings is not None:
            return self.openings
        return Openings(AUTOMATIC_PLIES) if fixed else Openings()

    def as_config(self) -> str | list[str]:
        """As JSON holds it; `read_openings` reads it back."""
        if self.openings is None:
            return AUTO
        if self.openings.positions:
            return list(self.openings.positions)
        return f"{RANDOM}:{self.openings.random_plies}" if self.openings.random_plies else NONE


def read_openings(openings: OpeningsLike, game: Game, rulesets: Iterable[Ruleset]) -> OpeningChoice:
    """The openings that a user asks for.

    Raises:
        ValueError: for what is not valid, such as a position that one of the ``rulesets`` does not allow.
        OSError: for a file that can't be read.
    """
    if openings in (AUTO, NONE):
        return OpeningChoice(None if openings == AUTO else Openings())
    if isinstance(openings, str):
        kind, _, count = openings.partition(":")
        if kind == RANDOM:
            if not (count.isascii() and count.isdecimal() and 1 <= int(count) <= MAX_RANDOM_PLIES):
                raise ValueError(f"openings {openings!r} are not valid; random:PLIES takes 1 to {MAX_RANDOM_PLIES}")
            return OpeningChoice(Openings(int(count)))
        if not Path(openings).exists():
            raise ValueError(f"there are no openings {openings!r}, and no such file; valid: {FORM}")
        places, texts = _read_positions(Path(openings))
    else:
        texts = [str(text) for text in openings]
        places = [f"position {number}" for number in range(1, len(texts) + 1)]
    if not texts:
        raise ValueError(f"openings {openings!r}: there is no position in it")
    for ruleset in rulesets:
        games = Games(game, single(game, ruleset.values), 1)
        for place, text in zip(places, texts):
            try:
                states = games.read([text]).states
            except ValueError as error:
                raise ValueError(f"{place}, under {ruleset.label}: {error}") from None
            if states["end"][0]:
                raise ValueError(f"{place}, under {ruleset.label}: the game is over in {text!r}")
    return OpeningChoice(Openings(0, tuple(texts)))


def _read_positions(file: Path) -> tuple[list[str], list[str]]:
    """Where each position of a file stands, and the positions."""
    try:
        lines = read_file(file).decode().splitlines()
    except UnicodeDecodeError:
        raise ValueError(f"{file}: not a text file") from None
    found = [(f"{file}, line {k}", line.strip()) for k, line in enumerate(lines, 1)]
    kept = [(place, text) for place, text in found if text and not text.startswith("#")]
    return [place for place, _ in kept], [text for _, text in kept]
