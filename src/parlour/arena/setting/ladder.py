"""Ladders: players of known strength for a variant of a game, from `random` up to the champion with search; and
opponents for people, six players of rising strength, from beginner to champion.

A game's ladders are in the file ``ladder.json`` of its folder, which `parlour.arena.ladders.ladder_making` writes. Each
player, a rung, has its Elo with a 95 % interval, above the ladder's zero, which is one of the rungs. The scale stays
the same as long as the rungs do. So a ladder is pinned: to a digest of the rules, and for each rung to a digest of its
network and of the settings of its search. A ladder whose pins no longer fit is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated

import numpy as np
from msgspec import UNSET, Meta, UnsetType, field
from numpy.typing import NDArray

from parlour.arena.setting.plans import Plan
from parlour.arena.setting.rulesets import Ruleset, read_ruleset
from parlour.arena.statistics.anchored_rating import Scale
from parlour.arena.statistics.ratings import PairedRatings, PairedResults
from parlour.engine.game import Game
from parlour.interfaces.registry import find
from parlour.players.champion import NAME as CHAMPION
from parlour.players.champion import champion_plays
from parlour.players.identity import play_pin, player_pin
from parlour.players.names import is_code, parse_player
from parlour.players.value.pins import Digest, Pin, fits, pin_of, read_pins
from parlour.support.errors import listing
from parlour.support.signed import signed
from parlour.support.typed_json import Count, Struct, read_json

LADDER = "ladder.json"
RUNGS = "valid: players that everybody has who has the game, such as mcts:50 or champion:2"
MIN_RUNGS, MAX_RUNGS = 2, 64
Elo = Annotated[float, Meta(ge=-1e5, le=1e5)]
Journal = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
NAMES = ("beginner", "easy", "medium", "hard", "expert", "champion")
EASY = NAMES[1]
"""The opponent of people who name none."""
UNMEASURED = ("random", "greedy", "mcts:50", "expectimax:2", "mcts:0.5s")
STRONGEST = "expectimax:1s"
MEDIUM = 50
"""The simulations of a tree search of medium strength, where strengths are not measured."""
SIMULATIONS = re.compile(r"mcts:(\d+)(:.*)?")


def check_no_code(name: str) -> None:
    """ValueError for a player that is code."""
    if is_code(name):
        raise ValueError(f"the rung {name!r:.200} is code, and a ladder is a file that people exchange; {RUNGS}")


def check_no_files(name: str, game: Game) -> None:
    """ValueError for a player that plays from a file which its name tells, and as `parlour.players.parse_player`."""

    def refused(path: str) -> str:
        raise ValueError(f"the rung {name!r:.200} opens {path!r:.200}, which others don't have; {RUNGS}")

    parse_player(name, game, refused)


class Rung(Struct, frozen=True, kw_only=True):
    """A player of known strength.

    Attributes:
        player: its name, as `parlour.players.parse_player` reads it.
        elo: its rating above the ladder's zero.
        low, high: the ends of the 95 % interval.
        games: how many games it played for that.
        pin: a digest of its network and of the settings of its search, see `parlour.players.identity.player_pin`.
        conduct: a digest of how it plays, see `parlour.players.identity.conduct_pin`. Not looked at when the ladder is
            read: it takes seconds, and a processor of another kind may round otherwise. A test of the package does.
    """

    player: str
    elo: Elo
    low: Elo
    high: Elo
    games: Count
    pin: Digest
    conduct: Digest

    def __post_init__(self) -> None:
        """ValueError for a player that is code."""
        check_no_code(self.player)


class Pairing(Struct, frozen=True, kw_only=True):
    """What two rungs scored against each other.

    Attributes:
        first, second: their names.
        pairs: how many pairs of games had each of the nine results: entry 3a + b is the number of pairs in which
            ``first`` scored a / 2 in the first seat and b / 2 in the second.
    """

    first: str
    second: str
    pairs: Annotated[list[Count], Meta(min_length=9, max_length=9)]


class LadderRun(Struct, frozen=True, kw_only=True):
    """Games of a ladder that were played with one seed. See `Ladder` for its attributes."""

    seed: Count
    journal: Journal
    pairings: list[Pairing]


class Ladder(Struct, frozen=True, kw_only=True):
    """The ladder of a variant.

    Attributes:
        variant: its name.
        rules: a digest of the rules under which it was made, see `parlour.players.identity.play_pin`.
        pin: of whole games and of the rules' sources, see `parlour.players.value.pins`; a ladder without one has that
            of the game's ``play.json``.
        parlour: the version of Parlour that made it.
        zero: the rung whose Elo is 0.
        openings: how games begin, see `parlour.arena.setting.openings`.
        seed: of the games of the latest run.
        journal: the SHA-256 of the journal of these.
        first_seat: what the first seat is worth, in Elo.
        draws: ν of `parlour.arena.statistics.ratings`: how frequent draws are.
        intransitivity: by how many Elo the scores of pairings typically depart from the ratings.
        rungs: from the weakest to the strongest.
        pairings: the results of all pairings in the latest run.
        earlier: the runs before it, which had other seeds; their games count as well.
    """

    variant: str
    rules: Digest
    pin: Pin | UnsetType = UNSET
    parlour: str
    zero: str
    openings: Annotated[str, Meta(pattern=r"^(none|random:[0-9]{1,4})\Z")]
    seed: Count
    journal: Journal
    first_seat: Elo
    draws: Annotated[float, Meta(gt=0)]
    intransitivity: Elo
    rungs: Annotated[list[Rung], Meta(min_length=MIN_RUNGS, max_length=MAX_RUNGS)]
    pairings: list[Pairing]
    earlier: list[LadderRun] = field(default_factory=list)

    def __post_init__(self) -> None:
        """ValueError if its parts do not fit together."""
        names = [rung.player for rung in self.rungs]
        if len(set(names)) < len(names):
            raise ValueError(f"rungs of {self.variant!r}: every player once, not {listing(names)}")
        known = {self.zero, *(name for one in self.all_pairings for name in (one.first, one.second))}
        if known - set(names):
            raise ValueError(f"{min(known - set(names))!r} is no rung of {self.variant!r}; rungs: {listing(names)}")

    @property
    def runs(self) -> list[LadderRun]:
        """All runs, the latest last."""
        return [*self.earlier, LadderRun(seed=self.seed, journal=self.journal, pairings=self.pairings)]

    @property
    def all_pairings(self) -> list[Pairing]:
        """The pairings of all runs."""
        return [one for run in self.runs for one in run.pairings]

    @property
    def names(self) -> list[str]:
        """The players, from the weakest to the strongest."""
        return [rung.player for rung in self.rungs]

    @property
    def reach(self) -> float:
        """Half the width of the widest interval of a rung."""
        return max((rung.high - rung.low) / 2 for rung in self.rungs)

    def ratings(self) -> PairedRatings:
        """The ratings of its rungs, calculated anew from its pairings. ValueError if these do not connect all rungs."""
        return ratings_by(self.all_pairings, self.names, self.zero)

    def scale(self) -> Scale:
        """The same, as what other players are rated on."""
        known = self.ratings()
        return Scale(known.elo, known.covariance, known.first_seat, known.log_nu)


def ratings_by(pairings: Iterable[Pairing], names: Sequence[str], zero: str) -> PairedRatings:
    """The ratings of players by pairings; those of the same two players, in either order, count together, in the place
    of the first. ValueError if they do not connect all players."""
    number = {name: k for k, name in enumerate(names)}
    pairs: dict[tuple[int, int], NDArray[np.float64]] = {}
    for pairing in pairings:
        met, table = (number[pairing.first], number[pairing.second]), np.array(pairing.pairs, np.float64).reshape(3, 3)
        if met[::-1] in pairs:
            met, table = met[::-1], table.T[::-1, ::-1]  # the other player's scores
        pairs[met] = pairs.get(met, 0) + table
    firsts, seconds = np.array(list(pairs), np.int64).reshape(-1, 2).T
    tables = np.array(list(pairs.values())).reshape(-1, 3, 3)
    return PairedResults(firsts, seconds, tables, len(number), number[zero]).fit()


class Ladders(Struct, frozen=True, kw_only=True):
    """The file ``ladder.json``: the ladders of a game.

    Attributes:
        game: the game's id.
        ladders: one for each variant that has one.
    """

    game: str
    ladders: list[Ladder]

    def __post_init__(self) -> None:
        """ValueError for a variant twice."""
        names = [ladder.variant for ladder in self.ladders]
        if len(set(names)) < len(names):
            raise ValueError(f"ladders: every variant once, not {listing(names)}")


def ladder_file(game: Game) -> Path:
    """Where a game's ladders are."""
    return game.folder / LADDER


