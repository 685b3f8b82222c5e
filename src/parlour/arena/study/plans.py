"""The plans of studies: which rulesets are played by which players, what is measured, and how that is saved.

In a comparison every variant has the same groups of games. For each player there is a group with that player in all
seats and a seed for each game. Another group has a weaker player against a stronger one, with two games per seed and
the seats exchanged. For the skill trace there are such groups of players each of which searches twice as much as the
one before. No two groups or variants share a seed, so that samples of different variants are independent; unless the
comparison is paired.

An exploration uses successive halving: all combinations play a few games; the better half plays as many games again;
the better half of these doubles its number of games again, and so on until few are left (Karnin, Koren and Somekh,
*Almost Optimal Exploration in Multi-Armed Bandits*, ICML 2013). These finalists then play new games. Game i of all
combinations has the same seed.
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
from parlour.arena.setting.openings import AUTO, AUTOMATIC_PLIES, OpeningChoice, OpeningsLike, read_openings
from parlour.arena.setting.plans import (
    EDITION,
    Group,
    Participants,
    Plan,
    Series,
    even_games,
    exact_folder,
    named_players,
    prefix_errors,
    two_players,
    with_judge,
)
from parlour.arena.setting.rulesets import Ruleset, RulesetLike, read_rulesets
from parlour.arena.study.search_space import Goal, Space, read_goals, read_space
from parlour.engine.game import Game
from parlour.interfaces.registry import find
from parlour.players import PlayerLike, parse_player
from parlour.players.champion import NAME, champion_plays
from parlour.players.inputs import PLANES
from parlour.players.luck import NO_JUDGE, judge_key
from parlour.players.names import innermost, player_in_file
from parlour.rulebook.options import Value
from parlour.support.arguments import whole_number
from parlour.support.paths import PathsInFile, as_typed
from parlour.support.typed_json import Struct

MIN_DOUBLINGS, MAX_DOUBLINGS = 1, 20
DEFAULT_DOUBLINGS = 5
DEFAULT_SKILL, DEFAULT_GAMES = ("mcts:2", "mcts:20"), 30
WITHOUT_CHAMPION = "mcts:5"
QUICK = f"{NAME}:2"
"""A champion that searches two plies deep. At its usual depth a comparison of a long game would take minutes."""
MAX_FINALISTS = 100
DEFAULT_FIRST_GAMES, DEFAULT_FINALISTS, DEFAULT_FINAL = 20, 8, 100
"""Of an exploration: games of each combination in the first round, finalists, and games of each of these."""
BUDGET = re.compile(r":(\d+)(?=:|$)")
"""A number in a player's name, such as 10 in ``mcts:10``."""


class SavedStudy(Struct, frozen=True, kw_only=True):
    """A config file of a comparison or an exploration: the arguments of `plan_comparison` or `plan_exploration`, and
    the versions of the players, of Parlour and of the rules."""

    game: str
    games: int
    seed: int
    openings: str | list[str] | dict[str, list[str]]
    identities: dict[str, dict[str, str]]
    parlour: str
    rules: str
    judge: str | None = None

    def arguments(self, source: str, trusted: bool) -> dict[str, Any]:
        """These arguments, with the file ``source`` itself. ``trusted``: see `PathsInFile`."""
        others = ("kind", "identities", *EDITION)
        fields = {name: getattr(self, name) for name in self.__struct_fields__ if name not in others}
        openings = f"{AUTO}:{AUTOMATIC_PLIES}" if self.openings == AUTO else self.openings  # as `as_config` means it
        return {**fields, "openings": openings, "source": PathsInFile(Path(source), trusted)}


class SavedComparison(SavedStudy, frozen=True, kw_only=True):
    """The config file of a comparison."""

    kind: Literal["compare"]
    variants: list[dict[str, Value]]
    players: list[str]
    skill: list[str] | None
    trace: list[str | int] | None
    measures: list[str] | None
    paired: bool = False
    exact: str | None = None

    def plan(self, source: str, trusted: bool = False) -> ComparisonPlan:
        """The plan of the file ``source``. ``trusted``: see `PathsInFile`. ValueError as in `plan_comparison`."""
        with prefix_errors(source):
            return plan_comparison(**self.arguments(source, trusted))


class SavedExploration(SavedStudy, frozen=True, kw_only=True):
    """The config file of an exploration."""

    kind: Literal["explore"]
    variant: str
    options: dict[str, Value]
    explored: dict[str, list[Value]]
    goals: list[str]
    player: str
    skill: list[str]
    finalists: int
    final: int
    each: bool = False

    def plan(self, source: str, trusted: bool = False) -> ExplorationPlan:
        """The plan of the file ``source``. ``trusted``: see `PathsInFile`. ValueError as in `plan_exploration`."""
        with prefix_errors(source):
            return plan_exploration(**self.arguments(source, trusted))


