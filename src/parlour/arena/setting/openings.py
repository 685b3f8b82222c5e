"""Openings: how the games of a run begin. They keep deterministic players from playing the same game many times.

* ``none``: the usual start of the game;
* ``random:8``: 8 plies drawn uniformly at random from the legal actions, with the seed of the pair;
* a file of positions, one per line; empty lines and lines that begin with # are skipped;
* a file of games (PDN, or records): the different positions from which its games begin; with ``FILE.pdn:8`` the
  different positions after the first 8 plies of its games;
* ``auto``: random plies between deterministic players in a game without dice, else ``none``. There are 8, or fewer
  where games are short (`usual_plies`); ``auto:8`` sets their number;
* a mapping from variants to lists of positions, where variants begin differently.

The seed of the run shuffles the positions of a file. Each is used once before any is used again.

`parlour.arena.study.atlas.sampled_openings` draws positions from what players themselves would play.

Both games of a pair have the same opening, with the seats exchanged. So an opening that favours one seat favours
neither player.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TypeAlias

import numpy as np

from parlour.arena.setting.rulesets import Ruleset
from parlour.engine.game import Game
from parlour.engine.games import Games
from parlour.engine.rows import read_positions
from parlour.engine.variant_mix import single
from parlour.interfaces.game_record import GameRecord
from parlour.interfaces.registry import find
from parlour.players import PlayerLike
from parlour.players.identity import is_deterministic
from parlour.players.names import parse_player
from parlour.players.simulate import play_games
from parlour.records import read_records, replay
from parlour.records.files import JSON_ARRAY, JSON_LINES
from parlour.support.errors import listing
from parlour.support.files import read_file
from parlour.support.paths import Paths, as_typed

AUTO, NONE, RANDOM = "auto", "none", "random"
AUTOMATIC_PLIES = 8
"""The most random plies of ``auto``. Eight plies give hundreds of thousands of different starts even in Checkers, which
has the fewest legal actions. The number is even, so that the seat that usually begins acts first after them."""
RANDOM_GAMES = 64
"""The number of random games that are played to see how long games are."""
MAX_RANDOM_PLIES = 1000
OpeningsLike: TypeAlias = "str | Sequence[str] | Mapping[str, Sequence[str]]"
"""``"auto"``, ``"none"``, ``"random:8"``, a file, a list of positions, or one for each variant by its label."""
FORM = "auto, none, random:PLIES, a file of positions or games, or FILE:PLIES of games"


@dataclass(frozen=True)
class Openings:
    """How the games of a series begin.

    Attributes:
        random_plies: the number of random plies.
        positions: texts of positions, used in turn; empty for the usual start of the game.
        source: the file that they come from, and the seed of their order; empty for a list, which keeps its order.
        short: whether there are fewer random plies than usual, since games are short.
    """

    random_plies: int = 0
    positions: tuple[str, ...] = ()
    source: str = field(default="", compare=False)
    short: bool = False

    def position(self, index: int) -> str:
        """The text from which pair or single game ``index`` begins; empty if there are no positions."""
        return self.positions[index % len(self.positions)] if self.positions else ""

    def among(self, units: int) -> str:
        """How ``units`` pairs or single games begin, in words: ``10 of 2,400 positions of FILE, drawn by seed 3``."""
        count = len(self.positions)
        return f"{units:,} of {self}" if self.source and units < count else str(self)

    def __str__(self) -> str:
        if self.positions:
            return f"{len(self.positions):,} positions {self.source or 'in turn'}"
        plies = f"{self.random_plies} random plies" if self.random_plies else "the start of the game"
        return f"{plies}, since games are short" if self.short else plies


@dataclass(frozen=True)
class OpeningChoice:
    """The openings that a user chose; None for ``auto``. ``by_variant``: by label, where variants differ.
    ``automatic``: the random plies of ``auto``."""

    openings: Openings | None
    by_variant: Mapping[str, Openings] = field(default_factory=dict)
    automatic: int = AUTOMATIC_PLIES

    def between(self, fixed: bool, label: str) -> Openings:
        """The openings of a series under the variant with the ``label``. ``fixed``: whether all its games would be the
        same, since the game has no dice and all players are deterministic."""
        if label in self.by_variant:
            return self.by_variant[label]
        if self.openings is not None:
            return self.openings
        return Openings(self.automatic, short=self.automatic < AUTOMATIC_PLIES) if fixed else Openings()

    def as_config(self) -> str | list[str] | dict[str, list[str]]:
        """As JSON for a config file; `read_openings` reads it back. ``auto`` there means 8 random plies, as in files of
        earlier versions."""
        if self.by_variant:
            return {label: list(openings.positions) for label, openings in self.by_variant.items()}
        if self.openings is None:
            return AUTO if self.automatic == AUTOMATIC_PLIES else f"{AUTO}:{self.automatic}"
        if self.openings.positions:
            return list(self.openings.positions)
        return random_text(self.openings.random_plies)


def random_openings(plies: Iterable[float]) -> str:
    """Openings for games without dice, as `read_openings` takes them. ``plies``: the median length of games under each
    ruleset. The openings are `AUTOMATIC_PLIES` random plies, or an even number of about half of the smallest median if
    that is less, since a game that ends within its opening does not count."""
    return random_text(_fitting_plies(plies))


def random_text(plies: int) -> str:
    """A number of random plies as a text that `read_openings` takes."""
    return f"{RANDOM}:{plies}" if plies else NONE


def _fitting_plies(plies: Iterable[float]) -> int:
    return min(AUTOMATIC_PLIES, 2 * int(min(plies) / 4))


def usual_plies(game: Game, rulesets: Iterable[Ruleset]) -> int:
    """How many random plies ``auto`` means between deterministic players under all these rulesets: as many as
    `random_openings` gives for the lengths of random games; 0 in a game with dice."""
    if game.rules.DICE:
        return 0
    random = parse_player("random", game)
    seeds = range(RANDOM_GAMES)
    played = (play_games(game, ruleset.values, [random] * ruleset.seats, seeds) for ruleset in rulesets)
    return _fitting_plies(float(np.median(results.plies)) for results in played)


def read_openings(
    openings: OpeningsLike,
    game: Game,
    rulesets: Sequence[Ruleset],
    players: Iterable[PlayerLike] = (),
    seed: int = 0,
    paths: Paths = as_typed,
) -> OpeningChoice:
    """The openings that a user asks for.

    ``players``: those of the run; only if one of them is deterministic, ``auto`` adapts to the length of games.
    ``seed``: of the run; it decides the order of a file's positions. ``paths``: turns the name of a file into its path.

    Raises:
        ValueError: for openings that are not valid, such as a position that one of the ``rulesets`` does not allow.
        OSError: for a file that can't be read.
    """
    if isinstance(openings, Mapping):
        named = {ruleset.label: ruleset for ruleset in rulesets}
        if set(openings) != set(named):
            raise ValueError(f"openings for {listing(list(openings))}, where the variants are {listing(list(named))}")
        read = {label: read_openings(list(openings[label]), game, [named[label]]).openings for label in named}
        return OpeningChoice(None, {label: choice for label, choice in read.items() if choice is not None})
    if openings == NONE:
        return OpeningChoice(Openings())
    if openings == AUTO:
        fits = not game.rules.DICE and any(is_deterministic(player, game) for player in players)
        return OpeningChoice(None, automatic=usual_plies(game, rulesets) if fits else AUTOMATIC_PLIES)
    if isinstance(openings, str):
        kind, _, count = openings.partition(":")
        if kind in (AUTO, RANDOM):
            low, high = (0, AUTOMATIC_PLIES) if kind == AUTO else (1, MAX_RANDOM_PLIES)
            if not (count.isascii() and count.isdecimal() and low <= int(count) <= high):
                raise ValueError(f"openings {openings!r} are not valid; {kind}:PLIES takes {low} to {high}")
            plies = int(count)
            return OpeningChoice(None, automatic=plies) if kind == AUTO else OpeningChoice(Openings(plies))
        texts = _read_file(openings, game, paths)
        source, order = f"of {openings}, drawn by seed {seed}", np.random.default_rng(seed).permutation(len(texts))
    else:
        if not isinstance(openings, Sequence):
            raise ValueError(f"openings {openings!r} are not valid; valid: {FORM}, or a list of positions")
        texts = [(f"position {number}", str(text)) for number, text in enumerate(openings, 1)]
        source, order = "", np.arange(len(texts))
    if not texts:
        raise ValueError(f"openings {openings!r} hold no position")
    for ruleset in rulesets:
        games = Games(game, single(game, ruleset.values), 1)
        for where, text in texts:
            try:
                states = read_positions(games, [text]).states
            except ValueError as error:
                if source and not _any_position(games, texts):  # perhaps a private file: don't quote it
                    raise ValueError(f"{where}: not a position of {game.id}, nor is anything in that file") from None
                raise ValueError(f"{where}, under {ruleset.label}: {error}") from None
            if states["end"][0]:
                raise ValueError(f"{where}, under {ruleset.label}: the game is over in {text!r}")
    return OpeningChoice(Openings(0, tuple(texts[k][1] for k in order), source))


def _any_position(games: Games, texts: Sequence[tuple[str, str]]) -> bool:
    for _, text in texts:
        with suppress(ValueError):
            read_positions(games, [text])
            return True
    return False


def _read_file(openings: str, game: Game, paths: Paths) -> list[tuple[str, str]]:
    """The positions of ``FILE`` or ``FILE:PLIES`` in the file's order: for each its place in the file, and its text."""
    name, _, count = openings.rpartition(":")
    has_plies = count.isascii() and count.isdecimal() and not Path(openings).exists()  # a colon may belong to the name
    plies = int(count) if has_plies else None
    try:
        file = Path(paths(name if has_plies else openings))
    except ValueError as error:
        raise ValueError(f"there are no openings {openings!r}; {error}; valid: {FORM}") from None
    if not file.exists() or (has_plies and not file.is_file()):
        raise ValueError(f"there are no openings {openings!r}, and no such file; valid: {FORM}")
    if file.suffix.lower() in (JSON_LINES, JSON_ARRAY, *game.record_forms):
        return _positions_of_games(file, game, plies)
    if plies is not None:
        raise ValueError(f"openings {openings!r}: {file} holds positions, so there are no plies to be played")
    return _positions(file)


