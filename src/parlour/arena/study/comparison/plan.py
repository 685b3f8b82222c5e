"""The plan of a comparison: which variants are played by which players, and what is measured.

Every variant has the same groups of games. For each player there is a group with that player in all seats and a seed
for each game. Another group has a weaker player against a stronger one, with two games per seed and the seats
exchanged. For the skill trace there are such groups of players each of which searches twice as much as the one before.
No two groups or variants share a seed, so that samples of different variants are independent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import cycle, pairwise
from pathlib import Path
from typing import Any, Literal

from parlour.arena.measures import EVEN, SKILL, Measure, measures_of
from parlour.arena.measures.outcomes import FIRST_SEAT, SEAT_THAT_BEGINS
from parlour.arena.measures.registry import TRACE
from parlour.arena.setting.game_specs import Plan, Series
from parlour.arena.setting.openings import AUTO, OpeningChoice, OpeningsLike, read_openings
from parlour.arena.setting.plans import (
    Cast,
    Group,
    SavedPlan,
    blamed_on,
    even_games,
    exact_folder,
    in_file,
    judge_as_player,
    named_players,
    two_players,
    with_judge,
)
from parlour.arena.setting.rulesets import Ruleset, RulesetLike, read_rulesets
from parlour.engine.game import Game
from parlour.interfaces.registry import find
from parlour.players import PlayerLike, parse_player
from parlour.players.champion import NAME, champion_plays
from parlour.players.inputs import PLANES
from parlour.players.luck import NO_JUDGE
from parlour.players.names import innermost
from parlour.rulebook.options import Value
from parlour.support.arguments import whole_number
from parlour.support.paths import PathsInFile, as_typed

KIND = "compare"
MIN_DOUBLINGS, MAX_DOUBLINGS = 1, 20
DEFAULT_DOUBLINGS = 5
DEFAULT_SKILL, DEFAULT_GAMES = ("mcts:2", "mcts:20"), 30
WITHOUT_CHAMPION = "mcts:5"
QUICK = f"{NAME}:2"
"""A champion that searches two plies deep. At its usual depth a comparison of a long game would take minutes."""
BUDGET = re.compile(r":(\d+)(?=:|$)")


class SavedComparison(SavedPlan, frozen=True, kw_only=True):
    """A config file."""

    kind: Literal["compare"]
    variants: list[dict[str, Value]]
    players: list[str]
    skill: list[str] | None
    trace: list[str | int] | None
    measures: list[str] | None
    paired: bool = False
    exact: str | None = None
    judge: str | None = None


@dataclass(frozen=True)
class ComparisonPlan:
    """Everything that determines a comparison: the arguments of `parlour.arena.compare`, checked.

    Attributes:
        rulesets: the variants.
        wanted: keys or groups of measures; None for all.
        custom, inputs: see `Plan`.
        others_begin: whether in games that were played another seat than the first began. It is then tested whether it
            helps to begin, else whether the first seat is favoured.
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
    paired: bool = False
    exact: str = ""
    judge: str = NO_JUDGE
    others_begin: bool = False
    inputs: str = PLANES

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

    @property
    def even_groups(self) -> list[Group]:
        """The groups of games of one player in all seats."""
        return [group for group in self.groups if group.series == EVEN]

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """The measures that can be measured on the plan's groups under at least one of its variants."""
        present = {group.series for group in self.groups}
        found = measures_of(self.game, self.rulesets[0].seats, self.wanted)
        if {FIRST_SEAT, SEAT_THAT_BEGINS} <= {one.key for one in found}:
            untested = FIRST_SEAT if self.others_begin else SEAT_THAT_BEGINS
            found = [replace(one, tested=False) if one.key == untested else one for one in found]
        return tuple(
            one
            for one in (found if self.exact else (one for one in found if not one.exact))
            if one.series in present and any(one.applies(self.game, dict(rules.values)) for rules in self.rulesets)
        )

    @property
    def fairness(self) -> str:
        """The key of the measure that says how fair a variant is: of the first seat, or of the seat that begins."""
        tested = {one.key for one in self.measures if one.tested}
        return FIRST_SEAT if FIRST_SEAT in tested else SEAT_THAT_BEGINS

    def measured(self, group: Group) -> list[Measure]:
        """The measures of a group of games."""
        return [one for one in self.measures if one.series == group.series]

    @cached_property
    def plan(self) -> Plan:
        """All games, variant by variant, group by group. ValueError for players that do not exist."""
        series = tuple(
            self.cast.series(
                ruleset, group.first, group.second, self.games, self.seed, self.openings,
                f"{KIND} {group.series}" if self.paired else "",
            )
            for ruleset in self.rulesets
            for group in self.groups
        )  # fmt: skip
        even = tuple(one for one in self.measures if one.series == EVEN)
        identities, config = self.cast.identities, self.as_config()
        plan = Plan(self.game, series, self.custom, identities, config, even, self.exact, self.inputs)
        return plan if self.judge == NO_JUDGE else with_judge(plan, self.judge)

    @property
    def grouped(self) -> list[tuple[Series, Group]]:
        """Every series of `plan`, each with the group that it is of under one variant."""
        return list(zip(self.plan.series, cycle(self.groups)))

    def alike(self, first: str, second: str) -> bool:
        """Whether the games of two variants, by label, go together: with the same seeds and openings."""
        starts = {series.ruleset.label: series.openings for series in self.plan.series}
        return self.paired and starts[first] == starts[second]

    @cached_property
    def cast(self) -> Cast:
        """The players of all groups."""
        names = dict.fromkeys(name for group in self.groups for name in (group.first, group.second))
        return Cast(self.game, {name: self.custom.get(name, name) for name in names}, self.inputs)

    def as_config(self) -> dict[str, Any]:
        """As JSON for a config file: see `Cast.config`."""
        entries = {
            "variants": [ruleset.as_config() for ruleset in self.rulesets],
            "players": list(self.players),
            "skill": list(self.skill) if self.skill else None,
            "trace": list(self.trace) if self.trace else None,
            "games": self.games,
            "seed": self.seed,
            "openings": self.openings.as_config(),
            "measures": list(self.wanted) if self.wanted is not None else None,
            **({"paired": True} if self.paired else {}),
            **({"exact": self.exact} if self.exact else {}),
            **({} if self.judge == NO_JUDGE else {"judge": self.judge}),
        }
        return self.cast.config(KIND, entries)


