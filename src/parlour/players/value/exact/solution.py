"""A solved game, or its endings: what positions are worth, and which actions keep that."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parlour.engine.game import Game
from parlour.engine.games import Games
from parlour.engine.kernels import solving
from parlour.engine.search_arrays import DISCOUNT, LEAF
from parlour.engine.solving_arrays import PROBLEMS, TableValues, empty_graph
from parlour.players.value.exact.parts import Expander, turns_of
from parlour.players.value.exact.tables import INFO, Progress, Table, TableInfo, open_table
from parlour.players.value.exact.verifying import SAMPLE, verify
from parlour.rulebook.compiling import plain
from parlour.rulebook.protocol import RUNNING
from parlour.rulebook.state_records import as_words, records
from parlour.support.files import sha256_of

EDGES = 1 << 10


class Choices(NamedTuple):
    """The legal actions of a position (K,), and what each is worth to the seat to act."""

    actions: NDArray[np.int64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    """At least and at most, from −1 to 1; the same without dice"""
    turns: NDArray[np.int64]
    """Without dice: after how many turns the game ends if both play well; 0 for a draw. With dice: zeros"""

    @property
    def values(self) -> NDArray[np.float64]:
        """The middle between low and high."""
        return (self.low + self.high) / 2

    @property
    def kept(self) -> NDArray[np.bool_]:
        """Which actions may be the best: none is certainly better."""
        return self.high >= self.low.max()

    @property
    def best(self) -> int:
        """The action to play: the highest value; the fastest win or the slowest loss."""
        order = self.values * 1e6 - np.sign(self.values) * self.turns if self.turns.any() else self.values
        return int(self.actions[order.argmax()])

    def regret(self, action: int) -> float:
        """How much of the value a legal action gives away, from 0 to 2."""
        return float(self.values.max() - self.values[self.actions == action][0])


class Solution:
    """A table of exact values: what `parlour.solve` returns.

    Positions are valued as if the limits by ``max_plies``, repetition and counts of plies were far away.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self._expander = Expander(table)
        self._room = empty_graph(0, EDGES)

    @classmethod
    def load(cls, folder: str | Path, game: Game | None = None) -> Solution:
        """The table in a folder. ValueError if there is none, it is not solved wholly, it is of another game than
        ``game``, or the rules are not those that it was made by."""
        table = open_table(Path(folder), game)
        if table.left:
            first = table.info.tiers[table.left[0]].name
            raise ValueError(
                f"{folder} is not solved wholly: {len(table.left)} tiers are left ({first}); solve it again"
            )
        return cls(table)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles keep only the folder's path."""
        return Solution.load, (str(self.table.folder),)

    @property
    def identity(self) -> dict[str, str]:
        """What tells it from other tables, for `parlour.players.identity`: what it is of, and by which rules."""
        return {"sha256": sha256_of(self.table.folder / INFO)}

    @property
    def info(self) -> TableInfo:
        """What it is of."""
        return self.table.info

    @property
    def positions(self) -> int:
        """How many positions it has."""
        return sum(tier.info.positions for tier in self.table)

    @property
    def gap(self) -> float:
        """How far lower and upper bounds are apart at most; 0.0 without dice."""
        return max(tier.info.gap for tier in self.table)

    def verify(self, sample: int = SAMPLE, progress: Progress = lambda done, total, what: None) -> int:
        """Compares every value with those one turn later by the rules: see `verifying.verify`."""
        return verify(self.table, sample, progress)

    def value(self, env: Any) -> tuple[float, float]:
        """What the present position of an environment is worth to its seat to act: at least, and at most, from −1 (it
        loses) to 1 (it wins). ValueError for another game or variant, a game that is over, and a position outside the
        table."""
        choices = self.choices(games_of_env(env))
        return float(choices.low.max()), float(choices.high.max())

    def best(self, env: Any) -> list[int]:
        """The actions that keep the value. ValueError as for `value`."""
        choices = self.choices(games_of_env(env))
        return [int(action) for action in choices.actions[choices.kept]]

    def regret(self, env: Any, action: int) -> float:
        """How much of the value an action gives away, from 0 to 2. ValueError as for `value`, and for an action that
        is not legal."""
        choices = self.choices(games_of_env(env))
        if action not in choices.actions:
            raise ValueError(f"the action {action!r} is not legal here")
        return choices.regret(action)

    def turns(self, env: Any) -> int | None:
        """In a game without dice: after how many turns it ends if both play well; None for a draw. ValueError as for
        `value`."""
        choices = self.choices(games_of_env(env))
        return int(choices.turns[choices.actions == choices.best][0]) or None

    @cached_property
    def search_values(self) -> TableValues:
        """The whole table in memory, as `parlour.players.search.Expectimax` reads it. The sooner of two wins
        is worth more, as in searches."""
        first = np.cumsum([0, *(tier.size for tier in self.info.tiers)])
        values = np.zeros(int(first[-1]), np.float32)
        for tier in self.table:
            start = int(first[tier.info.tier])
            part = values[start : start + tier.info.size]
            if self._expander.dice:
                low, high = tier.bounds(slice(None))
                part[:] = (low + high) / 2
            else:
                codes = tier.codes(slice(None)).astype(np.int64)
                part[:] = np.sign(codes) * (LEAF + (1 - LEAF) * DISCOUNT ** turns_of(codes))
        return TableValues(first, values)

    def check_games(self, games: Games, rows: slice = slice(None)) -> None:
        """ValueError unless rows are of the table's game and options, but for limits."""
        if games.game.id != self.table.game.id:
            raise ValueError(f"the table is of {self.table.game.id}, not of {games.game.id}")
        due = self._expander.variants[0]
        for variant in np.unique(games.variants[rows]):
            for name in self.table.game.variant_dtype.names or ():
                if name not in UNREAD and variant[name] != due[name]:
                    raise ValueError(f"the table is for {name}={due[name]}, not {variant[name]} ({self.table.label})")

    @property
    def has_start(self) -> bool:
        """Whether the start of the game is in the table."""
        return self._start() is not None

    def start(self) -> tuple[float, float]:
        """What the whole game is worth to the seat that begins, before its first throw. ValueError if the start is
        outside the table."""
        place = self._start()
        if place is None:
            raise ValueError(f"the start of the game is outside the table ({self.table.label})")
        tier, at = self.table[place[0]], np.array([place[1]])
        if self._expander.dice:
            low, high = tier.bounds(at)
            return float(low[0]), float(high[0])
        value = float(np.sign(tier.codes(at)[0]))
        return value, value

    def _start(self) -> tuple[int, int] | None:
        """The tier and the number of the game's start; None if it is outside the table."""
        states, variants = records(1, self.table.game.rules.STATE), self._expander.variants
        rules = self._expander.functions_for(solving.number_of_start)
        tier, index = solving.number_of_start(rules, as_words(states), as_words(variants))
        return (int(tier), int(index)) if 0 <= tier < len(self.info.tiers) else None

    def choices(self, games: Games, row: int = 0) -> Choices:
        """What each legal action of a row is worth. ValueError as for `value`."""
        self.check_games(games, slice(row, row + 1))
        if games.states["end"][row] != RUNNING:
            raise ValueError("the game is over, so its position has no value")
        states, variants = games.states[row : row + 1], games.variants[row : row + 1]
        rules = self._expander.functions_for(solving.list_actions)
        count = solving.list_actions(rules, as_words(states), as_words(variants), self._expander.walk)
        actions = np.sort(self._expander.walk.actions[0, :count]).astype(np.int64)
        low, high = np.empty(len(actions)), np.empty(len(actions))
        turns = np.zeros(len(actions), np.int64)
        for k, action in enumerate(actions.tolist()):
            known = self._after(states, variants, action)
            if self._expander.dice:
                low[k], high[k] = known[:, 0].max(), known[:, 1].max()
            else:
                best = max(known.tolist(), key=plain(solving.score))
                low[k], high[k], turns[k] = np.sign(best), np.sign(best), turns_of(best)
        return Choices(actions, low, high, turns)

    def kind_of(self, games: Games, row: int = 0) -> str:
        """What kind of position a row's is: of its tier's name what stands before a comma; empty outside the
        table."""
        rules = self._expander.functions_for(solving.number_of)
        words = as_words(games.states[row : row + 1]), as_words(games.variants[row : row + 1])
        tier, _ = solving.number_of(rules, *words)
        return self.info.tiers[tier].name.partition(",")[0] if 0 <= tier < len(self.info.tiers) else ""

    def _after(self, states: Any, variants: Any, action: int) -> NDArray[Any]:
        """What is known of the ends of the turn after an action."""
        rules, words = self._expander.functions_for(solving.look_ahead), (as_words(states), as_words(variants))
        while True:
            count = solving.look_ahead(rules, *words, action, self._expander.walk, self._room)
            if count < 0:
                raise ValueError(f"{self.table.game.endings.__name__}: {PROBLEMS[count]}")
            if count <= len(self._room.edges):
                return self._expander.known(self._room.out[:count])
            self._room = empty_graph(0, 2 * len(self._room.edges))


UNREAD = ("max_plies", "repetition")
"""Options that play no part in a table."""


def games_of_env(env: Any) -> Games:
    """The games of an environment, wrapped or not. ValueError for anything else."""
    games = getattr(getattr(env, "unwrapped", env), "games", None)
    if not isinstance(games, Games):
        raise ValueError(f"not an environment of parlour: {env!r}")
    return games