@dataclass(frozen=True, kw_only=True)
class StudyPlan:
    """What determines a comparison or an exploration: the arguments of the function that a user calls, checked.

    Attributes:
        games: the number of games of each group under each ruleset; in an exploration that of the first round.
        custom, inputs: see `Plan`.
        judge: the player that values throws; empty for none.
    """

    game: Game
    games: int
    seed: int
    openings: OpeningChoice
    custom: Mapping[str, PlayerLike] = field(default_factory=dict)
    judge: str = ""
    inputs: str = PLANES

    @property
    def groups(self) -> tuple[Group, ...]:
        """The groups of games that every ruleset plays."""
        raise NotImplementedError

    @cached_property
    def participants(self) -> Participants:
        """The players of all groups."""
        names = dict.fromkeys(name for group in self.groups for name in (group.first, group.second))
        return Participants(self.game, {name: self.custom.get(name, name) for name in names}, self.inputs)

    def run(
        self, rulesets: Sequence[Ruleset], games: int, seeds: Mapping[Group, str], measures: Sequence[Measure],
        config: Mapping[str, Any], exact: str = "",
    ) -> Plan:  # fmt: skip
        """All games, ruleset by ruleset, group by group. ``games``: of each group; ``seeds``: by group the text from
        which its seeds are made, see `Series`; ``measures``: all of the study. ValueError for players that do not
        exist."""
        series = tuple(
            self.participants.series(ruleset, group.first, group.second, games, self.seed, self.openings, seeds[group])
            for ruleset in rulesets
            for group in self.groups
        )
        even = tuple(one for one in measures if one.series == EVEN)
        plan = Plan(self.game, series, self.custom, self.participants.identities, config, even, exact, self.inputs)
        return with_judge(plan, self.judge) if self.judge else plan


@dataclass(frozen=True, kw_only=True)
class ComparisonPlan(StudyPlan):
    """Everything that determines a comparison: the arguments of `parlour.arena.compare`, checked.

    Attributes:
        rulesets: the variants.
        wanted: keys or groups of measures; None for all.
        others_begin: whether another seat than the first began in some game. If so, the tests ask whether it is an
            advantage to begin, else whether the first seat has an advantage.
    """

    rulesets: tuple[Ruleset, ...]
    players: tuple[str, ...]
    skill: tuple[str, str] | None
    trace: tuple[str, int] | None
    wanted: tuple[str, ...] | None = None
    paired: bool = False
    exact: str = ""
    others_begin: bool = False

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

    @property
    def labels(self) -> list[str]:
        """What the variants are called."""
        return [ruleset.label for ruleset in self.rulesets]

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """The measures that can be measured on the plan's groups under at least one of its variants."""
        present = {group.series for group in self.groups}
        measures = measures_of(self.game, self.rulesets[0].seats, self.wanted)
        if {FIRST_SEAT, SEAT_THAT_BEGINS} <= {one.key for one in measures}:
            untested = FIRST_SEAT if self.others_begin else SEAT_THAT_BEGINS
            measures = [replace(one, tested=False) if one.key == untested else one for one in measures]
        return tuple(
            measure
            for measure in measures
            if (self.exact or not measure.exact)
            and measure.series in present
            and any(measure.applies(self.game, dict(rules.values)) for rules in self.rulesets)
        )

    @property
    def fairness(self) -> str:
        """The key of the measure that says how fair a variant is: the score of the first seat, or of the seat that
        begins."""
        tested = {one.key for one in self.measures if one.tested}
        return FIRST_SEAT if FIRST_SEAT in tested else SEAT_THAT_BEGINS

    def measured(self, group: Group) -> list[Measure]:
        """The measures of a group of games."""
        return [one for one in self.measures if one.series == group.series]

    @cached_property
    def plan(self) -> Plan:
        """All games, variant by variant, group by group. ValueError for players that do not exist."""
        seeds = {group: f"compare {group.series}" if self.paired else "" for group in self.groups}
        return self.run(self.rulesets, self.games, seeds, self.measures, self.as_config(), self.exact)

    @property
    def grouped(self) -> list[tuple[Series, Group]]:
        """Every series of `plan` with its group."""
        return list(zip(self.plan.series, cycle(self.groups)))

    def are_paired(self, first: str, second: str) -> bool:
        """Whether the games of two variants, by label, are compared one by one: with the same seeds and openings."""
        starts = {series.ruleset.label: series.openings for series in self.plan.series}
        return self.paired and starts[first] == starts[second]

    def as_config(self) -> dict[str, Any]:
        """As JSON for a config file: see `Participants.config`."""
        entries = {
            "variants": [ruleset.as_config() for ruleset in self.rulesets], "players": list(self.players),
            "skill": list(self.skill) if self.skill else None, "trace": list(self.trace) if self.trace else None,
            "games": self.games, "seed": self.seed, "openings": self.openings.as_config(),
            "measures": list(self.wanted) if self.wanted is not None else None,
        }  # fmt: skip
        return self.participants.config(
            "compare", entries, {"paired": self.paired, "exact": self.exact, "judge": self.judge}
        )