def _positions_of_games(file: Path, game: Game, plies: int | None) -> list[tuple[str, str]]:
    """The different positions after the first ``plies`` of a file's games, without games that are over by then; None
    for the positions from which games begin. As in `_read_file`."""
    if plies is not None and not 1 <= plies <= MAX_RANDOM_PLIES:
        raise ValueError(f"openings {file}:{plies}: the plies of its games are 1 to {MAX_RANDOM_PLIES}")
    places: dict[str, str] = {}
    for number, record in enumerate(read_records(file), 1):
        where = f"{file}, game {number}"
        if find(record.game) != game:
            raise ValueError(f"{where} is a game of {record.game}, not of {game.id}")
        text = record.position if plies is None else _after(record, plies, where)
        if text:
            places.setdefault(text, where)
    if not places:
        problem = f"no game begins from a position; {file}:8 takes the positions after 8 plies"
        raise ValueError(f"openings {file}: {problem if plies is None else f'no game goes on after {plies} plies'}")
    return [(where, text) for text, where in places.items()]


def _after(record: GameRecord, plies: int, where: str) -> str:
    """The position after the first ``plies`` of a game; empty if it is over by then."""
    if len(record.moves) < plies:
        return ""
    env = next(islice(replay(record, where), plies, None))
    return "" if env.is_over() else env.position()


def _positions(file: Path) -> list[tuple[str, str]]:
    """The positions of a text file. As in `_read_file`."""
    try:
        lines = read_file(file).decode().splitlines()
    except UnicodeDecodeError:
        raise ValueError(f"{file}: not a text file") from None
    numbered = [(f"{file}, line {k}", line.strip()) for k, line in enumerate(lines, 1)]
    return [(source, text) for source, text in numbered if text and not text.startswith("#")]