def doublings(player: str, count: int) -> list[str]:
    """``count`` + 1 players, each of which searches twice as much as the one before: ``mcts:10``, ``mcts:20``,
    ``mcts:40`` … ValueError for a player without a number to be doubled."""
    numbers = list(BUDGET.finditer(player))
    if not numbers:
        raise ValueError(f"player {player!r} has no number that can be doubled, as mcts:10 has")
    start, end = numbers[-1].span(1)
    return [f"{player[:start]}{int(player[start:end]) << k}{player[end:]}" for k in range(count + 1)]


def default_player(game: Game, rulesets: Sequence[Ruleset]) -> str:
    """The champion, if it plays all the variants; otherwise a small tree search."""
    if not champion_plays(game, [ruleset.values for ruleset in rulesets]):
        return WITHOUT_CHAMPION
    return NAME if game.rules.DICE or rulesets[0].seats != 2 else QUICK


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
    paired: bool = False,
    exact: str | Path | None = None,
    judge: str | None = None,
    source: PathsInFile | None = None,
    inputs: str = PLANES,
) -> ComparisonPlan:
    """The plan that a user asks for: `parlour.arena.compare`; or ``source``, a file. ValueError, naming the argument,
    if it is not valid."""
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
    seed, games = whole_number("seed", seed), even_games("games", games)
    if players is None:
        players = [default_player(game, rulesets)]
    in_all_seats, weak_and_strong = named_players(players, "players"), two_players(skill) if skill else {}
    two = list(weak_and_strong)
    doubled = None
    if trace is not None:
        if len(trace) != 2 or not isinstance(trace[0], str):
            raise ValueError(f"trace takes a player and a number of doublings, not {trace!r:.80}")
        doubled = trace[0], whole_number("doublings", trace[1], MIN_DOUBLINGS, MAX_DOUBLINGS)
    if not (in_all_seats or weak_and_strong or doubled):
        raise ValueError("a comparison needs players, or two players whose skill is compared, or a skill trace")
    named = {**in_all_seats, **weak_and_strong}
    searching: dict[str, PlayerLike] = {name: name for name in (doublings(*doubled) if doubled else ())}
    judging = judge_as_player(judge)
    if source:
        named, searching, judging = (in_file(players, game, source) for players in (named, searching, judging))
    for name, player in searching.items():
        if getattr(innermost(parse_player(str(player), game)), "depth", None) is not None:
            raise ValueError(
                f"trace: {name!r} searches to a depth, and twice the depth is far more than twice the search; valid: a "
                "player that counts simulations, such as mcts:10"
            )
    plan = ComparisonPlan(
        game,
        rulesets,
        tuple(in_all_seats),
        (two[0], two[1]) if two else None,
        doubled,
        games,
        seed,
        read_openings(openings, game, rulesets, named.values(), seed, source or as_typed),
        tuple(measures) if measures is not None else None,
        {name: player for name, player in {**judging, **searching, **named}.items() if player != name},
        paired,
        exact_folder(source(str(exact)) if source and exact else exact, named.values()),
        judge or NO_JUDGE,
        inputs=inputs,
    )
    if "regret" in (measures or ()) and not plan.exact:
        raise ValueError("the measure 'regret' needs a table of parlour solve: exact=FOLDER, or a player exact:FOLDER")
    _ = plan.measures, plan.plan  # raises ValueError for unknown measures and players
    return plan


def read_plan(saved: SavedComparison, source: str, trusted: bool = False) -> ComparisonPlan:
    """The plan of a config file, called ``source``, of any `EDITION`. ``trusted``: see `PathsInFile`. ValueError as in
    `plan_comparison`."""
    with blamed_on(source):
        return plan_comparison(
            saved.game, saved.variants, saved.players, saved.skill, saved.games, saved.seed, {}, saved.starts,
            saved.measures, saved.trace, saved.paired, saved.exact, saved.judge, PathsInFile(Path(source), trusted),
        )  # fmt: skip