@dataclass(frozen=True)
class HalvingRound:
    """A round of an exploration.

    Attributes:
        candidates: how many combinations play.
        low, high: each plays its games ``low`` to ``high`` − 1.
    """

    candidates: int
    low: int
    high: int

    @property
    def games(self) -> int:
        """How many games of each group a combination plays in it."""
        return self.high - self.low


@dataclass(frozen=True, kw_only=True)
class ExplorationPlan(StudyPlan):
    """Everything that determines an exploration: the arguments of `parlour.arena.explore`, checked. ``space`` has the
    combinations."""

    space: Space
    goals: tuple[Goal, ...]
    player: str
    skill: tuple[str, str]
    finalists: int
    final: int

    @cached_property
    def rounds(self) -> tuple[HalvingRound, ...]:
        """The rounds. In the last one the finalists play new games, which were not used to choose them. Where each
        option is changed alone nothing is chosen, and there is one round."""
        count, high = len(self.space.rulesets), self.games
        rounds = [HalvingRound(count, 0, high)]
        if self.space.each:
            return tuple(rounds)
        while count > 2 * self.finalists:
            count = (count + 1) // 2
            rounds.append(HalvingRound(count, high, 2 * high))
            high *= 2
        return (*rounds, HalvingRound(min(count, self.finalists), high, high + self.final))

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The groups of games that the goals need."""
        wanted = {goal.measure.series for goal in self.goals}
        even = (Group(EVEN, self.player, self.player),) if EVEN in wanted else ()
        return (*even, Group(SKILL, *self.skill)) if SKILL in wanted else even

    @cached_property
    def series(self) -> list[tuple[Series, ...]]:
        """For each combination one series per group, with all games that it can play in all rounds."""
        count = len(self.groups)
        return [self.plan.series[k : k + count] for k in range(0, len(self.plan.series), count)]

    @cached_property
    def plan(self) -> Plan:
        """All games that can be played in all rounds. ValueError for players that do not exist."""
        seeds = {group: f"explore {group.title}" for group in self.groups}
        measures = [goal.measure for goal in self.goals]
        return self.run(self.space.rulesets, self.rounds[-1].high, seeds, measures, self.as_config())

    def resolved_goals(self, means: Mapping[str, float]) -> tuple[Goal, ...]:
        """The goals with numbers in place of ``variant``. ``means``: of each measure, in the games of the variant."""
        return tuple(goal.resolved(means[goal.measure.key]) if goal.relative else goal for goal in self.goals)

    @property
    def total(self) -> int:
        """The number of games that are played."""
        return len(self.groups) * sum(one.candidates * one.games for one in self.rounds)

    def as_config(self) -> dict[str, Any]:
        """As JSON for a config file: see `Participants.config`."""
        entries = {
            "variant": self.space.base, "options": dict(self.space.fixed),
            "explored": {name: list(values) for name, values in self.space.options.items()},
            "goals": [goal.text for goal in self.goals], "player": self.player, "skill": list(self.skill),
            "games": self.games, "finalists": self.finalists, "final": self.final, "seed": self.seed,
            "openings": self.openings.as_config(),
        }  # fmt: skip
        return self.participants.config("explore", entries, {"judge": self.judge, "each": self.space.each})


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


def _custom(
    game: Game, players: Mapping[str, PlayerLike], judge: str | None, source: PathsInFile | None
) -> dict[str, PlayerLike]:
    """`Plan.custom` of a study, with its judge. ``source``: the file that names the players; paths are relative to
    it."""
    judges = {} if judge in (None, NO_JUDGE) else {judge_key(str(judge)): str(judge)}
    named: dict[str, PlayerLike] = {**judges, **players}
    if source:
        named = {name: player_in_file(str(player), game, source) for name, player in named.items()}
    return {name: player for name, player in named.items() if player != name}


def plan_comparison(
    game: str | Game,
    variants: Sequence[RulesetLike] | None,
    players: Sequence[str] | Mapping[str, PlayerLike] | None,
    skill: Sequence[str] | Mapping[str, PlayerLike] | None,
    games: int,
    seed: int,
    overrides: Mapping[str, object] | None = None,
    openings: OpeningsLike = AUTO,
    measures: Sequence[str] | None = None,
    trace: Sequence[Any] | None = None,
    paired: bool = False,
    exact: str | Path | None = None,
    judge: str | None = None,
    source: PathsInFile | None = None,
    inputs: str = PLANES,
) -> ComparisonPlan:
    """The plan from the arguments of `parlour.arena.compare`, or from those in a file ``source``. ValueError, naming
    the argument, if one is not valid."""
    game = find(game) if isinstance(game, str) else game
    if variants is None:
        variants = [variant.name for variant in game.variants]
    if isinstance(variants, (str, Mapping)):
        raise ValueError(f"variants are a list, not {variants!r:.80}")
    rulesets = tuple(read_rulesets(game, variants, overrides or {}))
    seats = {ruleset.label: ruleset.seats for ruleset in rulesets}
    if min(seats.values()) != max(seats.values()):
        raise ValueError(f"variants with different numbers of seats can't be compared: {seats}")
    seed, games = whole_number("seed", seed), even_games("games", games)
    if players is None:
        players = [default_player(game, rulesets)]
    in_all_seats, weak_and_strong = named_players(players, "players"), two_players(skill) if skill else {}
    doubled = None
    if trace is not None:
        if len(trace) != 2 or not isinstance(trace[0], str):
            raise ValueError(f"trace takes a player and a number of doublings, not {trace!r:.80}")
        doubled = trace[0], whole_number("doublings", trace[1], MIN_DOUBLINGS, MAX_DOUBLINGS)
    if not (in_all_seats or weak_and_strong or doubled):
        raise ValueError("a comparison needs players, or two players whose skill is compared, or a skill trace")
    named = {**in_all_seats, **weak_and_strong}
    searching = doublings(*doubled) if doubled else []
    custom = _custom(game, {**dict(zip(searching, searching)), **named}, judge, source)
    for name in searching:
        if getattr(innermost(parse_player(str(custom.get(name, name)), game)), "depth", None) is not None:
            raise ValueError(
                f"trace: {name!r} searches to a depth, and twice the depth is far more than twice the search; valid: a "
                "player that counts simulations, such as mcts:10"
            )
    playing = [custom.get(name, name) for name in named]
    weaker_and_stronger = tuple(weak_and_strong)
    plan = ComparisonPlan(
        game=game, rulesets=rulesets, players=tuple(in_all_seats),
        skill=(weaker_and_stronger[0], weaker_and_stronger[1]) if weak_and_strong else None, trace=doubled,
        games=games, seed=seed,
        openings=read_openings(openings, game, rulesets, playing, seed, source or as_typed),
        wanted=tuple(measures) if measures is not None else None, custom=custom, paired=paired,
        exact=exact_folder(source(str(exact)) if source and exact else exact, playing),
        judge="" if judge in (None, NO_JUDGE) else str(judge), inputs=inputs,
    )  # fmt: skip
    if "regret" in (measures or ()) and not plan.exact:
        raise ValueError("the measure 'regret' needs a table of parlour solve: exact=FOLDER, or a player exact:FOLDER")
    _ = plan.measures, plan.plan  # raises ValueError for unknown measures and players
    return plan


def plan_exploration(
    game: str | Game,
    explored: Mapping[str, Sequence[object] | None],
    goals: Sequence[str],
    variant: str | None,
    options: Mapping[str, object],
    player: str,
    skill: Sequence[str],
    games: int,
    finalists: int,
    final: int,
    seed: int,
    openings: OpeningsLike = AUTO,
    judge: str | None = None,
    each: bool = False,
    source: PathsInFile | None = None,
) -> ExplorationPlan:
    """The plan from the arguments of `parlour.arena.explore`, or from those in a file ``source``. ``explored``: the
    options that vary; ``options``: the values of others. ValueError, naming the argument, if one is not valid."""
    game = find(game) if isinstance(game, str) else game
    seed, finalists = whole_number("seed", seed), whole_number("finalists", finalists, 1, MAX_FINALISTS)
    games, final = even_games("games", games), even_games("final", final)
    weaker, stronger = two_players(skill)
    space = read_space(game, variant, options, explored, each)
    players: dict[str, PlayerLike] = {name: name for name in (player, weaker, stronger)}
    custom = _custom(game, players, judge, source)
    playing = [custom.get(name, name) for name in players]
    plan = ExplorationPlan(
        game=game, space=space, goals=read_goals(game, space.rulesets, goals), player=player, skill=(weaker, stronger),
        games=games, finalists=finalists, final=final, seed=seed,
        openings=read_openings(openings, game, space.rulesets, playing, seed, source or as_typed),
        judge="" if judge in (None, NO_JUDGE) else str(judge), custom=custom,
    )  # fmt: skip
    relative = [goal.text for goal in plan.goals if goal.relative]
    if relative and space.unchanged is None:
        raise ValueError(f"goal {relative[0]!r}: {space.base} itself must be among the combinations")
    _ = plan.plan  # raises ValueError for unknown players and judges
    return plan
