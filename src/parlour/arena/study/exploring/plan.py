"""The plan of an exploration: the combinations, the goals, and how many games each combination plays in each round.

The method is successive halving: all combinations play a few games; the better half plays as many games again; the
better half of these doubles its number of games again, and so on until few are left (Karnin, Koren and Somekh, *Almost
Optimal Exploration in Multi-Armed Bandits*, ICML 2013). These finalists then play new games. Game i of all combinations
has the same seed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from parlour.arena.measures import EVEN, SKILL
from parlour.arena.setting.game_specs import Plan, Series
from parlour.arena.setting.openings import AUTO, OpeningChoice, OpeningsLike, read_openings
from parlour.arena.setting.plans import (
    Cast,
    Group,
    SavedPlan,
    blamed_on,
    even_games,
    in_file,
    judge_as_player,
    two_players,
    with_judge,
)
from parlour.arena.study.exploring.goals import Goal, read_goals
from parlour.arena.study.exploring.space import Space, read_space
from parlour.engine.game import Game
from parlour.interfaces.registry import find
from parlour.players import PlayerLike
from parlour.players.luck import NO_JUDGE
from parlour.rulebook.options import Value
from parlour.support.arguments import whole_number
from parlour.support.paths import PathsInFile, as_typed

KIND = "explore"
MAX_FINALISTS = 100
DEFAULT_PLAYER, DEFAULT_SKILL = "mcts:5", ("mcts:2", "mcts:20")
DEFAULT_GAMES, DEFAULT_FINALISTS, DEFAULT_FINAL = 20, 8, 100


class SavedExploration(SavedPlan, frozen=True, kw_only=True):
    """A config file."""

    kind: Literal["explore"]
    variant: str
    options: dict[str, Value]
    explored: dict[str, list[Value]]
    goals: list[str]
    player: str
    skill: list[str]
    finalists: int
    final: int
    judge: str | None = None
    each: bool = False


@dataclass(frozen=True)
class HalvingRound:
    """A round of an exploration.

    Attributes:
        candidates: how many combinations play.
        low, high: they play their games ``low`` to ``high`` − 1.
    """

    candidates: int
    low: int
    high: int


@dataclass(frozen=True)
class ExplorationPlan:
    """Everything that determines an exploration: the arguments of `parlour.arena.explore`, checked. ``space`` has the
    combinations; ``custom``: see `Plan`."""

    space: Space
    goals: tuple[Goal, ...]
    player: str
    skill: tuple[str, str]
    games: int
    finalists: int
    final: int
    seed: int
    openings: OpeningChoice
    judge: str | None = None
    custom: Mapping[str, PlayerLike] = field(default_factory=dict)

    @property
    def game(self) -> Game:
        """Which game."""
        return self.space.game

    @cached_property
    def rounds(self) -> tuple[HalvingRound, ...]:
        """The rounds. In the last one the finalists play new games, which were not used to choose them. Where each
        option is changed alone nothing is chosen, and there is one round."""
        count, high = len(self.space.rulesets), self.games
        if self.space.each:
            return (HalvingRound(count, 0, high),)
        rounds = [HalvingRound(count, 0, high)]
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
    def series(self) -> tuple[tuple[Series, ...], ...]:
        """For each combination one series per group, with all games that it can play in all rounds."""
        return tuple(
            tuple(
                self.cast.series(
                    ruleset, group.first, group.second, self.rounds[-1].high, self.seed, self.openings,
                    f"{KIND} {group.title}", self.judge or "" if group.series == SKILL else "",
                )
                for group in self.groups
            )
            for ruleset in self.space.rulesets
        )  # fmt: skip

    @cached_property
    def plan(self) -> Plan:
        """All games that can be played in all rounds. ValueError for players that do not exist."""
        even = tuple(goal.measure for goal in self.goals if goal.measure.series == EVEN)
        series = tuple(one for several in self.series for one in several)
        plan = Plan(self.game, series, self.custom, self.cast.identities, self.as_config(), even)
        return with_judge(plan, self.judge) if self.judge else plan

    @cached_property
    def cast(self) -> Cast:
        """The players of all groups."""
        names = dict.fromkeys(name for group in self.groups for name in (group.first, group.second))
        return Cast(self.game, {name: self.custom.get(name, name) for name in names})

    def beside(self, means: Mapping[str, float]) -> tuple[Goal, ...]:
        """The goals with their numbers, by the mean of each measure in the games of the unchanged variant."""
        return tuple(goal.beside(means[goal.measure.key]) if goal.relative else goal for goal in self.goals)

    @property
    def final_games(self) -> int:
        """How many games of a group the estimates of a finalist come from."""
        return self.rounds[-1].high - self.rounds[-1].low

    @property
    def total(self) -> int:
        """The number of games that are played."""
        return len(self.groups) * sum(one.candidates * (one.high - one.low) for one in self.rounds)

    def as_config(self) -> dict[str, Any]:
        """As JSON for a config file: see `Cast.config`."""
        entries = {
            "variant": self.space.base,
            "options": dict(self.space.fixed),
            "explored": {name: list(values) for name, values in self.space.options.items()},
            "goals": [goal.text for goal in self.goals],
            "player": self.player,
            "skill": list(self.skill),
            "games": self.games,
            "finalists": self.finalists,
            "final": self.final,
            "seed": self.seed,
            "openings": self.openings.as_config(),
            **({"judge": self.judge} if self.judge else {}),
            **({"each": True} if self.space.each else {}),
        }
        return self.cast.config(KIND, entries)


def plan_exploration(
    game: str | Game,
    options: Mapping[str, Sequence[object] | None],
    goals: Sequence[str],
    variant: str | None,
    fixed: Mapping[str, object],
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
    """The plan that a user asks for: `parlour.arena.explore`; or ``source``, a file. ValueError, naming the argument,
    if it is not valid."""
    if isinstance(game, str):
        game = find(game)
    seed, finalists = whole_number("seed", seed), whole_number("finalists", finalists, 1, MAX_FINALISTS)
    games, final = even_games("games", games), even_games("final", final)
    weaker, stronger = two_players(skill)
    space = read_space(game, variant, fixed, options, each)
    players: dict[str, PlayerLike] = {name: name for name in (player, weaker, stronger)}
    judging = judge_as_player(judge)
    if source:
        players, judging = in_file(players, game, source), in_file(judging, game, source)
    plan = ExplorationPlan(
        space,
        read_goals(game, space.rulesets, goals),
        player,
        (weaker, stronger),
        games,
        finalists,
        final,
        seed,
        read_openings(openings, game, space.rulesets, players.values(), seed, source or as_typed),
        None if judge == NO_JUDGE else judge,
        {name: found for name, found in {**judging, **players}.items() if found != name},
    )
    relative = [goal.text for goal in plan.goals if goal.relative]
    if relative and space.unchanged is None:
        raise ValueError(f"goal {relative[0]!r}: {space.base} itself must be among the combinations")
    _ = plan.plan  # raises ValueError for unknown players and judges
    return plan


def read_exploration(saved: SavedExploration, source: str, trusted: bool = False) -> ExplorationPlan:
    """The plan of a config file, called ``source``, of any `EDITION`. ``trusted``: see `PathsInFile`. ValueError as in
    `plan_exploration`."""
    with blamed_on(source):
        return plan_exploration(
            saved.game, saved.explored, saved.goals, saved.variant, saved.options, saved.player, saved.skill,
            saved.games, saved.finalists, saved.final, saved.seed, saved.starts, saved.judge, saved.each,
            PathsInFile(Path(source), trusted),
        )  # fmt: skip
