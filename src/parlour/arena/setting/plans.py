"""What a run plays: games as specifications, series of them, plans with their players, and how plans are saved; and the
results that a run keeps.

A run consists of series. A series is a number of games between two players under one variant, or of one player in all
seats. Games 2k and 2k + 1 of a series between two players have the same seed, hence the same dice and the same
opening, with the seats exchanged. A game depends on its spec alone, so it is the same on any number of threads or
machines. Specs are made when they are needed: a series of ten million games takes no memory.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from parlour.arena.setting.openings import OpeningChoice, Openings
from parlour.arena.setting.rulesets import Ruleset
from parlour.engine.game import Game
from parlour.engine.variant_mix import Entry
from parlour.players import PlayerLike, name_of
from parlour.players.exact import Exact
from parlour.players.identity import identity_of, is_deterministic, network_of
from parlour.players.inputs import PLANES, inputs_shape
from parlour.players.luck import find_judge, judge_key
from parlour.players.names import is_function
from parlour.players.regrets import Regret
from parlour.players.value.network import ValueNetwork
from parlour.rulebook.chance import row_seeds
from parlour.support.arguments import whole_number
from parlour.support.errors import shortened

ALIKE = 1e-9
"""Returns that differ by less count as equal, since sums of many rewards have rounding errors."""
DRAW = 0.5
NO_MOVES = np.zeros(0, np.int32)
EDITION = ("parlour", "rules")
"""Entries of a config file that depend on the installed versions, not on the user's choice."""
MIN_GAMES, MAX_GAMES = 4, 1_000_000
"""Games of a group: at least two pairs, since one sampling unit says nothing about the variance."""


@dataclass(frozen=True)
class GameSpec:
    """A game to be played.

    Attributes:
        series: the key of its series.
        index: its index in the series, from 0.
        players: the player in each seat (P,).
        seed: the random seed of its dice, its players and its opening.
        random_plies: the number of random plies at the start.
        position: the text of the starting position; empty for the usual start of the game.
    """

    series: str
    index: int
    variant: str
    players: tuple[str, ...]
    seed: int
    random_plies: int = 0
    position: str = ""


class Counts(dict[str, int]):
    """Counts by name, which can't be changed: measures get them, and the journal is made of them."""

    def _refuse(self, *arguments: Any, **named: Any) -> Any:
        raise TypeError("the events of a finished game can't be changed")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        """Makes copies and pickles as a whole, not entry by entry."""
        return Counts, (dict(self),)


@dataclass(frozen=True)
class Played:
    """A finished game.

    Attributes:
        returns: each seat's sum of rewards (P,).
        end: the word for how it ended, such as ``"enthroned"``; ``"max_plies"`` if it was truncated.
        plies: the number of plies, including those of a random opening.
        choices: the number of legal actions, summed over all plies.
        forced: the number of plies with a single legal action.
        lead_changes: how often the lead, by the game's potential, passed to another seat.
        events: how often each of the game's events happened, by name.
        moves: all actions, integers (T,).
        digest: a 64-bit hash of players, starting position and moves.
        start: a 64-bit hash of the starting position and the random plies.
        luck: each seat's luck in the throws (P,), if a judge values them: see `parlour.players.luck`.
        numbers: the values of the run's measures, by key; NaN where there is nothing to measure.
        begins: the seat that acted first; a throw may have decided it.
        trace: what happened in every ply; None except while the game is measured.
        regrets: the regret of each choice, in a run with a table of exact values: see `parlour.players.regrets`.
    """

    spec: GameSpec
    returns: tuple[float, ...]
    end: str
    truncated: bool
    plies: int
    choices: int
    forced: int
    lead_changes: int
    events: Mapping[str, int] = field(default_factory=dict)
    moves: NDArray[np.integer[Any]] = field(default_factory=lambda: np.zeros(0, np.int32), compare=False, repr=False)
    digest: int = field(default=0, repr=False)
    start: int = field(default=0, repr=False)
    luck: tuple[float, ...] = field(default=(), compare=False, repr=False)
    numbers: dict[str, float] = field(default_factory=dict, compare=False, repr=False)
    trace: Any = field(default=None, compare=False, repr=False)
    regrets: tuple[Regret, ...] = field(default=(), compare=False, repr=False)
    begins: int = field(default=0, compare=False, repr=False)

    @cached_property
    def winner(self) -> int:
        """The seat with the highest return; −1 where seats share it or the game was truncated."""
        best = max(self.returns)
        alone = sum(best - value < ALIKE for value in self.returns) == 1 and not self.truncated
        return self.returns.index(best) if alone else -1

    @property
    def where(self) -> str:
        """Which game it is, in messages."""
        return f"game {self.spec.index} of {self.spec.series!r}"

    def without_moves(self) -> Played:
        """A copy without moves and regrets: those of millions of games would not fit in memory."""
        return replace(self, moves=NO_MOVES, regrets=())

    def forget_trace(self) -> None:
        """Drops the trace, whose arrays the next game of a run overwrites."""
        object.__setattr__(self, "trace", None)  # in place, since making a copy would take as long as the measures

    @property
    def in_opening(self) -> bool:
        """Whether the game ended within its random opening, before any player acted."""
        return 0 < self.plies <= self.spec.random_plies


