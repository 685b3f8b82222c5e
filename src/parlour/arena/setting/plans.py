"""What the plans of all runs have in common: their players, their limits, and how they are saved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeAlias

from parlour.arena.setting.game_specs import Plan, Series
from parlour.arena.setting.openings import AUTO, AUTOMATIC_PLIES, OpeningChoice
from parlour.arena.setting.rulesets import Ruleset
from parlour.engine.game import Game
from parlour.engine.variant_mix import Entry
from parlour.players import PlayerLike, name_of
from parlour.players.exact import Exact
from parlour.players.identity import identity_of, is_deterministic, network_of
from parlour.players.inputs import PLANES, inputs_shape
from parlour.players.luck import NO_JUDGE, find_judge, judge_key
from parlour.players.names import is_function, player_in_file
from parlour.players.value.network import ValueNetwork
from parlour.support.arguments import whole_number
from parlour.support.paths import PathsInFile
from parlour.support.typed_json import Struct

Players: TypeAlias = "Sequence[str] | Mapping[str, PlayerLike]"
"""Players' names, or players by names of your own."""
EDITION = ("parlour", "rules")
"""Entries of a config file that depend on the installed versions, not on the user's choice."""
MIN_GAMES, MAX_GAMES = 4, 1_000_000
"""Games of a group: at least two pairs, since one sampling unit says nothing about the variance."""


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
class Cast:
    """The players of a run.

    Attributes:
        players: by the names that the run uses for them; a name without a player of its own stands for itself.
        inputs: what players see that are functions: see `parlour.players.inputs`.
    """

    game: Game
    players: Mapping[str, PlayerLike]
    inputs: str = PLANES

    @cached_property
    def identities(self) -> dict[str, dict[str, str]]:
        """What distinguishes players from others of the same name: see `parlour.players.identity`. ValueError for
        players that do not exist."""
        found = {name: identity_of(player, self.game) for name, player in self.players.items()}
        if self.inputs != PLANES:
            seeing = [name for name, player in self.players.items() if is_function(player)]
            found |= {name: {**found[name], "inputs": self.inputs} for name in seeing}
        return {name: identity for name, identity in found.items() if identity}

    @cached_property
    def deterministic(self) -> dict[str, bool]:
        """By name, whether a player is deterministic."""
        return {name: is_deterministic(player, self.game) for name, player in self.players.items()}

    @cached_property
    def networks(self) -> dict[str, ValueNetwork]:
        """By name, the value networks of the players that have one."""
        found = {name: network_of(player, self.game) for name, player in self.players.items()}
        return {name: network for name, network in found.items() if network is not None}

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
            with blamed_on(name):
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
    """A plan whose matches, the series between two players, are also judged without the luck of the dice.

    ``wanted``: see `parlour.players.luck.find_judge`, which says what ValueError is for. The plan stays as it is where
    there can be no judge. That there shall be none is noted in it, so that none is chosen by what the games gave.
    """
    found_as = plan.custom.get(judge_key(wanted or ""))
    judge = find_judge(plan.game, [series.ruleset.values for series in plan.series], wanted, found_as)
    if judge is None:
        return plan if wanted is None else replace(plan, config={**plan.config, "judge": wanted})
    identities = {**plan.identities, judge.key: judge.identity}
    return replace(
        plan,
        series=tuple(replace(series, judge=judge.name) if series.paired else series for series in plan.series),
        identities=identities,
        config={**plan.config, "judge": judge.name, "identities": identities},
    )


class SavedPlan(Struct, frozen=True, kw_only=True):
    """The entries that the config files of comparisons and explorations have in common."""

    game: str
    games: int
    seed: int
    openings: str | list[str] | dict[str, list[str]]
    identities: dict[str, dict[str, str]]
    parlour: str
    rules: str

    @property
    def starts(self) -> str | list[str] | dict[str, list[str]]:
        """The `openings`, as `read_openings` takes them."""
        return f"{AUTO}:{AUTOMATIC_PLIES}" if self.openings == AUTO else self.openings


@contextmanager
def blamed_on(source: str) -> Iterator[None]:
    """ValueError that begins with the ``source`` of a plan, for what is raised about it."""
    try:
        yield
    except (ValueError, OSError) as error:
        raise ValueError(f"{source}: {error}") from None


def named_players(players: Players, what: str) -> dict[str, PlayerLike]:
    """Players by name. ValueError, which begins with ``what`` they are, for a single text, for names that are no texts,
    and for a name twice."""
    if isinstance(players, str):
        raise ValueError(f"{what} are a list of names, not {players!r}")
    named: dict[str, PlayerLike] = dict(players) if isinstance(players, Mapping) else {name: name for name in players}
    if len(named) < len(players) or not all(isinstance(name, str) for name in named):
        raise ValueError(f"{what}: every player must have a name of its own, not {list(players)!r:.200}")
    return named


def in_file(players: Mapping[str, PlayerLike], game: Game, source: PathsInFile) -> dict[str, PlayerLike]:
    """Players that a file names, by these names, as they are found from here: see `player_in_file`."""
    return {name: player_in_file(str(player), game, source) for name, player in players.items()}


def judge_as_player(judge: str | None) -> dict[str, PlayerLike]:
    """A judge as an entry of `Plan.custom`; empty for none."""
    return {} if judge in (None, NO_JUDGE) else {judge_key(str(judge)): str(judge)}


def named_player(player: PlayerLike | Mapping[str, PlayerLike]) -> tuple[str, PlayerLike]:
    """A player with its name. ValueError for a mapping of any other number of players."""
    if not isinstance(player, Mapping):
        return name_of(player), player
    if len(player) != 1:
        raise ValueError(f"give one player by a name of your own, as in {{'mine': player}}, not {dict(player)!r:.200}")
    return next(iter(player.items()))


def exact_folder(exact: str | Path | None, players: Iterable[object]) -> str:
    """The folder of the table by which a run tells regrets: see `parlour.arena.match`; empty for none. ``players``: by
    their names, or as objects."""
    folder = Exact.folder_named(players) if exact is None else str(exact)
    return str(Path(folder).absolute()) if folder else ""


def two_players(skill: Players) -> dict[str, PlayerLike]:
    """A weaker and a stronger player by name. ValueError for any other number of players."""
    named = named_players(skill, "skill")
    if len(named) != 2:
        raise ValueError(f"skill takes two different players, a weaker and a stronger one, not {list(named)!r:.80}")
    return named


def even_games(name: str, games: object) -> int:
    """A number of games of a group. ValueError, naming the argument, for one that is not valid."""
    count = whole_number(name, games, MIN_GAMES, MAX_GAMES)
    if count % 2:
        raise ValueError(f"{name} must be an even number, as games are played in pairs, not {count}")
    return count
