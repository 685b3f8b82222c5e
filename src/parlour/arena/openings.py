"""Openings: how the games of a run begin. They keep deterministic players from playing the same game many times.

* ``none``: the usual start of the game;
* ``random:8``: 8 plies drawn uniformly at random from the legal actions, with the seed of the pair;
* a file: its positions in turn, one per line; empty lines and lines that begin with # are skipped;
* ``auto``: ``random:8`` between deterministic players in a game without dice, else ``none``;
* a mapping from variants to such lists of positions, where variants do not begin alike.

`parlour.arena.atlas.policies.sampled_openings` draws positions from what players themselves would play.

Both games of a pair have the same opening, with the seats exchanged. So an opening that favours one seat favours
neither player.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from parlour.arena.rulesets import Ruleset
from parlour.engine.game import Game
from parlour.engine.games import Games
from parlour.engine.rows import read_positions
from parlour.engine.variant_mix import single
from parlour.support.errors import listing
from parlour.support.files import read_file

AUTO, NONE, RANDOM = "auto", "none", "random"
AUTOMATIC_PLIES = 8
"""The random plies of ``auto``. Eight plies give hundreds of thousands of different starts even in Checkers, which has
the fewest legal actions. The number is even, so that the seat that usually begins acts first after them."""
MAX_RANDOM_PLIES = 1000
OpeningsLike: TypeAlias = "str | Sequence[str] | Mapping[str, Sequence[str]]"
"""``"auto"``, ``"none"``, ``"random:8"``, a file, a list of positions, or one for each variant by its label."""
FORM = "auto, none, random:PLIES, or a file of positions"


@dataclass(frozen=True)
class Openings:
    """How the games of a series begin.

    Attributes:
        random_plies: the number of random plies.
        positions: texts of positions, used in turn; empty for the usual start of the game.
    """

    random_plies: int = 0
    positions: tuple[str, ...] = ()

    def position(self, index: int) -> str:
        """The text from which pair or single game ``index`` begins; empty if there are no positions."""
        return self.positions[index % len(self.positions)] if self.positions else ""

    def __str__(self) -> str:
        if self.positions:
            return f"{len(self.positions)} positions in turn"
        return f"{self.random_plies} random plies" if self.random_plies else "the start of the game"


@dataclass(frozen=True)
class OpeningChoice:
    """The openings that a user chose; None for ``auto``. ``by_variant``: by label, where variants differ."""

    openings: Openings | None
    by_variant: Mapping[str, Openings] = field(default_factory=dict)

    def between(self, fixed: bool, label: str) -> Openings:
        """The openings of a series under the variant with the ``label``. ``fixed``: whether all its games would be the
        same, since the game has no dice and all players are deterministic."""
        if label in self.by_variant:
            return self.by_variant[label]
        if self.openings is not None:
            return self.openings
        return Openings(AUTOMATIC_PLIES) if fixed else Openings()

    def as_config(self) -> str | list[str] | dict[str, list[str]]:
        """As JSON for a config file; `read_openings` reads it back."""
        if self.by_variant:
            return {label: list(own.positions) for label, own in self.by_variant.items()}
        if self.openings is None:
            return AUTO
        if self.openings.positions:
            return list(self.openings.positions)
        return f"{RANDOM}:{self.openings.random_plies}" if self.openings.random_plies else NONE


def random_openings(plies: Iterable[float]) -> str:
    """Random plies for games between players without dice that take a median of so many ``plies``, the shortest
    counting: `AUTOMATIC_PLIES`, but an even number of about half of the median at most, since a game that ends within
    its opening does not count."""
    most = min(AUTOMATIC_PLIES, 2 * int(min(plies) / 4))
    return f"{RANDOM}:{most}" if most else NONE


def read_openings(openings: OpeningsLike, game: Game, rulesets: Iterable[Ruleset]) -> OpeningChoice:
    """The openings that a user asks for.

    Raises:
        ValueError: for openings that are not valid, such as a position that one of the ``rulesets`` does not allow.
        OSError: for a file that can't be read.
    """
    if isinstance(openings, Mapping):
        own = {ruleset.label: ruleset for ruleset in rulesets}
        if set(openings) != set(own):
            raise ValueError(f"openings for {listing(list(openings))}, where the variants are {listing(list(own))}")
        read = {label: read_openings(list(openings[label]), game, [own[label]]).openings for label in own}
        return OpeningChoice(None, {label: found for label, found in read.items() if found is not None})
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
        sources, texts = _read_positions(Path(openings))
    else:
        texts = [str(text) for text in openings]
        sources = [f"position {number}" for number in range(1, len(texts) + 1)]
    if not texts:
        raise ValueError(f"openings {openings!r} hold no position")
    for ruleset in rulesets:
        games = Games(game, single(game, ruleset.values), 1)
        for source, text in zip(sources, texts):
            try:
                states = read_positions(games, [text]).states
            except ValueError as error:
                raise ValueError(f"{source}, under {ruleset.label}: {error}") from None
            if states["end"][0]:
                raise ValueError(f"{source}, under {ruleset.label}: the game is over in {text!r}")
    return OpeningChoice(Openings(0, tuple(texts)))


def _read_positions(file: Path) -> tuple[list[str], list[str]]:
    """The file and line of each position, and the positions."""
    try:
        lines = read_file(file).decode().splitlines()
    except UnicodeDecodeError:
        raise ValueError(f"{file}: not a text file") from None
    numbered = [(f"{file}, line {k}", line.strip()) for k, line in enumerate(lines, 1)]
    kept = [(source, text) for source, text in numbered if text and not text.startswith("#")]
    return [source for source, _ in kept], [text for _, text in kept]
