"""Ladders: players of known strength for a variant of a game, from `random` up to the champion with search; and
opponents for people, six players of rising strength, from beginner to champion.

A game's ladders are in the file ``ladder.json`` of its folder, which `parlour.arena.ladders.ladder_making` writes. The
players of a ladder are its rungs. Each has an Elo rating with a 95 % interval; one of them, the zero, has Elo 0.
Ratings keep their meaning as long as the rungs play the same. So the file has a digest of the rules, and for each rung
a digest of its network and of the settings of its search: its pin. A ladder whose digests no longer fit is refused.
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
from parlour.players.value.pins import Digest, Pin, fits, latest, pin_of, read_pins
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
"""The opponent of people who do not choose one."""
UNMEASURED = ("random", "greedy", "mcts:50", "expectimax:2", "mcts:0.5s")
STRONGEST = "expectimax:1s"
"""The first five opponents where no ladder is measured, and the sixth where there is no champion either."""
MEDIUM = 50
"""The simulations of a tree search of medium strength, where strengths are not measured."""
SIMULATIONS = re.compile(r"mcts:(\d+)(:.*)?")


def check_no_code(name: str) -> None:
    """Raises ValueError for a player that is code, such as ``python:module:function``."""
    if is_code(name):
        raise ValueError(f"the rung {name!r:.200} is code, and a ladder is a file that people exchange; {RUNGS}")


def check_no_files(name: str, game: Game) -> None:
    """Raises ValueError for a player whose name contains a file, and for a name that is not valid."""

    def refused(path: str) -> str:
        raise ValueError(f"the rung {name!r:.200} opens {path!r:.200}, which others don't have; {RUNGS}")

    parse_player(name, game, refused)


class Rung(Struct, frozen=True, kw_only=True):
    """A player of known strength.

    Attributes:
        player: its name, as `parlour.players.parse_player` reads it.
        elo: its rating; the ladder's zero has 0.
        low, high: the ends of the 95 % interval.
        games: how many games the rating comes from.
        pin: a digest of its network and of the settings of its search, see `parlour.players.identity.player_pin`.
        conduct: a digest of how it plays, see `parlour.players.identity.conduct_pin`. Only a test of the package checks
            it: that takes seconds, and another kind of processor may round differently.
    """

    player: str
    elo: Elo
    low: Elo
    high: Elo
    games: Count
    pin: Digest
    conduct: Digest

    def __post_init__(self) -> None:
        check_no_code(self.player)
        if not self.low <= self.elo <= self.high:
            raise ValueError(f"{self.player!r:.80}: the rating {self.elo:g} is not from {self.low:g} to {self.high:g}")


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
        pin: a digest of whole random games and of the rules' sources, see `parlour.players.value.pins`; the one in the
            game's ``play.json`` is used if this one is unset, or of the same play.
        parlour: the version of Parlour that made it.
        zero: the rung whose Elo is 0.
        openings: how games begin, see `parlour.arena.setting.openings`.
        seed: the seed of the latest run.
        journal: the SHA-256 of the journal of that run.
        first_seat: the advantage of the first seat, in Elo.
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
        ratings = [rung.elo for rung in self.rungs]
        if ratings != sorted(ratings):
            raise ValueError(f"rungs of {self.variant!r} go from the weakest to the strongest")
        known = {self.zero, *(name for pairing in self.all_pairings for name in (pairing.first, pairing.second))}
        if known - set(names):
            raise ValueError(f"{min(known - set(names))!r} is no rung of {self.variant!r}; rungs: {listing(names)}")

    @property
    def runs(self) -> list[LadderRun]:
        """All runs, the latest last."""
        return [*self.earlier, LadderRun(seed=self.seed, journal=self.journal, pairings=self.pairings)]

    @property
    def all_pairings(self) -> list[Pairing]:
        """The pairings of all runs."""
        return [pairing for run in self.runs for pairing in run.pairings]

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
        """The same ratings, as the scale on which other players are rated."""
        known = self.ratings()
        return Scale(known.elo, known.covariance, known.first_seat, known.log_nu)


def ratings_by(pairings: Iterable[Pairing], names: Sequence[str], zero: str) -> PairedRatings:
    """The ratings of the players ``names`` by the results of their pairings. Results of the same two players are added
    up, whichever of them comes first. ValueError if the pairings do not connect all players."""
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
    """The ladders of a game by variant; empty if there is no file. Their digests are not checked.

    ``file``: where they are; None for the game's own. ValueError, with the file and the place in it, if it is damaged
    or of another game.
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

    ``game``: an id such as ``"agon-v0"``; ``variant``: a variant's name, None for the game's first. ValueError for an
    unknown game or variant, or a damaged file.
    """
    known = find(game) if isinstance(game, str) else game
    ladder = read_ladders(known).get(read_ruleset(known, variant, {}).variant)
    return list(ladder.rungs) if ladder else []


def ladder_of(game: Game, variant: str | None = None, file: Path | None = None) -> tuple[Ladder, Ruleset]:
    """The ladder of a variant, and the ruleset that its games are played under. ``variant``: its name, None for the
    game's first; ``file``: as in `read_ladders`.

    ValueError for a variant without a ladder, for a ladder whose digests no longer fit, and for rules under which
    ratings mean nothing (`Game.unrated`).
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
    """The players of a plan that are rungs of a variant's ladder, with their Elo. ``label``: of the variant in the
    plan; None if it has only one. Empty if the variant has no ladder that fits, or if its option values are changed."""
    several = [series for series in plan.series if label in (None, series.ruleset.label)]
    game, ruleset = plan.game, several[0].ruleset
    ladder = None if ruleset.overrides else read_ladders(game).get(ruleset.variant)
    played = {name for series in several for name in (series.first, series.second)} - set(plan.custom)
    if ladder is None or not played & set(ladder.names) or changes(ladder, game, ruleset):
        return {}
    return {rung.player: rung.elo for rung in ladder.rungs if rung.player in played}


