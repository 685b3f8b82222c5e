"""The plan of a comparison: which variants are played by which players, and what is measured.

Every variant has the same groups of games. For each player there is a group with that player in all seats and a seed
for each game. Another group has a weaker player against a stronger one, with two games per seed and the seats
exchanged. For the skill trace there are such groups of players each of which searches twice as much as the one before.
No two groups or variants share a seed, so that samples of different variants are independent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from itertools import pairwise
from typing import Any

from parlour.arena.comparison.defaults import default_player
from parlour.arena.fixtures import Plan, Series
from parlour.arena.measures import EVEN, SKILL, Measure, measures_of
from parlour.arena.measures.registry import TRACE
from parlour.arena.openings import AUTO, OpeningChoice, OpeningsLike, read_openings
from parlour.arena.rulesets import Ruleset, RulesetLike, read_rulesets
from parlour.engine.game import Game
from parlour.errors import listing
from parlour.players import PlayerLike, parse_player
from parlour.players.identity import identity_of, is_deterministic
from parlour.registry import find
from parlour.strict_json import JsonValue

KIND = "compare"
EDITION = ("kind", "parlour", "rules", "identities")
"""Entries of a config file that depend on the installed versions, not on the user's choice."""
MIN_GAMES, MAX_GAMES = 4, 1_000_000
"""Games of a group: at least two pairs, since one sampling unit says nothing about the variance."""
MIN_DOUBLINGS, MAX_DOUBLINGS = 1, 20
DEFAULT_DOUBLINGS = 5
BUDGET = re.compile(r":(\d+)(?=:|$)")


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
class ComparisonPlan:
    """Everything that determines a comparison.

    Attributes:
        game: which game.
        rulesets: the variants.
        players: each one plays a group of games in all seats.
        skill: the weaker and the stronger player, or None.
        trace: a player with a number to be doubled, such as ``mcts:10``, and the number of doublings; or None.
        games: the number of games of each group per variant; even.
        seed: the random seed.
        openings: how games begin.
        wanted: keys or groups of measures; None for all.
        custom: players given as Python objects, by the names that ``players`` and ``skill`` use for them.
    """

    game: Game
    rulesets: tuple[Ruleset, ...]
    players: tuple[str, ...]
    skill: tuple[str, str] | None
    trace: tuple[str, int] | None
    games: int
    seed: int
    openings: OpeningChoice
    wanted: tuple[str, ...] | None = None
    custom: Mapping[str, PlayerLike] = field(default_factory=dict)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The groups of games that every variant plays."""
        groups = [Group(EVEN, name, name) for name in self.players]
        if self.skill:
            groups.append(Group(SKILL, *self.skill))
        if self.trace:
            levels = doublings(*self.trace)
            groups += [Group(TRACE, weaker, stronger) for weaker, stronger in pairwise(levels)]
        return tuple(groups)

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """The measures that can be measured on the plan's groups under at least one of its variants."""
        present = {group.series for group in self.groups}
        return tuple(
            one
            for one in measures_of(self.game, self.rulesets[0].seats, self.wanted)
            if one.series in present and any(one.applies(self.game, dict(rules.values)) for rules in self.rulesets)
        )

    def measured(self, group: Group) -> list[Measure]:
        """The measures of a group of games."""
        return [one for one in self.measures if one.series == group.series]

    @cached_property
    def plan(self) -> Plan:
        """All games, variant by variant, group by group. ValueError for players that do not exist."""
        fixed = {
            name: not self.game.rules.DICE and is_deterministic(self.custom.get(name, name), self.game)
            for name in self._names
        }
        series = [
            Series(ruleset, group.first, group.second, self.games, self.seed, self.openings.between(both), both)
            for ruleset in self.rulesets
            for group in self.groups
            for both in [fixed[group.first] and fixed[group.second]]
        ]
        config = self.as_config()
        even = tuple(one for one in self.measures if one.series == EVEN)
        return Plan(self.game, tuple(series), self.custom, config["identities"], config, even)

    @property
    def _names(self) -> list[str]:
        return list(dict.fromkeys(name for group in self.groups for name in (group.first, group.second)))

    def as_config(self) -> dict[str, Any]:
        """As JSON for a config file, with the versions of Parlour, of the rules and of the players' files."""
        identities = {name: identity_of(self.custom.get(name, name), self.game) for name in self._names}
        return {
            "kind": KIND,
            "game": self.game.id,
            "variants": [ruleset.as_config() for ruleset in self.rulesets],
            "players": list(self.players),
            "skill": list(self.skill) if self.skill else None,
            "trace": list(self.trace) if self.trace else None,
            "games": self.games,
            "seed": self.seed,
            "openings": self.openings.as_config(),
            "measures": list(self.wanted) if self.wanted is not None else None,
            "identities": {name: identity for name, identity in identities.items() if identity},
            "parlour": version("parlour"),
            "rules": self.game.digest,
        }


def doublings(player: str, count: int) -> list[str]:
    """``count`` + 1 players, each of which searches twice as much as the one before: ``mcts:10``, ``mcts:20``,
    ``mcts:40`` … ValueError for a player without a number to be doubled."""
    numbers = list(BUDGET.finditer(player))
    if not numbers:
        raise ValueError(f"player {player!r} has no number that can be doubled, as mcts:10 has")
    start, end = numbers[-1].span(1)
    return [f"{player[:start]}{int(player[start:end]) << k}{player[end:]}" for k in range(count + 1)]