def read_ladders(game: Game, file: Path | None = None) -> Mapping[str, Ladder]:
    """The ladders of a game by variants, none if there is no file; their pins are not looked at.

    ``file``: where they are; None for the game's own. ValueError, with the file and the place in it, for anything else.
    """
    path = file or ladder_file(game)
    if not path.exists():
        return {}
    ladders = read_json(path, Ladders)
    if ladders.game != game.id:
        raise ValueError(f"{path}: ladders of {ladders.game!r:.80}, not of {game.id}")
    valid = [variant.name for variant in game.variants]
    for name in (ladder.variant for ladder in ladders.ladders):
        if name not in valid:
            raise ValueError(f"{path}: {game.id} has no variant {name!r:.80}; variants: {listing(valid)}")
    return {ladder.variant: ladder for ladder in ladders.ladders}


def rungs(game: str | Game, variant: str | None = None) -> list[Rung]:
    """The rungs of a variant's ladder, from the weakest to the strongest; none if it has no ladder.

    ``game``: an id such as ``"agon-v0"``; ``variant``: a variant's name, None for the game's first. ValueError for a
    game or a variant that there is not, or a damaged file.
    """
    known = find(game) if isinstance(game, str) else game
    ladder = read_ladders(known).get(read_ruleset(known, variant, {}).variant)
    return list(ladder.rungs) if ladder else []