OnPlayed = Callable[[list[Played]], None]
"""Called with games as they finish."""


@dataclass(frozen=True)
class Series:
    """Games between two players under one ruleset, or of one player in all seats.

    Attributes:
        first, second: the players' names; equal for one player in all seats.
        games: the number of games; even where there are two players.
        distinct: whether games that are the same move for move are counted once, since nothing in them is random: see
            `parlour.arena.matches.tally`.
        dice: whether the game has dice. Without dice, games that repeat others are looked for.
        purpose: why it is played; distinguishes several series of the same players in one run.
        seeds: a text from which, with the run's seed, the seeds of the games are made. Series with the same text have
            the same seeds. If empty, the key is used, so that no two series share seeds.
        judge: the player that values throws, so that results can be adjusted for luck (`parlour.players.luck`); empty
            for none.
    """

    ruleset: Ruleset
    first: str
    second: str
    games: int
    seed: int
    openings: Openings
    distinct: bool = False
    dice: bool = True
    purpose: str = ""
    seeds: str = ""
    judge: str = ""

    @property
    def key(self) -> str:
        """Its name within a run: ``classic: greedy against random``, ``classic: greedy in all seats``."""
        who = f"{self.first} against {self.second}" if self.paired else f"{self.first} in all seats"
        return f"{self.ruleset.label}: {who}" + (f", {self.purpose}" if self.purpose else "")

    @property
    def starts(self) -> str:
        """How the games begin, in words."""
        return self.openings.among(self.games // 2 if self.paired else self.games)

    @property
    def paired(self) -> bool:
        """Whether games come in pairs with the same seed and exchanged seats."""
        return self.first != self.second

    def seating(self, index: int) -> tuple[str, ...]:
        """The player in each seat of a game (P,): the two players alternate."""
        first, second = (self.first, self.second) if index % 2 == 0 else (self.second, self.first)
        return tuple(first if seat % 2 == 0 else second for seat in range(self.ruleset.seats))

    def spec(self, index: int) -> GameSpec:
        """One of its games. ``index``: from 0 to ``games`` − 1."""
        return self.specs([index])[0]

    def specs(self, indices: Sequence[int] | None = None) -> list[GameSpec]:
        """The games with the ``indices`` (ascending), or all of them. Seeds depend on `seeds`, or on the names of
        ruleset and players, but not on the rest of the run."""
        numbers = range(self.games) if indices is None else indices
        units = [index // 2 for index in numbers] if self.paired else numbers  # pairs, or single games
        if not units:
            return []
        series_seed, first = self.seed << 32 | zlib.crc32((self.seeds or self.key).encode()), units[0]
        seeds = row_seeds(series_seed, units[-1] - first + 1, first).tolist()
        key, label, random_plies = self.key, self.ruleset.label, self.openings.random_plies
        seatings = [self.seating(turn) for turn in range(2)]
        return [
            GameSpec(
                key, index, label, seatings[index % 2], seeds[unit - first], random_plies, self.openings.position(unit)
            )
            for index, unit in zip(numbers, units)
        ]


def points(name: str, played: Played) -> float:
    """A player's score in a game against others: 1 if the mean return of its seats is higher than that of the other
    seats, ½ if it is equal or the game was truncated, 0 if it is lower."""
    margin = margin_of(name, played.spec, played.returns)
    if played.truncated or abs(margin) < ALIKE:
        return DRAW
    return float(margin > 0)


def margin_of(name: str, spec: GameSpec, values: Sequence[float]) -> float:
    """Half of the difference between the mean of the ``values`` (P,) of a player's seats and that of the other seats.
    Between two seats whose values add up to 0 it is the value of the player's seat."""
    of_player = [value for player, value in zip(spec.players, values) if player == name]
    others = [value for player, value in zip(spec.players, values) if player != name]
    return (sum(of_player) / len(of_player) - sum(others) / len(others)) / 2


@dataclass(frozen=True)
class Plan:
    """All games of a run, with everything that determines them.

    Attributes:
        series: the series, in the order in which they are played.
        custom: players that are not found by the names that the series use for them, by these names: Python objects, or
            other names. Likewise judges, by `parlour.players.luck.judge_key`.
        identities: for players that their name alone does not identify, such as files: what distinguishes them from
            others of the same name. See `parlour.players.identity.identity_of`.
        config: the plan as the run's folder saves it.
        measures: what is measured in the games of one player in all seats.
        exact: the folder of a table of exact values, for the players' regrets; the text ``{variant}`` in it stands for
            the variant's name. Empty for none. Games don't depend on it.
        inputs: what players that are functions see: see `parlour.players.inputs`.
    """

    game: Game
    series: tuple[Series, ...]
    custom: Mapping[str, Any]
    identities: Mapping[str, Mapping[str, str]]
    config: Mapping[str, Any]
    measures: tuple[Any, ...] = ()
    exact: str = ""
    inputs: str = PLANES

    @property
    def games(self) -> int:
        """The number of games in all series."""
        return sum(series.games for series in self.series)

    @property
    def short_openings(self) -> list[str]:
        """Sentences about automatic openings that are shorter than usual."""
        starts = dict.fromkeys(str(series.openings) for series in self.series if series.openings.short)
        return [f"Games between deterministic players begin with {start}." for start in starts]


Players: TypeAlias = "Sequence[str] | Mapping[str, PlayerLike]"
"""Players' names, or players by names of your own."""


@dataclass(frozen=True)
class Group:
    """A group of games with the same players, which every variant has.

    Attributes:
        series: which measures use them: ``"even"``, ``"skill"`` or ``"trace"``, see `parlour.arena.measures.registry`.
        first, second: the players, the weaker one first; equal for one player in all seats.
    """

    series: str
    first: str
    second: str

    @property
    def title(self) -> str:
        """``mcts:5``, or ``mcts:20 against mcts:2``, the stronger player first."""
        return self.first if self.first == self.second else f"{self.second} against {self.first}"


@dataclass(frozen=True)
class Participants:
    """The players of a run.

    Attributes:
        players: by the names that the run uses for them. A player that is only a name is its own value.
        inputs: what players that are functions see: see `parlour.players.inputs`.
    """

    game: Game
    players: Mapping[str, PlayerLike]
    inputs: str = PLANES

    @cached_property
    def identities(self) -> dict[str, dict[str, str]]:
        """What distinguishes players from others of the same name: see `parlour.players.identity`. ValueError for
        players that do not exist."""
        identities = {name: identity_of(player, self.game) for name, player in self.players.items()}
        if self.inputs != PLANES:
            seeing = [name for name, player in self.players.items() if is_function(player)]
            identities |= {name: {**identities[name], "inputs": self.inputs} for name in seeing}
        return {name: identity for name, identity in identities.items() if identity}

    @cached_property
    def deterministic(self) -> dict[str, bool]:
        """By name, whether a player is deterministic."""
        return {name: is_deterministic(player, self.game) for name, player in self.players.items()}

    @cached_property
    def networks(self) -> dict[str, ValueNetwork]:
        """By name, the value networks of the players that have one."""
        networks = {name: network_of(player, self.game) for name, player in self.players.items()}
        return {name: network for name, network in networks.items() if network is not None}

    @property
    def custom(self) -> dict[str, PlayerLike]:
        """The players that are not found by their names."""
        return {name: player for name, player in self.players.items() if player != name}

    def series(
        self, ruleset: Ruleset, first: str, second: str, games: int, seed: int, openings: OpeningChoice,
        seeds: str = "",
    ) -> Series:  # fmt: skip
        """A series between two of the players, or of one in all seats. ``seeds``: see `Series`. ValueError
        for a network that has not learnt these rules, and for `inputs` that the game lacks."""
        inputs_shape(self.inputs, self.game, self.game.layout(ruleset.values))
        for name in {first, second} & set(self.networks):
            with prefix_errors(name):
                self.networks[name].variant_heads([Entry("", "", dict(ruleset.values))], self.game)
        dice = bool(self.game.rules.DICE)
        fixed = not dice and self.deterministic[first] and self.deterministic[second]
        starts = openings.between(fixed, ruleset.label)
        return Series(ruleset, first, second, games, seed, starts, fixed, dice, seeds=seeds)

    def config(
        self, kind: str, entries: Mapping[str, Any], optional: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """A plan as JSON for a config file, with the versions of Parlour, of the rules and of the players' files.
        ``optional``: entries that are left out where they are empty."""
        return {
            "kind": kind, "game": self.game.id, **entries,
            **{name: value for name, value in (optional or {}).items() if value},
            "identities": self.identities, "parlour": version("parlour"), "rules": self.game.digest,
        }  # fmt: skip


def with_judge(plan: Plan, wanted: str | None) -> Plan:
    """A plan with a judge, so that results of series between two players are also given without the luck of the dice.

    ``wanted``: see `parlour.players.luck.find_judge`, whose ValueError it raises. Where no judge is possible, the plan
    stays as it is. A choice of no judge is saved as well, so that nobody can choose one after seeing the results.
    """
    judge_player = plan.custom.get(judge_key(wanted or ""))
    judge = find_judge(plan.game, [series.ruleset.values for series in plan.series], wanted, judge_player)
    if judge is None:
        return plan if wanted is None else replace(plan, config={**plan.config, "judge": wanted})
    identities = {**plan.identities, judge.key: judge.identity}
    return replace(
        plan, series=tuple(replace(series, judge=judge.name) if series.paired else series for series in plan.series),
        identities=identities, config={**plan.config, "judge": judge.name, "identities": identities},
    )  # fmt: skip


@contextmanager
def prefix_errors(source: str) -> Iterator[None]:
    """Turns a ValueError or OSError of its block into a ValueError that begins with ``source``, the file of a plan."""
    try:
        yield
    except (ValueError, OSError) as error:
        raise ValueError(f"{source}: {shortened(str(error))}") from None


def named_players(players: Players, what: str) -> dict[str, PlayerLike]:
    """Players by name. ``what``: the argument's name. ValueError, which begins with it, for a single text, for a name
    that is not a text, and for a repeated name."""
    if isinstance(players, str):
        raise ValueError(f"{what} are a list of names, not {players!r}")
    named: dict[str, PlayerLike] = dict(players) if isinstance(players, Mapping) else {name: name for name in players}
    if len(named) < len(players) or not all(isinstance(name, str) for name in named):
        raise ValueError(f"{what}: every player must have a name of its own, not {list(players)!r:.200}")
    return named


def named_player(player: PlayerLike | Mapping[str, PlayerLike]) -> tuple[str, PlayerLike]:
    """A player with its name. ValueError for a mapping of any other number of players."""
    if not isinstance(player, Mapping):
        return name_of(player), player
    if len(player) != 1:
        raise ValueError(f"give one player by a name of your own, as in {{'mine': player}}, not {dict(player)!r:.200}")
    return next(iter(player.items()))


def exact_folder(exact: str | Path | None, players: Iterable[object]) -> str:
    """The folder of the table from which a run computes regrets; empty for none. ``exact``: as in
    `parlour.arena.match`; ``players``: names or objects."""
    folder = Exact.folder_named(players) if exact is None else str(exact)
    return str(Path(folder).absolute()) if folder else ""


def two_players(skill: Players) -> dict[str, PlayerLike]:
    """A weaker and a stronger player by name. ValueError for any other number of players."""
    named = named_players(skill, "skill")
    if len(named) != 2:
        raise ValueError(f"skill takes two different players, a weaker and a stronger one, not {list(named)!r:.80}")
    return named


def even_games(name: str, games: object) -> int:
    """The number of games of a group, checked. ``name``: the argument's name. ValueError, which has it, if the number
    is not even or out of range."""
    count = whole_number(name, games, MIN_GAMES, MAX_GAMES)
    if count % 2:
        raise ValueError(f"{name} must be an even number, as games are played in pairs, not {count}")
    return count