def changes(ladder: Ladder, game: Game, ruleset: Ruleset) -> list[str]:
    """What has changed since a ladder was made: a sentence for each digest that no longer fits. ValueError for a
    damaged ``play.json``, and for a rung that opens a file."""
    reasons = []
    now = play_pin(game, ruleset.values)
    whole = latest(ladder.pin, read_pins(game).get(ladder.variant, UNSET))
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
    """A player that people can choose: its name in words, the player, and a note on its strength, perhaps empty."""

    name: str
    player: str
    note: str = ""


@lru_cache(maxsize=256)
def grades(game: Game, variant: str) -> tuple[tuple[Grade, ...], str]:
    """The six players for a variant, and a sentence that says where their order comes from: the variant's ladder; the
    ladder of another variant, if the champion plays this one; or how far the players look ahead. ValueError for an
    unknown variant."""
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
    """Whether a player is weak in any game, by its name. Its games say little about good play."""
    search = SIMULATIONS.fullmatch(player)
    return player == UNMEASURED[0] or (search is not None and int(search[1]) < MEDIUM)


def strength(game: Game, ruleset: Ruleset, player: str) -> str:
    """How strong a player is, in a few words; empty unless these rules have a ladder that fits, with this player."""
    ladder = None if ruleset.overrides else read_ladders(game).get(ruleset.variant)
    if ladder is None or player not in ladder.names or changes(ladder, game, ruleset):
        return ""
    rung, best = ladder.rungs[ladder.names.index(player)], ladder.rungs[-1]
    beside = "the best there" if rung is best else f"the best there has {signed(best.elo, 0)}"
    return f"{_elo(rung)} on the ladder of {ladder.variant} ({beside})"


def in_words(game: Game, variant: str, player: str) -> str:
    """What people call a player: its grade under a variant's rules, or its name if it has none."""
    return next((grade.name for grade in grades(game, variant)[0] if grade.player == player), player)


def _spaced(measured: list[Rung]) -> list[Rung]:
    """Six rungs, evenly spaced from the weakest to the strongest."""
    chosen, left = [], list(measured)
    low, high = measured[0].elo, measured[-1].elo
    for k in range(len(NAMES)):
        wanted = low + (high - low) * k / (len(NAMES) - 1)
        allowed = left[: len(left) - (len(NAMES) - 1 - k)]  # leaves a rung for each later grade
        rung = min(allowed, key=lambda rung: abs(rung.elo - wanted))
        chosen.append(rung)
        left = left[left.index(rung) + 1 :]
    return chosen


def _elo(rung: Rung) -> str:
    return f"Elo {signed(rung.elo, 0)}"