def ladder_of(game: Game, variant: str | None = None, file: Path | None = None) -> tuple[Ladder, Ruleset]:
    """The ladder of a variant, and what is played there. ``variant``: its name, None for the game's first; ``file``: as
    in `read_ladders`.

    ValueError for a variant without a ladder, for a ladder whose pins no longer fit, and where ratings would mean
    nothing.
    """
    ruleset = read_ruleset(game, variant, {})
    reason = game.unrated(ruleset.values)
    if reason:
        raise ValueError(f"{game.id}, {ruleset.variant}, has no ladder: {reason}")
    how = f"parlour ladder {game.name} --variant {ruleset.variant} --make"
    ladder = read_ladders(game, file).get(ruleset.variant)
    if ladder is None:
        raise ValueError(f"{game.id}, {ruleset.variant}, has no ladder yet; '{how}' makes one")
    changed = changes(ladder, game, ruleset)
    if changed:
        raise ValueError(
            f"the ladder of {game.id}, {ruleset.variant}, no longer fits: {changed[0]}; '{how}' makes a new one"
        )
    return ladder, ruleset


def rungs_among(plan: Plan, label: str | None = None) -> dict[str, float]:
    """Those players of a plan that are rungs of the ladder of a variant, by its ``label`` (None for the only one), with
    their Elo; none if it has no ladder that fits, or if option values differ from the variant's."""
    several = [series for series in plan.series if label in (None, series.ruleset.label)]
    game, ruleset = plan.game, several[0].ruleset
    ladder = None if ruleset.overrides else read_ladders(game).get(ruleset.variant)
    played = {name for series in several for name in (series.first, series.second)} - set(plan.custom)
    if ladder is None or not played & set(ladder.names) or changes(ladder, game, ruleset):
        return {}
    return {rung.player: rung.elo for rung in ladder.rungs if rung.player in played}