def plan_comparison(
    game: str | Game,
    variants: Sequence[RulesetLike] | None,
    players: Sequence[str] | Mapping[str, PlayerLike] | None,
    skill: Sequence[str] | Mapping[str, PlayerLike] | None,
    games: int,
    seed: int,
    overrides: Mapping[str, object],
    openings: OpeningsLike = AUTO,
    measures: Sequence[str] | None = None,
    trace: Sequence[Any] | None = None,
) -> ComparisonPlan:
    """The plan that a user asks for: see `parlour.arena.compare`. ValueError, naming the argument, for any value that
    is not valid."""
    if isinstance(game, str):
        game = find(game)
    if variants is None:
        variants = [variant.name for variant in game.variants]
    if isinstance(variants, (str, Mapping)):
        raise ValueError(f"variants are a list, not {variants!r:.80}")
    rulesets = tuple(read_rulesets(game, variants, overrides))
    seats = {ruleset.label: ruleset.seats for ruleset in rulesets}
    if min(seats.values()) != max(seats.values()):
        raise ValueError(f"variants with different numbers of seats can't be compared: {seats}")
    check_integer("seed", seed, 0)
    check_integer("games", games, MIN_GAMES, MAX_GAMES)
    if games % 2:
        raise ValueError(f"games must be an even number, as they are played in pairs, not {games}")
    if players is None:
        players = [default_player(game, rulesets)]
    in_all_seats, weak_and_strong = _named(players, "players"), _named(skill, "skill") if skill else {}
    if weak_and_strong and len(weak_and_strong) != 2:
        skill_names = listing(list(skill or []))
        raise ValueError(f"skill takes two different players, a weaker and a stronger one, not {skill_names}")
    two = list(weak_and_strong)
    doubled = None
    if trace is not None:
        if len(trace) != 2 or not isinstance(trace[0], str):
            raise ValueError(f"trace takes a player and a number of doublings, not {trace!r:.80}")
        doubled = trace[0], int(trace[1])
        check_integer("doublings", trace[1], MIN_DOUBLINGS, MAX_DOUBLINGS)
    if not (in_all_seats or weak_and_strong or doubled):
        raise ValueError("a comparison needs players, or two players whose skill is compared, or a skill trace")
    named = {**in_all_seats, **weak_and_strong}
    for name in doublings(*doubled) if doubled else ():
        parse_player(name, game)
    plan = ComparisonPlan(
        game,
        rulesets,
        tuple(in_all_seats),
        (two[0], two[1]) if two else None,
        doubled,
        games,
        seed,
        read_openings(openings, game, rulesets),
        tuple(measures) if measures is not None else None,
        {name: player for name, player in named.items() if player != name},
    )
    _ = plan.measures, plan.plan  # raises ValueError for unknown measures and players
    return plan


def read_plan(config: JsonValue) -> ComparisonPlan:
    """The plan in a config file. Its versions (`EDITION`) are not compared with the installed ones. ValueError that
    names the file and the line, and says what is valid."""
    kind = config.members().get("kind", config)
    if kind.value != KIND:
        raise kind.misfit(f"{KIND!r}, the kind of a plan of a comparison")
    names = ("game", "variants", "players", "skill", "trace", "games", "seed", "openings", "measures")
    entries = config.entries((*EDITION, *names))
    for variant in entries["variants"].elements():
        for name in ("name", "variant", "note"):
            variant.members().get(name, entries["game"]).text()
    entries["identities"].members()
    texts = {
        name: [text.text() for text in entries[name].elements()] if entries[name].value is not None else None
        for name in ("players", "skill", "measures")
    }
    openings = entries["openings"]
    trace = entries["trace"].elements() if entries["trace"].value is not None else None
    try:
        return plan_comparison(
            entries["game"].text(),
            [variant.value for variant in entries["variants"].elements()],
            texts["players"] or [],
            texts["skill"],
            entries["games"].integer(MIN_GAMES, MAX_GAMES),
            entries["seed"].integer(0),
            {},
            openings.value if isinstance(openings.value, str) else [text.text() for text in openings.elements()],
            texts["measures"],
            None if trace is None else [one.value for one in trace],
        )
    except (ValueError, OSError) as error:
        raise config.error(str(error)) from None


def check_integer(name: str, value: object, low: int, high: int | None = None) -> None:
    """ValueError, naming the argument, unless ``value`` is an integer from ``low`` to ``high``."""
    valid = isinstance(value, int) and not isinstance(value, bool) and value >= low and (high is None or value <= high)
    if not valid:
        raise ValueError(
            f"{name} must be a whole number from {low}{f' to {high}' if high else ' up'}, not {value!r:.80}"
        )


def _named(players: Sequence[Any] | Mapping[str, PlayerLike], what: str) -> dict[str, PlayerLike]:
    if isinstance(players, str):
        raise ValueError(f"{what} are a list of names, not {players!r}")
    named: dict[str, PlayerLike] = dict(players) if isinstance(players, Mapping) else {name: name for name in players}
    if len(named) < len(players) or not all(isinstance(name, str) for name in named):
        raise ValueError(f"{what}: every player must have a name of its own, not {list(players)!r:.200}")
    return named
