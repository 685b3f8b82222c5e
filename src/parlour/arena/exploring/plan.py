"""The plan of an exploration: the combinations, the goals, and how many games each combination plays in each round.

The method is successive halving: all combinations play a few games; the better half plays as many games again; the
better half of these doubles its number of games again, and so on until few are left (Karnin, Koren and Somekh, *Almost
Optimal Exploration in Multi-Armed Bandits*, ICML 2013). These finalists then play new games. Game i of all combinations
has the same seed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from typing import Any

from parlour.arena.comparison.plan import Group, check_integer
from parlour.arena.exploring.goals import Goal, read_goals
from parlour.arena.exploring.space import Space, read_space
from parlour.arena.fixtures import Plan, Series
from parlour.arena.measures import EVEN, SKILL
from parlour.arena.openings import AUTO, OpeningChoice, OpeningsLike, read_openings
from parlour.engine.game import Game
from parlour.players.identity import identity_of, is_deterministic
from parlour.registry import find
from parlour.strict_json import JsonValue

KIND = "explore"
EDITION = ("kind", "parlour", "rules", "identities")
"""Entries of a config file that depend on the installed versions, not on the user's choice."""
MIN_GAMES, MAX_GAMES = 4, 1_000_000
MAX_FINALISTS = 100
DEFAULT_PLAYER, DEFAULT_SKILL = "mcts:5", ("mcts:2", "mcts:20")
DEFAULT_GAMES, DEFAULT_FINALISTS, DEFAULT_FINAL = 20, 8, 100
ENTRIES = (
    "game", "variant", "options", "explored", "goals", "player", "skill", "games", "finalists", "final", "seed",
    "openings",
)  # fmt: skip


@dataclass(frozen=True)
class Round:
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
    """Everything that determines an exploration.

    Attributes:
        space: the combinations.
        goals: the goals.
        player: the player in all seats.
        skill: a weaker and a stronger player, for goals about skill.
        games: the number of games of each combination in the first round; even.
        finalists: the number of combinations in the final round.
        final: the number of games of each finalist in the final round; even.
        seed: the random seed.
        openings: how games begin.
    """

    space: Space
    goals: tuple[Goal, ...]
    player: str
    skill: tuple[str, str]
    games: int
    finalists: int
    final: int
    seed: int
    openings: OpeningChoice

    @property
    def game(self) -> Game:
        """Which game."""
        return self.space.game

    @cached_property
    def rounds(self) -> tuple[Round, ...]:
        """The rounds. In the last one the finalists play new games, which were not used to choose them."""
        count, high = len(self.space.rulesets), self.games
        rounds = [Round(count, 0, high)]
        while count > 2 * self.finalists:
            count = (count + 1) // 2
            rounds.append(Round(count, high, 2 * high))
            high *= 2
        return (*rounds, Round(min(count, self.finalists), high, high + self.final))

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The groups of games that the goals need."""
        wanted = {goal.measure.series for goal in self.goals}
        even = (Group(EVEN, self.player, self.player),) if EVEN in wanted else ()
        return (*even, Group(SKILL, *self.skill)) if SKILL in wanted else even

    @cached_property
    def series(self) -> tuple[tuple[Series, ...], ...]:
        """For each combination one series per group, with all games that it can play in all rounds."""
        max_games = self.rounds[-1].high
        fixed = {name: not self.game.rules.DICE and is_deterministic(name, self.game) for name in self._names}
        return tuple(
            tuple(
                Series(
                    ruleset, group.first, group.second, max_games, self.seed, self.openings.between(both), both,
                    seeds=f"{KIND} {group.title}",
                )
                for group in self.groups
                for both in [fixed[group.first] and fixed[group.second]]
            )
            for ruleset in self.space.rulesets
        )  # fmt: skip

    @cached_property
    def plan(self) -> Plan:
        """All games that can be played in all rounds. ValueError for players that do not exist."""
        config = self.as_config()
        even = tuple(goal.measure for goal in self.goals if goal.measure.series == EVEN)
        series = tuple(one for several in self.series for one in several)
        return Plan(self.game, series, {}, config["identities"], config, even)

    @property
    def total(self) -> int:
        """The number of games that are played."""
        return len(self.groups) * sum(one.candidates * (one.high - one.low) for one in self.rounds)

    @property
    def _names(self) -> list[str]:
        return list(dict.fromkeys(name for group in self.groups for name in (group.first, group.second)))

    def as_config(self) -> dict[str, Any]:
        """As JSON for a config file, with the versions of Parlour, of the rules and of the players' files."""
        identities = {name: identity_of(name, self.game) for name in self._names}
        return {
            "kind": KIND,
            "game": self.game.id,
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
            "identities": {name: identity for name, identity in identities.items() if identity},
            "parlour": version("parlour"),
            "rules": self.game.digest,
        }


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
) -> ExplorationPlan:
    """The plan that a user asks for: see `parlour.arena.explore`. ValueError, naming the argument, for any value that
    is not valid."""
    if isinstance(game, str):
        game = find(game)
    check_integer("seed", seed, 0)
    check_integer("finalists", finalists, 1, MAX_FINALISTS)
    for name, count in (("games", games), ("final", final)):
        check_integer(name, count, MIN_GAMES, MAX_GAMES)
        if count % 2:
            raise ValueError(f"{name} must be an even number, as games are played in pairs, not {count}")
    if len(skill) != 2 or skill[0] == skill[1] or isinstance(skill, str):
        raise ValueError(f"skill takes two different players, a weaker and a stronger one, not {skill!r:.80}")
    space = read_space(game, variant, fixed, options)
    plan = ExplorationPlan(
        space,
        read_goals(game, space.rulesets[0].seats, goals),
        player,
        (skill[0], skill[1]),
        games,
        finalists,
        final,
        seed,
        read_openings(openings, game, space.rulesets),
    )
    _ = plan.plan  # raises ValueError for unknown players
    return plan


def read_exploration(config: JsonValue) -> ExplorationPlan:
    """The plan in a config file. Its versions (`EDITION`) are not compared with the installed ones. ValueError that
    names the file and the line, and says what is valid."""
    kind = config.members().get("kind", config)
    if kind.value != KIND:
        raise kind.misfit(f"{KIND!r}, the kind of a plan of an exploration")
    entries = config.entries((*EDITION, *ENTRIES))
    entries["identities"].members()
    openings = entries["openings"]
    explored = entries["explored"].members()
    try:
        return plan_exploration(
            entries["game"].text(),
            {name: [value.value for value in values.elements()] for name, values in explored.items()},
            [text.text() for text in entries["goals"].elements()],
            entries["variant"].text(),
            {name: value.value for name, value in entries["options"].members().items()},
            entries["player"].text(),
            [text.text() for text in entries["skill"].elements()],
            entries["games"].integer(MIN_GAMES, MAX_GAMES),
            entries["finalists"].integer(1, MAX_FINALISTS),
            entries["final"].integer(MIN_GAMES, MAX_GAMES),
            entries["seed"].integer(0),
            openings.value if isinstance(openings.value, str) else [text.text() for text in openings.elements()],
        )
    except (ValueError, OSError) as error:
        raise config.error(str(error)) from None