def changes(ladder: Ladder, game: Game, ruleset: Ruleset) -> list[str]:
    """What has changed since a ladder was made, a sentence for each pin that no longer fits. ValueError for a damaged
    ``play.json``, and for a rung that opens a file."""
    reasons = []
    now = play_pin(game, ruleset.values)
    whole = read_pins(game).get(ladder.variant, UNSET) if ladder.pin is UNSET else ladder.pin
    what = f"the ladder of {game.id}, {ladder.variant}"
    if now != ladder.rules:
        reasons.append(f"it was made under rules {ladder.rules}, and they are now {now}")
    elif not fits(what, [whole], lambda number: pin_of(game, ruleset.values)):
        reasons.append("it was made under other rules: whole games of random play are no longer the same")
    for rung in ladder.rungs:
        check_no_files(rung.player, game)
        pin = player_pin(rung.player, game)
        if pin != rung.pin:
            reasons.append(f"its player {rung.player!r} was {rung.pin}, and is now {pin}")
    return reasons


@dataclass(frozen=True)
class Grade:
    """A player to choose: its name in words, its technical name, and what to say of its strength; may be empty."""

    name: str
    player: str
    note: str = ""


@lru_cache(maxsize=256)
def grades(game: Game, variant: str) -> tuple[tuple[Grade, ...], str]:
    """The six players for a variant, and how their order is known: by the variant's measured ladder; by that of another
    variant, if the champion plays both; or by how far the players look ahead. ValueError for an unknown variant."""
    measured, known = rungs(game, variant), champion_plays(game, [game.resolve(variant, {})[1]])
    if len(measured) >= len(NAMES):
        zero = next((rung.player for rung in measured if rung.elo == 0), measured[0].player)
        note = f"Strengths are measured under the rules of {variant}: Elo above the player {zero}."
        return tuple(Grade(name, rung.player, _elo(rung)) for name, rung in zip(NAMES, _spaced(measured))), note
    ladders = ((other.name, rungs(game, other.name)) for other in game.variants if known)
    for other, measured_there in ladders:
        if len(measured_there) >= len(NAMES):
            note = f"Strengths are not measured under these rules: the players are those of {other}, in its order."
            return tuple(Grade(name, rung.player) for name, rung in zip(NAMES, _spaced(measured_there))), note
    top = CHAMPION if known else STRONGEST
    note = "Strengths are not measured: the players are in the order of how far they look ahead."
    return tuple(Grade(name, player) for name, player in zip(NAMES, (*UNMEASURED, top))), note


def is_weak(player: str) -> bool:
    """Whether a player is weak in any game, by its name: what happens in its games says little of better play."""
    search = SIMULATIONS.fullmatch(player)
    return player == UNMEASURED[0] or (search is not None and int(search[1]) < MEDIUM)


def strength(game: Game, ruleset: Ruleset, player: str) -> str:
    """How strong a player is, in a few words, if it stands on the ladder of these rules, and that still fits; else
    empty."""
    ladder = None if ruleset.overrides else read_ladders(game).get(ruleset.variant)
    if ladder is None or player not in ladder.names or changes(ladder, game, ruleset):
        return ""
    rung, best = ladder.rungs[ladder.names.index(player)], ladder.rungs[-1]
    beside = "the best there" if rung is best else f"the best there has {signed(best.elo, 0)}"
    return f"{_elo(rung)} on the ladder of {ladder.variant} ({beside})"


def in_words(game: Game, variant: str, player: str) -> str:
    """What people call a player: the grade that it has under a variant's rules, or else its name."""
    return next((grade.name for grade in grades(game, variant)[0] if grade.player == player), player)


def _spaced(measured: list[Rung]) -> list[Rung]:
    """Six rungs, evenly spaced from the weakest to the strongest."""
    chosen, left = [], list(measured)
    low, high = measured[0].elo, measured[-1].elo
    for k in range(len(NAMES)):
        wanted = low + (high - low) * k / (len(NAMES) - 1)
        enough = left[: len(left) - (len(NAMES) - 1 - k)]  # each later one needs a rung as well
        rung = min(enough, key=lambda rung: abs(rung.elo - wanted))
        chosen.append(rung)
        left = left[left.index(rung) + 1 :]
    return chosen


def _elo(rung: Rung) -> str:
    return f"Elo {signed(rung.elo, 0)}"
